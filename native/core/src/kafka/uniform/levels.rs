//! Members as columns of different heights: the lowest are filled level by level, the highest taken down level by level.
//!
//! For `uniform` where subscriptions differ. Source: Apache Kafka 4.4.0,
//! UniformHeterogeneousAssignmentBuilder.MemberAssignmentBalancer. What differs from the obvious: members are ordered once,
//! by height and then by place; a level is known by its height and not by its members, so that both ends walk over the same
//! list while the heights change below them.

/// So many heights a member are still sorted by counting.
const COUNTED: u32 = 4;

/// The two ends of one list.
#[derive(Default)]
pub(super) struct Levels {
    members: Vec<u32>,
    /// Where each height ends; kept for its memory.
    ends: Vec<u32>,
    /// `[0, low_end)` are the lowest, as high as `low_height` or one more; the next partition goes to `low`.
    low_end: usize,
    low_height: i64,
    low: usize,
    /// `[high_from, high_end)` are the highest that have something to give; places behind the one that is next.
    high_from: usize,
    high_end: usize,
    high_height: i64,
    high: usize,
}

impl Levels {
    /// Begins anew with these members, which ascend. Heights are how many partitions each member has.
    pub(super) fn begin(&mut self, members: &[u32], heights: &[u32]) {
        self.sort(members, heights);
        let count = members.len();
        (self.low_end, self.low) = (0, 0);
        self.low_height = self.height_at(0, heights) - 1;
        (self.high_from, self.high_end, self.high) = (count, count, count);
        self.high_height = self.height_at(count - 1, heights) + 1;
    }

    fn height_at(&self, place: usize, heights: &[u32]) -> i64 {
        i64::from(heights[self.members[place] as usize])
    }

    /// Members by height; equal ones stay as they are.
    fn sort(&mut self, members: &[u32], heights: &[u32]) {
        let (least, most) = span_of(members, heights);
        self.members.clear();
        self.members.extend_from_slice(members);
        if most - least > COUNTED * members.len() as u32 {
            self.members.sort_by_key(|&member| heights[member as usize]);
            return;
        }
        self.ends.clear();
        self.ends.resize((most - least + 2) as usize, 0);
        for &member in members {
            self.ends[(heights[member as usize] - least) as usize + 1] += 1;
        }
        for i in 1..self.ends.len() {
            self.ends[i] += self.ends[i - 1];
        }
        for &member in members {
            let end = &mut self.ends[(heights[member as usize] - least) as usize];
            self.members[*end as usize] = member;
            *end += 1;
        }
    }

    /// The member that the next partition goes to.
    pub(super) fn next_lowest(&mut self, heights: &[u32]) -> u32 {
        if self.low >= self.low_end {
            self.low_height += 1;
            while self.low_end < self.members.len() && self.height_at(self.low_end, heights) == self.low_height {
                self.low_end += 1;
            }
            self.low = 0;
        }
        self.low += 1;
        self.members[self.low - 1]
    }

    /// The member that the next partition is taken from; `None` where nobody has one to give.
    pub(super) fn next_highest(&mut self, heights: &[u32]) -> Option<u32> {
        if self.high <= self.high_from {
            // A range that was emptied by `pass_over` would not grow by one level alone.
            let is_empty = self.high_end <= self.high_from && self.high_from > 0;
            self.high_height =
                if is_empty { self.height_at(self.high_from - 1, heights) } else { self.high_height - 1 };
            while self.high_from > 0 && self.height_at(self.high_from - 1, heights) == self.high_height {
                self.high_from -= 1;
            }
            self.high = self.high_end;
        }
        self.high = self.high.checked_sub(1)?;
        Some(self.members[self.high])
    }

    /// Takes the member that came last from `next_highest` out of the highest.
    pub(super) fn pass_over(&mut self) {
        self.high_end -= 1;
        self.members.swap(self.high, self.high_end);
    }

    /// True where the ends are at most one apart.
    pub(super) fn is_level(&self) -> bool {
        self.high_height - self.low_height <= 1
    }
}

/// The least and the greatest height.
pub(super) fn span_of(members: &[u32], heights: &[u32]) -> (u32, u32) {
    members.iter().fold((u32::MAX, 0), |(least, most), &member| {
        let height = heights[member as usize];
        (least.min(height), most.max(height))
    })
}
