//! CRC-32 by the instructions of Armv8, eight bytes each, one key after another: the processor keeps several keys in flight.

use crate::column::Column;
use std::arch::aarch64::*;

macro_rules! by_instruction {
    ($(#[$doc:meta])* $name:ident, $tail:ident: $eight:ident $four:ident $two:ident $one:ident) => {
        $(#[$doc])*
        #[target_feature(enable = "crc")]
        pub fn $name(column: Column<'_>, out: &mut [u32]) {
            for (slot, key) in out.iter_mut().zip(column.keys()) {
                let (words, tail) = key.as_chunks::<8>();
                let mut state = !0;
                for word in words {
                    state = $eight(state, u64::from_le_bytes(*word));
                }
                *slot = !$tail(state, tail);
            }
        }

        /// At most seven bytes more: four, two, one, so that no loop's end is guessed.
        #[inline]
        #[target_feature(enable = "crc")]
        fn $tail(mut state: u32, mut tail: &[u8]) -> u32 {
            if let Some((four, rest)) = tail.split_first_chunk() {
                (state, tail) = ($four(state, u32::from_le_bytes(*four)), rest);
            }
            if let Some((two, rest)) = tail.split_first_chunk() {
                (state, tail) = ($two(state, u16::from_le_bytes(*two)), rest);
            }
            tail.first().map_or(state, |one| $one(state, *one))
        }
    };
}

by_instruction!(
    /// CRC-32/ISO-HDLC of each key of `column`, into `out`.
    iso_hdlc, iso_hdlc_tail: __crc32d __crc32w __crc32h __crc32b
);
by_instruction!(
    /// CRC-32/ISCSI of each key of `column`, into `out`.
    castagnoli, castagnoli_tail: __crc32cd __crc32cw __crc32ch __crc32cb
);
