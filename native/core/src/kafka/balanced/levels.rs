//! How many extras each member carries when loads are as level as can be: at least so many, and whether one more.
//!
//! Loads are level when the sum of load * load / weight is least. All level ways to deal agree but for members of one
//! _level_, to whom one extra more or less is worth the same: how many of them carry one more is fixed, who is free.
//! The extras are dealt to the least loaded, then passed on along chains of topics from where they weigh most to where they
//! weigh less, until no chain is left: then what an extra is worth to whoever sends it down a chain is the price of all
//! that it reaches, and members whose next or last extra costs that price are of one level.

use super::held::Held;
use super::shares::Shares;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// No level.
pub(super) const NO_LEVEL: u32 = u32::MAX;

pub(super) struct Levels {
    /// The least that each member carries, by rank.
    pub(super) least: Vec<u32>,
    /// The level of a member that may carry one more; [`NO_LEVEL`] for one that may not.
    pub(super) level_of: Vec<u32>,
    /// How many members of each level carry one more.
    pub(super) more: Vec<u32>,
}

/// Topics of one weight, all with extras, and the loads of the members without them.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) shares: &'a Shares,
    pub(super) topics: &'a [u32],
    pub(super) loads: &'a [u64],
}

/// `holders` is written over.
pub(super) fn levels_of(round: Round<'_>, holders: &mut [u32]) -> Levels {
    same_for_all(round).unwrap_or_else(|| Leveller::new(round, holders).levels())
}

/// Where all carriers of all topics are the same, load and weight alike, everybody gets as many, and some one more.
fn same_for_all(Round { shares, topics, loads }: Round<'_>) -> Option<Levels> {
    let field = shares.field_of[topics[0] as usize];
    let carriers = &shares.fields[field as usize].carriers;
    let facts = |member: u32| (loads[member as usize], shares.weights[member as usize]);
    let is_same = topics.iter().all(|&topic| shares.field_of[topic as usize] == field)
        && carriers.iter().all(|&member| facts(member) == facts(carriers[0]));
    if !is_same {
        return None;
    }
    let extras: usize = topics.iter().map(|&topic| shares.extras_of(topic).len()).sum();
    let mut levels = Levels {
        least: vec![0; loads.len()],
        level_of: vec![NO_LEVEL; loads.len()],
        more: vec![(extras % carriers.len()) as u32],
    };
    for &member in carriers {
        levels.least[member as usize] = (extras / carriers.len()) as u32;
        levels.level_of[member as usize] = 0;
    }
    Some(levels)
}

/// What an extra costs a member: `cost / weight`.
#[derive(Clone, Copy)]
struct Price {
    cost: i64,
    weight: u32,
}

impl Price {
    fn compare(self, other: Price) -> Ordering {
        (self.cost * i64::from(other.weight)).cmp(&(other.cost * i64::from(self.weight)))
    }
}

/// A member by the price of its next extra.
struct Taker {
    price: Price,
    member: u32,
}

impl Ord for Taker {
    fn cmp(&self, other: &Taker) -> Ordering {
        self.price.compare(other.price).then(self.member.cmp(&other.member))
    }
}

impl PartialOrd for Taker {
    fn partial_cmp(&self, other: &Taker) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Taker {
    fn eq(&self, other: &Taker) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Taker {}

struct Leveller<'a> {
    round: Round<'a>,
    holders: &'a mut [u32],
    weight: i64,
    /// How many extras each member carries.
    carried: Vec<u32>,
    /// The level that each member is of, [`NO_LEVEL`] while it is not known.
    closed: Vec<u32>,
    /// A member of each level whose last extra costs its price.
    payers: Vec<u32>,
    /// Whom the search came from, and with an extra of which topic.
    from: Vec<u32>,
    through: Vec<u32>,
    /// Searches between two changes are one _epoch_: what one of them reached, the others leave alone.
    epoch: u32,
    seen: Vec<u32>,
    topic_seen: Vec<u32>,
    /// Carriers of each field that no search of the epoch reached.
    unreached: Vec<(u32, Vec<u32>)>,
    queue: Vec<u32>,
    marks: Vec<u32>,
    mark: u32,
}

impl<'a> Leveller<'a> {
    fn new(round: Round<'a>, holders: &'a mut [u32]) -> Leveller<'a> {
        let members = round.loads.len();
        Leveller {
            round,
            holders,
            weight: i64::from(round.shares.topic_weights[round.topics[0] as usize]),
            carried: vec![0; members],
            closed: vec![NO_LEVEL; members],
            payers: Vec::new(),
            from: vec![0; members],
            through: vec![0; members],
            epoch: 0,
            seen: vec![0; members],
            topic_seen: vec![0; round.shares.topics.len()],
            unreached: vec![(0, Vec::new()); round.shares.fields.len()],
            queue: Vec::new(),
            marks: vec![0; members],
            mark: 0,
        }
    }

    fn levels(mut self) -> Levels {
        self.deal();
        while self.pass_on_all() {}
        self.boxes()
    }

    /// What the next extra costs a member.
    fn next(&self, member: u32) -> Price {
        let load = self.round.loads[member as usize] as i64 + self.weight * i64::from(self.carried[member as usize]);
        Price { cost: 2 * load + self.weight, weight: self.round.shares.weights[member as usize] }
    }

    /// What the last one cost a member that carries some.
    fn last(&self, member: u32) -> Price {
        let Price { cost, weight } = self.next(member);
        Price { cost: cost - 2 * self.weight, weight }
    }

