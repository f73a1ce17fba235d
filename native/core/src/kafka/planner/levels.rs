//! What a level plan is: how many replicas each broker may have, `[low, low]` or `[low, low + 1]`, and how many brokers of
//! each group of racks have the one more.
//!
//! A lighter broker can always take from a heavier one of its rack, so only the racks' totals matter. They are
//! water-filled, sum of squares least, inside the limits of the rack rule: shifts of 2^j … 1 replicas along paths of racks.
//! Then a rack whose total is at its limit, and cannot leave it, gets that limit for every partition.

use super::problem::{NONE, Problem};
use super::rule::{Class, brokers_in};

pub(super) struct Levels {
    /// Per broker; 0 for one that is out.
    pub low: Vec<u32>,
    pub high: Vec<u32>,
    /// Group of each broker that may have one more; else `NONE`.
    pub group: Vec<u32>,
    /// How many brokers of each group have one more.
    pub due: Vec<i64>,
    /// Per rack: 1 where every partition has the most it may have there, -1 the least, 0 neither.
    pub tight: Vec<i8>,
}

/// Computes the levels, and tightens the classes; `None` if the work was stopped.
pub(super) fn levels(problem: &Problem<'_>, classes: &mut [Class]) -> Option<Levels> {
    let wanted = |_: &usize| !problem.pulse.ask();
    let mut totals = RackTotals::new(brokers_in(problem), classes);
    totals.settle(wanted);
    let reached: Vec<Vec<bool>> = (0..problem.racks).take_while(wanted).map(|rack| totals.reached(rack)).collect();
    if problem.pulse.ask() {
        return None;
    }
    let tight: Vec<i8> = (0..problem.racks).map(|rack| totals.tightness(rack, &reached)).collect();
    let racks: Vec<(u64, u64)> = (0..problem.racks).map(|rack| totals.range(rack, &reached)).collect();
    let RackTotals { brokers, sums, .. } = totals;
    tighten(classes, &tight);
    let mut grouping = Grouping::default();
    for (rack, &(low, high)) in racks.iter().enumerate() {
        let is_fixed = !classes.iter().any(|class| class.is_open(rack));
        let more = sums[rack] as i64 - (low * u64::from(brokers[rack])) as i64;
        grouping.add(high > low, (low, if is_fixed { rack + 1 } else { 0 }), more);
    }
    Some(spread_to_brokers(problem, &racks, grouping, tight))
}

fn tighten(classes: &mut [Class], tight: &[i8]) {
    for class in classes.iter_mut().filter(|class| class.partitions > 0) {
        for (rack, &side) in tight.iter().enumerate() {
            match side {
                1 => class.low[rack] = class.high[rack],
                -1 => class.high[rack] = class.low[rack],
                _ => {}
            }
        }
    }
}

fn spread_to_brokers(problem: &Problem<'_>, racks: &[(u64, u64)], grouping: Grouping, tight: Vec<i8>) -> Levels {
    let of = |b: usize| problem.rack_of[b] as usize;
    let brokers = || (0..problem.brokers()).map(|b| (b, problem.is_in[b] == 1));
    Levels {
        low: brokers().map(|(b, is_in)| if is_in { racks[of(b)].0 as u32 } else { 0 }).collect(),
        high: brokers().map(|(b, is_in)| if is_in { racks[of(b)].1 as u32 } else { 0 }).collect(),
        group: brokers().map(|(b, is_in)| if is_in { grouping.of_rack[of(b)] } else { NONE }).collect(),
        due: grouping.due,
        tight,
    }
}

/// Racks of one level share who has one more, unless their totals are fixed.
#[derive(Default)]
struct Grouping {
    keys: Vec<(u64, usize)>,
    due: Vec<i64>,
    of_rack: Vec<u32>,
}

impl Grouping {
    fn add(&mut self, is_open: bool, key: (u64, usize), more: i64) {
        if !is_open {
            self.of_rack.push(NONE);
            return;
        }
        let group = self.keys.iter().position(|&known| known == key).unwrap_or(self.keys.len());
        if group == self.keys.len() {
            self.keys.push(key);
            self.due.push(0);
        }
        self.due[group] += more;
        self.of_rack.push(group as u32);
    }
}

/// How many replicas each rack has, and how much of it each class could give to other racks.
pub(super) struct RackTotals<'a> {
    classes: &'a [Class],
    /// Brokers of each rack that are in.
    brokers: Vec<u32>,
    /// Of each class, what each rack has above the least.
    above: Vec<Vec<u64>>,
    /// Of each class, how much that can be.
    room: Vec<Vec<u64>>,
    pub sums: Vec<u64>,
}

