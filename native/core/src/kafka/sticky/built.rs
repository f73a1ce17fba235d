//! What the two sticky algorithms give back, and what the general one looks up all the time.

use super::lists::Lists;
use super::smallest::{Heaps, Tally};
use crate::kafka::problem::Problem;
use crate::kafka::subscriptions::SubscriberClasses;

/// Lists by member, and who must wait for which slot.
pub(super) struct Built {
    pub(super) offsets: Vec<u32>,
    pub(super) values: Vec<u32>,
    /// Slots with the member that gets them only when another gave them up, the last one counts; `None` where that must be
    /// found from the lists.
    pub(super) transferring: Option<Vec<(u32, u32)>>,
    /// Members in the order in which the original walks the lists; `None` where that makes no difference.
    pub(super) walk: Option<Vec<u32>>,
}

impl Built {
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
