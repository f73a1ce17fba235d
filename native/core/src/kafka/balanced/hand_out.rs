//! Which partitions of its topics each member gets, once it is known how many.
//!
//! Members keep the partitions they own, as many as they may: those near first, then lowest numbers first. The others go to
//! the members that lack some, as many near as can be, else in the order of their ids.

use super::nearness::{Nearness, RackMatching};
use super::owned::{NOBODY, Owned};
use super::shares::Shares;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Assigned, Problem};
use crate::kafka::slots::exists;
use std::ops::Range;

/// `holders` is sorted within topics. `nearness` is `None` where no member has a rack.
pub(super) fn hand_out(
    (problem, shares): (&Problem<'_>, &Shares),
    nearness: Option<&Nearness<'_>>,
    owned: Owned,
    holders: &mut [u32],
) -> Assigned {
    let Owned { mut owners, clashes } = owned;
    let mut quotas = vec![0; shares.members()];
    for (topic, &id) in (0..).zip(&shares.topics) {
        let receivers = quotas_of(shares, topic, holders, &mut quotas);
        let slots = problem.slots_of(id);
        keep(&mut owners, &mut quotas, slots.clone(), nearness);
        let unowned = |slot: &u32| owners[*slot as usize] == NOBODY && exists(problem, *slot);
        let unowned: Vec<u32> = slots.filter(unowned).collect();
        match nearness {
            None => give(&mut owners, &mut quotas, &unowned, receivers),
            Some(nearness) => give_near(&mut owners, &mut quotas, (&unowned, receivers), nearness),
        }
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

/// Owners keep what they may, near partitions first; the rest is nobody's.
fn keep(owners: &mut [u32], quotas: &mut [u32], slots: Range<u32>, nearness: Option<&Nearness<'_>>) {
    for far in if nearness.is_none() { &[false][..] } else { &[false, true][..] } {
        for slot in slots.clone() {
            let owner = owners[slot as usize];
            if owner == NOBODY || nearness.is_some_and(|nearness| nearness.is_far(owner, slot)) != *far {
                continue;
            }
            let quota = &mut quotas[owner as usize];
            if *quota > 0 {
                *quota -= 1;
            } else {
                owners[slot as usize] = NOBODY;
            }
        }
    }
}

fn give(owners: &mut [u32], quotas: &mut [u32], unowned: &[u32], receivers: &[u32]) {
    let mut at = 0;
    for &slot in unowned {
        while quotas[receivers[at] as usize] == 0 {
            at += 1;
        }
        owners[slot as usize] = receivers[at];
        quotas[receivers[at] as usize] -= 1;
    }
}

/// As many as can be to racks of their replicas; inside a rack in the order of the ids.
fn give_near(owners: &mut [u32], quotas: &mut [u32], (unowned, receivers): (&[u32], &[u32]), nearness: &Nearness<'_>) {
    let mut by_rack = vec![Vec::new(); nearness.count];
    let mut rooms = vec![0; nearness.count];
    for &member in receivers.iter().filter(|&&member| quotas[member as usize] > 0) {
        let rack = nearness.rack_of[member as usize] as usize;
        by_rack[rack].push(member);
        rooms[rack] += quotas[member as usize];
    }
    let mut matching = RackMatching::new(nearness, rooms);
    let sets: Vec<usize> = unowned.iter().map(|&slot| matching.add(slot)).collect();
    let racks: Vec<Option<usize>> = sets.into_iter().map(|set| matching.take(set)).collect();
    let mut ends = vec![0; nearness.count];
    for (&slot, rack) in unowned.iter().zip(racks) {
        let rack = rack.unwrap_or_else(|| matching.take_any());
        while quotas[by_rack[rack][ends[rack]] as usize] == 0 {
            ends[rack] += 1;
        }
        let member = by_rack[rack][ends[rack]];
        owners[slot as usize] = member;
        quotas[member as usize] -= 1;
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
