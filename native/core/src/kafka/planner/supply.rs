//! Replicas that could go to a broker which never held their partition, by the broker where they are and the rack to go to.
//!
//! Cost 1: one that stood still. Cost 0: one that moves anyway. Nearly every broker of a rack can take nearly every replica
//! that may go there, so that a few ready ones a rack serve all its brokers, and are read on only where none does.

use super::changed::Changed;
use super::pairs::Pair;
use super::problem::NONE;
use super::state::State;
use std::collections::HashMap;

/// So many are ready from the start.
const READY: usize = 16;

/// So many racks have lists of their own; beyond, several share one.
const LISTS: usize = 64;

pub(super) struct Supply {
    racks: usize,
    /// By broker, rack and cost.
    lists: Vec<List>,
    /// Made when a list is read on first.
    homes: Option<Homes>,
    /// By broker, other broker and cost: how many of the list do not serve that one, until they change and are listed again.
    passed: HashMap<(Pair, i8), usize>,
}

/// Partitions that one list can give, in the order in which they were found; some no more.
#[derive(Default)]
struct List {
    ready: Vec<u32>,
    /// How many at its beginning are gone.
    gone: usize,
    /// The partition from which the broker's own are read on; `NONE`: all were read.
    next: u32,
    /// How many of the broker's changed ones were read.
    seen: usize,
}

impl Supply {
    pub fn new(state: &State<'_>) -> Supply {
        let (racks, brokers) = (state.problem.racks.min(LISTS), state.load.len());
        let lists = (0..brokers * racks * 2).map(|_| List { next: NONE, ..List::default() }).collect();
        Supply { racks, lists, homes: None, passed: HashMap::new() }
    }

    fn at(&self, from: u32, rack: usize, cost: i8) -> usize {
        (from as usize * self.racks + rack % self.racks) * 2 + cost as usize
    }

    /// The first that each broker has for each rack: one pass over the partitions, which ends where all have enough.
    /// `open`: of each rack, those that its replicas may go to.
    pub fn make_ready(&mut self, state: &State<'_>, open: &[Vec<usize>]) {
        let mut wanting = Wanting::new(state, self.racks, open);
        for p in state.problem.partitions_while_wanted() {
            if wanting.left == 0 {
                return;
            }
            for &from in state.holders(p) {
                if from == NONE || wanting.bits[from as usize] == 0 || !state.held(p, from) {
                    continue;
                }
                let mut bits = wanting.bits[from as usize] & wanting.reachable(state, p, state.rack(from));
                while bits != 0 {
                    let rack = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let at = self.at(from, rack, 1);
                    self.lists[at].ready.push(p as u32);
                    if self.lists[at].ready.len() == READY {
                        self.lists[at].next = p as u32 + 1;
                        wanting.drop(from, rack);
                    }
                }
            }
        }
    }

    /// Whether a list was read to its end, and all of it is gone.
    fn is_dry(&self, at: usize, changed: &[u32]) -> bool {
        let list = &self.lists[at];
        list.gone == list.ready.len() && list.next == NONE && list.seen == changed.len()
    }

