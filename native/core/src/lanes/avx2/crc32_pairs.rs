//! CRC-32 with 256-bit carry-less products, for processors that have them without AVX-512 (Zen 3, Alder Lake): a key of up
//! to 64 bytes is two halves, two keys share a reduction, eight are a group.

use super::crc32::{load, one_by_one};
use crate::column::Column;
use crate::hash::crc32::Crc32;
use crate::lanes::blocks::{BLOCK, KEEP};
use crate::lanes::carryless::Carryless;
use std::arch::x86_64::*;

/// Keys of a group: as many as a vector has 32-bit answers.
const LANES: usize = 8;

/// Eight keys: where they end, and how long they are.
type Bounds = [u32; LANES + 1];

/// The CRC-32 of each key of `column`, into `out`; `constants` and `scalar` are of one polynomial.
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
pub fn packed(constants: &Carryless, scalar: &Crc32, column: Column<'_>, out: &mut [u32]) {
    let (values, offsets) = (column.values(), column.offsets());
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    for (slots, bounds) in groups.iter_mut().zip(offsets.windows(LANES + 1).step_by(LANES)) {
        let Some(bounds) = bounds.first_chunk() else { return };
        match halves(bounds) {
            // SAFETY: every key ends at 64 or later, and inside the values, as the column has it.
            1 => unsafe { group::<1>(constants, values, bounds, slots) },
            // SAFETY: as above.
            2 => unsafe { group::<2>(constants, values, bounds, slots) },
            _ => one_by_one(constants, scalar, (values, bounds), slots),
        }
    }
    one_by_one(constants, scalar, (values, &offsets[offsets.len() - 1 - rest.len()..]), rest);
}

/// Halves of a block that hold the longest key of a group; none where it is longer, or a block does not reach back so far.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(bounds: &Bounds) -> usize {
    let lengths = lengths(bounds);
    // The maximum says it for all 32 bits; comparisons are of signed numbers.
    let all_within = |most: u32| {
        let most = _mm256_set1_epi32(most as i32);
        let beyond = _mm256_xor_si256(_mm256_max_epu32(lengths, most), most);
        _mm256_testz_si256(beyond, beyond) == 1
    };
    if (bounds[1] as usize) < BLOCK || !all_within(64) {
        return 0;
    }
    if all_within(32) { 1 } else { 2 }
}

#[inline]
#[target_feature(enable = "avx2")]
fn lengths(bounds: &Bounds) -> __m256i {
    // SAFETY: both loads stay inside `bounds`.
    let (from, to) =
        unsafe { (_mm256_loadu_si256(bounds.as_ptr().cast()), _mm256_loadu_si256(bounds[1..].as_ptr().cast())) };
    _mm256_sub_epi32(to, from)
}

/// Keys `j` and `4 + j` are reduced together, so that their answers come to lie in the lanes of their order.
///
/// # Safety
/// Every key ends at 64 or later, inside `values`, and lies in so many halves of the block before its end.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
unsafe fn group<const HALVES: usize>(constants: &Carryless, values: &[u8], bounds: &Bounds, slots: &mut [u32; LANES]) {
    let weights = [half(&constants.weights, 0), half(&constants.weights, 4)];
    macro_rules! pair {
        ($j:literal) => {{
            // SAFETY: granted by the caller, for both keys.
            let (a, b) =
                unsafe { (key::<HALVES>(values, bounds, $j, weights), key::<HALVES>(values, bounds, $j + 4, weights)) };
            let crossed = _mm256_permute2x128_si256::<0x21>(a, b);
            reduced(constants, _mm256_xor_si256(crossed, _mm256_blend_epi32::<0xf0>(a, b)))
        }};
    }
    let low = _mm256_unpackhi_epi32(pair!(0), pair!(1));
    let sums = _mm256_unpacklo_epi64(low, _mm256_unpackhi_epi32(pair!(2), pair!(3)));
    let ones = std::array::from_fn(|i| constants.zeros[(bounds[i + 1] - bounds[i]) as usize]);
    store(slots, _mm256_xor_si256(sums, words(&ones)));
}

/// The sum of the words of a key, each times its weight: two 128-bit pieces of it.
///
/// # Safety
/// As of [`group`], for key `q`.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
unsafe fn key<const HALVES: usize>(values: &[u8], bounds: &Bounds, q: usize, weights: [__m256i; 2]) -> __m256i {
    let (end, length) = (bounds[q + 1] as usize, (bounds[q + 1] - bounds[q]) as usize);
    let from = values.as_ptr().wrapping_add(end).wrapping_sub(BLOCK);
    _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(2048).cast());
    // SAFETY: `end` is at least 64, and a window of `KEEP` from at most 64 ends within it; so for both halves.
    let last = unsafe { load(from, &KEEP[length..], 32) };
    let sum = weighed(last, weights[1]);
    if HALVES == 1 {
        return sum;
    }
    // SAFETY: as above.
    let first = unsafe { load(from, &KEEP[length..], 0) };
    _mm256_xor_si256(sum, weighed(first, weights[0]))
}

/// Both words of each piece times their weights.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn weighed(half: __m256i, weights: __m256i) -> __m256i {
    let low = _mm256_clmulepi64_epi128::<0x00>(half, weights);
    _mm256_xor_si256(low, _mm256_clmulepi64_epi128::<0x11>(half, weights))
}

/// The remainder of each piece: its third word.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn reduced(constants: &Carryless, sums: __m256i) -> __m256i {
    let barrett = _mm256_set1_epi64x(constants.barrett[0] as i64);
    let polynomial = _mm256_set1_epi64x(constants.barrett[1] as i64);
    let q = _mm256_clmulepi64_epi128::<0x00>(sums, barrett);
    _mm256_xor_si256(_mm256_clmulepi64_epi128::<0x00>(q, polynomial), sums)
}

#[inline]
#[target_feature(enable = "avx2")]
fn half(words: &[u64; 8], at: usize) -> __m256i {
    // SAFETY: four words of 64 bits from 0 or 4 of eight.
    unsafe { _mm256_loadu_si256(words[at..at + 4].as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn words(words: &[u32; LANES]) -> __m256i {
    // SAFETY: eight words.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(slots: &mut [u32; LANES], crcs: __m256i) {
    // SAFETY: `slots` is as wide as the vector.
    unsafe { _mm256_storeu_si256(slots.as_mut_ptr().cast(), crcs) }
}
