//! RoundRobinAssignor: partitions in a row, members in a ring.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RoundRobinAssignor. What differs from the obvious: the
//! ring is not set back at a new topic, members that do not subscribe are passed over, static members come before dynamic
//! ones, and partitions are counted from 0, whatever numbers the metadata has.

use super::list_builder::ListBuilder;
use super::problem::{Answer, Failure, Problem, ranks_of};
use super::slots::is_counted;
use super::subscriptions::{NO_CLASS, distinct, subscriber_classes};

/// Who gets what.
///
/// # Errors
/// [`Failure::EmptyIterator`] where there are no members.
///
/// # Panics
/// If the problem's columns do not fit together, or topics are not ordered.
pub fn assign(problem: &Problem<'_>) -> Answer {
    if problem.members() == 0 {
        return Err(Failure::EmptyIterator);
    }
    let order = problem.member_info_order;
    let classes = subscriber_classes(problem, order);
    let place = ranks_of(order);
    let places_in = |members: &Vec<u32>| distinct(members).iter().map(|&member| place[member as usize]).collect();
    let rings: Vec<Vec<u32>> = classes.members.iter().map(places_in).collect();
    let mut lists = ListBuilder::new(problem.members());
    let mut pointer = 0;
    for &topic in problem.topic_order.expect("round robin is asked with the topics in order") {
        let class = classes.class_of[topic as usize];
        if class == NO_CLASS {
            continue;
        }
        let ring = &rings[class as usize];
        let mut at = ring.partition_point(|&place| place < pointer) % ring.len();
        for slot in problem.slots_of(topic).filter(|&slot| is_counted(problem, slot)) {
            lists.add(order[ring[at] as usize], slot);
            pointer = ring[at] + 1;
            at = if at + 1 == ring.len() { 0 } else { at + 1 };
        }
    }
    Ok(lists.result())
}
