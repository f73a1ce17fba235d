//! AVX2: eight keys a group.

mod crc32;
mod crc32_pairs;
mod java_string;

use super::carryless::{CASTAGNOLI, ISO_HDLC};
use super::words::word_hashes;
use crate::column::Column;
use crate::hash::{self, Hash};

/// [`Hash::packed`] by this arm; `out` is as long as the column.
#[target_feature(enable = "avx2,pclmulqdq")]
pub fn hash(hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match hash {
        Hash::Murmur2 => murmur2::packed(column, out),
        Hash::Murmur3 => murmur3::packed(column, out),
        Hash::Crc32 => crc32::packed(&ISO_HDLC, &hash::crc32::ISO_HDLC, column, out),
        Hash::Crc32c => crc32::packed(&CASTAGNOLI, &hash::crc32::CASTAGNOLI, column, out),
        Hash::Fnv1a => fnv1a::packed(column, out),
        Hash::JavaString => java_string::packed(column, out),
    }
}

/// The same with carry-less products of 256 bits.
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
pub fn hash_by_pairs(hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match hash {
        Hash::Crc32 => crc32_pairs::packed(&ISO_HDLC, &hash::crc32::ISO_HDLC, column, out),
        Hash::Crc32c => crc32_pairs::packed(&CASTAGNOLI, &hash::crc32::CASTAGNOLI, column, out),
        _ => self::hash(hash, column, out),
    }
}

/// What [`crate::lanes::words`] asks of an arm, in AVX2.
mod ops {
    use std::arch::x86_64::*;

    pub const LANES: usize = 8;
    pub type V = __m256i;
    /// All ones in the lanes that are meant.
    pub type Mask = __m256i;

    macro_rules! lanewise {
        ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $result:ty = $value:expr;)*) => {$(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "avx2")]
            pub fn $name($($argument: $kind),*) -> $result {
                $value
            }
        )*};
    }

    lanewise! {
        splat(x: u32) -> V = _mm256_set1_epi32(x as i32);
        xor(a: V, b: V) -> V = _mm256_xor_si256(a, b);
        and(a: V, b: V) -> V = _mm256_and_si256(a, b);
        add(a: V, b: V) -> V = _mm256_add_epi32(a, b);
        sub(a: V, b: V) -> V = _mm256_sub_epi32(a, b);
        mul(a: V, b: V) -> V = _mm256_mullo_epi32(a, b);
        /// Lanes of `a` greater than `x`, both taken as signed.
        above(a: V, x: u32) -> Mask = _mm256_cmpgt_epi32(a, splat(x));
        /// All lanes.
        everyone() -> Mask = _mm256_set1_epi32(-1);
        /// Whether the mask has every lane.
        all(a: Mask) -> bool = _mm256_movemask_epi8(a) == -1;
        /// `a` where the mask is set, else `b`.
        select(mask: Mask, a: V, b: V) -> V = _mm256_blendv_epi8(b, a, mask);
        most(a: V) -> u32 = {
            let a = _mm_max_epu32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            let a = _mm_max_epu32(a, _mm_shuffle_epi32::<0x4e>(a));
            _mm_cvtsi128_si32(_mm_max_epu32(a, _mm_shuffle_epi32::<0xb1>(a))) as u32
        };
        /// Ones over the bytes of the last, incomplete word of each length.
        odd_bytes(lengths: V) -> V = {
            let bits = _mm256_slli_epi32::<3>(and(lengths, splat(3)));
            _mm256_sub_epi32(_mm256_sllv_epi32(splat(1), bits), splat(1))
        };
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn shl<const BITS: i32>(a: V) -> V {
        _mm256_slli_epi32::<BITS>(a)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn shr<const BITS: i32>(a: V) -> V {
        _mm256_srli_epi32::<BITS>(a)
    }

    /// `LEFT` bits to the left; `RIGHT` is the rest of 32.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn rotate<const LEFT: i32, const RIGHT: i32>(a: V) -> V {
        xor(_mm256_slli_epi32::<LEFT>(a), _mm256_srli_epi32::<RIGHT>(a))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn lengths(bounds: &[u32; LANES + 1]) -> V {
        // SAFETY: both loads stay inside `bounds`.
        let (from, to) =
            unsafe { (_mm256_loadu_si256(bounds.as_ptr().cast()), _mm256_loadu_si256(bounds[1..].as_ptr().cast())) };
        _mm256_sub_epi32(to, from)
    }

    /// Asks for the line that `at` is in; any address will do.
    #[inline]
    #[target_feature(enable = "sse")]
    pub fn prefetch(at: *const u8) {
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn store(slots: &mut [u32; LANES], a: V) {
        // SAFETY: `slots` is as wide as the vector.
        unsafe { _mm256_storeu_si256(slots.as_mut_ptr().cast(), a) }
    }

    /// The four words from byte `at` on of the eight keys.
    ///
    /// # Safety
    /// Sixteen bytes from byte `at` of each key lie inside `values`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn four_words(values: &[u8], bounds: &[u32; LANES + 1], at: u32) -> [V; 4] {
        let from = values.as_ptr().wrapping_add(at as usize);
        macro_rules! piece {
            ($q:literal) => {{
                let row = from.wrapping_add(bounds[$q] as usize);
                // SAFETY: granted by the caller.
                unsafe { _mm_loadu_si128(row.cast()) }
            }};
        }
        macro_rules! rows {
            ($a:literal $b:literal) => {
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(piece!($a)), piece!($b))
            };
        }
        let rows = [rows!(0 4), rows!(1 5), rows!(2 6), rows!(3 7)];
        let low = [_mm256_unpacklo_epi32(rows[0], rows[1]), _mm256_unpacklo_epi32(rows[2], rows[3])];
        let high = [_mm256_unpackhi_epi32(rows[0], rows[1]), _mm256_unpackhi_epi32(rows[2], rows[3])];
        [
            _mm256_unpacklo_epi64(low[0], low[1]),
            _mm256_unpackhi_epi64(low[0], low[1]),
            _mm256_unpacklo_epi64(high[0], high[1]),
            _mm256_unpackhi_epi64(high[0], high[1]),
        ]
    }
}

word_hashes!("avx2");
