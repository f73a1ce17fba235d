//! What a level plan is where brokers have weights: how many replicas each may have, and which of them have the one more.
//!
//! A heavy broker can lack partitions to take, so that the totals of racks do not tell the levels, as they do without
//! weights. One level plan is made at any price: near by targets, then by chains of exchanges, which end at the least sum of
//! squares over weights. Other level plans differ from it by exchanges that cost as much as they gain, `(2 x + 1) / w`: such
//! a price is what groups the brokers that may have one more.

use super::even::{Allowed, Reach, even};
use super::exchanges::Exchanges;
use super::levels::Levels;
use super::problem::{NONE, Problem};
use super::repair::repair;
use super::rule::Class;
use super::state::State;
use super::weighted::targets;

/// Over and under the line, without a common divisor.
type Price = (u64, u64);

/// `None` if the work was stopped.
pub(super) fn weighted_levels(problem: &Problem<'_>, weights: &[u32], classes: &[Class]) -> Option<Levels> {
    let targets = targets(problem, weights, classes);
    let mut ideal = State::new(problem, classes)?;
    repair(&mut ideal, &targets, &targets);
    approach(&mut ideal, &targets);
    let mut exchanges = Exchanges::new(&mut ideal);
    even(&mut ideal, &mut exchanges, Allowed::Any);
    let levels = Spread::of(&ideal, weights, exchanges).levels();
    (!problem.pulse.ask()).then_some(levels)
}

/// Replicas of brokers above their target go straight to brokers below theirs.
fn approach(state: &mut State<'_>, targets: &[u32]) {
    let has_room = |state: &State<'_>, b: u32| state.load[b as usize] < targets[b as usize];
    let mut takers: Vec<u32> = (0..targets.len() as u32).filter(|&b| state.is_in(b) && has_room(state, b)).collect();
    for p in state.problem.partitions_while_wanted() {
        for slot in state.slots(p) {
            let from = state.at(slot);
            if takers.is_empty() || from == NONE || state.load[from as usize] <= targets[from as usize] {
                continue;
            }
            let start = slot % takers.len();
            let fits = |to: &&u32| !state.holds(p, **to) && state.may_cross(p, state.rack(from), state.rack(**to));
            let Some(&to) = takers[start..].iter().chain(&takers[..start]).find(fits) else { continue };
            state.put(slot, to);
            if !has_room(state, to) {
                takers.retain(|&taker| taker != to);
            }
        }
    }
}

/// A level plan, and what its exchanges cost.
struct Spread<'s, 'a> {
    state: &'s State<'a>,
    weights: &'s [u32],
    exchanges: Exchanges,
    ins: Vec<u32>,
}

impl<'s, 'a> Spread<'s, 'a> {
    fn of(state: &'s State<'a>, weights: &'s [u32], exchanges: Exchanges) -> Spread<'s, 'a> {
        let ins = (0..state.load.len() as u32).filter(|&b| state.is_in(b)).collect();
        Spread { state, weights, exchanges, ins }
    }

    /// What the next step onto a broker costs; one step back, what a step off it gains.
    fn price(&self, b: u32, steps_back: u32) -> Option<Price> {
        let load = u64::from(self.state.load[b as usize].checked_sub(steps_back)?);
        let (over, under) = (2 * load + 1, u64::from(self.weights[b as usize]));
        let (mut a, mut rest) = (over, under);
        while rest > 0 {
            (a, rest) = (rest, a % rest);
        }
        Some((over / a, under / a))
    }

    fn levels(mut self) -> Levels {
        let brokers = self.state.load.len();
        let mut levels = Levels {
            low: self.state.load.clone(),
            high: self.state.load.clone(),
            group: vec![NONE; brokers],
            due: Vec::new(),
            tight: vec![0; self.state.problem.racks],
        };
        let mut prices: Vec<Price> = Vec::new();
        for i in 0..self.ins.len() {
            if self.state.problem.pulse.ask() {
                break;
            }
            let from = self.ins[i];
            let Some(gains) = self.price(from, 1) else { continue };
            for to in self.equals(from, gains) {
                let at = prices.iter().position(|&known| known == gains).unwrap_or(prices.len());
                if at == prices.len() {
                    prices.push(gains);
                    levels.due.push(0);
                }
                join(&mut levels, (from, self.state.load[from as usize] - 1), at);
                join(&mut levels, (to, self.state.load[to as usize]), at);
            }
        }
        for &b in &self.ins {
            let b = b as usize;
            if levels.group[b] != NONE {
                levels.due[levels.group[b] as usize] += i64::from(self.state.load[b]) - i64::from(levels.low[b]);
            }
        }
        levels
    }

    /// Brokers that a chain leads to, and that pay what is gained.
    fn equals(&mut self, from: u32, gains: Price) -> Vec<u32> {
        if !self.ins.iter().any(|&to| self.price(to, 0) == Some(gains)) {
            return Vec::new();
        }
        let mut reach = Reach::new(self.state.load.len(), from, Allowed::Any);
        self.exchanges.seek(self.state, from, &mut reach);
        let mut next = 0;
        while next < reach.found.len() {
            reach.at = reach.found[next];
            self.exchanges.seek(self.state, reach.at, &mut reach);
            next += 1;
        }
        reach.found.into_iter().filter(|&to| self.price(to, 0) == Some(gains)).collect()
    }
}

/// A broker may have so many, or one more.
fn join(levels: &mut Levels, (broker, low): (u32, u32), group: usize) {
    let b = broker as usize;
    levels.low[b] = low;
    levels.high[b] = low + 1;
    levels.group[b] = group as u32;
}
