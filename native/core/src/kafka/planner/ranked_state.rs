//! The lists of a plan while they are bettered: what each broker holds and leads, and what an exchange does to each objective.
//!
//! An exchange puts a broker in another's place in one list, or another broker of the list first. Differences are of sums of
//! squares, so that those of several exchanges add up; an exchange can be taken back. Weights and bytes are doubles: both
//! twins do the same sums in the same order.

use super::problem::{Rank, RankQuestion};
use super::rule::{Class, classes};
use std::cell::OnceCell;

/// In the list of a row, `to` comes for `from`; where `leads`, it stands first. `to` may be in the list: then the order changes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exchange {
    pub row: usize,
    pub from: u32,
    pub to: u32,
    pub leads: bool,
}

/// What came of exchanges that were tried; those that break a rule do so with others after them, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tried {
    Better,
    NotBetter,
    NotLegal,
}

/// What has changed in each rank, at its own number; below 0 is better.
type Difference = [f64; 4];

/// Weighted counts are fractions: a smaller difference is none.
const NOTHING: f64 = 1e-9;

/// Whether a difference is for the better, rank by rank.
fn is_better(difference: &Difference, order: &[Rank]) -> bool {
    let decides = order.iter().map(|&rank| difference[rank as usize]).find(|by| by.abs() > NOTHING);
    decides.is_some_and(|by| by < 0.0)
}

