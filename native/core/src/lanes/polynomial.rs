//! `String.hashCode` as a sum: the constants of the arms that hash ASCII keys in blocks.
//!
//! Byte `i` of `n` counts `31^(n - 1 - i)`. Two multiply-and-add steps of small numbers make a hash of every four bytes
//! (at most 127 * (31^3 + 31^2 + 31 + 1) < 2^22); those get the weight of where their four bytes stand in a block.

/// 31^exponent modulo 2^32.
const fn power(exponent: u32) -> i32 {
    let (mut power, mut at) = (1i32, 0);
    while at < exponent {
        power = power.wrapping_mul(31);
        at += 1;
    }
    power
}

/// What 64 more bytes multiply a hash by.
pub(super) const A_BLOCK: i32 = power(64);

/// Weights of the sixteen fours of a block.
pub(super) static FOURS: [i32; 16] = {
    let mut weights = [0; 16];
    let mut at = 0;
    while at < 16 {
        weights[at] = power(60 - 4 * at as u32);
        at += 1;
    }
    weights
};

/// 31 for the first byte of a pair, 1 for the second; as the bytes of a word.
pub(super) const PAIR: i16 = 0x011f;
/// 31^2 for the first pair of a four, 1 for the second; as the halves of a double word.
pub(super) const FOUR: i32 = 0x0001_03c1;
