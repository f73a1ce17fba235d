//! Partitions that have changed, by the brokers that hold them since.

use super::problem::NONE;
use super::state::State;

pub(super) struct Changed {
    /// Of each broker, partitions that it held at the start too.
    pub homes: Vec<Vec<u32>>,
    /// Of each broker, partitions that came to it.
    pub guests: Vec<Vec<u32>>,
    /// Brokers that lost a partition and are still in, each once.
    pub losers: Vec<u32>,
    is_loser: Vec<bool>,
}

impl Changed {
    pub fn new(brokers: usize) -> Changed {
        let lists = || vec![Vec::new(); brokers];
        Changed { homes: lists(), guests: lists(), losers: Vec::new(), is_loser: vec![false; brokers] }
    }

    /// A partition that has changed, perhaps not for the first time, and the brokers that lost it.
    pub fn add(&mut self, state: &State<'_>, p: usize, lost: &[u32]) {
        for &broker in state.holders(p).iter().filter(|&&broker| broker != NONE) {
            let lists = if state.held(p, broker) { &mut self.homes } else { &mut self.guests };
            lists[broker as usize].push(p as u32);
        }
        for &home in lost {
            if !std::mem::replace(&mut self.is_loser[home as usize], true) {
                self.losers.push(home);
            }
        }
    }
}
