//! CRC-32 with 128-bit carry-less products: a key of up to 64 bytes in four pieces, without a branch on its length.

use crate::column::Column;
use crate::hash::crc32::Crc32;
use crate::lanes::blocks::{BLOCK, KEEP};
use crate::lanes::carryless::Carryless;
use std::arch::x86_64::*;

/// 64 bytes from `length` hold ones where a key of that length has its first four bytes in its block; from
/// `BLOCK + length`, where they lie in the block after.
static FIRST_FOUR: [u8; 3 * BLOCK] = {
    let mut ones = [0; 3 * BLOCK];
    let mut at = BLOCK;
    while at < BLOCK + 4 {
        ones[at] = 0xff;
        at += 1;
    }
    ones
};

/// The CRC-32 of each key of `column`, into `out`; `constants` and `scalar` are of one polynomial.
#[target_feature(enable = "avx2,pclmulqdq")]
pub fn packed(constants: &Carryless, scalar: &Crc32, column: Column<'_>, out: &mut [u32]) {
    one_by_one(constants, scalar, (column.values(), column.offsets()), out);
}

/// The same of keys between `offsets`, which are those of a [`Column`] over `values`.
#[target_feature(enable = "avx2,pclmulqdq")]
pub fn one_by_one(constants: &Carryless, scalar: &Crc32, (values, offsets): (&[u8], &[u32]), out: &mut [u32]) {
    let weights = [
        pair(&constants.weights, 0),
        pair(&constants.weights, 2),
        pair(&constants.weights, 4),
        pair(&constants.weights, 6),
    ];
    for (slot, bounds) in out.iter_mut().zip(offsets.windows(2)) {
        let (end, length) = (bounds[1] as usize, (bounds[1] - bounds[0]) as usize);
        // Blocks reach back from the key's end, so that only keys near the start of the values are out of reach.
        if end < BLOCK {
            *slot = scalar.one(&values[bounds[0] as usize..end]);
            continue;
        }
        let from = values[..end].as_ptr_range().end.wrapping_sub(BLOCK);
        _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(2048).cast());
        if length > BLOCK {
            *slot = !remainder(constants, weigh(folded(constants, &values[end - length..end]), weights));
            continue;
        }
        if length <= 16 {
            // SAFETY: as below, of the last quarter.
            let piece = unsafe { load_quarter(from, &KEEP[length..]) };
            *slot = remainder(constants, weighed(piece, weights[3])) ^ constants.zeros[length];
            continue;
        }
        // SAFETY: `end` is at least 64, and a window of `KEEP` from `length` ends within it.
        let block = unsafe { [load(from, &KEEP[length..], 0), load(from, &KEEP[length..], 32)] };
        *slot = remainder(constants, weigh(quarters(block), weights)) ^ constants.zeros[length];
    }
}

/// # Safety
/// 32 bytes from `at` are readable behind `from` and in `keep`.
#[inline]
#[target_feature(enable = "avx2")]
pub unsafe fn load(from: *const u8, keep: &[u8], at: usize) -> __m256i {
    // SAFETY: granted by the caller.
    unsafe {
        _mm256_and_si256(
            _mm256_loadu_si256(from.wrapping_add(at).cast()),
            _mm256_loadu_si256(keep.as_ptr().wrapping_add(at).cast()),
        )
    }
}

/// # Safety
/// 64 bytes from `from` and of `keep` are readable.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_quarter(from: *const u8, keep: &[u8]) -> __m128i {
    let at = BLOCK - 16;
    // SAFETY: granted by the caller.
    unsafe {
        _mm_and_si128(
            _mm_loadu_si128(from.wrapping_add(at).cast()),
            _mm_loadu_si128(keep.as_ptr().wrapping_add(at).cast()),
        )
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn quarters([low, high]: [__m256i; 2]) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(low),
        _mm256_extracti128_si256::<1>(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(high),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn pair(words: &[u64; 8], at: usize) -> __m128i {
    _mm_set_epi64x(words[at + 1] as i64, words[at] as i64)
}

/// Both words of a piece times their weights.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn weighed(piece: __m128i, weights: __m128i) -> __m128i {
    _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(piece, weights), _mm_clmulepi64_si128::<0x11>(piece, weights))
}

#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn weigh(pieces: [__m128i; 4], weights: [__m128i; 4]) -> __m128i {
    let low = _mm_xor_si128(weighed(pieces[0], weights[0]), weighed(pieces[1], weights[1]));
    let high = _mm_xor_si128(weighed(pieces[2], weights[2]), weighed(pieces[3], weights[3]));
    _mm_xor_si128(low, high)
}

#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn remainder(constants: &Carryless, sum: __m128i) -> u32 {
    let barrett = _mm_set_epi64x(constants.barrett[1] as i64, constants.barrett[0] as i64);
    let q = _mm_clmulepi64_si128::<0x00>(sum, barrett);
    _mm_extract_epi32::<2>(_mm_xor_si128(_mm_clmulepi64_si128::<0x10>(q, barrett), sum)) as u32
}

/// A key of more than 64 bytes as one block, its initial ones laid over its first four bytes.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,pclmulqdq")]
fn folded(constants: &Carryless, key: &[u8]) -> [__m128i; 4] {
    let fold = _mm_set_epi64x(constants.fold[1] as i64, constants.fold[0] as i64);
    let (head, blocks) = key.split_at((key.len() - 1) % BLOCK + 1);
    let mut padded = [0; BLOCK];
    padded[BLOCK - head.len()..].copy_from_slice(head);
    let mut sum = with_ones(&padded, &FIRST_FOUR[head.len()..]);
    let mut ones = &FIRST_FOUR[head.len() + BLOCK..];
    for block in blocks.as_chunks::<BLOCK>().0 {
        let block = with_ones(block, ones);
        for (sum, piece) in sum.iter_mut().zip(block) {
            *sum = _mm_xor_si128(weighed(*sum, fold), piece);
        }
        ones = &FIRST_FOUR[2 * BLOCK..];
    }
    sum
}

#[inline]
#[target_feature(enable = "avx2")]
fn with_ones(block: &[u8; BLOCK], ones: &[u8]) -> [__m128i; 4] {
    let ones: &[u8; BLOCK] = ones.first_chunk().unwrap_or(&[0; BLOCK]);
    // SAFETY: 32 bytes from the start and from the middle of 64, twice.
    let half = |at: usize| unsafe {
        let of = |bytes: &[u8; BLOCK]| _mm256_loadu_si256(bytes.as_ptr().wrapping_add(at).cast());
        _mm256_xor_si256(of(block), of(ones))
    };
    quarters([half(0), half(32)])
}
