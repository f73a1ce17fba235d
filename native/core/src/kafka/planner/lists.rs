//! Replica lists in canonical order: who stays, as they stood, then who is new, by broker.

use super::problem::NONE;
use super::state::State;

pub(super) struct Lists {
    pub offsets: Vec<u32>,
    pub replicas: Vec<u32>,
}

pub(super) fn lists(state: &State<'_>) -> Lists {
    let mut offsets = vec![0];
    let mut replicas = Vec::new();
    for p in 0..state.problem.partitions() {
        let kept = state.origins(p).iter().enumerate().filter(|&(i, &broker)| {
            broker != NONE && state.holds(p, broker) && !state.origins(p)[..i].contains(&broker)
        });
        replicas.extend(kept.map(|(_, &broker)| broker));
        let first_new = replicas.len();
        let new = state.holders(p).iter().filter(|&&broker| broker != NONE && !state.held(p, broker));
        replicas.extend(new);
        replicas[first_new..].sort_unstable();
        offsets.push(replicas.len() as u32);
    }
    Lists { offsets, replicas }
}
