//! Who gets the extras: levels kept, as many partitions as possible stay where they are.
//!
//! An extra costs nothing at a keeper (a carrier that owns more than its share rounded down), and a move elsewhere. First
//! keepers get all they can, then what is left goes to whoever has room, most room first, which leaves fewest collisions;
//! what collides all the same, the search of paths.rs places along cheapest paths, so that the cost stays the least there
//! is.

use super::levels::{Levels, NO_LEVEL};
use super::most_room_first::MostRoomFirst;
use super::nearness::Nearness;
use super::owned::{Keepers, NOBODY};
use super::paths::Paths;
use super::shares::Shares;
use crate::kafka::problem::Problem;
use crate::kafka::slots::exists;

/// Topics of one weight, all with extras, and what binds whoever places them.
#[derive(Clone, Copy)]
pub(super) struct Placing<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) shares: &'a Shares,
    pub(super) topics: &'a [u32],
    pub(super) keepers: &'a Keepers,
    pub(super) levels: &'a Levels,
    /// Rank of the owner of each slot.
    pub(super) owners: &'a [u32],
    /// `None` where no member has a rack.
    pub(super) nearness: Option<&'a Nearness<'a>>,
}

/// `holders` is written.
pub(super) fn place_extras(placing: Placing<'_>, holders: &mut [u32]) {
    let mut rooms = Rooms::new(placing, holders);
    rooms.keep();
    let mut paths = Paths::new(placing);
    if rooms.could_keep() {
        while paths.place(&mut rooms, 0) {}
    }
    rooms.fill();
    while !rooms.are_all_placed() {
        assert!(paths.place(&mut rooms, i32::MAX), "level loads are loads that can be placed");
    }
}

/// What is placed, and who has room for more.
pub(super) struct Rooms<'a> {
    placing: Placing<'a>,
    pub(super) holders: &'a mut [u32],
    /// Extras from `extras[t]` to `ends[t]` have a holder.
    pub(super) ends: Vec<u32>,
    pub(super) carried: Vec<u32>,
    /// How many of each level may still carry one more.
    spare: Vec<u32>,
    pub(super) marks: Marks,
}

/// Marks on members, all taken away at once.
pub(super) struct Marks {
    marks: Vec<u32>,
    mark: u32,
}

impl Marks {
    fn clear(&mut self) {
        self.mark += 1;
    }

    pub(super) fn set(&mut self, member: u32) {
        self.marks[member as usize] = self.mark;
    }

    pub(super) fn has(&self, member: u32) -> bool {
        self.marks[member as usize] == self.mark
    }
}

