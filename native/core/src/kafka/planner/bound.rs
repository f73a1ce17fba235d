//! What no plan can avoid, from the input and one number a broker.
//!
//! For any numbers `x`, one a broker, a plan has at least this many moves: over the partitions, the cheapest legal set where
//! a broker costs its `x`, and one more if it is new; less the dearest that level counts can cost by `x`. It shares nothing
//! with the search; that the best numbers reach the plan's moves is the proof that it has the fewest.

use super::levels::Levels;
use super::problem::{NONE, Problem};
use super::rule::Class;

/// The rack rule as it stands in the input, not as the levels tighten it.
pub(super) struct Bound<'a> {
    problem: &'a Problem<'a>,
    classes: &'a [Class],
    /// Brokers of each rack that are in, the cheapest first.
    in_rack: Vec<Vec<u32>>,
    potentials: &'a [i32],
}

impl<'a> Bound<'a> {
    pub fn new(problem: &'a Problem<'a>, classes: &'a [Class], potentials: &'a [i32]) -> Bound<'a> {
        let mut in_rack = vec![Vec::new(); problem.racks];
        for broker in (0..problem.brokers()).filter(|&broker| problem.is_in[broker] == 1) {
            in_rack[problem.rack_of[broker] as usize].push(broker as u32);
        }
        for brokers in &mut in_rack {
            brokers.sort_by_key(|&broker| (potentials[broker as usize], broker));
        }
        Bound { problem, classes, in_rack, potentials }
    }

    /// The cheapest legal sets of all partitions together.
    pub fn of_partitions(&self) -> i64 {
        let (mut costs, mut more) = (Vec::new(), Vec::new());
        (0..self.problem.partitions()).map(|p| self.of_partition(p, &mut costs, &mut more)).sum()
    }

    /// The least of each rack is taken at any price; the rest is the cheapest of what the racks may have beyond.
    fn of_partition(&self, p: usize, costs: &mut Vec<i64>, more: &mut Vec<i64>) -> i64 {
        let factor = self.problem.factor(p);
        let class = &self.classes[factor];
        let mut total = 0;
        let mut left = factor;
        more.clear();
        for rack in 0..self.problem.racks {
            let (low, high) = (class.low[rack] as usize, class.high[rack] as usize);
            if high > 0 {
                self.cheapest_in(p, (rack, high), costs);
                total += costs[..low].iter().sum::<i64>();
                more.extend_from_slice(&costs[low..high]);
                left -= low;
            }
        }
        more.sort_unstable();
        total + more[..left].iter().sum::<i64>()
    }

    fn cheapest_in(&self, p: usize, (rack, count): (usize, usize), costs: &mut Vec<i64>) {
        let held = &self.problem.replicas[self.problem.offsets[p] as usize..self.problem.offsets[p + 1] as usize];
        let price = |broker: u32| i64::from(self.potentials[broker as usize]);
        costs.clear();
        for (i, &broker) in held.iter().enumerate() {
            let b = broker as usize;
            let counts = self.problem.is_in[b] == 1 && self.problem.rack_of[b] as usize == rack;
            if counts && !held[..i].contains(&broker) {
                costs.push(price(broker));
            }
        }
        let new = self.in_rack[rack].iter().filter(|broker| !held.contains(broker));
        costs.extend(new.take(count).map(|&broker| price(broker) + 1));
        costs.sort_unstable();
    }

    /// The dearest that level counts can be.
    pub fn of_levels(&self, levels: &Levels) -> i64 {
        let mut groups: Vec<Vec<i64>> = vec![Vec::new(); levels.due.len()];
        let mut total = 0;
        for (b, &potential) in self.potentials.iter().enumerate() {
            total += i64::from(levels.low[b]) * i64::from(potential);
            if levels.group[b] != NONE {
                groups[levels.group[b] as usize].push(i64::from(potential));
            }
        }
        for (group, due) in groups.iter_mut().zip(&levels.due) {
            group.sort_unstable_by(|a, b| b.cmp(a));
            total += group[..*due as usize].iter().sum::<i64>();
        }
        total
    }
}

/// The potentials of a plan: the negatives of the distances, and beyond all of them for a rack where every partition has its
/// limit, so that the plain rule says what the tightened one did.
pub(super) fn potentials(problem: &Problem<'_>, levels: &Levels, distances: &[i64]) -> Vec<i32> {
    let least = distances.iter().min().copied().unwrap_or(0);
    let most = distances.iter().max().copied().unwrap_or(0);
    let beyond = most - least + 2;
    let of = |(b, &distance): (usize, &i64)| {
        (-distance - i64::from(levels.tight[problem.rack_of[b] as usize]) * beyond) as i32
    };
    distances.iter().enumerate().map(of).collect()
}

/// Moves that the counts alone explain: what the brokers lack, or have too much beyond what shall go altogether.
pub(super) fn by_counts(problem: &Problem<'_>, levels: &Levels) -> u64 {
    let mut load = vec![0_i64; problem.brokers()];
    for &broker in problem.replicas {
        load[broker as usize] += 1;
    }
    let wanted: u64 = (0..problem.partitions()).map(|p| problem.factor(p) as u64).sum();
    let fewer = (problem.replicas.len() as u64).saturating_sub(wanted);
    let over: i64 = load.iter().zip(&levels.high).map(|(now, &high)| (now - i64::from(high)).max(0)).sum();
    let under: i64 = load.iter().zip(&levels.low).map(|(now, &low)| (i64::from(low) - now).max(0)).sum();
    (over as u64).saturating_sub(fewer).max(under as u64)
}
