//! SimpleAssignor: partitions of a share group, each to as many members as it takes to keep all busy.
//!
//! KIP-932. Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.SimpleAssignor with its two builders;
//! 4.2 to 4.4 give equal answers. What differs from the obvious: members that subscribe alike share all topics in one go,
//! else each topic is shared among its own subscribers; what a member holds of a topic that nobody subscribes to any more
//! stays with it where subscriptions differ; what is held and not assignable stays, and is handed on.

use super::list_builder::offsets_of;
use super::problem::{Answer, Assigned, Failure, Problem};
use super::server::held::{FIRST_TABLE, TopicFinder, flags_of, topics_in_map, walked};
use super::server::runs::{nothing_for, run_of, server_result};
use super::subscriptions::{NO_CLASS, named_topics, subscriber_classes};
use round::{Holding, ShareRound, members_in_map};

mod round;

/// Who gets what.
///
/// # Errors
/// What stops the original.
///
/// # Panics
/// If the problem's columns do not fit together.
pub fn assign(problem: &Problem<'_>) -> Answer {
    if problem.members() == 0 {
        return Ok(nothing_for(problem));
    }
    let group = problem.group();
    let topics = if group.homogeneous {
        problem.topics_of(0).to_vec()
    } else {
        topics_in_map(problem, &named_topics(problem), FIRST_TABLE).ok_or(Failure::OrderNeeded)?
    };
    if topics.is_empty() {
        return Ok(nothing_for(problem));
    }
    if let Some(&unknown) = topics.iter().find(|&&topic| topic >= group.known) {
        return Err(Failure::UnknownTopic(unknown));
    }
    let everybody: Vec<u32> = (0..problem.members() as u32).collect();
    let sharing = Sharing { problem, among: flags_of(problem, &topics), topics, everybody };
    let held = sharing.held_in_order().ok_or(Failure::OrderNeeded)?;
    problem.reach(2)?;
    let given = if group.homogeneous { sharing.together(&held) } else { sharing.topic_by_topic(held) };
    problem.reach(6)?;
    Ok(result(problem, &given.ok_or(Failure::NoElement)?))
}

struct Sharing<'a> {
    problem: &'a Problem<'a>,
    topics: Vec<u32>,
    /// Which topics are shared.
    among: Vec<bool>,
    everybody: Vec<u32>,
}

impl Sharing<'_> {
    /// What members hold of the topics that are shared, as the assignor walks it.
    fn held_in_order(&self) -> Option<Vec<Holding>> {
        let mut finder = TopicFinder::new(self.problem);
        let mut held = Vec::with_capacity(self.problem.claims.len());
        for member in members_in_map(&self.everybody, self.everybody.len()) {
            let slots = walked(self.problem, member, |slot| self.among[finder.of(slot) as usize])?;
            held.extend(slots.into_iter().map(|slot| (member, slot)));
        }
        Some(held)
    }

    /// All topics at once, among all members.
    fn together(&self, held: &[Holding]) -> Option<Vec<Holding>> {
        let targets: Vec<u32> = self.topics.iter().flat_map(|&topic| self.targets(topic)).collect();
        let mut finder = TopicFinder::new(self.problem);
        let hash_of = |slot| {
            let topic = finder.of(slot);
            // `TopicIdPartition.hashCode`, a record's.
            let hash = self.problem.topic_hashes[topic as usize].wrapping_mul(31);
            hash.wrapping_add(self.number_of(topic, slot))
        };
        let slots = 0..self.problem.slots() as u32;
        ShareRound::new(&self.everybody, &targets, self.everybody.len(), slots).share(held, hash_of)
    }

    /// Each topic among its own subscribers.
    fn topic_by_topic(&self, held: Vec<Holding>) -> Option<Vec<Holding>> {
        let classes = subscriber_classes(self.problem, &self.everybody);
        let mut finder = TopicFinder::new(self.problem);
        let mut by_topic = vec![Vec::new(); self.problem.topics()];
        for holding in held {
            by_topic[finder.of(holding.1) as usize].push(holding);
        }
        let mut given = self.kept_elsewhere();
        for &topic in &self.topics {
            let class = classes.class_of[topic as usize];
            if class == NO_CLASS {
                continue;
            }
            let targets: Vec<u32> = self.targets(topic).collect();
            let (members, slots) = (&classes.members[class as usize], self.problem.slots_of(topic));
            let round = ShareRound::new(members, &targets, self.everybody.len(), slots);
            given.extend(round.share(&by_topic[topic as usize], |slot| self.number_of(topic, slot))?);
        }
        Some(given)
    }

    /// What members hold of topics that nobody subscribes to, each once.
    fn kept_elsewhere(&self) -> Vec<Holding> {
        let mut finder = TopicFinder::new(self.problem);
        let mut kept = Vec::new();
        for member in 0..self.problem.members() as u32 {
            let claims = self.problem.claims_of(member).iter();
            let before = kept.len();
            kept.extend(claims.filter(|&&slot| !self.among[finder.of(slot) as usize]).map(|&slot| (member, slot)));
            kept[before..].sort_unstable();
        }
        kept.dedup();
        kept
    }

    fn targets(&self, topic: u32) -> impl Iterator<Item = u32> {
        let assignable = self.problem.group().assignable;
        run_of(self.problem, topic).filter(move |&slot| assignable.is_none_or(|flags| flags[slot as usize] == 1))
    }

    fn number_of(&self, topic: u32, slot: u32) -> i32 {
        match self.problem.numbers {
            None => (slot - self.problem.starts[topic as usize]) as i32,
            Some(numbers) => numbers[slot as usize],
        }
    }
}

fn result(problem: &Problem<'_>, given: &[Holding]) -> Assigned {
    let mut counts = vec![0; problem.members()];
    for &(member, _) in given {
        counts[member as usize] += 1;
    }
    let offsets = offsets_of(&counts);
    let mut ends = offsets.clone();
    let mut values = vec![0; given.len()];
    for &(member, slot) in given {
        let end = &mut ends[member as usize];
        values[*end as usize] = slot;
        *end += 1;
    }
    server_result(problem, offsets, values)
}
