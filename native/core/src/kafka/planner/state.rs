//! The plan while it is made: who holds each replica now, who held it at the start, and how many each broker has.
//!
//! A partition has one slot for each replica that it holds or shall hold.

use super::problem::{NONE, Problem};
use super::rule::Class;
use std::borrow::Cow;

/// The problem's own, or one made here.
type Column<'a> = Cow<'a, [u32]>;

pub(super) struct State<'a> {
    pub problem: &'a Problem<'a>,
    /// The rack rule of each replication factor.
    pub classes: &'a [Class],
    /// Slots of partition `p`: `[offsets[p], offsets[p + 1])`.
    offsets: Column<'a>,
    /// Broker of each slot at the start; `NONE` where a replica is to be added.
    origin: Column<'a>,
    /// Broker of each slot now; `NONE` for an empty one.
    now: Vec<u32>,
    partition_of: Vec<u32>,
    pub load: Vec<u32>,
    /// Whether a partition was changed.
    is_touched: Vec<bool>,
    /// Partitions that have changed and were not taken yet, and which these are.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// How many slots each broker had at the start.
    pub held_at_start: Vec<u32>,
    /// Brokers of each rack that are in.
    pub in_rack: Vec<Vec<u32>>,
}

impl<'a> State<'a> {
    /// `None` if the work was stopped.
    pub fn new(problem: &'a Problem<'a>, classes: &'a [Class]) -> Option<State<'a>> {
        let (offsets, origin) = slots(problem)?;
        let mut load = vec![0; problem.brokers()];
        let brokers = problem.pulse.parts(&origin).flatten().filter(|&&broker| broker != NONE);
        brokers.for_each(|&broker| load[broker as usize] += 1);
        let mut partition_of = vec![0; origin.len()];
        problem
            .partitions_while_wanted()
            .for_each(|p| partition_of[offsets[p] as usize..offsets[p + 1] as usize].fill(p as u32));
        let mut in_rack = vec![Vec::new(); problem.racks];
        for broker in (0..problem.brokers()).filter(|&broker| problem.is_in[broker] == 1) {
            in_rack[problem.rack_of[broker] as usize].push(broker as u32);
        }
        Some(State {
            problem,
            classes,
            now: problem.pulse.copied(&origin)?,
            offsets,
            origin,
            partition_of,
            held_at_start: load.clone(),
            load,
            changed: Vec::new(),
            is_changed: vec![false; problem.partitions()],
            is_touched: vec![false; problem.partitions()],
            in_rack,
        })
    }

    #[inline]
    pub fn slots(&self, p: usize) -> std::ops::Range<usize> {
        self.offsets[p] as usize..self.offsets[p + 1] as usize
    }

    #[inline]
    pub fn class(&self, p: usize) -> &'a Class {
        &self.classes[self.problem.factor(p)]
    }

    #[inline]
    pub fn partition_of(&self, slot: usize) -> usize {
        self.partition_of[slot] as usize
    }

    #[inline]
    pub fn rack(&self, broker: u32) -> usize {
        self.problem.rack_of[broker as usize] as usize
    }

    #[inline]
    pub fn is_in(&self, broker: u32) -> bool {
        self.problem.is_in[broker as usize] == 1
    }

    #[inline]
    pub fn at(&self, slot: usize) -> u32 {
        self.now[slot]
    }

    pub fn slots_in_all(&self) -> usize {
        self.now.len()
    }

    /// Broker of a slot at the start.
    pub fn origin(&self, slot: usize) -> u32 {
        self.origin[slot]
    }

    /// Brokers of a partition now, empty slots as `NONE`.
    #[inline]
    pub fn holders(&self, p: usize) -> &[u32] {
        &self.now[self.slots(p)]
    }

    /// Brokers of a partition at the start.
    #[inline]
    pub fn origins(&self, p: usize) -> &[u32] {
        &self.origin[self.slots(p)]
    }

    #[inline]
    pub fn holds(&self, p: usize, broker: u32) -> bool {
        self.holders(p).contains(&broker)
    }

    #[inline]
    pub fn held(&self, p: usize, broker: u32) -> bool {
        self.origins(p).contains(&broker)
    }

    pub fn is_touched(&self, p: usize) -> bool {
        self.is_touched[p]
    }

    /// Brokers that held a partition at the start, hold it no more, and are in.
    pub fn lost(&self, p: usize) -> impl Iterator<Item = u32> + '_ {
        let is_lost = move |&broker: &u32| broker != NONE && self.is_in(broker) && !self.holds(p, broker);
        self.origins(p).iter().copied().filter(is_lost)
    }

    /// A partition's replica on one broker goes to another.
    pub fn give(&mut self, partition: u32, from: u32, to: u32) {
        let slot = self.slots(partition as usize).find(|&slot| self.now[slot] == from);
        self.put(slot.expect("the broker holds what it gives"), to);
    }

    /// Partitions that have changed since they were taken last, each once.
    pub fn take_changed(&mut self) -> Vec<u32> {
        for &p in &self.changed {
            self.is_changed[p as usize] = false;
        }
        std::mem::take(&mut self.changed)
    }

    /// Replicas of a partition in a rack.
    #[inline]
    pub fn count_in(&self, p: usize, rack: usize) -> u32 {
        self.holders(p).iter().filter(|&&broker| broker != NONE && self.rack(broker) == rack).count() as u32
    }

    /// Slots of a range that are on a broker.
    pub fn count_among(&self, slots: std::ops::Range<usize>, broker: u32) -> i64 {
        self.now[slots].iter().filter(|&&other| other == broker).count() as i64
    }

    /// Whether the rule lets one replica of a partition go from one rack to another.
    #[inline]
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
        }
        let p = self.partition_of(slot);
        self.is_touched[p] = true;
        if !std::mem::replace(&mut self.is_changed[p], true) {
            self.changed.push(p as u32);
        }
    }

    /// Replicas on a broker that did not hold their partition.
    pub fn moves(&self) -> u64 {
        let new =
            |p: usize| self.holders(p).iter().filter(|&&broker| broker != NONE && !self.held(p, broker)).count() as u64;
        self.problem.partitions_while_wanted().filter(|&p| self.is_touched[p]).map(new).sum()
    }
}

/// As many slots as a partition has replicas, or shall have, if those are more; `None` if the work was stopped.
fn slots<'a>(problem: &Problem<'a>) -> Option<(Column<'a>, Column<'a>)> {
    if problem.factors.is_none() {
        return Some((Cow::Borrowed(problem.offsets), Cow::Borrowed(problem.replicas)));
    }
    let mut offsets = vec![0];
    let mut origin = Vec::new();
    for p in problem.partitions_while_wanted() {
        let held = &problem.replicas[problem.offsets[p] as usize..problem.offsets[p + 1] as usize];
        origin.extend_from_slice(held);
        origin.resize(origin.len() + problem.factor(p).saturating_sub(held.len()), NONE);
        offsets.push(origin.len() as u32);
    }
    (offsets.len() == problem.offsets.len()).then_some((Cow::Owned(offsets), Cow::Owned(origin)))
}
