//! The topics of which each member holds an extra: the extras' holders turned around.
//!
//! Made anew for each search, which is cheaper than to keep it up to date.

use super::owned::{Keepers, NOBODY};
use super::shares::Shares;
use crate::kafka::list_builder::offsets_of;

/// Twice each topic, and one more where the member is a keeper.
#[derive(Default)]
pub(super) struct Held {
    offsets: Vec<u32>,
    topics: Vec<u32>,
}

impl Held {
    /// Extras from `extras[t]` to `ends[t]` of the topics have a holder.
    pub(super) fn new(
        shares: &Shares,
        topics: &[u32],
        (ends, holders): (&[u32], &[u32]),
        keepers: Option<&Keepers>,
    ) -> Held {
        let placed = |topic: u32| &holders[shares.extras[topic as usize] as usize..ends[topic as usize] as usize];
        let mut counts = vec![0; shares.members()];
        for &topic in topics {
            for &holder in placed(topic) {
                counts[holder as usize] += 1;
            }
        }
        let offsets = offsets_of(&counts);
        let mut at = offsets.clone();
        let mut held = vec![0; offsets[counts.len()] as usize];
        let mut keeper_of = vec![NOBODY; shares.members()];
        for &topic in topics {
            for &keeper in keepers.map_or(&[][..], |keepers| keepers.of(topic)) {
                keeper_of[keeper as usize] = topic;
            }
            for &holder in placed(topic) {
                let at = &mut at[holder as usize];
                held[*at as usize] = 2 * topic + u32::from(keeper_of[holder as usize] == topic);
                *at += 1;
            }
        }
        Held { offsets, topics: held }
    }

    pub(super) fn of(&self, member: u32) -> &[u32] {
        let member = member as usize;
        &self.topics[self.offsets[member] as usize..self.offsets[member + 1] as usize]
    }
}
