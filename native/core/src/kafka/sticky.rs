//! StickyAssignor and CooperativeStickyAssignor: as balanced as can be, and what need not move stays.
//!
//! Source: Apache Kafka 4.4.0, AbstractStickyAssignor and CooperativeStickyAssignor. What differs from the obvious: one of
//! two algorithms runs, by whether all subscribe alike; the cooperative one takes partitions that change hands out of the
//! lists again, until their owners gave them up; the highest generation that an assignor ever saw stays with it.

use super::problem::{Algorithm, Answer, Assigned, Assignor, Problem};
use super::slots::exists;
use super::subscriptions::active_topics;
use built::Built;
use claims::{Claims, NOBODY};

mod balance;
mod built;
mod claims;
mod constrained;
mod general;
mod lists;
mod map_order;
mod movements;
mod owned;
mod rack_dealer;
mod smallest;
mod wrapped_order;

/// Who gets what.
///
/// # Errors
/// What stops the original.
///
/// # Panics
/// If the problem's columns do not fit together, or topics are not ordered.
pub fn assign(problem: &Problem<'_>) -> Answer {
    let claims = Claims::settle(problem);
    let racks_used = use_racks(problem);
    let built = if claims.all_equal {
        constrained::build(problem, &claims, racks_used)?
    } else {
        general::build(problem, &claims, racks_used)?
    };
    let cooperative = problem.assignor == Assignor::CooperativeSticky;
    let withheld = if cooperative { withheld_of(problem, &built) } else { Vec::new() };
    let algorithm = if claims.all_equal { Algorithm::Constrained } else { Algorithm::General };
    Ok(Assigned {
        offsets: built.offsets,
        values: built.values,
        withheld,
        algorithm: Some(algorithm),
        max_generation: claims.max_generation,
        clashes: claims.clashes(),
    })
}

fn use_racks(problem: &Problem<'_>) -> bool {
    let Some(racks) = problem.racks else { return false };
    let active = active_topics(problem);
    let topics = (0..problem.topics() as u32).filter(|&topic| active[topic as usize]);
    let slots = topics.flat_map(|topic| problem.slots_of(topic)).filter(|&slot| exists(problem, slot));
    racks.matter(0..problem.members() as u32, slots)
}

/// Positions of what goes to a member only when another gave it up.
fn withheld_of(problem: &Problem<'_>, built: &Built) -> Vec<u32> {
    let mut waiting = match &built.transferring {
        Some(transferring) => {
            let mut waiting = vec![NOBODY; if transferring.is_empty() { 0 } else { problem.slots() }];
            for &(slot, member) in transferring {
                waiting[slot as usize] = member;
            }
            waiting
        }
        None => changed_hands(problem, built),
    };
    let mut positions = Vec::new();
    if waiting.is_empty() {
        return positions;
    }
    for member in 0..problem.members() {
        for at in built.offsets[member]..built.offsets[member + 1] {
            let waiting = &mut waiting[built.values[at as usize] as usize];
            if *waiting == member as u32 {
                positions.push(at);
                // A list that names it twice loses it once.
                *waiting = NOBODY;
            }
        }
    }
    positions
}

/// Slots new to one member and lost to another, by what each said it owned: who they are new to.
fn changed_hands(problem: &Problem<'_>, built: &Built) -> Vec<u32> {
    let slots = problem.slots();
    let (mut claimed, mut given) = (vec![NOBODY; slots], vec![NOBODY; slots]);
    let (mut lost, mut added) = (vec![false; slots], vec![NOBODY; slots]);
    let mut visit = |member: u32| {
        let mine = &problem.claims[problem.claims_of(member)];
        for &slot in mine {
            claimed[slot as usize] = member;
        }
        for &slot in built.list(member) {
            given[slot as usize] = member;
            if claimed[slot as usize] != member {
                added[slot as usize] = member;
            }
        }
        mine.iter().filter(|&&slot| given[slot as usize] != member).for_each(|&slot| lost[slot as usize] = true);
    };
    match &built.walk {
        Some(walk) => walk.iter().for_each(|&member| visit(member)),
        None => (0..problem.members() as u32).for_each(&mut visit),
    }
    added.iter_mut().zip(lost).filter(|&(_, lost)| !lost).for_each(|(member, _)| *member = NOBODY);
    added
}
