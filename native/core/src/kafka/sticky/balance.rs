//! Whether any partition could go to a member that has two less, asked before every move.
//!
//! For the general sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.GeneralAssignmentBuilder.isBalanced.
//! The original looks at every member and partition anew each time. Here one pair of member and partition that proves the
//! imbalance is kept as long as it does; the next one is looked for where the walk over the partitions stands, so that
//! both walks together are one, and in all ways only when none is there.
//! Where the original would ask for a partition that nobody has, and so fail, its own order is walked.

use super::built::General;
use super::claims::NOBODY;
use super::map_order::map_orders_without;
use crate::kafka::problem::Failure;
use crate::kafka::slots::is_counted;
use crate::kafka::subscriptions::NO_CLASS;

pub(super) struct Balance {
    /// How many members have each count, of those that are not fixed.
    with_count: Vec<u32>,
    least: usize,
    greatest: usize,
    members: u32,
    /// True where a partition that is counted lies with nobody that is not fixed.
    has_gap: bool,
    /// Place of each member in the original's map, which decides who of two holders counts; empty where there are none.
    map_place: Vec<u32>,
    /// A member and a slot that it could have.
    proof: Option<(u32, u32)>,
}

impl Balance {
    pub(super) fn new(general: &General<'_>) -> Balance {
        let mut balance = Balance {
            with_count: Vec::new(),
            least: 0,
            greatest: 0,
            members: 0,
            has_gap: false,
            map_place: Vec::new(),
            proof: None,
        };
        let tally = &general.tally;
        for (&count, _) in tally.counts.iter().zip(&tally.fixed).filter(|&(_, &fixed)| !fixed) {
            balance.members += 1;
            *balance.members_with(count) += 1;
        }
        balance.least = balance.with_count.iter().position(|&some| some > 0).unwrap_or(0);
        balance.greatest = balance.with_count.len().saturating_sub(1);
        if general.lists.any_doubled() {
            balance.map_place = map_places(general);
        }
        balance.has_gap = balance.find_gap(general);
        balance
    }

    fn members_with(&mut self, count: u32) -> &mut u32 {
        let count = count as usize;
        if self.with_count.len() <= count {
            self.with_count.resize(count + 1, 0);
        }
        &mut self.with_count[count]
    }

    /// Moves a slot from its owner.
    pub(super) fn move_to(&mut self, general: &mut General<'_>, slot: u32, to: u32) {
        let from = general.lists.owner(slot);
        let count_of = |general: &General<'_>, member: u32| general.tally.counts[member as usize];
        for member in [from, to] {
            *self.members_with(count_of(general, member)) -= 1;
        }
        general.lists.move_to(slot, to, &mut general.tally);
        for member in [from, to] {
            *self.members_with(count_of(general, member)) += 1;
        }
        self.least = self.least.min(count_of(general, from) as usize);
        while self.with_count[self.least] == 0 {
            self.least += 1;
        }
        self.greatest = self.greatest.max(count_of(general, to) as usize);
        while self.with_count[self.greatest] == 0 {
            self.greatest -= 1;
        }
    }

    /// The sum of the differences of all pairs of members that are not fixed, in 32 bits as the original adds them.
    pub(super) fn score(&self) -> i32 {
        let (mut score, mut before) = (0_i32, 0_i32);
        for (count, &some) in (0_i32..).zip(&self.with_count) {
            let some = some as i32;
            // Each of them has `before` smaller members and as many greater ones as are left: the sum, with signs.
            let sign = before.wrapping_mul(2).wrapping_add(some).wrapping_sub(self.members as i32);
            score = score.wrapping_add(count.wrapping_mul(some.wrapping_mul(sign)));
            before += some;
        }
        score
    }

    /// `at` is the slot that would be moved next: what can move behind it is a proof, and the next to move.
    pub(super) fn is_balanced(&mut self, general: &mut General<'_>, at: u32) -> Result<bool, Failure> {
        if self.members == 0 {
            return Err(Failure::NoElement);
        }
        if self.least + 1 >= self.greatest {
            return Ok(true);
        }
        if self.has_gap {
            return self.is_balanced_in_order(general);
        }
        if !self.proof.is_some_and(|(member, slot)| self.proves(general, member, slot)) {
            self.proof = self.proof_from(general, at).or_else(|| self.proof_anywhere(general));
        }
        Ok(self.proof.is_none())
    }

    /// True if the slot could go to the member and leave its owner no smaller.
    fn proves(&self, general: &General<'_>, member: u32, slot: u32) -> bool {
        let counts = &general.tally.counts;
        let has = counts[member as usize];
        self.owner_in_map(general, slot).is_some_and(|owner| counts[owner as usize] > has + 1)
            && u64::from(has) != general.most[member as usize]
            && !holds(general, member, slot)
    }

