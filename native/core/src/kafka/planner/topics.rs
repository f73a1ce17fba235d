//! Replicas of each topic levelled over the brokers, for nothing: two replicas that move anyway change places.
//!
//! Counts per broker and moves stay. A local search, each replica against a few others: how far from level the topics are
//! afterwards is told beside the plan.

use super::chance::mixed;
use super::problem::NONE;
use super::state::State;
use std::collections::HashMap;

const PARTNERS: u32 = 32;
const PASSES: usize = 4;

pub(super) fn level_topics(state: &mut State<'_>) {
    let mut exchange = TopicExchange::new(state);
    for _ in 0..PASSES {
        if !exchange.pass() {
            return;
        }
    }
}

struct TopicExchange<'s, 'a> {
    state: &'s mut State<'a>,
    /// Slots on brokers that did not hold their partition.
    moved: Vec<u32>,
    /// Replicas by topic and broker, of the topics that have a moved one.
    counts: HashMap<(u32, u32), i64>,
}

impl<'s, 'a> TopicExchange<'s, 'a> {
    fn new(state: &'s mut State<'a>) -> TopicExchange<'s, 'a> {
        let is_moved = |&slot: &usize| {
            let broker = state.at(slot);
            broker != NONE && !state.held(state.partition_of(slot), broker)
        };
        let touched = (0..state.problem.partitions()).filter(|&p| state.is_touched(p));
        let slots = touched.flat_map(|p| state.slots(p));
        let moved: Vec<u32> = slots.filter(is_moved).map(|slot| slot as u32).collect();
        let mut counts = HashMap::new();
        let mut topics: Vec<u32> = moved.iter().map(|&slot| topic(state, slot)).collect();
        topics.dedup();
        for &topic in &topics {
            for p in partitions_of(state.problem.topic_of, topic) {
                for &broker in state.holders(p).iter().filter(|&&broker| broker != NONE) {
                    *counts.entry((topic, broker)).or_insert(0) += 1;
                }
            }
        }
        TopicExchange { state, moved, counts }
    }

    fn pass(&mut self) -> bool {
        let mut any = false;
        let moved = self.moved.len() as u32;
        for i in 0..moved {
            for k in 1..=PARTNERS.min(moved - 1) {
                let j = mixed(i, k) % moved;
                any |= self.try_swap(self.moved[i as usize], self.moved[j as usize]);
            }
        }
        any
    }

    fn count(&self, topic: u32, broker: u32) -> i64 {
        self.counts.get(&(topic, broker)).copied().unwrap_or(0)
    }

    fn try_swap(&mut self, one: u32, other: u32) -> bool {
        let (a, b) = (self.state.at(one as usize), self.state.at(other as usize));
        let (t, u) = (topic(self.state, one), topic(self.state, other));
        if a == b || t == u {
            return false;
        }
        let gain = self.count(t, a) - self.count(t, b) + self.count(u, b) - self.count(u, a);
        if gain <= 2 || !self.may_go(one, b) || !self.may_go(other, a) {
            return false;
        }
        for (topic, broker, change) in [(t, a, -1), (t, b, 1), (u, b, -1), (u, a, 1)] {
            *self.counts.entry((topic, broker)).or_insert(0) += change;
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

fn topic(state: &State<'_>, slot: u32) -> u32 {
    state.problem.topic_of[state.partition_of(slot as usize)]
}

fn partitions_of(topic_of: &[u32], topic: u32) -> std::ops::Range<usize> {
    topic_of.partition_point(|&other| other < topic)..topic_of.partition_point(|&other| other <= topic)
}
