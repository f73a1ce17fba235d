//! Names of topics by the million: those that Kafka refuses, and those that collide, since metrics write `.` as `_`.
//!
//! Source: Apache Kafka 4.4.0, `org.apache.kafka.common.internals.Topic`. Twin of src/fallback/kafka/topic-names.ts. What
//! differs from the obvious: a name that is refused collides with none, since no cluster has it; a name given twice does
//! not collide with itself. Kafka counts UTF-16 units, of which a legal name has as many as bytes: it is ASCII.

use crate::column::Column;

/// Bytes of the longest legal name.
const LONGEST: usize = 249;

/// What a byte is: `LEGAL` in any legal name, `SEPARATOR` one of the two that metrics write alike.
const LEGAL: u8 = 1;
const SEPARATOR: u8 = 2;
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() || byte == b'-' {
            kinds[byte as usize] = LEGAL;
        }
        byte += 1;
    }
    kinds[b'.' as usize] = LEGAL | SEPARATOR;
    kinds[b'_' as usize] = LEGAL | SEPARATOR;
    kinds
};

/// What is wrong with the names of a column, by their positions, which ascend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameFaults {
    /// The names that Kafka refuses.
    pub illegal: Vec<u32>,
    /// Pairs: a name, and a later one that is the same in metrics and spelt otherwise. The first of its kind stands in
    /// all pairs of that kind.
    pub collisions: Vec<u32>,
}

/// Looks at every name of a column.
///
/// Cost: one pass, and one look-up a name that holds `.` or `_`; 8 to 16 bytes for each of those.
///
/// ```
/// use topic_placement_core::Column;
/// use topic_placement_core::kafka::topic_names::name_faults;
/// let column = Column::new(b"a.ba_ba b", &[0, 3, 6, 9]).unwrap();
/// let faults = name_faults(column);
/// assert_eq!(faults.illegal, [2]);
/// assert_eq!(faults.collisions, [0, 1]);
/// ```
#[must_use]
pub fn name_faults(column: Column<'_>) -> NameFaults {
    let mut faults = NameFaults::default();
    let mut seen = Seen::new(column);
    for (index, name) in column.keys().enumerate() {
        let index = index as u32;
        match kind_of(name) {
            None => faults.illegal.push(index),
            Some(false) => {}
            Some(true) => {
                let first = seen.first_of(index, name);
                if first != index && column.key(first as usize) != name {
                    faults.collisions.extend([first, index]);
                }
            }
        }
    }
    faults
}

/// Whether a name holds a separator; `None` where Kafka refuses it.
fn kind_of(name: &[u8]) -> Option<bool> {
    if name.is_empty() || name.len() > LONGEST || name == b"." || name == b".." {
        return None;
    }
    let (mut all, mut any) = (LEGAL | SEPARATOR, 0);
    for &byte in name {
        all &= KINDS[byte as usize];
        any |= KINDS[byte as usize];
    }
    (all & LEGAL != 0).then_some(any & SEPARATOR != 0)
}

/// The names with separators, by what metrics make of them: a table with open addressing, at most half full.
struct Seen<'a> {
    column: Column<'a>,
    /// The hash above, the position + 1 below; 0 for an empty slot.
    slots: Vec<u64>,
    taken: usize,
}

impl<'a> Seen<'a> {
    fn new(column: Column<'a>) -> Self {
        Seen { column, slots: vec![0; 1 << 10], taken: 0 }
    }

    /// The first name that metrics write as this one: itself where none came before.
    fn first_of(&mut self, index: u32, name: &[u8]) -> u32 {
        if 2 * self.taken >= self.slots.len() {
            self.grow();
        }
        let hash = hash_of(name);
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at] != 0 {
            let (found, first) = ((self.slots[at] >> 32) as u32, self.slots[at] as u32 - 1);
            if found == hash && are_alike(self.column.key(first as usize), name) {
                return first;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (u64::from(hash) << 32) | u64::from(index + 1);
        self.taken += 1;
        index
    }

    fn grow(&mut self) {
        let mut slots = vec![0; 2 * self.slots.len()];
        let mask = slots.len() - 1;
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }
}

/// Whether metrics write two names alike.
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(&a, &b)| unified(a) == unified(b))
}

fn unified(byte: u8) -> u8 {
    if byte == b'.' { b'_' } else { byte }
}

/// An odd number near 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash of what metrics make of a legal name, eight bytes at a time.
fn hash_of(name: &[u8]) -> u32 {
    let (words, rest) = name.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut hash = name.len() as u64;
    for word in words.iter().chain([&last]) {
        hash = (hash ^ unified_word(u64::from_le_bytes(*word))).wrapping_mul(SPREAD);
        hash ^= hash >> 29;
    }
    (hash >> 32) as u32
}

/// Eight ASCII bytes with each `.` as `_`: no sum below carries from one byte into the next, since none is above 0x7f.
fn unified_word(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let others = (word ^ (ONES * u64::from(b'.'))) + ONES * 0x7f;
    let dots = (!others >> 7) & ONES;
    word ^ (dots * u64::from(b'.' ^ b'_'))
}
