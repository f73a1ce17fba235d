//! What a column accepts, refuses and shows.

mod naive;

use naive::Random;
use topic_placement_core::{Arm, BadOffset, Column, Hash, WrongLength};

#[test]
fn a_column_shows_its_keys_wherever_the_offsets_begin() {
    let column = Column::new(b"..abccc.", &[2, 3, 3, 7]).unwrap();
    assert_eq!((column.len(), column.is_empty()), (3, false));
    assert_eq!(column.keys().collect::<Vec<_>>(), [&b"a"[..], b"", b"bccc"]);
    assert_eq!(column.key(2), b"bccc");
    assert_eq!((column.values(), column.offsets()), (&b"..abccc."[..], &[2, 3, 3, 7][..]));
}

#[test]
fn a_column_of_one_offset_is_empty() {
    assert!(Column::new(b"", &[0]).unwrap().is_empty());
    assert!(Column::new(b"abc", &[3]).unwrap().is_empty());
}

#[test]
fn a_slice_keeps_the_values_and_moves_the_offsets() {
    let column = Column::new(b"abcdef", &[0, 1, 3, 6]).unwrap();
    let middle = column.slice(1..2);
    assert_eq!((middle.len(), middle.key(0), middle.offsets()), (1, &b"bc"[..], &[1, 3][..]));
    assert!(column.slice(3..3).is_empty());
}

#[test]
fn the_first_bad_offset_is_named() {
    let refused = |values: &[u8], offsets: &[u32]| Column::new(values, offsets).unwrap_err();
    assert_eq!(refused(b"abc", &[]), BadOffset(0));
    assert_eq!(refused(b"abc", &[4]), BadOffset(0));
    assert_eq!(refused(b"abc", &[0, 2, 1, 0]), BadOffset(2));
    assert_eq!(refused(b"abc", &[0, 2, 4]), BadOffset(2));
    assert_eq!(refused(b"abc", &[0, u32::MAX, 1]), BadOffset(1));
    assert_eq!(refused(b"abc", &[0, 2, 1]).to_string(), "offset 2 descends or leaves the values");
}

#[test]
fn the_check_agrees_with_a_walk_over_random_offsets() {
    let mut random = Random::seeded(5);
    for _ in 0..100_000 {
        let offsets: Vec<u32> = (0..random.below(5)).map(|_| random.below(8) as u32).collect();
        let values = random.bytes(random.0 as usize % 8);
        let wrong = |i: usize| offsets[i] as usize > values.len() || (i > 0 && offsets[i] < offsets[i - 1]);
        let expected = if offsets.is_empty() { Some(0) } else { (0..offsets.len()).find(|&i| wrong(i)) };
        assert_eq!(Column::new(&values, &offsets).err(), expected.map(BadOffset), "{offsets:?} in {}", values.len());
    }
}

#[test]
fn a_result_of_the_wrong_length_is_refused_and_left_alone() {
    let column = Column::new(b"abcdef", &[0, 1, 3, 6]).unwrap();
    for arm in Arm::available() {
        for got in [0, 2, 4] {
            let mut out = vec![7; got];
            let refused = Hash::Murmur2.packed(arm, column, &mut out).unwrap_err();
            assert_eq!(refused, WrongLength { expected: 3, got });
            assert_eq!(refused.to_string(), format!("the result needs 3 slots, it has {got}"));
            assert!(out.iter().all(|&slot| slot == 7));
        }
    }
}
