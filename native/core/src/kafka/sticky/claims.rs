//! What the members say they own, set against each other: whose claim holds, and which partitions two members claim alike.
//!
//! For both sticky algorithms. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.allSubscriptionsEqual. What differs from
//! the obvious: a newer generation wins, but the other side's generation is read from its subscription's field, even where
//! its claims came with another one; after a clash the later member counts as the one to beat, though it owns nothing; a
//! list that names a partition twice clashes with itself; and numbers beyond the count are let through.

use crate::kafka::problem::Problem;
use crate::kafka::subscriptions::active_topics;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Nobody. Members are below [`LOOSE`].
pub(super) const NOBODY: u32 = u32::MAX;

/// Bit of a rival that owns nothing.
const VOID: u32 = 1 << 31;

/// Bit of an owner that does not keep the slot.
const LOOSE: u32 = 1 << 30;

pub(super) struct Claims {
    /// Who claimed each slot last, with the bits above; [`NOBODY`] where no one did.
    rival: Vec<u32>,
    /// Slots that were claimed twice with equal right; empty where there is none.
    clashed: Vec<bool>,
    /// A member names a slot twice.
    any_repeated: bool,
    pub(super) max_generation: i32,
    /// Everybody subscribes alike: the constrained algorithm's case.
    pub(super) all_equal: bool,
}

impl Claims {
    pub(super) fn settle(problem: &Problem<'_>) -> Claims {
        assert!(problem.members() < LOOSE as usize, "so many members have no numbers");
        let mut claims = Claims {
            rival: vec![NOBODY; problem.slots()],
            clashed: Vec::new(),
            any_repeated: false,
            max_generation: problem.max_generation,
            all_equal: subscribe_alike(problem),
        };
        let active = active_slots(problem);
        for member in 0..problem.members() as u32 {
            let generation = problem.generations[member as usize];
            claims.max_generation = claims.max_generation.max(generation);
            for &slot in problem.claims_of(member) {
                if active.as_ref().is_none_or(|active| active[slot as usize]) {
                    claims.claim(problem, (member, generation), slot as usize);
                }
            }
        }
        claims
    }

    fn claim(&mut self, problem: &Problem<'_>, (member, generation): (u32, i32), slot: usize) {
        let rival = self.rival[slot];
        if rival == NOBODY {
            self.rival[slot] = member;
            return;
        }
        let before = rival & !VOID;
        self.any_repeated |= before == member;
        let other = problem.field_generations[before as usize];
        if generation < other {
            return;
        }
        // Against itself, a list takes out the first mention: the new one, where a clash has left no other.
        let is_void = generation == other || rival == member | VOID;
        self.rival[slot] = if is_void { member | VOID } else { member };
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

    /// What the member owns, in its order: of a slot that it names twice, the later mention where its claims are newer than
    /// its own field says.
    pub(super) fn held<'p>(&self, problem: &Problem<'p>, member: u32) -> Cow<'p, [u32]> {
        let claims = problem.claims_of(member);
        if !self.any_repeated && claims.iter().all(|&slot| self.rival[slot as usize] == member) {
            return Cow::Borrowed(claims);
        }
        let mut held: Vec<u32> = claims.iter().copied().filter(|&slot| self.rival[slot as usize] == member).collect();
        if self.any_repeated {
            let m = member as usize;
            let is_later = problem.generations[m] > problem.field_generations[m];
            let mut seen = HashSet::new();
            if is_later {
                held.reverse();
            }
            held.retain(|&slot| seen.insert(slot));
            if is_later {
                held.reverse();
            }
        }
        Cow::Owned(held)
    }

    /// Who owns the slot, whether it keeps it or not.
    pub(super) fn holder(&self, slot: u32) -> u32 {
        let rival = self.rival[slot as usize];
        if rival & VOID == 0 { rival & !LOOSE } else { NOBODY }
    }

    /// Who keeps the slot.
    #[inline]
    pub(super) fn keeper(&self, slot: u32) -> Option<u32> {
        Some(self.rival[slot as usize]).filter(|&rival| rival < LOOSE)
    }

    /// Its owner does not keep the slot.
    pub(super) fn loosen(&mut self, slot: u32) {
        self.rival[slot as usize] |= LOOSE;
    }

    pub(super) fn any_clashed(&self) -> bool {
        !self.clashed.is_empty()
    }

    /// Who keeps each slot, [`NOBODY`] where no one does. Asked about a slot, it panics from now on.
    pub(super) fn take_keepers(&mut self) -> Vec<u32> {
        let mut keepers = std::mem::take(&mut self.rival);
        keepers.iter_mut().filter(|keeper| **keeper >= LOOSE).for_each(|keeper| *keeper = NOBODY);
        keepers
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
