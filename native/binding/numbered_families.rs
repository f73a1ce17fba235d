//! Families of numbered topics.

use crate::task::guarded;
use crate::{cpu::arm, slices};
use napi::bindgen_prelude::{AsyncTask, Env, Error, Result, Status, Task, Uint8Array, Uint32Array};
use topic_placement_core::pulsar::numbered_families::{self, Families};
use topic_placement_core::{Arm, Column};

/// The families of a column, in the order of the CRCs of what precedes their numbers.
#[napi(object)]
pub struct NumberedFamilies {
    /// How many names.
    pub sizes: Uint32Array,
    /// The least number.
    pub least: Uint32Array,
    /// The greatest number.
    pub greatest: Uint32Array,
    /// 1 where the number is a partition's.
    pub is_partitions: Uint8Array,
    /// Where the hashes of each begin, and the end.
    pub starts: Uint32Array,
    /// Hashes family by family, each family ascending.
    pub hashes: Uint32Array,
}

impl From<Families> for NumberedFamilies {
    fn from(families: Families) -> Self {
        Self {
            sizes: families.sizes.into(),
            least: families.least.into(),
            greatest: families.greatest.into(),
            is_partitions: families.is_partitions.into(),
            starts: families.starts.into(),
            hashes: families.hashes.into(),
        }
    }
}

fn families_of(arm: Arm, values: &[u8], offsets: &[u32], crcs: &[u32]) -> Result<Families> {
    let column = Column::new(values, offsets).map_err(|bad| Error::new(Status::InvalidArg, bad.to_string()))?;
    let mut found = Families::default();
    slices::fits(numbered_families::numbered_families(arm, column, crcs).map(|families| found = families))?;
    Ok(found)
}

/// Finds the families of names with these CRC-32s.
#[napi(catch_unwind)]
pub fn numbered_families(values: &[u8], offsets: &[u32], crcs: &[u32]) -> Result<NumberedFamilies> {
    families_of(arm(), values, offsets, crcs).map(NumberedFamilies::from)
}

/// The arrays of a search on a worker thread; it keeps them alive.
pub struct FamiliesTask {
    values: Uint8Array,
    offsets: Uint32Array,
    crcs: Uint32Array,
    arm: Arm,
}

impl Task for FamiliesTask {
    type Output = Families;
    type JsValue = NumberedFamilies;

    fn compute(&mut self) -> Result<Families> {
        guarded(|| families_of(self.arm, &self.values, &self.offsets, &self.crcs))
    }

    fn resolve(&mut self, _env: Env, families: Families) -> Result<NumberedFamilies> {
        Ok(families.into())
    }
}

/// The same on a worker thread.
#[napi(catch_unwind, ts_return_type = "Promise<NumberedFamilies>")]
pub fn numbered_families_async(values: Uint8Array, offsets: Uint32Array, crcs: Uint32Array) -> AsyncTask<FamiliesTask> {
    AsyncTask::new(FamiliesTask { values, offsets, crcs, arm: arm() })
}
