//! From the repaired start to a level plan with the fewest moves: primal-dual on the broker graph, and the potentials that
//! prove it.
//!
//! A plan is the cheapest for its counts exactly when no cycle of exchanges, group tokens included, costs less than nothing.
//! The repaired start is, and each push along a shortest way keeps it so.

use super::blocking::{Blocking, single_way};
use super::bulk::Bulk;
use super::exchanges::Exchanges;
use super::levels::Levels;
use super::network::Network;
use super::state::State;

/// Levels the plan; the distances of all brokers from all, whose negatives are potentials. `None` if it was stopped.
pub(super) fn level_with_fewest_moves(state: &mut State<'_>, levels: &Levels) -> Option<Vec<i64>> {
    let mut exchanges = Exchanges::new(state);
    let mut above = None;
    loop {
        let mut network = Network::of(state, levels);
        let left = network.above();
        let all = *above.get_or_insert(left);
        if state.problem.pulse.levels(all - left, all) {
            return None;
        }
        if left == 0 {
            let mut distances = network.distances_from_all(state, &mut exchanges);
            distances.truncate(network.brokers);
            return Some(distances);
        }
        let moved = round(state, &mut network, &mut exchanges);
        assert!(moved || state.problem.pulse.is_stopped(), "a level plan exists, and no way leads there");
    }
}

/// One round of distances, and all that goes along the shortest ways; false where nothing goes.
fn round(state: &mut State<'_>, network: &mut Network<'_>, exchanges: &mut Exchanges) -> bool {
    let distances = network.distances_from_excess(state, exchanges);
    let moved = Bulk::new(state, network, &distances).run(exchanges);
    exchanges.update(state);
    if network.above() == 0 {
        return true;
    }
    let pushed = Blocking::new(state, network, exchanges, &distances).run();
    moved + pushed > 0 || single_way(state, network, exchanges, &distances)
}
