//! Replicas that could go to a broker which held their partition at the start, and lost it.
//!
//! -1 where the one that goes is new where it is; 0 where it was at home too. What a partition has to offer changes only when
//! it does: it is added anew each time, and what no longer serves is dropped when it is met. Those of cost 0 are many, and
//! added when the first is asked for.

use super::pairs::{Pair, Pairs};
use super::problem::NONE;
use super::state::State;

pub(super) struct WaysHome {
    /// First of the chain of each pair and cost, counted from 1; 0 for none.
    first: Pairs,
    /// Partition and next of the chain.
    chain: Vec<(u32, u32)>,
    /// Of each broker, the others that it has, or had, a chain to, each once.
    homes: Vec<Vec<u32>>,
    /// Partitions whose ways of cost 0 were not added yet.
    later: Vec<u32>,
}

fn side(cost: i8) -> usize {
    usize::from(cost == 0)
}

impl WaysHome {
    pub fn new(brokers: usize) -> WaysHome {
        let (chain, homes) = (Vec::new(), vec![Vec::new(); brokers]);
        WaysHome { first: Pairs::new(brokers), chain, homes, later: Vec::new() }
    }

    /// A partition that has changed, and the brokers that lost it.
    pub fn add(&mut self, state: &State<'_>, p: usize, lost: &[u32]) {
        if lost.is_empty() {
            return;
        }
        self.later.push(p as u32);
        for &from in state.holders(p) {
            if from != NONE && !state.held(p, from) {
                for &home in lost {
                    self.put(state, p, (from, home), -1);
                }
            }
        }
    }

    /// Adds the ways of cost 0.
    pub fn complete(&mut self, state: &State<'_>) {
        let later = std::mem::take(&mut self.later);
        for p in later.into_iter().map(|p| p as usize).take_while(|_| !state.problem.pulse.is_stopped()) {
            for &from in state.holders(p) {
                if from != NONE && state.held(p, from) {
                    for home in state.lost(p) {
                        self.put(state, p, (from, home), 0);
                    }
                }
            }
        }
    }

    fn put(&mut self, state: &State<'_>, p: usize, pair: Pair, cost: i8) {
        if !state.may_cross(p, state.rack(pair.0), state.rack(pair.1)) {
            return;
        }
        let first = self.first.get(pair, side(cost));
        if first == 0 && self.first.get(pair, 1 - side(cost)) == 0 {
            self.homes[pair.0 as usize].push(pair.1);
        }
        self.chain.push((p as u32, first));
        self.first.set(pair, side(cost), self.chain.len() as u32);
    }

    /// Brokers that a way may lead to from there.
    pub fn homes(&self, from: u32) -> &[u32] {
        &self.homes[from as usize]
    }

    /// A partition that serves, and is not on the way so far.
    pub fn find(&mut self, state: &State<'_>, way: &[u32], pair: Pair, cost: i8) -> Option<u32> {
        let mut next = self.first.get(pair, side(cost));
        let mut is_first = true;
        while next != 0 {
            let (p, after) = self.chain[next as usize - 1];
            let serves = serves(state, p as usize, pair, cost);
            if serves && !way.contains(&p) {
                return Some(p);
            }
            // A chain that became empty keeps its pair known.
            is_first = is_first && !serves;
            if is_first && after != 0 {
                self.first.set(pair, side(cost), after);
            }
            next = after;
        }
        None
    }
}

fn serves(state: &State<'_>, p: usize, (from, to): Pair, cost: i8) -> bool {
    state.holds(p, from)
        && !state.holds(p, to)
        && state.held(p, from) == (cost == 0)
        && state.may_cross(p, state.rack(from), state.rack(to))
}
