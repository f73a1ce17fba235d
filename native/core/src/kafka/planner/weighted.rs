//! What each broker should have where brokers have weights: count over weight is water-filled, in fractions that are compared
//! exactly.
//!
//! The totals of the racks are found in two steps: shifts of 2^j … 1 replicas as if each rack were one broker of all its
//! weight, then single replicas by what the dearest of one rack gains and the cheapest of another pays. A step off a broker
//! gains `(2 x - 1) / w`, a step onto it costs `(2 x + 1) / w`.

use super::levels::RackTotals;
use super::problem::{NONE, Problem};
use super::pulse::Pulse;
use super::rule::{Class, brokers_in};

/// A fraction of positive terms; its parts multiplied with another's stay below 2^53, for the sake of the twin.
type Price = (u64, u64);

fn is_less(one: Price, other: Price) -> bool {
    one.0 * other.1 < other.0 * one.1
}

const MILLION: u64 = 1_000_000;

/// How many replicas each broker should have, were it not that no partition is twice on a broker.
pub(super) fn targets(problem: &Problem<'_>, weights: &[u32], classes: &[Class]) -> Vec<u32> {
    let mut filling = Filling::new(problem, weights, classes);
    filling.settle();
    filling.loads.iter().map(|&load| load as u32).collect()
}

struct Filling<'a> {
    weights: &'a [u32],
    /// Brokers of each rack that are in, and their weight together.
    in_rack: Vec<Vec<usize>>,
    weight: Vec<u64>,
    /// That weight in parts of a million of the heaviest rack's.
    coarse: Vec<u64>,
    totals: RackTotals<'a>,
    /// Per broker.
    loads: Vec<u64>,
    pulse: &'a Pulse<'a>,
}

impl<'a> Filling<'a> {
    fn new(problem: &Problem<'a>, weights: &'a [u32], classes: &'a [Class]) -> Filling<'a> {
        let mut in_rack = vec![Vec::new(); problem.racks];
        for b in (0..problem.brokers()).filter(|&b| problem.is_in[b] == 1) {
            in_rack[problem.rack_of[b] as usize].push(b);
        }
        let weight: Vec<u64> =
            in_rack.iter().map(|brokers| brokers.iter().map(|&b| u64::from(weights[b])).sum()).collect();
        let heaviest = weight.iter().copied().max().unwrap_or(0).max(1);
        let coarse = weight.iter().map(|&weight| (weight * MILLION).div_ceil(heaviest)).collect();
        let totals = RackTotals::new(brokers_in(problem), classes);
        Filling { weights, in_rack, weight, coarse, totals, loads: vec![0; problem.brokers()], pulse: problem.pulse }
    }

    fn settle(&mut self) {
        let all: u64 = self.totals.sums.iter().sum();
        let mut amount = 1;
        while amount * 2 <= all {
            amount *= 2;
        }
        while amount > 0 {
            while self.racks().filter(|&from| self.shift(from, amount)).count() > 0 {}
            amount /= 2;
        }
        for rack in 0..self.in_rack.len() {
            self.fill(rack);
        }
        while self.racks().filter(|&from| self.shift_one(from)).count() > 0 {}
    }

    /// All racks, until the work is stopped.
    fn racks(&self) -> impl Iterator<Item = usize> + use<'a> {
        let pulse = self.pulse;
        (0..self.in_rack.len()).take_while(|_| !pulse.ask())
    }

    /// Whole racks, each as one broker: what lowers squares over weights most.
    fn shift(&mut self, from: usize, amount: u64) -> bool {
        if self.totals.sums[from] < amount {
            return false;
        }
        let parents = self.totals.parents(from, amount);
        let mut best = ((2 * self.totals.sums[from] - amount, self.coarse[from]), from);
        for to in (0..parents.len()).filter(|&to| to != from && parents[to] != NONE && self.weight[to] > 0) {
            let pays = (2 * self.totals.sums[to] + amount, self.coarse[to]);
            if is_less(pays, best.0) {
                best = (pays, to);
            }
        }
        best.1 != from && self.totals.carry(&parents, (from, best.1), amount)
    }

    /// Water inside a rack: near by proportion, then one by one.
    fn fill(&mut self, rack: usize) {
        let total = self.totals.sums[rack];
        for i in 0..self.in_rack[rack].len() {
            let b = self.in_rack[rack][i];
            self.loads[b] = total * u64::from(self.weights[b]) / self.weight[rack];
        }
        let mut sum: u64 = self.in_rack[rack].iter().map(|&b| self.loads[b]).sum();
        while sum < total {
            let Some(b) = self.cheapest(rack) else { return };
            self.loads[b] += 1;
            sum += 1;
        }
        while let (Some(from), Some(to)) = (self.dearest(rack), self.cheapest(rack)) {
            if !is_less(self.pays(to), self.gains(from)) {
                return;
            }
            self.loads[from] -= 1;
            self.loads[to] += 1;
        }
    }

    fn shift_one(&mut self, from: usize) -> bool {
        let Some(giver) = self.dearest(from) else { return false };
        let parents = self.totals.parents(from, 1);
        let mut best = (self.gains(giver), None);
        for (to, &parent) in parents.iter().enumerate().filter(|&(to, _)| to != from) {
            if parent == NONE {
                continue;
            }
            if let Some(taker) = self.cheapest(to).filter(|&taker| is_less(self.pays(taker), best.0)) {
                best = (self.pays(taker), Some((to, taker)));
            }
        }
        let Some((to, taker)) = best.1 else { return false };
        self.loads[giver] -= 1;
        self.loads[taker] += 1;
        self.totals.carry(&parents, (from, to), 1)
    }

    /// What a step off a broker saves; it has one.
    fn gains(&self, b: usize) -> Price {
        (2 * self.loads[b] - 1, u64::from(self.weights[b]))
    }

    /// What a step onto a broker costs.
    fn pays(&self, b: usize) -> Price {
        (2 * self.loads[b] + 1, u64::from(self.weights[b]))
    }

    fn cheapest(&self, rack: usize) -> Option<usize> {
        self.in_rack[rack].iter().copied().reduce(|a, b| if is_less(self.pays(b), self.pays(a)) { b } else { a })
    }

    fn dearest(&self, rack: usize) -> Option<usize> {
        let holding = self.in_rack[rack].iter().copied().filter(|&b| self.loads[b] > 0);
        holding.reduce(|a, b| if is_less(self.gains(a), self.gains(b)) { b } else { a })
    }
}
