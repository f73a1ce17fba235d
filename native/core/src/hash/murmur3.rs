//! MurmurHash3_x86_32 with seed 0, for Pulsar's keys and hash ranges.
//!
//! Source: Apache Pulsar 5.0, `org.apache.pulsar.common.util.Murmur3_32Hash`. What differs from the obvious: Pulsar uses
//! it masked to 31 bits; these are the raw 32.

use super::murmur2::little_endian;

/// First multiplier of a word.
pub const C1: u32 = 0xcc9e_2d51;
/// Second multiplier of a word.
pub const C2: u32 = 0x1b87_3593;
/// Added after each whole word, with a multiplication by five.
pub const STEP: u32 = 0xe654_6b64;
/// Multipliers of the closing avalanche.
pub const FINISH: [u32; 2] = [0x85eb_ca6b, 0xc2b2_ae35];

/// murmur3 of one key.
///
/// ```
/// assert_eq!(topic_placement_core::hash::murmur3::one(b"hello"), 0x248b_fa47);
/// ```
#[inline]
#[must_use]
pub fn one(key: &[u8]) -> u32 {
    let (words, tail) = key.as_chunks::<4>();
    let mut h = 0u32;
    for word in words {
        h = (h ^ mix(u32::from_le_bytes(*word))).rotate_left(13).wrapping_mul(5).wrapping_add(STEP);
    }
    // With no tail this mixes a zero in, which changes nothing.
    h ^= mix(little_endian(tail)) ^ key.len() as u32;
    h = (h ^ (h >> 16)).wrapping_mul(FINISH[0]);
    h = (h ^ (h >> 13)).wrapping_mul(FINISH[1]);
    h ^ (h >> 16)
}

#[inline]
fn mix(word: u32) -> u32 {
    word.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}
