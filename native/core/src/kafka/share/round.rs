//! Partitions that are shared among members: of all topics together, or of one.
//!
//! For `simple`. Source: Apache Kafka 4.4.0, SimpleHomogeneousAssignmentBuilder and
//! SimpleHeterogeneousAssignmentBuilder.TopicAssignmentPartialBuilder, which do the same to different keys. What differs
//! from the obvious: how much a member should have is a difference of two rounded products of doubles; who gives up what,
//! and which partition comes first, are orders of hash maps; members below their due stand in one ring that is walked on
//! from partition to partition; where a partition wants one more and the ring has run empty in the meantime, the original
//! throws.

use crate::kafka::java_map::java_map_order;
use crate::kafka::java_table::{JavaTable, NONE};
use crate::kafka::server::held::{FIRST_TABLE, numbers_in_set, sized_table};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A member and a slot that it has.
pub(super) type Holding = (u32, u32);

/// Members in the order of a map of integers that is made for all of the group: ascending, up to 65,536 of them.
pub(super) fn members_in_map(members: &[u32], all: usize) -> Vec<u32> {
    let numbers: Vec<i32> = members.iter().map(|&member| member as i32).collect();
    numbers_in_set(&numbers, sized_table(all)).into_iter().map(|i| members[i as usize]).collect()
}

/// One round; what is numbered by node is in the order in which slots come into the original's map.
pub(super) struct ShareRound<'a> {
    members: &'a [u32],
    targets: &'a [u32],
    /// As many members should have each partition.
    sharing: u32,
    /// How many partitions each member should have, and how many it has; 0 due for those that do not take part.
    due: Vec<u32>,
    has: Vec<u32>,
    /// Slots of the round begin there.
    first: u32,
    /// Node of each slot, slot of each node.
    node_of: Vec<u32>,
    slot_of: Vec<u32>,
    /// Who held the slot of each node before.
    held_by: Vec<Vec<u32>>,
    /// What was taken from whom.
    taken: HashSet<Holding>,
    keys: JavaTable,
}

