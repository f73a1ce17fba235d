//! The brokers and the groups of racks as one network: who is above or below its level, and how far each is from those above.
//!
//! Node `b` is a broker, node `brokers + g` a group. A broker at its `high` holds one of its group's tokens, a broker at `low`
//! may take one: arcs of cost 0 between both. What a node has too much, or lacks (below 0), is its excess.

use super::exchanges::{Exchanges, NO_ARC};
use super::levels::Levels;
use super::problem::NONE;
use super::state::State;

/// Farther than any path.
pub(super) const FAR: i64 = 1 << 40;

pub(super) struct Network<'a> {
    pub levels: &'a Levels,
    pub exchanges: Exchanges,
    pub brokers: usize,
    /// 1 for a broker that has a token.
    pub has_token: Vec<bool>,
    pub excess: Vec<i64>,
}

impl<'a> Network<'a> {
    pub fn of(state: &State<'_>, levels: &'a Levels) -> Network<'a> {
        let brokers = state.load.len();
        let at_high = |b: usize| levels.group[b] != NONE && state.load[b] >= levels.high[b];
        let has_token: Vec<bool> = (0..brokers).map(at_high).collect();
        let above = |b: usize| i64::from(state.load[b]) - i64::from(levels.low[b]) - i64::from(has_token[b]);
        let mut excess: Vec<i64> = (0..brokers).map(above).collect();
        excess.extend(levels.due.iter().map(|&due| -due));
        for b in (0..brokers).filter(|&b| has_token[b]) {
            excess[brokers + levels.group[b] as usize] += 1;
        }
        Network { levels, exchanges: Exchanges::of(state), brokers, has_token, excess }
    }

    pub fn nodes(&self) -> usize {
        self.excess.len()
    }

    /// What all nodes together have too much.
    pub fn above(&self) -> u64 {
        self.excess.iter().map(|&excess| excess.max(0) as u64).sum()
    }

    /// The node of a broker's group, where it has one.
    pub fn group_node(&self, broker: usize) -> Option<usize> {
        let group = self.levels.group[broker];
        (group != NONE).then(|| self.brokers + group as usize)
    }

    /// Nodes that one arc leads to, and its cost.
    pub fn each_arc(&self, from: usize, mut arc: impl FnMut(usize, i64)) {
        if from >= self.brokers {
            let returns = (0..self.brokers).filter(|&b| self.has_token[b] && self.group_node(b) == Some(from));
            returns.for_each(|b| arc(b, 0));
            return;
        }
        for (to, &cost) in self.exchanges.costs_from(from as u32).iter().enumerate() {
            if cost != NO_ARC {
                arc(to, i64::from(cost));
            }
        }
        if let Some(group) = self.group_node(from).filter(|_| !self.has_token[from]) {
            arc(group, 0);
        }
    }

    /// Distances of all nodes that have too much; `FAR` where none leads.
    pub fn distances_from_excess(&self) -> Vec<i64> {
        self.relaxed(self.excess.iter().map(|&excess| if excess > 0 { 0 } else { FAR }).collect())
    }

    /// Distances from all nodes at once: their negatives are the potentials that prove the plan.
    pub fn distances_from_all(&self) -> Vec<i64> {
        self.relaxed(vec![0; self.nodes()])
    }

    /// Shortens until nothing is shorter; there is no negative cycle, so that it ends within as many rounds as nodes.
    fn relaxed(&self, mut distances: Vec<i64>) -> Vec<i64> {
        let mut active = vec![true; self.nodes()];
        for _ in 0..=self.nodes() {
            let mut next = vec![false; self.nodes()];
            for from in (0..self.nodes()).filter(|&from| active[from]) {
                let distance = distances[from];
                if distance == FAR {
                    continue;
                }
                self.each_arc(from, |to, cost| {
                    if distance + cost < distances[to] {
                        distances[to] = distance + cost;
                        next[to] = true;
                    }
                });
            }
            if !next.contains(&true) {
                return distances;
            }
            active = next;
        }
        panic!("a cycle of exchanges that costs less than nothing");
    }
}
