//! Names of Kafka's topics: refused and colliding.

use crate::task::guarded;
use napi::bindgen_prelude::{AsyncTask, Env, Error, Result, Status, Task, Uint8Array, Uint32Array};
use topic_placement_core::Column;
use topic_placement_core::kafka::topic_names::{self, NameFaults};

/// What is wrong with the names of a column, by their positions.
#[napi(object)]
pub struct TopicNameFaults {
    /// The names that Kafka refuses.
    pub illegal: Uint32Array,
    /// Pairs of a name and a later one that is the same in metrics.
    pub collisions: Uint32Array,
}

impl From<NameFaults> for TopicNameFaults {
    fn from(faults: NameFaults) -> Self {
        Self { illegal: faults.illegal.into(), collisions: faults.collisions.into() }
    }
}

fn faults_of(values: &[u8], offsets: &[u32]) -> Result<NameFaults> {
    let column = Column::new(values, offsets).map_err(|bad| Error::new(Status::InvalidArg, bad.to_string()))?;
    Ok(topic_names::name_faults(column))
}

/// Finds the names of Kafka's topics that are refused, and those that collide.
#[napi(catch_unwind)]
pub fn topic_name_faults(values: &[u8], offsets: &[u32]) -> Result<TopicNameFaults> {
    faults_of(values, offsets).map(TopicNameFaults::from)
}

/// The arrays of names on a worker thread; it keeps them alive.
pub struct NameFaultsTask {
    values: Uint8Array,
    offsets: Uint32Array,
}

impl Task for NameFaultsTask {
    type Output = NameFaults;
    type JsValue = TopicNameFaults;

    fn compute(&mut self) -> Result<NameFaults> {
        guarded(|| faults_of(&self.values, &self.offsets))
    }

    fn resolve(&mut self, _env: Env, faults: NameFaults) -> Result<TopicNameFaults> {
        Ok(faults.into())
    }
}

/// The same on a worker thread.
#[napi(catch_unwind, ts_return_type = "Promise<TopicNameFaults>")]
pub fn topic_name_faults_async(values: Uint8Array, offsets: Uint32Array) -> AsyncTask<NameFaultsTask> {
    AsyncTask::new(NameFaultsTask { values, offsets })
}
