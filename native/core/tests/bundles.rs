//! Hash to range, for every shape of boundaries, against a walk over them.

mod naive;

use naive::Random;
use topic_placement_core::{Arm, Column, Hash, RangeTable, WrongLength};

/// Boundaries of one shape, from a set of starts in any order.
fn table_of(mut starts: Vec<u32>) -> (Vec<u32>, RangeTable) {
    starts.push(0);
    starts.sort_unstable();
    starts.dedup();
    let table = RangeTable::new(&starts).unwrap();
    (starts, table)
}

/// As Pulsar makes them: steps of `2^32 / n`, rounded down.
fn even(n: u32) -> Vec<u32> {
    (0..n).map(|i| ((1u64 << 32) / u64::from(n)) as u32 * i).collect()
}

/// Shapes that each way of lookup must answer: even, random, clustered, dense, at the ends.
fn shapes(random: &mut Random) -> Vec<Vec<u32>> {
    let mut shapes: Vec<Vec<u32>> = [1, 2, 3, 4, 7, 31, 32, 33, 64, 100, 1024, 16_384, 70_000].map(even).to_vec();
    for n in [1, 2, 5, 15, 16, 17, 31, 32, 33, 63, 64, 500, 16_384, 300_000] {
        shapes.push((0..n).map(|_| (random.next() >> 20) as u32).collect());
        shapes.push((0..n).map(|i| 0x1234_5678 + i).collect());
        shapes.push((0..n).map(|i| u32::MAX - i).collect());
        shapes.push((0..n).map(|i| if i % 2 == 0 { (random.next() >> 20) as u32 } else { 0x8000_0000 + i }).collect());
    }
    shapes
}

/// The range of each hash, by one walk over both in ascending order.
fn naive_ranges(starts: &[u32], hashes: &[u32]) -> Vec<u32> {
    let (mut ascending, mut ranges, mut at) = ((0..hashes.len()).collect::<Vec<_>>(), vec![0; hashes.len()], 0);
    ascending.sort_unstable_by_key(|&i| hashes[i]);
    for i in ascending {
        while at + 1 < starts.len() && starts[at + 1] <= hashes[i] {
            at += 1;
        }
        ranges[i] = at as u32;
    }
    ranges
}

/// Both sides of boundaries, both ends, and anything between.
fn queries(starts: &[u32], random: &mut Random) -> Vec<u32> {
    let step = starts.len() / 5000 + 1;
    let near = starts.iter().step_by(step).flat_map(|start| [start.wrapping_sub(1), *start, start.wrapping_add(1)]);
    let anywhere: Vec<u32> = (0..2000).map(|_| (random.next() >> 20) as u32).collect();
    near.chain(anywhere).chain([0, 1, u32::MAX - 1, u32::MAX]).collect()
}

#[test]
fn every_hash_finds_its_range_in_every_shape_on_every_arm() {
    let mut random = Random::seeded(21);
    for (starts, table) in shapes(&mut random).into_iter().map(table_of) {
        let hashes = queries(&starts, &mut random);
        let expected = naive_ranges(&starts, &hashes);
        assert_eq!(table.len(), starts.len());
        assert!(hashes.iter().map(|&hash| table.one(hash)).eq(expected.iter().copied()), "{} ranges", starts.len());
        for arm in Arm::available() {
            let mut out = vec![0; hashes.len()];
            table.of_hashes(arm, &hashes, &mut out).unwrap();
            assert_eq!(out, expected, "{arm:?}, {} ranges", starts.len());
        }
    }
}

#[test]
fn a_topic_is_in_the_bundle_that_the_broker_logged() {
    let table = RangeTable::new(&even(4096)).unwrap();
    let topic = b"persistent://public/default/test-topic-o";
    assert_eq!(table.one(Hash::Crc32.one(topic)), 0xf64);
}

#[test]
fn keys_are_hashed_and_found_in_one_pass() {
    let mut random = Random::seeded(22);
    let values = random.bytes(50_000);
    let mut offsets: Vec<u32> = (0..2500).map(|_| random.below(values.len() + 1) as u32).collect();
    offsets.sort_unstable();
    let column = Column::new(&values, &offsets).unwrap();
    for (_, table) in shapes(&mut random).into_iter().map(table_of) {
        let expected: Vec<u32> = column.keys().map(|key| table.one(Hash::Crc32.one(key))).collect();
        for arm in Arm::available() {
            let mut out = vec![u32::MAX; column.len()];
            table.of_packed(arm, column, &mut out).unwrap();
            assert_eq!(out, expected, "{arm:?}, {} ranges", table.len());
        }
    }
}

#[test]
fn starts_that_are_no_layout_make_no_table() {
    for starts in [&[][..], &[1], &[0, 5, 5], &[0, 5, 4], &[0, 0], &[1, 2]] {
        assert!(RangeTable::new(starts).is_none(), "{starts:?}");
    }
}

#[test]
fn a_result_of_the_wrong_length_is_refused() {
    let table = RangeTable::new(&[0, 9]).unwrap();
    let refused = Err(WrongLength { expected: 2, got: 1 });
    assert_eq!(table.of_hashes(Arm::best(), &[1, 2], &mut [0]), refused);
    assert_eq!(table.of_packed(Arm::best(), Column::new(b"ab", &[0, 1, 2]).unwrap(), &mut [0]), refused);
}
