//! The most level counts that can be had without one more move, or at any number of moves: shortest chains of exchanges from
//! a heavy broker to a light one, until none helps.
//!
//! Level is by count over weight: least sum of squares over weights. A replica goes from `s` to `t` where the step off the
//! one is dearer than the step onto the other, `(2 s - 1) / w(s) > (2 t + 1) / w(t)`; without weights, where they differ by
//! two or more. With fewest arcs no shorter cut exists, so that a chain may use a partition twice and is legal.

use super::exchanges::{Exchanges, Seeker};
use super::problem::NONE;
use super::state::State;

/// Which exchanges count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    /// Those that cost no move.
    Free,
    /// All that keep the rules.
    Any,
}

pub(super) fn even(state: &mut State<'_>, exchanges: &mut Exchanges, allowed: Allowed) {
    let mut order: Vec<u32> = (0..state.load.len() as u32).filter(|&b| state.is_in(b)).collect();
    let mut evener = Evener { ins: order.clone(), state, exchanges, allowed };
    loop {
        let mut any = false;
        order.sort_by_key(|&b| (std::cmp::Reverse(evener.state.load[b as usize]), b));
        for &from in &order {
            while !evener.state.problem.pulse.is_stopped() && evener.relieve(from) {
                any = true;
            }
        }
        if !any || evener.state.problem.pulse.is_stopped() {
            return;
        }
    }
}

struct Evener<'s, 'a> {
    state: &'s mut State<'a>,
    exchanges: &'s mut Exchanges,
    allowed: Allowed,
    ins: Vec<u32>,
}

impl Evener<'_, '_> {
    /// Takes one replica off a broker, if a chain leads where it weighs less.
    fn relieve(&mut self, from: u32) -> bool {
        if !self.ins.iter().any(|&to| self.gains(from, to)) {
            return false;
        }
        let mut reach = Reach::new(self.state.load.len(), from, self.allowed);
        let mut layer = vec![from];
        while !layer.is_empty() && !self.state.problem.pulse.is_stopped() {
            for &at in &layer {
                reach.at = at;
                self.exchanges.seek(self.state, at, &mut reach);
            }
            layer = std::mem::take(&mut reach.found);
            let lighter = layer.iter().copied().filter(|&to| self.gains(from, to));
            if let Some(to) = lighter.reduce(|a, b| if self.weighs_less(b, a) { b } else { a }) {
                self.shift(&reach.before, to, from);
                return true;
            }
        }
        false
    }

    fn weight(&self, broker: u32) -> u64 {
        self.state.problem.weights.map_or(1, |weights| u64::from(weights[broker as usize]))
    }

    fn gains(&self, from: u32, to: u32) -> bool {
        let (a, b) = (u64::from(self.state.load[from as usize]), u64::from(self.state.load[to as usize]));
        a > 0 && (2 * a - 1) * self.weight(to) > (2 * b + 1) * self.weight(from)
    }

    fn weighs_less(&self, one: u32, other: u32) -> bool {
        let (a, b) = (u64::from(self.state.load[one as usize]), u64::from(self.state.load[other as usize]));
        (2 * a + 1) * self.weight(other) < (2 * b + 1) * self.weight(one)
    }

    fn shift(&mut self, before: &[(u32, u32)], last: u32, first: u32) {
        let mut to = last;
        while to != first {
            let (from, partition) = before[to as usize];
            self.state.give(partition, from, to);
            to = from;
        }
        self.exchanges.update(self.state);
    }
}

/// Looks for brokers that were not reached before.
pub(super) struct Reach {
    allowed: Allowed,
    /// The broker that is looked from.
    pub at: u32,
    /// The broker before each on the way, and the partition; `NONE` for one not reached.
    before: Vec<(u32, u32)>,
    pub found: Vec<u32>,
}

impl Reach {
    pub fn new(brokers: usize, from: u32, allowed: Allowed) -> Reach {
        let mut before = vec![(NONE, NONE); brokers];
        before[from as usize] = (from, NONE);
        Reach { allowed, at: from, before, found: Vec::new() }
    }
}

impl Seeker for Reach {
    fn wants(&self, to: u32, cost: i8) -> bool {
        (cost == 0 || self.allowed == Allowed::Any) && self.before[to as usize].0 == NONE
    }

    fn finds(&mut self, to: u32, _: i8, partition: u32) {
        self.before[to as usize] = (self.at, partition);
        self.found.push(to);
    }
}
