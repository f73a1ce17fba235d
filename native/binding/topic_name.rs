//! Topic names made canonical.

use crate::task::guarded;
use napi::bindgen_prelude::{AsyncTask, Either, Env, Error, Result, Status, Task, Uint8Array, Uint32Array};
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

/// What comes of a column: `null` where all names are canonical already. A number tells why there is no answer: `i`, the
/// first name refused, or `-1 - i`, where they pass 4 GiB.
type Outcome = Option<Either<i64, CanonicalNames>>;

fn version_of(version: u32) -> Result<Version> {
    let known = Version::ALL.get(version as usize).copied();
    known.ok_or_else(|| Error::new(Status::InvalidArg, "no such release"))
}

fn canonical(version: Version, values: &[u8], offsets: &[u32]) -> Result<std::result::Result<Canonical, Refusal>> {
    let column = Column::new(values, offsets).map_err(|bad| Error::new(Status::InvalidArg, bad.to_string()))?;
    Ok(topic_name::canonical(version, column))
}

fn outcome(found: std::result::Result<Canonical, Refusal>) -> Outcome {
    match found {
        Ok(Canonical::AsGiven) => None,
        Ok(Canonical::Written { values, offsets }) => {
            Some(Either::B(CanonicalNames { values: values.into(), offsets: offsets.into() }))
        }
        Err(Refusal::Name(index)) => Some(Either::A(index as i64)),
        Err(Refusal::TooLong(index)) => Some(Either::A(-1 - index as i64)),
    }
}

/// Makes every name canonical as a release of Pulsar does (a position in `PULSAR_VERSIONS` of src/types.ts); `null` where
/// all are already. A number tells why there is no answer: `i`, the first name refused, or `-1 - i`, where they pass 4 GiB.
#[napi(catch_unwind)]
pub fn canonical_names(version: u32, values: &[u8], offsets: &[u32]) -> Result<Option<Either<i64, CanonicalNames>>> {
    canonical(version_of(version)?, values, offsets).map(outcome)
}

/// The arrays of names on a worker thread; it keeps them alive.
pub struct CanonicalTask {
    version: Version,
    values: Uint8Array,
    offsets: Uint32Array,
}

impl Task for CanonicalTask {
    type Output = std::result::Result<Canonical, Refusal>;
    type JsValue = Outcome;

    fn compute(&mut self) -> Result<Self::Output> {
        guarded(|| canonical(self.version, &self.values, &self.offsets))
    }

    fn resolve(&mut self, _env: Env, found: Self::Output) -> Result<Outcome> {
        Ok(outcome(found))
    }
}

/// The same on a worker thread.
#[napi(catch_unwind, ts_return_type = "Promise<number | CanonicalNames | null>")]
pub fn canonical_names_async(
    version: u32,
    values: Uint8Array,
    offsets: Uint32Array,
) -> Result<AsyncTask<CanonicalTask>> {
    Ok(AsyncTask::new(CanonicalTask { version: version_of(version)?, values, offsets }))
}
