//! CRC-32, with the polynomial of zlib (Pulsar's bundles, librdkafka's and kafka-go's partitioners) or Castagnoli's.
//!
//! Source: RFC 1952 section 8 and RFC 3720 section 12.1. Both are reflected, begin with all ones and end inverted; they
//! differ in the polynomial alone, so one implementation stands over two sets of tables. Slicing by sixteen: sixteen
//! bytes a step, a table for each of them.

/// A CRC-32: the tables of its polynomial.
pub struct Crc32 {
    /// `tables[k][b]`: what byte `b` comes to when `k` zero bytes follow it.
    tables: [[u32; 256]; 16],
}

/// CRC-32/ISO-HDLC, which zlib, `java.util.zip.CRC32` and Guava's `Hashing.crc32` compute.
pub static ISO_HDLC: Crc32 = Crc32::new(Crc32::ISO_HDLC_POLYNOMIAL);
/// CRC-32/ISCSI, which SSE4.2, arm64 and `java.util.zip.CRC32C` compute.
pub static CASTAGNOLI: Crc32 = Crc32::new(Crc32::CASTAGNOLI_POLYNOMIAL);

impl Crc32 {
    /// Highest coefficient first, x^32 left out.
    pub(crate) const ISO_HDLC_POLYNOMIAL: u32 = 0x04c1_1db7;
    /// Highest coefficient first, x^32 left out.
    pub(crate) const CASTAGNOLI_POLYNOMIAL: u32 = 0x1edc_6f41;

    const fn new(polynomial: u32) -> Crc32 {
        let mut tables = [[0; 256]; 16];
        let mut byte = 0;
        while byte < 256 {
            tables[0][byte] = byte_alone(polynomial, byte as u32);
            byte += 1;
        }
        let mut i = 256;
        while i < 16 * 256 {
            let shorter = tables[i / 256 - 1][i % 256];
            tables[i / 256][i % 256] = (shorter >> 8) ^ tables[0][(shorter & 0xff) as usize];
            i += 1;
        }
        Crc32 { tables }
    }

    /// CRC-32 of one key.
    ///
    /// ```
    /// use topic_placement_core::hash::crc32::{CASTAGNOLI, ISO_HDLC};
    /// assert_eq!(ISO_HDLC.one(b"123456789"), 0xcbf4_3926);
    /// assert_eq!(CASTAGNOLI.one(b"123456789"), 0xe306_9283);
    /// ```
    #[inline]
    #[must_use]
    pub fn one(&self, key: &[u8]) -> u32 {
        let (blocks, tail) = key.as_chunks::<16>();
        let state = blocks.iter().fold(!0, |state, block| self.sixteen(state, block));
        !tail
            .iter()
            .fold(state, |state, &byte| (state >> 8) ^ self.tables[0][((state ^ u32::from(byte)) & 0xff) as usize])
    }

    /// The state after sixteen more bytes. The state lies over the first four of them.
    #[inline]
    fn sixteen(&self, state: u32, block: &[u8; 16]) -> u32 {
        let mixed = u128::from_le_bytes(*block) ^ u128::from(state);
        mixed
            .to_le_bytes()
            .iter()
            .zip(self.tables.iter().rev())
            .fold(0, |sum, (&byte, table)| sum ^ table[byte as usize])
    }
}

/// The remainder of one byte, bit by bit.
const fn byte_alone(polynomial: u32, byte: u32) -> u32 {
    let mut state = byte;
    let mut bit = 0;
    while bit < 8 {
        state = if state & 1 == 1 { (state >> 1) ^ polynomial.reverse_bits() } else { state >> 1 };
        bit += 1;
    }
    state
}
