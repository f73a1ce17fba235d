//! The hashes once more, bit by bit and byte by byte, from their papers: slow, obvious, and of no common code with the
//! crate. And a generator, so that a printed seed repeats a run.
#![allow(dead_code, reason = "each test file uses its part")]

use topic_placement_core::Hash;

/// xorshift64: enough for keys.
pub struct Random(pub u64);

impl Random {
    /// A generator whose seed is printed, so that a failure names it; `SEED` in the environment repeats one.
    pub fn seeded(fallback: u64) -> Random {
        let seed = std::env::var("SEED").map_or(fallback, |text| text.parse().expect("SEED is a positive integer"));
        println!("SEED={seed}");
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number in `[0, limit)`.
    pub fn below(&mut self, limit: usize) -> usize {
        // The low bits of xorshift are its weak ones.
        ((self.next() >> 11) % limit as u64) as usize
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| (self.next() >> 40) as u8).collect()
    }
}

/// The hash by its naive twin; `JavaString` for ASCII alone.
pub fn hash(which: Hash, key: &[u8]) -> u32 {
    match which {
        Hash::Murmur2 => murmur2(key),
        Hash::Murmur3 => murmur3(key),
        Hash::Crc32 => crc(0xedb8_8320, key),
        Hash::Crc32c => crc(0x82f6_3b78, key),
        Hash::Fnv1a => key.iter().fold(2_166_136_261, |h: u32, b| (h ^ u32::from(*b)).wrapping_mul(16_777_619)),
        Hash::JavaString => java_string(key),
    }
}

/// One bit a step: the remainder of the reflected polynomial.
pub fn crc(polynomial: u32, key: &[u8]) -> u32 {
    let mut state = u32::MAX;
    for bit in key.iter().flat_map(|byte| (0..8).map(move |at| (byte >> at) & 1)) {
        let odd = (state & 1) ^ u32::from(bit) == 1;
        state >>= 1;
        if odd {
            state ^= polynomial;
        }
    }
    !state
}

/// In 64 bits, each product reduced by hand.
pub fn murmur2(key: &[u8]) -> u32 {
    const M: u64 = 0x5bd1_e995;
    let product = |x: u64| (x * M) % (1 << 32);
    let mut h = 0x9747_b28c ^ key.len() as u64;
    let mut i = 0;
    while key.len() - i >= 4 {
        let k = product((0..4).map(|j| u64::from(key[i + j]) << (8 * j)).sum());
        h = product(h) ^ product(k ^ (k / (1 << 24)));
        i += 4;
    }
    for j in (0..key.len() - i).rev() {
        h ^= u64::from(key[i + j]) << (8 * j);
        if j == 0 {
            h = product(h);
        }
    }
    h = product(h ^ (h / (1 << 13)));
    (h ^ (h / (1 << 15))) as u32
}

/// In 64 bits, rotations by hand.
pub fn murmur3(key: &[u8]) -> u32 {
    let cut = |x: u64| x % (1 << 32);
    let turn = |x: u64, by: u32| cut((x << by) | (x >> (32 - by)));
    let mix = |k: u64| cut(turn(cut(k * 0xcc9e_2d51), 15) * 0x1b87_3593);
    let mut h = 0;
    for word in key.chunks(4) {
        let k: u64 = word.iter().enumerate().map(|(j, byte)| u64::from(*byte) << (8 * j)).sum();
        h ^= mix(k);
        if word.len() == 4 {
            h = cut(turn(h, 13) * 5 + 0xe654_6b64);
        }
    }
    h ^= key.len() as u64;
    h = cut((h ^ (h >> 16)) * 0x85eb_ca6b);
    h = cut((h ^ (h >> 13)) * 0xc2b2_ae35);
    (h ^ (h >> 16)) as u32
}

/// The sum of `unit * 31^(n - 1 - i)`, as the documentation of Java says it; well-formed keys alone.
pub fn java_string(key: &[u8]) -> u32 {
    let units: Vec<u16> = std::str::from_utf8(key).expect("a well-formed key").encode_utf16().collect();
    let power = |n: usize| (0..n).fold(1u32, |product, _| product.wrapping_mul(31));
    let terms = units.iter().enumerate().map(|(i, unit)| u32::from(*unit).wrapping_mul(power(units.len() - 1 - i)));
    terms.fold(0, u32::wrapping_add)
}
