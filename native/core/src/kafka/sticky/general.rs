//! The sticky assignors where subscriptions differ: keep what may be kept, deal the rest to the smallest, then move
//! partition by partition to whoever has two less.
//!
//! Source: Apache Kafka 4.4.0, AbstractStickyAssignor.GeneralAssignmentBuilder. What differs from the obvious: a partition
//! goes back to an owner of an earlier generation, subscribed or not; racks decide who keeps and who is dealt to, but not
//! who a move goes to; and a claim beyond the count stops the subtraction of what is kept, so that kept partitions are
//! dealt again.

use super::balance::Balance;
use super::built::{Built, General, Waits};
use super::claims::{Claims, NOBODY};
use super::lists::Lists;
use super::map_order::{map_order_of, map_orders_without};
use super::movements::{Movements, Moving};
use super::smallest::{Heaps, Tally};
use super::wrapped_order::{overflows, sort_wrapped};
use crate::kafka::problem::{Failure, Problem, Racks};
use crate::kafka::slots::{exists, is_counted, partition_count, topics_of_slots};
use crate::kafka::subscriptions::{NO_CLASS, SubscriberClasses, subscriber_classes};
use std::collections::HashMap;

pub(super) fn build(problem: &Problem<'_>, claims: &mut Claims, racks_used: bool) -> Result<Built, Failure> {
    let as_given: Vec<u32> = (0..problem.members() as u32).collect();
    let classes = subscriber_classes(problem, &as_given);
    let racks = if racks_used { problem.racks } else { None };
    Builder::new(problem, claims, &classes, racks).build()
}

struct Builder<'a> {
    general: General<'a>,
    claims: &'a mut Claims,
    /// Where they matter.
    racks: Option<Racks<'a>>,
    movements: Movements,
    /// Topics by number of subscribers, then name.
    topics: Vec<u32>,
    /// Owner in the latest earlier generation, for each slot; empty where there is none.
    previous: Vec<u32>,
    /// Classes of subscribers with a fixed member, which a group without stray claims or gaps does not have.
    has_fixed: Vec<bool>,
    must_revoke: bool,
}

