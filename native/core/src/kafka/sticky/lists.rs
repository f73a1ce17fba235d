//! The members' lists of slots while slots are added and moved, in Java's order: what is moved goes to the end.
//!
//! For the general sticky algorithm. Who holds a slot stands by slot, the order in a log, whose last word counts. A slot
//! lies in one list, nearly always; a claim beyond the count makes the original hand slots out twice, and those second
//! places are kept aside.

use super::built::Laid;
use super::claims::NOBODY;
use super::smallest::Tally;
use crate::kafka::list_builder::offsets_of;
use std::collections::BTreeMap;

/// A place in a list beside the first one.
#[derive(Clone, Copy)]
struct Second {
    slot: u32,
    holder: u32,
    turn: u32,
}

/// Where a place was before a move.
struct Undo {
    place: u32,
    holder: u32,
    turn: u32,
}

pub(super) struct Lists {
    /// Whose list a slot is in: its first place.
    holder: Vec<u32>,
    /// Places in the order in which they came into a list: that of a slot, or behind those the second ones.
    log: Vec<u32>,
    /// The position in the log of each first place; empty until a slot has a second one.
    turn: Vec<u32>,
    /// Places of slots that lie in more than one, and which of these a slot has.
    seconds: Vec<Second>,
    seconds_of: BTreeMap<u32, Vec<u32>>,
    /// Of those, the member that the original's map of partitions names: the last one that the slot was given to.
    last_given: BTreeMap<u32, u32>,
    /// Moves since the mark, and how long the log was then.
    undo: Vec<Undo>,
    marked: usize,
}

impl Lists {
    /// Lists of what is kept: who keeps each slot, and the slots in the order in which they stand in the lists.
    pub(super) fn of(holder: Vec<u32>, log: Vec<u32>) -> Lists {
        Lists {
            holder,
            log,
            turn: Vec::new(),
            seconds: Vec::new(),
            seconds_of: BTreeMap::new(),
            last_given: BTreeMap::new(),
            undo: Vec::new(),
            marked: 0,
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
        let firsts = self.holder.len();
        first
            .into_iter()
            .chain(others.into_iter().flatten().map(move |&place| self.seconds[place as usize - firsts].holder))
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

    /// Who holds a place.
    fn holder_at(&mut self, place: u32) -> &mut u32 {
        let firsts = self.holder.len();
        match self.holder.get_mut(place as usize) {
            Some(holder) => holder,
            None => &mut self.seconds[place as usize - firsts].holder,
        }
    }

    fn turn_at(&mut self, place: u32) -> &mut u32 {
        let firsts = self.turn.len();
        match self.turn.get_mut(place as usize) {
            Some(turn) => turn,
            None => &mut self.seconds[place as usize - firsts].turn,
        }
    }

    pub(super) fn add(&mut self, slot: u32, member: u32, tally: &mut Tally) {
        tally.counts[member as usize] += 1;
        if self.holder[slot as usize] == NOBODY {
            self.holder[slot as usize] = member;
            self.come(slot);
            return;
        }
        self.tell_turns();
        let place = (self.holder.len() + self.seconds.len()) as u32;
        self.seconds_of.entry(slot).or_default().push(place);
        self.seconds.push(Second { slot, holder: member, turn: 0 });
        self.last_given.insert(slot, member);
        self.come(place);
    }

    /// A place comes to the end of its holder's list.
    fn come(&mut self, place: u32) {
        if self.any_doubled() {
            *self.turn_at(place) = self.log.len() as u32;
        }
        self.log.push(place);
    }

    /// From now on it is asked which of a slot's places came first.
    fn tell_turns(&mut self) {
        if self.turn.is_empty() {
            self.turn = vec![0; self.holder.len()];
            for (&place, turn) in self.log.iter().zip(0..) {
                self.turn[place as usize] = turn;
            }
        }
    }

    /// Takes the slot out of its owner's list, where it stands first, and puts it at the end of another.
    pub(super) fn move_to(&mut self, slot: u32, to: u32, tally: &mut Tally) {
        let from = self.owner(slot);
        tally.move_one(from, to);
        let mut place = slot;
        let mut turn = 0;
        if self.any_doubled() {
            if self.is_doubled(slot) {
                place = self.first_of(slot, from);
                self.last_given.insert(slot, to);
            }
            turn = *self.turn_at(place);
        }
        let holder = std::mem::replace(self.holder_at(place), to);
        self.undo.push(Undo { place, holder, turn });
        self.come(place);
    }

    /// Which place of the slot comes first in the member's list.
    fn first_of(&mut self, slot: u32, member: u32) -> u32 {
        let mut places = self.seconds_of.get(&slot).cloned().unwrap_or_default();
        places.push(slot);
        places.retain(|&place| *self.holder_at(place) == member);
        places.into_iter().min_by_key(|&place| *self.turn_at(place)).unwrap_or(slot)
    }

    /// Forgets how to take back what was moved so far.
    pub(super) fn mark(&mut self) {
        self.undo.clear();
        self.marked = self.log.len();
    }

    /// Takes all moves since the mark back; counts are the caller's.
    pub(super) fn restore(&mut self) {
        while let Some(Undo { place, holder, turn }) = self.undo.pop() {
            *self.holder_at(place) = holder;
            if self.any_doubled() {
                *self.turn_at(place) = turn;
            }
        }
        self.log.truncate(self.marked);
    }

    /// The lists, laid out by member, and who holds each slot.
    pub(super) fn result(self, counts: &[u32]) -> (Laid, Vec<u32>) {
        let offsets = offsets_of(counts);
        let mut starts = offsets[1..].to_vec();
        let mut values = vec![0; offsets[counts.len()] as usize];
        let has_moves = self.log.len() > values.len();
        let mut seen = vec![false; if has_moves { self.holder.len() + self.seconds.len() } else { 0 }];
        for &place in self.log.iter().rev() {
            if has_moves && std::mem::replace(&mut seen[place as usize], true) {
                continue;
            }
            let second = self.seconds.get((place as usize).wrapping_sub(self.holder.len()));
            let (slot, holder) =
                second.map_or_else(|| (place, self.holder[place as usize]), |second| (second.slot, second.holder));
            let start = &mut starts[holder as usize];
            *start -= 1;
            values[*start as usize] = slot;
        }
        (Laid { offsets, values }, self.holder)
    }
}
