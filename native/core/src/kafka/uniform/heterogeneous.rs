//! UniformAssignor where subscriptions differ: what is held stays, what is free goes to the lowest, and topic by topic the
//! highest give to the lowest.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformHeterogeneousAssignmentBuilder; 4.0 to
//! 4.4 give equal answers. What differs from the obvious: each topic is levelled among its own subscribers, so that
//! overlapping subscriptions can end further apart than they need; a partition that two hold stays with both, and the later
//! one counts as its owner.

use super::levels::{Levels, span_of};
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Answer, Assigned, Failure, Problem};
use crate::kafka::server::held::subscribed_claims;
use crate::kafka::server::runs::{nothing_for, run_of, server_result};
use crate::kafka::slots::is_counted;
use crate::kafka::subscriptions::{NO_CLASS, SubscriberClasses, named_topics, subscriber_classes};
use std::collections::{BTreeMap, BTreeSet};

/// After so many rounds the original leaves it at that.
const MOST_ROUNDS: usize = 16;
const NOBODY: u32 = u32::MAX;

pub(super) fn assign(problem: &Problem<'_>) -> Answer {
    let topics = named_topics(problem);
    if topics.is_empty() {
        return Ok(nothing_for(problem));
    }
    if let Some(&unknown) = topics.iter().find(|&&topic| topic >= problem.group().known) {
        return Err(Failure::UnknownTopic(unknown));
    }
    let mut levelling = Levelling::new(problem);
    levelling.keep()?;
    let topics = levelling.sorted_topics(problem.topic_order.ok_or(Failure::OrderNeeded)?);
    for &topic in &topics {
        problem.reach(2)?;
        levelling.assign_free(topic);
    }
    let shared: Vec<u32> = topics.into_iter().filter(|&topic| levelling.subscribers(topic).len() >= 2).collect();
    levelling.level(&shared)?;
    problem.reach(6)?;
    Ok(levelling.result())
}

struct Levelling<'a> {
    problem: &'a Problem<'a>,
    owners: Vec<u32>,
    counts: Vec<u32>,
    classes: SubscriberClasses,
    levels: Levels,
    /// Members that hold a slot beside its owner, by slot; a slot that was ever held so stays here.
    also_held_by: BTreeMap<u32, BTreeSet<u32>>,
    /// Where each member's slots stand in a topic's slots by owner; of the topic in hand alone.
    from: Vec<u32>,
    to: Vec<u32>,
    /// How often anything was moved, and for each class how often it had been when its members were level.
    moves: u32,
    level_at: Vec<Option<u32>>,
}

