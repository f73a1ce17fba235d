//! Which partitions of a topic moved from whom to whom, so that a move the other way takes one of those back instead.
//!
//! For the general sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.PartitionMovements. What differs
//! from the obvious: which of them is taken back is the first that a HashSet gives, by the hash codes of topic and number,
//! with the places that earlier members of the set left behind.

use crate::kafka::java_table::JavaTable;
use std::collections::HashMap;

/// Slots that moved from one member to another, as a HashSet holds them.
struct MovedSlots {
    table: JavaTable,
    /// The slot of each node.
    slots: Vec<u32>,
}

/// A topic, and who gave and who got.
type Way = (u32, u32, u32);

pub(super) struct Movements {
    /// Where a slot was before its first move, and its node in the set of its moves.
    moved: HashMap<u32, (u32, u32)>,
    ways: HashMap<Way, MovedSlots>,
}

/// A slot with the topic it is of, and the hash code of its partition.
#[derive(Clone, Copy)]
pub(super) struct Moving {
    pub(super) slot: u32,
    pub(super) topic: u32,
    pub(super) hash_code: i32,
}

/// Numbers of one topic never share a hash code, so none is ever compared.
fn never(_: u32, _: u32) -> bool {
    true
}

impl Movements {
    pub(super) fn new() -> Movements {
        Movements { moved: HashMap::new(), ways: HashMap::new() }
    }

    /// The slot to move in place of `slot`, which is to go from `from` to `to`.
    pub(super) fn actual(&mut self, slot: u32, topic: u32, from: u32, to: u32) -> u32 {
        if self.ways.is_empty() {
            return slot;
        }
        let origin = self.moved.get(&slot).map_or(from, |&(origin, _)| origin);
        match self.ways.get_mut(&(topic, to, origin)) {
            Some(back) => back.slots[back.table.first() as usize],
            None => slot,
        }
    }

    pub(super) fn moved(&mut self, moving: Moving, from: u32, to: u32) {
        let Some((origin, node)) = self.moved.remove(&moving.slot) else {
            self.add(moving, from, to);
            return;
        };
        let way = (moving.topic, origin, from);
        if let Some(slots) = self.ways.get_mut(&way) {
            slots.table.remove(node);
            if slots.table.is_empty() {
                self.ways.remove(&way);
            }
        }
        if origin != to {
            self.add(moving, origin, to);
        }
    }

    fn add(&mut self, Moving { slot, topic, hash_code }: Moving, from: u32, to: u32) {
        let way = self.ways.entry((topic, from, to));
        let slots = way.or_insert_with(|| MovedSlots { table: JavaTable::new(16), slots: Vec::new() });
        slots.slots.push(slot);
        let node = slots.table.add(hash_code, &mut never);
        self.moved.insert(slot, (from, node));
    }
}
