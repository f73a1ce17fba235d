//! Partitions of a column of keys.

use crate::{cpu::arm, hash::hash, slices};
use napi::bindgen_prelude::{Error, Int32ArraySlice, Result, Status};
use topic_placement_core::kafka::partitioner::{self, Reduction};

/// The order of `REDUCTIONS` in src/engine/native.ts.
const REDUCTIONS: [Reduction; 4] = [Reduction::Mask, Reduction::Unsigned, Reduction::Abs, Reduction::AbsFirst];

/// Partitions of each key into `out`; returns -1, or the position of the first bad offset with nothing written.
#[napi(catch_unwind)]
pub fn partition_packed(
    hash_id: u32,
    reduction_id: u32,
    values: &[u8],
    offsets: &[u32],
    num_partitions: u32,
    mut out: Int32ArraySlice,
) -> Result<i64> {
    let reduction = REDUCTIONS.get(reduction_id as usize).copied();
    let reduction = reduction.ok_or_else(|| Error::new(Status::InvalidArg, "no such reduction"))?;
    let out = slices::partitions(&mut out, &[values, slices::bytes(offsets)])?;
    let hash = hash(hash_id)?;
    slices::over(values, offsets, |column| partitioner::packed(arm(), hash, reduction, column, num_partitions, out))
}
