//! Hash to partition: published placements, and the reductions against plain arithmetic.

mod naive;

use naive::Random;
use topic_placement_core::kafka::partitioner::{Reduction, packed};
use topic_placement_core::{Arm, Column, Hash, WrongLength};

const REDUCTIONS: [Reduction; 4] = [Reduction::Mask, Reduction::Unsigned, Reduction::Abs, Reduction::AbsFirst];

/// The definitions, in 64 signed bits.
fn naive_partition(reduction: Reduction, hash: u32, n: i64) -> i64 {
    let signed = i64::from(hash as i32);
    match reduction {
        Reduction::Mask => i64::from(hash & 0x7fff_ffff) % n,
        Reduction::Unsigned => i64::from(hash) % n,
        Reduction::Abs => (signed % n).abs(),
        Reduction::AbsFirst if signed == -0x8000_0000 => 0,
        Reduction::AbsFirst => signed.abs() % n,
    }
}

fn partition(hash: Hash, reduction: Reduction, key: &str, n: u32) -> i32 {
    reduction.apply(hash.one(key.as_bytes()), n)
}

/// Source: what users of the clients reported (kafkajs issue 1144 and others), checked with the clients themselves.
#[test]
fn known_keys_go_where_their_clients_send_them() {
    let kafka = |key, n| partition(Hash::Murmur2, Reduction::Mask, key, n);
    assert_eq!(kafka("TT0124", 15), 10);
    assert_eq!(kafka("354afe16-939a-4ea8-8e17-8bb0840b6886", 10), 4);
    assert_eq!(kafka("12413413", 16), 6);
    assert_eq!(kafka("1468509572224", 12), 9);
    assert_eq!(partition(Hash::Crc32, Reduction::Unsigned, "TT0124", 15), 9);
    assert_eq!(partition(Hash::Fnv1a, Reduction::Abs, "1468509572224", 12), 8);
    assert_eq!(partition(Hash::Fnv1a, Reduction::Mask, "1468509572224", 12), 0);
}

#[test]
fn a_reduction_is_what_its_definition_says() {
    let mut random = Random::seeded(11);
    let edges = [0, 1, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX];
    let counts: Vec<u32> = (1..40).chain([1000, 4096, (1 << 30) + 1, i32::MAX as u32]).collect();
    for n in counts {
        let hashes = (0..200).map(|_| (random.next() >> 20) as u32).chain(edges);
        for (hash, reduction) in hashes.flat_map(|hash| REDUCTIONS.map(|reduction| (hash, reduction))) {
            let expected = naive_partition(reduction, hash, i64::from(n));
            assert_eq!(i64::from(reduction.apply(hash, n)), expected, "{reduction:?} of {hash:#x} on {n}");
        }
    }
}

#[test]
fn a_column_is_placed_key_by_key_over_many_blocks() {
    let mut random = Random::seeded(12);
    let values = random.bytes(40_000);
    let mut offsets: Vec<u32> = (0..3001).map(|_| random.below(values.len() + 1) as u32).collect();
    offsets.sort_unstable();
    let column = Column::new(&values, &offsets).unwrap();
    for (arm, reduction) in Arm::available().into_iter().flat_map(|arm| REDUCTIONS.map(|reduction| (arm, reduction))) {
        for n in [1, 2, 3, 12, 64, 1_000_003, i32::MAX as u32] {
            let mut out = vec![-1; column.len()];
            packed(arm, Hash::Murmur2, reduction, column, n, &mut out).unwrap();
            let expected: Vec<i32> = column.keys().map(|key| reduction.apply(Hash::Murmur2.one(key), n)).collect();
            assert_eq!(out, expected, "{arm:?} {reduction:?} on {n}");
        }
    }
}

#[test]
fn a_result_of_the_wrong_length_is_refused() {
    let column = Column::new(b"ab", &[0, 1, 2]).unwrap();
    let refused = packed(Arm::best(), Hash::Crc32, Reduction::Abs, column, 3, &mut [0; 3]);
    assert_eq!(refused, Err(WrongLength { expected: 2, got: 3 }));
}
