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

    /// The cheapest legal sets of all partitions together, or of the first ones if the work was stopped.
    pub fn of_partitions(&self) -> i64 {
        let singles: Vec<Option<Singles>> = (0..self.classes.len()).map(|factor| self.singles(factor)).collect();
        let (mut costs, mut more) = (Vec::new(), Vec::new());
        let of = |p: usize| match &singles[self.problem.factor(p)] {
            Some(singles) => self.of_single(p, singles, &mut more),
            None => self.of_partition(p, &mut costs, &mut more),
        };
        self.problem.partitions_while_wanted().map(of).sum()
    }

    /// What a partition costs by what each rack costs that holds nothing of it, where no rack may have two.
    fn singles(&self, factor: usize) -> Option<Singles> {
        let class = &self.classes[factor];
        if class.partitions == 0 || class.high.iter().any(|&high| high > 1) {
            return None;
        }
        let price = |&broker: &u32| i64::from(self.potentials[broker as usize]) + 1;
        let news: Vec<i64> = self.in_rack.iter().map(|brokers| brokers.first().map_or(0, price)).collect();
        let needs = class.low.iter().map(|&low| low == 1).collect::<Vec<bool>>();
        let racks = 0..self.problem.racks;
        let least: i64 = racks.clone().filter(|&rack| needs[rack]).map(|rack| news[rack]).sum();
        let mut more: Vec<(i64, usize)> =
            racks.filter(|&rack| class.is_open(rack)).map(|rack| (news[rack], rack)).collect();
        more.sort_unstable();
        let left = factor - needs.iter().filter(|&&needs| needs).count();
        Some(Singles { news, needs, least, more, left })
    }

    /// At most one a rack: the cheapest broker there that is held, or the cheapest of all as a new one. Should that one be
    /// held, then staying is cheaper, so that both can be compared without a look.
    fn of_single(&self, p: usize, singles: &Singles, held: &mut Vec<(i64, usize)>) -> i64 {
        held.clear();
        for &broker in self.held(p).iter().filter(|&&broker| self.problem.is_in[broker as usize] == 1) {
            let rack = self.problem.rack_of[broker as usize] as usize;
            let cost = singles.news[rack].min(i64::from(self.potentials[broker as usize]));
            match held.iter_mut().find(|(_, known)| *known == rack) {
                Some((least, _)) => *least = cost.min(*least),
                None => held.push((cost, rack)),
            }
        }
        let (mut total, mut staying, mut stayings, mut dearest) = (singles.least, 0, 0, i64::MIN);
        for &(cost, rack) in &*held {
            if singles.needs[rack] {
                total += cost - singles.news[rack];
            } else {
                (staying, stayings, dearest) = (staying + cost, stayings + 1, dearest.max(cost));
            }
        }
        // Nearly always: as many stay as must be had, and nothing new is cheaper.
        if stayings == singles.left && singles.more.first().is_none_or(|&(new, _)| dearest <= new) {
            return total + staying;
        }
        sort_few(held);
        total + singles.cheapest(held)
    }

    fn held(&self, p: usize) -> &[u32] {
        &self.problem.replicas[self.problem.offsets[p] as usize..self.problem.offsets[p + 1] as usize]
    }

    /// The least of each rack is taken at any price; the rest is the cheapest of what the racks may have beyond.
    fn of_partition(&self, p: usize, costs: &mut Vec<i64>, more: &mut Vec<(i64, usize)>) -> i64 {
        let factor = self.problem.factor(p);
        let class = &self.classes[factor];
        let left = factor - class.low.iter().sum::<u32>() as usize;
        let mut total = 0;
        more.clear();
        for rack in 0..self.problem.racks {
            let low = class.low[rack] as usize;
            let high = (class.high[rack] as usize).min(low + left);
            if high > 0 {
                self.cheapest_in(p, (rack, high), costs);
                total += costs[..low].iter().sum::<i64>();
                more.extend(costs[low..high].iter().map(|&cost| (cost, rack)));
            }
        }
        more.sort_unstable();
        total + more[..left].iter().map(|&(cost, _)| cost).sum::<i64>()
    }

    fn cheapest_in(&self, p: usize, (rack, count): (usize, usize), costs: &mut Vec<i64>) {
        let held = self.held(p);
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

/// By insertion: a partition has few replicas, and a call to sort costs more than they do.
fn sort_few(costs: &mut [(i64, usize)]) {
    for i in 1..costs.len() {
        let mut at = i;
        while at > 0 && costs[at].0 < costs[at - 1].0 {
            costs.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// A class where no rack may have two: what its racks cost a partition that has nothing there.
struct Singles {
    /// The cheapest broker of each rack, as a new one.
    news: Vec<i64>,
    /// Whether each rack must have one.
    needs: Vec<bool>,
    /// Of all racks that must have one.
    least: i64,
    /// Racks that may have one, the cheapest first.
    more: Vec<(i64, usize)>,
    /// How many of those have one.
    left: usize,
}

impl Singles {
    /// The cheapest of the racks that may have one, by what those cost where a broker is held: both lists merged. `held` comes
    /// cheapest first.
    fn cheapest(&self, held: &[(i64, usize)]) -> i64 {
        let mut total = 0;
        let mut staying = held.iter().filter(|&&(_, rack)| !self.needs[rack]).peekable();
        let is_new = |&&(_, rack): &&(i64, usize)| held.iter().all(|&(_, known)| known != rack);
        let mut news = self.more.iter().filter(is_new).peekable();
        for _ in 0..self.left {
            let next = match (staying.peek(), news.peek()) {
                (Some(stays), Some(new)) if stays.0 > new.0 => news.next(),
                (None, _) => news.next(),
                _ => staying.next(),
            };
            total += next.expect("the racks have room for all").0;
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
    problem.pulse.parts(problem.replicas).flatten().for_each(|&broker| load[broker as usize] += 1);
    let wanted: u64 = problem.partitions_while_wanted().map(|p| problem.factor(p) as u64).sum();
    let fewer = (problem.replicas.len() as u64).saturating_sub(wanted);
    let over: i64 = load.iter().zip(&levels.high).map(|(now, &high)| (now - i64::from(high)).max(0)).sum();
    let under: i64 = load.iter().zip(&levels.low).map(|(now, &low)| (i64::from(low) - now).max(0)).sum();
    (over as u64).saturating_sub(fewer).max(under as u64)
}
