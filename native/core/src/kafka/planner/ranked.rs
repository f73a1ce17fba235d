//! Objectives in any order: a plan bettered by exchanges until none helps, a lower rank never bought with a higher one.
//!
//! For the orders that the planner does not solve by itself. For each rank in turn shortest chains of exchanges lead from a
//! broker that has too much to one that has too little; where a chain costs a rank before, another replica is looked for that
//! goes the way back. What is kept is better rank by rank, so that it ends; how long it may look is counted.

use super::problem::{Rank, RankQuestion, Ranked};
use super::ranked_reach::{Ended, Looks, Reach, Sight, TRY};
use super::ranked_roads::{Road, Roads};
use super::ranked_state::{Exchange, RankedState, Tried};
use std::ops::Range;

/// Betters; `None` if the watch stopped it.
///
/// # Panics
/// If the question's columns do not fit together, or the plan breaks a rule.
#[must_use]
pub fn better(question: &RankQuestion<'_>) -> Option<Ranked> {
    let mut search = Search::new(question)?;
    match search.run() {
        Ok(()) => Some(Ranked { looks: Some(search.looks.left()), replicas: search.state.lists() }),
        Err(Ended::Spent) => Some(Ranked { looks: None, replicas: question.replicas.to_vec() }),
        Err(Ended::Stopped) => None,
    }
}

type Found = Result<bool, Ended>;

/// Parts of a rank, by which it is told.
const PARTS: usize = 1 << 20;

struct Search<'a> {
    state: RankedState<'a>,
    order: &'a [Rank],
    roads: Roads,
    ins: Vec<u32>,
    sight: Sight,
    looks: Looks<'a>,
    /// Of each rack.
    is_closed: Vec<bool>,
    passes: u32,
    /// The rank under way.
    at: usize,
}

