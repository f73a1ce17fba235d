//! The members' lists of slots while slots are added and moved, in Java's order: what is moved goes to the end.
//!
//! For the general sticky algorithm. A slot lies in one list, nearly always; a claim beyond the count makes the original
//! hand slots out twice, and those second places are kept aside.

use super::claims::NOBODY;
use super::smallest::Tally;
use crate::kafka::list_builder::offsets_of;
use std::collections::BTreeMap;

/// A place in a list.
#[derive(Clone, Copy)]
struct Second {
    slot: u32,
    holder: u32,
    turn: u32,
}

/// Where a slot lay before a move: its first place, or one of the second ones.
struct Undo {
    slot: u32,
    second: Option<u32>,
    holder: u32,
    turn: u32,
}

pub(super) struct Lists {
    /// Whose list a slot is in, and when it came there.
    holder: Vec<u32>,
    turn: Vec<u32>,
    /// The same for slots that lie in more than one place, and which of these a slot has.
    seconds: Vec<Second>,
    seconds_of: BTreeMap<u32, Vec<u32>>,
    /// Of those, the member that the original's map of partitions names: the last one that the slot was given to.
    last_given: BTreeMap<u32, u32>,
    turns: u32,
    undo: Vec<Undo>,
}

impl Lists {
    pub(super) fn new(slots: usize) -> Lists {
        Lists {
            holder: vec![NOBODY; slots],
            turn: vec![0; slots],
            seconds: Vec::new(),
            seconds_of: BTreeMap::new(),
            last_given: BTreeMap::new(),
            turns: 0,
            undo: Vec::new(),
        }
    }

    pub(super) fn any_doubled(&self) -> bool {
        !self.seconds.is_empty()
    }

    pub(super) fn is_doubled(&self, slot: u32) -> bool {
        self.any_doubled() && self.seconds_of.contains_key(&slot)
    }

    /// Slots that lie in more than one place.
    pub(super) fn doubled(&self) -> impl Iterator<Item = u32> {
        self.seconds_of.keys().copied()
    }

    /// Whoever holds the slot, once for each place.
    pub(super) fn holders(&self, slot: u32) -> impl Iterator<Item = u32> {
        let first = Some(self.holder[slot as usize]).filter(|&holder| holder != NOBODY);
        let others = if self.any_doubled() { self.seconds_of.get(&slot) } else { None };
        first.into_iter().chain(others.into_iter().flatten().map(|&second| self.seconds[second as usize].holder))
    }

    /// The one place of a slot that is not doubled.
    #[inline]
    pub(super) fn holder(&self, slot: u32) -> u32 {
        self.holder[slot as usize]
    }

    /// The member that the original's map of partitions names.
    pub(super) fn owner(&self, slot: u32) -> u32 {
        let doubled = if self.any_doubled() { self.last_given.get(&slot) } else { None };
        doubled.copied().unwrap_or(self.holder[slot as usize])
    }

    fn next_turn(&mut self) -> u32 {
        self.turns += 1;
        self.turns - 1
    }

    pub(super) fn add(&mut self, slot: u32, member: u32, tally: &mut Tally) {
        tally.counts[member as usize] += 1;
        let turn = self.next_turn();
        if self.holder[slot as usize] == NOBODY {
            (self.holder[slot as usize], self.turn[slot as usize]) = (member, turn);
            return;
        }
        self.seconds_of.entry(slot).or_default().push(self.seconds.len() as u32);
        self.seconds.push(Second { slot, holder: member, turn });
        self.last_given.insert(slot, member);
    }

    /// Takes the slot out of its owner's list, where it stands first, and puts it at the end of another.
    pub(super) fn move_to(&mut self, slot: u32, to: u32, tally: &mut Tally) {
        let from = self.owner(slot);
        tally.move_one(from, to);
        let turn = self.next_turn();
        if !self.is_doubled(slot) {
            let (holder, before) = (self.holder[slot as usize], self.turn[slot as usize]);
            self.undo.push(Undo { slot, second: None, holder, turn: before });
            (self.holder[slot as usize], self.turn[slot as usize]) = (to, turn);
            return;
        }
        let second = self.first_of(slot, from);
        self.last_given.insert(slot, to);
        let (holder, at) = match second {
            None => (&mut self.holder[slot as usize], &mut self.turn[slot as usize]),
            Some(second) => {
                let second = &mut self.seconds[second as usize];
                (&mut second.holder, &mut second.turn)
            }
        };
        self.undo.push(Undo { slot, second, holder: *holder, turn: *at });
        (*holder, *at) = (to, turn);
    }

    /// Which second place of the slot comes first in the member's list; `None` for its first place.
    fn first_of(&self, slot: u32, member: u32) -> Option<u32> {
        let first = (self.holder[slot as usize] == member).then_some((self.turn[slot as usize], None));
        let seconds = self.seconds_of.get(&slot).into_iter().flatten().copied();
        let others = seconds
            .filter(|&second| self.seconds[second as usize].holder == member)
            .map(|second| (self.seconds[second as usize].turn, Some(second)));
        first.into_iter().chain(others).min().and_then(|(_, second)| second)
    }

    /// Forgets how to take back what was moved so far.
    pub(super) fn mark(&mut self) {
        self.undo.clear();
    }

    /// Takes all moves since the mark back; counts are the caller's.
    pub(super) fn restore(&mut self) {
        while let Some(Undo { slot, second, holder, turn }) = self.undo.pop() {
            match second {
                None => (self.holder[slot as usize], self.turn[slot as usize]) = (holder, turn),
                Some(second) => self.seconds[second as usize] = Second { slot, holder, turn },
            }
        }
    }

    /// The lists, laid out by member: offsets and values.
    pub(super) fn result(&self, counts: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let slots = self.holder.len() as u32;
        let mut at_turn = vec![NOBODY; self.turns as usize];
        for slot in 0..slots {
            if self.holder[slot as usize] != NOBODY {
                at_turn[self.turn[slot as usize] as usize] = slot;
            }
        }
        for (place, second) in (slots..).zip(&self.seconds) {
            at_turn[second.turn as usize] = place;
        }
        let offsets = offsets_of(counts);
        let mut ends = offsets.clone();
        let mut values = vec![0; offsets[counts.len()] as usize];
        for place in at_turn.into_iter().filter(|&place| place != NOBODY) {
            let (slot, holder) = match self.seconds.get((place as usize).wrapping_sub(slots as usize)) {
                Some(second) => (second.slot, second.holder),
                None => (place, self.holder[place as usize]),
            };
            let end = &mut ends[holder as usize];
            values[*end as usize] = slot;
            *end += 1;
        }
        (offsets, values)
    }
}