pub(super) struct RankedState<'a> {
    pub question: &'a RankQuestion<'a>,
    pub rows: usize,
    pub brokers: usize,
    pub load: Vec<i32>,
    pub leads: Vec<i32>,
    /// First row of each topic, and the end.
    pub topic_starts: Vec<usize>,
    /// Rows of each broker at the start, then those that came; some may have left.
    pub rows_at: Vec<Vec<u32>>,
    replicas: Vec<u32>,
    classes: Vec<Class>,
    /// Replicas of each topic by broker, once asked for.
    topics: Vec<OnceCell<Vec<i32>>>,
    is_changed: Vec<bool>,
    seeks_topics: bool,
    /// Lists as they were before the exchanges that are tried, one after the other.
    undo: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> RankedState<'a> {
    /// `None` if the watch stopped it.
    pub fn new(question: &'a RankQuestion<'a>) -> Option<RankedState<'a>> {
        let (rows, brokers) = (question.offsets.len() - 1, question.problem.brokers());
        let topic_starts = topic_starts(question.problem.topic_of);
        let mut state = RankedState {
            question,
            rows,
            brokers,
            load: vec![0; brokers],
            leads: vec![0; brokers],
            topics: vec![OnceCell::new(); topic_starts.len() - 1],
            topic_starts,
            rows_at: vec![Vec::new(); brokers],
            replicas: question.problem.pulse.copied(question.replicas)?,
            classes: classes(question.problem)?,
            is_changed: vec![false; rows],
            seeks_topics: question.ranks.contains(&Rank::Topics),
            undo: Vec::new(),
            next: Vec::new(),
        };
        question.problem.partitions_while_wanted().for_each(|row| {
            let (from, to) = state.span(row);
            for &broker in &question.replicas[from..to] {
                state.load[broker as usize] += 1;
                state.rows_at[broker as usize].push(row as u32);
            }
            if from < to {
                state.leads[question.replicas[from] as usize] += 1;
            }
        });
        Some(state)
    }

    fn span(&self, row: usize) -> (usize, usize) {
        (self.question.offsets[row] as usize, self.question.offsets[row + 1] as usize)
    }

    pub fn list(&self, row: usize) -> &[u32] {
        let (from, to) = self.span(row);
        &self.replicas[from..to]
    }

    pub fn before(&self, row: usize) -> &'a [u32] {
        let problem = self.question.problem;
        &problem.replicas[problem.offsets[row] as usize..problem.offsets[row + 1] as usize]
    }

    pub fn is_in(&self, broker: u32) -> bool {
        self.question.problem.is_in[broker as usize] == 1
    }

    /// Bytes of a replica, or 1 where bytes are not known.
    fn cost(&self, row: usize) -> f64 {
        self.question.costs.map_or(1.0, |costs| costs[row])
    }

    pub fn is_new(&self, row: usize, broker: u32) -> bool {
        !self.before(row).contains(&broker)
    }

    pub fn weight(&self, broker: u32) -> u32 {
        self.question.problem.weights.map_or(1, |weights| weights[broker as usize])
    }

    pub fn topic_counts(&self, row: usize) -> &[i32] {
        let topic = self.question.problem.topic_of[row] as usize;
        self.topics[topic].get_or_init(|| self.count_topic(topic))
    }

    fn count_topic(&self, topic: usize) -> Vec<i32> {
        let mut counts = vec![0; self.brokers];
        let offset = |row: usize| self.question.offsets[row] as usize;
        for &broker in &self.replicas[offset(self.topic_starts[topic])..offset(self.topic_starts[topic + 1])] {
            counts[broker as usize] += 1;
        }
        counts
    }

    /// Whether the rules let one broker take another's place in a list that keeps them.
    pub fn may_go(&self, row: usize, from: u32, to: u32) -> bool {
        if !self.is_in(to) {
            return false;
        }
        let rack_of = self.question.problem.rack_of;
        let (away, there) = (rack_of[from as usize], rack_of[to as usize]);
        (away == there || self.may_cross(row, away, there)) && !self.list(row).contains(&to)
    }

    /// Whether in no partition the rules leave open how many are in that rack: then what is there goes round in it alone.
    pub fn is_closed(&self, rack: usize) -> bool {
        !self.classes.iter().any(|one| one.is_open(rack))
    }

    fn may_cross(&self, row: usize, away: u32, there: u32) -> bool {
        let list = self.list(row);
        let Class { low, high, .. } = &self.classes[list.len()];
        let (a, t) = (away as usize, there as usize);
        if low[a] == high[a] || low[t] == high[t] {
            return false;
        }
        let rack_of = self.question.problem.rack_of;
        let count = |rack: u32| list.iter().filter(|&&broker| rack_of[broker as usize] == rack).count();
        count(away) > low[a] as usize && count(there) < high[t] as usize
    }

    /// Makes exchanges if they are legal, one after the other, and all together for the better; else leaves all as it was.
    pub fn tried(&mut self, exchanges: &[Exchange]) -> Tried {
        let mut difference = [0.0; 4];
        let mut undo = std::mem::take(&mut self.undo);
        let mut next = std::mem::take(&mut self.next);
        undo.clear();
        let mut made = 0;
        for &Exchange { row, from, to, leads } in exchanges {
            let list = self.list(row);
            if !list.contains(&from) || !(list.contains(&to) || self.may_go(row, from, to)) {
                break;
            }
            undo.extend_from_slice(list);
            exchanged(list, (from, to, leads), &mut next);
            self.set(row, &next, &mut difference);
            made += 1;
        }
        let is_legal = made == exchanges.len();
        let is_done = is_legal && is_better(&difference, self.question.ranks);
        for &Exchange { row, .. } in exchanges[..made].iter().rev() {
            if is_done {
                self.is_changed[row] = true;
            } else {
                let start = undo.len() - self.list(row).len();
                self.set(row, &undo[start..], &mut difference);
                undo.truncate(start);
            }
        }
        if is_done {
            for &Exchange { row, to, .. } in exchanges {
                self.rows_at[to as usize].push(row as u32);
            }
        }
        (self.undo, self.next) = (undo, next);
        match (is_legal, is_done) {
            (false, _) => Tried::NotLegal,
            (true, false) => Tried::NotBetter,
            (true, true) => Tried::Better,
        }
    }

    fn set(&mut self, row: usize, next: &[u32], difference: &mut Difference) {
        let (from, to) = self.span(row);
        if self.seeks_topics {
            self.topic_counts(row);
        }
        for i in from..to {
            let broker = self.replicas[i];
            if !next.contains(&broker) {
                self.shift(row, broker, -1, difference);
            }
        }
        for &broker in next {
            if !self.replicas[from..to].contains(&broker) {
                self.shift(row, broker, 1, difference);
            }
        }
        if from == to {
            return;
        }
        let (was, is) = (self.replicas[from] as usize, next[0] as usize);
        if was != is {
            difference[Rank::Leaders as usize] += 2.0 * f64::from(self.leads[is] - self.leads[was] + 1);
            self.leads[was] -= 1;
            self.leads[is] += 1;
        }
        self.replicas[from..to].copy_from_slice(next);
    }

    /// One more on a broker, or one less.
    fn shift(&mut self, row: usize, broker: u32, by: i32, difference: &mut Difference) {
        let load = &mut self.load[broker as usize];
        let step = 2 * by * *load + 1;
        *load += by;
        difference[Rank::Counts as usize] += f64::from(step) / f64::from(self.weight(broker));
        if self.is_new(row, broker) {
            difference[Rank::Moves as usize] += f64::from(by) * self.cost(row);
        }
        if !self.seeks_topics {
            return;
        }
        let topic = self.question.problem.topic_of[row] as usize;
        if let Some(counts) = self.topics[topic].get_mut() {
            let count = &mut counts[broker as usize];
            difference[Rank::Topics as usize] += f64::from(2 * by * *count + 1);
            *count += by;
        }
    }

    /// The lists: of a changed one the leader, then who stays in the order of the start, then who is new, by id.
    pub fn lists(mut self) -> Vec<u32> {
        for row in (0..self.rows).filter(|&row| self.is_changed[row]) {
            let before = self.before(row);
            let place =
                |broker: &u32| before.iter().position(|one| one == broker).unwrap_or(before.len() + *broker as usize);
            let (from, to) = self.span(row);
            self.replicas[from + 1..to].sort_by_key(place);
        }
        self.replicas
    }
}

fn topic_starts(topic_of: &[u32]) -> Vec<usize> {
    let mut starts = vec![0; topic_of.last().map_or(1, |&last| last as usize + 2)];
    for &topic in topic_of {
        starts[topic as usize + 1] += 1;
    }
    for topic in 1..starts.len() {
        starts[topic] += starts[topic - 1];
    }
    starts
}

fn exchanged(list: &[u32], (from, to, leads): (u32, u32, bool), next: &mut Vec<u32>) {
    next.clear();
    let is_held = list.contains(&to);
    next.extend(list.iter().map(|&broker| if broker == from && !is_held { to } else { broker }));
    if !leads {
        return;
    }
    if let Some(at) = next.iter().position(|&broker| broker == to) {
        next[..=at].rotate_right(1);
    }
}
