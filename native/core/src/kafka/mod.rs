//! What Apache Kafka and its clients compute.

pub mod alternating;
pub mod balanced;
pub mod java_map;
pub mod java_random;
mod java_table;
mod list_builder;
pub mod partitioner;
pub mod planner;
mod problem;
mod racks;
pub mod range;
pub mod round_robin;
mod server;
pub mod server_range;
pub mod share;
mod slots;
pub mod sticky;
pub mod striped;
mod subscriptions;
pub mod topic_names;
pub mod uniform;

pub use problem::{
    Algorithm, Answer, Assigned, Assignor, Failure, Pace, Problem, Racks, SLOT_COUNTED, SLOT_EXISTS, ServerGroup,
};

/// Partitions to members, as an assignor of Kafka, or as ours.
///
/// # Errors
/// What stops the original: [`Failure`].
///
/// # Panics
/// If the problem's columns do not fit together.
pub fn assign(problem: &Problem<'_>) -> Answer {
    match problem.assignor {
        Assignor::Range => range::assign(problem),
        Assignor::RoundRobin => round_robin::assign(problem),
        Assignor::Balanced => balanced::assign(problem),
        Assignor::Sticky | Assignor::CooperativeSticky => sticky::assign(problem),
        Assignor::Uniform | Assignor::Uniform40 => uniform::assign(problem),
        Assignor::ServerRange => server_range::assign(problem),
        Assignor::Simple => share::assign(problem),
    }
}
