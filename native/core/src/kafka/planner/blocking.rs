//! The blocking search: along shortest ways from nodes with too much to nodes with too little, one replica a push, until no
//! way is left in the layers.
//!
//! Depth first, with a place kept in each node's arcs. The replica that serves an arc is looked up when it is needed, so
//! that each push is legal, and costs what the arc says, at that moment; then every set stays the cheapest for the same
//! potentials, and no cycle can become cheaper than nothing. One partition is not used twice on a way; where only that would
//! help, `single_way` does it.

use super::exchanges::{Exchanges, Seeker};
use super::network::{FAR, Network};
use super::problem::NONE;
use super::state::State;

const UNSEEN: u32 = u32::MAX;

pub(super) struct Blocking<'b, 's, 'a, 'l> {
    state: &'b mut State<'a>,
    network: &'b mut Network<'l>,
    exchanges: &'b mut Exchanges,
    distances: &'s [i64],
    layers: Layers,
    next_arc: Vec<usize>,
    is_closed: Vec<bool>,
    /// Nodes of the way, and the partitions of its arcs (`NONE` for a token).
    nodes: Vec<usize>,
    partitions: Vec<u32>,
}

impl<'b, 's, 'a, 'l> Blocking<'b, 's, 'a, 'l> {
    pub fn new(
        state: &'b mut State<'a>,
        network: &'b mut Network<'l>,
        exchanges: &'b mut Exchanges,
        distances: &'s [i64],
    ) -> Blocking<'b, 's, 'a, 'l> {
        let layers = Layers::of(state, network, exchanges, distances);
        let (next_arc, is_closed) = (Vec::new(), Vec::new());
        let (nodes, partitions) = (Vec::new(), Vec::new());
        Blocking { state, network, exchanges, distances, layers, next_arc, is_closed, nodes, partitions }
    }

