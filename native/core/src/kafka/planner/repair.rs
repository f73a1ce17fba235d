//! Each partition by itself to a legal set that costs the fewest moves; what must be placed goes to the broker furthest
//! below its share.
//!
//! All are stripped first, then filled, so that it is known who lacks how much. No exchange inside one partition is cheaper
//! afterwards: the start that the search for the fewest moves needs.

use super::chance::mixed;
use super::problem::NONE;
use super::state::State;

/// `low` and `share`: what each broker should have at least, and what its room is measured against.
pub(super) fn repair(state: &mut State<'_>, low: &[u32], share: &[u32]) {
    let pulse = state.problem.pulse;
    let goes_on = |_: &&usize| !pulse.is_stopped();
    let mut broken: Vec<usize> = Vec::new();
    state.problem.partitions_while_wanted().filter(|&p| !is_legal(state, p)).for_each(|p| broken.push(p));
    for &p in broken.iter().take_while(goes_on) {
        strip(state, p, share);
    }
    let mut filler = Filler::new(state, low, share);
    for &p in broken.iter().take_while(goes_on) {
        filler.fill(p);
    }
}

fn is_legal(state: &State<'_>, p: usize) -> bool {
    let holders = state.holders(p);
    if holders.len() != state.problem.factor(p) {
        return false;
    }
    let stands = |(i, &broker): (usize, &u32)| {
        broker != NONE
            && state.is_in(broker)
            && !holders[..i].contains(&broker)
            && fits_rack(state, p, state.rack(broker))
    };
    let class = state.class(p);
    let filled = |(rack, &low): (usize, &u32)| low == 0 || state.count_in(p, rack) >= low;
    holders.iter().enumerate().all(stands) && class.low.iter().enumerate().all(filled)
}

fn fits_rack(state: &State<'_>, p: usize, rack: usize) -> bool {
    let class = state.class(p);
    class.high[rack] as usize >= state.problem.factor(p) || state.count_in(p, rack) <= class.high[rack]
}

/// Takes away what no legal set can keep, from the brokers that have most beyond their share.
fn strip(state: &mut State<'_>, p: usize, share: &[u32]) {
    for slot in state.slots(p) {
        let broker = state.at(slot);
        let first = state.slots(p).start;
        let is_repeated = (first..slot).any(|before| state.at(before) == broker);
        if broker != NONE && (!state.is_in(broker) || is_repeated) {
            state.put(slot, NONE);
        }
    }
    while let Some(slot) = surplus(state, p, share) {
        state.put(slot, NONE);
    }
}

/// A slot of a rack that has too many, or, where the racks together have, of one that has more than the least.
fn surplus(state: &State<'_>, p: usize, share: &[u32]) -> Option<usize> {
    let class = state.class(p);
    let counts: Vec<u32> = (0..state.problem.racks).map(|rack| state.count_in(p, rack)).collect();
    let any_over = counts.iter().zip(&class.high).any(|(count, high)| count > high);
    let needed: u32 = counts.iter().zip(&class.low).map(|(&count, &low)| count.max(low)).sum();
    if !any_over && needed as usize <= state.problem.factor(p) {
        return None;
    }
    let may_go = |&slot: &usize| {
        let broker = state.at(slot);
        if broker == NONE {
            return false;
        }
        let rack = state.rack(broker);
        counts[rack] > if any_over { class.high[rack] } else { class.low[rack] }
    };
    let beyond = |slot: usize| {
        let broker = state.at(slot);
        (i64::from(state.load[broker as usize]) - i64::from(share[broker as usize]), mixed(p as u32, broker), slot)
    };
    state.slots(p).filter(may_go).map(beyond).max().map(|(_, _, slot)| slot)
}

struct Filler<'s, 'a> {
    state: &'s mut State<'a>,
    low: &'s [u32],
    share: &'s [u32],
    /// What the brokers of each rack lack.
    lacking: Vec<u64>,
}

impl<'s, 'a> Filler<'s, 'a> {
    fn new(state: &'s mut State<'a>, low: &'s [u32], share: &'s [u32]) -> Filler<'s, 'a> {
        let lack = |&broker: &u32| u64::from(low[broker as usize].saturating_sub(state.load[broker as usize]));
        let lacking = state.in_rack.iter().map(|brokers| brokers.iter().map(lack).sum()).collect();
        Filler { state, low, share, lacking }
    }

    fn fill(&mut self, p: usize) {
        let factor = self.state.problem.factor(p);
        let mut left = factor - self.state.holders(p).iter().filter(|&&broker| broker != NONE).count();
        for slot in self.state.slots(p) {
            if left > 0 && self.state.at(slot) == NONE {
                let broker = self.pick(p, slot);
                let lacked = self.state.load[broker as usize] < self.low[broker as usize];
                self.lacking[self.state.rack(broker)] -= u64::from(lacked);
                self.state.put(slot, broker);
                left -= 1;
            }
        }
    }

    fn pick(&self, p: usize, slot: usize) -> u32 {
        let racks = self.open_racks(p);
        let neediest = racks.iter().copied().max_by_key(|&rack| (self.lacking[rack], mixed(p as u32, rack as u32)));
        let rack = neediest.expect("the facade has refused what has no legal set");
        let among = if self.lacking[rack] > 0 { vec![rack] } else { racks };
        let mut best = (i64::MIN, NONE);
        for rack in among {
            best = self.roomiest(p, (slot as u32, rack), best);
        }
        best.1
    }

    /// Racks that still need a replica of this partition, or if none does, that may have one.
    fn open_racks(&self, p: usize) -> Vec<usize> {
        let class = self.state.class(p);
        let below = |limit: &[u32]| -> Vec<usize> {
            (0..limit.len()).filter(|&rack| limit[rack] > 0 && self.state.count_in(p, rack) < limit[rack]).collect()
        };
        let needing = below(&class.low);
        if needing.is_empty() { below(&class.high) } else { needing }
    }

    /// The broker of a rack furthest below its share; of equal ones the first from a place that differs by slot.
    fn roomiest(&self, p: usize, (slot, rack): (u32, usize), mut best: (i64, u32)) -> (i64, u32) {
        let brokers = &self.state.in_rack[rack];
        let start = mixed(slot, rack as u32) as usize % brokers.len();
        for &broker in brokers[start..].iter().chain(&brokers[..start]) {
            let b = broker as usize;
            let room = i64::from(self.share[b]) - i64::from(self.state.load[b]);
            if room > best.0 && !self.state.holds(p, broker) {
                best = (room, broker);
            }
        }
        best
    }
}
