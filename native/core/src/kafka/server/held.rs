//! What members of a consumer or share group hold, as the broker's assignors are handed it: a map of topics to sets of
//! partitions for each member.
//!
//! For `uniform` and `simple`. Sources: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.modern.Assignment; OpenJDK
//! 17, java.util.HashMap and HashSet. What differs from the obvious: a claim that is repeated counts once; a coordinator
//! reads each member's topics into a map that grows, and the partitions of each into a set that is made large enough first.

use crate::kafka::java_map::java_map_order;
use crate::kafka::java_table::table_size_for;
use crate::kafka::problem::{Problem, ranks_of};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The capacity that Java's maps begin with.
pub(in crate::kafka) const FIRST_TABLE: usize = 16;

/// Buckets of a `HashSet` that copies so many values.
#[expect(clippy::cast_precision_loss, reason = "Java computes this in a float")]
pub(in crate::kafka) fn copied_table(values: usize) -> usize {
    table_size_for(((values as f32 / 0.75) as usize + 1).max(FIRST_TABLE))
}

/// Buckets of a map that Kafka makes for so many keys.
#[expect(clippy::cast_precision_loss, reason = "Java computes this in a float")]
pub(in crate::kafka) fn sized_table(keys: usize) -> usize {
    table_size_for(((keys + 1) as f32 / 0.75 + 1.0) as usize)
}

/// Positions of numbers in the order of a set of integers that they were put into one after the other.
pub(in crate::kafka) fn numbers_in_set(numbers: &[i32], table: usize) -> Vec<u32> {
    java_map_order(numbers, None, table).expect("equal hash codes are equal numbers, and ranks are never asked for")
}

/// Topics in the order of a hash map; `None` where the order of their ids decides and is not known.
pub(in crate::kafka) fn topics_in_map(problem: &Problem<'_>, topics: &[u32], table: usize) -> Option<Vec<u32>> {
    let hashes: Vec<i32> = topics.iter().map(|&topic| problem.topic_hashes[topic as usize]).collect();
    let order = java_map_order(&hashes, None, table).or_else(|| {
        let ranks = ranks_of(problem.topic_order?);
        let mine: Vec<u32> = topics.iter().map(|&topic| ranks[topic as usize]).collect();
        java_map_order(&hashes, Some(&mine), table)
    })?;
    Some(order.into_iter().map(|i| topics[i as usize]).collect())
}

/// The topic of a slot, quickly where slots ascend.
pub(in crate::kafka) struct TopicFinder<'a> {
    starts: &'a [u32],
    slots: Range<u32>,
    topic: u32,
}

impl<'a> TopicFinder<'a> {
    pub(in crate::kafka) fn new(problem: &Problem<'a>) -> TopicFinder<'a> {
        TopicFinder { starts: problem.starts, slots: 0..0, topic: 0 }
    }

    #[inline]
    pub(in crate::kafka) fn of(&mut self, slot: u32) -> u32 {
        if !self.slots.contains(&slot) {
            self.topic = self.starts.partition_point(|&start| start <= slot) as u32 - 1;
            self.slots = self.starts[self.topic as usize]..self.starts[self.topic as usize + 1];
        }
        self.topic
    }
}

/// Which topics are among those given.
pub(in crate::kafka) fn flags_of(problem: &Problem<'_>, topics: &[u32]) -> Vec<bool> {
    let mut flags = vec![false; problem.topics()];
    for &topic in topics {
        flags[topic as usize] = true;
    }
    flags
}

/// Which claims are of a topic that the member subscribes to.
pub(in crate::kafka) fn subscribed_claims(problem: &Problem<'_>) -> Vec<bool> {
    let mut subscribed = vec![false; problem.claims.len()];
    let mut named_by = vec![u32::MAX; problem.topics()];
    let mut finder = TopicFinder::new(problem);
    let mut stamped = u32::MAX;
    // Members of one list after the other, so that each list is looked at once.
    for member in members_by_list(problem) {
        let list = problem.list_of[member as usize];
        if list != stamped {
            for &topic in problem.list(list) {
                named_by[topic as usize] = list;
            }
            stamped = list;
        }
        let first = problem.claim_offsets[member as usize] as usize;
        for (flag, &slot) in subscribed[first..].iter_mut().zip(problem.claims_of(member)) {
            *flag = named_by[finder.of(slot) as usize] == list;
        }
    }
    subscribed
}

fn members_by_list(problem: &Problem<'_>) -> Vec<u32> {
    let mut ends = vec![0; problem.list_offsets.len()];
    for &list in problem.list_of {
        ends[list as usize + 1] += 1;
    }
    for list in 1..ends.len() {
        ends[list] += ends[list - 1];
    }
    let mut members = vec![0; problem.members()];
    for (member, &list) in problem.list_of.iter().enumerate() {
        let end: &mut usize = &mut ends[list as usize];
        members[*end] = member as u32;
        *end += 1;
    }
    members
}

/// Slots of a member's claims that count, each once, as the assignor walks them; `None` where the order of topic ids
/// decides and is not known.
pub(in crate::kafka) fn walked(
    problem: &Problem<'_>,
    member: u32,
    mut counts: impl FnMut(u32) -> bool,
) -> Option<Vec<u32>> {
    let (topics, mut slots_of) = by_topic(problem, member, &mut counts);
    if !problem.group().replayed {
        return Some(topics.iter().flat_map(|topic| slots_of.remove(topic).unwrap_or_default()).collect());
    }
    let order = topics_in_map(problem, &topics, FIRST_TABLE)?;
    Some(order.iter().flat_map(|&topic| in_set(problem, topic, &slots_of[&topic])).collect())
}

/// Topics of a member's claims as they come first, and of each the slots that count.
fn by_topic(
    problem: &Problem<'_>,
    member: u32,
    counts: &mut impl FnMut(u32) -> bool,
) -> (Vec<u32>, HashMap<u32, Vec<u32>>) {
    let (mut topics, mut slots_of) = (Vec::new(), HashMap::<u32, Vec<u32>>::new());
    let mut seen = HashSet::new();
    let mut finder = TopicFinder::new(problem);
    for &slot in problem.claims_of(member) {
        let topic = finder.of(slot);
        let slots = slots_of.entry(topic).or_insert_with(|| {
            topics.push(topic);
            Vec::new()
        });
        if counts(slot) && seen.insert(slot) {
            slots.push(slot);
        }
    }
    (topics, slots_of)
}

fn in_set(problem: &Problem<'_>, topic: u32, slots: &[u32]) -> Vec<u32> {
    let number_of = |&slot: &u32| match problem.numbers {
        None => (slot - problem.starts[topic as usize]) as i32,
        Some(numbers) => numbers[slot as usize],
    };
    let numbers: Vec<i32> = slots.iter().map(number_of).collect();
    numbers_in_set(&numbers, copied_table(slots.len())).into_iter().map(|i| slots[i as usize]).collect()
}
