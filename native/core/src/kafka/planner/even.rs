//! The most level counts that can be had without one more move, or at any number of moves: shortest chains of exchanges from
//! a heavy broker to a light one, until none helps.
//!
//! Level is by count over weight: least sum of squares over weights. A replica goes from `s` to `t` where the step off the
//! one is dearer than the step onto the other, `(2 s - 1) / w(s) > (2 t + 1) / w(t)`; without weights, where they differ by
//! two or more. With fewest arcs no shorter cut exists, so that a chain may use a partition twice and is legal.

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

pub(super) fn even(state: &mut State<'_>, allowed: Allowed) {
    let mut evener = Evener::new(state, allowed);
    let mut order: Vec<u32> = (0..evener.state.load.len() as u32).filter(|&b| evener.state.is_in(b)).collect();
    loop {
        let mut any = false;
        order.sort_by_key(|&b| (std::cmp::Reverse(evener.state.load[b as usize]), b));
        for &from in &order {
            while !evener.state.problem.pulse.ask() && evener.relieve(from) {
                any = true;
            }
        }
        if !any || evener.state.problem.pulse.ask() {
            return;
        }
    }
}

struct Evener<'s, 'a> {
    state: &'s mut State<'a>,
    allowed: Allowed,
    /// Slots of each broker that can take part; some may have left.
    slots: Vec<Vec<u32>>,
    /// The broker before each on the way, and the slot; `NONE` for one not reached.
    before: Vec<(u32, u32)>,
    unreached: Vec<u32>,
}

impl<'s, 'a> Evener<'s, 'a> {
    fn new(state: &'s mut State<'a>, allowed: Allowed) -> Evener<'s, 'a> {
        let mut slots = vec![Vec::new(); state.load.len()];
        let takes_part = |&p: &usize| allowed == Allowed::Any || state.is_touched(p);
        let partitions = state.problem.partitions_while_wanted().filter(takes_part);
        for slot in partitions.flat_map(|p| state.slots(p)) {
            if state.at(slot) != NONE {
                slots[state.at(slot) as usize].push(slot as u32);
            }
        }
        let before = vec![(NONE, NONE); slots.len()];
        Evener { state, allowed, slots, before, unreached: Vec::new() }
    }

    /// Takes one replica off a broker, if a chain leads where it weighs less.
    fn relieve(&mut self, from: u32) -> bool {
        let brokers = 0..self.before.len() as u32;
        if !brokers.clone().any(|to| self.state.is_in(to) && self.gains(from, to)) {
            return false;
        }
        self.before.fill((NONE, NONE));
        self.before[from as usize] = (from, NONE);
        self.unreached = brokers.filter(|&b| b != from && self.state.is_in(b)).collect();
        let mut layer = vec![from];
        while !layer.is_empty() {
            layer = layer.iter().flat_map(|&at| self.reach_from(at)).collect();
            let lighter = layer.iter().copied().filter(|&to| self.gains(from, to));
            if let Some(to) = lighter.reduce(|a, b| if self.weighs_less(b, a) { b } else { a }) {
                self.shift(to, from);
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

    /// Brokers not reached before to which a replica of this one can go.
    fn reach_from(&mut self, at: u32) -> Vec<u32> {
        let mut reached = Vec::new();
        for &slot in &self.slots[at as usize] {
            if self.unreached.is_empty() || self.state.problem.pulse.is_stopped() {
                break;
            }
            if self.state.at(slot as usize) != at {
                continue;
            }
            let p = self.state.partition_of(slot as usize);
            let (state, allowed) = (&*self.state, self.allowed);
            self.unreached.retain(|&to| {
                let can = can_go(state, p, (at, to), allowed);
                if can {
                    reached.push(to);
                    self.before[to as usize] = (at, slot);
                }
                !can
            });
        }
        reached
    }

    fn shift(&mut self, last: u32, first: u32) {
        let mut to = last;
        while to != first {
            let (from, slot) = self.before[to as usize];
            self.state.put(slot as usize, to);
            self.slots[to as usize].push(slot);
            to = from;
        }
    }
}

fn can_go(state: &State<'_>, p: usize, (from, to): (u32, u32), allowed: Allowed) -> bool {
    !state.holds(p, to)
        && (allowed == Allowed::Any || state.held(p, to) == state.held(p, from))
        && state.may_cross(p, state.rack(from), state.rack(to))
}
