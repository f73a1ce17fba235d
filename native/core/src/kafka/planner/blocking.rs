//! The blocking search: along shortest ways from nodes with too much to nodes with too little, one replica a push, until no
//! way is left in the layers.
//!
//! Depth first, with a place kept in each node's arcs. The replica that serves an arc is looked up when it is needed, so
//! that each push is legal, and costs what the arc says, at that moment; then every set stays the cheapest for the same
//! potentials, and no cycle can become cheaper than nothing. One partition is not used twice on a way; where only that would
//! help, `single_way` does it.

use super::exchanges::{NO_ARC, each_way_home};
use super::network::{FAR, Network};
use super::problem::NONE;
use super::state::State;

const UNSEEN: u32 = u32::MAX;

/// So many replicas that fit and do not serve, and the arc is left to the next round of distances.
const PATIENCE: usize = 2000;

pub(super) struct Blocking<'b, 's, 'a, 'l> {
    state: &'b mut State<'a>,
    network: &'b mut Network<'l>,
    distances: &'s [i64],
    ways_home: WaysHome,
    /// Fewest arcs from a node with too much.
    layer: Vec<u32>,
    /// Where each broker's list is read on, by rack to go to and cost, 0 or 1.
    cursors: Vec<u32>,
    next_arc: Vec<usize>,
    is_closed: Vec<bool>,
    /// Nodes of the way, and the slots of its arcs (`NONE` for a token).
    nodes: Vec<usize>,
    slots: Vec<u32>,
    pub pushed: u64,
}

impl<'b, 's, 'a, 'l> Blocking<'b, 's, 'a, 'l> {
    pub fn new(
        state: &'b mut State<'a>,
        network: &'b mut Network<'l>,
        distances: &'s [i64],
    ) -> Blocking<'b, 's, 'a, 'l> {
        state.list_by_broker();
        let ways_home = WaysHome::of(state);
        let (layer, _) = layers(network, distances);
        let cursors = vec![0; network.brokers * state.problem.racks * 2];
        let (next_arc, is_closed) = (Vec::new(), Vec::new());
        let (nodes, slots) = (Vec::new(), Vec::new());
        Blocking { state, network, distances, ways_home, layer, cursors, next_arc, is_closed, nodes, slots, pushed: 0 }
    }

