//! What the two sticky algorithms give back, and what the general one looks up all the time.

use super::lists::Lists;
use super::smallest::{Heaps, Tally};
use crate::kafka::problem::Problem;
use crate::kafka::subscriptions::SubscriberClasses;

/// Lists by member, and what tells who must wait for which slot.
pub(super) struct Built {
    pub(super) laid: Laid,
    pub(super) waits: Waits,
}

/// Lists laid out by member.
pub(super) struct Laid {
    pub(super) offsets: Vec<u32>,
    pub(super) values: Vec<u32>,
}

/// Who gets a slot only when another gave it up.
pub(super) enum Waits {
    /// Slots, each with that member; the last one counts.
    Told(Vec<(u32, u32)>),
    /// Whoever holds a slot that it did not own, where another did: the holder of each slot.
    Held(Vec<u32>),
    /// The same where slots have several: members in the order in which the original walks their lists.
    Walked(Vec<u32>),
}

impl Laid {
    pub(super) fn list(&self, member: u32) -> &[u32] {
        let member = member as usize;
        &self.values[self.offsets[member] as usize..self.offsets[member + 1] as usize]
    }
}

/// The general algorithm's state.
pub(super) struct General<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) classes: &'a SubscriberClasses,
    pub(super) topic_of: Vec<u32>,
    pub(super) tally: Tally,
    pub(super) lists: Lists,
    /// The most partitions that each member could have.
    pub(super) most: Vec<u64>,
    pub(super) heaps: Heaps<'a>,
}

impl General<'_> {
    /// The class of the subscribers of a slot's topic.
    pub(super) fn class_of(&self, slot: u32) -> u32 {
        self.classes.class_of[self.topic_of[slot as usize] as usize]
    }

    /// Subscribers of a class, repeats too.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        &self.classes.members[class as usize]
    }
}
