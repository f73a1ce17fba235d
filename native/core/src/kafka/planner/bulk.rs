//! Replicas that go straight from a broker with too many to one with too few, many in one pass over the partitions.
//!
//! Only along arcs of cost 1 that lie on shortest ways: the plan stays the cheapest for what it has levelled. Followers go
//! before leaders. What is left needs ways of several brokers, and is the blocking search's.

use super::chance::mixed;
use super::exchanges::Exchanges;
use super::network::{FAR, Network};
use super::problem::NONE;
use super::state::State;

pub(super) struct Bulk<'b, 's, 'a, 'l> {
    state: &'b mut State<'a>,
    network: &'b mut Network<'l>,
    distances: &'s [i64],
    /// Of each broker that gives, who takes from it, by position; else `NONE`.
    gives_to: Vec<u32>,
    takers: Vec<Takers>,
    moved: u64,
}

/// Brokers at one distance.
struct Takers {
    distance: i64,
    /// Those of each rack that can take one.
    brokers: Vec<Vec<u32>>,
    /// How many those can take together.
    wanted: Vec<i64>,
}

impl<'b, 's, 'a, 'l> Bulk<'b, 's, 'a, 'l> {
    pub fn new(state: &'b mut State<'a>, network: &'b mut Network<'l>, distances: &'s [i64]) -> Bulk<'b, 's, 'a, 'l> {
        let gives_to = vec![NONE; network.brokers];
        Bulk { state, network, distances, gives_to, takers: Vec::new(), moved: 0 }
    }

    /// How many replicas were moved.
    pub fn run(mut self, exchanges: &mut Exchanges) -> u64 {
        let mut any = false;
        for from in 0..self.network.brokers {
            let distance = self.distances[from];
            if distance < FAR && self.spare(from) > 0 && self.state.is_in(from as u32) {
                let at = self.takers_at(distance + 1);
                if self.can_give(exchanges, from as u32, at) {
                    self.gives_to[from] = at;
                    any = true;
                }
            }
        }
        if any {
            self.pass(|first, end| first + 1..end);
            self.pass(|first, end| first..end.min(first + 1));
        }
        self.moved
    }

    fn can_give(&self, exchanges: &mut Exchanges, from: u32, at: u32) -> bool {
        let mut takers = self.takers[at as usize].brokers.iter().flatten();
        takers.any(|&to| to != from && exchanges.find(self.state, &[], (from, to), 1).is_some())
    }

    /// Position of the takers at a distance, gathered when first asked for.
    fn takers_at(&mut self, distance: i64) -> u32 {
        if let Some(at) = self.takers.iter().position(|takers| takers.distance == distance) {
            return at as u32;
        }
        let can_take = |&to: &u32| self.distances[to as usize] == distance && self.lack(to as usize) > 0;
        let takers = |brokers: &Vec<u32>| brokers.iter().copied().filter(can_take).collect();
        let brokers: Vec<Vec<u32>> = self.state.in_rack.iter().map(takers).collect();
        let wanted = brokers.iter().map(|takers| self.wanted(takers)).collect();
        self.takers.push(Takers { distance, brokers, wanted });
        self.takers.len() as u32 - 1
    }

    fn wanted(&self, takers: &[u32]) -> i64 {
        takers.iter().map(|&to| self.lack(to as usize)).sum()
    }

    /// Offers the slots that a part of each partition has where they were at the start.
    fn pass(&mut self, part: impl Fn(usize, usize) -> std::ops::Range<usize>) {
        for p in 0..self.state.problem.partitions() {
            if self.state.problem.pulse.is_stopped() {
                return;
            }
            let slots = self.state.slots(p);
            for slot in part(slots.start, slots.end) {
                let from = self.state.at(slot);
                if from != NONE && self.gives_to[from as usize] != NONE && self.state.origin(slot) == from {
                    self.offer((p, slot), from as usize);
                }
            }
        }
    }

    /// What a broker can give: its own excess, or a token that its group has too much.
    fn spare(&self, from: usize) -> i64 {
        let own = self.network.excess[from].max(0);
        if own > 0 || !self.network.has_token[from] {
            return own;
        }
        let group = self.network.group_node(from).expect("tokens are a group's");
        i64::from(self.network.excess[group] > 0 && self.distances[group] == self.distances[from])
    }

    /// What a broker at the end of a shortest way can take: what it lacks, or else a token that its group still has.
    fn lack(&self, to: usize) -> i64 {
        let own = (-self.network.excess[to]).max(0);
        if own > 0 || self.network.has_token[to] {
            return own;
        }
        let due = |group: usize| self.network.excess[group] < 0 && self.distances[group] == self.distances[to];
        i64::from(self.network.group_node(to).is_some_and(due))
    }

    /// Moves one replica to the rack that wants most, if one can take it.
    fn offer(&mut self, (p, slot): (usize, usize), from: usize) {
        if self.spare(from) == 0 {
            self.gives_to[from] = NONE;
            return;
        }
        let home = self.state.rack(from as u32);
        let takers = &self.takers[self.gives_to[from] as usize];
        let mut best = (0, NONE);
        for (rack, &wanted) in takers.wanted.iter().enumerate() {
            if wanted > best.0 && self.state.may_cross(p, home, rack) {
                best = self.taker(p, slot, (rack, &takers.brokers[rack])).map_or(best, |to| (wanted, to));
            }
        }
        if best.1 != NONE {
            self.move_to(slot, (from, best.1 as usize));
        }
    }

    fn taker(&self, p: usize, slot: usize, (rack, takers): (usize, &[u32])) -> Option<u32> {
        let start = mixed(slot as u32, rack as u32) as usize % takers.len();
        let fits = |to: &&u32| !self.state.holds(p, **to) && !self.state.held(p, **to);
        takers[start..].iter().chain(&takers[..start]).find(fits).copied()
    }

    fn move_to(&mut self, slot: usize, (from, to): (usize, usize)) {
        let rack = self.state.rack(to as u32);
        let before = self.lack(to);
        self.leave(from);
        let sates = self.arrive(to);
        self.state.put(slot, to as u32);
        self.moved += 1;
        let after = self.lack(to);
        let takers = &mut self.takers[self.gives_to[from] as usize];
        takers.wanted[rack] += after - before;
        if after == 0 {
            takers.brokers[rack].retain(|&taker| taker != to as u32);
        }
        if sates {
            self.drop_sated();
        }
    }

    fn leave(&mut self, from: usize) {
        if self.network.excess[from] > 0 {
            self.network.excess[from] -= 1;
        } else {
            self.network.has_token[from] = false;
            let group = self.network.group_node(from).expect("tokens are a group's");
            self.network.excess[group] -= 1;
        }
    }

    /// True where the last token of a group was taken.
    fn arrive(&mut self, to: usize) -> bool {
        if self.network.excess[to] < 0 {
            self.network.excess[to] += 1;
            return false;
        }
        self.network.has_token[to] = true;
        let group = self.network.group_node(to).expect("only a token was lacking");
        self.network.excess[group] += 1;
        self.network.excess[group] == 0
    }

    /// A group's last token is gone: its brokers at `low` take no more.
    fn drop_sated(&mut self) {
        for at in 0..self.takers.len() {
            for rack in 0..self.takers[at].brokers.len() {
                let takers = std::mem::take(&mut self.takers[at].brokers[rack]);
                let takers: Vec<u32> = takers.into_iter().filter(|&to| self.lack(to as usize) > 0).collect();
                self.takers[at].wanted[rack] = self.wanted(&takers);
                self.takers[at].brokers[rack] = takers;
            }
        }
    }
}
