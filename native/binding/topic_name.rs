//! Topic names made canonical.

use napi::bindgen_prelude::{Either, Error, Result, Status, Uint8Array, Uint32Array};
use topic_placement_core::Column;
use topic_placement_core::pulsar::topic_name::{self, Canonical, Refusal, Version};

/// A column of names of its own.
#[napi(object)]
pub struct CanonicalNames {
    /// The names, one after another.
    pub values: Uint8Array,
    /// Where each begins and ends, from 0.
    pub offsets: Uint32Array,
}

/// Makes every name canonical as a release of Pulsar does (a position in `PULSAR_VERSIONS` of src/types.ts); `null` where
/// all are already. A number tells why there is no answer: `i`, the first name refused, or `-1 - i`, where they pass 4 GiB.
#[napi(catch_unwind)]
pub fn canonical_names(version: u32, values: &[u8], offsets: &[u32]) -> Result<Option<Either<i64, CanonicalNames>>> {
    let version =
        Version::ALL.get(version as usize).ok_or_else(|| Error::new(Status::InvalidArg, "no such release"))?;
    let column = Column::new(values, offsets).map_err(|bad| Error::new(Status::InvalidArg, bad.to_string()))?;
    Ok(match topic_name::canonical(*version, column) {
        Ok(Canonical::AsGiven) => None,
        Ok(Canonical::Written { values, offsets }) => {
            Some(Either::B(CanonicalNames { values: values.into(), offsets: offsets.into() }))
        }
        Err(Refusal::Name(index)) => Some(Either::A(index as i64)),
        Err(Refusal::TooLong(index)) => Some(Either::A(-1 - index as i64)),
    })
}
