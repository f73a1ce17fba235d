//! The brokers and the groups of racks as one network: who is above or below its level, and how far each is from those above.
//!
//! Node `b` is a broker, node `brokers + g` a group. A broker at its `high` holds one of its group's tokens, a broker at `low`
//! may take one: arcs of cost 0 between both. What a node has too much, or lacks (below 0), is its excess.

use super::exchanges::{Exchanges, Seeker};
use super::levels::Levels;
use super::problem::NONE;
use super::state::State;

/// Farther than any path.
pub(super) const FAR: i64 = 1 << 40;

pub(super) struct Network<'a> {
    pub levels: &'a Levels,
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
        Network { levels, brokers, has_token, excess }
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

    /// Nodes that a token can go to from a node, at no cost: from a broker to its group, from a group to its brokers.
    fn token_arcs(&self, from: usize) -> Vec<usize> {
        if from < self.brokers {
            return self.group_node(from).filter(|_| !self.has_token[from]).into_iter().collect();
        }
        (0..self.brokers).filter(|&b| self.has_token[b] && self.group_node(b) == Some(from)).collect()
    }

    /// Seeks along the exchanges and the tokens of a node.
    pub fn seek(&self, state: &State<'_>, exchanges: &mut Exchanges, from: usize, seeker: &mut impl Seeker) {
        if from < self.brokers {
            exchanges.seek(state, from as u32, seeker);
        }
        for to in self.token_arcs(from) {
            if seeker.wants(to as u32, 0) {
                seeker.finds(to as u32, 0, NONE);
            }
        }
    }

    /// Distances of all nodes that have too much; `FAR` where none leads.
    pub fn distances_from_excess(&self, state: &State<'_>, exchanges: &mut Exchanges) -> Vec<i64> {
        let start = self.excess.iter().map(|&excess| if excess > 0 { 0 } else { FAR }).collect();
        self.relaxed(state, exchanges, start)
    }

    /// Distances from all nodes at once: their negatives are the potentials that prove the plan.
    pub fn distances_from_all(&self, state: &State<'_>, exchanges: &mut Exchanges) -> Vec<i64> {
        self.relaxed(state, exchanges, vec![0; self.nodes()])
    }

    /// Shortens until nothing is shorter; there is no negative cycle, so that it ends within as many rounds as nodes.
    fn relaxed(&self, state: &State<'_>, exchanges: &mut Exchanges, distances: Vec<i64>) -> Vec<i64> {
        let mut active = vec![true; self.nodes()];
        let mut relaxing = Relaxing { distances, distance: 0, nearer: Vec::new() };
        for _ in 0..=self.nodes() {
            relaxing.nearer = vec![false; self.nodes()];
            for from in (0..self.nodes()).filter(|&from| active[from]) {
                relaxing.distance = relaxing.distances[from];
                if relaxing.distance == FAR || state.problem.pulse.is_stopped() {
                    continue;
                }
                self.seek(state, exchanges, from, &mut relaxing);
            }
            if !relaxing.nearer.contains(&true) {
                return relaxing.distances;
            }
            active = std::mem::take(&mut relaxing.nearer);
        }
        panic!("a cycle of exchanges that costs less than nothing");
    }
}

/// Looks for what is nearer by way of one node.
struct Relaxing {
    distances: Vec<i64>,
    /// Of that node.
    distance: i64,
    nearer: Vec<bool>,
}

impl Seeker for Relaxing {
    fn wants(&self, to: u32, cost: i8) -> bool {
        self.distances[to as usize] > self.distance + i64::from(cost)
    }

    fn finds(&mut self, to: u32, cost: i8, _: u32) {
        self.distances[to as usize] = self.distance + i64::from(cost);
        self.nearer[to as usize] = true;
    }
}
