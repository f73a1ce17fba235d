//! AVX-512: thirty-two keys a group for hashes of words, sixteen for others.

pub mod cells;
mod crc32;
pub mod gathers;
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

/// What [`crate::lanes::words`] asks of an arm, in AVX-512 F, BW, VL and BMI2. A vector is a pair of registers: the steps
/// of a key wait for each other, so that two groups side by side take little longer than one.
mod ops {
    use std::arch::x86_64::*;

    pub const LANES: usize = 32;
    pub type V = [__m512i; 2];
    pub type Mask = [__mmask16; 2];

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
        splat(x: u32) -> V = [_mm512_set1_epi32(x as i32); 2];
        xor(a: V, b: V) -> V = [_mm512_xor_si512(a[0], b[0]), _mm512_xor_si512(a[1], b[1])];
        and(a: V, b: V) -> V = [_mm512_and_si512(a[0], b[0]), _mm512_and_si512(a[1], b[1])];
        add(a: V, b: V) -> V = [_mm512_add_epi32(a[0], b[0]), _mm512_add_epi32(a[1], b[1])];
        sub(a: V, b: V) -> V = [_mm512_sub_epi32(a[0], b[0]), _mm512_sub_epi32(a[1], b[1])];
        mul(a: V, b: V) -> V = [_mm512_mullo_epi32(a[0], b[0]), _mm512_mullo_epi32(a[1], b[1])];
        /// Lanes of `a` greater than `x`, both taken as signed.
        above(a: V, x: u32) -> Mask = {
            let x = splat(x);
            [_mm512_cmpgt_epi32_mask(a[0], x[0]), _mm512_cmpgt_epi32_mask(a[1], x[1])]
        };
        /// All lanes.
        everyone() -> Mask = [!0; 2];
        /// Whether the mask has every lane.
        all(a: Mask) -> bool = a[0] & a[1] == !0;
        /// `a` where the mask is set, else `b`.
        select(mask: Mask, a: V, b: V) -> V = [_mm512_mask_blend_epi32(mask[0], b[0], a[0]), _mm512_mask_blend_epi32(mask[1], b[1], a[1])];
        most(a: V) -> u32 = _mm512_reduce_max_epu32(_mm512_max_epu32(a[0], a[1]));
        /// Ones over the bytes of the last, incomplete word of each length.
        odd_bytes(lengths: V) -> V = {
            let bits = shl::<3>(and(lengths, splat(3)));
            sub([_mm512_sllv_epi32(splat(1)[0], bits[0]), _mm512_sllv_epi32(splat(1)[0], bits[1])], splat(1))
        };
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn shl<const BITS: u32>(a: V) -> V {
        [_mm512_slli_epi32::<BITS>(a[0]), _mm512_slli_epi32::<BITS>(a[1])]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn shr<const BITS: u32>(a: V) -> V {
        [_mm512_srli_epi32::<BITS>(a[0]), _mm512_srli_epi32::<BITS>(a[1])]
    }

    /// `LEFT` bits to the left; `RIGHT` is the rest of 32.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn rotate<const LEFT: i32, const RIGHT: i32>(a: V) -> V {
        [_mm512_rol_epi32::<LEFT>(a[0]), _mm512_rol_epi32::<LEFT>(a[1])]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn lengths(bounds: &[u32; LANES + 1]) -> V {
        // SAFETY: all loads stay inside `bounds`.
        let at = |at: usize| unsafe { _mm512_loadu_si512(bounds[at..].as_ptr().cast()) };
        [_mm512_sub_epi32(at(1), at(0)), _mm512_sub_epi32(at(17), at(16))]
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
        // SAFETY: `slots` is as wide as the vectors.
        unsafe {
            _mm512_storeu_si512(slots.as_mut_ptr().cast(), a[0]);
            _mm512_storeu_si512(slots[16..].as_mut_ptr().cast(), a[1]);
        }
    }

    /// The four words from byte `at` on of the thirty-two keys.
    ///
    /// # Safety
    /// Sixteen bytes from byte `at` of each key lie inside `values`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    pub unsafe fn four_words(values: &[u8], bounds: &[u32; LANES + 1], at: u32) -> [V; 4] {
        let from = values.as_ptr().wrapping_add(at as usize);
        // SAFETY: granted by the caller, for sixteen bounds from 0 and from 16.
        let (a, b) = unsafe { (of_sixteen::<0>(from, bounds), of_sixteen::<16>(from, bounds)) };
        [[a[0], b[0]], [a[1], b[1]], [a[2], b[2]], [a[3], b[3]]]
    }

    /// [`four_words`] of the sixteen keys from `FIRST` on, in one register each.
    ///
    /// # Safety
    /// Sixteen bytes from each of their bounds behind `from` are readable.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    unsafe fn of_sixteen<const FIRST: usize>(from: *const u8, bounds: &[u32; LANES + 1]) -> [__m512i; 4] {
        macro_rules! piece {
            ($q:literal) => {{
                let row = from.wrapping_add(bounds[FIRST + $q] as usize);
                // SAFETY: granted by the caller.
                unsafe { _mm_loadu_si128(row.cast()) }
            }};
        }
        // Halves first: a half is inserted in half the time that a whole vector takes.
        macro_rules! half {
            ($a:literal $b:literal) => {
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(piece!($a)), piece!($b))
            };
        }
        macro_rules! rows {
            ($a:literal $b:literal $c:literal $d:literal) => {
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(half!($a $b)), half!($c $d))
            };
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
