//! Collects who gets what, in the order in which it is given, and lays it out by member.
//!
//! For the client-side assignors.

use super::problem::Assigned;

/// Offsets from how many each member gets.
pub(super) fn offsets_of(counts: &[u32]) -> Vec<u32> {
    let mut offsets = Vec::with_capacity(counts.len() + 1);
    let mut total = 0;
    offsets.push(0);
    for count in counts {
        total += count;
        offsets.push(total);
    }
    offsets
}

/// Slots in the order in which they are handed out.
pub(super) struct ListBuilder {
    counts: Vec<u32>,
    given: Vec<(u32, u32)>,
}

impl ListBuilder {
    pub(super) fn new(members: usize) -> ListBuilder {
        ListBuilder { counts: vec![0; members], given: Vec::new() }
    }

    pub(super) fn add(&mut self, member: u32, slot: u32) {
        self.counts[member as usize] += 1;
        self.given.push((member, slot));
    }

    pub(super) fn result(self) -> Assigned {
        let offsets = offsets_of(&self.counts);
        let mut ends = offsets.clone();
        let mut values = vec![0; self.given.len()];
        for (member, slot) in self.given {
            let end = &mut ends[member as usize];
            values[*end as usize] = slot;
            *end += 1;
        }
        Assigned::plain(offsets, values)
    }
}
