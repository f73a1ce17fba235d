//! The processor arm of this process.

use napi::bindgen_prelude::{Error, Result, Status};
use std::sync::RwLock;
use topic_placement_core::Arm;

static ARM: RwLock<Option<Arm>> = RwLock::new(None);

/// The arm in use: the best of this processor until another is asked for.
pub fn arm() -> Arm {
    let known = ARM.read().ok().and_then(|arm| *arm);
    known.unwrap_or_else(Arm::best)
}

/// Names of the arms that this processor can run, best first.
#[napi(catch_unwind)]
pub fn available_arms() -> Vec<&'static str> {
    Arm::available().into_iter().map(Arm::name).collect()
}

/// Takes the arm of that name from now on and returns its name.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned string")]
pub fn use_arm(name: String) -> Result<&'static str> {
    let arm = Arm::by_name(&name).ok_or_else(|| Error::new(Status::InvalidArg, "no such arm on this processor"))?;
    if let Ok(mut used) = ARM.write() {
        *used = Some(arm);
    }
    Ok(arm.name())
}