    /// A partition that serves, and is not on the way so far.
    pub fn find(&mut self, (state, changed): (&State<'_>, &Changed), way: &[u32], pair: Pair, cost: i8) -> Option<u32> {
        let (from, to) = pair;
        let changed = if cost == 0 { &changed.guests } else { &changed.homes }[from as usize].as_slice();
        let rack = state.rack(to);
        let at = self.at(from, rack, cost);
        if self.is_dry(at, changed) {
            return None;
        }
        let mut next = self.passed.get(&(pair, cost)).copied().unwrap_or(0).max(self.lists[at].gone);
        let mut kept = None;
        let found = loop {
            if next == self.lists[at].ready.len() && !self.read_on((state, changed), (from, rack), cost) {
                break None;
            }
            let p = self.lists[at].ready[next];
            if !self.fits(state, p as usize, (from, rack)) {
                self.lists[at].gone += usize::from(self.lists[at].gone == next);
            } else if self.serves(state, p as usize, pair) {
                if !way.contains(&p) {
                    break Some(p);
                }
                kept.get_or_insert(next);
            }
            next += 1;
        };
        let passed = kept.unwrap_or(next);
        if passed > self.lists[at].gone {
            self.passed.insert((pair, cost), passed);
        }
        found
    }

    /// Makes one more ready; false where there is none.
    fn read_on(&mut self, (state, changed): (&State<'_>, &[u32]), (from, rack): (u32, usize), cost: i8) -> bool {
        let at = self.at(from, rack, cost);
        if cost == 1 && self.lists[at].next != NONE {
            let homes = self.homes.take().unwrap_or_else(|| Homes::of(state));
            let fit = homes
                .of_broker(from, self.lists[at].next)
                .filter(|&(_, racks)| racks >> (rack % MASK) & 1 == 1)
                .map(|(p, _)| p)
                .find(|&p| self.fits(state, p as usize, (from, rack)));
            self.homes = Some(homes);
            self.lists[at].next = fit.map_or(NONE, |p| p + 1);
            self.lists[at].ready.extend(fit);
            if fit.is_some() {
                return true;
            }
        }
        let seen = self.lists[at].seen;
        let fit = (seen..changed.len()).find(|&i| self.fits(state, changed[i] as usize, (from, rack)));
        self.lists[at].seen = fit.map_or(changed.len(), |i| i + 1);
        self.lists[at].ready.extend(fit.map(|i| changed[i]));
        fit.is_some()
    }

    /// Whether a partition of the list may still go to the rack from the broker; where racks share a list, perhaps.
    fn fits(&self, state: &State<'_>, p: usize, (from, rack): (u32, usize)) -> bool {
        state.holds(p, from) && (self.racks < state.problem.racks || state.may_cross(p, state.rack(from), rack))
    }

    /// Whether one that fits can go to that broker.
    fn serves(&self, state: &State<'_>, p: usize, (from, to): Pair) -> bool {
        !state.holds(p, to)
            && !state.held(p, to)
            && (self.racks == state.problem.racks || state.may_cross(p, state.rack(from), state.rack(to)))
    }
}

/// Lists that have not enough yet, while the partitions are read in order.
struct Wanting {
    racks: usize,
    /// Of each broker, the lists, as bits.
    bits: Vec<u64>,
    /// Of each class, the racks that may have one more than the least, as bits.
    open: Vec<u64>,
    left: usize,
}

impl Wanting {
    fn new(state: &State<'_>, racks: usize, pairs: &[Vec<usize>]) -> Wanting {
        let has_brokers = |&rack: &usize| !state.in_rack[rack].is_empty();
        let of_rack: Vec<u64> =
            pairs.iter().map(|open| bits_of(open.iter().copied().filter(has_brokers), racks)).collect();
        let holds = |b: &usize| state.is_in(*b as u32) && state.held_at_start[*b] > 0;
        let bits: Vec<u64> =
            (0..state.load.len()).map(|b| if holds(&b) { of_rack[state.rack(b as u32)] } else { 0 }).collect();
        let open = open_racks(state, racks);
        let left = bits.iter().map(|bits| bits.count_ones() as usize).sum();
        Wanting { racks, bits, open, left }
    }

    fn drop(&mut self, from: u32, rack: usize) {
        self.bits[from as usize] &= !(1 << rack);
        self.left -= 1;
    }

    /// Racks that a replica of a partition may go to from a rack; where racks share a list, perhaps.
    fn reachable(&self, state: &State<'_>, p: usize, home: usize) -> u64 {
        let own = 1 << (home % self.racks);
        if state.problem.racks > self.racks {
            u64::MAX
        } else if leaves(state, p, home) {
            self.open[state.problem.factor(p)] & !full_racks(state, p, self.racks) | own
        } else {
            own
        }
    }
}

/// Partitions by the broker that held them at the start, ascending; beside each the racks that its replica there could go to
/// when the lists were made, as bits. A partition that changes later is listed as changed.
struct Homes {
    starts: Vec<u32>,
    partitions: Vec<u32>,
    racks: Vec<u16>,
}

/// Bits of those racks; beyond so many, several share one.
const MASK: usize = 16;

impl Homes {
    fn of(state: &State<'_>) -> Homes {
        let mut starts = vec![0];
        for (b, held) in state.held_at_start.iter().enumerate() {
            starts.push(starts[b] + held);
        }
        let mut next = starts.clone();
        let all = starts[state.load.len()] as usize;
        let (mut partitions, mut racks) = (vec![0; all], vec![0; all]);
        let open = open_racks(state, MASK);
        for p in state.problem.partitions_while_wanted() {
            let open = open[state.problem.factor(p)] & !full_racks(state, p, MASK);
            for &home in state.origins(p).iter().filter(|&&home| home != NONE) {
                let at = next[home as usize] as usize;
                partitions[at] = p as u32;
                let rack = state.rack(home);
                let own = 1 << (rack % MASK);
                racks[at] = if leaves(state, p, rack) { open | own } else { own } as u16;
                next[home as usize] += 1;
            }
        }
        Homes { starts, partitions, racks }
    }

    /// Those of a broker from a partition on.
    fn of_broker(&self, broker: u32, first: u32) -> impl Iterator<Item = (u32, u16)> + '_ {
        let b = broker as usize;
        let (start, end) = (self.starts[b] as usize, self.starts[b + 1] as usize);
        let start = start + self.partitions[start..end].partition_point(|&p| p < first);
        self.partitions[start..end].iter().copied().zip(self.racks[start..end].iter().copied())
    }
}

/// Racks as bits, of which several share one where there are more than bits.
fn bits_of(racks: impl Iterator<Item = usize>, bits: usize) -> u64 {
    racks.fold(0, |all, rack| all | 1 << (rack % bits))
}

/// Of each class, the racks that may have one more than the least.
fn open_racks(state: &State<'_>, bits: usize) -> Vec<u64> {
    let racks = 0..state.problem.racks;
    state.classes.iter().map(|class| bits_of(racks.clone().filter(|&rack| class.is_open(rack)), bits)).collect()
}

/// Racks that have all they may have of a partition; none where bits are shared.
fn full_racks(state: &State<'_>, p: usize, bits: usize) -> u64 {
    if state.problem.racks > bits {
        return 0;
    }
    let class = state.class(p);
    let is_full = |&rack: &usize| state.count_in(p, rack) >= class.high[rack];
    let racks = state.holders(p).iter().filter(|&&broker| broker != NONE).map(|&broker| state.rack(broker));
    bits_of(racks.filter(is_full), bits)
}

/// Whether a rack may have one fewer of a partition.
fn leaves(state: &State<'_>, p: usize, rack: usize) -> bool {
    let class = state.class(p);
    class.is_open(rack) && state.count_in(p, rack) > class.low[rack]
}
