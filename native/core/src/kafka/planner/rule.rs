//! The rack rule as a box: of a partition of so many replicas, each rack has at least `low` and at most `high`.
//!
//! A legal set of brokers is one inside the box, no broker twice, every broker in: the bases of a matroid, which is why
//! single exchanges find the best of them.

use super::problem::{Problem, Rule};

/// Partitions of one replication factor.
#[derive(Debug, Clone, Default)]
pub(super) struct Class {
    pub partitions: u64,
    /// Per rack.
    pub low: Vec<u32>,
    pub high: Vec<u32>,
}

impl Class {
    /// Whether the rule leaves open how many are in that rack.
    pub fn is_open(&self, rack: usize) -> bool {
        self.partitions > 0 && self.high[rack] > self.low[rack]
    }
}

/// How many brokers of each rack are in.
pub(super) fn brokers_in(problem: &Problem<'_>) -> Vec<u32> {
    let mut counts = vec![0; problem.racks];
    for (&rack, &is_in) in problem.rack_of.iter().zip(problem.is_in) {
        counts[rack as usize] += u32::from(is_in);
    }
    counts
}

/// The class of each replication factor, at its own index; `None` if the work was stopped.
pub(super) fn classes(problem: &Problem<'_>) -> Option<Vec<Class>> {
    let brokers = brokers_in(problem);
    let mut sizes: Vec<u64> = Vec::new();
    problem.partitions_while_wanted().for_each(|p| {
        let factor = problem.factor(p);
        if factor >= sizes.len() {
            sizes.resize(factor + 1, 0);
        }
        sizes[factor] += 1;
    });
    let class = |(factor, &partitions): (usize, &u64)| {
        let (low, high) = boxed(problem.rule, factor as u32, &brokers);
        Class { partitions, low, high }
    };
    (!problem.pulse.ask()).then(|| sizes.iter().enumerate().map(class).collect())
}

fn boxed(rule: Rule, factor: u32, brokers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let capped = |most: u32| brokers.iter().map(|&k| k.min(most)).collect::<Vec<u32>>();
    let (low, high) = match rule {
        Rule::Spread => {
            let level = spread_level(factor, brokers);
            (capped(level), capped(level + 1))
        }
        Rule::Distinct if factor <= capped(1).iter().sum() => (capped(0), capped(1)),
        Rule::Distinct => (capped(1), brokers.to_vec()),
    };
    if low.iter().sum::<u32>() == factor { (low.clone(), low) } else { (low, high) }
}

/// The largest level that the racks can be filled to by so many replicas.
fn spread_level(factor: u32, brokers: &[u32]) -> u32 {
    let filled = |level: u32| brokers.iter().map(|&k| k.min(level)).sum::<u32>();
    let full = brokers.iter().copied().max().unwrap_or(0);
    (0..full).find(|&level| filled(level + 1) > factor).unwrap_or(full)
}
