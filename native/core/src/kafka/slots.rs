//! What a slot is: a partition that is in the metadata, one whose number is below the count of its topic, or a mere claim.
//!
//! For the client-side assignors. In a dense group every slot is both, and no column says so.

use super::problem::{Problem, SLOT_COUNTED, SLOT_EXISTS};

/// True for a partition that is in the metadata.
#[inline]
pub(super) fn exists(problem: &Problem<'_>, slot: u32) -> bool {
    problem.kinds.is_none_or(|kinds| kinds[slot as usize] & SLOT_EXISTS != 0)
}

/// True for a number below the count of its topic, which is what the assignors that count from 0 hand out.
#[inline]
pub(super) fn is_counted(problem: &Problem<'_>, slot: u32) -> bool {
    problem.kinds.is_none_or(|kinds| kinds[slot as usize] & SLOT_COUNTED != 0)
}

/// The slot of a partition by its number, which is there: numbers of a topic ascend.
pub(super) fn slot_of(problem: &Problem<'_>, topic: u32, number: i32) -> u32 {
    let slots = problem.slots_of(topic);
    match problem.numbers {
        None => slots.start + number as u32,
        Some(numbers) => {
            let of_topic = &numbers[slots.start as usize..slots.end as usize];
            slots.start + of_topic.partition_point(|&other| other < number) as u32
        }
    }
}

/// The topic of each slot.
pub(super) fn topics_of_slots(problem: &Problem<'_>) -> Vec<u32> {
    let mut topics = vec![0; problem.slots()];
    for topic in 0..problem.topics() as u32 {
        let slots = problem.slots_of(topic);
        topics[slots.start as usize..slots.end as usize].fill(topic);
    }
    topics
}

/// How many partitions of a topic are in the metadata.
pub(super) fn partition_count(problem: &Problem<'_>, topic: u32) -> u32 {
    let slots = problem.slots_of(topic);
    match problem.kinds {
        None => slots.end - slots.start,
        Some(_) => slots.filter(|&slot| exists(problem, slot)).count() as u32,
    }
}