impl<'a> ShareRound<'a> {
    /// `members` take part, ascending; `targets` are the slots to share, in the order in which the original lists them;
    /// the group has `all` members; no slot lies outside `slots`.
    pub(super) fn new(members: &'a [u32], targets: &'a [u32], all: usize, slots: Range<u32>) -> ShareRound<'a> {
        let sharing = if targets.is_empty() { 0 } else { members.len().div_ceil(targets.len()) };
        let each = f64::from((sharing * targets.len()) as u32) / f64::from(members.len() as u32);
        let mut due = vec![0; all];
        for (i, &member) in (0..).zip(members) {
            due[member as usize] = ((each * f64::from(i + 1_u32)).ceil() - (each * f64::from(i)).ceil()) as u32;
        }
        ShareRound {
            members,
            targets,
            sharing: sharing as u32,
            due,
            has: vec![0; all],
            first: slots.start,
            node_of: vec![NONE; slots.len()],
            slot_of: Vec::with_capacity(targets.len()),
            held_by: Vec::with_capacity(targets.len()),
            taken: HashSet::new(),
            keys: JavaTable::new(sized_table(targets.len())),
        }
    }

    /// Who has what in the end; `held` is what members have, member by member, as the original walks it. `None` where the
    /// original asks for the next of no members.
    pub(super) fn share(mut self, held: &[Holding], mut hash_of: impl FnMut(u32) -> i32) -> Option<Vec<Holding>> {
        let mut slots_of: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(member, slot) in held {
            slots_of.entry(member).or_default().push(slot);
            self.has[member as usize] += 1;
            let node = self.node(slot, &mut hash_of);
            self.held_by[node as usize].push(member);
        }
        self.take_over_due(&slots_of, &mut hash_of);
        self.take_over_shared();
        for &slot in self.targets {
            self.node(slot, &mut hash_of);
        }
        let dealt = self.deal()?;
        let kept = held.iter().copied().filter(|holding| !self.taken.contains(holding));
        Some(kept.chain(dealt).collect())
    }

    /// The node of a slot, as `computeIfAbsent` finds or makes it.
    fn node(&mut self, slot: u32, hash_of: &mut impl FnMut(u32) -> i32) -> u32 {
        let node = &mut self.node_of[(slot - self.first) as usize];
        // Equal hash codes of other keys are ordered by where these lie in memory, in Java: here as given.
        if *node == NONE {
            *node = self.keys.compute(hash_of(slot), &mut |a, b| a < b);
            self.slot_of.push(slot);
            self.held_by.push(Vec::new());
        } else {
            self.keys.touch(&mut |a, b| a < b);
        }
        *node
    }

    fn take_over_due(&mut self, slots_of: &BTreeMap<u32, Vec<u32>>, hash_of: &mut impl FnMut(u32) -> i32) {
        for (&member, slots) in slots_of {
            let over = slots.len().saturating_sub(self.due[member as usize] as usize);
            if over == 0 {
                continue;
            }
            let hashes: Vec<i32> = slots.iter().map(|&slot| hash_of(slot)).collect();
            for i in order_in_set(&hashes).into_iter().take(over) {
                self.take(member, slots[i as usize]);
            }
        }
    }

    fn take_over_shared(&mut self) {
        for node in 0..self.slot_of.len() {
            if self.held_by[node].len() <= self.sharing as usize {
                continue;
            }
            let slot = self.slot_of[node];
            let over = self.holders(node).len().saturating_sub(self.sharing as usize);
            // The set keeps the size that it grew to.
            let ever = &self.held_by[node];
            let numbers: Vec<i32> = ever.iter().map(|&member| member as i32).collect();
            let order = numbers_in_set(&numbers, FIRST_TABLE).into_iter().map(|i| ever[i as usize]);
            let now: Vec<u32> = order.filter(|&member| !self.taken.contains(&(member, slot))).collect();
            now.into_iter().take(over).for_each(|member| self.take(member, slot));
        }
    }

    fn take(&mut self, member: u32, slot: u32) {
        self.taken.insert((member, slot));
        self.has[member as usize] -= 1;
    }

    /// Who holds the slot of a node still.
    fn holders(&self, node: usize) -> HashSet<u32> {
        let slot = self.slot_of[node];
        self.held_by[node].iter().copied().filter(|&member| !self.taken.contains(&(member, slot))).collect()
    }

    /// What is dealt to members below their due; `None` where nobody is left when the next is asked for.
    fn deal(&mut self) -> Option<Vec<Holding>> {
        let is_below = |&member: &u32| self.has[member as usize] < self.due[member as usize];
        let below: Vec<u32> = self.members.iter().copied().filter(is_below).collect();
        let mut ring = Ring { members: members_in_map(&below, self.due.len()), next: 0, kept: 0, gave: false };
        let mut dealt = Vec::new();
        for node in self.keys.order() {
            if ring.is_empty() {
                break;
            }
            self.deal_one(node as usize, &mut ring, &mut dealt)?;
        }
        Some(dealt)
    }

    /// The slot's holders stay as they were, so that a member can be dealt a slot twice and have it once.
    fn deal_one(&mut self, node: usize, ring: &mut Ring, dealt: &mut Vec<Holding>) -> Option<()> {
        let (slot, holders) = (self.slot_of[node], self.holders(node));
        let mut dealt_to = HashSet::new();
        let mut wanted = (self.sharing as usize).saturating_sub(holders.len());
        while wanted > 0 {
            if ring.is_at_end() {
                if !ring.gave {
                    break;
                }
                if ring.is_empty() {
                    return None;
                }
                ring.restart();
            }
            let member = ring.next();
            if holders.contains(&member) {
                continue;
            }
            wanted -= 1;
            ring.gave = true;
            if dealt_to.insert(member) {
                dealt.push((member, slot));
                self.has[member as usize] += 1;
            }
            if self.has[member as usize] >= self.due[member as usize] {
                ring.drop_last();
            }
        }
        Some(())
    }
}

/// Members below their due, walked round and round.
struct Ring {
    members: Vec<u32>,
    next: usize,
    kept: usize,
    /// True if a member of this turn was given something.
    gave: bool,
}

impl Ring {
    fn is_at_end(&self) -> bool {
        self.next == self.members.len()
    }

    fn is_empty(&self) -> bool {
        self.kept == 0 && self.is_at_end()
    }

    fn next(&mut self) -> u32 {
        let member = self.members[self.next];
        self.next += 1;
        self.members[self.kept] = member;
        self.kept += 1;
        member
    }

    /// Takes the member that came last out.
    fn drop_last(&mut self) {
        self.kept -= 1;
    }

    fn restart(&mut self) {
        self.members.truncate(self.kept);
        (self.next, self.kept, self.gave) = (0, 0, false);
    }
}

/// Positions in the order of a set.
fn order_in_set(hash_codes: &[i32]) -> Vec<u32> {
    java_map_order(hash_codes, None, FIRST_TABLE).unwrap_or_else(|| {
        let as_given: Vec<u32> = (0..hash_codes.len() as u32).collect();
        java_map_order(hash_codes, Some(&as_given), FIRST_TABLE).expect("ranks are given")
    })
}