impl<'a> RackTotals<'a> {
    pub fn new(brokers: Vec<u32>, classes: &'a [Class]) -> RackTotals<'a> {
        let racks = brokers.len();
        let mut totals = RackTotals { classes, brokers, above: Vec::new(), room: Vec::new(), sums: vec![0; racks] };
        for (factor, class) in classes.iter().enumerate() {
            let room =
                (0..racks).map(|rack| class.partitions * u64::from(class.high[rack] - class.low[rack])).collect();
            totals.room.push(room);
            totals.fill(factor as u64, class);
        }
        totals
    }

    /// Any way that the limits allow: the first racks take what they can.
    fn fill(&mut self, factor: u64, class: &Class) {
        let room = self.room.last().expect("just pushed");
        let least: u64 = class.low.iter().map(|&low| u64::from(low)).sum();
        let mut left = class.partitions * factor.saturating_sub(least);
        let mut above = vec![0; room.len()];
        for rack in 0..room.len() {
            above[rack] = left.min(room[rack]);
            left -= above[rack];
            self.sums[rack] += class.partitions * u64::from(class.low[rack]) + above[rack];
        }
        self.above.push(above);
    }

    /// Asks before each rack whether this is still wanted.
    fn settle(&mut self, wanted: impl Fn(&usize) -> bool + Copy) {
        let all: u64 = self.sums.iter().sum();
        let mut amount = 1;
        while amount * 2 <= all {
            amount *= 2;
        }
        while amount > 0 {
            while (0..self.sums.len()).take_while(wanted).filter(|&from| self.shift(from, amount)).count() > 0 {}
            amount /= 2;
        }
    }

    /// Moves an amount from a rack to where it lowers the sum of squares most.
    fn shift(&mut self, from: usize, amount: u64) -> bool {
        if self.sums[from] < amount {
            return false;
        }
        let parents = self.parents(from, amount);
        let mut best = (0, from);
        for to in (0..self.sums.len()).filter(|&to| to != from && parents[to] != NONE) {
            let gain = self.gain(from, to, amount);
            if gain > best.0 {
                best = (gain, to);
            }
        }
        best.1 != from && self.carry(&parents, (from, best.1), amount)
    }

    /// Moves an amount from rack to rack along a tree just found; true.
    pub fn carry(&mut self, parents: &[u32], (from, last): (usize, usize), amount: u64) -> bool {
        let mut to = last;
        while to != from {
            let via = parents[to] as usize;
            let class = self.class_between(via, to, amount).expect("on a path just found");
            self.above[class][via] -= amount;
            self.above[class][to] += amount;
            to = via;
        }
        self.sums[from] -= amount;
        self.sums[last] += amount;
        true
    }

    fn gain(&self, from: usize, to: usize, amount: u64) -> i64 {
        let (a, b) = (self.sums[from], self.sums[to]);
        self.squares(from, a) + self.squares(to, b) - self.squares(from, a - amount) - self.squares(to, b + amount)
    }

    /// The sum of squares of a total that the brokers of a rack share evenly: below 2^53 for 2^26 replicas.
    fn squares(&self, rack: usize, total: u64) -> i64 {
        let brokers = u64::from(self.brokers[rack]);
        let Some(each) = total.checked_div(brokers) else { return 0 };
        (brokers * each * each + total % brokers * (2 * each + 1)) as i64
    }

    /// A class that can give an amount from one rack to another.
    fn class_between(&self, from: usize, to: usize, amount: u64) -> Option<usize> {
        let fits =
            |class: usize| self.above[class][from] >= amount && self.above[class][to] + amount <= self.room[class][to];
        (0..self.classes.len()).find(|&class| fits(class))
    }

    /// A tree of racks that an amount can reach; `NONE` for the others.
    pub fn parents(&self, from: usize, amount: u64) -> Vec<u32> {
        let mut parents = vec![NONE; self.sums.len()];
        parents[from] = from as u32;
        let mut unreached: Vec<usize> = (0..parents.len()).filter(|&rack| rack != from).collect();
        let mut open = vec![from];
        let mut next = 0;
        while next < open.len() && !unreached.is_empty() {
            let at = open[next];
            next += 1;
            unreached.retain(|&to| {
                let is_reached = self.class_between(at, to, amount).is_some();
                if is_reached {
                    parents[to] = at as u32;
                    open.push(to);
                }
                !is_reached
            });
        }
        parents
    }

    fn reached(&self, from: usize) -> Vec<bool> {
        self.parents(from, 1).iter().map(|&parent| parent != NONE).collect()
    }

    /// Count of the lightest broker of a rack.
    fn lightest(&self, rack: usize) -> u64 {
        self.sums[rack] / u64::from(self.brokers[rack])
    }

    /// Count of the heaviest broker once it has given one; `None` where there is nothing to give.
    fn heaviest_less_one(&self, rack: usize) -> Option<u64> {
        Some(self.sums[rack].checked_sub(1)? / u64::from(self.brokers[rack]))
    }

    /// Racks other than this one, with brokers, that one replica can reach it from, or that it can reach.
    fn others(&self, rack: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.sums.len()).filter(move |&other| other != rack && self.brokers[other] > 0)
    }

    fn tightness(&self, rack: usize, reached: &[Vec<bool>]) -> i8 {
        let total = |of: fn(&Class) -> &Vec<u32>| -> u64 {
            self.classes.iter().map(|class| class.partitions * u64::from(of(class)[rack])).sum()
        };
        let (least, most) = (total(|class| &class.low), total(|class| &class.high));
        if self.brokers[rack] == 0 || least == most {
            return 0;
        }
        let keeps = |to: usize| !reached[rack][to] || Some(self.lightest(to)) > self.heaviest_less_one(rack);
        let refuses = |from: usize| {
            !reached[from][rack] || self.heaviest_less_one(from).is_none_or(|count| self.lightest(rack) > count)
        };
        if self.sums[rack] == most && self.others(rack).all(keeps) {
            1
        } else if self.sums[rack] == least && self.others(rack).all(refuses) {
            -1
        } else {
            0
        }
    }

    /// Least and most of a broker of that rack, over all level plans.
    fn range(&self, rack: usize, reached: &[Vec<bool>]) -> (u64, u64) {
        if self.brokers[rack] == 0 {
            return (0, 0);
        }
        let level = self.lightest(rack);
        let may_give = |to: usize| reached[rack][to] && self.lightest(to) + 1 == level;
        let may_take = |from: usize| reached[from][rack] && self.heaviest_less_one(from) == Some(level);
        if !self.sums[rack].is_multiple_of(u64::from(self.brokers[rack])) {
            (level, level + 1)
        } else if level > 0 && self.others(rack).any(may_give) {
            (level - 1, level)
        } else if self.others(rack).any(may_take) {
            (level, level + 1)
        } else {
            (level, level)
        }
    }
}
