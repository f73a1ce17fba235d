//! StickyAssignor and CooperativeStickyAssignor: as balanced as can be, and what need not move stays.
//!
//! Source: Apache Kafka 4.4.0, AbstractStickyAssignor and CooperativeStickyAssignor. What differs from the obvious: one of
//! two algorithms runs, by whether all subscribe alike; the cooperative one takes partitions that change hands out of the
//! lists again, until their owners gave them up; the highest generation that an assignor ever saw stays with it.

use super::problem::{Algorithm, Answer, Assigned, Assignor, Problem};
use super::slots::exists;
use super::subscriptions::active_topics;
use built::Built;
use claims::Claims;
use withheld::withheld_of;

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
mod withheld;
mod wrapped_order;

/// Who gets what.
///
/// # Errors
/// What stops the original.
///
/// # Panics
/// If the problem's columns do not fit together, or topics are not ordered.
pub fn assign(problem: &Problem<'_>) -> Answer {
    let mut claims = Claims::settle(problem);
    let racks_used = use_racks(problem);
    problem.reach(1)?;
    let built = if claims.all_equal {
        constrained::build(problem, &mut claims, racks_used)?
    } else {
        general::build(problem, &mut claims, racks_used)?
    };
    problem.reach(6)?;
    let Built { laid, waits } = built;
    let cooperative = problem.assignor == Assignor::CooperativeSticky;
    let withheld = if cooperative { withheld_of(problem, &laid, waits) } else { Vec::new() };
    problem.reach(7)?;
    let algorithm = if claims.all_equal { Algorithm::Constrained } else { Algorithm::General };
    Ok(Assigned {
        offsets: laid.offsets,
        values: laid.values,
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
