//! AVX-512: sixteen keys a group.

pub mod cells;
mod crc32;
mod java_string;
pub mod ranges;

use super::carryless::{CASTAGNOLI, ISO_HDLC};
use super::words::word_hashes;
use crate::column::Column;
use crate::hash::Hash;

/// [`Hash::packed`] by this arm; `out` is as long as the column.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,vpclmulqdq")]
pub fn hash(hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match hash {
        Hash::Murmur2 => murmur2::packed(column, out),
        Hash::Murmur3 => murmur3::packed(column, out),
        Hash::Crc32 => crc32::packed(&ISO_HDLC, column, out),
        Hash::Crc32c => crc32::packed(&CASTAGNOLI, column, out),
        Hash::Fnv1a => fnv1a::packed(column, out),
        Hash::JavaString => java_string::packed(column, out),
    }
}

/// What [`crate::lanes::words`] asks of an arm, in AVX-512 F, BW, VL and BMI2.
mod ops {
    use std::arch::x86_64::*;

    pub const LANES: usize = 16;
    pub type V = __m512i;
    pub type Mask = __mmask16;

    macro_rules! lanewise {
        ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $result:ty = $value:expr;)*) => {$(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
            pub fn $name($($argument: $kind),*) -> $result {
                $value
            }
        )*};
    }

    lanewise! {
        splat(x: u32) -> V = _mm512_set1_epi32(x as i32);
        xor(a: V, b: V) -> V = _mm512_xor_si512(a, b);
        and(a: V, b: V) -> V = _mm512_and_si512(a, b);
        add(a: V, b: V) -> V = _mm512_add_epi32(a, b);
        mul(a: V, b: V) -> V = _mm512_mullo_epi32(a, b);
        /// Lanes of `a` greater than `x`.
        above(a: V, x: u32) -> Mask = _mm512_cmpgt_epu32_mask(a, splat(x));
        equal(a: V, x: u32) -> Mask = _mm512_cmpeq_epi32_mask(a, splat(x));
        /// `a` where the mask is set, else `b`.
        select(mask: Mask, a: V, b: V) -> V = _mm512_mask_blend_epi32(mask, b, a);
        least(a: V) -> u32 = _mm512_reduce_min_epu32(a);
        most(a: V) -> u32 = _mm512_reduce_max_epu32(a);
        /// Ones over the bytes of the last, incomplete word of each length.
        odd_bytes(lengths: V) -> V = {
            let bits = _mm512_slli_epi32::<3>(and(lengths, splat(3)));
            _mm512_sub_epi32(_mm512_sllv_epi32(splat(1), bits), splat(1))
        };
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn shl<const BITS: u32>(a: V) -> V {
        _mm512_slli_epi32::<BITS>(a)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn shr<const BITS: u32>(a: V) -> V {
        _mm512_srli_epi32::<BITS>(a)
    }

    /// `LEFT` bits to the left; `RIGHT` is the rest of 32.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn rotate<const LEFT: i32, const RIGHT: i32>(a: V) -> V {
        _mm512_rol_epi32::<LEFT>(a)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn lengths(bounds: &[u32; LANES + 1]) -> V {
        // SAFETY: both loads stay inside `bounds`.
        let (from, to) =
            unsafe { (_mm512_loadu_si512(bounds.as_ptr().cast()), _mm512_loadu_si512(bounds[1..].as_ptr().cast())) };
        _mm512_sub_epi32(to, from)
    }

    /// Asks for the line that `at` is in; any address will do.
    #[inline]
    #[target_feature(enable = "sse")]
    pub fn prefetch(at: *const u8) {
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn store(slots: &mut [u32; LANES], a: V) {
        // SAFETY: `slots` is as wide as the vector.
        unsafe { _mm512_storeu_si512(slots.as_mut_ptr().cast(), a) }
    }

    /// Words `at` to `at + 3` of the sixteen keys.
    ///
    /// # Safety
    /// Sixteen bytes from word `at` of each key lie inside `values`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    pub unsafe fn four_words(values: &[u8], bounds: &[u32; LANES + 1], at: u32) -> [V; 4] {
        let from = values.as_ptr().wrapping_add(4 * at as usize);
        macro_rules! piece {
            ($q:literal) => {{
                let row = from.wrapping_add(bounds[$q] as usize);
                // SAFETY: granted by the caller.
                unsafe { _mm_loadu_si128(row.cast()) }
            }};
        }
        macro_rules! rows {
            ($a:literal $b:literal $c:literal $d:literal) => {{
                let row = _mm512_castsi128_si512(piece!($a));
                let row = _mm512_inserti32x4::<1>(row, piece!($b));
                let row = _mm512_inserti32x4::<2>(row, piece!($c));
                _mm512_inserti32x4::<3>(row, piece!($d))
            }};
        }
        let rows = [rows!(0 4 8 12), rows!(1 5 9 13), rows!(2 6 10 14), rows!(3 7 11 15)];
        let low = [_mm512_unpacklo_epi32(rows[0], rows[1]), _mm512_unpacklo_epi32(rows[2], rows[3])];
        let high = [_mm512_unpackhi_epi32(rows[0], rows[1]), _mm512_unpackhi_epi32(rows[2], rows[3])];
        [
            _mm512_unpacklo_epi64(low[0], low[1]),
            _mm512_unpackhi_epi64(low[0], low[1]),
            _mm512_unpacklo_epi64(high[0], high[1]),
            _mm512_unpackhi_epi64(high[0], high[1]),
        ]
    }
}

word_hashes!("avx512f,avx512bw,avx512vl,bmi2");
