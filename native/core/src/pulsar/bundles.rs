//! Hash → range: which bundle of a namespace holds a topic.
//!
//! For the layouts of Pulsar's namespaces (5.0, `org.apache.pulsar.common.naming.NamespaceBundles`) and for boundaries of
//! the caller's own. Range `i` is `[starts[i], starts[i + 1])`, the last one ends with 2^32 - 1 inclusive. What differs
//! from the original: it walks a sorted array by binary search and leaves 0xffffffff to a special case; here every hash
//! has its range, and the way to find it is chosen once, by the shape of the boundaries.

use crate::column::Column;
use crate::error::WrongLength;
use crate::hash::Hash;
use crate::lanes::Arm;

/// Most bits of a hash that number the cells of a table: 2^18 cells of 8 bytes still fit a second-level cache.
const MOST_BITS: u32 = 18;

/// Keys hashed before their hashes are looked up: 4 KB of hashes, which stay in the first-level cache.
const BLOCK: usize = 1024;

/// Ranges that cover all 32-bit hashes, and the fastest way to find the one of a hash.
#[derive(Debug, Clone)]
pub struct RangeTable {
    /// Last hash of each range, the last one 0xffffffff.
    ends: Vec<u32>,
    lookup: Lookup,
}

#[derive(Debug, Clone)]
enum Lookup {
    /// 2^(32 - shift) equal ranges: the index is the top bits. 32 for a single range.
    Equal { shift: u32 },
    /// The top bits number a cell, which names the range that its first hash falls into.
    Cells { shift: u32, cells: Vec<Cell> },
}

/// What the hashes with the same top bits have in common.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Range of the first hash of the cell.
    first: u32,
    /// Ranges that begin inside the cell, its first hash excluded.
    more: u32,
}

impl RangeTable {
    /// The table of ranges that begin at `starts`; `None` unless `starts[0]` is 0 and they ascend strictly.
    ///
    /// Cost: one pass over the starts and at most 2^18 cells.
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
        let ends = starts[1..].iter().map(|start| start - 1).chain([u32::MAX]).collect();
        let lookup = equal(starts).unwrap_or_else(|| cells(starts));
        Some(RangeTable { ends, lookup })
    }

    /// Number of ranges, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a range")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Index of the range of one hash.
    #[inline]
    #[must_use]
    pub fn one(&self, hash: u32) -> u32 {
        match &self.lookup {
            Lookup::Equal { shift } => top_bits(hash, *shift),
            Lookup::Cells { shift, cells } => {
                let cell = cells[top_bits(hash, *shift) as usize];
                let ends = &self.ends[cell.first as usize..][..cell.more as usize];
                cell.first + ends.partition_point(|&end| end < hash) as u32
            }
        }
    }

    /// Index of the range of each hash, into `out` (as long as `hashes`).
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as `hashes`; nothing is written then.
    pub fn of_hashes(&self, _arm: Arm, hashes: &[u32], out: &mut [u32]) -> Result<(), WrongLength> {
        WrongLength::check(hashes.len(), out.len())?;
        for (slot, &hash) in out.iter_mut().zip(hashes) {
            *slot = self.one(hash);
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

/// `hash >> shift`, where a shift by all 32 bits leaves 0.
#[inline]
fn top_bits(hash: u32, shift: u32) -> u32 {
    hash.checked_shr(shift).unwrap_or(0)
}

/// The lookup of 2^k equal ranges, if that is what they are.
fn equal(starts: &[u32]) -> Option<Lookup> {
    let shift = u32::BITS - starts.len().ilog2();
    let even = starts.iter().enumerate().all(|(i, &start)| u64::from(start) == (i as u64) << shift);
    (starts.len().is_power_of_two() && even).then_some(Lookup::Equal { shift })
}

/// A table with four cells a range, so that most hold no boundary and few more than one.
fn cells(starts: &[u32]) -> Lookup {
    let bits = (starts.len().next_power_of_two().ilog2() + 2).min(MOST_BITS);
    let shift = u32::BITS - bits;
    let below = |limit: u64| starts.partition_point(|&start| u64::from(start) < limit) as u32;
    let cells = (0..1u64 << bits).map(|cell| {
        let first = below((cell << shift) + 1) - 1;
        Cell { first, more: below((cell + 1) << shift) - 1 - first }
    });
    Lookup::Cells { shift, cells: cells.collect() }
}
