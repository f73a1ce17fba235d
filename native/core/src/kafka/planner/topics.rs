//! Replicas of each topic levelled over the brokers, for nothing: two replicas that move anyway change places.
//!
//! Counts per broker and moves stay. A local search, each replica of a topic that its broker has two more of than another,
//! against a few others: how far from level the topics are afterwards is told beside the plan.

use super::chance::mixed;
use super::problem::NONE;
use super::state::State;

const PASSES: u32 = 4;

/// Tries of a pass, and how many a replica has at least and at most: few where many move, or the search would take longer
/// than the plan.
const TRIES: u32 = 1 << 22;
const PARTNERS: (u32, u32) = (4, 64);

pub(super) fn level_topics(state: &mut State<'_>) {
    let mut exchange = TopicExchange::new(state);
    for pass in 0..PASSES {
        if !exchange.pass(pass) {
            return;
        }
    }
}

struct TopicExchange<'s, 'a> {
    state: &'s mut State<'a>,
    /// Slots on brokers that did not hold their partition, and their topics.
    moved: Vec<(u32, u32)>,
    /// Of those, the ones in each rack: what changes places in a rack breaks no rule of racks.
    by_rack: Vec<Vec<(u32, u32)>>,
    counts: TopicCounts,
}

impl<'s, 'a> TopicExchange<'s, 'a> {
    fn new(state: &'s mut State<'a>) -> TopicExchange<'s, 'a> {
        let mut moved = Vec::new();
        for p in state.problem.partitions_while_wanted().filter(|&p| state.is_touched(p)) {
            let is_moved = |&slot: &usize| state.at(slot) != NONE && !state.held(p, state.at(slot));
            moved.extend(state.slots(p).filter(is_moved).map(|slot| (slot as u32, state.problem.topic_of[p])));
        }
        let counts = TopicCounts::of(state);
        TopicExchange { state, moved, by_rack: Vec::new(), counts }
    }

    fn pass(&mut self, pass: u32) -> bool {
        self.by_rack = vec![Vec::new(); self.state.problem.racks];
        for &(slot, topic) in &self.moved {
            self.by_rack[self.state.rack(self.state.at(slot as usize))].push((slot, topic));
        }
        let mut any = false;
        let mut least = (NONE, 0);
        let moved = self.moved.len() as u32;
        let partners = TRIES.checked_div(moved).unwrap_or(0).clamp(PARTNERS.0, PARTNERS.1).min(moved.saturating_sub(1));
        for i in 0..moved {
            if self.state.problem.pulse.ask() {
                return false;
            }
            let (slot, topic) = self.moved[i as usize];
            if topic != least.0 {
                least = (topic, self.counts.least(self.state, topic));
            }
            for k in 1..=partners {
                let at = self.state.at(slot as usize);
                let here = self.counts.of_broker(self.state, topic, at);
                if here < least.1 + 2 {
                    break;
                }
                let among = if k % 2 == 1 { &self.by_rack[self.state.rack(at)] } else { &self.moved };
                let other = among.get(mixed(i, k + pass * partners) as usize % among.len().max(1)).copied();
                any |= other.is_some_and(|other| self.try_swap((slot, topic, here), other));
            }
        }
        any
    }

    /// Two replicas change places where the squares become fewer by it; the first topic gains two or more.
    fn try_swap(&mut self, (one, t, here): (u32, u32, i64), (other, u): (u32, u32)) -> bool {
        let (a, b) = (self.state.at(one as usize), self.state.at(other as usize));
        if a == b || t == u {
            return false;
        }
        let gain = here - self.counts.of_broker(self.state, t, b);
        if gain < 2 {
            return false;
        }
        let gain = gain + self.counts.of_broker(self.state, u, b) - self.counts.of_broker(self.state, u, a);
        if gain <= 2 || !self.may_go(one, b) || !self.may_go(other, a) {
            return false;
        }
        for (topic, broker, change) in [(t, a, -1), (t, b, 1), (u, b, -1), (u, a, 1)] {
            self.counts.add(topic, broker, change);
        }
        self.state.put(one as usize, b);
        self.state.put(other as usize, a);
        true
    }

    fn may_go(&self, slot: u32, to: u32) -> bool {
        let state = &*self.state;
        let (p, from) = (state.partition_of(slot as usize), state.at(slot as usize));
        !state.holds(p, to) && !state.held(p, to) && state.may_cross(p, state.rack(from), state.rack(to))
    }
}

/// Replicas by topic and broker: kept for topics that are large beside the brokers, counted when asked for the others.
struct TopicCounts {
    brokers: usize,
    /// Slots of each topic.
    slots: Vec<std::ops::Range<usize>>,
    /// Where each topic's row begins; `NONE` where there is none.
    starts: Vec<u32>,
    rows: Vec<i32>,
}

/// A topic with fewer replicas than one a so many brokers is counted when asked.
const BROKERS_A_REPLICA: usize = 4;

impl TopicCounts {
    fn of(state: &State<'_>) -> TopicCounts {
        let brokers = state.load.len();
        let topics = state.problem.topic_of.last().map_or(0, |&topic| topic as usize + 1);
        let mut counts =
            TopicCounts { brokers, slots: vec![0..0; topics], starts: vec![NONE; topics], rows: Vec::new() };
        for p in state.problem.partitions_while_wanted() {
            let topic = state.problem.topic_of[p];
            let known = &mut counts.slots[topic as usize];
            let slots = state.slots(p);
            *known = if known.end == 0 { slots } else { known.start..slots.end };
        }
        for topic in (0..topics).take_while(|_| !state.problem.pulse.ask()) {
            if counts.slots[topic].len() * BROKERS_A_REPLICA >= brokers {
                counts.starts[topic] = counts.rows.len() as u32;
                counts.rows.resize(counts.rows.len() + brokers, 0);
                for slot in counts.slots[topic].clone().filter(|&slot| state.at(slot) != NONE) {
                    counts.add(topic as u32, state.at(slot), 1);
                }
            }
        }
        counts
    }

    fn row(&self, topic: u32) -> Option<&[i32]> {
        let start = self.starts[topic as usize];
        (start != NONE).then(|| &self.rows[start as usize..][..self.brokers])
    }

    fn of_broker(&self, state: &State<'_>, topic: u32, broker: u32) -> i64 {
        match self.row(topic) {
            Some(row) => i64::from(row[broker as usize]),
            None => state.count_among(self.slots[topic as usize].clone(), broker),
        }
    }

    /// The least that a broker has which is in; 0 where that is not kept.
    fn least(&self, state: &State<'_>, topic: u32) -> i64 {
        let ins = |row: &[i32]| {
            (0..self.brokers).filter(|&b| state.is_in(b as u32)).map(|b| i64::from(row[b])).min().unwrap_or(0)
        };
        self.row(topic).map_or(0, ins)
    }

    fn add(&mut self, topic: u32, broker: u32, change: i32) {
        let start = self.starts[topic as usize];
        if start != NONE {
            self.rows[start as usize + broker as usize] += change;
        }
    }
}
