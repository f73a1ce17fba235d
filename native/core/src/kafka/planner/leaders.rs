//! Leaders levelled by putting lists in another order, which moves no data.
//!
//! The least sum of squares that these replica sets allow: a pass over the partitions whose leaders have too many, then
//! shortest chains from a broker that leads many to one that leads two fewer, until there is none. A leader stays where
//! changing it helps nobody.

use super::lists::Lists;
use super::problem::{NONE, Problem};

const PASSES: usize = 3;

pub(super) fn level_leaders(problem: &Problem<'_>, lists: &mut Lists) {
    let mut leading = Leading::new(problem, lists);
    for _ in 0..PASSES {
        leading.pass();
    }
    let mut order = leading.ins.clone();
    loop {
        let mut any = false;
        order.sort_by_key(|&b| (std::cmp::Reverse(leading.load[b as usize]), b));
        for &from in &order {
            while !problem.pulse.ask() && leading.relieve(from) {
                any = true;
            }
        }
        if !any || problem.pulse.ask() {
            return;
        }
    }
}

/// The sum of squares of the leaders' counts.
pub(super) fn unevenness(problem: &Problem<'_>, lists: &Lists) -> u64 {
    let mut load = vec![0_u64; problem.brokers()];
    problem.partitions_while_wanted().for_each(|p| {
        if lists.offsets[p] < lists.offsets[p + 1] {
            load[lists.replicas[lists.offsets[p] as usize] as usize] += 1;
        }
    });
    load.iter().map(|count| count * count).sum()
}

struct Leading<'p, 'l> {
    problem: &'p Problem<'p>,
    lists: &'l mut Lists,
    load: Vec<u32>,
    /// Partitions that each broker leads; some may have left. Made when the passes are done.
    led: Vec<Vec<u32>>,
    /// Who stands in a partition that a broker leads, or led: its lead could go there.
    can_lead: Rows,
    /// The broker before each on the way; `NONE` for one not reached.
    before: Vec<u32>,
    /// Brokers that are in.
    ins: Vec<u32>,
}

/// A row of bits for each broker, one for each broker.
#[derive(Default)]
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn of(brokers: usize) -> Rows {
        let words = brokers.div_ceil(64);
        Rows { words, bits: vec![0; brokers * words] }
    }

    fn row(&self, broker: u32) -> &[u64] {
        &self.bits[broker as usize * self.words..][..self.words]
    }

    fn set(&mut self, broker: u32, other: u32) {
        self.bits[broker as usize * self.words + other as usize / 64] |= 1 << (other % 64);
    }

    fn clear(&mut self, broker: u32, other: u32) {
        self.bits[broker as usize * self.words + other as usize / 64] &= !(1 << (other % 64));
    }
}

impl<'p, 'l> Leading<'p, 'l> {
    fn new(problem: &'p Problem<'p>, lists: &'l mut Lists) -> Leading<'p, 'l> {
        let ins = (0..problem.brokers() as u32).filter(|&b| problem.is_in[b as usize] == 1).collect();
        let (led, before, can_lead) = (Vec::new(), Vec::new(), Rows::default());
        let load = vec![0; problem.brokers()];
        let mut leading = Leading { problem, lists, load, led, can_lead, before, ins };
        problem.partitions_while_wanted().for_each(|p| {
            if let Some(leader) = leading.leader(p) {
                leading.load[leader as usize] += 1;
            }
        });
        leading
    }

    fn list(&self, p: usize) -> &[u32] {
        &self.lists.replicas[self.lists.offsets[p] as usize..self.lists.offsets[p + 1] as usize]
    }

    fn leader(&self, p: usize) -> Option<u32> {
        self.list(p).first().copied()
    }

    /// Gives away the lead where the leader has more than its even share.
    fn pass(&mut self) {
        let share = (self.problem.partitions() as u32).div_ceil(self.ins.len().max(1) as u32);
        self.problem.partitions_while_wanted().for_each(|p| {
            let Some(leader) = self.leader(p).filter(|&leader| self.load[leader as usize] > share) else { return };
            let least = self.list(p).iter().copied().min_by_key(|&broker| self.load[broker as usize]);
            let least = least.expect("there is a leader");
            if self.load[least as usize] + 1 < self.load[leader as usize] {
                self.lead(p, least);
            }
        });
    }

