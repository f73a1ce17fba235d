//! Our own assignor: each topic spread evenly first, then loads level, then as few moves as possible, then racks.
//!
//! No original: docs/assignors.md says what it promises. What differs from the obvious: no partition is looked at while
//! counts are settled. A subscriber gets its share of a topic rounded down or up; who gets it rounded up is a flow from
//! topics to members, exactly solved; names come last.

use super::problem::{Answer, Problem};
use extras::Placing;
use levels::Round;
use nearness::Nearness;
use shares::Shares;
use std::collections::BTreeMap;

mod extras;
mod hand_out;
mod held;
mod levels;
mod most_room_first;
mod nearness;
mod owned;
mod paths;
mod shares;

/// Who gets what.
///
/// # Errors
/// [`Failure::Stopped`](super::Failure::Stopped) where nobody waits any more; else every group has an answer.
///
/// # Panics
/// If the problem's columns do not fit together, or topics are not ordered.
pub fn assign(problem: &Problem<'_>) -> Answer {
    let shares = Shares::new(problem);
    let owned = owned::owners_of(problem, &shares);
    problem.reach(1)?;
    let keepers = owned::keepers_of(problem, &shares, &owned.owners);
    let mut holders = vec![0; shares.extras[shares.topics.len()] as usize];
    let mut loads = shares.floor_loads();
    let nearness = Nearness::of(problem);
    problem.reach(2)?;
    for topics in heaviest_first(&shares) {
        let levels = levels::levels_of(Round { shares: &shares, topics: &topics, loads: &loads }, &mut holders);
        problem.reach(3)?;
        let placing = Placing {
            problem,
            shares: &shares,
            topics: &topics,
            keepers: &keepers,
            levels: &levels,
            owners: &owned.owners,
            nearness: nearness.as_ref(),
        };
        extras::place_extras(placing, &mut holders);
        add_loads(&shares, &topics, &holders, &mut loads);
    }
    problem.reach(5)?;
    Ok(hand_out::hand_out((problem, &shares), nearness.as_ref(), owned, &mut holders))
}

/// Topics that have extras, those of one weight together.
fn heaviest_first(shares: &Shares) -> Vec<Vec<u32>> {
    let mut by_weight: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for topic in 0..shares.topics.len() {
        if !shares.extras_of(topic as u32).is_empty() {
            by_weight.entry(shares.topic_weights[topic]).or_default().push(topic as u32);
        }
    }
    by_weight.into_values().rev().collect()
}

fn add_loads(shares: &Shares, topics: &[u32], holders: &[u32], loads: &mut [u64]) {
    for &topic in topics {
        for &holder in &holders[shares.extras_of(topic)] {
            loads[holder as usize] += u64::from(shares.topic_weights[topic as usize]);
        }
    }
}
