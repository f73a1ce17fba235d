//! Who owns which partition, once the claims are set against each other; and who owns more of a topic than its share.
//!
//! The claim of the highest generation holds. Where two members claim a partition in that generation, neither holds, and
//! where the holder does not subscribe to the topic, nobody owns it. Claims of partitions that do not exist, and repeats,
//! are passed over.

use super::shares::Shares;
use crate::kafka::problem::{Problem, ranks_of};
use crate::kafka::slots::exists;
use std::ops::Range;

/// Nobody.
pub(super) const NOBODY: u32 = u32::MAX;
/// On the rank of an owner: another member claims as much. Ranks are below.
const CLASH: u32 = 1 << 31;

pub(super) struct Owned {
    /// Rank of the owner of each slot; [`NOBODY`] for none.
    pub(super) owners: Vec<u32>,
    /// Slots that two members claimed with equal right, ascending.
    pub(super) clashes: Vec<u32>,
}

pub(super) fn owners_of(problem: &Problem<'_>, shares: &Shares) -> Owned {
    let mut owners = settled(problem);
    let mut clashes = Vec::new();
    for (topic, &id) in shares.topics.iter().enumerate() {
        let subscribers = &shares.field(topic as u32).subscribers;
        let all = subscribers.len() == shares.members();
        for slot in problem.slots_of(id) {
            let owner = &mut owners[slot as usize];
            if *owner == NOBODY {
                continue;
            }
            if *owner >= CLASH {
                clashes.push(slot);
            }
            if *owner >= CLASH || !(all || subscribers.binary_search(owner).is_ok()) {
                *owner = NOBODY;
            }
        }
    }
    clashes.sort_unstable();
    Owned { owners, clashes }
}

/// Who holds each slot by generation, [`CLASH`] on it where two do.
fn settled(problem: &Problem<'_>) -> Vec<u32> {
    let mut owners = vec![NOBODY; problem.slots()];
    for (member, &rank) in ranks_of(problem.member_order).iter().enumerate() {
        let generation = problem.generations[member];
        for &slot in problem.claims_of(member as u32) {
            let owner = &mut owners[slot as usize];
            if *owner == NOBODY {
                if exists(problem, slot) {
                    *owner = rank;
                }
                continue;
            }
            let other = *owner & !CLASH;
            let than = problem.generations[problem.member_order[other as usize] as usize];
            if generation > than {
                *owner = rank;
            } else if generation == than && other != rank {
                *owner |= CLASH;
            }
        }
    }
    owners
}

/// Carriers who own more than their share rounded down, by topic.
pub(super) struct Keepers {
    offsets: Vec<u32>,
    members: Vec<u32>,
}

impl Keepers {
    /// Keepers of a topic, in the order of its partitions.
    pub(super) fn of(&self, topic: u32) -> &[u32] {
        &self.members[self.range(topic)]
    }

    fn range(&self, topic: u32) -> Range<usize> {
        self.offsets[topic as usize] as usize..self.offsets[topic as usize + 1] as usize
    }
}

/// Who keeps a partition by getting an extra of its topic.
pub(super) fn keepers_of(problem: &Problem<'_>, shares: &Shares, owners: &[u32]) -> Keepers {
    let mut keepers =
        Keepers { offsets: vec![0], members: Vec::with_capacity(shares.extras[shares.topics.len()] as usize) };
    let mut counts = vec![0; shares.members()];
    let mut some = Vec::new();
    for (topic, &id) in (0..).zip(&shares.topics) {
        if !shares.extras_of(topic).is_empty() {
            let slots = problem.slots_of(id);
            count_owned(&owners[slots.start as usize..slots.end as usize], &mut counts, &mut some);
            for owner in some.drain(..) {
                let owned = std::mem::take(&mut counts[owner as usize]);
                let (floor, is_carrier) = shares.share(topic, owner);
                if owned > floor && is_carrier {
                    keepers.members.push(owner);
                }
            }
        }
        keepers.offsets.push(keepers.members.len() as u32);
    }
    keepers
}

/// Counts up how often each owner is there; `some` gets those that are.
fn count_owned(owners: &[u32], counts: &mut [u32], some: &mut Vec<u32>) {
    for &owner in owners.iter().filter(|&&owner| owner != NOBODY) {
        if counts[owner as usize] == 0 {
            some.push(owner);
        }
        counts[owner as usize] += 1;
    }
}
