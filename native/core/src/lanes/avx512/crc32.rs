//! CRC-32 with 512-bit carry-less products: a key of up to 64 bytes a block, sixteen keys a group.

use crate::column::Column;
use crate::lanes::blocks::KEEP;
use crate::lanes::carryless::Carryless;
use crate::lanes::words::loaded_again;
use std::arch::x86_64::*;

/// Keys of a group: as many as a vector has 32-bit answers.
const LANES: usize = 16;

/// Sixteen keys: where they end, and how long they are.
type Bounds = [u32; LANES + 1];

/// The keys of a group, each by `$block`. Keys `j`, `4 + j`, `8 + j` and `12 + j` are reduced together, so that their
/// answers come to lie in every fourth lane and four reductions interleave to the order of the keys.
macro_rules! by_fours {
    ($constants:ident, $values:ident, $bounds:expr, $block:ident) => {{
        let (weights, bounds) = (weights($constants), $bounds);
        macro_rules! key {
            ($q:expr) => {
                weighed($block($constants, $values, bounds[$q], bounds[$q + 1]), weights)
            };
        }
        macro_rules! four {
            ($j:literal) => {
                reduced($constants, [key!($j), key!($j + 4), key!($j + 8), key!($j + 12)])
            };
        }
        let low = _mm512_unpackhi_epi32(four!(0), four!(1));
        _mm512_unpacklo_epi64(low, _mm512_unpackhi_epi32(four!(2), four!(3)))
    }};
}

