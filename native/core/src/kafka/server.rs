//! What the broker-side assignors have in common: what members hold, the partitions of a topic, and the form of answers.

pub(super) mod held;
pub(super) mod runs;
