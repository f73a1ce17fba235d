//! What Apache Pulsar's brokers and clients compute.

pub mod bundles;
