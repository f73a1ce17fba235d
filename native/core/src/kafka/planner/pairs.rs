//! A number for some of the pairs of brokers: in a table where the brokers are few, in a map where the table would be larger
//! than what it holds.

use std::collections::HashMap;

/// Up to so many brokers a table: 32 MB with eight bytes a pair.
const MOST_IN_TABLE: usize = 2048;

/// Of each pair two numbers; 0 where none was set.
pub(super) struct Pairs {
    brokers: u64,
    numbers: Numbers,
}

enum Numbers {
    Table(Vec<u32>),
    Map(HashMap<u64, u32>),
}

/// Two brokers, from and to.
pub(super) type Pair = (u32, u32);

impl Pairs {
    pub fn new(brokers: usize) -> Pairs {
        let table = || Numbers::Table(vec![0; brokers * brokers * 2]);
        let numbers = if brokers <= MOST_IN_TABLE { table() } else { Numbers::Map(HashMap::new()) };
        Pairs { brokers: brokers as u64, numbers }
    }

    /// `side`: 0 or 1.
    fn key(&self, (from, to): Pair, side: usize) -> u64 {
        (u64::from(from) * self.brokers + u64::from(to)) * 2 + side as u64
    }

    pub fn get(&self, pair: Pair, side: usize) -> u32 {
        let key = self.key(pair, side);
        match &self.numbers {
            Numbers::Table(table) => table[key as usize],
            Numbers::Map(map) => map.get(&key).copied().unwrap_or(0),
        }
    }

    pub fn set(&mut self, pair: Pair, side: usize, number: u32) {
        let key = self.key(pair, side);
        match &mut self.numbers {
            Numbers::Table(table) => table[key as usize] = number,
            Numbers::Map(map) => {
                map.insert(key, number);
            }
        }
    }
}
