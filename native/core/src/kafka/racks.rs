//! Which members share a rack with which partitions, and whether that matters to an assignor (KIP-881).
//!
//! For the client-side assignors. Source: Apache Kafka 4.4.0, AbstractPartitionAssignor.useRackAwareAssignment. What
//! differs from the obvious: where every partition lies on every rack, racks do not matter; replicas that are offline
//! count; and a member without a rack fits everywhere.

use super::problem::Racks;

impl<'a> Racks<'a> {
    /// Racks of the slot's replicas, each once.
    pub(super) fn of_slot(&self, slot: u32) -> &'a [u32] {
        self.of_set(self.set_of[slot as usize])
    }

    fn of_set(&self, set: u32) -> &'a [u32] {
        let set = set as usize;
        &self.set_racks[self.set_offsets[set] as usize..self.set_offsets[set + 1] as usize]
    }

    /// True if a replica of the slot lies on the rack.
    pub(super) fn holds(&self, slot: u32, rack: i32) -> bool {
        self.of_slot(slot).contains(&(rack as u32))
    }

    /// True if the member has no rack, or the slot a replica there.
    pub(super) fn fits(&self, member: u32, slot: u32) -> bool {
        let rack = self.of_member[member as usize];
        rack < 0 || self.holds(slot, rack)
    }

    /// True if racks matter: a member's rack holds replicas, and not every partition lies on all racks that any lies on.
    pub(super) fn matter(&self, members: impl Iterator<Item = u32>, slots: impl Iterator<Item = u32>) -> bool {
        let mut mine = vec![false; self.count];
        let mut any = false;
        for member in members {
            if let Ok(rack) = usize::try_from(self.of_member[member as usize]) {
                mine[rack] = true;
                any = true;
            }
        }
        any && self.matter_to(&mine, slots)
    }

    fn matter_to(&self, mine: &[bool], slots: impl Iterator<Item = u32>) -> bool {
        let mut seen = vec![false; self.set_offsets.len() - 1];
        let mut sets = 0;
        let mut times = vec![0; self.count];
        for slot in slots {
            let set = self.set_of[slot as usize];
            if !std::mem::replace(&mut seen[set as usize], true) {
                sets += 1;
                self.of_set(set).iter().for_each(|&rack| times[rack as usize] += 1);
            }
        }
        let near = mine.iter().zip(&times).any(|(&mine, &times)| mine && times > 0);
        near && times.iter().any(|&times| times > 0 && times < sets)
    }

    /// How many members are on the racks of each set.
    pub(super) fn members_near(&self) -> Vec<u32> {
        let mut on_rack = vec![0; self.count];
        for &rack in self.of_member {
            if let Ok(rack) = usize::try_from(rack) {
                on_rack[rack] += 1;
            }
        }
        let sets = 0..self.set_offsets.len() as u32 - 1;
        sets.map(|set| self.of_set(set).iter().map(|&rack| on_rack[rack as usize]).sum()).collect()
    }
}
