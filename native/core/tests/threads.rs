//! Several threads give the answer of one: any number of them, any shape of a column, and a panic comes through.

mod naive;

use naive::Random;
use std::collections::HashSet;
use std::sync::Mutex;
use std::thread;
use topic_placement_core::{Arm, Column, Hash, WrongLength, threads};

/// Keys of these lengths, of random bytes; `values` begin with seven bytes that belong to no key.
fn keys(random: &mut Random, lengths: impl Iterator<Item = usize>) -> (Vec<u8>, Vec<u32>) {
    let ends = lengths.scan(7, |end, length| {
        *end += length as u32;
        Some(*end)
    });
    let offsets: Vec<u32> = [7].into_iter().chain(ends).collect();
    (random.bytes(offsets[offsets.len() - 1] as usize), offsets)
}

fn assert_same(values: &[u8], offsets: &[u32], what: &str) {
    let column = Column::new(values, offsets).unwrap();
    let expected: Vec<u32> = column.keys().map(|key| Hash::Crc32.one(key)).collect();
    for count in [1, 2, 3, 7, 64, usize::MAX] {
        let mut out = vec![0xdead_beef; column.len()];
        threads::over_column(count, column, &mut out, |part, out| Hash::Crc32.packed(Arm::best(), part, out)).unwrap();
        assert!(out == expected, "{what}, {count} threads");
    }
}

#[test]
fn keys_of_every_shape_have_the_answers_of_one_thread() {
    let mut random = Random::seeded(51);
    let shapes: [(&str, Vec<usize>); 6] = [
        ("200,000 of 20 to 60 bytes", (0..200_000).map(|_| 20 + random.below(41)).collect()),
        ("200,000 empty ones", vec![0; 200_000]),
        ("three of a megabyte", vec![1 << 20; 3]),
        ("one huge one among small ones", (0..100_000).map(|i| if i == 77 { 5 << 20 } else { 9 }).collect()),
        ("one huge one", vec![4 << 20]),
        ("none", vec![]),
    ];
    for (what, lengths) in shapes {
        let (values, offsets) = keys(&mut random, lengths.into_iter());
        assert_same(&values, &offsets, what);
    }
}

#[test]
fn hashes_have_the_answers_of_one_thread() {
    let mut random = Random::seeded(52);
    for len in [0, 1, 65_535, 131_072, 500_001] {
        let hashes: Vec<u32> = (0..len).map(|_| random.below(1 << 32) as u32).collect();
        let mut out = vec![0; len];
        threads::over_hashes(3, &hashes, &mut out, |part, out| {
            out.iter_mut().zip(part).for_each(|(slot, hash)| *slot = !hash);
            Ok(())
        })
        .unwrap();
        assert!(out.iter().zip(&hashes).all(|(slot, hash)| *slot == !hash), "{len} hashes");
    }
}

/// The threads that answered for `items` hashes; parts are held back until `wanted` threads have one.
fn workers(count: usize, items: usize, wanted: usize) -> usize {
    let seen = Mutex::new(HashSet::new());
    let (hashes, mut out) = (vec![0; items], vec![0; items]);
    threads::over_hashes(count, &hashes, &mut out, |_, _| {
        seen.lock().unwrap().insert(thread::current().id());
        while seen.lock().unwrap().len() < wanted {
            thread::yield_now();
        }
        Ok(())
    })
    .unwrap();
    seen.into_inner().unwrap().len()
}

#[test]
fn as_many_threads_work_as_are_given_and_no_more_than_there_are_parts() {
    assert_eq!(workers(1, 1 << 20, 1), 1);
    assert_eq!(workers(2, 1 << 20, 2), 2);
    assert_eq!(workers(5, 1 << 20, 5), 5);
    assert_eq!(workers(64, 1 << 17, 2), 2, "two parts");
    assert_eq!(workers(64, 1000, 1), 1, "a small list");
}

#[test]
fn a_result_of_another_length_is_refused_and_left_alone() {
    let (column, mut out) = (Column::new(b"ab", &[0, 1, 2]).unwrap(), [7; 3]);
    let refused = threads::over_column(2, column, &mut out, |_, _| unreachable!());
    assert_eq!(refused, Err(WrongLength { expected: 2, got: 3 }));
    assert_eq!(threads::over_hashes(2, &[1], &mut [], |_, _| unreachable!()), Err(WrongLength { expected: 1, got: 0 }));
}

#[test]
#[should_panic(expected = "a part went wrong")]
fn a_panic_of_a_thread_is_the_callers() {
    let caller = thread::current().id();
    let (hashes, mut out) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let _ = threads::over_hashes(2, &hashes, &mut out, |_, _| {
        // The caller's own thread waits for the other one to take a part.
        if thread::current().id() == caller {
            thread::sleep(std::time::Duration::from_millis(20));
            return Ok(());
        }
        panic!("a part went wrong")
    });
}
