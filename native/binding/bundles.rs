//! Range tables and the bundles of a column of topics.

use crate::task::{PackedTask, Work};
use crate::{cpu::arm, slices};
use napi::bindgen_prelude::{AsyncTask, Error, Result, Status, Uint8Array, Uint32Array, Uint32ArraySlice};
use std::sync::Arc;
use topic_placement_core::pulsar::topic_name;
use topic_placement_core::{RangeTable, threads};

/// A table of hash ranges, built once and asked many times.
#[napi]
pub struct RangeIndex(Arc<RangeTable>);

#[napi]
impl RangeIndex {
    /// Of the ranges' starts, which ascend strictly from 0.
    #[napi(constructor, catch_unwind)]
    pub fn new(starts: &[u32]) -> Result<Self> {
        let table = RangeTable::new(starts);
        table
            .map(|table| Self(Arc::new(table)))
            .ok_or_else(|| Error::new(Status::InvalidArg, "starts do not ascend from 0"))
    }

    /// Index of the range of each hash, by at most that many threads.
    #[napi(catch_unwind)]
    pub fn of_hashes(&self, hashes: &[u32], mut out: Uint32ArraySlice, most_threads: u32) -> Result<()> {
        let out = slices::words(&mut out, &[slices::bytes(hashes)])?;
        let (table, arm) = (&self.0, arm());
        slices::fits(threads::over_hashes(most_threads as usize, hashes, out, |part, out| {
            table.of_hashes(arm, part, out)
        }))
    }

    /// Index of the range of each key's CRC-32, by at most that many threads; returns -1, or the position of the first bad
    /// offset.
    #[napi(catch_unwind)]
    pub fn of_packed(
        &self,
        values: &[u8],
        offsets: &[u32],
        mut out: Uint32ArraySlice,
        most_threads: u32,
    ) -> Result<i64> {
        let out = slices::words(&mut out, &[values, slices::bytes(offsets)])?;
        let (table, arm) = (&self.0, arm());
        slices::over(values, offsets, |column| {
            threads::over_column(most_threads as usize, column, out, |part, out| table.of_packed(arm, part, out))
        })
    }

    /// The same of topic names in Latin-1 or UTF-16, if all are plain and of a namespace (empty: of any). False, and nothing is written,
    /// where one is not.
    #[napi(catch_unwind)]
    pub fn of_topics(
        &self,
        namespace: &[u8],
        memory: &[u8],
        is_latin1: bool,
        offsets: &[u32],
        mut out: Uint32ArraySlice,
    ) -> Result<bool> {
        let out = slices::words(&mut out, &[memory, slices::bytes(offsets)])?;
        let mut plain = false;
        slices::over_texts(memory, is_latin1, offsets, |texts| {
            plain = topic_name::all_plain(texts.column(), namespace);
            if plain { self.0.of_packed(arm(), texts.column(), out) } else { Ok(()) }
        })?;
        Ok(plain)
    }

    /// [`RangeIndex::of_packed`] on a worker thread.
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn of_packed_async(
        &self,
        values: Uint8Array,
        offsets: Uint32Array,
        out: Uint32Array,
        most_threads: u32,
    ) -> AsyncTask<PackedTask> {
        PackedTask::start(values, offsets, out, Work::Range(self.0.clone()).by(most_threads))
    }
}
