//! `String.hashCode` of ASCII keys: a key of up to 64 bytes a block, sixteen keys a group; others the scalar way.

use crate::column::Column;
use crate::hash::java_string::one;
use crate::lanes::blocks::KEEP;
use crate::lanes::kinds::{Kinds, Way, scalar};
use crate::lanes::polynomial::{A_BLOCK, FOUR, FOURS, PAIR};
use std::arch::x86_64::*;

const LANES: usize = 16;

/// The hash of each key of `column`, into `out`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub fn packed(column: Column<'_>, out: &mut [u32]) {
    let (values, offsets) = (column.values(), column.offsets());
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    let first = column.len() - rest.len();
    let mut kinds = Kinds::NEW;
    for (slots, bounds) in groups.iter_mut().zip(offsets.windows(LANES + 1).step_by(LANES)) {
        let Some(bounds) = bounds.first_chunk() else { return };
        let fits = bounds[1] >= 64 && longest(bounds) <= 64;
        match kinds.next() {
            Way::Lanes if fits && short_group(values, bounds, slots) => {}
            Way::Scalar => scalar(values, bounds, slots),
            _ => kinds.learn(each(values, bounds, slots), LANES),
        }
    }
    each(values, &offsets[first..], rest);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn longest(bounds: &[u32; LANES + 1]) -> u32 {
    // SAFETY: both loads stay inside `bounds`.
    let (from, to) =
        unsafe { (_mm512_loadu_si512(bounds.as_ptr().cast()), _mm512_loadu_si512(bounds[1..].as_ptr().cast())) };
    _mm512_reduce_max_epu32(_mm512_sub_epi32(to, from))
}

/// Keys of any kind, one after another; how many of them are not ASCII.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
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

/// Whether all sixteen keys are ASCII; then their hashes are in `slots`. Every key ends at 64 or later, as the column has
/// it inside the values, and has at most 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn short_group(values: &[u8], bounds: &[u32; LANES + 1], slots: &mut [u32; LANES]) -> bool {
    let mut seen = _mm512_setzero_si512();
    macro_rules! key {
        ($q:expr) => {{
            let end = values.as_ptr().wrapping_add(bounds[$q + 1] as usize);
            _mm_prefetch::<_MM_HINT_T0>(end.wrapping_add(2048).cast());
            // SAFETY: the 64 bytes before the end of the key are inside the values.
            let bytes = unsafe { _mm512_loadu_si512(end.wrapping_sub(64).cast()) };
            // SAFETY: a length of at most 64 leaves 64 of 128 bytes.
            let keep = unsafe {
                _mm512_loadu_si512(KEEP.as_ptr().wrapping_add((bounds[$q + 1] - bounds[$q]) as usize).cast())
            };
            let block = _mm512_and_si512(bytes, keep);
            seen = _mm512_or_si512(seen, block);
            _mm512_mullo_epi32(fours(block), weights())
        }};
    }
    macro_rules! four {
        ($j:literal) => {
            quarters([key!($j), key!($j + 4), key!($j + 8), key!($j + 12)])
        };
    }
    let rows = [four!(0), four!(1), four!(2), four!(3)];
    let low = _mm512_add_epi32(_mm512_unpacklo_epi32(rows[0], rows[1]), _mm512_unpackhi_epi32(rows[0], rows[1]));
    let high = _mm512_add_epi32(_mm512_unpacklo_epi32(rows[2], rows[3]), _mm512_unpackhi_epi32(rows[2], rows[3]));
    let sums = _mm512_add_epi32(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
    // SAFETY: `slots` is as wide as the vector.
    unsafe { _mm512_storeu_si512(slots.as_mut_ptr().cast(), sums) };
    _mm512_movepi8_mask(seen) == 0
}

/// The hash of one ASCII key of any length.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn any(key: &[u8]) -> u32 {
    let (head, blocks) = key.split_at(key.len() % 64);
    let mask = !_bzhi_u64(!0, 64 - head.len() as u32);
    // SAFETY: what is masked off is not accessed; the bytes of `head` are unmasked.
    let block = unsafe { _mm512_maskz_loadu_epi8(mask, head.as_ptr_range().end.wrapping_sub(64).cast()) };
    let mut sum = fours(block);
    for block in blocks.as_chunks::<64>().0 {
        // SAFETY: 64 bytes.
        let block = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        sum = _mm512_add_epi32(_mm512_mullo_epi32(sum, _mm512_set1_epi32(A_BLOCK)), fours(block));
    }
    _mm512_reduce_add_epi32(_mm512_mullo_epi32(sum, weights())) as u32
}

#[inline]
#[target_feature(enable = "avx512f")]
fn weights() -> __m512i {
    // SAFETY: sixteen words.
    unsafe { _mm512_loadu_si512(FOURS.as_ptr().cast()) }
}

/// The hash of every four bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn fours(block: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(block, _mm512_set1_epi16(PAIR));
    _mm512_madd_epi16(pairs, _mm512_set1_epi32(FOUR))
}

/// The sums of the four quarters of each of four blocks, in the quarter of that number.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters([a, b, c, d]: [__m512i; 4]) -> __m512i {
    let ab = _mm512_add_epi32(_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
    let cd = _mm512_add_epi32(_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
    _mm512_add_epi32(_mm512_shuffle_i32x4::<0x88>(ab, cd), _mm512_shuffle_i32x4::<0xdd>(ab, cd))
}
