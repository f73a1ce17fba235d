//! The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
//!
//! +1: a replica that stood still moves. 0: one that moves anyway goes elsewhere, or one that stayed takes the place of
//! another that could. -1: one goes home. The scan of a broker's replicas ends when every pair has its answer.

use super::problem::NONE;
use super::state::State;

/// What no replica can do.
pub(super) const NO_ARC: i8 = 9;

pub(super) struct Exchanges {
    brokers: usize,
    /// Of each pair.
    cost: Vec<i8>,
    /// A slot that does it at that cost.
    slot: Vec<u32>,
    /// First of the chain of ways home of each pair.
    first: Vec<u32>,
    /// Slot and next of the chain.
    chain: Vec<(u32, u32)>,
}

impl Exchanges {
    pub fn of(state: &State<'_>) -> Exchanges {
        let brokers = state.load.len();
        let pairs = brokers * brokers;
        let (cost, slot, first) = (vec![NO_ARC; pairs], vec![NONE; pairs], vec![NONE; pairs]);
        let mut exchanges = Exchanges { brokers, cost, slot, first, chain: Vec::new() };
        exchanges.add_ways_home(state);
        let open = open_pairs(state);
        for from in (0..brokers as u32).filter(|&broker| state.is_in(broker)) {
            exchanges.add_from(state, from, &open[state.rack(from)]);
        }
        exchanges
    }

    pub fn pair(&self, from: u32, to: u32) -> usize {
        from as usize * self.brokers + to as usize
    }

    /// Costs from a broker to each.
    pub fn costs_from(&self, from: u32) -> &[i8] {
        &self.cost[from as usize * self.brokers..][..self.brokers]
    }

    pub fn slot(&self, pair: usize) -> u32 {
        self.slot[pair]
    }

    /// The first way home of a pair that still serves; what no longer does is dropped.
    pub fn way_home(&mut self, pair: usize, serves: impl Fn(u32) -> bool) -> Option<u32> {
        while self.first[pair] != NONE {
            let (slot, next) = self.chain[self.first[pair] as usize];
            if serves(slot) {
                return Some(slot);
            }
            self.first[pair] = next;
        }
        None
    }

    fn set(&mut self, pair: usize, cost: i8, slot: usize) {
        if cost < self.cost[pair] {
            self.cost[pair] = cost;
            self.slot[pair] = slot as u32;
        }
    }

    fn add_ways_home(&mut self, state: &State<'_>) {
        for &p in &state.touched {
            let p = p as usize;
            for &home in state.origins(p) {
                if home != NONE && state.is_in(home) && !state.holds(p, home) {
                    self.add_way_home(state, p, home);
                }
            }
        }
    }

    fn add_way_home(&mut self, state: &State<'_>, p: usize, home: u32) {
        for slot in state.slots(p) {
            let from = state.at(slot);
            if from == NONE || !state.may_cross(p, state.rack(from), state.rack(home)) {
                continue;
            }
            let pair = self.pair(from, home);
            self.set(pair, if state.held(p, from) { 0 } else { -1 }, slot);
            self.chain.push((slot as u32, self.first[pair]));
            self.first[pair] = self.chain.len() as u32 - 1;
        }
    }

    /// Guests first: what is new on the broker goes on at no cost; then what stood there from the start.
    fn add_from(&mut self, state: &State<'_>, from: u32, racks: &[usize]) {
        let mut missing = Missing::above(self.costs_from(from), 0, (state, from, racks));
        for &slot in state.guests(from) {
            let slot = slot as usize;
            if state.at(slot) == from && !state.held(state.partition_of(slot), from) {
                missing.take(state, slot, |to| self.set(self.pair(from, to), 0, slot));
            }
        }
        let mut missing = Missing::above(self.costs_from(from), 1, (state, from, racks));
        for &slot in state.guests(from).iter().chain(state.homes(from)) {
            let slot = slot as usize;
            if missing.left == 0 {
                return;
            }
            if state.at(slot) == from && state.held(state.partition_of(slot), from) {
                missing.take(state, slot, |to| self.set(self.pair(from, to), 1, slot));
            }
        }
    }
}

/// Brokers for which no slot at a cost was found yet, by rack.
struct Missing {
    from: u32,
    by_rack: Vec<(usize, Vec<u32>)>,
    left: usize,
}

impl Missing {
    fn above(costs: &[i8], cost: i8, (state, from, racks): (&State<'_>, u32, &[usize])) -> Missing {
        let dearer = |rack: usize| -> Vec<u32> {
            let brokers = state.in_rack[rack].iter().copied();
            brokers.filter(|&to| to != from && costs[to as usize] > cost).collect()
        };
        let by_rack: Vec<(usize, Vec<u32>)> = racks.iter().map(|&rack| (rack, dearer(rack))).collect();
        let left = by_rack.iter().map(|(_, brokers)| brokers.len()).sum();
        Missing { from, by_rack, left }
    }

    /// Crosses out each broker that the slot could go to.
    fn take(&mut self, state: &State<'_>, slot: usize, mut found: impl FnMut(u32)) {
        let p = state.partition_of(slot);
        let from = state.rack(self.from);
        for (rack, brokers) in &mut self.by_rack {
            if brokers.is_empty() || !state.may_cross(p, from, *rack) {
                continue;
            }
            let before = brokers.len();
            brokers.retain(|&to| {
                let stays = state.holds(p, to) || state.held(p, to);
                if !stays {
                    found(to);
                }
                stays
            });
            self.left -= before - brokers.len();
        }
    }
}

/// Of each rack, those between which some class lets replicas go.
fn open_pairs(state: &State<'_>) -> Vec<Vec<usize>> {
    let open = |a: usize, b: usize| a == b || state.classes.iter().any(|class| class.is_open(a) && class.is_open(b));
    let racks = state.problem.racks;
    (0..racks).map(|a| (0..racks).filter(|&b| open(a, b)).collect()).collect()
}
