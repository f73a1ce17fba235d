//! UniformAssignor: members get equally much, and keep what they hold where that is possible.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformAssignor with its two builders. What
//! differs from the obvious: one of two algorithms runs, by what the coordinator says of the subscriptions and not by what
//! they are; racks and static members are not looked at.

use super::problem::{Answer, Problem};
use super::server::runs::nothing_for;

mod heterogeneous;
mod homogeneous;
mod levels;

/// Who gets what.
///
/// # Errors
/// What stops the original.
///
/// # Panics
/// If the problem's columns do not fit together.
pub fn assign(problem: &Problem<'_>) -> Answer {
    if problem.members() == 0 {
        return Ok(nothing_for(problem));
    }
    if problem.group().homogeneous { homogeneous::assign(problem) } else { heterogeneous::assign(problem) }
}
