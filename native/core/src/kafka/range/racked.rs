//! RangeAssignor where racks matter: what lies on a member's rack first, co-partitioned topics together, then the rest.

use super::Ranges;
use crate::kafka::list_builder::ListBuilder;
use crate::kafka::problem::{Answer, Failure, Problem, Racks};
use crate::kafka::slots::slot_of;
use crate::kafka::subscriptions::NO_CLASS;
use std::collections::HashMap;

/// One topic while it is handed out.
pub(super) struct TopicState<'a> {
    racks: Racks<'a>,
    topic: u32,
    slots: Vec<u32>,
    members: &'a [u32],
    needs_racks: bool,
    each: u32,
    extra: u32,
    given: HashMap<u32, u32>,
}

impl TopicState<'_> {
    fn room(&self, member: u32) -> usize {
        let most = self.each + u32::from(self.extra > 0);
        most.saturating_sub(self.given.get(&member).copied().unwrap_or(0)) as usize
    }

    fn give(&mut self, member: u32, count: u32) {
        let given = self.given.entry(member).or_insert(0);
        *given += count;
        if *given > self.each {
            self.extra -= 1;
        }
    }

    fn any_rack(&self) -> bool {
        self.members.iter().any(|&member| self.racks.of_member[member as usize] >= 0)
    }
}

/// The topics' states, or `None` where racks matter to none.
pub(super) fn states<'a>(problem: &Problem<'a>, racks: Racks<'a>, ranges: &'a Ranges) -> Option<Vec<TopicState<'a>>> {
    let topics = (0..problem.topics() as u32).filter(|&topic| ranges.class_of[topic as usize] != NO_CLASS);
    let states: Vec<TopicState<'a>> = topics
        .map(|topic| {
            let members = &ranges.members[ranges.class_of[topic as usize] as usize];
            let slots = super::existing_slots(problem, topic);
            let (count, takers) = (slots.len() as u32, members.len() as u32);
            let needs_racks = racks.matter(members.iter().copied(), slots.iter().copied());
            let (each, extra) = (count / takers, count % takers);
            TopicState { racks, topic, slots, members, needs_racks, each, extra, given: HashMap::new() }
        })
        .collect();
    states.iter().any(|state| state.needs_racks).then_some(states)
}

/// What is handed out; a slot is taken once, though a partition that does not exist can be given.
struct Given {
    taken: Vec<bool>,
    given: Vec<(u32, u32)>,
}

impl Given {
    fn give(&mut self, member: u32, slots: &[u32], state: &mut TopicState<'_>) {
        for &slot in slots {
            self.taken[slot as usize] = true;
            self.given.push((slot, member));
        }
        state.give(member, slots.len() as u32);
    }
}

pub(super) fn assign(problem: &Problem<'_>, mut states: Vec<TopicState<'_>>) -> Answer {
    let order = problem.topic_order.ok_or(Failure::OrderNeeded)?;
    let mut given = Given { taken: vec![false; problem.slots()], given: Vec::new() };
    for group in co_partitioned(&states) {
        if let [alone] = group[..] {
            let state = &mut states[alone];
            if state.needs_racks {
                give_matching(state, &mut given);
            }
        } else {
            give_together(problem, &mut states, &group, &mut given);
        }
    }
    for state in &mut states {
        give_rest(state, &mut given);
    }
    Ok(sorted(problem, order, given))
}

/// Lists by topic and number.
fn sorted(problem: &Problem<'_>, order: &[u32], mut given: Given) -> super::Assigned {
    given.given.sort_unstable();
    let mut lists = ListBuilder::new(problem.members());
    for &topic in order {
        let slots = problem.slots_of(topic);
        let from = given.given.partition_point(|&(slot, _)| slot < slots.start);
        let some = given.given[from..].iter().take_while(|&&(slot, _)| slot < slots.end);
        some.for_each(|&(slot, member)| lists.add(member, slot));
    }
    lists.result()
}

/// Topics of the same members and equally many partitions with known racks, together.
fn co_partitioned(states: &[TopicState<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = HashMap::new();
    for (i, state) in states.iter().enumerate() {
        let partitions = if state.any_rack() { state.slots.len() } else { 0 };
        let group = *known.entry((state.members, partitions)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(i);
    }
    groups
}

/// Partition by partition of all the topics, to the first member whose rack holds them all and that has room in all.
fn give_together(problem: &Problem<'_>, states: &mut [TopicState<'_>], group: &[usize], given: &mut Given) {
    let first = &states[group[0]];
    if !first.any_rack() {
        return;
    }
    let mut left = first.members.to_vec();
    for number in 0..first.slots.len() as i32 {
        let places: Vec<u32> = group.iter().map(|&i| slot_of(problem, states[i].topic, number)).collect();
        let takes = |&member: &u32| {
            group
                .iter()
                .zip(&places)
                .all(|(&i, &slot)| states[i].racks.fits(member, slot) && states[i].room(member) > 0)
        };
        let Some(at) = left.iter().position(takes) else { continue };
        let member = left[at];
        for (&i, &slot) in group.iter().zip(&places) {
            given.give(member, &[slot], &mut states[i]);
        }
        if group.iter().all(|&i| states[i].room(member) == 0) {
            left.remove(at);
        }
    }
}

/// For each member, what lies on its rack, as far as its room goes.
fn give_matching(state: &mut TopicState<'_>, given: &mut Given) {
    let mut left = state.slots.clone();
    for &member in state.members {
        let fits = left.iter().copied().filter(|&slot| state.racks.fits(member, slot));
        let some: Vec<u32> = fits.take(state.room(member)).collect();
        if !some.is_empty() {
            given.give(member, &some, state);
            left.retain(|&slot| !given.taken[slot as usize]);
        }
    }
}

/// A run for each member of what is left.
fn give_rest(state: &mut TopicState<'_>, given: &mut Given) {
    let left: Vec<u32> = state.slots.iter().copied().filter(|&slot| !given.taken[slot as usize]).collect();
    let mut from = 0;
    for &member in state.members {
        let to = left.len().min(from + state.room(member));
        if to > from {
            given.give(member, &left[from..to], state);
        }
        from = to;
    }
}
