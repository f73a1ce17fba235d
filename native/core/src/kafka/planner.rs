//! Replica lists that keep the rules, level and with the fewest moves, and the bound that proves it.
//!
//! For `kafka.planReassignment`. No original: Kafka's own tool places anew and moves what it likes. Each partition is first
//! repaired by itself; then replicas move along shortest ways on the graph of brokers until all counts are level; the last
//! distances are the proof. Integers only, and every tie is decided by a fixed hash: the same question, the same bytes.

use self::bound::Bound;
use self::even::{Allowed, even};
use self::exchanges::Exchanges;
use self::fewest_moves::level_with_fewest_moves;
use self::leaders::{level_leaders, unevenness};
use self::levels::levels;
use self::lists::{Lists, lists};
use self::pulse::Phase;
use self::repair::repair;
use self::rule::classes;
use self::state::State;
use self::topics::level_topics;
use self::weighted_levels::weighted_levels;

mod blocking;
mod bound;
mod bulk;
mod chance;
mod changed;
mod even;
mod exchanges;
mod fewest_moves;
mod leaders;
mod levels;
mod lists;
mod network;
mod pairs;
mod problem;
mod pulse;
mod ranked;
mod ranked_reach;
mod ranked_roads;
mod ranked_state;
mod repair;
mod rule;
mod state;
mod supply;
mod topics;
mod ways_home;
mod weighted;
mod weighted_levels;

pub use problem::{After, First, NONE, Planned, Problem, Rank, RankQuestion, Ranked, Rule};
pub use pulse::{Pulse, Watch};
pub use ranked::better;

/// Plans; `None` if the watch stopped it.
///
/// # Panics
/// If the problem's columns do not fit together, or a partition has no legal set.
#[must_use]
pub fn plan(problem: &Problem<'_>) -> Option<Planned> {
    match problem.first {
        First::Nothing => leaders_alone(problem),
        First::Moves => moves_first(problem),
        First::Counts => counts_first(problem),
    }
}

struct Bounds {
    all: u64,
    by_rules: u64,
    by_counts: u64,
    potentials: Vec<i32>,
}

fn leaders_alone(problem: &Problem<'_>) -> Option<Planned> {
    let (offsets, replicas) = (problem.pulse.copied(problem.offsets)?, problem.pulse.copied(problem.replicas)?);
    let mut lists = Lists { offsets, replicas };
    level_leaders(problem, &mut lists);
    if problem.pulse.ends(Phase::After) {
        return None;
    }
    let Lists { offsets, replicas } = lists;
    let potentials = vec![0; problem.brokers()];
    Some(Planned { offsets, replicas, moves: 0, bound: 0, bound_by_counts: 0, bound_by_rules: 0, potentials })
}

/// The rules alone bound the moves, partition by partition, and the repair meets that bound.
fn moves_first(problem: &Problem<'_>) -> Option<Planned> {
    let classes = classes(problem)?;
    let mut state = State::new(problem, &classes)?;
    let nothing = vec![0; problem.brokers()];
    repair(&mut state, &nothing, &nothing);
    if problem.pulse.ends(Phase::Repair) {
        return None;
    }
    let mut exchanges = Exchanges::of_changes(&mut state);
    even(&mut state, &mut exchanges, Allowed::Free);
    if problem.pulse.ends(Phase::Counts) {
        return None;
    }
    let all = by_rules(problem, &classes);
    finished(state, Bounds { all, by_rules: all, by_counts: 0, potentials: vec![0; problem.brokers()] })
}

fn counts_first(problem: &Problem<'_>) -> Option<Planned> {
    let plain = classes(problem)?;
    let mut tightened = plain.clone();
    let levels = match problem.weights {
        None => levels(problem, &mut tightened)?,
        Some(weights) => weighted_levels(problem, weights, &plain)?,
    };
    let mut state = State::new(problem, &tightened)?;
    repair(&mut state, &levels.low, &levels.high);
    if problem.pulse.ends(Phase::Repair) {
        return None;
    }
    let distances = level_with_fewest_moves(&mut state, &levels)?;
    let potentials = bound::potentials(problem, &levels, &distances);
    let bound = Bound::new(problem, &plain, &potentials);
    let all = (bound.of_partitions() - bound.of_levels(&levels)) as u64;
    let by_counts = bound::by_counts(problem, &levels);
    let by_rules = by_rules(problem, &plain);
    finished(state, Bounds { all, by_rules, by_counts, potentials })
}

fn by_rules(problem: &Problem<'_>, classes: &[rule::Class]) -> u64 {
    Bound::new(problem, classes, &vec![0; problem.brokers()]).of_partitions() as u64
}

/// What costs no move, in the order of rank: topics never at the price of leaders that rank before them.
fn finished(mut state: State<'_>, bounds: Bounds) -> Option<Planned> {
    let problem = state.problem;
    let moves = state.moves();
    let mut best = ordered(problem, lists(&state)?);
    if problem.after.contains(&After::Topics) {
        level_topics(&mut state);
        let levelled = ordered(problem, lists(&state)?);
        let is_free = problem.after[0] == After::Topics
            || !problem.after.contains(&After::Leaders)
            || unevenness(problem, &levelled) <= unevenness(problem, &best);
        best = if is_free { levelled } else { best };
    }
    if problem.pulse.ends(Phase::After) {
        return None;
    }
    let Lists { offsets, replicas } = best;
    let Bounds { all, by_rules, by_counts, potentials } = bounds;
    let (bound_by_counts, bound_by_rules) = (by_counts, by_rules);
    Some(Planned { offsets, replicas, moves, bound: all, bound_by_counts, bound_by_rules, potentials })
}

fn ordered(problem: &Problem<'_>, mut lists: Lists) -> Lists {
    if problem.after.contains(&After::Leaders) {
        level_leaders(problem, &mut lists);
    }
    lists
}
