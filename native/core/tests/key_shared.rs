//! Key to consumer, for layouts of every kind, against a walk over their ranges.

mod naive;

use naive::Random;
use topic_placement_core::pulsar::key_shared::{KeyLayout, KeyTable, NONE};
use topic_placement_core::{Arm, Column, Hash, WrongLength};

/// A layout of its own memory.
struct Owned {
    modulus: u32,
    starts: Vec<u32>,
    firsts: Vec<u32>,
    members: Vec<u32>,
}

impl Owned {
    /// Ranges at random below `slots`, most with one consumer, some with none or several.
    fn random(modulus: u32, slots: u32, random: &mut Random) -> Owned {
        let mut starts: Vec<u32> = (0..random.next() % 300).map(|_| (random.next() >> 8) as u32 % slots).collect();
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        let (mut firsts, mut members) = (vec![0], vec![]);
        for _ in &starts {
            let count = [1, 1, 1, 0, 2, 3][(random.next() >> 8) as usize % 6];
            members.extend((0..count).map(|_| (random.next() >> 8) as u32 % 1000));
            firsts.push(members.len() as u32);
        }
        Owned { modulus, starts, firsts, members }
    }

    fn layout(&self) -> KeyLayout<'_> {
        KeyLayout { modulus: self.modulus, starts: &self.starts, firsts: &self.firsts, members: &self.members }
    }

    /// The last range that begins at or below the slot.
    fn walk(&self, hash: u32) -> u32 {
        let masked = hash & 0x7fff_ffff;
        let slot = if self.modulus == 0 { masked } else { masked % self.modulus };
        let range = self.starts.iter().rposition(|&start| start <= slot).unwrap();
        let shared = &self.members[self.firsts[range] as usize..self.firsts[range + 1] as usize];
        if shared.is_empty() { NONE } else { shared[slot as usize % shared.len()] }
    }
}

const MODULI: [u32; 12] = [1, 2, 3, 37, 65_535, 65_536, 131_071, 131_072, 131_073, 1 << 20, 0x7fff_ffff, 0];

#[test]
fn every_hash_falls_to_the_consumer_that_a_walk_finds() {
    let mut random = Random::seeded(31);
    for modulus in MODULI {
        let owned = Owned::random(modulus, if modulus == 0 { 1 << 31 } else { modulus }, &mut random);
        let table = KeyTable::new(owned.layout()).unwrap();
        let anywhere: Vec<u32> = (0..2000).map(|_| (random.next() >> 20) as u32).collect();
        let near = owned.starts.iter().flat_map(|start| [start.wrapping_sub(1), *start, start + 1]);
        for hash in near.chain(anywhere).chain([0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX]) {
            assert_eq!(table.one(hash), owned.walk(hash), "hash {hash:#x}, modulus {modulus}");
        }
    }
}

#[test]
fn a_column_of_keys_falls_as_each_key_on_every_arm() {
    let mut random = Random::seeded(32);
    let keys: Vec<Vec<u8>> = (0..3000).map(|i| format!("order-{i}").into_bytes()).collect();
    let offsets: Vec<u32> = std::iter::once(0)
        .chain(keys.iter().scan(0, |end, key| {
            *end += key.len() as u32;
            Some(*end)
        }))
        .collect();
    let values = keys.concat();
    let column = Column::new(&values, &offsets).unwrap();
    for modulus in MODULI {
        let owned = Owned::random(modulus, if modulus == 0 { 1 << 31 } else { modulus }, &mut random);
        let table = KeyTable::new(owned.layout()).unwrap();
        for arm in Arm::available() {
            let mut out = vec![0; keys.len()];
            table.of_packed(arm, column, &mut out).unwrap();
            let expected: Vec<u32> = keys.iter().map(|key| owned.walk(Hash::Murmur3.one(key))).collect();
            assert_eq!(out, expected, "{}, modulus {modulus}", arm.name());
        }
        let mut short = [7];
        assert!(matches!(table.of_packed(Arm::best(), column, &mut short), Err(WrongLength { .. })));
        assert_eq!(short, [7], "nothing is written");
    }
}

#[test]
fn a_layout_that_is_none_makes_no_table() {
    let layout = |starts, firsts, members| KeyTable::new(KeyLayout { modulus: 9, starts, firsts, members });
    assert!(layout(&[0, 5], &[0, 1, 2], &[1, 2]).is_some());
    assert!(layout(&[1, 5], &[0, 1, 2], &[1, 2]).is_none());
    assert!(layout(&[0, 5, 5], &[0, 1, 2, 2], &[1, 2]).is_none());
    assert!(layout(&[0, 5], &[0, 1], &[1, 2]).is_none());
    assert!(layout(&[0, 5], &[0, 2, 1], &[1, 2]).is_none());
    assert!(layout(&[0, 5], &[0, 1, 3], &[1, 2]).is_none());
}
