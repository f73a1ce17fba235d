//! Questions over a column that a worker thread answers. One task is one slice of a large column: progress and the signal
//! are looked at between slices, in TypeScript, so that a task itself need not be stopped.

use crate::{cpu::arm, slices};
use napi::bindgen_prelude::{AsyncTask, Env, Error, Result, Status, Task, Uint8Array, Uint32Array};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use topic_placement_core::kafka::partitioner::{self, Reduction};
use topic_placement_core::pulsar::key_shared::KeyTable;
use topic_placement_core::{Arm, Column, Hash, RangeTable, WrongLength, threads};

/// What is asked of each key.
pub enum Work {
    /// Its hash.
    Hash(Hash),
    /// Its partition of that many.
    Partition(Hash, Reduction, u32),
    /// The range of its CRC-32.
    Range(Arc<RangeTable>),
    /// The consumer that it falls to.
    Consumer(Arc<KeyTable>),
}

impl Work {
    /// The work with the most threads that may do it.
    pub fn by(self, most_threads: u32) -> (Self, usize) {
        (self, most_threads as usize)
    }

    fn answer(&self, arm: Arm, column: Column<'_>, out: &mut [u32]) -> std::result::Result<(), WrongLength> {
        match self {
            Work::Hash(hash) => hash.packed(arm, column, out),
            Work::Partition(hash, reduction, n) => {
                partitioner::packed(arm, *hash, *reduction, column, *n, slices::signed(out))
            }
            Work::Range(table) => table.of_packed(arm, column, out),
            Work::Consumer(table) => table.of_packed(arm, column, out),
        }
    }
}

/// The answer of a worker thread: napi-rs does not catch a panic there, and an uncaught one would abort the process.
pub fn guarded<T>(answer: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|_| Err(Error::new(Status::GenericFailure, "panic in a worker thread")))
}

/// A question, and the arrays of JavaScript that it reads and writes; it keeps them alive.
pub struct PackedTask {
    values: Uint8Array,
    offsets: Uint32Array,
    out: Uint32Array,
    work: Work,
    most_threads: usize,
    arm: Arm,
}

impl PackedTask {
    /// Queues the question.
    pub fn start(
        values: Uint8Array,
        offsets: Uint32Array,
        out: Uint32Array,
        (work, most_threads): (Work, usize),
    ) -> AsyncTask<Self> {
        AsyncTask::new(Self { values, offsets, out, work, most_threads, arm: arm() })
    }

    fn answer(&mut self) -> Result<i64> {
        let Self { values, offsets, out, work, most_threads, arm } = self;
        let out = slices::lent(out, &[values, slices::bytes(offsets)])?;
        slices::over(values, offsets, |column| {
            threads::over_column(*most_threads, column, out, |part, out| work.answer(*arm, part, out))
        })
    }
}

impl Task for PackedTask {
    type Output = i64;
    type JsValue = i64;

    fn compute(&mut self) -> Result<i64> {
        guarded(|| self.answer())
    }

    fn resolve(&mut self, _env: Env, position: i64) -> Result<i64> {
        Ok(position)
    }
}
