//! UniformAssignor where all members subscribe alike: each has a quota, keeps up to that, and is filled up to it.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformHomogeneousAssignmentBuilder. What differs
//! from the obvious: members are filled one after the other, not in turn; the subscription of the first member stands for
//! all. Where partitions do not divide, 4.0 gives one more to the first members; later releases (KAFKA-18688) offer it to
//! each and take it back where it is not used, so that a new group has it on its last members.
//! Quotas add up to the number of partitions, and a partition that two hold or that does not exist counts as one more: with
//! such a claim partitions are always left over, and the original throws.

use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Answer, Assigned, Assignor, Failure, Problem};
use crate::kafka::server::held::{TopicFinder, copied_table, flags_of, topics_in_map, walked};
use crate::kafka::server::runs::{nothing_for, run_of, server_result};
use crate::kafka::slots::is_counted;

/// Nobody holds the slot.
const FREE: u32 = u32::MAX;
/// It was given up, or stands in its list already.
const DONE: u32 = u32::MAX - 1;

pub(super) fn assign(problem: &Problem<'_>) -> Answer {
    let subscribed = problem.topics_of(0);
    if subscribed.is_empty() {
        return Ok(nothing_for(problem));
    }
    let topics = topics_in_map(problem, subscribed, copied_table(subscribed.len())).ok_or(Failure::OrderNeeded)?;
    if let Some(&unknown) = topics.iter().find(|&&topic| topic >= problem.group().known) {
        return Err(Failure::UnknownTopic(unknown));
    }
    let mut filling = Filling { problem, topics, holders: vec![FREE; problem.slots()], over: Vec::new() };
    let held = filling.take_held()?;
    let partitions = filling.topics.iter().map(|&topic| run_of(problem, topic).len() as u32).sum();
    let quotas = quotas_of(problem, &held, partitions);
    filling.give_up(&held, &quotas)?;
    Ok(filling.filled(&quotas))
}

struct Filling<'a> {
    problem: &'a Problem<'a>,
    topics: Vec<u32>,
    /// Who holds each slot, or `FREE` or `DONE`.
    holders: Vec<u32>,
    /// What is over the quota of its holder, in the order in which it is given up.
    over: Vec<u32>,
}

impl Filling<'_> {
    /// How many partitions each member holds; fails where one is held twice, or does not exist.
    fn take_held(&mut self) -> Result<Vec<u32>, Failure> {
        let problem = self.problem;
        let among = flags_of(problem, &self.topics);
        let all = among.iter().all(|&one| one);
        let mut finder = TopicFinder::new(problem);
        let mut held = vec![0; problem.members()];
        for (member, count) in held.iter_mut().enumerate() {
            for &slot in problem.claims_of(member as u32) {
                if !all && !among[finder.of(slot) as usize] {
                    continue;
                }
                let holder = &mut self.holders[slot as usize];
                if *holder == FREE && is_counted(problem, slot) {
                    *holder = member as u32;
                    *count += 1;
                } else if *holder != member as u32 {
                    return Err(Failure::LeftUnassigned);
                }
            }
        }
        Ok(held)
    }

    fn give_up(&mut self, held: &[u32], quotas: &[u32]) -> Result<(), Failure> {
        for (member, (&held, &quota)) in held.iter().zip(quotas).enumerate() {
            if held <= quota {
                continue;
            }
            let member = member as u32;
            let order = walked(self.problem, member, |slot| self.holders[slot as usize] == member);
            // A topic that fits is kept whole; of one that does not, as much as fits.
            for slot in order.ok_or(Failure::OrderNeeded)?.split_off(quota as usize) {
                self.holders[slot as usize] = DONE;
                self.over.push(slot);
            }
        }
        Ok(())
    }

    /// Lists of what is kept, then of what nobody held, topic by topic, and of what was given up.
    fn filled(mut self, quotas: &[u32]) -> Assigned {
        let problem = self.problem;
        let offsets = offsets_of(quotas);
        let mut values = Vec::with_capacity(offsets[quotas.len()] as usize);
        let mut free = FreeSlots { topics: &self.topics, run: 0..0, problem };
        let mut over = self.over.iter();
        for member in 0..quotas.len() as u32 {
            for &slot in problem.claims_of(member) {
                let holder = &mut self.holders[slot as usize];
                if *holder == member {
                    *holder = DONE;
                    values.push(slot);
                }
            }
            while values.len() < offsets[member as usize + 1] as usize {
                let slot = free.next(&self.holders).or_else(|| over.next().copied());
                values.push(slot.expect("quotas add up to the number of partitions"));
            }
        }
        server_result(problem, offsets, values)
    }
}

/// Slots that nobody holds, topic by topic.
struct FreeSlots<'a> {
    topics: &'a [u32],
    run: std::ops::Range<u32>,
    problem: &'a Problem<'a>,
}

impl FreeSlots<'_> {
    #[inline]
    fn next(&mut self, holders: &[u32]) -> Option<u32> {
        loop {
            for slot in self.run.by_ref() {
                if holders[slot as usize] == FREE {
                    return Some(slot);
                }
            }
            let (&topic, others) = self.topics.split_first()?;
            self.topics = others;
            self.run = run_of(self.problem, topic);
        }
    }
}

fn quotas_of(problem: &Problem<'_>, held: &[u32], partitions: u32) -> Vec<u32> {
    let members = held.len() as u32;
    let least = partitions / members;
    let mut extras = partitions % members;
    let takes_back = problem.assignor == Assignor::Uniform;
    let quota = |(member, &held): (usize, &u32)| {
        // With as many members left as extras, each must take one, whatever it holds.
        let may_decline = takes_back && members - member as u32 > extras;
        let extra = u32::from(extras > 0 && !(may_decline && held <= least));
        extras -= extra;
        least + extra
    };
    held.iter().enumerate().map(quota).collect()
}
