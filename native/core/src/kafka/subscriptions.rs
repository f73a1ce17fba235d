//! Who subscribes to what, turned around: the members of each topic, and the topics that take part.
//!
//! For the client-side assignors. A topic takes part if it has partitions and a subscriber; a member that names a topic
//! twice counts twice.

use super::problem::{Problem, ranks_of};
use std::collections::HashMap;

/// No class.
pub(super) const NO_CLASS: u32 = u32::MAX;

/// Which lists some member has.
fn lists_in_use(problem: &Problem<'_>) -> Vec<u32> {
    let mut seen = vec![false; problem.list_offsets.len() - 1];
    problem.list_of.iter().copied().filter(|&list| !std::mem::replace(&mut seen[list as usize], true)).collect()
}

/// Which topics have partitions and a subscriber.
pub(super) fn active_topics(problem: &Problem<'_>) -> Vec<bool> {
    let mut active = vec![false; problem.topics()];
    for list in lists_in_use(problem) {
        for &topic in problem.list(list) {
            active[topic as usize] = !problem.slots_of(topic).is_empty();
        }
    }
    active
}

/// Topics in the order in which the members' lists name them first.
pub(super) fn named_topics(problem: &Problem<'_>) -> Vec<u32> {
    let mut named = vec![false; problem.topics()];
    let lists = lists_in_use(problem).into_iter();
    lists
        .flat_map(|list| problem.list(list).iter().copied())
        .filter(|&topic| !std::mem::replace(&mut named[topic as usize], true))
        .collect()
}

/// Topics sorted into classes of equal subscribers.
pub(super) struct SubscriberClasses {
    /// The class of each topic; those that do not take part are in none.
    pub(super) class_of: Vec<u32>,
    /// Members of each class, in the order asked for, repeats kept.
    pub(super) members: Vec<Vec<u32>>,
}

/// Subscribers of each topic; topics named by the same lists, equally often, share one class.
///
/// Cost: the lists, each once, and the classes' members.
pub(super) fn subscriber_classes(problem: &Problem<'_>, order: &[u32]) -> SubscriberClasses {
    let mut tree = ClassTree::new(problem);
    for list in lists_in_use(problem) {
        tree.refine(list);
    }
    let mut by_list = vec![Vec::new(); problem.list_offsets.len() - 1];
    for &member in order {
        by_list[problem.list_of[member as usize] as usize].push(member);
    }
    let place = ranks_of(order);
    let (class_of, lists) = tree.classes();
    let members = lists.iter().map(|some| {
        let mut of: Vec<u32> = some.iter().flat_map(|&list| by_list[list as usize].iter().copied()).collect();
        if some.len() > 1 {
            of.sort_by_key(|&member| place[member as usize]);
        }
        of
    });
    SubscriberClasses { class_of, members: members.collect() }
}

/// Members of a class, each once; repeats stand side by side.
pub(super) fn distinct(members: &[u32]) -> Vec<u32> {
    let mut some = members.to_vec();
    some.dedup();
    some
}

/// Classes of topics, refined list by list: a list splits each class into what it names, and how often, and the rest.
struct ClassTree<'a> {
    problem: &'a Problem<'a>,
    class_of: Vec<u32>,
    active: Vec<bool>,
    /// How often the list in hand names each topic; all 0 between lists.
    times: Vec<u32>,
    classes: Vec<Split>,
}

/// The class that another came from, the list that split it off, and how often that names its topics.
struct Split {
    parent: u32,
    list: u32,
    count: u32,
}

impl<'a> ClassTree<'a> {
    fn new(problem: &'a Problem<'a>) -> ClassTree<'a> {
        let topics = problem.topics();
        ClassTree {
            problem,
            class_of: vec![NO_CLASS; topics],
            active: active_topics(problem),
            times: vec![0; topics],
            classes: Vec::new(),
        }
    }

    fn refine(&mut self, list: u32) {
        let named = self.problem.list(list);
        for &topic in named {
            self.times[topic as usize] += 1;
        }
        let mut split = HashMap::new();
        let mut before = None;
        for &topic in named {
            let count = std::mem::take(&mut self.times[topic as usize]);
            if count == 0 || !self.active[topic as usize] {
                continue;
            }
            let key = (self.class_of[topic as usize], count);
            // Neighbours mostly come from one class.
            let to = match before {
                Some((known, to)) if known == key => to,
                _ => *split.entry(key).or_insert_with(|| {
                    self.classes.push(Split { parent: key.0, list, count });
                    self.classes.len() as u32 - 1
                }),
            };
            before = Some((key, to));
            self.class_of[topic as usize] = to;
        }
    }

    /// The classes that are left, numbered anew, and the lists that name each, as often as they do.
    fn classes(mut self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let mut number = vec![NO_CLASS; self.classes.len()];
        let mut lists = Vec::new();
        for class in &mut self.class_of {
            if *class == NO_CLASS {
                continue;
            }
            let number = &mut number[*class as usize];
            if *number == NO_CLASS {
                *number = lists.len() as u32;
                lists.push(lists_of(&self.classes, *class));
            }
            *class = *number;
        }
        (self.class_of, lists)
    }
}

fn lists_of(classes: &[Split], last: u32) -> Vec<u32> {
    let mut lists = Vec::new();
    let mut at = last;
    while at != NO_CLASS {
        let Split { parent, list, count } = classes[at as usize];
        lists.extend(std::iter::repeat_n(list, count as usize));
        at = parent;
    }
    lists
}
