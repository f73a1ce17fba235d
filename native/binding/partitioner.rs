//! Partitions of a column of keys.

use crate::task::{PackedTask, Work};
use crate::{cpu::arm, hash::hash, slices};
use napi::bindgen_prelude::{AsyncTask, Error, Int32ArraySlice, Result, Status, Uint8Array, Uint32Array};
use topic_placement_core::kafka::partitioner::{self, Reduction};
use topic_placement_core::threads;

/// The order of `REDUCTIONS` in src/engine/native.ts.
const REDUCTIONS: [Reduction; 4] = [Reduction::Mask, Reduction::Unsigned, Reduction::Abs, Reduction::AbsFirst];

fn reduction(id: u32) -> Result<Reduction> {
    REDUCTIONS.get(id as usize).copied().ok_or_else(|| Error::new(Status::InvalidArg, "no such reduction"))
}

/// Partitions of each key into `out`, by at most that many threads; returns -1, or the position of the first bad offset with nothing written.
#[napi(catch_unwind)]
pub fn partition_packed(
    hash_id: u32,
    reduction_id: u32,
    values: &[u8],
    offsets: &[u32],
    num_partitions: u32,
    mut out: Int32ArraySlice,
    most_threads: u32,
) -> Result<i64> {
    let out = slices::partitions(&mut out, &[values, slices::bytes(offsets)])?;
    let (hash, reduction, arm) = (hash(hash_id)?, reduction(reduction_id)?, arm());
    slices::over(values, offsets, |column| {
        threads::over_column(most_threads as usize, column, out, |part, out| {
            partitioner::packed(arm, hash, reduction, part, num_partitions, out)
        })
    })
}

/// The same on a worker thread; `out` is the caller's `Int32Array` seen as words.
#[napi(catch_unwind, ts_return_type = "Promise<number>")]
pub fn partition_packed_async(
    hash_id: u32,
    reduction_id: u32,
    values: Uint8Array,
    offsets: Uint32Array,
    num_partitions: u32,
    out: Uint32Array,
    most_threads: u32,
) -> Result<AsyncTask<PackedTask>> {
    let work = Work::Partition(hash(hash_id)?, reduction(reduction_id)?, num_partitions);
    Ok(PackedTask::start(values, offsets, out, work.by(most_threads)))
}

/// Partitions of each text, in Latin-1 or UTF-16, into `out`.
#[napi(catch_unwind)]
pub fn partition_texts(
    hash_id: u32,
    reduction_id: u32,
    memory: &[u8],
    is_latin1: bool,
    offsets: &[u32],
    num_partitions: u32,
    mut out: Int32ArraySlice,
) -> Result<()> {
    let out = slices::partitions(&mut out, &[memory, slices::bytes(offsets)])?;
    let (hash, reduction) = (hash(hash_id)?, reduction(reduction_id)?);
    slices::over_texts(memory, is_latin1, offsets, |texts| {
        partitioner::texts(arm(), hash, reduction, texts, num_partitions, out)
    })
}