impl<'a> Builder<'a> {
    fn new(
        problem: &'a Problem<'a>,
        claims: &'a mut Claims,
        classes: &'a SubscriberClasses,
        racks: Option<Racks<'a>>,
    ) -> Builder<'a> {
        let general = General {
            problem,
            classes,
            topic_of: topics_of_slots(problem),
            tally: Tally::new(problem.members()),
            lists: Lists::of(Vec::new(), Vec::new()),
            most: most_of(problem, classes),
            heaps: Heaps::new(problem.member_order, classes.members.len()),
        };
        Builder {
            general,
            claims,
            racks,
            movements: Movements::new(),
            topics: sorted_topics(problem, classes),
            previous: Vec::new(),
            has_fixed: Vec::new(),
            must_revoke: false,
        }
    }

    fn build(mut self) -> Result<Built, Failure> {
        let problem = self.general.problem;
        let kept = self.keep();
        let initializing = kept.is_empty();
        // Of a group that keeps nothing, all are left: no list of them is made.
        let mut left = if initializing { None } else { Some(self.left(kept.len())) };
        self.general.lists = Lists::of(self.claims.take_keepers(), kept);
        problem.reach(2)?;
        self.previous = previous_owners(problem, self.claims.max_generation);
        let topics = std::mem::take(&mut self.topics);
        match &left {
            None => self.deal(topics.iter().flat_map(|&topic| existing_slots(problem, topic))),
            Some(left) => self.deal(left.iter().copied()),
        }
        problem.reach(3)?;
        self.fix_members();
        let mut balance = Balance::new(&self.general);
        let (score, counts) = (balance.score(), self.general.tally.counts.clone());
        self.general.lists.mark();
        let classes = self.general.classes;
        let movable = || movable_slots(problem, classes, &topics);
        if !self.must_revoke {
            match &mut left {
                None => self.reassign(movable, &mut balance)?,
                Some(left) => {
                    left.retain(|&slot| is_movable(problem, classes, self.general.topic_of[slot as usize], slot));
                    self.reassign(|| left.iter().copied(), &mut balance)?
                }
            };
        }
        drop(left);
        problem.reach(4)?;
        let moved = self.reassign(movable, &mut balance)?;
        problem.reach(5)?;
        if !initializing && moved && balance.score() >= score {
            self.general.lists.restore();
            self.general.tally.counts = counts;
        }
        Ok(built(self.general))
    }

    /// Leaves each member what it still subscribes to and what is on its rack: those slots, list after list.
    fn keep(&mut self) -> Vec<u32> {
        let problem = self.general.problem;
        let mut kept = Vec::with_capacity(problem.slots());
        // Of the members with claims, the last one that names each topic.
        let mut last_to_name = vec![NOBODY; problem.topics()];
        for member in 0..problem.members() as u32 {
            if problem.claims_of(member).is_empty() {
                continue;
            }
            for &topic in problem.topics_of(member) {
                last_to_name[topic as usize] = member;
            }
            for &slot in &*self.claims.held(problem, member) {
                let subscribes = last_to_name[self.general.topic_of[slot as usize] as usize] == member;
                if subscribes && self.racks.is_none_or(|racks| racks.fits(member, slot)) {
                    kept.push(slot);
                    self.general.tally.counts[member as usize] += 1;
                } else {
                    self.claims.loosen(slot);
                    self.must_revoke = true;
                }
            }
        }
        kept
    }

    /// What is not kept; a kept slot that does not exist is waited for in vain, and all behind it are not kept.
    fn left(&self, kept: usize) -> Vec<u32> {
        let problem = self.general.problem;
        let slots = self.topics.iter().flat_map(|&topic| existing_slots(problem, topic));
        let Some(numbers) = problem.numbers else {
            let mut left = Vec::with_capacity(problem.slots() - kept);
            left.extend(slots.filter(|&slot| self.claims.keeper(slot).is_none()));
            return left;
        };
        let sorted = self.kept_in_order(numbers);
        let mut next = sorted.iter().peekable();
        slots.filter(|slot| next.next_if_eq(&slot).is_none()).collect()
    }

    fn kept_in_order(&self, numbers: &[i32]) -> Vec<u32> {
        let problem = self.general.problem;
        let wraps = self.topics.iter().any(|&topic| {
            let slots = problem.slots_of(topic);
            overflows(&numbers[slots.start as usize..slots.end as usize])
        });
        if !wraps {
            let slots = self.topics.iter().flat_map(|&topic| problem.slots_of(topic));
            return slots.filter(|&slot| self.claims.keeper(slot).is_some()).collect();
        }
        let members = map_order_of(problem).into_iter();
        // What is not kept is no longer held.
        let slots = members.flat_map(|member| self.claims.held(problem, member).into_owned());
        let rank: HashMap<u32, u32> = self.topics.iter().copied().zip(0..).collect();
        let key = |slot: u32| (rank[&self.general.topic_of[slot as usize]], numbers[slot as usize]);
        sort_wrapped(slots.collect(), key)
    }

    /// To the smallest subscriber: first, where racks matter, the smallest that fits.
    fn deal(&mut self, left: impl Iterator<Item = u32>) {
        let Some(racks) = self.racks else {
            left.for_each(|slot| self.deal_to_smallest(slot));
            return;
        };
        let rest: Vec<u32> = left.filter(|&slot| !self.deal_near(slot, &racks)).collect();
        for slot in rest {
            self.deal_to_smallest(slot);
        }
    }

    fn deal_to_smallest(&mut self, slot: u32) {
        let class = self.general.class_of(slot);
        let General { classes, lists, tally, heaps, .. } = &mut self.general;
        if let Some(member) = heaps.smallest(class, &classes.members[class as usize], tally) {
            lists.add(slot, member, tally);
        }
    }

    /// Deals to the smallest that fits, if there is one.
    fn deal_near(&mut self, slot: u32, racks: &Racks<'_>) -> bool {
        let class = self.general.class_of(slot);
        let General { classes, lists, tally, heaps, .. } = &mut self.general;
        let members = &classes.members[class as usize];
        let near = racks.of_slot(slot).iter().map(|&rack| rack as i32);
        let candidates = std::iter::once(-1).chain(near);
        let smallest = candidates
            .filter_map(|rack| heaps.smallest_on((class, rack), members, racks.of_member, tally))
            .collect::<Vec<_>>();
        let key = |&member: &u32| (tally.counts[member as usize], heaps.ranks.rank_of[member as usize]);
        let Some(member) = smallest.into_iter().min_by_key(key) else { return false };
        lists.add(slot, member, tally);
        true
    }

    /// A member is fixed if it has all that it could have, and nothing that another could have.
    fn fix_members(&mut self) {
        let General { problem, classes, lists, tally, most, topic_of, .. } = &mut self.general;
        let shared = |slot: u32| {
            let class = classes.class_of[topic_of[slot as usize] as usize];
            class != NO_CLASS && classes.members[class as usize].len() >= 2
        };
        let mut has_shared = vec![false; tally.counts.len()];
        for slot in (0..problem.slots() as u32).filter(|&slot| shared(slot)) {
            for holder in lists.holders(slot) {
                has_shared[holder as usize] = true;
            }
        }
        for (member, &has_shared) in has_shared.iter().enumerate() {
            tally.fixed[member] = u64::from(tally.counts[member]) >= most[member] && !has_shared;
        }
        let any_fixed = |members: &Vec<u32>| members.iter().any(|&member| tally.fixed[member as usize]);
        self.has_fixed = classes.members.iter().map(any_fixed).collect();
    }

    /// Walks the slots again and again until none moves. Returns whether one did.
    fn reassign<S: Iterator<Item = u32>>(
        &mut self,
        slots: impl Fn() -> S,
        balance: &mut Balance,
    ) -> Result<bool, Failure> {
        let mut performed = false;
        loop {
            let mut modified = false;
            for slot in slots() {
                if balance.is_balanced(&mut self.general, slot)? {
                    break;
                }
                if let Some(target) = self.target_of(slot)? {
                    self.move_towards(slot, target, balance);
                    modified = true;
                    self.general.problem.reach(4)?;
                }
            }
            performed |= modified;
            if !modified {
                return Ok(performed);
            }
        }
    }

    fn move_towards(&mut self, slot: u32, target: u32, balance: &mut Balance) {
        let General { problem, topic_of, lists, .. } = &self.general;
        let topic = topic_of[slot as usize];
        let actual = self.movements.actual(slot, topic, lists.owner(slot), target);
        let number = match problem.numbers {
            None => (actual - problem.starts[topic as usize]) as i32,
            Some(numbers) => numbers[actual as usize],
        };
        let of_number = number.wrapping_add(31).wrapping_mul(31);
        let hash_code = of_number.wrapping_add(problem.topic_hashes[topic as usize]);
        self.movements.moved(Moving { slot: actual, topic, hash_code }, lists.owner(actual), target);
        balance.move_to(&mut self.general, actual, target);
    }

    /// Who the slot should go to: back to an earlier owner, or to the smallest subscriber; `None` to stay.
    fn target_of(&mut self, slot: u32) -> Result<Option<u32>, Failure> {
        let class = self.general.class_of(slot);
        let General { classes, lists, tally, heaps, .. } = &mut self.general;
        let owner = lists.owner(slot);
        if owner == NOBODY || tally.fixed[owner as usize] {
            return Err(Failure::Null);
        }
        let has = tally.counts[owner as usize];
        if let Some(&previous) = self.previous.get(slot as usize)
            && previous != NOBODY
        {
            if tally.fixed[previous as usize] {
                return Err(Failure::Null);
            }
            if has > tally.counts[previous as usize] + 1 {
                return Ok(Some(previous));
            }
        }
        let members = &classes.members[class as usize];
        let smallest = heaps.smallest(class, members, tally);
        let target = smallest.filter(|&member| has > tally.counts[member as usize] + 1);
        if self.has_fixed[class as usize] {
            self.ask_in_order(slot, owner)?;
        }
        Ok(target)
    }

    /// The original asks each subscriber for its partitions, and stops at one that is fixed unless a smaller one comes
    /// first.
    fn ask_in_order(&self, slot: u32, owner: u32) -> Result<(), Failure> {
        let members = self.general.members(self.general.class_of(slot));
        if let Some(racks) = self.racks {
            let mine = racks.of_member[owner as usize];
            if mine >= 0 && racks.holds(slot, mine) {
                let is_near = |&&member: &&u32| {
                    let rack = racks.of_member[member as usize];
                    rack >= 0 && racks.holds(slot, rack)
                };
                if self.any_smaller(members.iter().filter(is_near), owner)? {
                    return Ok(());
                }
            }
        }
        self.any_smaller(members.iter(), owner).map(|_| ())
    }

    fn any_smaller<'m>(&self, mut members: impl Iterator<Item = &'m u32>, owner: u32) -> Result<bool, Failure> {
        let Tally { counts, fixed, .. } = &self.general.tally;
        let stop =
            members.find(|&&member| fixed[member as usize] || counts[owner as usize] > counts[member as usize] + 1);
        match stop {
            Some(&member) if fixed[member as usize] => Err(Failure::Null),
            other => Ok(other.is_some()),
        }
    }
}

