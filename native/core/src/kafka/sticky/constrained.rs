//! The sticky assignors where all subscribe alike: everybody keeps what its quota allows, the rest is dealt out.
//!
//! Source: Apache Kafka 4.4.0, AbstractStickyAssignor.ConstrainedAssignmentBuilder. What differs from the obvious: who may
//! keep one more than the others is decided in the order of a HashMap of the members; what is kept is the lowest partition
//! numbers over all topics; partitions left over are counted from 0 to the topic's count as soon as anything is kept; and
//! a claim beyond the count stops the subtraction of what is kept.

use super::built::Built;
use super::claims::{Claims, NOBODY};
use super::map_order::map_order_of;
use super::owned::Owned;
use super::rack_dealer::RackDealer;
use crate::kafka::list_builder::offsets_of;
use crate::kafka::problem::{Failure, Problem, Racks, ranks_of};
use crate::kafka::slots::{exists, is_counted, partition_count};
use crate::kafka::subscriptions::active_topics;

pub(super) fn build(problem: &Problem<'_>, claims: &Claims, racks_used: bool) -> Result<Built, Failure> {
    if problem.members() == 0 {
        return Err(Failure::NoMembers);
    }
    let mut builder = Builder::new(problem, claims, racks_used);
    builder.keep();
    let unassigned = builder.unassigned();
    builder.sort_by_id();
    let rest = builder.deal_by_rack(unassigned);
    builder.deal_in_turn(&rest)?;
    builder.verify()?;
    Ok(builder.lists())
}

struct Builder<'a> {
    problem: &'a Problem<'a>,
    claims: &'a Claims,
    racks_used: bool,
    /// Topics that take part, by name.
    topics: Vec<u32>,
    min: u32,
    max: u32,
    /// Members that shall have more than the minimum, and those that have.
    above_due: u32,
    above: u32,
    /// Members below the minimum, and those at it that may get one more.
    under: Vec<u32>,
    exact: Vec<u32>,
    counts: Vec<u32>,
    owned: Owned,
    kept: Vec<bool>,
    any_kept: bool,
    /// Slots and members in the order in which they are dealt.
    dealt: Vec<(u32, u32)>,
    transferring: Vec<(u32, u32)>,
}

impl<'a> Builder<'a> {
    fn new(problem: &'a Problem<'a>, claims: &'a Claims, racks_used: bool) -> Builder<'a> {
        let active = active_topics(problem);
        let order = problem.topic_order.expect("the sticky assignors are asked with the topics in order");
        let topics: Vec<u32> = order.iter().copied().filter(|&topic| active[topic as usize]).collect();
        let total: u32 = topics.iter().map(|&topic| partition_count(problem, topic)).sum();
        let members = problem.members() as u32;
        let mut builder = Builder {
            problem,
            claims,
            racks_used,
            topics,
            min: total / members,
            max: total.div_ceil(members),
            above_due: total % members,
            above: 0,
            under: Vec::new(),
            exact: Vec::new(),
            counts: vec![0; members as usize],
            owned: Owned::default(),
            kept: vec![false; problem.slots()],
            any_kept: false,
            dealt: Vec::new(),
            transferring: Vec::new(),
        };
        builder.owned = Owned::new(problem, &builder.topics, |member, i| builder.may_keep(member, i));
        builder
    }

    /// What its rack does not hold, or another claims alike, a member does not keep.
    fn may_keep(&self, member: u32, i: usize) -> bool {
        let slot = self.problem.claims[i];
        self.claims.holds(i, slot)
            && !self.claims.is_clashed(slot)
            && (!self.racks_used || self.problem.racks.is_none_or(|racks| racks.fits(member, slot)))
    }

    /// How many of its own each member keeps, told in the order of the map.
    fn keep(&mut self) {
        for member in map_order_of(self.problem) {
            let count = self.quota_of(member, self.owned.of(member).len() as u32);
            for &slot in &self.owned.of(member)[..count as usize] {
                self.kept[slot as usize] = true;
            }
            self.any_kept |= count > 0;
            self.counts[member as usize] = count;
        }
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

    fn unassigned(&self) -> Vec<u32> {
        let slots = self.topics.iter().flat_map(|&topic| self.problem.slots_of(topic));
        if !self.any_kept {
            return slots.filter(|&slot| exists(self.problem, slot)).collect();
        }
        let mut stopped = false;
        slots
            .filter(|&slot| {
                let kept = self.kept[slot as usize];
                if is_counted(self.problem, slot) {
                    return stopped || !kept;
                }
                stopped |= kept;
                false
            })
            .collect()
    }

    fn sort_by_id(&mut self) {
        let rank = ranks_of(self.problem.member_order);
        self.under.sort_unstable_by_key(|&member| rank[member as usize]);
        self.exact.sort_unstable_by_key(|&member| rank[member as usize]);
    }

    /// Deals what lies on a waiting member's rack to it, partitions with the fewest members near first; returns the rest.
    fn deal_by_rack(&mut self, mut unassigned: Vec<u32>) -> Vec<u32> {
        let Some(racks) = self.problem.racks else { return unassigned };
        sort_by_near_members(&mut unassigned, &racks);
        if !self.racks_used {
            return unassigned;
        }
        let mut dealer = RackDealer::new(racks, std::mem::take(&mut self.under), &self.exact);
        unassigned.retain(|&slot| {
            let near = racks.of_slot(slot);
            if let Some(member) = dealer.next_under(near) {
                let count = self.deal(slot, member);
                self.after_under(&mut dealer, member, count);
            } else if let Some(member) = dealer.first_exact(near) {
                if self.deal(slot, member) == self.max {
                    self.after_exact(&mut dealer, member);
                }
            } else {
                return true;
            }
            false
        });
        (self.under, self.exact) = dealer.into_lists();
        unassigned
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
    fn deal_in_turn(&mut self, unassigned: &[u32]) -> Result<(), Failure> {
        let (mut at, mut kept, mut next_exact) = (0, 0, 0);
        for &slot in unassigned {
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
        self.dealt.push((slot, member));
        let before = self.claims.holder(slot);
        let was_another = before != NOBODY && before != member && !self.kept[slot as usize];
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
        let offsets = offsets_of(&self.counts);
        let mut ends = offsets.clone();
        let mut values = vec![0; offsets[self.counts.len()] as usize];
        for (member, end) in (0..).zip(&mut ends[..self.counts.len()]) {
            for &slot in self.owned.of(member).iter().filter(|&&slot| self.kept[slot as usize]) {
                values[*end as usize] = slot;
                *end += 1;
            }
        }
        for (slot, member) in self.dealt {
            let end = &mut ends[member as usize];
            values[*end as usize] = slot;
            *end += 1;
        }
        Built { offsets, values, transferring: Some(self.transferring), walk: None }
    }
}

/// Slots by the number of members on their racks, ascending; the order given decides between equals.
fn sort_by_near_members(slots: &mut [u32], racks: &Racks<'_>) {
    let near = racks.members_near();
    slots.sort_by_key(|&slot| near[racks.set_of[slot as usize] as usize]);
}
