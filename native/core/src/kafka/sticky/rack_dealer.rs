//! Members that wait for partitions, found by rack: those below the minimum in a ring, those at it in a row.
//!
//! For the constrained sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.RackInfo.nextRackConsumer. The
//! original walks its lists member by member; here each rack knows its own.

use crate::kafka::problem::Racks;

pub(super) struct RackDealer<'a> {
    racks: Racks<'a>,
    /// The ring: members by place, those that are gone, and the place of each member.
    ring: Vec<u32>,
    gone: Vec<bool>,
    place_of: Vec<u32>,
    /// Places of each rack in the ring, and for each of those the index of the next that still waits.
    places: Vec<Vec<u32>>,
    next_waiting: Vec<Vec<u32>>,
    cursor: u32,
    /// The row: members in order of arrival, those that are gone, and the places of each rack.
    row: Vec<u32>,
    row_gone: Vec<bool>,
    row_places: Vec<Vec<u32>>,
    /// Which of its places in the row is each rack's first.
    row_first: Vec<usize>,
}

impl<'a> RackDealer<'a> {
    pub(super) fn new(racks: Racks<'a>, under: Vec<u32>, exact: &[u32]) -> RackDealer<'a> {
        let mut places = vec![Vec::new(); racks.count];
        let mut place_of = vec![0; racks.of_member.len()];
        for (place, &member) in (0..).zip(&under) {
            place_of[member as usize] = place;
            if let Ok(rack) = usize::try_from(racks.of_member[member as usize]) {
                places[rack].push(place);
            }
        }
        let next_waiting = places.iter().map(|places| (0..=places.len() as u32).collect()).collect();
        let mut dealer = RackDealer {
            racks,
            gone: vec![false; under.len()],
            ring: under,
            place_of,
            places,
            next_waiting,
            cursor: 0,
            row: Vec::new(),
            row_gone: Vec::new(),
            row_places: vec![Vec::new(); racks.count],
            row_first: vec![0; racks.count],
        };
        for &member in exact {
            dealer.add_exact(member);
        }
        dealer
    }

    fn rack_of(&self, member: u32) -> Option<usize> {
        usize::try_from(self.racks.of_member[member as usize]).ok()
    }

    /// The first member of the ring from the cursor on that is on one of the racks; the cursor then stands behind it.
    pub(super) fn next_under(&mut self, near: &[u32]) -> Option<u32> {
        let mut best = None;
        for &rack in near {
            let Some(place) = self.waiting_from(rack as usize) else { continue };
            // Places before the cursor come after all others.
            let turn = (place < self.cursor, place);
            if best.is_none_or(|best| turn < best) {
                best = Some(turn);
            }
        }
        let (_, place) = best?;
        self.cursor = if place as usize + 1 == self.ring.len() { 0 } else { place + 1 };
        Some(self.ring[place as usize])
    }

    fn waiting_from(&mut self, rack: usize) -> Option<u32> {
        let from = self.places[rack].partition_point(|&place| place < self.cursor);
        let mut at = self.waiting(rack, from);
        if at == self.places[rack].len() {
            at = self.waiting(rack, 0);
        }
        self.places[rack].get(at).copied()
    }

    /// The next index of the rack's places that still waits; paths are shortened on the way.
    fn waiting(&mut self, rack: usize, index: usize) -> usize {
        let next = &mut self.next_waiting[rack];
        let mut end = index;
        while next[end] as usize != end {
            end = next[end] as usize;
        }
        let mut at = index;
        while at != end {
            at = std::mem::replace(&mut next[at], end as u32) as usize;
        }
        end
    }

    pub(super) fn take_under(&mut self, member: u32) {
        let place = self.place_of[member as usize];
        self.gone[place as usize] = true;
        if let Some(rack) = self.rack_of(member) {
            let index = self.places[rack].partition_point(|&other| other < place);
            self.next_waiting[rack][index] = index as u32 + 1;
        }
    }

    /// The first member of the row that is on one of the racks.
    pub(super) fn first_exact(&self, near: &[u32]) -> Option<u32> {
        let firsts = near.iter().filter_map(|&rack| self.row_places[rack as usize].get(self.row_first[rack as usize]));
        firsts.min().map(|&place| self.row[place as usize])
    }

    /// Takes out the first member of its rack.
    pub(super) fn take_exact(&mut self, member: u32) {
        if let Some(rack) = self.rack_of(member) {
            self.row_gone[self.row_places[rack][self.row_first[rack]] as usize] = true;
            self.row_first[rack] += 1;
        }
    }

    pub(super) fn add_exact(&mut self, member: u32) {
        if let Some(rack) = self.rack_of(member) {
            self.row_places[rack].push(self.row.len() as u32);
        }
        self.row.push(member);
        self.row_gone.push(false);
    }

    pub(super) fn clear_exact(&mut self) {
        self.row.clear();
        self.row_gone.clear();
        self.row_places.iter_mut().for_each(Vec::clear);
        self.row_first.fill(0);
    }

    /// Who still waits below the minimum, and who at it, in order.
    pub(super) fn into_lists(self) -> (Vec<u32>, Vec<u32>) {
        (waiting(self.ring, &self.gone), waiting(self.row, &self.row_gone))
    }
}

fn waiting(members: Vec<u32>, gone: &[bool]) -> Vec<u32> {
    members.into_iter().zip(gone).filter(|&(_, &gone)| !gone).map(|(member, _)| member).collect()
}
