//! Which members are near which partitions, and how the partitions of a topic that change hands come near most often.
//!
//! Far is a partition that has replicas in known racks, none of them the rack of the member; a member without a rack is
//! near to all. Members of one rack are alike, and partitions of one set of racks: what changes hands is a matching of sets
//! and racks, found by making room along racks that could swap.

use crate::kafka::problem::{Problem, Racks};

/// A rack that no member has.
const NO_PLACE: u32 = u32::MAX;

pub(super) struct Nearness<'a> {
    racks: Racks<'a>,
    /// The place of each rack: in the order of the first member that it has.
    places: Vec<u32>,
    /// The place of each member's rack, by rank; the last of all for a member without one.
    pub(super) rack_of: Vec<u32>,
    /// How many places there are.
    pub(super) count: usize,
}

impl<'a> Nearness<'a> {
    /// `None` where no member has a rack.
    pub(super) fn of(problem: &Problem<'a>) -> Option<Nearness<'a>> {
        let racks = problem.racks?;
        let mut places = vec![NO_PLACE; racks.count];
        let mut count = 0;
        let members = problem.member_order.iter().map(|&member| racks.of_member[member as usize]);
        for rack in members.clone().filter(|&rack| rack >= 0) {
            if places[rack as usize] == NO_PLACE {
                places[rack as usize] = count;
                count += 1;
            }
        }
        let rack_of = members.map(|rack| if rack < 0 { count } else { places[rack as usize] }).collect();
        Some(Nearness { racks, places, rack_of, count: count as usize + 1 })
    }

    pub(super) fn is_far(&self, member: u32, slot: u32) -> bool {
        let near = self.racks.of_slot(slot);
        let place = self.rack_of[member as usize];
        let is_at = |&rack: &u32| self.places[rack as usize] == place;
        place as usize + 1 < self.count && !near.is_empty() && !near.iter().any(is_at)
    }

    /// The set of racks of a slot.
    pub(super) fn set_of(&self, slot: u32) -> u32 {
        self.racks.set_of[slot as usize]
    }

    /// Places near to a slot, that of the members without a rack among them.
    fn near(&self, slot: u32) -> Vec<u32> {
        let some = self.racks.of_slot(slot);
        let last = self.count as u32 - 1;
        if some.is_empty() {
            return (0..=last).collect();
        }
        let mut places: Vec<u32> = some.iter().map(|&rack| self.places[rack as usize]).collect();
        places.retain(|&place| place != NO_PLACE);
        places.sort_unstable();
        places.push(last);
        places
    }

    /// How many of some slots are near to each place.
    pub(super) fn wants(&self, slots: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut wants = vec![0; self.count];
        for slot in slots {
            for place in self.near(slot) {
                wants[place as usize] += 1;
            }
        }
        wants
    }
}

/// Partitions of a topic, by sets of racks, on their way to racks that have room.
pub(super) struct RackMatching<'a> {
    nearness: &'a Nearness<'a>,
    rooms: Vec<u32>,
    /// Sets in the order in which they come: the set, the places near to it, and how many of its partitions went to each.
    sets: Vec<RackSet>,
    seen: Vec<u32>,
    search: u32,
}

struct RackSet {
    set: u32,
    near: Vec<u32>,
    placed: Vec<u32>,
}

impl<'a> RackMatching<'a> {
    /// `rooms`: how many partitions each rack can take.
    pub(super) fn new(nearness: &'a Nearness<'a>, rooms: Vec<u32>) -> RackMatching<'a> {
        let seen = vec![0; rooms.len()];
        RackMatching { nearness, rooms, sets: Vec::new(), seen, search: 0 }
    }

    /// One more partition; it stays without a rack if none near has room, even if others make some. Returns its set here.
    pub(super) fn add(&mut self, slot: u32) -> usize {
        let set = self.nearness.set_of(slot);
        let at = self.sets.iter().position(|known| known.set == set).unwrap_or_else(|| {
            let placed = vec![0; self.rooms.len()];
            self.sets.push(RackSet { set, near: self.nearness.near(slot), placed });
            self.sets.len() - 1
        });
        self.search += 1;
        self.place(at);
        at
    }

    fn place(&mut self, set: usize) -> bool {
        for i in 0..self.sets[set].near.len() {
            let rack = self.sets[set].near[i] as usize;
            if self.seen[rack] == self.search {
                continue;
            }
            self.seen[rack] = self.search;
            if self.rooms[rack] > 0 {
                self.rooms[rack] -= 1;
            } else if !self.make_room(rack) {
                continue;
            }
            self.sets[set].placed[rack] += 1;
            return true;
        }
        false
    }

    /// Sends a partition of any set from the rack to another one.
    fn make_room(&mut self, rack: usize) -> bool {
        for set in 0..self.sets.len() {
            if self.sets[set].placed[rack] > 0 && self.place(set) {
                self.sets[set].placed[rack] -= 1;
                return true;
            }
        }
        false
    }

    /// The rack of the next partition of a set, lowest first; `None` for one that is near nowhere.
    pub(super) fn take(&mut self, set: usize) -> Option<usize> {
        let placed = &mut self.sets[set].placed;
        let rack = placed.iter().position(|&count| count > 0)?;
        placed[rack] -= 1;
        Some(rack)
    }

    /// A rack that has room left.
    pub(super) fn take_any(&mut self) -> usize {
        let rack = self.rooms.iter().position(|&room| room > 0).expect("as many partitions as room");
        self.rooms[rack] -= 1;
        rack
    }
}
