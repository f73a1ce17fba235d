//! Replica lists in canonical order: who stays, as they stood, then who is new, by broker.

use super::problem::NONE;
use super::state::State;

pub(super) struct Lists {
    pub offsets: Vec<u32>,
    pub replicas: Vec<u32>,
}

/// `None` if the work was stopped.
pub(super) fn lists(state: &State<'_>) -> Option<Lists> {
    let partitions = state.problem.partitions();
    let mut offsets = Vec::with_capacity(partitions + 1);
    let mut replicas = Vec::with_capacity(state.slots_in_all());
    offsets.push(0);
    state.problem.partitions_while_wanted().for_each(|p| {
        // Nobody touches what is legal, and twice on a broker is not.
        if state.is_touched(p) {
            add_changed(state, p, &mut replicas);
        } else {
            replicas.extend_from_slice(state.origins(p));
        }
        offsets.push(replicas.len() as u32);
    });
    (offsets.len() == partitions + 1).then_some(Lists { offsets, replicas })
}

fn add_changed(state: &State<'_>, p: usize, replicas: &mut Vec<u32>) {
    let first = replicas.len();
    for &broker in state.origins(p) {
        if broker != NONE && state.holds(p, broker) && !replicas[first..].contains(&broker) {
            replicas.push(broker);
        }
    }
    let first_new = replicas.len();
    let new = state.holders(p).iter().filter(|&&broker| broker != NONE && !state.held(p, broker));
    replicas.extend(new);
    replicas[first_new..].sort_unstable();
}
