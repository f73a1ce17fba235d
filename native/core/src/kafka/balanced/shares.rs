//! How many partitions of each topic a subscriber gets at least, how many subscribers get one more, and who may be one.
//!
//! A member of weight w among subscribers of total weight W has the share n * w / W of a topic's n partitions, and gets it
//! rounded down or up. What is left after rounding down are the topic's _extras_; members whose share is no whole number
//! are its _carriers_, who get one at most. Topics stand in the order of their names, members have ranks in the order of
//! their ids, so that nothing below depends on the order of the input.

use crate::kafka::problem::{Problem, ranks_of};
use crate::kafka::slots::partition_count;
use crate::kafka::subscriptions::{NO_CLASS, distinct, subscriber_classes};
use std::collections::HashMap;
use std::ops::Range;

/// Topics of the same subscribers; where these have different weights, of the same count too.
pub(super) struct Field {
    /// Ranks, ascending.
    pub(super) subscribers: Vec<u32>,
    /// Those who may get an extra.
    pub(super) carriers: Vec<u32>,
    /// Weight of all subscribers.
    weight: u64,
    /// How many extras each of its topics has; `None` where all weigh alike, and the count of the topic tells.
    extras: Option<u32>,
}

pub(super) struct Shares {
    /// Topics that take part, by name, as numbers of the problem.
    pub(super) topics: Vec<u32>,
    /// How many partitions each has.
    pub(super) partitions: Vec<u32>,
    /// Load of one partition of each.
    pub(super) topic_weights: Vec<u32>,
    pub(super) field_of: Vec<u32>,
    pub(super) fields: Vec<Field>,
    /// Extras of topic `t` are `[extras[t], extras[t + 1])`.
    pub(super) extras: Vec<u32>,
    /// Weight of each member, by rank.
    pub(super) weights: Vec<u32>,
}

impl Shares {
    pub(super) fn new(problem: &Problem<'_>) -> Shares {
        let mut maker = FieldMaker::new(problem);
        let by_name = problem.topic_order.expect("balanced is asked with the topics in order");
        let takes_part = |topic: &u32| maker.class_of[*topic as usize] != NO_CLASS;
        let topics: Vec<u32> = by_name.iter().copied().filter(takes_part).collect();
        let partitions: Vec<u32> = topics.iter().map(|&topic| partition_count(problem, topic)).collect();
        let field_of: Vec<u32> =
            topics.iter().zip(&partitions).map(|(&topic, &count)| maker.field_of(topic, count)).collect();
        let mut extras = vec![0];
        for (topic, &field) in field_of.iter().enumerate() {
            let field = &maker.fields[field as usize];
            let some = field.extras.unwrap_or_else(|| partitions[topic] % field.subscribers.len() as u32);
            extras.push(extras[topic] + some);
        }
        let weight_of = |&topic: &u32| problem.topic_weights.map_or(1, |weights| weights[topic as usize]);
        let topic_weights = topics.iter().map(weight_of).collect();
        Shares { topics, partitions, topic_weights, field_of, fields: maker.fields, extras, weights: maker.weights }
    }

    pub(super) fn members(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn field(&self, topic: u32) -> &Field {
        &self.fields[self.field_of[topic as usize] as usize]
    }

    /// Positions of a topic's extras.
    pub(super) fn extras_of(&self, topic: u32) -> Range<usize> {
        self.extras[topic as usize] as usize..self.extras[topic as usize + 1] as usize
    }

    /// The share of a member in a topic, rounded down, and whether something is left.
    pub(super) fn share(&self, topic: u32, member: u32) -> (u32, bool) {
        let all = u64::from(self.partitions[topic as usize]) * u64::from(self.weights[member as usize]);
        let weight = self.field(topic).weight;
        ((all / weight) as u32, all % weight != 0)
    }

    /// The load that every member has in any case: its shares, rounded down.
    pub(super) fn floor_loads(&self) -> Vec<u64> {
        let mut loads = vec![0; self.members()];
        // Of an even field every subscriber has the same; of another one the count is the same for all topics.
        let mut once = vec![(0, 0); self.fields.len()];
        for topic in 0..self.topics.len() {
            let field = self.field(topic as u32);
            let each = match field.extras {
                None => self.partitions[topic] / field.subscribers.len() as u32,
                Some(_) => 1,
            };
            let (sum, last) = &mut once[self.field_of[topic] as usize];
            *sum += u64::from(each) * u64::from(self.topic_weights[topic]);
            *last = topic as u32;
        }
        for (field, (sum, topic)) in self.fields.iter().zip(once) {
            for &rank in &field.subscribers {
                let times = if field.extras.is_none() { 1 } else { self.share(topic, rank).0 };
                loads[rank as usize] += sum * u64::from(times);
            }
        }
        loads
    }
}

struct FieldMaker {
    weights: Vec<u32>,
    fields: Vec<Field>,
    class_of: Vec<u32>,
    /// Subscribers of each class; the number of the first class of the same ones; and whether all weigh alike.
    classes: Vec<(Vec<u32>, u32, bool)>,
    known: HashMap<(u32, u32), u32>,
}

impl FieldMaker {
    fn new(problem: &Problem<'_>) -> FieldMaker {
        let weight_of = |&member: &u32| problem.member_weights.map_or(1, |weights| weights[member as usize]);
        let weights: Vec<u32> = problem.member_order.iter().map(weight_of).collect();
        let ranks = ranks_of(problem.member_order);
        let found = subscriber_classes(problem, problem.member_order);
        // Classes differ where a member names a topic twice: by their subscribers they may be the same.
        let mut same: HashMap<Vec<u32>, u32> = HashMap::new();
        let classes = found.members.iter().map(|members| {
            let subscribers: Vec<u32> = distinct(members).iter().map(|&member| ranks[member as usize]).collect();
            let next = same.len() as u32;
            let number = *same.entry(subscribers.clone()).or_insert(next);
            let even = subscribers.iter().all(|&rank| weights[rank as usize] == weights[subscribers[0] as usize]);
            (subscribers, number, even)
        });
        let classes = classes.collect();
        FieldMaker { weights, fields: Vec::new(), class_of: found.class_of, classes, known: HashMap::new() }
    }

    fn field_of(&mut self, topic: u32, partitions: u32) -> u32 {
        let (subscribers, number, even) = &self.classes[self.class_of[topic as usize] as usize];
        let count = (!even).then_some(partitions);
        *self.known.entry((*number, count.unwrap_or(0))).or_insert_with(|| {
            self.fields.push(field(subscribers, &self.weights, count));
            self.fields.len() as u32 - 1
        })
    }
}

fn field(subscribers: &[u32], weights: &[u32], count: Option<u32>) -> Field {
    let weight_of = |rank: u32| u64::from(weights[rank as usize]);
    let weight = subscribers.iter().map(|&rank| weight_of(rank)).sum();
    let subscribers = subscribers.to_vec();
    let Some(count) = count else {
        return Field { carriers: subscribers.clone(), subscribers, weight, extras: None };
    };
    let all = |rank: u32| u64::from(count) * weight_of(rank);
    let carriers = subscribers.iter().copied().filter(|&rank| all(rank) % weight != 0).collect();
    let floors: u64 = subscribers.iter().map(|&rank| all(rank) / weight).sum();
    Field { subscribers, carriers, weight, extras: Some(count - floors as u32) }
}
