//! What one exchange may do by itself for one rank: which there are, and whether it costs nothing of a rank before.

use super::problem::Rank;
use super::ranked_state::{Exchange, RankedState};
use std::ops::Range;

/// Where chains of one rank lead.
#[derive(Clone)]
pub(super) enum Road {
    Counts,
    Leaders,
    /// Rows of one topic.
    Topic(Range<usize>),
}

impl Road {
    pub fn rank(&self) -> Rank {
        match self {
            Road::Counts => Rank::Counts,
            Road::Leaders => Rank::Leaders,
            Road::Topic(_) => Rank::Topics,
        }
    }
}

/// What of the order a search asks again and again.
pub(super) struct Roads {
    /// Of each rank, at its own number, its place in the order; those not sought stand behind all others.
    places: [usize; 4],
    sought: usize,
}

impl Roads {
    pub fn new(order: &[Rank]) -> Roads {
        let mut places = [order.len(); 4];
        for (place, &rank) in order.iter().enumerate() {
            places[rank as usize] = place;
        }
        Roads { places, sought: order.len() }
    }

    pub fn ranks_before(&self, one: Rank, other: Rank) -> bool {
        let (one, other) = (self.places[one as usize], self.places[other as usize]);
        one < other && other < self.sought
    }
}

impl RankedState<'_> {
    /// What a broker has of it.
    pub fn amount(&self, road: &Road, broker: u32) -> i32 {
        match road {
            Road::Counts => self.load[broker as usize],
            Road::Leaders => self.leads[broker as usize],
            Road::Topic(rows) => self.topic_counts(rows.start)[broker as usize],
        }
    }

    /// How many rows a broker may give one of, and each of them.
    pub fn row_count(&self, road: &Road, broker: u32) -> usize {
        match road {
            Road::Topic(rows) => rows.len(),
            _ => self.rows_at[broker as usize].len(),
        }
    }

    pub fn row(&self, road: &Road, broker: u32, i: usize) -> usize {
        match road {
            Road::Topic(rows) => rows.start + i,
            _ => self.rows_at[broker as usize][i] as usize,
        }
    }

    /// Whether one less on the one broker and one more on the other is for the better.
    pub fn gains(&self, road: &Road, from: u32, to: u32) -> bool {
        let weight = |broker: u32| if matches!(road, Road::Counts) { i64::from(self.weight(broker)) } else { 1 };
        let amount = |broker: u32| i64::from(self.amount(road, broker));
        (2 * amount(from) - 1) * weight(to) > (2 * amount(to) + 1) * weight(from)
    }

    /// The exchange of one row between two brokers, if it costs nothing of a rank before by itself.
    pub fn exchange(&self, roads: &Roads, road: &Road, (row, from, to): (usize, u32, u32)) -> Option<Exchange> {
        match road {
            Road::Leaders => self.lead_for(roads, (row, from, to)),
            _ => self.exchange_for(roads, road.rank(), Exchange { row, from, to, leads: false }),
        }
    }

    fn exchange_for(&self, roads: &Roads, rank: Rank, exchange: Exchange) -> Option<Exchange> {
        let Exchange { row, from, to, .. } = exchange;
        let list = self.list(row);
        let (f, t) = (from as usize, to as usize);
        let is_before = |one: Rank| roads.ranks_before(one, rank);
        if !list.contains(&from) || list.contains(&to) {
            return None;
        }
        if is_before(Rank::Moves) && self.is_new(row, to) && !self.is_new(row, from) {
            return None;
        }
        if is_before(Rank::Leaders) && list[0] == from && self.leads[f] <= self.leads[t] {
            return None;
        }
        if is_before(Rank::Topics) {
            let counts = self.topic_counts(row);
            if counts[f] <= counts[t] {
                return None;
            }
        }
        if rank == Rank::Leaders && is_before(Rank::Counts) && self.weighs(from) <= self.weighs(to) {
            return None;
        }
        self.may_go(row, from, to).then_some(exchange)
    }

    fn weighs(&self, broker: u32) -> f64 {
        f64::from(self.load[broker as usize]) / f64::from(self.weight(broker))
    }

    /// The lead of a row goes from one broker to another: of the list, or in the place of one of the list.
    fn lead_for(&self, roads: &Roads, (row, from, to): (usize, u32, u32)) -> Option<Exchange> {
        let list = self.list(row);
        if list[0] != from {
            return None;
        }
        if list.contains(&to) {
            return Some(Exchange { row, from, to, leads: true });
        }
        let in_place_of = |&leaving: &u32| Exchange { row, from: leaving, to, leads: true };
        list.iter().map(in_place_of).find_map(|one| self.exchange_for(roads, Rank::Leaders, one))
    }
}
