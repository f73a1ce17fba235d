//! What cooperative members get only once another gave it up.
//!
//! Source: Apache Kafka 4.4.0, CooperativeStickyAssignor. What differs from the obvious: the constrained algorithm tells
//! which slots change hands; for the general one they are found from the lists and what each member said it owned.

use super::built::{Laid, Waits};
use super::claims::NOBODY;
use crate::kafka::problem::Problem;

/// Bit of a holder of a slot that another member lost.
const LOST: u32 = 1 << 31;

/// Positions in the lists, ascending.
pub(super) fn withheld_of(problem: &Problem<'_>, laid: &Laid, waits: Waits) -> Vec<u32> {
    let waiting = match waits {
        Waits::Told(some) => told(problem, &some),
        Waits::Held(holders) => held(problem, holders),
        Waits::Walked(walk) => Some(walked(problem, laid, &walk)),
    };
    let mut positions = Vec::new();
    let Some(mut waiting) = waiting else { return positions };
    for member in 0..problem.members() as u32 {
        let from = laid.offsets[member as usize];
        for (at, &slot) in (from..).zip(laid.list(member)) {
            let waiting = &mut waiting[slot as usize];
            if *waiting == member {
                positions.push(at);
                // A list that names it twice loses it once.
                *waiting = NOBODY;
            }
        }
    }
    positions
}

fn told(problem: &Problem<'_>, some: &[(u32, u32)]) -> Option<Vec<u32>> {
    if some.is_empty() {
        return None;
    }
    let mut waiting = vec![NOBODY; problem.slots()];
    for &(slot, member) in some {
        waiting[slot as usize] = member;
    }
    Some(waiting)
}

/// Of each slot the holder, if it did not own it and another did.
fn held(problem: &Problem<'_>, mut holders: Vec<u32>) -> Option<Vec<u32>> {
    for member in 0..problem.members() as u32 {
        for &slot in problem.claims_of(member) {
            let holder = &mut holders[slot as usize];
            if *holder & !LOST == member {
                *holder = NOBODY;
            } else {
                *holder |= LOST;
            }
        }
    }
    let mut any = false;
    for holder in &mut holders {
        // Nobody has the bit, too, and is nobody without it for any list.
        *holder = if *holder & LOST == 0 { NOBODY } else { *holder & !LOST };
        any |= *holder != NOBODY & !LOST;
    }
    any.then_some(holders)
}

/// Slots new to one member and lost to another, in the order of the original's walk, where slots have several holders.
fn walked(problem: &Problem<'_>, laid: &Laid, walk: &[u32]) -> Vec<u32> {
    let slots = problem.slots();
    let (mut claimed, mut given) = (vec![NOBODY; slots], vec![NOBODY; slots]);
    let (mut lost, mut added) = (vec![false; slots], vec![NOBODY; slots]);
    for &member in walk {
        let mine = problem.claims_of(member);
        for &slot in mine {
            claimed[slot as usize] = member;
        }
        for &slot in laid.list(member) {
            given[slot as usize] = member;
            if claimed[slot as usize] != member {
                added[slot as usize] = member;
            }
        }
        mine.iter().filter(|&&slot| given[slot as usize] != member).for_each(|&slot| lost[slot as usize] = true);
    }
    added.iter_mut().zip(lost).filter(|&(_, lost)| !lost).for_each(|(member, _)| *member = NOBODY);
    added
}