/// The CRC-32 of each key of `column`, into `out`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,vpclmulqdq")]
pub fn packed(constants: &Carryless, column: Column<'_>, out: &mut [u32]) {
    let (values, offsets) = (column.values(), column.offsets());
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    for (slots, bounds) in groups.iter_mut().zip(offsets.windows(LANES + 1).step_by(LANES)) {
        let Some(bounds) = bounds.first_chunk() else { return };
        // Two roads, so that the short keys' one has no loop inside around which its constants would leave the registers.
        if bounds[1] >= 64 && !any_above_64(lengths(bounds)) {
            // SAFETY: every key ends at 64 or later, and inside the values, as the column has it.
            let sums = unsafe { by_fours!(constants, values, loaded_again(bounds), block) };
            store(slots, _mm512_xor_si512(sums, zeros(constants, lengths(bounds))));
        } else {
            any_group(constants, values, bounds, slots);
        }
    }
    if !rest.is_empty() {
        // The keys that are missing are empty ones at the end.
        let mut bounds = [offsets[offsets.len() - 1]; LANES + 1];
        bounds[..=rest.len()].copy_from_slice(&offsets[offsets.len() - 1 - rest.len()..]);
        let mut slots = [0; LANES];
        any_group(constants, values, &bounds, &mut slots);
        rest.copy_from_slice(&slots[..rest.len()]);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn any_above_64(lengths: __m512i) -> bool {
    _mm512_cmpgt_epu32_mask(lengths, _mm512_set1_epi32(64)) != 0
}

/// Keys of any length, anywhere.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,vpclmulqdq")]
fn any_group(constants: &Carryless, values: &[u8], bounds: &Bounds, slots: &mut [u32; LANES]) {
    let sums = by_fours!(constants, values, bounds, folded);
    store(slots, _mm512_xor_si512(sums, zeros(constants, lengths(bounds))));
}

#[inline]
#[target_feature(enable = "avx512f")]
fn lengths(bounds: &Bounds) -> __m512i {
    // SAFETY: both loads stay inside `bounds`.
    let (from, to) =
        unsafe { (_mm512_loadu_si512(bounds.as_ptr().cast()), _mm512_loadu_si512(bounds[1..].as_ptr().cast())) };
    _mm512_sub_epi32(to, from)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(slots: &mut [u32; LANES], crcs: __m512i) {
    // SAFETY: `slots` is as wide as the vector.
    unsafe { _mm512_storeu_si512(slots.as_mut_ptr().cast(), crcs) }
}

/// What the ones at the start and at the end add: looked up by length, or for a folded key those at the end alone.
#[inline]
#[target_feature(enable = "avx512f")]
fn zeros(constants: &Carryless, lengths: __m512i) -> __m512i {
    // SAFETY: 16 words from 0, 16, 32 and 48 of 65.
    let part = |at: usize| unsafe { _mm512_loadu_si512(constants.zeros.as_ptr().wrapping_add(at).cast()) };
    let below_32 = _mm512_permutex2var_epi32(part(0), lengths, part(16));
    let from_32 = _mm512_permutex2var_epi32(part(32), lengths, part(48));
    let long = _mm512_cmpgt_epu32_mask(lengths, _mm512_set1_epi32(31));
    let crcs = _mm512_mask_blend_epi32(long, below_32, from_32);
    let whole = _mm512_cmpeq_epi32_mask(lengths, _mm512_set1_epi32(64));
    let crcs = _mm512_mask_blend_epi32(whole, crcs, _mm512_set1_epi32(constants.zeros[64] as i32));
    let folded = _mm512_cmpgt_epu32_mask(lengths, _mm512_set1_epi32(64));
    _mm512_mask_blend_epi32(folded, crcs, _mm512_set1_epi32(-1))
}

/// The key `[from, to)` of at most 64 bytes, right-aligned with zeros before it. A load and a window of ones: on Zen 4
/// that is faster than a load under a mask, which takes five instructions to make.
///
/// # Safety
/// `to` is at least 64 and inside `values`; `from` is at most 64 before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
unsafe fn block(_constants: &Carryless, values: &[u8], from: u32, to: u32) -> __m512i {
    let end = values.as_ptr().wrapping_add(to as usize);
    _mm_prefetch::<_MM_HINT_T0>(end.wrapping_add(2048).cast());
    // SAFETY: the 64 bytes before `to` are granted by the caller.
    let bytes = unsafe { _mm512_loadu_si512(end.wrapping_sub(64).cast()) };
    // SAFETY: a length of at most 64 leaves 64 of 128 bytes.
    let keep = unsafe { _mm512_loadu_si512(KEEP.as_ptr().wrapping_add((to - from) as usize).cast()) };
    _mm512_and_si512(bytes, keep)
}

/// At most 64 bytes, right-aligned with zeros before them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn masked(key: &[u8]) -> __m512i {
    let mask = !_bzhi_u64(!0, 64 - key.len() as u32);
    // SAFETY: what is masked off is not accessed; the bytes of `key` are unmasked.
    unsafe { _mm512_maskz_loadu_epi8(mask, key.as_ptr_range().end.wrapping_sub(64).cast()) }
}

/// A key of any length as one block; one of more than 64 bytes has its initial ones laid over its first four bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,vpclmulqdq")]
fn folded(constants: &Carryless, values: &[u8], from: u32, to: u32) -> __m512i {
    let key = &values[from as usize..to as usize];
    if key.len() <= 64 {
        return masked(key);
    }
    let fold = _mm512_broadcast_i32x4(_mm_set_epi64x(constants.fold[1] as i64, constants.fold[0] as i64));
    let (head, blocks) = key.split_at((key.len() - 1) % 64 + 1);
    let length = head.len() as u32;
    let ones = !_bzhi_u64(!0, 64 - length) & _bzhi_u64(!0, 68 - length);
    let mut sum = _mm512_xor_si512(masked(head), _mm512_movm_epi8(ones));
    // A head of fewer than four bytes leaves ones for the block that follows.
    let mut ones = _bzhi_u64(!0, 4u32.saturating_sub(length));
    for block in blocks.as_chunks::<64>().0 {
        // SAFETY: 64 bytes.
        let block = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        sum = _mm512_xor_si512(weighed(sum, fold), _mm512_xor_si512(block, _mm512_movm_epi8(ones)));
        ones = 0;
    }
    sum
}

#[inline]
#[target_feature(enable = "avx512f")]
fn weights(constants: &Carryless) -> __m512i {
    // SAFETY: eight words of 64 bits.
    unsafe { _mm512_loadu_si512(constants.weights.as_ptr().cast()) }
}

/// Both words of each 128-bit piece times their weights, summed within the piece.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn weighed(block: __m512i, weights: __m512i) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(block, weights);
    _mm512_xor_si512(low, _mm512_clmulepi64_epi128::<0x11>(block, weights))
}

/// The sum of the pieces of each of four blocks, and its remainder: the third word of the piece of that number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn reduced(constants: &Carryless, [a, b, c, d]: [__m512i; 4]) -> __m512i {
    let ab = _mm512_xor_si512(_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
    let cd = _mm512_xor_si512(_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
    let sum = _mm512_xor_si512(_mm512_shuffle_i32x4::<0x88>(ab, cd), _mm512_shuffle_i32x4::<0xdd>(ab, cd));
    let quotient = _mm512_set1_epi64(constants.barrett[0] as i64);
    let polynomial = _mm512_set1_epi64(constants.barrett[1] as i64);
    let q = _mm512_clmulepi64_epi128::<0x00>(sum, quotient);
    _mm512_xor_si512(_mm512_clmulepi64_epi128::<0x00>(q, polynomial), sum)
}
