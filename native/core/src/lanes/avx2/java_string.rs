//! `String.hashCode` of ASCII keys: a key of up to 64 bytes a block of two halves; others the scalar way.

use crate::column::Column;
use crate::hash::java_string::one;
use crate::lanes::blocks::{BLOCK, KEEP};
use crate::lanes::kinds::{Kinds, Way, scalar};
use crate::lanes::polynomial::{A_BLOCK, FOUR, FOURS, PAIR};
use std::arch::x86_64::*;

const LANES: usize = 4;

/// A block of 64 bytes, or what has been made of it.
type Halves = [__m256i; 2];

/// The hash of each key of `column`, into `out`.
#[target_feature(enable = "avx2")]
pub fn packed(column: Column<'_>, out: &mut [u32]) {
    let (values, offsets) = (column.values(), column.offsets());
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    let first = column.len() - rest.len();
    let mut kinds = Kinds::NEW;
    for (slots, bounds) in groups.iter_mut().zip(offsets.windows(LANES + 1).step_by(LANES)) {
        let short = bounds.windows(2).all(|pair| pair[1] - pair[0] <= BLOCK as u32);
        let fits = bounds[1] >= BLOCK as u32 && short;
        match kinds.next() {
            Way::Lanes if fits && short_group(values, bounds, slots) => {}
            Way::Scalar => scalar(values, bounds, slots),
            _ => kinds.learn(each(values, bounds, slots), LANES),
        }
    }
    each(values, &offsets[first..], rest);
}

/// Keys of any kind, one after another; how many of them are not ASCII.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn each(values: &[u8], bounds: &[u32], slots: &mut [u32]) -> usize {
    let mut others = 0;
    for (slot, pair) in slots.iter_mut().zip(bounds.windows(2)) {
        let key = &values[pair[0] as usize..pair[1] as usize];
        let ascii = key.is_ascii();
        *slot = if ascii { any(key) } else { one(key) };
        others += usize::from(!ascii);
    }
    others
}

/// Whether all four keys are ASCII; then their hashes are in `slots`. Every key ends at 64 or later, as the column has it
/// inside the values, and has at most 64 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn short_group(values: &[u8], bounds: &[u32], slots: &mut [u32; LANES]) -> bool {
    let mut seen = _mm256_setzero_si256();
    macro_rules! key {
        ($q:literal) => {{
            let end = values.as_ptr().wrapping_add(bounds[$q + 1] as usize);
            _mm_prefetch::<_MM_HINT_T0>(end.wrapping_add(2048).cast());
            // SAFETY: the 64 bytes before the end of the key are inside the values.
            let bytes = unsafe { load(end.wrapping_sub(BLOCK)) };
            // SAFETY: a length of at most 64 leaves 64 of 128 bytes.
            let keep = unsafe { load(KEEP.as_ptr().wrapping_add((bounds[$q + 1] - bounds[$q]) as usize)) };
            let block = [_mm256_and_si256(bytes[0], keep[0]), _mm256_and_si256(bytes[1], keep[1])];
            seen = _mm256_or_si256(seen, _mm256_or_si256(block[0], block[1]));
            weighed([fours(block[0]), fours(block[1])])
        }};
    }
    let sums = fourfold([key!(0), key!(1), key!(2), key!(3)]);
    // SAFETY: `slots` is as wide as the vector.
    unsafe { _mm_storeu_si128(slots.as_mut_ptr().cast(), sums) };
    _mm256_movemask_epi8(seen) == 0
}

/// The hash of one ASCII key of any length.
#[inline]
#[target_feature(enable = "avx2")]
fn any(key: &[u8]) -> u32 {
    let (head, blocks) = key.split_at(key.len() % BLOCK);
    let mut padded = [0; BLOCK];
    padded[BLOCK - head.len()..].copy_from_slice(head);
    let mut sum = [_mm256_setzero_si256(); 2];
    let advance = _mm256_set1_epi32(A_BLOCK);
    for block in [&padded].into_iter().chain(blocks.as_chunks::<BLOCK>().0) {
        // SAFETY: 64 bytes.
        let block = unsafe { load(block.as_ptr()) };
        sum[0] = _mm256_add_epi32(_mm256_mullo_epi32(sum[0], advance), fours(block[0]));
        sum[1] = _mm256_add_epi32(_mm256_mullo_epi32(sum[1], advance), fours(block[1]));
    }
    let sum = weighed(sum);
    _mm_cvtsi128_si32(fourfold([sum; 4])) as u32
}

/// # Safety
/// 64 bytes from `from` are readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(from: *const u8) -> Halves {
    // SAFETY: granted by the caller.
    unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.wrapping_add(32).cast())] }
}

/// The hash of every four bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn fours(half: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(half, _mm256_set1_epi16(PAIR));
    _mm256_madd_epi16(pairs, _mm256_set1_epi32(FOUR))
}

/// Each four times the weight of its place, both halves together.
#[inline]
#[target_feature(enable = "avx2")]
fn weighed(fours: Halves) -> __m256i {
    // SAFETY: sixteen words.
    let weights = unsafe { load(FOURS.as_ptr().cast()) };
    _mm256_add_epi32(_mm256_mullo_epi32(fours[0], weights[0]), _mm256_mullo_epi32(fours[1], weights[1]))
}

/// The sum of all eight lanes of each of four vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn fourfold([a, b, c, d]: [__m256i; 4]) -> __m128i {
    let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
    let sums = _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
    _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums))
}
