//! What each member owned and may keep, by partition number, then topic.
//!
//! For the constrained sticky algorithm. In a dense group all topics are walked side by side, number by number, so that
//! nothing is compared.

use super::claims::Claims;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Problem, ranks_of};
use crate::kafka::slots::topics_of_slots;

#[derive(Default)]
pub(super) struct Owned {
    offsets: Vec<u32>,
    slots: Vec<u32>,
}

impl Owned {
    /// `topics` are those that take part, by name.
    pub(super) fn new(problem: &Problem<'_>, topics: &[u32], claims: &Claims) -> Owned {
        let mut counts = vec![0; problem.members()];
        for member in (0..problem.slots() as u32).filter_map(|slot| claims.keeper(slot)) {
            counts[member as usize] += 1;
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
            None => each_side_by_side(problem, topics, claims, visit),
            Some(numbers) => each_sorted(problem, numbers, claims, visit),
        }
        Owned { offsets, slots }
    }

    pub(super) fn of(&self, member: u32) -> &[u32] {
        let member = member as usize;
        &self.slots[self.offsets[member] as usize..self.offsets[member + 1] as usize]
    }
}

/// In a dense group the number is the distance from the topic's first slot.
fn each_side_by_side(problem: &Problem<'_>, topics: &[u32], claims: &Claims, mut visit: impl FnMut(u32, u32)) {
    let slots = topics.iter().map(|&topic| problem.slots_of(topic));
    let mut open: Vec<(u32, u32)> = slots.map(|slots| (slots.start, slots.end)).collect();
    while !open.is_empty() {
        let mut any_ended = false;
        for (at, end) in &mut open {
            if let Some(keeper) = claims.keeper(*at) {
                visit(*at, keeper);
            }
            *at += 1;
            any_ended |= at == end;
        }
        if any_ended {
            open.retain(|(at, end)| at < end);
        }
    }
}

fn each_sorted(problem: &Problem<'_>, numbers: &[i32], claims: &Claims, mut visit: impl FnMut(u32, u32)) {
    let ranks = ranks_of(problem.topic_order.unwrap_or(&[]));
    let topics = topics_of_slots(problem);
    let kept = (0..problem.slots() as u32).filter_map(|slot| claims.keeper(slot).map(|keeper| (slot, keeper)));
    let mut kept: Vec<(u32, u32)> = kept.collect();
    kept.sort_by_key(|&(slot, _)| (numbers[slot as usize], ranks[topics[slot as usize] as usize]));
    for (slot, keeper) in kept {
        visit(slot, keeper);
    }
}
