//! The member with the fewest partitions among some, ids deciding between equals, while counts go up and down.
//!
//! For the general sticky algorithm, which walks a sorted set of all members for it. A heap of (count, place by id). Counts
//! that went up since are put right when they come to the top; members whose count went down stand in a log, and are put
//! in again by whoever reads it next.

use crate::kafka::problem::ranks_of;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Counts of all members, and who lost a partition, in order.
pub(super) struct Tally {
    pub(super) counts: Vec<u32>,
    /// Members that are out of the balancing.
    pub(super) fixed: Vec<bool>,
    lost: Vec<u32>,
}

impl Tally {
    pub(super) fn new(members: usize) -> Tally {
        Tally { counts: vec![0; members], fixed: vec![false; members], lost: Vec::new() }
    }

    pub(super) fn move_one(&mut self, from: u32, to: u32) {
        self.counts[from as usize] -= 1;
        self.counts[to as usize] += 1;
        self.lost.push(from);
    }
}

/// Places of the members by id.
pub(super) struct Ranks<'a> {
    pub(super) rank_of: Vec<u32>,
    by_rank: &'a [u32],
}

/// The smallest of some members.
struct Smallest {
    /// Ascending, each once.
    members: Vec<u32>,
    /// Count and rank, the least on top.
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// How much of the log is read.
    read: usize,
}

impl Smallest {
    fn new(members: Vec<u32>, tally: &Tally, ranks: &Ranks<'_>) -> Smallest {
        let mut smallest = Smallest { members, heap: BinaryHeap::new(), read: 0 };
        smallest.build(tally, ranks);
        smallest
    }

    fn build(&mut self, tally: &Tally, ranks: &Ranks<'_>) {
        self.read = tally.lost.len();
        self.heap = self.members.iter().map(|&member| key_of(tally, ranks, member)).collect();
    }

    fn peek(&mut self, tally: &Tally, ranks: &Ranks<'_>) -> Option<u32> {
        self.read_log(tally, ranks);
        while let Some(mut top) = self.heap.peek_mut() {
            let Reverse((count, rank)) = *top;
            let member = ranks.by_rank[rank as usize];
            let now = tally.counts[member as usize];
            if tally.fixed[member as usize] || now < count {
                std::collections::binary_heap::PeekMut::pop(top);
            } else if now > count {
                *top = Reverse((now, rank));
            } else {
                return Some(member);
            }
        }
        None
    }

    fn read_log(&mut self, tally: &Tally, ranks: &Ranks<'_>) {
        if tally.lost.len() - self.read > self.members.len() {
            self.build(tally, ranks);
            return;
        }
        for &member in &tally.lost[self.read..] {
            if self.members.binary_search(&member).is_ok() {
                self.heap.push(key_of(tally, ranks, member));
            }
        }
        self.read = tally.lost.len();
    }
}

fn key_of(tally: &Tally, ranks: &Ranks<'_>, member: u32) -> Reverse<(u32, u32)> {
    Reverse((tally.counts[member as usize], ranks.rank_of[member as usize]))
}

/// The smallest of each class of subscribers, and of those of a class on one rack, made when asked for.
pub(super) struct Heaps<'a> {
    pub(super) ranks: Ranks<'a>,
    of_class: Vec<Option<Smallest>>,
    on_rack: HashMap<(u32, i32), Smallest>,
}

impl<'a> Heaps<'a> {
    pub(super) fn new(member_order: &'a [u32], classes: usize) -> Heaps<'a> {
        let ranks = Ranks { rank_of: ranks_of(member_order), by_rank: member_order };
        Heaps { ranks, of_class: std::iter::repeat_with(|| None).take(classes).collect(), on_rack: HashMap::new() }
    }

    /// The smallest of `members`, which are class `class`; `None` where all are fixed.
    pub(super) fn smallest(&mut self, class: u32, members: &[u32], tally: &Tally) -> Option<u32> {
        let ranks = &self.ranks;
        let heap = self.of_class[class as usize]
            .get_or_insert_with(|| Smallest::new(crate::kafka::subscriptions::distinct(members), tally, ranks));
        heap.peek(tally, ranks)
    }

    /// The smallest of those of `members` that are on the rack, -1 for those on none.
    pub(super) fn smallest_on(
        &mut self,
        (class, rack): (u32, i32),
        members: &[u32],
        rack_of: &[i32],
        tally: &Tally,
    ) -> Option<u32> {
        let ranks = &self.ranks;
        let heap = self.on_rack.entry((class, rack)).or_insert_with(|| {
            let some = members.iter().copied().filter(|&member| rack_of[member as usize] == rack).collect::<Vec<_>>();
            Smallest::new(crate::kafka::subscriptions::distinct(&some), tally, ranks)
        });
        heap.peek(tally, ranks)
    }
}
