//! How far and how long a search for better ranks looks, and the chains of exchanges that it finds.

use super::problem::NONE;
use super::pulse::Pulse;
use super::ranked_state::Exchange;
use std::cell::Cell;

/// How far a search looks, by the size of the cluster alone, so that planning again looks as far.
pub(super) struct Sight {
    /// Arcs of a chain.
    pub arcs: usize,
    /// Brokers, and rows of each, that are tried straight.
    pub few: usize,
    /// Rows that are tried for the way back.
    pub back: usize,
}

/// Up to so many partitions times brokers the search looks far.
const NEAR: usize = 5_000;

impl Sight {
    pub fn of(pairs: usize) -> Sight {
        if pairs <= NEAR { Sight { arcs: usize::MAX, few: 6, back: 16 } } else { Sight { arcs: 1, few: 0, back: 4 } }
    }
}

/// What exchanges that are made and taken back count as, in looks: 2 to 3 µs in the fallback.
pub(super) const TRY: usize = 40;

/// Why a search ends before its time.
pub(super) enum Ended {
    /// No look is left.
    Spent,
    /// The watch has had enough.
    Stopped,
}

/// Looks at replicas and brokers: counted, not timed, so that both engines come as far.
pub(super) struct Looks<'a> {
    left: Cell<u64>,
    pulse: &'a Pulse<'a>,
}

impl<'a> Looks<'a> {
    pub fn new(left: u64, pulse: &'a Pulse<'a>) -> Looks<'a> {
        Looks { left: Cell::new(left), pulse }
    }

    pub fn left(&self) -> u64 {
        self.left.get()
    }

    pub fn spend(&self, looks: usize) -> Result<(), Ended> {
        if self.pulse.is_stopped() {
            return Err(Ended::Stopped);
        }
        let left = self.left.get().checked_sub(looks as u64).ok_or(Ended::Spent)?;
        self.left.set(left);
        Ok(())
    }
}

/// Brokers not reached yet, and how the others were.
pub(super) struct Reach {
    pub open: Vec<u32>,
    /// Of each broker where its way came from; `NONE`: nowhere.
    at: Vec<u32>,
    exchange: Vec<Exchange>,
}

impl Reach {
    pub fn new(open: Vec<u32>, brokers: usize) -> Reach {
        Reach { open, at: vec![NONE; brokers], exchange: vec![Exchange::default(); brokers] }
    }

    pub fn set(&mut self, to: u32, at: u32, exchange: Exchange) {
        self.at[to as usize] = at;
        self.exchange[to as usize] = exchange;
    }

    pub fn chain_to(&self, last: u32) -> Vec<Exchange> {
        let mut chain = Vec::new();
        let mut broker = last as usize;
        while self.at[broker] != NONE {
            chain.push(self.exchange[broker]);
            broker = self.at[broker] as usize;
        }
        chain.reverse();
        chain
    }
}
