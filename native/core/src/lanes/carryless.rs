//! CRC-32 as linear algebra over GF(2): the constants of the arms that multiply without carries.
//!
//! A reflected CRC-32 of a message is the remainder of its polynomial, so it is a sum over the message's 64-bit words,
//! each times a power of x that says how far it stands from the end. A key of up to 64 bytes, right-aligned in a block of
//! 64, needs no loop: eight fixed weights, a sum, and one Barrett reduction. Zeros before a key add nothing; what the
//! initial ones add depends on the length alone.
//!
//! In reflected order bit 0 of a word is its highest coefficient, and the product of two reflected words comes out one
//! bit low: each constant is shifted up by one bit, or stands for one power less where it has no bit to spare.

use super::blocks::BLOCK;
use crate::hash::crc32::Crc32;

/// The constants of one polynomial.
pub(super) struct Carryless {
    /// Weights of the eight 64-bit words of a block, x^32 included, as a CRC asks. Their products lie in the low 96
    /// bits, so that the low word of a sum is what Barrett divides, and no shift is needed.
    pub weights: [u64; 8],
    /// Moves each 128-bit piece of a block one block up: for the low word, for the high word.
    pub fold: [u64; 2],
    /// The quotient of x^96 and the polynomial, and the polynomial, each where the other's product meets it.
    pub barrett: [u64; 2],
    /// CRC-32 of that many zero bytes: what the ones at the start, and those at the end, add to a short key.
    pub zeros: [u32; BLOCK + 1],
}

/// For [`crate::hash::crc32::ISO_HDLC`].
pub(super) static ISO_HDLC: Carryless = Carryless::of(Crc32::ISO_HDLC_POLYNOMIAL);
/// For [`crate::hash::crc32::CASTAGNOLI`].
pub(super) static CASTAGNOLI: Carryless = Carryless::of(Crc32::CASTAGNOLI_POLYNOMIAL);

impl Carryless {
    const fn of(polynomial: u32) -> Carryless {
        let mut weights = [0; 8];
        let mut word = 0;
        while word < 8 {
            let power = power_of_x(polynomial, 64 * (7 - word as i32) + 32);
            weights[word] = (power.reverse_bits() as u64) << 1;
            word += 1;
        }
        let block = 8 * BLOCK as i32;
        let fold = [high(polynomial, block + 64), high(polynomial, block)];
        Carryless { weights, fold, barrett: barrett(polynomial), zeros: zeros(polynomial) }
    }
}

/// The multiplier by x^exponent whose products fill 128 bits.
const fn high(polynomial: u32, exponent: i32) -> u64 {
    (power_of_x(polynomial, exponent - 1).reverse_bits() as u64) << 32
}

/// x^exponent modulo the polynomial, bit d being the coefficient of x^d; x has an inverse, so -1 is answered too.
const fn power_of_x(polynomial: u32, exponent: i32) -> u32 {
    let mut power = 1u32;
    let mut at = 0;
    while at < exponent {
        power = (power << 1) ^ (polynomial * (power >> 31));
        at += 1;
    }
    while at > exponent {
        let odd = power & 1;
        power = ((power ^ (polynomial * odd)) >> 1) | (odd << 31);
        at -= 1;
    }
    power
}

/// Long division of x^96 by the polynomial, one bit a step.
const fn barrett(polynomial: u32) -> [u64; 2] {
    let divisor = (1 << 32) | polynomial as u64;
    let (mut quotient, mut remainder, mut bit) = (0u128, 1u64, 96);
    while bit > 0 {
        bit -= 1;
        remainder <<= 1;
        quotient <<= 1;
        if remainder >> 32 == 1 {
            remainder ^= divisor;
            quotient |= 1;
        }
    }
    [((quotient >> 1) as u64).reverse_bits(), (polynomial.reverse_bits() as u64) << 1]
}

const fn zeros(polynomial: u32) -> [u32; BLOCK + 1] {
    let mut crcs = [0; BLOCK + 1];
    let (mut state, mut length) = (!0u32, 0);
    while length <= BLOCK {
        crcs[length] = !state;
        let mut bit = 0;
        while bit < 8 {
            state = (state >> 1) ^ (polynomial.reverse_bits() * (state & 1));
            bit += 1;
        }
        length += 1;
    }
    crcs
}
