//! Members in the order of the room they have, kept while it shrinks one by one.
//!
//! For whoever places extras. Members of equal room stand together; one whose room shrinks changes places with the last of
//! them, so that each step costs the same, however many members there are.

/// Members by room, most first, in steps of one downwards.
pub(super) struct MostRoomFirst {
    pub(super) members: Vec<u32>,
    places: Vec<u32>,
    rooms: Vec<u32>,
    /// How many members have that much room or more.
    counts: Vec<u32>,
}

impl MostRoomFirst {
    pub(super) fn new(members: &[u32], room_of: impl Fn(u32) -> u32) -> MostRoomFirst {
        let size = members.last().map_or(0, |&last| last as usize + 1);
        let mut order = MostRoomFirst {
            members: vec![0; members.len()],
            places: vec![0; size],
            rooms: vec![0; size],
            counts: Vec::new(),
        };
        for &member in members {
            order.rooms[member as usize] = room_of(member);
        }
        let most = members.iter().map(|&member| order.rooms[member as usize]).max().unwrap_or(0) as usize;
        order.counts.resize(most + 2, 0);
        for &member in members {
            order.counts[order.rooms[member as usize] as usize] += 1;
        }
        for room in (0..=most).rev() {
            order.counts[room] += order.counts[room + 1];
        }
        let mut at = order.counts[1..].to_vec();
        for &member in members {
            let at = &mut at[order.rooms[member as usize] as usize];
            order.put(member, *at);
            *at += 1;
        }
        order
    }

    /// Members before that have some.
    pub(super) fn with_room(&self) -> usize {
        self.counts[1] as usize
    }

    fn put(&mut self, member: u32, place: u32) {
        self.members[place as usize] = member;
        self.places[member as usize] = place;
    }

    /// Takes one from the room of a member that has some.
    pub(super) fn lower(&mut self, member: u32) {
        let place = self.places[member as usize];
        let count = &mut self.counts[self.rooms[member as usize] as usize];
        *count -= 1;
        let last = *count;
        self.put(self.members[last as usize], place);
        self.put(member, last);
        self.rooms[member as usize] -= 1;
    }
}