impl<'a> Rooms<'a> {
    fn new(placing: Placing<'a>, holders: &'a mut [u32]) -> Rooms<'a> {
        let members = placing.shares.members();
        Rooms {
            placing,
            holders,
            ends: placing.shares.extras[..placing.shares.topics.len()].to_vec(),
            carried: vec![0; members],
            spare: placing.levels.more.clone(),
            marks: Marks { marks: vec![0; members], mark: 0 },
        }
    }

    /// True if the member may carry one more.
    pub(super) fn has_room(&self, member: u32) -> bool {
        let Levels { least, level_of, .. } = self.placing.levels;
        let (carried, least) = (self.carried[member as usize], least[member as usize]);
        let level = level_of[member as usize];
        carried < least || (carried == least && level != NO_LEVEL && self.spare[level as usize] > 0)
    }

    /// One more for a member that has room.
    pub(super) fn take(&mut self, member: u32) {
        let Levels { least, level_of, .. } = self.placing.levels;
        if self.carried[member as usize] >= least[member as usize] {
            self.spare[level_of[member as usize] as usize] -= 1;
        }
        self.carried[member as usize] += 1;
    }

    pub(super) fn is_placed(&self, topic: u32) -> bool {
        self.ends[topic as usize] == self.placing.shares.extras[topic as usize + 1]
    }

    fn are_all_placed(&self) -> bool {
        self.placing.topics.iter().all(|&topic| self.is_placed(topic))
    }

    pub(super) fn give(&mut self, topic: u32, member: u32) {
        let end = &mut self.ends[topic as usize];
        self.holders[*end as usize] = member;
        *end += 1;
    }

    /// Who holds an extra of the topic so far.
    pub(super) fn holders_of(&self, topic: u32) -> &[u32] {
        &self.holders[self.placing.shares.extras[topic as usize] as usize..self.ends[topic as usize] as usize]
    }

    pub(super) fn mark_holders(&mut self, topic: u32) {
        self.marks.clear();
        let start = self.placing.shares.extras[topic as usize] as usize;
        for &holder in &self.holders[start..self.ends[topic as usize] as usize] {
            self.marks.set(holder);
        }
    }

    /// Keepers get what they own, while there is room.
    ///
    /// Who owns too much lets go here and there, not all at the end: what is left lies in many topics and collides less.
    fn keep(&mut self) {
        let Placing { topics, keepers, .. } = self.placing;
        let (counts, surplus) = self.surplus();
        let mut seen = vec![0; counts.len()];
        for &topic in topics {
            for &member in keepers.of(topic) {
                let at = member as usize;
                let turn: u64 = seen[at] * u64::from(surplus[at]) + u64::from(member);
                seen[at] += 1;
                if turn % u64::from(counts[at]) >= u64::from(surplus[at]) {
                    self.keep_one(topic, member);
                }
            }
        }
        for &topic in topics {
            if !self.is_placed(topic) {
                self.keep_rest(topic);
            }
        }
    }

    /// How much each member could keep, and how much of that it has no room for.
    fn surplus(&self) -> (Vec<u32>, Vec<u32>) {
        let Placing { topics, keepers, levels, .. } = self.placing;
        let mut counts = vec![0; self.carried.len()];
        for &topic in topics {
            for &member in keepers.of(topic) {
                counts[member as usize] += 1;
            }
        }
        let mut spare = self.spare.clone();
        let surplus = counts.iter().enumerate().map(|(member, &count): (usize, &u32)| {
            let level = levels.level_of[member];
            if count <= levels.least[member] {
                return 0;
            }
            if level == NO_LEVEL || spare[level as usize] == 0 {
                return count - levels.least[member];
            }
            spare[level as usize] -= 1;
            count - levels.least[member] - 1
        });
        let surplus = surplus.collect();
        (counts, surplus)
    }

    fn keep_one(&mut self, topic: u32, member: u32) {
        if !self.is_placed(topic) && self.has_room(member) {
            self.give(topic, member);
            self.take(member);
        }
    }

    fn keep_rest(&mut self, topic: u32) {
        self.mark_holders(topic);
        for &member in self.placing.keepers.of(topic) {
            if !self.marks.has(member) {
                self.keep_one(topic, member);
            }
        }
    }

    /// True if a topic has extras and keepers left.
    fn could_keep(&self) -> bool {
        self.placing
            .topics
            .iter()
            .any(|&topic| !self.is_placed(topic) && self.holders_of(topic).len() < self.placing.keepers.of(topic).len())
    }

    /// What is left goes to whoever has room and no extra of the topic, field by field.
    fn fill(&mut self) {
        let Placing { shares, topics, .. } = self.placing;
        let mut open: Vec<u32> = topics.iter().copied().filter(|&topic| !self.is_placed(topic)).collect();
        open.sort_by_key(|&topic| (shares.field_of[topic as usize], topic));
        for topics in open.chunk_by(|&a, &b| shares.field_of[a as usize] == shares.field_of[b as usize]) {
            self.fill_field(topics);
        }
    }

    fn fill_field(&mut self, topics: &[u32]) {
        let Placing { shares, levels, .. } = self.placing;
        let carriers = &shares.field(topics[0]).carriers;
        let mut order = MostRoomFirst::new(carriers, |member| {
            levels.least[member as usize].saturating_sub(self.carried[member as usize])
        });
        let mut spare: Vec<u32> =
            carriers.iter().copied().filter(|&member| levels.level_of[member as usize] != NO_LEVEL).collect();
        for &topic in topics {
            self.mark_holders(topic);
            // Near members first: fewer moves cannot be had here, and which way levels are met is free.
            let mut wants = self.wants(topic);
            if wants.is_some() {
                self.fill_room(topic, &mut order, &mut wants);
            }
            self.fill_room(topic, &mut order, &mut None);
            if wants.is_some() {
                self.fill_spare(topic, &mut spare, &mut wants);
            }
            self.fill_spare(topic, &mut spare, &mut None);
        }
    }

    /// How many partitions of the topic that nobody keeps are near to each rack.
    fn wants(&self, topic: u32) -> Option<Vec<u32>> {
        let Placing { problem, shares, nearness, owners, .. } = self.placing;
        let nearness = nearness?;
        let keeps = |owner: u32| owner != NOBODY && (self.marks.has(owner) || shares.share(topic, owner).0 > 0);
        let slots = problem.slots_of(shares.topics[topic as usize]).filter(|&slot| exists(problem, slot));
        Some(nearness.wants(slots.filter(|&slot| !keeps(owners[slot as usize]))))
    }

    /// True if the member is near to a partition that is left in `wants`, where these are asked for.
    fn is_picked(&self, member: u32, wants: &mut Option<Vec<u32>>) -> bool {
        let (Some(wants), Some(nearness)) = (wants, self.placing.nearness) else { return true };
        let left = &mut wants[nearness.rack_of[member as usize] as usize];
        if *left == 0 {
            return false;
        }
        *left -= 1;
        true
    }

    fn fill_room(&mut self, topic: u32, order: &mut MostRoomFirst, wants: &mut Option<Vec<u32>>) {
        let from = self.ends[topic as usize] as usize;
        for i in 0..order.with_room() {
            if self.is_placed(topic) {
                break;
            }
            let member = order.members[i];
            if !self.marks.has(member) && self.is_picked(member, wants) {
                self.give(topic, member);
            }
        }
        for i in from..self.ends[topic as usize] as usize {
            let member = self.holders[i];
            self.take(member);
            order.lower(member);
            self.marks.set(member);
        }
    }

    /// Members of `spare` may carry one more, once they have their least.
    fn fill_spare(&mut self, topic: u32, spare: &mut Vec<u32>, wants: &mut Option<Vec<u32>>) {
        let mut i = 0;
        while i < spare.len() && !self.is_placed(topic) {
            let member = spare[i];
            if self.marks.has(member) || (self.has_room(member) && !self.is_picked(member, wants)) {
                i += 1;
                continue;
            }
            // Whoever is not marked has its least by now: nobody with more room was left.
            if self.has_room(member) {
                self.give(topic, member);
                self.take(member);
            }
            spare.swap_remove(i);
        }
    }
}
