//! The table behind [`crate::pulsar::bundles::RangeTable`] where ranges are not equal: the top bits of a hash number a
//! cell, and most cells hold no boundary or one.
//!
//! With k bits to number the ranges, cells are numbered by k + 2 bits, which leaves 30 - k for a place inside a cell. A
//! cell is one 32-bit word: bit 31 says that it is crowded, then k bits hold the range of its first hash, then as many
//! bits as a place needs hold how many places of the cell lie after that range. A place added to the word carries into
//! the range just when it lies after the boundary: one load, one sum, one shift. Four cells a range is measured: with two
//! a quarter more are crowded, with eight the table leaves the second-level cache.
//!
//! A crowded cell, one with two boundaries or more, is a table again: five bits of its word hold the bits of a place
//! inside an inner cell, the low 26 say where its inner cells begin. Those are made the same way, four for each of its
//! boundaries. Where even an inner cell is crowded its word says from which range to search. Two levels, and no more,
//! bound the table to 16 words a range.

use super::bundles::search;

/// Most bits that number the ranges: 2^18 cells, 1 MB.
const MOST_BITS: u32 = 16;

/// The bit of a crowded cell.
pub(crate) const CROWDED: u32 = 1 << 31;
/// Low bits of a crowded cell that say where its inner cells begin; above them stand the bits of a place in one.
pub(crate) const INNER_BITS: u32 = 26;

/// Where to look, for each value of the top bits.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    /// The cells, then the inner cells of the crowded ones.
    pub(crate) words: Vec<u32>,
    /// Bits of a place inside a cell.
    pub(crate) shift: u32,
    /// Halvings that find a range in the most crowded inner cell.
    pub(crate) steps: u32,
}

/// What a cell says of a hash.
pub(super) enum Found {
    /// Its range.
    Range(u32),
    /// The range to search from.
    Crowd(u32),
}

impl Cells {
    /// The cells of ranges that begin at `starts`, which ascend from 0; `None` if they are too many.
    pub(super) fn new(starts: &[u32]) -> Option<Cells> {
        let bits = starts.len().next_power_of_two().ilog2();
        if bits > MOST_BITS {
            return None;
        }
        let shift = u32::BITS - bits - 2;
        let mut cells = Cells { words: vec![0; 4 << bits], shift, steps: 0 };
        for (cell, [first, last]) in walk(starts, 0, 4 << bits, shift).enumerate() {
            cells.words[cell] = match last - first {
                0 | 1 => word(starts, [first, last], shift),
                boundaries => {
                    let inner = shift.saturating_sub(2 + boundaries.next_power_of_two().ilog2());
                    let offset = cells.words.len() as u32;
                    cells.add_inner(starts, (cell as u64) << shift, inner);
                    CROWDED | inner << INNER_BITS | offset
                }
            };
        }
        Some(cells)
    }

    /// Inner cells of 2^inner hashes each, for the cell that begins at `begin`.
    fn add_inner(&mut self, starts: &[u32], begin: u64, inner: u32) {
        for [first, last] in walk(starts, begin, 1 << (self.shift - inner), inner) {
            let boundaries = last - first;
            let crowded = boundaries > 1;
            self.words.push(if crowded { CROWDED | first as u32 } else { word(starts, [first, last], inner) });
            if crowded {
                self.steps = self.steps.max(usize::BITS - boundaries.leading_zeros());
            }
        }
    }

    /// The word of the cell of a hash.
    #[inline]
    fn cell(&self, hash: u32) -> u32 {
        self.words[(hash >> self.shift) as usize]
    }

    /// The word of the inner cell of a hash, `cell` being crowded, and the bits of a place in it.
    #[inline]
    fn inner(&self, cell: u32, hash: u32) -> (u32, u32) {
        let width = (cell & !CROWDED) >> INNER_BITS;
        let place = hash & ((1 << self.shift) - 1);
        let at = (cell & ((1 << INNER_BITS) - 1)) + (place >> width);
        (self.words[at as usize], width)
    }

    #[inline]
    pub(super) fn find(&self, hash: u32) -> Found {
        let cell = self.cell(hash);
        if cell & CROWDED == 0 {
            return Found::Range(range(cell, self.shift, hash));
        }
        let (inner, width) = self.inner(cell, hash);
        if inner & CROWDED == 0 { Found::Range(range(inner, width, hash)) } else { Found::Crowd(inner & !CROWDED) }
    }

    /// The range of each hash of a block of at most 1,024. Those in crowded cells are set aside, without a branch, and
    /// looked up in inner cells afterwards.
    pub(crate) fn of_block(&self, ends: &[u32], hashes: &[u32], out: &mut [u32]) {
        let (mut crowd, mut n) = ([0u16; 1024], 0);
        for (i, (slot, &hash)) in out.iter_mut().zip(hashes).enumerate() {
            let cell = self.cell(hash);
            *slot = range(cell, self.shift, hash);
            crowd[n % 1024] = i as u16;
            n += (cell >> 31) as usize;
        }
        self.of_crowd(ends, &mut crowd[..n], hashes, out);
    }

    /// The same for hashes in crowded cells, of which those in crowded inner cells are searched for, several in flight.
    fn of_crowd(&self, ends: &[u32], crowd: &mut [u16], hashes: &[u32], out: &mut [u32]) {
        let mut n = 0;
        for k in 0..crowd.len() {
            let i = crowd[k];
            let hash = hashes[usize::from(i)];
            let (inner, width) = self.inner(self.cell(hash), hash);
            out[usize::from(i)] = range(inner, width, hash);
            crowd[n] = i;
            n += (inner >> 31) as usize;
        }
        for some in crowd[..n].chunks(8) {
            // A short last chunk searches for its first hash again in the places left.
            let at: [usize; 8] = std::array::from_fn(|k| usize::from(*some.get(k).unwrap_or(&some[0])));
            let hashes = at.map(|i| hashes[i]);
            let firsts = hashes.map(|hash| self.inner(self.cell(hash), hash).0 & !CROWDED);
            for (i, range) in at.into_iter().zip(search(ends, self.steps, firsts, hashes)) {
                out[i] = range;
            }
        }
    }
}

/// The word of a cell of 2^width hashes with one boundary or none.
fn word(starts: &[u32], [first, last]: [usize; 2], width: u32) -> u32 {
    let after = if last > first { starts[last].wrapping_neg() } else { 0 };
    (first as u32) << width | after & ((1 << width) - 1)
}

/// The range of a hash in a cell of 2^width hashes that is not crowded.
#[inline]
fn range(cell: u32, width: u32, hash: u32) -> u32 {
    cell.wrapping_add(hash & ((1 << width) - 1)) >> width
}

/// The ranges of the first and of the last hash of each of `cells` cells of 2^width hashes, from `begin` on.
fn walk(starts: &[u32], begin: u64, cells: u64, width: u32) -> impl Iterator<Item = [usize; 2]> {
    let mut last = starts.partition_point(|&start| u64::from(start) < begin).saturating_sub(1);
    (1..=cells).map(move |cell| {
        let end = begin + (cell << width);
        let begins = |range: usize| starts.get(range).copied().map(u64::from);
        let first = last + usize::from(begins(last + 1) == Some(end - (1 << width)));
        while begins(last + 1).is_some_and(|start| start < end) {
            last += 1;
        }
        [first, last]
    })
}
