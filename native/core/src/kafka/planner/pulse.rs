//! How far a plan is, told to the one who waits for it, and whether that one has had enough.
//!
//! Loops ask whether they shall stop, and leave what they make unfinished; the driver looks after each phase, and gives no plan
//! then.

use std::cell::Cell;
use std::fmt;

/// Told from time to time how many of so many parts are done; false stops the work.
pub type Watch<'w> = &'w dyn Fn(u64, u64) -> bool;

/// Parts of all the work, by which it is told.
const PARTS: u64 = 1000;

/// So many questions, a few microseconds each at most, and the watch is asked.
const PATIENCE: u32 = 256;

/// Numbers that are read or copied in some hundred microseconds.
const PART: usize = 1 << 16;

/// Where each phase of the work ends, in parts.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// Levels and rules.
    Repair = 200,
    /// Counts, round by round.
    Counts = 700,
    /// What costs no move.
    After = 950,
}

/// The watch, and what it was told.
pub struct Pulse<'w> {
    watch: Watch<'w>,
    done: Cell<u64>,
    /// Questions until the watch is asked again; none once it stopped the work.
    left: Cell<u32>,
    is_stopped: Cell<bool>,
}

impl fmt::Debug for Pulse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pulse").field("done", &self.done).finish_non_exhaustive()
    }
}

impl<'w> Pulse<'w> {
    /// Nothing is done.
    #[must_use]
    pub fn new(watch: Watch<'w>) -> Pulse<'w> {
        Pulse { watch, done: Cell::new(0), left: Cell::new(PATIENCE), is_stopped: Cell::new(false) }
    }

    /// For loops, again and again, where a round takes a few microseconds at most: whether to leave.
    pub(super) fn is_stopped(&self) -> bool {
        match self.left.get() {
            0 => self.ask(),
            left => {
                self.left.set(left - 1);
                false
            }
        }
    }

    /// A phase is done; whether to leave.
    pub(super) fn ends(&self, phase: Phase) -> bool {
        self.done.set(phase as u64);
        self.ask()
    }

    /// Some of the counts are level; whether to leave.
    pub(super) fn levels(&self, done: u64, all: u64) -> bool {
        let (from, to) = (Phase::Repair as u64, Phase::Counts as u64);
        self.done.set(from + (to - from) * done / all.max(1));
        self.ask()
    }

    /// So much of a search is done: told when the watch is asked next.
    pub(super) fn searches(&self, done: u64, all: u64) {
        self.done.set(PARTS * done / all);
    }

    /// A column in parts, until the work is stopped.
    pub(super) fn parts<'n>(&self, numbers: &'n [u32]) -> impl Iterator<Item = &'n [u32]> {
        numbers.chunks(PART).take_while(|_| !self.ask())
    }

    /// A copy of a column; `None` if the work was stopped.
    pub(super) fn copied(&self, numbers: &[u32]) -> Option<Vec<u32>> {
        let mut copy = Vec::with_capacity(numbers.len());
        self.parts(numbers).for_each(|part| copy.extend_from_slice(part));
        (copy.len() == numbers.len()).then_some(copy)
    }

    /// For rounds that may take longer: whether to leave.
    #[inline(never)]
    pub(super) fn ask(&self) -> bool {
        let goes_on = (self.watch)(self.done.get(), PARTS) && !self.is_stopped.get();
        self.is_stopped.set(!goes_on);
        self.left.set(if goes_on { PATIENCE } else { 0 });
        !goes_on
    }
}
