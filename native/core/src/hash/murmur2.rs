//! murmur2 as Kafka's producers know it, for the partition of a key.
//!
//! Source: Apache Kafka 4.4.0, `org.apache.kafka.common.utils.Utils.murmur2`. What differs from the obvious: the seed is
//! 0x9747b28c, it is mixed with the length, words are little-endian, and the 32 bits are taken as signed there.

/// The multiplier, `m` of the original.
pub const M: u32 = 0x5bd1_e995;
/// The seed that Kafka fixed.
pub const SEED: u32 = 0x9747_b28c;

/// murmur2 of one key.
///
/// ```
/// // Kafka prints it signed: Utils.murmur2("foobar".getBytes()) is -790332482.
/// assert_eq!(topic_placement_core::hash::murmur2::one(b"foobar") as i32, -790_332_482);
/// ```
#[inline]
#[must_use]
pub fn one(key: &[u8]) -> u32 {
    let (words, tail) = key.as_chunks::<4>();
    let mut h = SEED ^ key.len() as u32;
    for word in words {
        h = h.wrapping_mul(M) ^ mix(u32::from_le_bytes(*word));
    }
    if !tail.is_empty() {
        h = (h ^ little_endian(tail)).wrapping_mul(M);
    }
    h = (h ^ (h >> 13)).wrapping_mul(M);
    h ^ (h >> 15)
}

#[inline]
fn mix(word: u32) -> u32 {
    let k = word.wrapping_mul(M);
    (k ^ (k >> 24)).wrapping_mul(M)
}

/// Up to three bytes as one word, the missing ones zero.
#[inline]
pub(crate) fn little_endian(tail: &[u8]) -> u32 {
    tail.iter().rev().fold(0, |word, &byte| (word << 8) | u32::from(byte))
}
