//! Which partitions of its topics each member gets, once it is known how many.
//!
//! Members keep the partitions they own, lowest numbers first, as many as they may; the others go to the members that lack
//! some, in the order of their ids.

use super::owned::{NOBODY, Owned};
use super::shares::Shares;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Assigned, Problem};
use crate::kafka::slots::exists;

/// `holders` is sorted within topics.
pub(super) fn hand_out(problem: &Problem<'_>, shares: &Shares, owned: Owned, holders: &mut [u32]) -> Assigned {
    let Owned { mut owners, clashes } = owned;
    let mut quotas = vec![0; shares.members()];
    for (topic, &id) in (0..).zip(&shares.topics) {
        let receivers = quotas_of(shares, topic, holders, &mut quotas);
        let slots = problem.slots_of(id);
        let of_topic = &mut owners[slots.start as usize..slots.end as usize];
        keep(of_topic, &mut quotas);
        give(of_topic, &mut quotas, receivers, |i| exists(problem, slots.start + i));
    }
    Assigned { clashes, ..lists_of(problem, shares, &owners) }
}

/// Writes how many of the topic each member gets; returns those who get any, by rank.
fn quotas_of<'a>(shares: &'a Shares, topic: u32, holders: &'a mut [u32], quotas: &mut [u32]) -> &'a [u32] {
    let extras = &mut holders[shares.extras_of(topic)];
    let subscribers = &shares.field(topic).subscribers;
    let has_floors = (extras.len() as u32) < shares.partitions[topic as usize];
    if has_floors {
        for &member in subscribers {
            quotas[member as usize] = shares.share(topic, member).0;
        }
    }
    for &member in &*extras {
        quotas[member as usize] += 1;
    }
    if has_floors {
        return subscribers;
    }
    extras.sort_unstable();
    extras
}

/// Owners keep what they may; the rest is nobody's.
fn keep(owners: &mut [u32], quotas: &mut [u32]) {
    for owner in owners.iter_mut().filter(|owner| **owner != NOBODY) {
        let quota = &mut quotas[*owner as usize];
        if *quota > 0 {
            *quota -= 1;
        } else {
            *owner = NOBODY;
        }
    }
}

fn give(owners: &mut [u32], quotas: &mut [u32], receivers: &[u32], exists: impl Fn(u32) -> bool) {
    let mut at = 0;
    for (i, owner) in (0..).zip(owners) {
        if *owner != NOBODY || !exists(i) {
            continue;
        }
        while quotas[receivers[at] as usize] == 0 {
            at += 1;
        }
        *owner = receivers[at];
        quotas[receivers[at] as usize] -= 1;
    }
}

/// Lists by member as given, topics by name, partitions by number.
fn lists_of(problem: &Problem<'_>, shares: &Shares, owners: &[u32]) -> Assigned {
    let each_slot = |visit: &mut dyn FnMut(usize, u32)| {
        for slot in shares.topics.iter().flat_map(|&id| problem.slots_of(id)) {
            if let Some(&member) = problem.member_order.get(owners[slot as usize] as usize) {
                visit(member as usize, slot);
            }
        }
    };
    let mut counts = vec![0; problem.members()];
    each_slot(&mut |member, _| counts[member] += 1);
    let offsets = offsets_of(&counts);
    let mut ends = offsets.clone();
    let mut values = vec![0; offsets[counts.len()] as usize];
    each_slot(&mut |member, slot| {
        values[ends[member] as usize] = slot;
        ends[member] += 1;
    });
    Assigned::plain(offsets, values)
}
