//! The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
//!
//! +1: a replica that stood still moves. 0: one that moves anyway goes elsewhere, or one that stayed takes the place of
//! another that could. -1: one goes home. The graph is not written down: an arc is looked up when it is asked for, so that a
//! replica that serves it is known to do so now, and brokers that nobody asks about cost nothing.

use super::changed::Changed;
use super::pairs::Pair;
use super::state::State;
use super::supply::Supply;
use super::ways_home::WaysHome;

pub(super) struct Exchanges {
    ways_home: WaysHome,
    supply: Supply,
    changed: Changed,
    /// Racks that a replica of each rack may go to.
    open: Vec<Vec<usize>>,
}

/// Who looks for brokers that arcs lead to.
pub(super) trait Seeker {
    /// Whether an arc to that broker at that cost would help.
    fn wants(&self, to: u32, cost: i8) -> bool;
    /// An arc that was wanted, and a partition that serves it.
    fn finds(&mut self, to: u32, cost: i8, partition: u32);
}

impl Exchanges {
    /// Where no arc of cost 1 will be asked for.
    pub fn of_changes(state: &mut State<'_>) -> Exchanges {
        let (ways_home, supply) = (WaysHome::new(state.load.len()), Supply::new(state));
        let changed = Changed::new(state.load.len());
        let mut exchanges = Exchanges { ways_home, supply, changed, open: open_pairs(state) };
        exchanges.update(state);
        exchanges
    }

    pub fn new(state: &mut State<'_>) -> Exchanges {
        let mut exchanges = Exchanges::of_changes(state);
        exchanges.supply.make_ready(state, &exchanges.open);
        exchanges
    }

    /// Partitions that have changed since are looked at again.
    pub fn update(&mut self, state: &mut State<'_>) {
        let mut lost = Vec::new();
        for p in state.take_changed() {
            if state.problem.pulse.is_stopped() {
                return;
            }
            let p = p as usize;
            lost.clear();
            lost.extend(state.lost(p));
            self.ways_home.add(state, p, &lost);
            self.changed.add(state, p, &lost);
        }
    }

    /// A partition of which a replica can go at exactly that cost, and that is not on the way so far.
    pub fn find(&mut self, state: &State<'_>, way: &[u32], pair: Pair, cost: i8) -> Option<u32> {
        if cost == 0 {
            self.ways_home.complete(state);
        }
        let home = if cost <= 0 { self.ways_home.find(state, way, pair, cost) } else { None };
        if home.is_some() || cost < 0 {
            return home;
        }
        self.supply.find((state, &self.changed), way, pair, cost)
    }

    /// All arcs from a broker that are wanted, the cheapest first.
    pub fn seek(&mut self, state: &State<'_>, from: u32, seeker: &mut impl Seeker) {
        self.seek_homes(state, (from, -1), seeker);
        self.seek_homes(state, (from, 0), seeker);
        if !state.is_in(from) {
            return;
        }
        if !self.changed.guests[from as usize].is_empty() {
            self.seek_racks(state, (from, 0), seeker);
        }
        self.seek_racks(state, (from, 1), seeker);
    }

    fn seek_homes(&mut self, state: &State<'_>, (from, cost): (u32, i8), seeker: &mut impl Seeker) {
        if cost == 0 && self.changed.losers.iter().any(|&to| seeker.wants(to, 0)) {
            self.ways_home.complete(state);
        }
        for i in 0..self.ways_home.homes(from).len() {
            let to = self.ways_home.homes(from)[i];
            let found = seeker.wants(to, cost).then(|| self.ways_home.find(state, &[], (from, to), cost)).flatten();
            if let Some(partition) = found {
                seeker.finds(to, cost, partition);
            }
        }
    }

    fn seek_racks(&mut self, state: &State<'_>, (from, cost): (u32, i8), seeker: &mut impl Seeker) {
        for &rack in &self.open[state.rack(from)] {
            for &to in state.in_rack[rack].iter().filter(|&&to| to != from) {
                let find = || self.supply.find((state, &self.changed), &[], (from, to), cost);
                if let Some(partition) = seeker.wants(to, cost).then(find).flatten() {
                    seeker.finds(to, cost, partition);
                }
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
