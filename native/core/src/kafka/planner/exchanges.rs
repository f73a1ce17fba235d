//! The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
//!
//! +1: a replica that stood still moves. 0: one that moves anyway goes elsewhere, or one that stayed takes the place of
//! another that could. -1: one goes home. Of several slots that do it at that cost the lowest is named. The partitions are
//! read in order, not broker by broker: a replica apart from the last one read costs a walk to memory.

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
}

impl Exchanges {
    pub fn of(state: &State<'_>) -> Exchanges {
        let brokers = state.load.len();
        let pairs = brokers * brokers;
        let mut exchanges = Exchanges { brokers, cost: vec![NO_ARC; pairs], slot: vec![NONE; pairs] };
        each_way_home(state, |slot, (from, home), cost| exchanges.set(exchanges.pair(from, home), cost, slot));
        let mut missing = Missing::of(state);
        for p in (0..state.problem.partitions()).filter(|&p| state.is_touched(p)) {
            missing.take(state, p, 0, &mut exchanges);
        }
        let mut missing = Missing::of(state);
        for p in 0..state.problem.partitions() {
            missing.take(state, p, 1, &mut exchanges);
            if missing.left == 0 || state.problem.pulse.is_stopped() {
                break;
            }
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

    fn set(&mut self, pair: usize, cost: i8, slot: usize) {
        if cost < self.cost[pair] {
            self.cost[pair] = cost;
            self.slot[pair] = slot as u32;
        }
    }
}

/// Every slot of a touched partition that could go to a broker which held it at the start, with that pair and the cost.
pub(super) fn each_way_home(state: &State<'_>, mut way: impl FnMut(usize, (u32, u32), i8)) {
    for p in (0..state.problem.partitions()).filter(|&p| state.is_touched(p)) {
        for &home in state.origins(p) {
            if home == NONE || !state.is_in(home) || state.holds(p, home) {
                continue;
            }
            for slot in state.slots(p) {
                let from = state.at(slot);
                if from != NONE && state.may_cross(p, state.rack(from), state.rack(home)) {
                    way(slot, (from, home), if state.held(p, from) { 0 } else { -1 });
                }
            }
        }
    }
}

/// Of each broker, the brokers for which no slot at a cost was found yet.
struct Missing {
    racks: usize,
    /// By broker and rack; `None` while the whole rack is missing.
    brokers: Vec<Option<Vec<u32>>>,
    /// Of each broker, the racks of which some are, as bits.
    bits: Vec<u64>,
    /// Of each class, the racks that may have one more than the least, as bits.
    open: Vec<u64>,
    /// Pairs of a broker and a rack of which some are.
    left: usize,
}

/// A bit of a rack; beyond 64 racks several share one, and the bit says only that it is worth a look.
fn bit(rack: usize) -> u64 {
    1 << (rack % 64)
}

impl Missing {
    fn of(state: &State<'_>) -> Missing {
        let (racks, brokers) = (state.problem.racks, state.load.len());
        let open = |class: &super::rule::Class| (0..racks).filter(|&r| class.is_open(r)).fold(0, |all, r| all | bit(r));
        let open = state.classes.iter().map(open).collect();
        let mut missing =
            Missing { racks, brokers: vec![Some(Vec::new()); brokers * racks], bits: vec![0; brokers], open, left: 0 };
        let pairs = open_pairs(state);
        for from in (0..brokers).filter(|&from| state.is_in(from as u32)) {
            for &rack in pairs[state.rack(from as u32)].iter().filter(|&&rack| !state.in_rack[rack].is_empty()) {
                missing.brokers[from * racks + rack] = None;
                missing.bits[from] |= bit(rack);
                missing.left += 1;
            }
        }
        missing
    }

    /// Crosses out the brokers that the slots of a partition could go to at a cost.
    fn take(&mut self, state: &State<'_>, p: usize, cost: i8, exchanges: &mut Exchanges) {
        for slot in state.slots(p) {
            let from = state.at(slot);
            if from == NONE || self.bits[from as usize] == 0 || state.held(p, from) != (cost == 1) {
                continue;
            }
            let mut bits = self.bits[from as usize] & self.reachable(state, p, state.rack(from));
            while bits != 0 {
                let first = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                for rack in (first..self.racks).step_by(64) {
                    if state.may_cross(p, state.rack(from), rack) {
                        self.take_rack(state, (p, slot), (from, rack), (cost, exchanges));
                    }
                }
            }
        }
    }

    /// Racks that a replica of a partition may go to from a rack, and perhaps others.
    fn reachable(&self, state: &State<'_>, p: usize, home: usize) -> u64 {
        let class = state.class(p);
        if !class.is_open(home) || state.count_in(p, home) <= class.low[home] {
            return bit(home);
        }
        let mut open = self.open[state.problem.factor(p)];
        for &broker in state.holders(p).iter().filter(|&&broker| broker != NONE && self.racks <= 64) {
            let rack = state.rack(broker);
            if state.count_in(p, rack) >= class.high[rack] {
                open &= !bit(rack);
            }
        }
        open | bit(home)
    }

    fn take_rack(
        &mut self,
        state: &State<'_>,
        (p, slot): (usize, usize),
        (from, rack): (u32, usize),
        (cost, exchanges): (i8, &mut Exchanges),
    ) {
        let known = &mut self.brokers[from as usize * self.racks + rack];
        if known.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let mut keeps = |to: u32| {
            let pair = exchanges.pair(from, to);
            if exchanges.cost[pair] <= cost {
                return false;
            }
            let stays = state.holds(p, to) || state.held(p, to);
            if !stays {
                exchanges.set(pair, cost, slot);
            }
            stays
        };
        if let Some(brokers) = known {
            brokers.retain(|&to| keeps(to));
        } else {
            let brokers = state.in_rack[rack].iter().copied();
            *known = Some(brokers.filter(|&to| to != from && keeps(to)).collect());
        }
        if known.as_ref().is_some_and(Vec::is_empty) {
            self.left -= 1;
            if self.racks <= 64 {
                self.bits[from as usize] &= !bit(rack);
            }
        }
    }
}

/// Of each rack, those between which some class lets replicas go.
fn open_pairs(state: &State<'_>) -> Vec<Vec<usize>> {
    let open = |a: usize, b: usize| a == b || state.classes.iter().any(|class| class.is_open(a) && class.is_open(b));
    let racks = state.problem.racks;
    (0..racks).map(|a| (0..racks).filter(|&b| open(a, b)).collect()).collect()
}
