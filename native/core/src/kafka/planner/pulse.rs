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
    asked: Cell<u32>,
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
        Pulse { watch, done: Cell::new(0), asked: Cell::new(0), is_stopped: Cell::new(false) }
    }

    /// For loops, again and again: whether to leave.
    pub(super) fn is_stopped(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(PATIENCE) { self.ask() } else { self.is_stopped.get() }
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

    fn ask(&self) -> bool {
        let goes_on = (self.watch)(self.done.get(), PARTS);
        self.is_stopped.set(self.is_stopped.get() || !goes_on);
        self.is_stopped.get()
    }
}