    pub fn run(&mut self) {
        loop {
            self.next_arc = vec![0; self.network.nodes()];
            self.is_closed = vec![false; self.network.nodes()];
            let before = self.pushed;
            for source in 0..self.network.nodes() {
                while !self.is_stopped() && self.network.excess[source] > 0 && self.search(source) {
                    self.push();
                }
            }
            if self.pushed == before || self.is_stopped() {
                return;
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.state.problem.pulse.is_stopped()
    }

    /// Finds a way to a node that lacks something; leaves it in `nodes` and `slots`.
    fn search(&mut self, source: usize) -> bool {
        self.nodes.clear();
        self.slots.clear();
        self.nodes.push(source);
        self.is_closed[source] = true;
        while let Some(&from) = self.nodes.last() {
            if let Some(to) = self.advance(from) {
                self.is_closed[to] = true;
                self.nodes.push(to);
                if self.network.excess[to] < 0 {
                    return true;
                }
            } else {
                self.retreat();
            }
        }
        false
    }

    fn retreat(&mut self) {
        self.nodes.pop();
        self.slots.pop();
        if let Some(&back) = self.nodes.last() {
            self.next_arc[back] += 1;
        }
    }

    /// The next open node one layer on, once a slot that serves the arc is pushed to `slots`.
    fn advance(&mut self, from: usize) -> Option<usize> {
        while self.next_arc[from] < self.network.nodes() {
            let to = self.next_arc[from];
            let is_next = !self.is_closed[to] && self.layer[to] == self.layer[from].wrapping_add(1);
            if let Some(slot) = is_next.then(|| self.served(from, to)).flatten() {
                self.slots.push(slot);
                return Some(to);
            }
            self.next_arc[from] += 1;
        }
        None
    }

    /// A slot for the arc, `NONE` for a token; no answer where there is no such arc now.
    fn served(&mut self, from: usize, to: usize) -> Option<u32> {
        let network = &self.network;
        let step = self.distances[to] - self.distances[from];
        if from < network.brokers && to < network.brokers {
            let cost = network.exchanges.costs_from(from as u32)[to];
            return if cost != NO_ARC && i64::from(cost) == step {
                self.slot_for((from as u32, to as u32), cost)
            } else {
                None
            };
        }
        let (broker, group, takes) = if from < network.brokers { (from, to, true) } else { (to, from, false) };
        let is_arc = broker < network.brokers
            && network.group_node(broker) == Some(group)
            && network.has_token[broker] != takes
            && step == 0;
        is_arc.then_some(NONE)
    }

    fn slot_for(&mut self, (from, to): (u32, u32), cost: i8) -> Option<u32> {
        let pair = self.network.exchanges.pair(from, to);
        let known = self.network.exchanges.slot(pair);
        let fit = Fit { state: self.state, taken: &self.slots, from, to, cost };
        if fit.serves(known) {
            return Some(known);
        }
        if cost <= 0 {
            let home = self.ways_home.first(pair, |slot| fit.serves(slot));
            if home.is_some() {
                return home;
            }
        }
        if cost >= 0 { self.scan((from, to), cost) } else { None }
    }

    /// Reads on in the broker's list; what can never go to that rack at that cost again is left behind.
    fn scan(&mut self, (from, to): (u32, u32), cost: i8) -> Option<u32> {
        let fit = Fit { state: self.state, taken: &self.slots, from, to, cost };
        let (homes, guests) = self.state.homes_and_guests(from);
        let rack = self.state.rack(to);
        let at = (from as usize * self.state.problem.racks + rack) * 2 + cost as usize;
        let first = if cost == 0 { homes.len() } else { 0 };
        let mut next = (self.cursors[at] as usize).max(first);
        let (mut passed, mut is_prefix) = (0, true);
        while next < homes.len() + guests.len() && passed <= PATIENCE {
            let slot = homes.get(next).copied().unwrap_or_else(|| guests[next - homes.len()]);
            next += 1;
            if !fit.fits_rack(slot, rack) {
                if is_prefix {
                    self.cursors[at] = next as u32;
                }
                continue;
            }
            is_prefix = false;
            passed += 1;
            if fit.finds_room(slot) {
                return Some(slot);
            }
        }
        None
    }

    fn push(&mut self) {
        for i in 0..self.slots.len() {
            step(self.state, self.network, (self.nodes[i], self.nodes[i + 1]), self.slots[i]);
        }
        let (first, last) = (self.nodes[0], self.nodes[self.nodes.len() - 1]);
        self.network.excess[first] -= 1;
        self.network.excess[last] += 1;
        for &node in &self.nodes {
            self.is_closed[node] = false;
        }
        self.pushed += 1;
    }
}

/// One arc of a way: a replica moves, or a token changes hands.
fn step(state: &mut State<'_>, network: &mut Network<'_>, (from, to): (usize, usize), slot: u32) {
    if slot != NONE {
        state.put(slot as usize, to as u32);
    } else if from < network.brokers {
        network.has_token[from] = true;
    } else {
        network.has_token[to] = false;
    }
}

/// Slots that could go home, by pair of brokers.
struct WaysHome {
    /// First of the chain of each pair.
    first: Vec<u32>,
    /// Slot and next of the chain.
    chain: Vec<(u32, u32)>,
}

impl WaysHome {
    fn of(state: &State<'_>) -> WaysHome {
        let brokers = state.load.len();
        let (mut first, mut chain) = (vec![NONE; brokers * brokers], Vec::new());
        each_way_home(state, |slot, (from, home), _| {
            let first = &mut first[from as usize * brokers + home as usize];
            chain.push((slot as u32, *first));
            *first = chain.len() as u32 - 1;
        });
        WaysHome { first, chain }
    }

    /// The first of a pair that still serves; what no longer does is dropped.
    fn first(&mut self, pair: usize, serves: impl Fn(u32) -> bool) -> Option<u32> {
        while self.first[pair] != NONE {
            let (slot, next) = self.chain[self.first[pair] as usize];
            if serves(slot) {
                return Some(slot);
            }
            self.first[pair] = next;
        }
        None
    }
}

/// What a slot must be to serve an arc.
struct Fit<'f, 'a> {
    state: &'f State<'a>,
    /// Slots of the way so far.
    taken: &'f [u32],
    from: u32,
    to: u32,
    cost: i8,
}

impl Fit<'_, '_> {
    fn serves(&self, slot: u32) -> bool {
        let Fit { state, from, to, .. } = *self;
        if slot == NONE || state.at(slot as usize) != from {
            return false;
        }
        let p = state.partition_of(slot as usize);
        let cost = i8::from(!state.held(p, to)) - i8::from(!state.held(p, from));
        cost == self.cost
            && !state.holds(p, to)
            && state.may_cross(p, state.rack(from), state.rack(to))
            && !self.is_taken(p)
    }

    /// Whether a slot that fits the rack serves: both costs ask for a broker that never held the partition.
    fn finds_room(&self, slot: u32) -> bool {
        let p = self.state.partition_of(slot as usize);
        !self.state.held(p, self.to) && !self.state.holds(p, self.to) && !self.is_taken(p)
    }

    fn is_taken(&self, p: usize) -> bool {
        self.taken.iter().any(|&slot| slot != NONE && self.state.partition_of(slot as usize) == p)
    }

    fn fits_rack(&self, slot: u32, rack: usize) -> bool {
        let Fit { state, from, .. } = *self;
        if state.at(slot as usize) != from {
            return false;
        }
        let p = state.partition_of(slot as usize);
        state.held(p, from) == (self.cost == 1) && state.may_cross(p, state.rack(from), rack)
    }
}

/// Breadth first over the arcs that lie on shortest ways; also the node before each.
fn layers(network: &Network<'_>, distances: &[i64]) -> (Vec<u32>, Vec<usize>) {
    let mut layer = vec![UNSEEN; network.nodes()];
    let mut before = vec![usize::MAX; network.nodes()];
    let mut open: Vec<usize> = (0..network.nodes()).filter(|&node| network.excess[node] > 0).collect();
    for &node in &open {
        layer[node] = 0;
    }
    let mut next = 0;
    while next < open.len() {
        let from = open[next];
        next += 1;
        network.each_arc(from, |to, cost| {
            if layer[to] == UNSEEN && distances[to] < FAR && distances[to] == distances[from] + cost {
                layer[to] = layer[from] + 1;
                before[to] = from;
                open.push(to);
            }
        });
    }
    (layer, before)
}

/// One way of fewest arcs among the shortest, by the slots that the network names. It may use a partition twice: with fewest
/// arcs no shorter cut exists, so that both exchanges together are legal. False where no node that lacks can be reached.
pub(super) fn single_way(state: &mut State<'_>, network: &mut Network<'_>, distances: &[i64]) -> bool {
    let (_, before) = layers(network, distances);
    let lacking = (0..network.nodes()).filter(|&node| network.excess[node] < 0 && before[node] != usize::MAX);
    let Some(last) = lacking.min_by_key(|&node| (distances[node], node)) else { return false };
    let mut to = last;
    while before[to] != usize::MAX {
        let from = before[to];
        let is_exchange = from < network.brokers && to < network.brokers;
        let pair = if is_exchange { network.exchanges.pair(from as u32, to as u32) } else { 0 };
        let slot = if is_exchange { network.exchanges.slot(pair) } else { NONE };
        step(state, network, (from, to), slot);
        to = from;
    }
    network.excess[to] -= 1;
    network.excess[last] += 1;
    true
}
