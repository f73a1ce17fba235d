//! The partitions of a topic that the broker's assignors count from 0, and the answers that they give.
//!
//! For `uniform`, `range` and `simple` of consumer and share groups. In a dense group they are all slots of the topic; else
//! they stand in a row among them, since numbers ascend.

use crate::kafka::problem::{Algorithm, Assigned, Problem};
use crate::kafka::slots::is_counted;
use std::ops::Range;

/// The slots that count.
pub(in crate::kafka) fn run_of(problem: &Problem<'_>, topic: u32) -> Range<u32> {
    let Range { mut start, mut end } = problem.slots_of(topic);
    while start < end && !is_counted(problem, start) {
        start += 1;
    }
    while end > start && !is_counted(problem, end - 1) {
        end -= 1;
    }
    start..end
}

/// The answer of a broker-side assignor; each member's slots are brought into ascending order.
pub(in crate::kafka) fn server_result(problem: &Problem<'_>, offsets: Vec<u32>, mut values: Vec<u32>) -> Assigned {
    for ends in offsets.windows(2) {
        let mine = &mut values[ends[0] as usize..ends[1] as usize];
        if !mine.is_sorted() {
            mine.sort_unstable();
        }
    }
    let homogeneous = problem.group().homogeneous;
    let algorithm = if homogeneous { Algorithm::Homogeneous } else { Algorithm::Heterogeneous };
    Assigned { algorithm: Some(algorithm), ..Assigned::plain(offsets, values) }
}

/// The answer that gives nobody anything.
pub(in crate::kafka) fn nothing_for(problem: &Problem<'_>) -> Assigned {
    server_result(problem, vec![0; problem.members() + 1], Vec::new())
}