fn built(general: General<'_>) -> Built {
    let General { problem, lists, tally, topic_of, .. } = general;
    drop(topic_of);
    let walk = lists.any_doubled().then(|| map_orders_without(problem, &tally.fixed).1);
    let (laid, holders) = lists.result(&tally.counts);
    Built { laid, waits: walk.map_or(Waits::Held(holders), Waits::Walked) }
}

/// Slots of topics with one subscriber stay, those that are counted.
fn is_movable(problem: &Problem<'_>, classes: &SubscriberClasses, topic: u32, slot: u32) -> bool {
    classes.members[classes.class_of[topic as usize] as usize].len() >= 2 || !is_counted(problem, slot)
}

fn movable_slots<'p>(
    problem: &'p Problem<'_>,
    classes: &'p SubscriberClasses,
    topics: &'p [u32],
) -> impl Iterator<Item = u32> + 'p {
    topics.iter().flat_map(move |&topic| {
        existing_slots(problem, topic).filter(move |&slot| is_movable(problem, classes, topic, slot))
    })
}

fn existing_slots<'p>(problem: &'p Problem<'_>, topic: u32) -> impl Iterator<Item = u32> + 'p {
    problem.slots_of(topic).filter(move |&slot| exists(problem, slot))
}

fn sorted_topics(problem: &Problem<'_>, classes: &SubscriberClasses) -> Vec<u32> {
    let order = problem.topic_order.expect("the sticky assignors are asked with the topics in order");
    let class_of = |&topic: &u32| classes.class_of[topic as usize];
    let mut topics: Vec<u32> = order.iter().copied().filter(|topic| class_of(topic) != NO_CLASS).collect();
    topics.sort_by_key(|topic| classes.members[class_of(topic) as usize].len());
    topics
}

