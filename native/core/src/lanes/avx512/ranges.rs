//! Range lookup among at most 32 ranges: their ends stay in two registers, and a search is five permutations.

use std::arch::x86_64::*;

/// Most ranges whose ends two registers hold.
pub const MOST: usize = 32;

/// Index of the range of each hash, into `out` (as long as `hashes`); `ends` are the last hashes of at most 32 ranges.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn of_hashes(ends: &[u32], hashes: &[u32], out: &mut [u32]) {
    let mut padded = [u32::MAX; MOST];
    padded[..ends.len()].copy_from_slice(ends);
    // SAFETY: 32 words, in two loads.
    let ends =
        unsafe { [_mm512_loadu_si512(padded.as_ptr().cast()), _mm512_loadu_si512(padded[16..].as_ptr().cast())] };
    for (hashes, slots) in hashes.chunks(16).zip(out.chunks_mut(16)) {
        let lanes = low_bits(hashes.len());
        // SAFETY: only the lanes of `hashes` are read, only those of `slots` are written, and they are as many.
        unsafe {
            let found = search(ends, _mm512_maskz_loadu_epi32(lanes, hashes.as_ptr().cast()));
            _mm512_mask_storeu_epi32(slots.as_mut_ptr().cast(), lanes, found);
        }
    }
}

/// As many low bits as there are lanes, at most 16.
#[inline]
fn low_bits(lanes: usize) -> __mmask16 {
    ((1u32 << lanes) - 1) as __mmask16
}

/// The number of ends below each hash: halves of 16, 8, 4, 2 and 1.
#[inline]
#[target_feature(enable = "avx512f")]
fn search(ends: [__m512i; 2], hashes: __m512i) -> __m512i {
    let mut found = _mm512_setzero_si512();
    for half in [16, 8, 4, 2, 1] {
        let middle = _mm512_add_epi32(found, _mm512_set1_epi32(half - 1));
        let below = _mm512_cmplt_epu32_mask(_mm512_permutex2var_epi32(ends[0], middle, ends[1]), hashes);
        found = _mm512_mask_add_epi32(found, below, found, _mm512_set1_epi32(half));
    }
    found
}
