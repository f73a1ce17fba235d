//! What Apache Pulsar's brokers and clients compute.

pub mod bundles;
pub(crate) mod cells;
mod java_text;
pub mod key_shared;
pub mod numbered_families;
mod segment;
pub mod split;
pub mod topic_name;