    /// How many replicas were pushed.
    pub fn run(mut self) -> u64 {
        let mut pushed = 0;
        loop {
            self.next_arc = vec![0; self.network.nodes()];
            self.is_closed = vec![false; self.network.nodes()];
            let before = pushed;
            for source in 0..self.network.nodes() {
                while !self.is_stopped() && self.network.excess[source] > 0 && self.search(source) {
                    self.push();
                    pushed += 1;
                }
            }
            if pushed == before || self.is_stopped() {
                return pushed;
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.state.problem.pulse.is_stopped()
    }

    /// Finds a way to a node that lacks something; leaves it in `nodes` and `partitions`.
    fn search(&mut self, source: usize) -> bool {
        self.nodes.clear();
        self.partitions.clear();
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
        self.partitions.pop();
        if let Some(&back) = self.nodes.last() {
            self.next_arc[back] += 1;
        }
    }

    /// The next open node one layer on, once a partition that serves the arc is pushed to `partitions`.
    fn advance(&mut self, from: usize) -> Option<usize> {
        while let Some(&to) = self.layers.after(from).get(self.next_arc[from]) {
            if let Some(partition) = self.served(from, to) {
                self.partitions.push(partition);
                return Some(to);
            }
            self.next_arc[from] += 1;
        }
        None
    }

    /// A partition for the arc, `NONE` for a token; no answer where there is no such arc now.
    fn served(&mut self, from: usize, to: usize) -> Option<u32> {
        if self.is_closed[to] {
            return None;
        }
        let network = &self.network;
        let step = self.distances[to] - self.distances[from];
        if from < network.brokers && to < network.brokers {
            let cost = i8::try_from(step).ok().filter(|cost| (-1..=1).contains(cost))?;
            return self.exchanges.find(self.state, &self.partitions, (from as u32, to as u32), cost);
        }
        let (broker, group, takes) = if from < network.brokers { (from, to, true) } else { (to, from, false) };
        let is_arc = broker < network.brokers
            && network.group_node(broker) == Some(group)
            && network.has_token[broker] != takes
            && step == 0;
        is_arc.then_some(NONE)
    }

    fn push(&mut self) {
        for i in 0..self.partitions.len() {
            step(self.state, self.network, (self.nodes[i], self.nodes[i + 1]), self.partitions[i]);
        }
        self.exchanges.update(self.state);
        let (first, last) = (self.nodes[0], self.nodes[self.nodes.len() - 1]);
        self.network.excess[first] -= 1;
        self.network.excess[last] += 1;
        for &node in &self.nodes {
            self.is_closed[node] = false;
        }
    }
}

/// One arc of a way: a replica moves, or a token changes hands.
fn step(state: &mut State<'_>, network: &mut Network<'_>, (from, to): (usize, usize), partition: u32) {
    if partition != NONE {
        state.give(partition, from as u32, to as u32);
    } else if from < network.brokers {
        network.has_token[from] = true;
    } else {
        network.has_token[to] = false;
    }
}

/// Nodes by the fewest arcs from one with too much, over the arcs that lie on shortest ways.
struct Layers {
    layer: Vec<u32>,
    /// Nodes of each layer, ascending.
    nodes: Vec<Vec<usize>>,
    /// The node before each, and the partition of the arc.
    before: Vec<Option<(usize, u32)>>,
}

impl Layers {
    fn of(state: &State<'_>, network: &Network<'_>, exchanges: &mut Exchanges, distances: &[i64]) -> Layers {
        let mut layering = Layering {
            distances,
            from: 0,
            layer: vec![UNSEEN; network.nodes()],
            before: vec![None; network.nodes()],
            open: (0..network.nodes()).filter(|&node| network.excess[node] > 0).collect(),
        };
        for &node in &layering.open {
            layering.layer[node] = 0;
        }
        let mut next = 0;
        while next < layering.open.len() {
            layering.from = layering.open[next];
            next += 1;
            network.seek(state, exchanges, layering.from, &mut layering);
        }
        let Layering { layer, before, open, .. } = layering;
        let mut nodes = vec![Vec::new(); open.last().map_or(0, |&last| layer[last] as usize + 2)];
        for (node, &at) in layer.iter().enumerate().filter(|&(_, &at)| at != UNSEEN) {
            nodes[at as usize].push(node);
        }
        Layers { layer, nodes, before }
    }

    /// Nodes one layer on.
    fn after(&self, node: usize) -> &[usize] {
        &self.nodes[self.layer[node] as usize + 1]
    }
}

/// Looks for nodes of the next layer.
struct Layering<'d> {
    distances: &'d [i64],
    from: usize,
    layer: Vec<u32>,
    before: Vec<Option<(usize, u32)>>,
    open: Vec<usize>,
}

impl Seeker for Layering<'_> {
    fn wants(&self, to: u32, cost: i8) -> bool {
        let distance = self.distances[to as usize];
        self.layer[to as usize] == UNSEEN && distance < FAR && distance == self.distances[self.from] + i64::from(cost)
    }

    fn finds(&mut self, to: u32, _: i8, partition: u32) {
        self.layer[to as usize] = self.layer[self.from] + 1;
        self.before[to as usize] = Some((self.from, partition));
        self.open.push(to as usize);
    }
}

/// One way of fewest arcs among the shortest. It may use a partition twice: with fewest arcs no shorter cut exists, so that
/// both exchanges together are legal. False where no node that lacks can be reached.
pub(super) fn single_way(
    state: &mut State<'_>,
    network: &mut Network<'_>,
    exchanges: &mut Exchanges,
    distances: &[i64],
) -> bool {
    let Layers { before, .. } = Layers::of(state, network, exchanges, distances);
    let lacking = (0..network.nodes()).filter(|&node| network.excess[node] < 0 && before[node].is_some());
    let Some(last) = lacking.min_by_key(|&node| (distances[node], node)) else { return false };
    let mut to = last;
    while let Some((from, partition)) = before[to] {
        step(state, network, (from, to), partition);
        to = from;
    }
    exchanges.update(state);
    network.excess[to] -= 1;
    network.excess[last] += 1;
    true
}