fn previous_owners(problem: &Problem<'_>, max_generation: i32) -> Vec<u32> {
    let mut owners = Vec::new();
    for member in 0..problem.members() as u32 {
        let generation = problem.generations[member as usize];
        if generation >= max_generation {
            continue;
        }
        for &slot in problem.claims_of(member) {
            if owners.is_empty() {
                owners = vec![NOBODY; problem.slots()];
            }
            let owner: &mut u32 = &mut owners[slot as usize];
            if *owner == NOBODY || generation > problem.generations[*owner as usize] {
                *owner = member;
            }
        }
    }
    owners
}

/// Partitions of all the topics that each member names; all there are, if it names as many as there are topics.
fn most_of(problem: &Problem<'_>, classes: &SubscriberClasses) -> Vec<u64> {
    let takes_part = |topic: u32| classes.class_of[topic as usize] != NO_CLASS;
    let all = (0..problem.topics() as u32).filter(|&topic| takes_part(topic));
    let topics = all.clone().count();
    let sizes: HashMap<u32, u64> = all.map(|topic| (topic, u64::from(partition_count(problem, topic)))).collect();
    let total: u64 = sizes.values().sum();
    let mut of_list: HashMap<u32, u64> = HashMap::new();
    let members = 0..problem.members() as u32;
    members
        .map(|member| {
            *of_list.entry(problem.list_of[member as usize]).or_insert_with(|| {
                let named = problem.topics_of(member).iter().copied().filter(|&topic| takes_part(topic));
                if named.clone().count() == topics { total } else { named.map(|topic| sizes[&topic]).sum() }
            })
        })
        .collect()
}
