//! Families of topics: names that are equal but for a number at their end, `orders-partition-0` and `orders-partition-1`;
//! and the hashes of each family side by side.
//!
//! For the search for suffixes that crowd into few bundles. Source: computed; what Apache Pulsar 5.0.1 names partitions is
//! `-partition-` and a number. Found in one pass by a table over the bytes in front of the number; families are numbered in
//! the order of their first names.

use crate::column::Column;
use crate::error::WrongLength;

/// A number of more digits is no counter: a time, an id.
const MOST_DIGITS: usize = 9;

/// What precedes the number of a partition.
const PARTITION_MARK: &[u8] = b"-partition-";

/// An odd number near 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The families of a column of names; family `f` has the hashes `[starts[f], starts[f + 1])`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Families {
    /// How many names.
    pub sizes: Vec<u32>,
    /// The least number.
    pub least: Vec<u32>,
    /// The greatest number.
    pub greatest: Vec<u32>,
    /// 1 where the number is a partition's.
    pub is_partitions: Vec<u8>,
    /// Where the hashes of each begin, and the end.
    pub starts: Vec<u32>,
    /// Hashes family by family, each family ascending.
    pub hashes: Vec<u32>,
}

/// Finds the families; `hashes` are those of the names.
///
/// Cost: one pass over the names, at most one comparison of bytes and one look into a table each.
///
/// # Errors
/// [`WrongLength`] where there is not one hash for each name.
pub fn numbered_families(column: Column<'_>, hashes: &[u32]) -> Result<Families, WrongLength> {
    WrongLength::check(column.len(), hashes.len())?;
    let mut table = Table::default();
    let mut of_name = Vec::with_capacity(hashes.len());
    let mut last: &[u8] = &[];
    for start in (0..column.len()).step_by(BLOCK) {
        let block = column.slice(start..column.len().min(start + BLOCK));
        let mut names = [Name::default(); BLOCK];
        for (name, key) in names.iter_mut().zip(block.keys()) {
            *name = Name::of(key, last);
            last = if name.is_numbered { name.prefix } else { last };
        }
        table.touch(&names);
        of_name.extend(names[..block.len()].iter().map(|name| table.add(name)));
    }
    Ok(table.finish(&of_name, hashes))
}

/// A name without a number.
const NONE: u32 = u32::MAX;

/// Names looked at together, so that their places in the table are fetched side by side.
const BLOCK: usize = 32;

/// A name taken apart.
#[derive(Clone, Copy, Default)]
struct Name<'a> {
    prefix: &'a [u8],
    number: u32,
    hash: u64,
    is_numbered: bool,
    /// The prefix is that of the numbered name before: its hash is not needed.
    is_next: bool,
}

impl<'a> Name<'a> {
    fn of(name: &'a [u8], last: &[u8]) -> Self {
        let digits = name.iter().rev().take(MOST_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > MOST_DIGITS {
            return Self::default();
        }
        let (prefix, number) = name.split_at(name.len() - digits);
        let number = number.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        let is_next = prefix == last && !prefix.is_empty();
        let hash = if is_next { 0 } else { hash_of(prefix) };
        Self { prefix, number, hash, is_numbered: true, is_next }
    }
}

/// A family while names are added: what a name touches lies together, in one line of the cache.
struct Family<'a> {
    prefix: &'a [u8],
    size: u32,
    least: u32,
    greatest: u32,
}

/// An open-addressed table of prefixes.
#[derive(Default)]
struct Table<'a> {
    families: Vec<Family<'a>>,
    /// The upper half of a prefix's hash, then the number of its family plus 1; 0 for an empty slot. A power of two of
    /// them, at most half taken.
    slots: Vec<u64>,
    /// The family of the numbered name before: mostly the next one's too.
    last: usize,
}