    /// Puts a broker of the list first; the others keep their order.
    fn lead(&mut self, p: usize, broker: u32) {
        let start = self.lists.offsets[p] as usize;
        let list = &mut self.lists.replicas[start..self.lists.offsets[p + 1] as usize];
        let at = list.iter().position(|&other| other == broker).expect("in the list");
        self.load[list[0] as usize] -= 1;
        self.load[broker as usize] += 1;
        list[..=at].rotate_right(1);
    }

    fn relieve(&mut self, from: u32) -> bool {
        if self.led.is_empty() {
            self.list_led();
        }
        if !self.ins.iter().any(|&to| self.gains(from, to)) {
            return false;
        }
        while let Some(to) = self.lighter(from) {
            if self.shift(to, from) {
                return true;
            }
        }
        false
    }

    /// The lightest broker of the nearest ones that a lead of this one helps, the ways in `before`.
    fn lighter(&mut self, from: u32) -> Option<u32> {
        self.before.fill(NONE);
        self.before[from as usize] = from;
        let mut unreached = vec![u64::MAX; self.can_lead.words];
        unreached[from as usize / 64] &= !(1 << (from % 64));
        let mut layer = vec![from];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &at in &layer {
                self.reach_from(at, &mut unreached, &mut next);
            }
            let lighter = next.iter().copied().filter(|&to| self.gains(from, to));
            let lightest = lighter.min_by_key(|&to| self.load[to as usize]);
            if lightest.is_some() {
                return lightest;
            }
            layer = next;
        }
        None
    }

    fn gains(&self, from: u32, to: u32) -> bool {
        self.load[to as usize] + 1 < self.load[from as usize]
    }

    fn list_led(&mut self) {
        self.before = vec![NONE; self.load.len()];
        self.led = vec![Vec::new(); self.load.len()];
        self.can_lead = Rows::of(self.load.len());
        self.problem.partitions_while_wanted().for_each(|p| {
            if let Some(leader) = self.leader(p) {
                self.add_led(p as u32, leader);
            }
        });
    }

    fn add_led(&mut self, p: u32, leader: u32) {
        self.led[leader as usize].push(p);
        for i in self.lists.offsets[p as usize]..self.lists.offsets[p as usize + 1] {
            self.can_lead.set(leader, self.lists.replicas[i as usize]);
        }
    }

    /// Brokers not reached before that can take a lead of this one, ascending.
    fn reach_from(&mut self, at: u32, unreached: &mut [u64], reached: &mut Vec<u32>) {
        for (word, (&row, unreached)) in self.can_lead.row(at).iter().zip(unreached).enumerate() {
            let mut new = row & *unreached;
            *unreached &= !new;
            while new != 0 {
                let to = word as u32 * 64 + new.trailing_zeros();
                new &= new - 1;
                self.before[to as usize] = at;
                reached.push(to);
            }
        }
    }

    /// Gives leads on along the way; false, and nothing is done, where one of them has left since its bit was set: then that
    /// is cleared.
    fn shift(&mut self, last: u32, first: u32) -> bool {
        let mut way = Vec::new();
        let mut to = last;
        while to != first {
            let from = self.before[to as usize];
            let Some(p) = self.lead_of(from, to) else {
                self.can_lead.clear(from, to);
                return false;
            };
            way.push((p, to));
            to = from;
        }
        for (p, to) in way {
            self.lead(p as usize, to);
            self.add_led(p, to);
        }
        true
    }

    /// The first partition that a broker leads and the other can.
    fn lead_of(&self, from: u32, to: u32) -> Option<u32> {
        let fits = |&&p: &&u32| self.leader(p as usize) == Some(from) && self.list(p as usize).contains(&to);
        self.led[from as usize].iter().find(fits).copied()
    }
}
