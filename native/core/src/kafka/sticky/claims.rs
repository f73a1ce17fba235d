//! What the members say they own, set against each other: whose claim holds, and which partitions two members claim alike.
//!
//! For both sticky algorithms. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.allSubscriptionsEqual. What differs from
//! the obvious: a newer generation wins, but the other side's generation is read from its subscription's field, even where
//! its claims came with another one; after a clash the later member counts as the one to beat, though it owns nothing; a
//! list that names a partition twice clashes with itself; and numbers beyond the count are let through.

use crate::kafka::problem::Problem;
use crate::kafka::subscriptions::active_topics;
use std::collections::HashMap;

/// Nobody.
pub(super) const NOBODY: u32 = u32::MAX;

/// Position of no claim.
const NO_CLAIM: u32 = u32::MAX;

pub(super) struct Claims {
    /// Position in `claims` of the claim that holds, for each slot.
    holding: Vec<u32>,
    /// Who claimed the slot last; where a claim holds, it is this member's.
    rival: Vec<u32>,
    /// Slots that were claimed twice with equal right; empty where there is none.
    clashed: Vec<bool>,
    pub(super) max_generation: i32,
    /// Everybody subscribes alike: the constrained algorithm's case.
    pub(super) all_equal: bool,
}

impl Claims {
    pub(super) fn settle(problem: &Problem<'_>) -> Claims {
        let slots = problem.slots();
        let mut claims = Claims {
            holding: vec![NO_CLAIM; slots],
            rival: vec![NOBODY; slots],
            clashed: Vec::new(),
            max_generation: problem.max_generation,
            all_equal: subscribe_alike(problem),
        };
        let active = active_slots(problem);
        for member in 0..problem.members() as u32 {
            let generation = problem.generations[member as usize];
            claims.max_generation = claims.max_generation.max(generation);
            for i in problem.claims_of(member) {
                let slot = problem.claims[i] as usize;
                if active.as_ref().is_none_or(|active| active[slot]) {
                    claims.claim(problem, (member, generation), slot, i as u32);
                }
            }
        }
        claims
    }

    fn claim(&mut self, problem: &Problem<'_>, (member, generation): (u32, i32), slot: usize, i: u32) {
        let rival = self.rival[slot];
        if rival == NOBODY {
            (self.rival[slot], self.holding[slot]) = (member, i);
            return;
        }
        let other = problem.field_generations[rival as usize];
        if generation < other {
            return;
        }
        // Against itself, a list takes out the first mention: the new one, where a clash has left no other.
        let is_void = generation == other || (rival == member && self.holding[slot] == NO_CLAIM);
        self.rival[slot] = member;
        self.holding[slot] = if is_void { NO_CLAIM } else { i };
        if generation == other {
            if self.clashed.is_empty() {
                self.clashed = vec![false; self.rival.len()];
            }
            self.clashed[slot] = true;
        }
    }

    pub(super) fn is_clashed(&self, slot: u32) -> bool {
        !self.clashed.is_empty() && self.clashed[slot as usize]
    }

    /// Slots that were claimed twice with equal right, ascending.
    pub(super) fn clashes(&self) -> Vec<u32> {
        (0..).zip(&self.clashed).filter(|&(_, &clashed)| clashed).map(|(slot, _)| slot).collect()
    }

    /// True if this claim to the slot holds.
    pub(super) fn holds(&self, i: usize, slot: u32) -> bool {
        self.holding[slot as usize] == i as u32
    }

    /// Whose claim to the slot holds.
    pub(super) fn holder(&self, slot: u32) -> u32 {
        if self.holding[slot as usize] == NO_CLAIM { NOBODY } else { self.rival[slot as usize] }
    }
}

/// Slots of topics that take part; `None` where all do.
fn active_slots(problem: &Problem<'_>) -> Option<Vec<bool>> {
    let active = active_topics(problem);
    if (0..).zip(&active).all(|(topic, &active)| active || problem.slots_of(topic).is_empty()) {
        return None;
    }
    let mut slots = vec![false; problem.slots()];
    for (topic, &active) in (0..).zip(&active) {
        let of_topic = problem.slots_of(topic);
        slots[of_topic.start as usize..of_topic.end as usize].fill(active);
    }
    Some(slots)
}

/// As the original compares: with the first list that is not empty, as a set; until one comes, empty lists are equal to
/// whatever follows. A repeat makes every list unequal but that first one.
fn subscribe_alike(problem: &Problem<'_>) -> bool {
    let mut in_reference = vec![false; problem.topics()];
    let mut equal: HashMap<u32, bool> = HashMap::new();
    let mut size = 0;
    for member in 0..problem.members() as u32 {
        let topics = problem.topics_of(member);
        if size == 0 {
            let new = topics.iter().filter(|&&topic| !std::mem::replace(&mut in_reference[topic as usize], true));
            size = new.count();
            continue;
        }
        let all_in = || topics.len() == size && topics.iter().all(|&topic| in_reference[topic as usize]);
        if !*equal.entry(problem.list_of[member as usize]).or_insert_with(all_in) {
            return false;
        }
    }
    true
}