impl<'a> Table<'a> {
    /// Reads the slots of a block before any is needed: the misses of the cache overlap.
    fn touch(&self, names: &[Name<'_>]) {
        let Some(mask) = self.slots.len().checked_sub(1) else { return };
        let far = names.iter().filter(|name| name.is_numbered && !name.is_next);
        std::hint::black_box(far.fold(0, |sum, name| sum ^ self.slots[(name.hash >> 32) as usize & mask]));
    }

    /// The family of a name, counted in.
    fn add(&mut self, name: &Name<'a>) -> u32 {
        if !name.is_numbered {
            return NONE;
        }
        if !name.is_next {
            self.last = self.family_of(name);
        }
        let family = &mut self.families[self.last];
        family.size += 1;
        family.least = family.least.min(name.number);
        family.greatest = family.greatest.max(name.number);
        self.last as u32
    }

    fn family_of(&mut self, &Name { prefix, hash, .. }: &Name<'a>) -> usize {
        if self.slots.len() <= 2 * self.families.len() {
            self.grow();
        }
        let slot = self.slot_of(prefix, hash);
        match self.slots[slot] as u32 {
            0 => self.open(prefix, hash, slot),
            taken => taken as usize - 1,
        }
    }

    /// The slot that holds a prefix, or the empty one where it belongs.
    fn slot_of(&self, prefix: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            let taken = self.slots[slot];
            let is_it = || taken >> 32 == hash >> 32 && self.families[taken as u32 as usize - 1].prefix == prefix;
            if taken == 0 || is_it() {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let len = (4 * self.families.len()).next_power_of_two().max(64);
        for taken in std::mem::replace(&mut self.slots, vec![0; len]).into_iter().filter(|&taken| taken != 0) {
            let mut slot = (taken >> 32) as usize & (len - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = taken;
        }
    }

    fn open(&mut self, prefix: &'a [u8], hash: u64, slot: usize) -> usize {
        self.families.push(Family { prefix, size: 0, least: u32::MAX, greatest: 0 });
        self.slots[slot] = hash >> 32 << 32 | self.families.len() as u64;
        self.families.len() - 1
    }

    /// Lays the hashes side by side.
    fn finish(self, of_name: &[u32], hashes: &[u32]) -> Families {
        let of_each = |field: fn(&Family<'_>) -> u32| self.families.iter().map(field).collect::<Vec<_>>();
        let mut starts = vec![0];
        starts.extend(self.families.iter().scan(0, |end, family| {
            *end += family.size;
            Some(*end)
        }));
        Families {
            sizes: of_each(|family| family.size),
            least: of_each(|family| family.least),
            greatest: of_each(|family| family.greatest),
            is_partitions: self.families.iter().map(|one| u8::from(one.prefix.ends_with(PARTITION_MARK))).collect(),
            hashes: side_by_side(&starts, of_name, hashes),
            starts,
        }
    }
}

/// The hashes of each family together, ascending.
fn side_by_side(starts: &[u32], of_name: &[u32], hashes: &[u32]) -> Vec<u32> {
    let mut next = starts.to_vec();
    let mut grouped = vec![0; starts[starts.len() - 1] as usize];
    for (&family, &hash) in of_name.iter().zip(hashes).filter(|&(&family, _)| family != NONE) {
        let at = &mut next[family as usize];
        grouped[*at as usize] = hash;
        *at += 1;
    }
    for ends in starts.windows(2) {
        grouped[ends[0] as usize..ends[1] as usize].sort_unstable();
    }
    grouped
}

/// Eight bytes at a time; only its spread matters, since bytes are compared.
fn hash_of(prefix: &[u8]) -> u64 {
    let (words, rest) = prefix.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mix = |hash: u64, word: u64| (hash.rotate_left(26) ^ word).wrapping_mul(SPREAD);
    let hash = words.iter().fold(prefix.len() as u64, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    mix(hash, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families_of(names: &[&str]) -> Families {
        let values = names.concat();
        let ends = names.iter().scan(0, |end, name| {
            *end += name.len() as u32;
            Some(*end)
        });
        let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let hashes: Vec<u32> = (0..names.len() as u32).rev().collect();
        numbered_families(Column::new(values.as_bytes(), &offsets).unwrap(), &hashes).unwrap()
    }

    #[test]
    fn names_are_grouped_by_what_precedes_their_number() {
        let found =
            families_of(&["t-partition-2", "a7", "plain", "t-partition-10", "a08", "1234567890", "t-partition-3"]);
        assert_eq!(found.sizes, [3, 2]);
        assert_eq!((found.least, found.greatest), (vec![2, 7], vec![10, 8]));
        assert_eq!(found.is_partitions, [1, 0]);
        assert_eq!((found.starts, found.hashes), (vec![0, 3, 5], vec![0, 3, 6, 2, 5]));
    }

    #[test]
    fn no_names_no_families() {
        assert_eq!(families_of(&[]).starts, [0]);
    }

    #[test]
    fn a_hash_for_each_name_is_wanted() {
        let column = Column::new(b"a1", &[0, 2]).unwrap();
        assert_eq!(numbered_families(column, &[]), Err(WrongLength { expected: 1, got: 0 }));
    }

    #[test]
    fn many_families_grow_the_table() {
        let names: Vec<String> = (0..5000u32).map(|i| format!("topic-{}-{}", i % 1000, i / 1000)).collect();
        let found = families_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.sizes, vec![5; 1000]);
        assert_eq!((found.least, found.greatest), (vec![0; 1000], vec![4; 1000]));
    }
}
