//! Replicas of new topics: Kafka's striped and its alternating placer.

use crate::slices;
use napi::bindgen_prelude::{Int32Array, Int32ArraySlice, Result, Uint32Array};
use topic_placement_core::kafka::alternating::{self, Brokers, Start};
use topic_placement_core::kafka::java_random::Random;
use topic_placement_core::kafka::striped::{self, Racks};

/// Brokers by rack, and where the draws come from: `StripedProblem` of src/engine/placement-contract.ts.
#[napi(object, object_to_js = false)]
pub struct StripedColumns {
    /// Ids, rack by rack.
    pub unfenced: Int32Array,
    /// Where each rack begins.
    pub unfenced_starts: Uint32Array,
    /// Ids, rack by rack.
    pub fenced: Int32Array,
    /// Where each rack begins.
    pub fenced_starts: Uint32Array,
    /// Racks in the order of the original's map.
    pub walk: Uint32Array,
    /// At least 1.
    pub replication_factor: u32,
    /// 48 bits, where there are no numbers.
    pub state: f64,
    /// What `nextInt()` gives.
    pub numbers: Option<Int32Array>,
}

/// Places row by row; the state after the draws, or how many numbers were used, -1 where they are too few.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned object")]
pub fn striped(problem: StripedColumns, mut out: Int32ArraySlice) -> Result<f64> {
    let racks = Racks {
        unfenced: &problem.unfenced,
        unfenced_starts: &problem.unfenced_starts,
        fenced: &problem.fenced,
        fenced_starts: &problem.fenced_starts,
        walk: &problem.walk,
    };
    let mut random = match &problem.numbers {
        Some(numbers) => Random::Numbers(numbers, 0),
        None => Random::State(problem.state as u64),
    };
    let out = slices::partitions(&mut out, &[])?;
    let placed = striped::place(racks, problem.replication_factor as usize, &mut random, out);
    #[allow(clippy::cast_precision_loss, reason = "48 bits, or the length of a typed array")]
    Ok(match (placed, random) {
        (Err(_), _) => -1.0,
        (Ok(()), Random::State(state)) => state as f64,
        (Ok(()), Random::Numbers(_, used)) => used as f64,
    })
}

/// Brokers in the order of placing, and where it begins: `AlternatingProblem` of src/engine/placement-contract.ts.
#[napi(object, object_to_js = false)]
pub struct AlternatingColumns {
    /// Ids.
    pub ids: Int32Array,
    /// Rack of each, or empty.
    pub racks: Uint32Array,
    /// How many there are, or 0.
    pub rack_count: u32,
    /// Number of the first partition.
    pub partition: u32,
    /// Position of the leader of partition 0.
    pub leader: u32,
    /// Shift of the followers.
    pub shift: u32,
    /// At least 1.
    pub replication_factor: u32,
}

/// Places row by row.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned object")]
pub fn alternating(problem: AlternatingColumns, mut out: Int32ArraySlice) -> Result<()> {
    let brokers = Brokers { ids: &problem.ids, racks: &problem.racks, rack_count: problem.rack_count as usize };
    let start = Start { partition: problem.partition, leader: problem.leader, shift: problem.shift };
    alternating::place(brokers, start, problem.replication_factor as usize, slices::partitions(&mut out, &[])?);
    Ok(())
}
