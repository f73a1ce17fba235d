//! Any boundaries: refused unless they ascend from 0, or every arm finds the range that a walk over them finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use topic_placement_core::{Arm, RangeTable};

fuzz_target!(|input: (Vec<u32>, Vec<u32>)| {
    let (mut starts, mut hashes) = input;
    check(&starts, &hashes);
    starts.push(0);
    starts.sort_unstable();
    starts.dedup();
    hashes.extend(starts.iter().flat_map(|start| [start.wrapping_sub(1), *start]));
    check(&starts, &hashes);
});

fn check(starts: &[u32], hashes: &[u32]) {
    let layout = starts.first() == Some(&0) && starts.is_sorted_by(|a, b| a < b);
    let table = RangeTable::new(starts);
    assert_eq!(table.is_some(), layout);
    let Some(table) = table else { return };
    let range = |hash: &u32| starts.iter().take_while(|start| *start <= hash).count() as u32 - 1;
    let expected: Vec<u32> = hashes.iter().map(range).collect();
    for arm in Arm::available() {
        let mut out = vec![0; hashes.len()];
        assert_eq!(table.of_hashes(arm, hashes, &mut out), Ok(()));
        assert_eq!(out, expected, "{arm:?}");
    }
    assert!(hashes.iter().map(|&hash| table.one(hash)).eq(expected));
}
