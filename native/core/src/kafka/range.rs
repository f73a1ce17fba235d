//! RangeAssignor: of each topic, a run of partitions for each member.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RangeAssignor, with the rack awareness of KIP-881. What
//! differs from the obvious: every topic begins anew with the first member; static members come before dynamic ones;
//! topics come in the order of a HashMap that was filled from a HashSet; where racks matter, lists are sorted instead, and
//! topics of equal subscribers and equally many partitions are handed out together.

use super::java_map::java_map_order;
use super::list_builder::offsets_of;
use super::problem::{Answer, Assigned, Failure, Problem, ranks_of};
use super::slots::{exists, partition_count};
use super::subscriptions::{active_topics, distinct, named_topics, subscriber_classes};

mod racked;

/// The capacity that Java's maps begin with.
const FIRST_TABLE: usize = 16;

/// Who gets what.
///
/// # Errors
/// [`Failure::OrderNeeded`] where the order of the topics decides and is not known.
///
/// # Panics
/// If the problem's columns do not fit together.
pub fn assign(problem: &Problem<'_>) -> Answer {
    let ranges = Ranges::new(problem);
    if let Some(racks) = problem.racks
        && let Some(states) = racked::states(problem, racks, &ranges)
    {
        return racked::assign(problem, states);
    }
    in_hash_order(problem, &ranges)
}

/// Topics that take part, each with its members.
struct Ranges {
    class_of: Vec<u32>,
    /// Members of each class, each once.
    members: Vec<Vec<u32>>,
}

impl Ranges {
    fn new(problem: &Problem<'_>) -> Ranges {
        let classes = subscriber_classes(problem, problem.member_info_order);
        let members = classes.members.iter().map(|members| distinct(members)).collect();
        Ranges { class_of: classes.class_of, members }
    }

    /// Calls for each run of partitions, by their places among those that exist, topic by topic.
    fn each_run(&self, problem: &Problem<'_>, topics: &[u32], mut give: impl FnMut(u32, u32, u32, u32)) {
        for &topic in topics {
            let members = &self.members[self.class_of[topic as usize] as usize];
            let count = partition_count(problem, topic);
            let (each, extra) = (count / members.len() as u32, count % members.len() as u32);
            let mut from = 0;
            for (i, &member) in members.iter().take(count as usize).enumerate() {
                let length = each + u32::from((i as u32) < extra);
                give(member, topic, from, length);
                from += length;
            }
        }
    }
}

/// Topics between two looks whether anybody still waits.
const TOPICS_A_PART: usize = 1024;

fn in_hash_order(problem: &Problem<'_>, ranges: &Ranges) -> Answer {
    let topics = topics_in_hash_order(problem).ok_or(Failure::OrderNeeded)?;
    let mut counts = vec![0; problem.members()];
    for some in topics.chunks(TOPICS_A_PART) {
        problem.reach(2)?;
        ranges.each_run(problem, some, |member, _, _, length| counts[member as usize] += length);
    }
    let offsets = offsets_of(&counts);
    let mut values = vec![0; offsets[counts.len()] as usize];
    let mut ends = offsets.clone();
    let mut existing = (u32::MAX, Vec::new());
    for some in topics.chunks(TOPICS_A_PART) {
        problem.reach(4)?;
        ranges.each_run(problem, some, |member, topic, from, length| {
            let end = &mut ends[member as usize];
            let slots = &mut values[*end as usize..(*end + length) as usize];
            *end += length;
            if problem.kinds.is_none() {
                let first = problem.starts[topic as usize] + from;
                slots.iter_mut().zip(first..).for_each(|(slot, value)| *slot = value);
                return;
            }
            if existing.0 != topic {
                existing = (topic, existing_slots(problem, topic));
            }
            slots.copy_from_slice(&existing.1[from as usize..(from + length) as usize]);
        });
    }
    Ok(Assigned::plain(offsets, values))
}

fn existing_slots(problem: &Problem<'_>, topic: u32) -> Vec<u32> {
    problem.slots_of(topic).filter(|&slot| exists(problem, slot)).collect()
}

/// A map of the topics with partitions, filled in the order of a set of all topics that anybody names.
fn topics_in_hash_order(problem: &Problem<'_>) -> Option<Vec<u32>> {
    let ranks = problem.topic_order.map(ranks_of);
    let all = hash_ordered(problem, &named_topics(problem), ranks.as_deref())?;
    let active = active_topics(problem);
    let some: Vec<u32> = all.into_iter().filter(|&topic| active[topic as usize]).collect();
    hash_ordered(problem, &some, ranks.as_deref())
}

fn hash_ordered(problem: &Problem<'_>, topics: &[u32], ranks: Option<&[u32]>) -> Option<Vec<u32>> {
    let hashes: Vec<i32> = topics.iter().map(|&topic| problem.topic_hashes[topic as usize]).collect();
    let places: Option<Vec<u32>> = ranks.map(|ranks| topics.iter().map(|&topic| ranks[topic as usize]).collect());
    let order = java_map_order(&hashes, places.as_deref(), FIRST_TABLE)?;
    Some(order.into_iter().map(|i| topics[i as usize]).collect())
}
