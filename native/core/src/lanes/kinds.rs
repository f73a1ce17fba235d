//! ASCII or not: what a group of keys is tried by, after what the groups before it were.
//!
//! Text of one kind stands together. After a group with other keys the next is asked key by key; where most were others,
//! more and more groups in a row are hashed the scalar way unasked, for asking costs a twentieth of their time.

use crate::hash::java_string::one;

/// Most groups in a row that are not asked.
const MOST: u32 = 31;

/// How to hash the next group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// All keys at once.
    Lanes,
    /// Each key by its kind.
    Each,
    /// Each key as if it were not ASCII.
    Scalar,
}

/// What is known of the groups so far.
pub(super) struct Kinds {
    way: Way,
    /// Groups not to ask, and how many those were the last time.
    left: u32,
    run: u32,
}

impl Kinds {
    /// Nothing seen: ASCII is tried.
    pub const NEW: Kinds = Kinds { way: Way::Lanes, left: 0, run: 0 };

    #[inline]
    pub fn next(&mut self) -> Way {
        if self.left == 0 {
            return self.way;
        }
        self.left -= 1;
        Way::Scalar
    }

    /// Of the `keys` of a group asked key by key `others` were not ASCII.
    #[inline]
    pub fn learn(&mut self, others: usize, keys: usize) {
        self.way = if others == 0 { Way::Lanes } else { Way::Each };
        self.run = if 2 * others > keys { (2 * self.run + 1).min(MOST) } else { 0 };
        self.left = self.run;
    }
}

/// Keys as they come, by the definition.
#[inline(never)]
pub(super) fn scalar(values: &[u8], bounds: &[u32], slots: &mut [u32]) {
    for (slot, pair) in slots.iter_mut().zip(bounds.windows(2)) {
        *slot = one(&values[pair[0] as usize..pair[1] as usize]);
    }
}
