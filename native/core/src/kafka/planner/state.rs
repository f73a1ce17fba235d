//! The plan while it is made: who holds each replica now, who held it at the start, and how many each broker has.
//!
//! A partition has one slot for each replica that it holds or shall hold. `home` slots of a broker are those that it held at
//! the start, `guests` those that came since; both are looked up live, so either may name a slot that has left.

use super::problem::{NONE, Problem};
use super::rule::Class;
use std::borrow::Cow;

pub(super) struct State<'a> {
    pub problem: &'a Problem<'a>,
    /// The rack rule of each replication factor.
    pub classes: &'a [Class],
    /// Slots of partition `p`: `[offsets[p], offsets[p + 1])`.
    offsets: Cow<'a, [u32]>,
    /// Broker of each slot at the start; `NONE` where a replica is to be added.
    origin: Cow<'a, [u32]>,
    /// Broker of each slot now; `NONE` for an empty one.
    now: Vec<u32>,
    partition_of: Vec<u32>,
    pub load: Vec<u32>,
    home_starts: Vec<u32>,
    homes: Vec<u32>,
    guests: Vec<Vec<u32>>,
    /// Partitions that were changed, in that order.
    pub touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Brokers of each rack that are in.
    pub in_rack: Vec<Vec<u32>>,
}

impl<'a> State<'a> {
    pub fn new(problem: &'a Problem<'a>, classes: &'a [Class]) -> State<'a> {
        let (offsets, origin) = slots(problem);
        let mut load = vec![0; problem.brokers()];
        for &broker in origin.iter().filter(|&&broker| broker != NONE) {
            load[broker as usize] += 1;
        }
        let mut partition_of = vec![0; origin.len()];
        for p in 0..problem.partitions() {
            partition_of[offsets[p] as usize..offsets[p + 1] as usize].fill(p as u32);
        }
        let (home_starts, homes) = homes(&origin, &load);
        let mut in_rack = vec![Vec::new(); problem.racks];
        for broker in (0..problem.brokers()).filter(|&broker| problem.is_in[broker] == 1) {
            in_rack[problem.rack_of[broker] as usize].push(broker as u32);
        }
        State {
            problem,
            classes,
            now: origin.to_vec(),
            offsets,
            origin,
            partition_of,
            guests: vec![Vec::new(); load.len()],
            load,
            home_starts,
            homes,
            touched: Vec::new(),
            is_touched: vec![false; problem.partitions()],
            in_rack,
        }
    }

    pub fn slots(&self, p: usize) -> std::ops::Range<usize> {
        self.offsets[p] as usize..self.offsets[p + 1] as usize
    }

    pub fn class(&self, p: usize) -> &'a Class {
        &self.classes[self.problem.factor(p)]
    }

    pub fn partition_of(&self, slot: usize) -> usize {
        self.partition_of[slot] as usize
    }

    pub fn rack(&self, broker: u32) -> usize {
        self.problem.rack_of[broker as usize] as usize
    }

    pub fn is_in(&self, broker: u32) -> bool {
        self.problem.is_in[broker as usize] == 1
    }

    pub fn at(&self, slot: usize) -> u32 {
        self.now[slot]
    }

    /// Brokers of a partition now, empty slots as `NONE`.
    pub fn holders(&self, p: usize) -> &[u32] {
        &self.now[self.slots(p)]
    }

    /// Brokers of a partition at the start.
    pub fn origins(&self, p: usize) -> &[u32] {
        &self.origin[self.slots(p)]
    }

    pub fn holds(&self, p: usize, broker: u32) -> bool {
        self.holders(p).contains(&broker)
    }

    pub fn held(&self, p: usize, broker: u32) -> bool {
        self.origins(p).contains(&broker)
    }

    pub fn homes(&self, broker: u32) -> &[u32] {
        let b = broker as usize;
        &self.homes[self.home_starts[b] as usize..self.home_starts[b + 1] as usize]
    }

    pub fn guests(&self, broker: u32) -> &[u32] {
        &self.guests[broker as usize]
    }

    /// Replicas of a partition in a rack.
    pub fn count_in(&self, p: usize, rack: usize) -> u32 {
        self.holders(p).iter().filter(|&&broker| broker != NONE && self.rack(broker) == rack).count() as u32
    }

    /// Whether the rule lets one replica of a partition go from one rack to another.
    pub fn may_cross(&self, p: usize, from: usize, to: usize) -> bool {
        if from == to {
            return true;
        }
        let class = self.class(p);
        class.low[from] < class.high[from]
            && class.low[to] < class.high[to]
            && self.count_in(p, from) > class.low[from]
            && self.count_in(p, to) < class.high[to]
    }

    /// Puts a slot on a broker, or empties it with `NONE`.
    pub fn put(&mut self, slot: usize, broker: u32) {
        let before = std::mem::replace(&mut self.now[slot], broker);
        if before != NONE {
            self.load[before as usize] -= 1;
        }
        if broker != NONE {
            self.load[broker as usize] += 1;
            self.guests[broker as usize].push(slot as u32);
        }
        let p = self.partition_of(slot);
        if !std::mem::replace(&mut self.is_touched[p], true) {
            self.touched.push(p as u32);
        }
    }

    /// Replicas on a broker that did not hold their partition.
    pub fn moves(&self) -> u64 {
        let new = |&p: &u32| {
            let p = p as usize;
            self.holders(p).iter().filter(|&&broker| broker != NONE && !self.held(p, broker)).count() as u64
        };
        self.touched.iter().map(new).sum()
    }
}

/// As many slots as a partition has replicas, or shall have, if those are more.
fn slots<'a>(problem: &Problem<'a>) -> (Cow<'a, [u32]>, Cow<'a, [u32]>) {
    if problem.factors.is_none() {
        return (Cow::Borrowed(problem.offsets), Cow::Borrowed(problem.replicas));
    }
    let mut offsets = vec![0];
    let mut origin = Vec::new();
    for p in 0..problem.partitions() {
        let held = &problem.replicas[problem.offsets[p] as usize..problem.offsets[p + 1] as usize];
        origin.extend_from_slice(held);
        origin.resize(origin.len() + problem.factor(p).saturating_sub(held.len()), NONE);
        offsets.push(origin.len() as u32);
    }
    (Cow::Owned(offsets), Cow::Owned(origin))
}

/// Slots by broker, each list ascending.
fn homes(origin: &[u32], load: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; load.len() + 1];
    for broker in 0..load.len() {
        starts[broker + 1] = starts[broker] + load[broker];
    }
    let mut next = starts.clone();
    let mut homes = vec![0; starts[load.len()] as usize];
    for (slot, &broker) in origin.iter().enumerate() {
        if broker != NONE {
            homes[next[broker as usize] as usize] = slot as u32;
            next[broker as usize] += 1;
        }
    }
    (starts, homes)
}
