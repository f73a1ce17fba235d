//! Hashes of one key and of a column.

use crate::task::{PackedTask, Work};
use crate::{cpu::arm, slices};
use napi::bindgen_prelude::{AsyncTask, Error, Result, Status, Uint8Array, Uint32Array, Uint32ArraySlice};
use topic_placement_core::{Hash, threads};

/// The order of `HASH_NAMES` in src/types.ts.
const HASHES: [Hash; 6] = [Hash::Murmur2, Hash::Murmur3, Hash::Crc32, Hash::Crc32c, Hash::Fnv1a, Hash::JavaString];

/// The hash of a number that src/engine/native.ts gives.
pub fn hash(id: u32) -> Result<Hash> {
    HASHES.get(id as usize).copied().ok_or_else(|| Error::new(Status::InvalidArg, "no such hash"))
}

/// Hashes each key of a column into `out`, by at most that many threads; returns -1, or the position of the first bad
/// offset with nothing written.
#[napi(catch_unwind)]
pub fn hash_packed(
    id: u32,
    values: &[u8],
    offsets: &[u32],
    mut out: Uint32ArraySlice,
    most_threads: u32,
) -> Result<i64> {
    let out = slices::words(&mut out, &[values, slices::bytes(offsets)])?;
    let (hash, arm) = (hash(id)?, arm());
    slices::over(values, offsets, |column| {
        threads::over_column(most_threads as usize, column, out, |part, out| hash.packed(arm, part, out))
    })
}

/// The same on a worker thread.
#[napi(catch_unwind, ts_return_type = "Promise<number>")]
pub fn hash_packed_async(
    id: u32,
    values: Uint8Array,
    offsets: Uint32Array,
    out: Uint32Array,
    most_threads: u32,
) -> Result<AsyncTask<PackedTask>> {
    Ok(PackedTask::start(values, offsets, out, Work::Hash(hash(id)?).by(most_threads)))
}

/// Hashes each text, in Latin-1 or UTF-16, into `out`.
#[napi(catch_unwind)]
pub fn hash_texts(id: u32, memory: &[u8], is_latin1: bool, offsets: &[u32], mut out: Uint32ArraySlice) -> Result<()> {
    let out = slices::words(&mut out, &[memory, slices::bytes(offsets)])?;
    let hash = hash(id)?;
    slices::over_texts(memory, is_latin1, offsets, |texts| texts.hash(arm(), hash, 0..texts.column().len(), out))
}

/// Hashes one key, `bytes[0, length)`.
#[napi(catch_unwind)]
pub fn hash_bytes(id: u32, bytes: &[u8], length: u32) -> Result<i32> {
    let key = bytes.get(..length as usize);
    let key = key.ok_or_else(|| Error::new(Status::InvalidArg, "the key is longer than its bytes"))?;
    Ok(hash(id)?.one(key) as i32)
}
