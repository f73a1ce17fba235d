//! RangeAssignor of the broker: of each topic, a run of partitions for each member.
//!
//! Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.RangeAssignor; 4.0 to 4.4 give equal answers.
//! What differs from the obvious: in a group said to subscribe alike, the subscription of the first member in order, static
//! ones before dynamic ones, stands for all; what members hold is not looked at.

use super::list_builder::offsets_of;
use super::problem::{Answer, Failure, Problem};
use super::server::runs::{nothing_for, run_of, server_result};
use super::subscriptions::{SubscriberClasses, named_topics, subscriber_classes};

/// Who gets what.
///
/// # Errors
/// [`Failure::UnknownTopicRange`] where a member subscribes to a topic that is not there.
///
/// # Panics
/// If the problem's columns do not fit together.
pub fn assign(problem: &Problem<'_>) -> Answer {
    let Some(&first) = problem.member_info_order.first() else { return Ok(nothing_for(problem)) };
    let group = problem.group();
    let mut topics = if group.homogeneous { problem.topics_of(first).to_vec() } else { named_topics(problem) };
    if topics.iter().any(|&topic| topic >= group.known) {
        return Err(Failure::UnknownTopicRange);
    }
    topics.sort_unstable();
    let classes = (!group.homogeneous).then(|| subscriber_classes(problem, problem.member_info_order));
    let runs = Runs { problem, topics, classes };
    let mut counts = vec![0; problem.members()];
    runs.each(|member, _, length| counts[member as usize] += length);
    problem.reach(4)?;
    let offsets = offsets_of(&counts);
    let mut values = vec![0; offsets[counts.len()] as usize];
    let mut ends = offsets.clone();
    runs.each(|member, from, length| {
        let end = &mut ends[member as usize];
        let at = *end as usize;
        values[at..at + length as usize].iter_mut().zip(from..).for_each(|(value, slot)| *value = slot);
        *end += length;
    });
    Ok(server_result(problem, offsets, values))
}

struct Runs<'a> {
    problem: &'a Problem<'a>,
    topics: Vec<u32>,
    /// `None` where every topic has all members.
    classes: Option<SubscriberClasses>,
}

impl Runs<'_> {
    /// Calls for each member's run of each topic: the member, the first slot, and how many.
    fn each(&self, mut give: impl FnMut(u32, u32, u32)) {
        for &topic in &self.topics {
            let run = run_of(self.problem, topic);
            if run.is_empty() {
                continue;
            }
            let members = self.members_of(topic);
            let (each, extra) = (run.len() / members.len(), run.len() % members.len());
            let mut from = run.start;
            for (i, &member) in members.iter().take(run.len()).enumerate() {
                let length = each as u32 + u32::from(i < extra);
                give(member, from, length);
                from += length;
            }
        }
    }

    fn members_of(&self, topic: u32) -> &[u32] {
        match &self.classes {
            None => self.problem.member_info_order,
            Some(classes) => &classes.members[classes.class_of[topic as usize] as usize],
        }
    }
}
