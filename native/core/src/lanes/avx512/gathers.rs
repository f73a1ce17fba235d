//! The hashes of words with gathers instead of loads and a transposition. On no processor known the better way
//! (docs/kernels.md has the figures), and kept so that the next one can be asked: `TOPIC_PLACEMENT_CPU=avx512-gather`.

use crate::column::Column;
use crate::hash::Hash;
use crate::lanes::words::word_hashes;

/// [`Hash::packed`] by this arm; `out` is as long as the column.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt,vpclmulqdq")]
pub fn hash(hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match hash {
        Hash::Murmur2 => murmur2::packed(column, out),
        Hash::Murmur3 => murmur3::packed(column, out),
        Hash::Fnv1a => fnv1a::packed(column, out),
        _ => super::hash(hash, column, out),
    }
}

/// [`super::ops`] with another [`super::ops::four_words`].
mod ops {
    pub use super::super::ops::*;
    use std::arch::x86_64::*;

    /// The four words from byte `at` on of the thirty-two keys.
    ///
    /// # Safety
    /// Sixteen bytes from byte `at` of each key lie inside `values`, and the keys within 2^31 bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    pub unsafe fn four_words(values: &[u8], bounds: &[u32; LANES + 1], at: u32) -> [V; 4] {
        // Indices are signed, so they count from the first key.
        let from = values.as_ptr().wrapping_add((bounds[0] + at) as usize);
        // SAFETY: sixteen bounds from 0 and from 16 of more than 32.
        let keys = [0, 16].map(|at| unsafe { _mm512_loadu_si512(bounds[at..].as_ptr().cast()) });
        let keys = sub(keys, splat(bounds[0]));
        macro_rules! word {
            ($j:literal) => {{
                let from = from.wrapping_add(4 * $j).cast();
                // SAFETY: granted by the caller.
                unsafe { [_mm512_i32gather_epi32::<1>(keys[0], from), _mm512_i32gather_epi32::<1>(keys[1], from)] }
            }};
        }
        [word!(0), word!(1), word!(2), word!(3)]
    }
}

word_hashes!("avx512f,avx512bw,avx512vl,bmi2");