    /// Of several holders, the one that comes last in the original's map.
    fn owner_in_map(&self, general: &General<'_>, slot: u32) -> Option<u32> {
        let fixed = &general.tally.fixed;
        if general.lists.is_doubled(slot) {
            let holders = general.lists.holders(slot).filter(|&holder| !fixed[holder as usize]);
            return holders.max_by_key(|&holder| self.map_place[holder as usize]);
        }
        Some(general.lists.holder(slot)).filter(|&holder| holder != NOBODY && !fixed[holder as usize])
    }

    /// The first slot from `at` on, around the end, that the smallest of its subscribers could have.
    fn proof_from(&self, general: &mut General<'_>, at: u32) -> Option<(u32, u32)> {
        let mut known = (NO_CLASS, None);
        for slot in (at..general.problem.slots() as u32).chain(0..at) {
            let class = general.class_of(slot);
            if class == NO_CLASS || !is_counted(general.problem, slot) {
                continue;
            }
            // Neighbours mostly are of one class.
            if class != known.0 {
                let General { classes, heaps, tally, .. } = general;
                known = (class, heaps.smallest(class, &classes.members[class as usize], tally));
            }
            if let Some(member) = known.1.filter(|&member| self.proves(general, member, slot)) {
                return Some((member, slot));
            }
        }
        None
    }

    fn proof_anywhere(&self, general: &General<'_>) -> Option<(u32, u32)> {
        let General { problem, classes, tally, most, lists, .. } = general;
        // The greatest owner of each class, and what it has of the class.
        let mut best: Vec<Option<(u32, u32)>> = vec![None; classes.members.len()];
        for slot in 0..problem.slots() as u32 {
            let class = general.class_of(slot);
            if class == NO_CLASS || !is_counted(problem, slot) || lists.is_doubled(slot) {
                continue;
            }
            let Some(owner) = self.owner_in_map(general, slot) else { continue };
            let count = tally.counts[owner as usize];
            let best = &mut best[class as usize];
            if best.is_none_or(|(greatest, _)| count > greatest) {
                *best = Some((count, slot));
            }
        }
        for (members, best) in classes.members.iter().zip(best) {
            let Some((greatest, slot)) = best else { continue };
            let is_small = |&&member: &&u32| {
                let has = tally.counts[member as usize];
                !tally.fixed[member as usize] && u64::from(has) != most[member as usize] && has + 1 < greatest
            };
            if let Some(&member) = members.iter().find(is_small) {
                return Some((member, slot));
            }
        }
        self.proof_among_doubled(general)
    }

    fn proof_among_doubled(&self, general: &General<'_>) -> Option<(u32, u32)> {
        general.lists.doubled().filter(|&slot| is_counted(general.problem, slot)).find_map(|slot| {
            let mut members = general.members(general.class_of(slot)).iter();
            let free = |member: u32| !general.tally.fixed[member as usize];
            let member = members.find(|&&member| free(member) && self.proves(general, member, slot));
            member.map(|&member| (member, slot))
        })
    }

    fn find_gap(&self, general: &General<'_>) -> bool {
        let General { problem, classes, tally, .. } = general;
        if problem.kinds.is_none() {
            return false;
        }
        let is_free = |members: &Vec<u32>| members.iter().any(|&member| !tally.fixed[member as usize]);
        let free: Vec<bool> = classes.members.iter().map(is_free).collect();
        (0..problem.slots() as u32).any(|slot| {
            let class = general.class_of(slot);
            class != NO_CLASS
                && free[class as usize]
                && is_counted(problem, slot)
                && self.owner_in_map(general, slot).is_none()
        })
    }

    /// Member by member, the smallest first, topic by topic, number by number, until a proof or a gap.
    fn is_balanced_in_order(&self, general: &General<'_>) -> Result<bool, Failure> {
        let General { problem, classes, tally, most, .. } = general;
        let free = problem.member_order.iter().copied().filter(|&member| !tally.fixed[member as usize]);
        let mut members: Vec<u32> = free.collect();
        members.sort_by_key(|&member| tally.counts[member as usize]);
        for member in members {
            if u64::from(tally.counts[member as usize]) == most[member as usize] {
                continue;
            }
            let topics =
                problem.topics_of(member).iter().filter(|&&topic| classes.class_of[topic as usize] != NO_CLASS);
            let slots = topics.flat_map(|&topic| problem.slots_of(topic)).filter(|&slot| is_counted(problem, slot));
            for slot in slots.filter(|&slot| !holds(general, member, slot)) {
                if self.owner_in_map(general, slot).is_none() {
                    return Err(Failure::Null);
                }
                if self.proves(general, member, slot) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

fn holds(general: &General<'_>, member: u32, slot: u32) -> bool {
    general.lists.holders(slot).any(|holder| holder == member)
}

fn map_places(general: &General<'_>) -> Vec<u32> {
    let (order, _) = map_orders_without(general.problem, &general.tally.fixed);
    let mut places = vec![0; general.tally.counts.len()];
    for (&member, place) in order.iter().zip(0..) {
        places[member as usize] = place;
    }
    places
}