    /// Fields of few carriers first: those of many level out what they leave.
    fn deal(&mut self) {
        let shares = self.round.shares;
        let mut order = self.round.topics.to_vec();
        order.sort_by_key(|&topic| (shares.field(topic).carriers.len(), shares.field_of[topic as usize], topic));
        for topics in order.chunk_by(|&a, &b| shares.field_of[a as usize] == shares.field_of[b as usize]) {
            let carriers = &shares.field(topics[0]).carriers;
            let taker = |leveller: &Self, member: u32| Reverse(Taker { price: leveller.next(member), member });
            let mut heap: BinaryHeap<_> = carriers.iter().map(|&member| taker(self, member)).collect();
            for &topic in topics {
                for i in shares.extras_of(topic) {
                    let Reverse(Taker { member, .. }) = heap.pop().expect("a topic has fewer extras than carriers");
                    self.holders[i] = member;
                }
                for i in shares.extras_of(topic) {
                    let member = self.holders[i];
                    self.carried[member as usize] += 1;
                    heap.push(taker(self, member));
                }
            }
        }
    }

    /// Passes on what is worth it, from the dearest downwards; false if nothing was, and then all levels are known.
    fn pass_on_all(&mut self) -> bool {
        let Round { shares, topics, .. } = self.round;
        let held = Held::new(shares, topics, (&shares.extras[1..], self.holders), None);
        let mut order: Vec<u32> =
            (0..self.carried.len() as u32).filter(|&member| self.carried[member as usize] > 0).collect();
        order.sort_by(|&a, &b| self.last(b).compare(self.last(a)).then(a.cmp(&b)));
        self.closed.fill(NO_LEVEL);
        self.payers.clear();
        self.epoch += 1;
        let mut any = false;
        for start in order {
            if self.closed[start as usize] != NO_LEVEL {
                continue;
            }
            while let Some(end) = self.search(start, &held) {
                self.pass_on(start, end);
                any = true;
            }
            self.close(start);
        }
        any
    }

    /// Somebody further down a chain whose next extra costs less than the last one of `start`.
    fn search(&mut self, start: u32, held: &Held) -> Option<u32> {
        self.queue.clear();
        self.queue.push(start);
        self.seen[start as usize] = self.epoch;
        let mut at = 0;
        while at < self.queue.len() {
            let member = self.queue[at];
            at += 1;
            for &entry in held.of(member) {
                if let Some(found) = self.reach(start, member, entry >> 1) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Reaches all who could take an extra of the topic from the member, if it still has one.
    fn reach(&mut self, start: u32, member: u32, topic: u32) -> Option<u32> {
        let shares = self.round.shares;
        if self.topic_seen[topic as usize] == self.epoch {
            return None;
        }
        self.mark += 1;
        for &holder in &self.holders[shares.extras_of(topic)] {
            self.marks[holder as usize] = self.mark;
        }
        if self.marks[member as usize] != self.mark {
            return None;
        }
        self.topic_seen[topic as usize] = self.epoch;
        let mut rest = self.take_rest(shares.field_of[topic as usize]);
        let limit = self.last(start);
        let mut left = 0;
        for i in 0..rest.len() {
            let other = rest[i];
            if self.marks[other as usize] == self.mark {
                rest[left] = other;
                left += 1;
            } else if self.seen[other as usize] != self.epoch {
                self.seen[other as usize] = self.epoch;
                (self.from[other as usize], self.through[other as usize]) = (member, topic);
                if self.next(other).compare(limit) == Ordering::Less {
                    return Some(other);
                }
                self.queue.push(other);
            }
        }
        rest.truncate(left);
        self.unreached[shares.field_of[topic as usize] as usize].1 = rest;
        None
    }

    /// Carriers of a field whom no search of this epoch reached. To be put back, unless the epoch ends.
    fn take_rest(&mut self, field: u32) -> Vec<u32> {
        let (epoch, rest) = &mut self.unreached[field as usize];
        if *epoch == self.epoch {
            return std::mem::take(rest);
        }
        *epoch = self.epoch;
        let carriers = self.round.shares.fields[field as usize].carriers.iter().copied();
        carriers.filter(|&member| self.closed[member as usize] == NO_LEVEL).collect()
    }

    /// Passes one extra down the chain.
    fn pass_on(&mut self, start: u32, end: u32) {
        let mut to = end;
        while to != start {
            let from = self.from[to as usize];
            let extras = self.round.shares.extras_of(self.through[to as usize]);
            let holder = self.holders[extras].iter_mut().find(|holder| **holder == from);
            *holder.expect("whoever passes an extra on holds it") = to;
            to = from;
        }
        self.carried[start as usize] -= 1;
        self.carried[end as usize] += 1;
        self.epoch += 1;
    }

    /// Nothing leads out of what the last search reached: it is of the level of `start`, for good.
    fn close(&mut self, start: u32) {
        let is_same = |&before: &u32| self.last(before).compare(self.last(start)) == Ordering::Equal;
        if !self.payers.last().is_some_and(is_same) {
            self.payers.push(start);
        }
        for &member in &self.queue {
            self.closed[member as usize] = self.payers.len() as u32 - 1;
        }
    }

    fn boxes(self) -> Levels {
        let members = self.carried.len();
        let mut levels =
            Levels { least: self.carried.clone(), level_of: vec![NO_LEVEL; members], more: vec![0; self.payers.len()] };
        for member in 0..members {
            let level = self.closed[member];
            if level == NO_LEVEL {
                continue;
            }
            let price = self.last(self.payers[level as usize]);
            let costs = |other: Price| other.compare(price) == Ordering::Equal;
            let carries_more = self.carried[member] > 0 && costs(self.last(member as u32));
            if carries_more || costs(self.next(member as u32)) {
                levels.level_of[member] = level;
            }
            if carries_more {
                levels.least[member] -= 1;
                levels.more[level as usize] += 1;
            }
        }
        levels
    }
}
