//! The sticky assignors where all subscribe alike: everybody keeps what its quota allows, the rest is dealt out.
//!
//! Source: Apache Kafka 4.4.0, AbstractStickyAssignor.ConstrainedAssignmentBuilder. What differs from the obvious: who may
//! keep one more than the others is decided in the order of a HashMap of the members; what is kept is the lowest partition
//! numbers over all topics; partitions left over are counted from 0 to the topic's count as soon as anything is kept; and
//! a claim beyond the count stops the subtraction of what is kept.

use super::built::{Built, Laid, Waits};
use super::claims::{Claims, NOBODY};
use super::map_order::map_order_of;
use super::owned::Owned;
use super::rack_dealer::RackDealer;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Failure, Problem, Racks, ranks_of};
use crate::kafka::slots::{exists, is_counted, partition_count};
use crate::kafka::subscriptions::active_topics;

pub(super) fn build(problem: &Problem<'_>, claims: &mut Claims, racks_used: bool) -> Result<Built, Failure> {
    if problem.members() == 0 {
        return Err(Failure::NoMembers);
    }
    let mut builder = Builder::new(problem, claims, racks_used);
    problem.reach(2)?;
    builder.keep();
    builder.find_left();
    problem.reach(3)?;
    builder.sort_by_id();
    builder.deal_by_rack();
    problem.reach(4)?;
    builder.deal_in_turn()?;
    problem.reach(5)?;
    builder.verify()?;
    Ok(builder.lists())
}

struct Builder<'a> {
    problem: &'a Problem<'a>,
    claims: &'a mut Claims,
    racks_used: bool,
    /// Topics that take part, by name.
    topics: Vec<u32>,
    total: u32,
    min: u32,
    max: u32,
    /// Members that shall have more than the minimum, and those that have.
    above_due: u32,
    above: u32,
    /// Members below the minimum, and those at it that may get one more.
    under: Vec<u32>,
    exact: Vec<u32>,
    /// How many of what it owned each member keeps, and how many it has.
    kept: Vec<u32>,
    counts: Vec<u32>,
    owned: Owned,
    /// Slots that nobody keeps, and who got them, in the order in which they are dealt.
    left: Vec<u32>,
    dealt_to: Vec<u32>,
    transferring: Vec<(u32, u32)>,
}

