//! Range lookup in the table of [`crate::pulsar::cells`], sixteen hashes at a time by gathers.
//!
//! Measured on Zen 4, 16,384 uneven ranges: gathers 0.75 ns a hash, of which 0.48 are the second-level cache's time to
//! bring one line a hash; sixteen scalar loads 1.35. Hashes in crowded cells are set aside, one compressed store a
//! vector, and looked up again together: a branch for them would be guessed wrong in every third vector, and cost 1.45.

use crate::pulsar::cells::{CROWDED, Cells, INNER_BITS};
use std::arch::x86_64::*;

/// Hashes whose crowded ones are set aside at a time.
const BLOCK: usize = 1024;

/// Where the crowded hashes of a block stand in it, with room for the last vector put there.
type Crowd = [u32; BLOCK + 16];

/// What the lanes look into.
#[derive(Clone, Copy)]
struct Table<'a> {
    cells: &'a Cells,
    ends: &'a [u32],
}

/// Index of the range of each hash, into `out` (as long as `hashes`); `ends` are those of [`crate::RangeTable`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
pub fn of_hashes(cells: &Cells, ends: &[u32], hashes: &[u32], out: &mut [u32]) {
    let (table, mut crowd) = (Table { cells, ends }, [0; BLOCK + 16]);
    let whole = hashes.len() / 16 * 16;
    for (hashes, slots) in hashes[..whole].chunks(BLOCK).zip(out[..whole].chunks_mut(BLOCK)) {
        let crowded = first_look(table, hashes, slots, &mut crowd);
        second_look(table, hashes, &crowd[..crowded], slots);
    }
    cells.of_block(ends, &hashes[whole..], &mut out[whole..]);
}

/// Looks the hashes of whole vectors up in the cells; how many were crowded and now have their places in `crowd`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn first_look(table: Table<'_>, hashes: &[u32], slots: &mut [u32], crowd: &mut Crowd) -> usize {
    let shift = _mm_cvtsi32_si128(table.cells.shift as i32);
    let in_cell = _mm512_set1_epi32((1 << table.cells.shift) - 1);
    let mut places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut len = 0;
    for (slots, hashes) in slots.as_chunks_mut().0.iter_mut().zip(hashes.as_chunks().0) {
        let hashes = load(hashes);
        let cells = gathered(&table.cells.words, !0, _mm512_srl_epi32(hashes, shift));
        store(slots, _mm512_srl_epi32(_mm512_add_epi32(cells, _mm512_and_si512(hashes, in_cell)), shift));
        let crowded = _mm512_cmplt_epi32_mask(cells, _mm512_setzero_si512());
        if let Some(room) = crowd[len..].first_chunk_mut() {
            store(room, _mm512_maskz_compress_epi32(crowded, places));
        }
        len += crowded.count_ones() as usize;
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    }
    len
}

/// Looks the hashes at the places of `crowd` up in their inner cells.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn second_look(table: Table<'_>, hashes: &[u32], crowd: &[u32], slots: &mut [u32]) {
    let shift = _mm_cvtsi32_si128(table.cells.shift as i32);
    for some in crowd.chunks(16) {
        let lanes = ((1u32 << some.len()) - 1) as __mmask16;
        // SAFETY: only the lanes of `some` are read.
        let places = unsafe { _mm512_maskz_loadu_epi32(lanes, some.as_ptr().cast()) };
        let hashes = gathered(hashes, lanes, places);
        let cells = gathered(&table.cells.words, lanes, _mm512_srl_epi32(hashes, shift));
        let mut found = [0; 16];
        store(&mut found, inside(table, lanes, cells, hashes));
        for (&place, range) in some.iter().zip(found) {
            slots[place as usize] = range;
        }
    }
}

/// The ranges of hashes in crowded cells, in the lanes of `lanes`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn inside(table: Table<'_>, lanes: __mmask16, cells: __m512i, hashes: __m512i) -> __m512i {
    let width = _mm512_srli_epi32::<INNER_BITS>(_mm512_andnot_si512(splat(CROWDED), cells));
    let places = _mm512_and_si512(hashes, splat((1 << table.cells.shift) - 1));
    let offset = _mm512_and_si512(cells, splat((1 << INNER_BITS) - 1));
    let inner = gathered(&table.cells.words, lanes, _mm512_add_epi32(offset, _mm512_srlv_epi32(places, width)));
    let in_inner = _mm512_sub_epi32(_mm512_sllv_epi32(splat(1), width), splat(1));
    let found = _mm512_srlv_epi32(_mm512_add_epi32(inner, _mm512_and_si512(hashes, in_inner)), width);
    let deep = _mm512_mask_cmplt_epi32_mask(lanes, inner, _mm512_setzero_si512());
    if deep == 0 {
        return found;
    }
    let first = _mm512_mask_andnot_epi32(found, deep, splat(CROWDED), inner);
    search(table, deep, first, hashes)
}

/// The search of [`crate::pulsar::bundles`] from `first` on, in the lanes of `deep`; `first` elsewhere.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn search(table: Table<'_>, deep: __mmask16, first: __m512i, hashes: __m512i) -> __m512i {
    let mut at = first;
    for step in (0..table.cells.steps).rev() {
        let middle = gathered(table.ends, deep, _mm512_add_epi32(at, splat((1 << step) - 1)));
        let below = _mm512_mask_cmplt_epu32_mask(deep, middle, hashes);
        at = _mm512_mask_add_epi32(at, below, at, splat(1 << step));
    }
    at
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u32) -> __m512i {
    _mm512_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32; 16]) -> __m512i {
    // SAFETY: sixteen words.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u32; 16], vector: __m512i) {
    // SAFETY: sixteen words.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
}

/// `words` at each index, in the lanes of `lanes`. An index past the end reads the last word: none is asked for, but one
/// instruction for sixteen keeps that from being a matter of trust.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn gathered(words: &[u32], lanes: __mmask16, at: __m512i) -> __m512i {
    assert!(!words.is_empty(), "a gather needs one word");
    let at = _mm512_min_epu32(at, splat((words.len() - 1).min(i32::MAX as usize) as u32));
    // SAFETY: every index is below the length, and not negative where it is taken as signed.
    unsafe { _mm512_mask_i32gather_epi32::<4>(_mm512_setzero_si512(), lanes, at, words.as_ptr().cast()) }
}
