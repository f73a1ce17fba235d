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
            while leading.relieve(from) {
                any = true;
            }
        }
        if !any {
            return;
        }
    }
}

/// The sum of squares of the leaders' counts.
pub(super) fn unevenness(problem: &Problem<'_>, lists: &Lists) -> u64 {
    let mut load = vec![0_u64; problem.brokers()];
    for p in 0..problem.partitions() {
        if lists.offsets[p] < lists.offsets[p + 1] {
            load[lists.replicas[lists.offsets[p] as usize] as usize] += 1;
        }
    }
    load.iter().map(|count| count * count).sum()
}

struct Leading<'p, 'l> {
    problem: &'p Problem<'p>,
    lists: &'l mut Lists,
    load: Vec<u32>,
    /// Partitions that each broker leads; some may have left. Made when the passes are done.
    led: Vec<Vec<u32>>,
    /// The broker before each on the way, and the partition; `NONE` for one not reached.
    before: Vec<(u32, u32)>,
    unreached: usize,
    /// Brokers that are in.
    ins: Vec<u32>,
}

impl<'p, 'l> Leading<'p, 'l> {
    fn new(problem: &'p Problem<'p>, lists: &'l mut Lists) -> Leading<'p, 'l> {
        let ins = (0..problem.brokers() as u32).filter(|&b| problem.is_in[b as usize] == 1).collect();
        let (led, before) = (Vec::new(), Vec::new());
        let load = vec![0; problem.brokers()];
        let mut leading = Leading { problem, lists, load, led, before, unreached: 0, ins };
        for p in 0..problem.partitions() {
            if let Some(leader) = leading.leader(p) {
                leading.load[leader as usize] += 1;
            }
        }
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
        for p in 0..self.problem.partitions() {
            let Some(leader) = self.leader(p).filter(|&leader| self.load[leader as usize] > share) else { continue };
            let least = self.list(p).iter().copied().min_by_key(|&broker| self.load[broker as usize]);
            let least = least.expect("there is a leader");
            if self.load[least as usize] + 1 < self.load[leader as usize] {
                self.lead(p, least);
            }
        }
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
        self.before.fill((NONE, NONE));
        self.before[from as usize] = (from, NONE);
        self.unreached = self.ins.len() - 1;
        let mut layer = vec![from];
        while !layer.is_empty() {
            layer = layer.iter().flat_map(|&at| self.reach_from(at)).collect();
            if let Some(&to) =
                layer.iter().filter(|&&to| self.gains(from, to)).min_by_key(|&&to| self.load[to as usize])
            {
                self.shift(to, from);
                return true;
            }
        }
        false
    }

    fn gains(&self, from: u32, to: u32) -> bool {
        self.load[to as usize] + 1 < self.load[from as usize]
    }

    fn list_led(&mut self) {
        self.before = vec![(NONE, NONE); self.load.len()];
        self.led = vec![Vec::new(); self.load.len()];
        for p in 0..self.problem.partitions() {
            if let Some(leader) = self.leader(p) {
                self.led[leader as usize].push(p as u32);
            }
        }
    }

    /// Brokers not reached before that can take a lead of this one.
    fn reach_from(&mut self, at: u32) -> Vec<u32> {
        let mut reached = Vec::new();
        for i in 0..self.led[at as usize].len() {
            let p = self.led[at as usize][i];
            if self.unreached == 0 {
                break;
            }
            if self.leader(p as usize) == Some(at) {
                self.reach_by(p, at, &mut reached);
            }
        }
        reached
    }

    fn reach_by(&mut self, p: u32, at: u32, reached: &mut Vec<u32>) {
        for i in self.lists.offsets[p as usize]..self.lists.offsets[p as usize + 1] {
            let to = self.lists.replicas[i as usize];
            if self.before[to as usize].0 == NONE {
                self.before[to as usize] = (at, p);
                self.unreached -= 1;
                reached.push(to);
            }
        }
    }

    fn shift(&mut self, last: u32, first: u32) {
        let mut to = last;
        while to != first {
            let (from, p) = self.before[to as usize];
            self.lead(p as usize, to);
            self.led[to as usize].push(p);
            to = from;
        }
    }
}
