//! What each member owned and may keep, by partition number, then topic.
//!
//! For the constrained sticky algorithm. In a dense group all topics are walked side by side, number by number, so that
//! nothing is compared.

use super::claims::NOBODY;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Problem, ranks_of};
use crate::kafka::slots::topics_of_slots;

#[derive(Default)]
pub(super) struct Owned {
    offsets: Vec<u32>,
    slots: Vec<u32>,
}

impl Owned {
    /// `may_keep` is asked for every claim by its position; `topics` are those that take part, by name.
    pub(super) fn new(problem: &Problem<'_>, topics: &[u32], may_keep: impl Fn(u32, usize) -> bool) -> Owned {
        let mut owners = vec![NOBODY; problem.slots()];
        let mut counts = vec![0; problem.members()];
        for member in 0..problem.members() as u32 {
            for i in problem.claims_of(member).filter(|&i| may_keep(member, i)) {
                owners[problem.claims[i] as usize] = member;
                counts[member as usize] += 1;
            }
        }
        let offsets = offsets_of(&counts);
        let mut ends = offsets.clone();
        let mut slots = vec![0; offsets[counts.len()] as usize];
        let visit = |slot: u32, member: u32| {
            let end = &mut ends[member as usize];
            slots[*end as usize] = slot;
            *end += 1;
        };
        match problem.numbers {
            _ if offsets[counts.len()] == 0 => {}
            None => each_side_by_side(problem, topics, &owners, visit),
            Some(numbers) => each_sorted(problem, numbers, &owners, visit),
        }
        Owned { offsets, slots }
    }

    pub(super) fn of(&self, member: u32) -> &[u32] {
        let member = member as usize;
        &self.slots[self.offsets[member] as usize..self.offsets[member + 1] as usize]
    }
}

/// In a dense group the number is the distance from the topic's first slot.
fn each_side_by_side(problem: &Problem<'_>, topics: &[u32], owners: &[u32], mut visit: impl FnMut(u32, u32)) {
    let slots = topics.iter().map(|&topic| problem.slots_of(topic));
    let mut open: Vec<(u32, u32)> = slots.map(|slots| (slots.start, slots.end)).collect();
    while !open.is_empty() {
        let mut any_ended = false;
        for (at, end) in &mut open {
            let owner = owners[*at as usize];
            if owner != NOBODY {
                visit(*at, owner);
            }
            *at += 1;
            any_ended |= at == end;
        }
        if any_ended {
            open.retain(|(at, end)| at < end);
        }
    }
}

fn each_sorted(problem: &Problem<'_>, numbers: &[i32], owners: &[u32], mut visit: impl FnMut(u32, u32)) {
    let ranks = ranks_of(problem.topic_order.unwrap_or(&[]));
    let topics = topics_of_slots(problem);
    let mut slots: Vec<u32> = (0..owners.len() as u32).filter(|&slot| owners[slot as usize] != NOBODY).collect();
    slots.sort_by_key(|&slot| (numbers[slot as usize], ranks[topics[slot as usize] as usize]));
    for slot in slots {
        visit(slot, owners[slot as usize]);
    }
}
