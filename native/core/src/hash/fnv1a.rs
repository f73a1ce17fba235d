//! 32-bit FNV-1a, for the keys of sarama, kafka-go and librdkafka's `fnv1a` partitioners.
//!
//! Source: draft-eastlake-fnv-17, 32-bit parameters. What differs from FNV-1: the byte comes in before the product.

/// The offset basis.
pub const BASIS: u32 = 0x811c_9dc5;
/// The FNV prime.
pub const PRIME: u32 = 0x0100_0193;

/// FNV-1a of one key.
///
/// ```
/// assert_eq!(topic_placement_core::hash::fnv1a::one(b"foobar"), 0xbf9c_f968);
/// ```
#[inline]
#[must_use]
pub fn one(key: &[u8]) -> u32 {
    key.iter().fold(BASIS, |h, &byte| (h ^ u32::from(byte)).wrapping_mul(PRIME))
}
