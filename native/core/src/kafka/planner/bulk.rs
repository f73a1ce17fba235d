//! Replicas that go straight from a broker with too many to one with too few, many in one pass over the giver's replicas.
//!
//! Only along arcs of cost 1 that lie on shortest ways: the plan stays the cheapest for what it has levelled. Followers go
//! before leaders. What is left needs ways of several brokers, and is the blocking search's.

use super::chance::mixed;
use super::network::{FAR, Network};
use super::state::State;

pub(super) struct Bulk<'b, 's, 'a, 'l> {
    state: &'b mut State<'a>,
    network: &'b mut Network<'l>,
    distances: &'s [i64],
    /// Brokers of each rack that can take one, and how many they can take together.
    takers: Vec<Vec<u32>>,
    wanted: Vec<i64>,
    pub moved: u64,
}

impl<'b, 's, 'a, 'l> Bulk<'b, 's, 'a, 'l> {
    pub fn new(state: &'b mut State<'a>, network: &'b mut Network<'l>, distances: &'s [i64]) -> Bulk<'b, 's, 'a, 'l> {
        let racks = state.problem.racks;
        let (takers, wanted) = (vec![Vec::new(); racks], vec![0; racks]);
        Bulk { state, network, distances, takers, wanted, moved: 0 }
    }

    pub fn run(&mut self) {
        for from in 0..self.network.brokers {
            let distance = self.distances[from];
            if distance < FAR && self.spare(from) > 0 && self.state.is_in(from as u32) {
                self.gather(distance + 1);
                self.give(from);
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

    fn gather(&mut self, distance: i64) {
        for rack in 0..self.takers.len() {
            let brokers = self.state.in_rack[rack].iter().copied();
            let takers = brokers.filter(|&to| self.distances[to as usize] == distance && self.lack(to as usize) > 0);
            self.takers[rack] = takers.collect();
            self.wanted[rack] = self.takers[rack].iter().map(|&to| self.lack(to as usize)).sum();
        }
    }

    fn give(&mut self, from: usize) {
        for leaders in [false, true] {
            for i in 0..self.state.homes(from as u32).len() {
                if self.spare(from) == 0 || self.takers.iter().all(Vec::is_empty) {
                    return;
                }
                let slot = self.state.homes(from as u32)[i] as usize;
                let p = self.state.partition_of(slot);
                let leads = slot == self.state.slots(p).start;
                if leads == leaders && self.state.at(slot) == from as u32 {
                    self.offer(slot, from);
                }
            }
        }
    }

    /// Moves one replica to the rack that wants most, if one can take it.
    fn offer(&mut self, slot: usize, from: usize) {
        let p = self.state.partition_of(slot);
        let home = self.state.rack(from as u32);
        let mut best = (0, 0, 0);
        for rack in 0..self.takers.len() {
            if self.wanted[rack] > best.0 && self.state.may_cross(p, home, rack) {
                best = self.taker(p, (slot, rack)).map_or(best, |to| (self.wanted[rack], rack, to));
            }
        }
        if best.0 > 0 {
            self.move_to(slot, (from, best.2 as usize), best.1);
        }
    }

    fn taker(&self, p: usize, (slot, rack): (usize, usize)) -> Option<u32> {
        let takers = &self.takers[rack];
        let start = mixed(slot as u32, rack as u32) as usize % takers.len();
        let fits = |to: &&u32| !self.state.holds(p, **to) && !self.state.held(p, **to);
        takers[start..].iter().chain(&takers[..start]).find(fits).copied()
    }

    fn move_to(&mut self, slot: usize, (from, to): (usize, usize), rack: usize) {
        let before = self.lack(to);
        self.leave(from);
        self.arrive(to);
        self.state.put(slot, to as u32);
        self.moved += 1;
        let after = self.lack(to);
        self.wanted[rack] += after - before;
        if after == 0 {
            self.takers[rack].retain(|&taker| taker != to as u32);
        }
        if self.network.group_node(to).is_some_and(|group| self.network.excess[group] == 0) {
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

    fn arrive(&mut self, to: usize) {
        if self.network.excess[to] < 0 {
            self.network.excess[to] += 1;
        } else {
            self.network.has_token[to] = true;
            let group = self.network.group_node(to).expect("only a token was lacking");
            self.network.excess[group] += 1;
        }
    }

    /// A group's last token is gone: its brokers at `low` take no more.
    fn drop_sated(&mut self) {
        for rack in 0..self.takers.len() {
            let takers = std::mem::take(&mut self.takers[rack]);
            self.takers[rack] = takers.into_iter().filter(|&to| self.lack(to as usize) > 0).collect();
            self.wanted[rack] = self.takers[rack].iter().map(|&to| self.lack(to as usize)).sum();
        }
    }
}