impl<'a> Builder<'a> {
    fn new(problem: &'a Problem<'a>, claims: &'a mut Claims, racks_used: bool) -> Builder<'a> {
        let active = active_topics(problem);
        let order = problem.topic_order.expect("the sticky assignors are asked with the topics in order");
        let topics: Vec<u32> = order.iter().copied().filter(|&topic| active[topic as usize]).collect();
        let total: u32 = topics.iter().map(|&topic| partition_count(problem, topic)).sum();
        let members = problem.members() as u32;
        loosen_unfit(problem, claims, racks_used);
        Builder {
            problem,
            racks_used,
            total,
            min: total / members,
            max: total.div_ceil(members),
            above_due: total % members,
            above: 0,
            under: Vec::new(),
            exact: Vec::new(),
            kept: vec![0; members as usize],
            counts: Vec::new(),
            owned: Owned::new(problem, &topics, claims),
            topics,
            claims,
            left: Vec::new(),
            dealt_to: Vec::new(),
            transferring: Vec::new(),
        }
    }

    /// How many of its own each member keeps, told in the order of the map.
    fn keep(&mut self) {
        for member in map_order_of(self.problem) {
            let owned = self.owned.of(member).len() as u32;
            let kept = self.quota_of(member, owned);
            self.kept[member as usize] = kept;
            self.owned.of(member)[kept as usize..].iter().for_each(|&slot| self.claims.loosen(slot));
        }
        self.counts.clone_from(&self.kept);
    }

    fn quota_of(&mut self, member: u32, owned: u32) -> u32 {
        if owned < self.min {
            self.under.push(member);
            return owned;
        }
        let may_be_more = self.above < self.above_due;
        if owned >= self.max && may_be_more {
            self.above += 1;
            if self.above == self.above_due {
                self.exact.clear();
            }
            return self.max;
        }
        if may_be_more {
            self.exact.push(member);
        }
        self.min
    }

    fn find_left(&mut self) {
        let Builder { problem, claims, .. } = self;
        let slots = self.topics.iter().flat_map(|&topic| problem.slots_of(topic));
        let kept: u32 = self.kept.iter().sum();
        self.left.reserve_exact(self.total.saturating_sub(kept) as usize);
        if kept == 0 {
            self.left.extend(slots.filter(|&slot| exists(problem, slot)));
            return;
        }
        let mut stopped = false;
        self.left.extend(slots.filter(|&slot| {
            let is_kept = claims.keeper(slot).is_some();
            if is_counted(problem, slot) {
                return stopped || !is_kept;
            }
            stopped |= is_kept;
            false
        }));
    }

    fn sort_by_id(&mut self) {
        let rank = ranks_of(self.problem.member_order);
        self.under.sort_unstable_by_key(|&member| rank[member as usize]);
        self.exact.sort_unstable_by_key(|&member| rank[member as usize]);
    }

    /// Deals what lies on a waiting member's rack to it, partitions with the fewest members near first; the rest stands
    /// behind what is dealt.
    fn deal_by_rack(&mut self) {
        let Some(racks) = self.problem.racks else { return };
        self.dealt_to.reserve_exact(self.left.len());
        sort_by_near_members(&mut self.left, &racks);
        if !self.racks_used {
            return;
        }
        let mut dealer = RackDealer::new(racks, std::mem::take(&mut self.under), &self.exact);
        let mut rest = Vec::new();
        for i in 0..self.left.len() {
            let slot = self.left[i];
            if self.deal_near(&mut dealer, slot, racks.of_slot(slot)) {
                let dealt = self.dealt_to.len();
                self.left[dealt - 1] = slot;
            } else {
                rest.push(slot);
            }
        }
        self.left.truncate(self.dealt_to.len());
        self.left.extend(rest);
        (self.under, self.exact) = dealer.into_lists();
    }

    fn deal_near(&mut self, dealer: &mut RackDealer<'_>, slot: u32, near: &[u32]) -> bool {
        if let Some(member) = dealer.next_under(near) {
            let count = self.deal(slot, member);
            self.after_under(dealer, member, count);
        } else if let Some(member) = dealer.first_exact(near) {
            if self.deal(slot, member) == self.max {
                self.after_exact(dealer, member);
            }
        } else {
            return false;
        }
        true
    }

    fn after_under(&self, dealer: &mut RackDealer<'_>, member: u32, count: u32) {
        if count < self.min {
            return;
        }
        dealer.take_under(member);
        if count < self.max && self.above < self.above_due {
            dealer.add_exact(member);
        }
    }

    fn after_exact(&mut self, dealer: &mut RackDealer<'_>, member: u32) {
        dealer.take_exact(member);
        self.above += 1;
        if self.above == self.above_due {
            dealer.clear_exact();
        }
    }

    /// Round after round over those below the minimum, then one more for each that may have it.
    fn deal_in_turn(&mut self) -> Result<(), Failure> {
        self.dealt_to.reserve_exact(self.left.len() - self.dealt_to.len());
        let (mut at, mut kept, mut next_exact) = (0, 0, 0);
        for i in self.dealt_to.len()..self.left.len() {
            let slot = self.left[i];
            if at == self.under.len() {
                self.under.truncate(kept);
                (at, kept) = (0, 0);
                if self.under.is_empty() {
                    let &member = self.exact.get(next_exact).ok_or(Failure::NoRoom)?;
                    next_exact += 1;
                    let count = self.deal(slot, member);
                    self.above += u32::from(count == self.max);
                    continue;
                }
            }
            let member = self.under[at];
            at += 1;
            let count = self.deal(slot, member);
            if count == self.min {
                self.exact.push(member);
            } else {
                self.under[kept] = member;
                kept += 1;
                self.above += u32::from(count == self.max);
            }
        }
        self.under.drain(kept..at);
        Ok(())
    }

    fn deal(&mut self, slot: u32, member: u32) -> u32 {
        self.dealt_to.push(member);
        let before = self.claims.holder(slot);
        let was_another = before != NOBODY && before != member && self.claims.keeper(slot).is_none();
        if was_another || self.claims.is_clashed(slot) {
            self.transferring.push((slot, member));
        }
        let count = &mut self.counts[member as usize];
        *count += 1;
        *count
    }

    fn verify(&self) -> Result<(), Failure> {
        if self.under.is_empty() {
            return Ok(());
        }
        if self.above != self.above_due {
            return Err(Failure::TooFewAbove);
        }
        let short = self.under.iter().find(|&&member| self.counts[member as usize] != self.min);
        short.map_or(Ok(()), |&member| Err(Failure::BelowQuota(member)))
    }

    fn lists(self) -> Built {
        drop(self.claims.take_keepers());
        let offsets = offsets_of(&self.counts);
        let mut ends = offsets.clone();
        let mut values = vec![0; offsets[self.counts.len()] as usize];
        for (member, end) in (0..).zip(&mut ends[..self.counts.len()]) {
            let kept = &self.owned.of(member)[..self.kept[member as usize] as usize];
            values[*end as usize..*end as usize + kept.len()].copy_from_slice(kept);
            *end += kept.len() as u32;
        }
        for (slot, member) in self.left.into_iter().zip(self.dealt_to) {
            let end = &mut ends[member as usize];
            values[*end as usize] = slot;
            *end += 1;
        }
        Built { laid: Laid { offsets, values }, waits: Waits::Told(self.transferring) }
    }
}

/// What its rack does not hold, or another claims alike, a member does not keep.
fn loosen_unfit(problem: &Problem<'_>, claims: &mut Claims, racks_used: bool) {
    let racks = problem.racks.filter(|_| racks_used);
    if racks.is_none() && !claims.any_clashed() {
        return;
    }
    for slot in 0..problem.slots() as u32 {
        let Some(keeper) = claims.keeper(slot) else { continue };
        if claims.is_clashed(slot) || racks.is_some_and(|racks| !racks.fits(keeper, slot)) {
            claims.loosen(slot);
        }
    }
}

/// Slots by the number of members on their racks, ascending; the order given decides between equals.
fn sort_by_near_members(slots: &mut [u32], racks: &Racks<'_>) {
    let near = racks.members_near();
    slots.sort_by_key(|&slot| near[racks.set_of[slot as usize] as usize]);
}
