//! What Apache Kafka and its clients compute.

pub mod partitioner;
