//! RoundRobinAssignor: partitions in a row, members in a ring.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RoundRobinAssignor. What differs from the obvious: the
//! ring is not set back at a new topic, members that do not subscribe are passed over, static members come before dynamic
//! ones, and partitions are counted from 0, whatever numbers the metadata has.

use super::list_builder::offsets_of;
use super::problem::{Answer, Assigned, Failure, Problem, ranks_of};
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
    let mut counts = vec![0; problem.members()];
    let mut ring = Ring::new(problem);
    let topics = problem.topic_order.expect("round robin is asked with the topics in order");
    for &topic in topics {
        problem.reach(2)?;
        ring.deal(problem, topic, |member, _| counts[member as usize] += 1);
    }
    let offsets = offsets_of(&counts);
    let mut ends = offsets.clone();
    let mut values = vec![0; offsets[counts.len()] as usize];
    ring.pointer = 0;
    for &topic in topics {
        problem.reach(4)?;
        ring.deal(problem, topic, |member, slot| {
            let end = &mut ends[member as usize];
            values[*end as usize] = slot;
            *end += 1;
        });
    }
    Ok(Assigned::plain(offsets, values))
}

/// Members in a ring; of each class of subscribers, their places in it.
struct Ring<'a> {
    members: &'a [u32],
    class_of: Vec<u32>,
    places: Vec<Vec<u32>>,
    /// The place that is next.
    pointer: u32,
}

impl<'a> Ring<'a> {
    fn new(problem: &Problem<'a>) -> Ring<'a> {
        let members = problem.member_info_order;
        let classes = subscriber_classes(problem, members);
        let place = ranks_of(members);
        let places_in = |members: &Vec<u32>| distinct(members).iter().map(|&member| place[member as usize]).collect();
        let places = classes.members.iter().map(places_in).collect();
        Ring { members, class_of: classes.class_of, places, pointer: 0 }
    }

    /// Calls for each partition of the topic with the member whose turn it is.
    fn deal(&mut self, problem: &Problem<'_>, topic: u32, mut give: impl FnMut(u32, u32)) {
        let class = self.class_of[topic as usize];
        if class == NO_CLASS {
            return;
        }
        let places = &self.places[class as usize];
        let mut at = places.partition_point(|&place| place < self.pointer) % places.len();
        for slot in problem.slots_of(topic).filter(|&slot| is_counted(problem, slot)) {
            give(self.members[places[at] as usize], slot);
            self.pointer = places[at] + 1;
            at = if at + 1 == places.len() { 0 } else { at + 1 };
        }
    }
}
