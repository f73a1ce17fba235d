//! Hash → range: which bundle of a namespace holds a topic.
//!
//! For the layouts of Pulsar's namespaces (5.0, `org.apache.pulsar.common.naming.NamespaceBundles`) and for boundaries of
//! the caller's own. Range `i` is `[starts[i], starts[i + 1])`, the last one ends with 2^32 - 1 inclusive. What differs
//! from the original: it walks a sorted array by binary search and leaves 0xffffffff to a special case; here every hash
//! has its range, and the way to find it is chosen once, by the shape of the boundaries.

use crate::column::Column;
use crate::error::WrongLength;
use crate::hash::Hash;
use crate::lanes::{self, Arm};
use crate::pulsar::cells::{Cells, Found};

/// Hashes looked up at a time, and keys hashed before: 4 KB of hashes, which stay in the first-level cache.
const BLOCK: usize = 1024;

/// Ranges that cover all 32-bit hashes, and the fastest way to find the one of a hash.
#[derive(Debug, Clone)]
pub struct RangeTable {
    /// Last hash of each range, the last one 0xffffffff; then as many 0xffffffff again as the longest search can pass.
    ends: Vec<u32>,
    /// Number of ranges.
    len: usize,
    lookup: Lookup,
}

#[derive(Debug, Clone)]
enum Lookup {
    /// 2^(32 - shift) equal ranges: the index is the top bits. 32 for a single range.
    Equal { shift: u32 },
    /// The top bits number a cell that says where to look.
    Cells(Cells),
    /// More ranges than cells can number: a search over all of them, of that many halvings.
    Search { steps: u32 },
}

impl RangeTable {
    /// The table of ranges that begin at `starts`; `None` unless `starts[0]` is 0 and they ascend strictly.
    ///
    /// Cost: one pass over the starts and over at most 16 words of 4 bytes a range.
    ///
    /// ```
    /// use topic_placement_core::RangeTable;
    /// let table = RangeTable::new(&[0, 10, 0x8000_0000]).unwrap();
    /// assert_eq!([9, 10, u32::MAX].map(|hash| table.one(hash)), [0, 1, 2]);
    /// assert!(RangeTable::new(&[0, 10, 10]).is_none());
    /// ```
    #[must_use]
    pub fn new(starts: &[u32]) -> Option<RangeTable> {
        let ascending = starts.windows(2).all(|pair| pair[0] < pair[1]);
        if starts.first() != Some(&0) || !ascending {
            return None;
        }
        let lookup = equal(starts).or_else(|| Cells::new(starts).map(Lookup::Cells));
        let lookup = lookup.unwrap_or(Lookup::Search { steps: halvings(starts.len() - 1) });
        let padding = match &lookup {
            Lookup::Equal { .. } => 0,
            Lookup::Cells(Cells { steps, .. }) | Lookup::Search { steps } => 1 << steps,
        };
        let ends = starts[1..].iter().map(|start| start - 1).chain(std::iter::repeat_n(u32::MAX, 1 + padding));
        Some(RangeTable { ends: ends.collect(), len: starts.len(), lookup })
    }

    /// Number of ranges, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a range")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Index of the range of one hash.
    #[inline]
    #[must_use]
    pub fn one(&self, hash: u32) -> u32 {
        match &self.lookup {
            Lookup::Equal { shift } => top_bits(hash, *shift),
            Lookup::Cells(cells) => match cells.find(hash) {
                Found::Range(range) => range,
                Found::Crowd(first) => search(&self.ends, cells.steps, [first], [hash])[0],
            },
            Lookup::Search { steps } => search(&self.ends, *steps, [0], [hash])[0],
        }
    }

    /// Index of the range of each hash, into `out` (as long as `hashes`).
    ///
    /// Cost, Zen 4: 0.1 ns a hash for 2^k equal ranges; for others 0.3 to 0.8 with AVX-512, 1 to 1.4 without; 2.5 where
    /// boundaries and hashes cluster.
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as `hashes`; nothing is written then.
    pub fn of_hashes(&self, arm: Arm, hashes: &[u32], out: &mut [u32]) -> Result<(), WrongLength> {
        WrongLength::check(hashes.len(), out.len())?;
        match &self.lookup {
            Lookup::Equal { shift } => {
                out.iter_mut().zip(hashes).for_each(|(slot, &hash)| *slot = top_bits(hash, *shift));
            }
            Lookup::Cells(_) if lanes::few_ranges(arm, &self.ends[..self.len], hashes, out) => {}
            Lookup::Cells(cells) if lanes::in_cells(arm, cells, &self.ends, hashes, out) => {}
            Lookup::Cells(cells) => {
                for (hashes, slots) in hashes.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
                    cells.of_block(&self.ends, hashes, slots);
                }
            }
            Lookup::Search { steps } => search_all(&self.ends, *steps, hashes, out),
        }
        Ok(())
    }

    /// Index of the range of the CRC-32 of each key, into `out` (as long as the column): topic → bundle.
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as the column; nothing is written then.
    pub fn of_packed(&self, arm: Arm, column: Column<'_>, out: &mut [u32]) -> Result<(), WrongLength> {
        WrongLength::check(column.len(), out.len())?;
        let mut hashes = [0; BLOCK];
        for (block, slots) in out.chunks_mut(BLOCK).enumerate() {
            let (from, hashes) = (block * BLOCK, &mut hashes[..slots.len()]);
            Hash::Crc32.packed(arm, column.slice(from..from + slots.len()), hashes)?;
            self.of_hashes(arm, hashes, slots)?;
        }
        Ok(())
    }
}

/// `hash >> shift`, where a shift by all 32 bits leaves 0: in two steps, neither of which is that long.
#[inline]
fn top_bits(hash: u32, shift: u32) -> u32 {
    (hash >> (shift / 2)) >> (shift - shift / 2)
}

/// The lookup of 2^k equal ranges, if that is what they are.
fn equal(starts: &[u32]) -> Option<Lookup> {
    let shift = u32::BITS - starts.len().ilog2();
    let even = starts.iter().enumerate().all(|(i, &start)| u64::from(start) == (i as u64) << shift);
    (starts.len().is_power_of_two() && even).then_some(Lookup::Equal { shift })
}

/// Halvings that find one of `others + 1` places.
fn halvings(others: usize) -> u32 {
    usize::BITS - others.leading_zeros()
}

/// The first range from `first[i]` on that ends at `hashes[i]` or later, at most `2^steps - 1` further. Without a branch,
/// and several in flight, so that one waits for memory while the others go on.
#[inline]
pub(super) fn search<const N: usize>(ends: &[u32], steps: u32, first: [u32; N], hashes: [u32; N]) -> [u32; N] {
    let mut at = first;
    for step in (0..steps).rev() {
        for (at, hash) in at.iter_mut().zip(hashes) {
            let middle = ends[(*at + (1 << step) - 1) as usize];
            *at += u32::from(middle < hash) << step;
        }
    }
    at
}

/// [`search`] over all ranges, for each hash.
fn search_all(ends: &[u32], steps: u32, hashes: &[u32], out: &mut [u32]) {
    let ((eights, rest), (slots, last)) = (hashes.as_chunks::<8>(), out.as_chunks_mut::<8>());
    for (slots, hashes) in slots.iter_mut().zip(eights) {
        *slots = search(ends, steps, [0; 8], *hashes);
    }
    for (slot, &hash) in last.iter_mut().zip(rest) {
        *slot = search(ends, steps, [0], [hash])[0];
    }
}
