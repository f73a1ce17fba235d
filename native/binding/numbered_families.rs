//! Families of numbered topics.

use crate::slices;
use napi::bindgen_prelude::{Error, Result, Status, Uint8Array, Uint32Array};
use topic_placement_core::Column;
use topic_placement_core::pulsar::numbered_families;

/// The families of a column, in the order of their first names.
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

/// Finds the families of names with these hashes.
#[napi(catch_unwind)]
pub fn numbered_families(values: &[u8], offsets: &[u32], hashes: &[u32]) -> Result<NumberedFamilies> {
    let column = Column::new(values, offsets).map_err(|bad| Error::new(Status::InvalidArg, bad.to_string()))?;
    let mut found = None;
    slices::fits(numbered_families::numbered_families(column, hashes).map(|families| found = Some(families)))?;
    let families = found.unwrap_or_default();
    Ok(NumberedFamilies {
        sizes: families.sizes.into(),
        least: families.least.into(),
        greatest: families.greatest.into(),
        is_partitions: families.is_partitions.into(),
        starts: families.starts.into(),
        hashes: families.hashes.into(),
    })
}
