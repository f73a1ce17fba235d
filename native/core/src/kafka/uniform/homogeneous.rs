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
use std::ops::Range;

pub(super) fn assign(problem: &Problem<'_>) -> Answer {
    let subscribed = problem.topics_of(0);
    if subscribed.is_empty() {
        return Ok(nothing_for(problem));
    }
    let topics = topics_in_map(problem, subscribed, copied_table(subscribed.len())).ok_or(Failure::OrderNeeded)?;
    if let Some(&unknown) = topics.iter().find(|&&topic| topic >= problem.group().known) {
        return Err(Failure::UnknownTopic(unknown));
    }
    if let Some(filling) = Filling::new(problem, &topics) {
        return filling.answer();
    }
    // Somebody made a claim twice, or two made it, or it is of no partition: the first alone is nothing to the original.
    let (claim_offsets, claims) = without_repeats(problem);
    let problem = Problem { claim_offsets: &claim_offsets, claims: &claims, ..*problem };
    Filling::new(&problem, &topics).ok_or(Failure::LeftUnassigned)?.answer()
}

/// What each member claims, each once.
fn without_repeats(problem: &Problem<'_>) -> (Vec<u32>, Vec<u32>) {
    let (mut offsets, mut claims) = (vec![0], Vec::new());
    let mut last = vec![u32::MAX; problem.slots()];
    for member in 0..problem.members() as u32 {
        let mine = problem.claims_of(member).iter();
        claims.extend(mine.filter(|&&slot| std::mem::replace(&mut last[slot as usize], member) != member));
        offsets.push(claims.len() as u32);
    }
    (offsets, claims)
}

struct Filling<'a> {
    problem: &'a Problem<'a>,
    topics: &'a [u32],
    /// Which topics they are; empty where they are all.
    among: Vec<bool>,
    /// Which slots somebody holds, a bit each, and how many each member.
    taken: Vec<u64>,
    held: Vec<u32>,
    partitions: u32,
}

impl<'a> Filling<'a> {
    /// `None` where a partition is held twice, or does not exist.
    fn new(problem: &'a Problem<'a>, topics: &'a [u32]) -> Option<Filling<'a>> {
        let mut among = flags_of(problem, topics);
        if among.iter().all(|&one| one) {
            among.clear();
        }
        let partitions = topics.iter().map(|&topic| run_of(problem, topic).len() as u32).sum();
        let taken = vec![0; problem.slots().div_ceil(64)];
        let mut filling = Filling { problem, topics, among, taken, held: Vec::new(), partitions };
        filling.held = filling.take_held()?;
        Some(filling)
    }

    fn take_held(&mut self) -> Option<Vec<u32>> {
        let problem = self.problem;
        let mut finder = TopicFinder::new(problem);
        let mut held = vec![0; problem.members()];
        for (member, count) in held.iter_mut().enumerate() {
            for &slot in problem.claims_of(member as u32) {
                if !is_among(&self.among, &mut finder, slot) {
                    continue;
                }
                let (word, bit) = (&mut self.taken[slot as usize / 64], 1 << (slot % 64));
                if *word & bit != 0 || !is_counted(problem, slot) {
                    return None;
                }
                *word |= bit;
                *count += 1;
            }
        }
        Some(held)
    }

    fn answer(self) -> Answer {
        self.problem.reach(2)?;
        let quotas = self.quotas();
        let kept = self.kept(&quotas)?;
        self.problem.reach(4)?;
        Ok(self.filled(&quotas, &kept))
    }

    fn quotas(&self) -> Vec<u32> {
        let members = self.held.len() as u32;
        let least = self.partitions / members;
        let mut extras = self.partitions % members;
        let takes_back = self.problem.assignor == Assignor::Uniform;
        let quota = |(member, &held): (usize, &u32)| {
            // With as many members left as extras, each must take one, whatever it holds.
            let may_decline = takes_back && members - member as u32 > extras;
            let extra = u32::from(extras > 0 && !(may_decline && held <= least));
            extras -= extra;
            least + extra
        };
        self.held.iter().enumerate().map(quota).collect()
    }

    /// Of members over their quota, what they hold as the original walks it: a topic that fits is kept whole, of one that
    /// does not as much as fits, and the rest is given up.
    fn kept(&self, quotas: &[u32]) -> Result<Vec<(u32, Vec<u32>)>, Failure> {
        let mut finder = TopicFinder::new(self.problem);
        let over = (0..quotas.len() as u32).filter(|&member| self.held[member as usize] > quotas[member as usize]);
        over.map(|member| {
            let order = walked(self.problem, member, |slot| is_among(&self.among, &mut finder, slot));
            Ok((member, order.ok_or(Failure::OrderNeeded)?))
        })
        .collect()
    }

    /// Lists of what is kept, then of what nobody held, topic by topic, and of what was given up.
    fn filled(&self, quotas: &[u32], kept: &[(u32, Vec<u32>)]) -> Assigned {
        let (problem, offsets) = (self.problem, offsets_of(quotas));
        let mut values = Vec::with_capacity(self.partitions as usize);
        let mut free = FreeSlots { filling: self, topics: self.topics, run: 0..0 };
        let mut over = kept.iter().flat_map(|(member, order)| &order[quotas[*member as usize] as usize..]);
        let mut next_kept = kept.iter();
        let mut finder = TopicFinder::new(problem);
        for (member, &quota) in quotas.iter().enumerate() {
            if self.held[member] > quota {
                let (_, order) = next_kept.next().expect("a member over its quota has its order");
                values.extend_from_slice(&order[..quota as usize]);
            } else if self.among.is_empty() {
                values.extend_from_slice(problem.claims_of(member as u32));
            } else {
                let mine = problem.claims_of(member as u32).iter();
                values.extend(mine.filter(|&&slot| is_among(&self.among, &mut finder, slot)));
            }
            while values.len() < offsets[member + 1] as usize {
                let slot = free.next().or_else(|| over.next().copied());
                values.push(slot.expect("quotas add up to the number of partitions"));
            }
        }
        server_result(problem, offsets, values)
    }
}

/// True for a slot of the topics subscribed to; no flags stand for all topics.
#[inline]
fn is_among(among: &[bool], finder: &mut TopicFinder<'_>, slot: u32) -> bool {
    among.is_empty() || among[finder.of(slot) as usize]
}

/// Slots that nobody holds, topic by topic.
struct FreeSlots<'a> {
    filling: &'a Filling<'a>,
    topics: &'a [u32],
    run: Range<u32>,
}

impl FreeSlots<'_> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let Filling { taken, problem, .. } = self.filling;
        loop {
            for slot in self.run.by_ref() {
                if taken[slot as usize / 64] & (1 << (slot % 64)) == 0 {
                    return Some(slot);
                }
            }
            let (&topic, others) = self.topics.split_first()?;
            self.topics = others;
            self.run = run_of(problem, topic);
        }
    }
}