impl<'a> Levelling<'a> {
    fn new(problem: &'a Problem<'a>) -> Levelling<'a> {
        let members = problem.members();
        let everybody: Vec<u32> = (0..members as u32).collect();
        let classes = subscriber_classes(problem, &everybody);
        Levelling {
            problem,
            owners: vec![NOBODY; problem.slots()],
            counts: vec![0; members],
            levels: Levels::default(),
            also_held_by: BTreeMap::new(),
            from: vec![0; members],
            to: vec![0; members],
            moves: 0,
            level_at: vec![None; classes.members.len()],
            classes,
        }
    }

    fn subscribers(&self, topic: u32) -> &[u32] {
        &self.classes.members[self.classes.class_of[topic as usize] as usize]
    }

    fn keep(&mut self) -> Result<(), Failure> {
        let problem = self.problem;
        let subscribed = subscribed_claims(problem);
        for member in 0..problem.members() as u32 {
            let first = problem.claim_offsets[member as usize] as usize;
            for (&slot, &subscribed) in problem.claims_of(member).iter().zip(&subscribed[first..]) {
                if !subscribed {
                    continue;
                }
                if !is_counted(problem, slot) {
                    return Err(Failure::OutOfBounds(slot));
                }
                let owner = std::mem::replace(&mut self.owners[slot as usize], member);
                if owner == member {
                    continue;
                }
                if owner != NOBODY {
                    self.also_held_by.entry(slot).or_default().insert(owner);
                }
                self.counts[member as usize] += 1;
            }
        }
        Ok(())
    }

    /// By partitions a subscriber, most first, then by fewest subscribers, then by id.
    fn sorted_topics(&self, by_id: &[u32]) -> Vec<u32> {
        let active = by_id.iter().filter(|&&topic| self.classes.class_of[topic as usize] != NO_CLASS);
        let mut topics: Vec<(f64, u32, u32)> = active
            .map(|&topic| {
                let subscribers = self.subscribers(topic).len() as u32;
                let partitions = run_of(self.problem, topic).len() as u32;
                (f64::from(partitions) / f64::from(subscribers), subscribers, topic)
            })
            .collect();
        topics.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        topics.into_iter().map(|(_, _, topic)| topic).collect()
    }

    fn assign_free(&mut self, topic: u32) {
        let mut begun = false;
        for slot in run_of(self.problem, topic) {
            if self.owners[slot as usize] != NOBODY {
                continue;
            }
            if !begun {
                let class = self.classes.class_of[topic as usize] as usize;
                self.levels.begin(&self.classes.members[class], &self.counts);
                begun = true;
            }
            let member = self.levels.next_lowest(&self.counts);
            self.owners[slot as usize] = member;
            self.counts[member as usize] += 1;
        }
    }

    /// Topics in a ring, until one round has changed nothing.
    fn level(&mut self, topics: &[u32]) -> Result<(), Failure> {
        let mut last = None;
        for _ in 0..MOST_ROUNDS {
            for (i, &topic) in topics.iter().enumerate() {
                if last == Some(i) {
                    return Ok(());
                }
                self.problem.reach(4)?;
                if self.level_topic(topic) || last.is_none() {
                    last = Some(i);
                }
            }
        }
        Ok(())
    }

    fn level_topic(&mut self, topic: u32) -> bool {
        let class = self.classes.class_of[topic as usize] as usize;
        if self.level_at[class] == Some(self.moves) {
            return false;
        }
        let members = &self.classes.members[class];
        let (least, most) = span_of(members, &self.counts);
        if most - least <= 1 {
            self.level_at[class] = Some(self.moves);
            return false;
        }
        self.levels.begin(members, &self.counts);
        let before = self.moves;
        let slots = self.by_owner(topic, class);
        self.pass_down(&slots);
        self.moves > before
    }

    fn pass_down(&mut self, slots: &[u32]) {
        while !self.levels.is_level() {
            let giver = loop {
                let Some(giver) = self.levels.next_highest(&self.counts) else { return };
                if self.to[giver as usize] > self.from[giver as usize] {
                    break giver;
                }
                self.levels.pass_over();
            };
            self.to[giver as usize] -= 1;
            let slot = slots[self.to[giver as usize] as usize];
            let taker = self.levels.next_lowest(&self.counts);
            if self.levels.is_level() {
                return;
            }
            self.hand_over(slot, giver, taker);
        }
    }

    /// Slots of a topic, those of one owner together and ascending; where each owner's stand is noted.
    fn by_owner(&mut self, topic: u32, class: usize) -> Vec<u32> {
        let members = &self.classes.members[class];
        let run = run_of(self.problem, topic);
        for &member in members {
            self.to[member as usize] = 0;
        }
        for slot in run.clone() {
            self.to[self.owners[slot as usize] as usize] += 1;
        }
        let mut total = 0;
        for &member in members {
            self.from[member as usize] = total;
            total += std::mem::replace(&mut self.to[member as usize], total);
        }
        let mut slots = vec![0; run.len()];
        for slot in run {
            let to = &mut self.to[self.owners[slot as usize] as usize];
            slots[*to as usize] = slot;
            *to += 1;
        }
        slots
    }

    /// A taker that holds it already is counted once more, as in the original.
    fn hand_over(&mut self, slot: u32, giver: u32, taker: u32) {
        if let Some(others) = self.also_held_by.get_mut(&slot) {
            others.remove(&taker);
        }
        self.owners[slot as usize] = taker;
        self.counts[giver as usize] -= 1;
        self.counts[taker as usize] += 1;
        self.moves += 1;
    }

    fn result(self) -> Assigned {
        let mut counts = vec![0; self.counts.len()];
        self.each_given(|member, _| counts[member as usize] += 1);
        let offsets = offsets_of(&counts);
        let mut ends = offsets.clone();
        let mut values = vec![0; offsets[counts.len()] as usize];
        self.each_given(|member, slot| {
            let end = &mut ends[member as usize];
            values[*end as usize] = slot;
            *end += 1;
        });
        let clashes = self.also_held_by.keys().copied().collect();
        Assigned { clashes, ..server_result(self.problem, offsets, values) }
    }

    fn each_given(&self, mut give: impl FnMut(u32, u32)) {
        for (slot, &owner) in self.owners.iter().enumerate() {
            if owner != NOBODY {
                give(owner, slot as u32);
            }
        }
        for (&slot, members) in &self.also_held_by {
            for &member in members {
                give(member, slot);
            }
        }
    }
}
