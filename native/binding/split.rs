//! Where a bundle is cut, and hashes in order.

use crate::slices;
use crate::task::guarded;
use napi::bindgen_prelude::{AsyncTask, Env, Error, Float64Array, Result, Status, Task, Uint32Array, Uint32ArraySlice};
use topic_placement_core::pulsar::split::{self, FlowLimits, Flows};

/// The cut by topic count of two hashes or more.
#[napi(catch_unwind)]
pub fn middle_hash(hashes: &[u32]) -> Result<u32> {
    split::middle_hash(hashes).ok_or_else(|| Error::new(Status::InvalidArg, "fewer than two hashes"))
}

/// The cuts by traffic, `null` for none; `limits` are the most messages and bytes a second, and the factor on both.
#[napi(catch_unwind)]
pub fn flow_boundaries(
    hashes: &[u32],
    msg_rates: &[f64],
    throughputs: &[f64],
    limits: &[f64],
) -> Result<Option<Float64Array>> {
    let &[max_msg_rate, max_throughput, share] = limits else {
        return Err(Error::new(Status::InvalidArg, "other than three limits"));
    };
    let flows = Flows { hashes, msg_rates, throughputs };
    let cuts = split::flow_boundaries(flows, FlowLimits { max_msg_rate, max_throughput, share });
    cuts.map(|cuts| cuts.map(Float64Array::new))
        .map_err(|_| Error::new(Status::InvalidArg, "the columns differ in length"))
}

/// Hashes ascending, and the index that each had; an empty `order` is none.
#[napi(catch_unwind)]
pub fn sort_hashes(hashes: &[u32], mut sorted: Uint32ArraySlice, mut order: Uint32ArraySlice) -> Result<()> {
    let order = slices::words(&mut order, &[slices::bytes(hashes), slices::bytes(&sorted)])?;
    let sorted = slices::words(&mut sorted, &[slices::bytes(hashes), slices::bytes(order)])?;
    slices::fits(split::sort_hashes(hashes, sorted, order))
}

/// The arrays of a sort on a worker thread; it keeps them alive.
pub struct SortTask {
    hashes: Uint32Array,
    sorted: Uint32Array,
    order: Uint32Array,
}

impl SortTask {
    fn answer(&mut self) -> Result<()> {
        let Self { hashes, sorted, order } = self;
        let order = slices::lent(order, &[slices::bytes(hashes), slices::bytes(sorted)])?;
        let sorted = slices::lent(sorted, &[slices::bytes(hashes), slices::bytes(order)])?;
        slices::fits(split::sort_hashes(hashes, sorted, order))
    }
}

impl Task for SortTask {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        guarded(|| self.answer())
    }

    fn resolve(&mut self, _env: Env, (): ()) -> Result<()> {
        Ok(())
    }
}

/// The same on a worker thread.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn sort_hashes_async(hashes: Uint32Array, sorted: Uint32Array, order: Uint32Array) -> AsyncTask<SortTask> {
    AsyncTask::new(SortTask { hashes, sorted, order })
}
