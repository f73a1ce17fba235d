//! A fixed hash that breaks ties, so that equal choices spread over brokers and racks.

/// Mixes two numbers to 32 bits.
pub(super) fn mixed(a: u32, b: u32) -> u32 {
    let mut bits = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297a_2d39);
    bits ^ (bits >> 15)
}
