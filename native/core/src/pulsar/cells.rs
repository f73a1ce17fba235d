//! The table behind [`crate::pulsar::bundles::RangeTable`] where ranges are not equal: the top bits of a hash number a
//! cell, and most cells hold no boundary or one.
//!
//! With k bits to number the ranges, cells are numbered by k + 2 bits, which leaves 30 - k for a place inside a cell. A
//! cell is one 32-bit word: bit 31 says that it is crowded, then k bits hold the range of its first hash, then as many bits as a
//! place needs hold the last place of that range (the last of the cell, where no boundary is inside). One load, one
//! comparison. A crowded cell, one with two boundaries or more, says from where to search. Four cells a range is
//! measured: with two a quarter more are crowded, with eight the table leaves the second-level cache.

use super::bundles::search;

/// Most bits that number the ranges: 2^18 cells, 1 MB.
const MOST_BITS: u32 = 16;

const CROWDED: u32 = 1 << 31;

/// Where to look, for each value of the top bits.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    words: Vec<u32>,
    /// Bits of a place inside a cell.
    shift: u32,
    /// Halvings that find a range in the most crowded cell.
    pub(super) steps: u32,
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
        let range = |hash: u64| starts.partition_point(|&start| u64::from(start) <= hash) - 1;
        let (mut words, mut most) = (Vec::with_capacity(4 << bits), 0);
        for cell in 0..4u64 << bits {
            let (first, last) = (range(cell << shift), range(((cell + 1) << shift) - 1));
            let place = starts.get(first + 1).filter(|_| last > first).map_or(u32::MAX, |next| next - 1);
            let crowded = if last > first + 1 { CROWDED } else { 0 };
            words.push(crowded | (first as u32) << shift | place & ((1 << shift) - 1));
            most = most.max(last - first);
        }
        Some(Cells { words, shift, steps: usize::BITS - most.leading_zeros() })
    }

    /// The word of the cell of a hash.
    #[inline]
    fn cell(&self, hash: u32) -> u32 {
        self.words[(hash >> self.shift) as usize]
    }

    /// The range of the first hash of a cell.
    #[inline]
    fn first(&self, cell: u32) -> u32 {
        (cell & !CROWDED) >> self.shift
    }

    /// The range of a hash in a cell that is not crowded.
    #[inline]
    fn range(&self, cell: u32, hash: u32) -> u32 {
        let place = (1 << self.shift) - 1;
        self.first(cell) + u32::from(hash & place > cell & place)
    }

    #[inline]
    pub(super) fn find(&self, hash: u32) -> Found {
        let cell = self.cell(hash);
        if cell & CROWDED == 0 { Found::Range(self.range(cell, hash)) } else { Found::Crowd(self.first(cell)) }
    }

    /// The range of each hash of a block of at most 1,024. Those in crowded cells are set aside, without a branch, and
    /// searched afterwards, several in flight.
    pub(super) fn of_block(&self, ends: &[u32], hashes: &[u32], out: &mut [u32]) {
        let (mut crowd, mut n) = ([0u16; 1024], 0);
        for (i, (slot, &hash)) in out.iter_mut().zip(hashes).enumerate() {
            let cell = self.cell(hash);
            *slot = self.range(cell, hash);
            crowd[n % 1024] = i as u16;
            n += (cell >> 31) as usize;
        }
        self.of_crowd(ends, &crowd[..n], hashes, out);
    }

    fn of_crowd(&self, ends: &[u32], crowd: &[u16], hashes: &[u32], out: &mut [u32]) {
        for some in crowd.chunks(8) {
            // A short last chunk searches for its first hash again in the places left.
            let at: [usize; 8] = std::array::from_fn(|k| usize::from(*some.get(k).unwrap_or(&some[0])));
            let hashes = at.map(|i| hashes[i]);
            let found = search(ends, self.steps, hashes.map(|hash| self.first(self.cell(hash))), hashes);
            for (i, range) in at.into_iter().zip(found) {
                out[i] = range;
            }
        }
    }
}
