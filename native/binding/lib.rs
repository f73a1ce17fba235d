//! The N-API binding: convert, call, convert. No arithmetic lives here.
//!
//! Every function reads the caller's typed arrays in place and writes into the caller's array. Wrong data is told by a
//! number (a position, or -1); a panic becomes a JavaScript error (`catch_unwind`), never an abort.

#[macro_use]
extern crate napi_derive;

mod assign;
mod bundles;
mod cpu;
mod hash;
mod key_shared;
mod numbered_families;
mod partitioner;
mod placement;
mod plan;
mod ranks;
mod slices;
mod split;
mod task;
mod topic_name;
mod topic_names;
