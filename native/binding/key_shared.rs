//! Consumers of a column of keys.

use crate::task::{PackedTask, Work};
use crate::{cpu::arm, slices};
use napi::bindgen_prelude::{AsyncTask, Error, Result, Status, Uint8Array, Uint32Array, Uint32ArraySlice};
use std::sync::Arc;
use topic_placement_core::pulsar::key_shared::{KeyLayout, KeyTable as Table};
use topic_placement_core::threads;

/// The consumers of a Key_Shared subscription over the hashes of keys, built once and asked many times.
#[napi]
pub struct KeyTable(Arc<Table>);

#[napi]
impl KeyTable {
    /// Of the fields of `KeyLayout` in src/engine/contract.ts.
    #[napi(constructor, catch_unwind)]
    pub fn new(modulus: u32, starts: &[u32], firsts: &[u32], members: &[u32]) -> Result<Self> {
        let table = Table::new(KeyLayout { modulus, starts, firsts, members });
        table
            .map(|table| Self(Arc::new(table)))
            .ok_or_else(|| Error::new(Status::InvalidArg, "starts or firsts do not ascend from 0"))
    }

    /// Consumer of each key, all bits set for none, by at most that many threads; returns -1, or the position of the first
    /// bad offset.
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

    /// The same of texts in Latin-1 or UTF-16.
    #[napi(catch_unwind)]
    pub fn of_texts(&self, memory: &[u8], is_latin1: bool, offsets: &[u32], mut out: Uint32ArraySlice) -> Result<()> {
        let out = slices::words(&mut out, &[memory, slices::bytes(offsets)])?;
        slices::over_texts(memory, is_latin1, offsets, |texts| self.0.of_packed(arm(), texts.column(), out))
    }

    /// [`KeyTable::of_packed`] on a worker thread.
    #[napi(catch_unwind, ts_return_type = "Promise<number>")]
    pub fn of_packed_async(
        &self,
        values: Uint8Array,
        offsets: Uint32Array,
        out: Uint32Array,
        most_threads: u32,
    ) -> AsyncTask<PackedTask> {
        PackedTask::start(values, offsets, out, Work::Consumer(self.0.clone()).by(most_threads))
    }
}
