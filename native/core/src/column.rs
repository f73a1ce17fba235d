//! Many byte strings as one: the Arrow Utf8 layout, borrowed.
//!
//! Key `i` is `values[offsets[i]..offsets[i + 1]]`. The first offset need not be 0 (a slice of a longer column keeps
//! its values), and bytes outside the keys are never read for an answer.

use crate::error::BadOffset;
use std::ops::Range;

/// Keys to hash: bytes one after another, and where each begins and ends.
///
/// Invariant, on which [`crate::lanes`] reads without a check: there is at least one offset, offsets never descend, and
/// the last one lies inside `values`.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    values: &'a [u8],
    offsets: &'a [u32],
}

impl<'a> Column<'a> {
    /// The column over `values` and `offsets` (one more than keys, ascending, inside `values`, from anywhere).
    ///
    /// Cost: one pass over the offsets, about 0.1 ns each.
    ///
    /// # Errors
    /// [`BadOffset`] with the position of the first offset that is below its neighbour or past the values; position 0
    /// if there is no offset at all.
    ///
    /// ```
    /// use topic_placement_core::{BadOffset, Column};
    /// assert_eq!(Column::new(b"abc", &[0, 1, 3]).unwrap().key(1), b"bc");
    /// assert_eq!(Column::new(b"abc", &[0, 2, 1]).unwrap_err(), BadOffset(2));
    /// ```
    pub fn new(values: &'a [u8], offsets: &'a [u32]) -> Result<Column<'a>, BadOffset> {
        // No early exit: a sum without branches is what the compiler turns into vectors.
        let descents: usize = offsets.windows(2).map(|pair| usize::from(pair[0] > pair[1])).sum();
        match offsets.last() {
            Some(&last) if descents == 0 && last as usize <= values.len() => Ok(Column { values, offsets }),
            _ => Err(first_bad(values.len(), offsets)),
        }
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of key `i`.
    ///
    /// # Panics
    /// If `i` is not below [`Column::len`].
    #[must_use]
    pub fn key(&self, i: usize) -> &'a [u8] {
        &self.values[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// All keys in order.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        let values = self.values;
        self.offsets.windows(2).map(move |pair| &values[pair[0] as usize..pair[1] as usize])
    }

    /// The keys `[range.start, range.end)`, over the same values.
    ///
    /// # Panics
    /// If the range descends or ends past [`Column::len`].
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Column<'a> {
        assert!(range.start <= range.end, "a slice of a column ascends");
        Column { values: self.values, offsets: &self.offsets[range.start..=range.end] }
    }

    /// The bytes that the offsets point into, those outside the keys included.
    #[must_use]
    pub fn values(&self) -> &'a [u8] {
        self.values
    }

    /// Where the keys begin and end: one more than keys.
    #[must_use]
    pub fn offsets(&self) -> &'a [u32] {
        self.offsets
    }
}

#[cold]
fn first_bad(end: usize, offsets: &[u32]) -> BadOffset {
    let wrong = |i: usize| offsets[i] as usize > end || (i > 0 && offsets[i - 1] > offsets[i]);
    BadOffset((0..offsets.len()).find(|&i| wrong(i)).unwrap_or(0))
}
