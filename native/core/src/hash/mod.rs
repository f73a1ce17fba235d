//! Six 32-bit hashes that place keys and topics, of one key or of a column.
//!
//! One file a hash, scalar and plain: the definition that every arm of [`crate::lanes`] must equal.

pub mod crc32;
pub mod fnv1a;
pub mod java_string;
pub mod murmur2;
pub mod murmur3;

use crate::column::Column;
use crate::error::WrongLength;
use crate::lanes::{self, Arm};

/// A hash by its name; who places with it is said in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// Kafka's murmur2, seed 0x9747b28c.
    Murmur2,
    /// MurmurHash3_x86_32, seed 0.
    Murmur3,
    /// CRC-32/ISO-HDLC, that of zlib.
    Crc32,
    /// CRC-32/ISCSI, the Castagnoli polynomial.
    Crc32c,
    /// 32-bit FNV-1a.
    Fnv1a,
    /// Java's `new String(bytes, UTF_8).hashCode()`.
    JavaString,
}

impl Hash {
    /// All of them, in the order of the names' table.
    pub const ALL: [Hash; 6] = [Hash::Murmur2, Hash::Murmur3, Hash::Crc32, Hash::Crc32c, Hash::Fnv1a, Hash::JavaString];

    /// The hash of one key.
    ///
    /// ```
    /// use topic_placement_core::Hash;
    /// assert_eq!(Hash::Crc32.one(b"123456789"), 0xcbf4_3926);
    /// ```
    #[must_use]
    pub fn one(self, key: &[u8]) -> u32 {
        match self {
            Hash::Murmur2 => murmur2::one(key),
            Hash::Murmur3 => murmur3::one(key),
            Hash::Crc32 => crc32::ISO_HDLC.one(key),
            Hash::Crc32c => crc32::CASTAGNOLI.one(key),
            Hash::Fnv1a => fnv1a::one(key),
            Hash::JavaString => java_string::one(key),
        }
    }

    /// The hash of each key of `column`, into `out` (as long as the column), by the instructions of `arm`.
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as the column; nothing is written then.
    pub fn packed(self, arm: Arm, column: Column<'_>, out: &mut [u32]) -> Result<(), WrongLength> {
        WrongLength::check(column.len(), out.len())?;
        lanes::hash(arm, self, column, out);
        Ok(())
    }

    /// [`Hash::packed`] one key after another, by the scalar definition; `out` is as long as the column.
    pub(crate) fn scalar(self, column: Column<'_>, out: &mut [u32]) {
        match self {
            Hash::Murmur2 => each(column, out, murmur2::one),
            Hash::Murmur3 => each(column, out, murmur3::one),
            Hash::Crc32 => each(column, out, |key| crc32::ISO_HDLC.one(key)),
            Hash::Crc32c => each(column, out, |key| crc32::CASTAGNOLI.one(key)),
            Hash::Fnv1a => each(column, out, fnv1a::one),
            Hash::JavaString => each(column, out, java_string::one),
        }
    }
}

/// A copy of the loop for each hash, so that the hash is inlined into it.
fn each(column: Column<'_>, out: &mut [u32], hash: impl Fn(&[u8]) -> u32) {
    for (slot, key) in out.iter_mut().zip(column.keys()) {
        *slot = hash(key);
    }
}