impl<'a> Search<'a> {
    fn new(question: &'a RankQuestion<'a>) -> Option<Search<'a>> {
        let state = RankedState::new(question)?;
        Some(Search {
            order: question.ranks,
            roads: Roads::new(question.ranks),
            ins: (0..state.brokers as u32).filter(|&b| state.is_in(b)).collect(),
            sight: Sight::of(state.rows * state.brokers),
            is_closed: (0..question.problem.racks).map(|rack| state.is_closed(rack)).collect(),
            looks: Looks::new(question.looks, question.problem.pulse),
            passes: 0,
            at: 0,
            state,
        })
    }

    fn run(&mut self) -> Result<(), Ended> {
        loop {
            let mut any = false;
            for at in 0..self.order.len() {
                self.at = at;
                any |= self.better(self.order[at])?;
            }
            if !any {
                return Ok(());
            }
            self.passes += 1;
        }
    }

    /// So many parts of the rank under way are done: of the search, as if each pass took half of what is left.
    fn tell(&self, parts: usize) {
        let pass = (self.at * PARTS + parts) / self.order.len() / 2;
        let left = (PARTS - pass) >> self.passes.min(PARTS.ilog2());
        self.state.question.problem.pulse.searches((PARTS - left) as u64, PARTS as u64);
    }

    fn better(&mut self, rank: Rank) -> Found {
        match rank {
            Rank::Counts => self.level(&Road::Counts, 0..PARTS),
            Rank::Leaders => self.level(&Road::Leaders, 0..PARTS),
            Rank::Topics => self.level_topics(),
            Rank::Moves => self.send_home(),
        }
    }

    /// `told`: which parts of the rank it is.
    fn level(&mut self, road: &Road, told: Range<usize>) -> Found {
        let mut any = false;
        let mut order = self.ins.clone();
        order.sort_by_key(|&b| (-self.state.amount(road, b), b));
        for (i, &from) in order.iter().enumerate() {
            while self.relieve(road, from)? {
                any = true;
            }
            self.tell(told.start + told.len() * i / order.len());
        }
        Ok(any)
    }

    /// One less on a broker, by a chain to one that has less, or straight with a way back.
    fn relieve(&mut self, road: &Road, from: u32) -> Found {
        self.looks.spend(self.ins.len())?;
        let mut lighter = self.lightest_first(road, from, &self.ins);
        if lighter.is_empty() {
            return Ok(false);
        }
        let mut reach = Reach::new(self.reachable(road, from), self.state.brokers);
        let mut layer = vec![from];
        for _ in 0..self.sight.arcs {
            let mut next = Vec::new();
            for &at in &layer {
                self.reach_from(road, at, (&mut reach, &mut next))?;
            }
            for to in self.lightest_first(road, from, &next) {
                if self.goes(&reach.chain_to(to))? {
                    return Ok(true);
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        lighter.truncate(self.sight.few);
        for to in lighter {
            if self.goes_straight(road, from, to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Those of the brokers that gain by one more, if another has one less.
    fn lightest_first(&self, road: &Road, from: u32, brokers: &[u32]) -> Vec<u32> {
        let mut gaining: Vec<u32> = brokers.iter().copied().filter(|&to| self.state.gains(road, from, to)).collect();
        gaining.sort_by_key(|&b| (self.state.amount(road, b), b));
        gaining
    }

    /// Brokers that a chain may lead to: others would be looked at for every row. A lead goes to who is in the list, in any rack.
    fn reachable(&self, road: &Road, from: u32) -> Vec<u32> {
        let rack = |broker: u32| self.state.question.problem.rack_of[broker as usize] as usize;
        let is_near = |to: u32| {
            matches!(road, Road::Leaders)
                || rack(to) == rack(from)
                || !(self.is_closed[rack(from)] || self.is_closed[rack(to)])
        };
        self.ins.iter().copied().filter(|&to| to != from && is_near(to)).collect()
    }

    fn reach_from(&self, road: &Road, at: u32, (reach, reached): (&mut Reach, &mut Vec<u32>)) -> Result<(), Ended> {
        for i in 0..self.state.row_count(road, at) {
            if reach.open.is_empty() {
                break;
            }
            self.looks.spend(1)?;
            let row = self.state.row(road, at, i);
            let list = self.state.list(row);
            let has = if matches!(road, Road::Leaders) { list[0] == at } else { list.contains(&at) };
            if !has {
                continue;
            }
            self.looks.spend(reach.open.len())?;
            let mut open = std::mem::take(&mut reach.open);
            open.retain(|&to| {
                let Some(exchange) = self.state.exchange(&self.roads, road, (row, at, to)) else { return true };
                reach.set(to, at, exchange);
                reached.push(to);
                false
            });
            reach.open = open;
        }
        Ok(())
    }

    /// What costs a rank before by itself, and may be paid back.
    fn goes_straight(&mut self, road: &Road, from: u32, to: u32) -> Found {
        let is_bound = self.roads.ranks_before(Rank::Moves, road.rank());
        let leads = matches!(road, Road::Leaders);
        let mut tried = 0;
        for i in 0..self.state.row_count(road, from) {
            let row = self.state.row(road, from, i);
            let list = self.state.list(row);
            if list.contains(&to) || !list.contains(&from) || (leads && list[0] != from) {
                continue;
            }
            tried += 1;
            if tried > self.sight.few {
                return Ok(false);
            }
            let leaving = if leads { list.to_vec() } else { vec![from] };
            for one in leaving {
                if is_bound && self.state.is_new(row, to) && !self.state.is_new(row, one) {
                    continue;
                }
                if self.goes(&[Exchange { row, from: one, to, leads }])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Makes the exchanges, alone or with one that pays the counts back.
    fn goes(&mut self, exchanges: &[Exchange]) -> Found {
        self.looks.spend(TRY)?;
        match self.state.tried(exchanges) {
            Tried::Better => return Ok(true),
            Tried::NotLegal => return Ok(false),
            Tried::NotBetter => {}
        }
        let Some((lost, won)) = self.shifted(exchanges) else { return Ok(false) };
        let mut tried = 0;
        for i in 0..self.state.rows_at[won as usize].len() {
            self.looks.spend(1)?;
            let row = self.state.rows_at[won as usize][i] as usize;
            if !self.state.may_go(row, won, lost) || !self.state.list(row).contains(&won) {
                continue;
            }
            if exchanges.iter().any(|one| one.row == row) {
                continue;
            }
            tried += 1;
            if tried > self.sight.back {
                return Ok(false);
            }
            self.looks.spend(TRY)?;
            let back = Exchange { row, from: won, to: lost, leads: false };
            if self.state.tried(&[exchanges, &[back]].concat()) == Tried::Better {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The broker that has one less after the exchanges, and the one that has one more; `None` where counts stay.
    fn shifted(&self, exchanges: &[Exchange]) -> Option<(u32, u32)> {
        let mut net: Vec<(u32, i32)> = Vec::new();
        let mut add = |broker: u32, by: i32| match net.iter_mut().find(|(one, _)| *one == broker) {
            Some((_, change)) => *change += by,
            None => net.push((broker, by)),
        };
        for &Exchange { row, from, to, .. } in exchanges {
            if !self.state.list(row).contains(&to) {
                add(from, -1);
                add(to, 1);
            }
        }
        let changed = |by: i32| net.iter().find(|&&(_, change)| change == by).map(|&(broker, _)| broker);
        Some((changed(-1)?, changed(1)?))
    }

    /// Topic by topic; where moves rank before, only topics that move.
    fn level_topics(&mut self) -> Found {
        let topics = self.state.topic_starts.len() - 1;
        let is_bound = self.roads.ranks_before(Rank::Moves, Rank::Topics);
        let mut any = false;
        for topic in 0..topics {
            let rows = self.state.topic_starts[topic]..self.state.topic_starts[topic + 1];
            if rows.is_empty() || (is_bound && !rows.clone().any(|row| self.moves(row))) {
                continue;
            }
            any |= self.level(&Road::Topic(rows), PARTS * topic / topics..PARTS * (topic + 1) / topics)?;
        }
        Ok(any)
    }

    fn moves(&self, row: usize) -> bool {
        self.state.list(row).iter().any(|&broker| self.state.is_new(row, broker))
    }

    /// Replicas that moved go home where no rank before asks for it, alone or against another.
    fn send_home(&mut self) -> Found {
        let mut any = false;
        for row in 0..self.state.rows {
            self.tell(PARTS * row / self.state.rows);
            while self.moves(row) && self.goes_home(row)? {
                any = true;
            }
        }
        Ok(any)
    }

    fn goes_home(&mut self, row: usize) -> Found {
        let list = self.state.list(row).to_vec();
        let before = self.state.before(row);
        let is_open = |&&home: &&u32| self.state.is_in(home) && !list.contains(&home);
        let homes: Vec<u32> = before.iter().filter(is_open).copied().collect();
        for to in homes {
            for &from in list.iter().filter(|&broker| !before.contains(broker)) {
                for leads in [false, true] {
                    if self.goes(&[Exchange { row, from, to, leads }])? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
