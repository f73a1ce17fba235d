//! Any values under any offsets: refused at the first bad one, or hashed the same by every arm.
#![no_main]

use libfuzzer_sys::fuzz_target;
use topic_placement_core::{Arm, BadOffset, Column, Hash};

fuzz_target!(|input: (Vec<u8>, Vec<u16>)| {
    let (values, steps) = input;
    // Numbers near the length of the values, so that most offsets are in reach and some are not.
    let offsets: Vec<u32> = steps.iter().map(|&step| u32::from(step) % (values.len() as u32 + 3)).collect();
    check(&values, &offsets);
    let mut ascending = offsets;
    ascending.sort_unstable();
    check(&values, &ascending);
});

fn check(values: &[u8], offsets: &[u32]) {
    let wrong = |i: usize| offsets[i] as usize > values.len() || (i > 0 && offsets[i - 1] > offsets[i]);
    let first = if offsets.is_empty() { Some(0) } else { (0..offsets.len()).find(|&i| wrong(i)) };
    match Column::new(values, offsets) {
        Err(bad) => assert_eq!(Some(bad), first.map(BadOffset)),
        Ok(column) => {
            assert_eq!(first, None);
            Hash::ALL.into_iter().for_each(|which| arms_agree(which, column));
        }
    }
}

fn arms_agree(which: Hash, column: Column<'_>) {
    let expected: Vec<u32> = column.keys().map(|key| which.one(key)).collect();
    for arm in Arm::available() {
        let mut out = vec![0; column.len()];
        assert_eq!(which.packed(arm, column, &mut out), Ok(()));
        assert_eq!(out, expected, "{which:?} by {arm:?}");
    }
}
