//! Every arm equals scalar: all lengths, all alignments, all mixtures, up to the last byte of a page.

mod naive;

use naive::Random;
use topic_placement_core::{Arm, Column, Hash};

/// Asserts that each arm and hash gives for `column` what the scalar arm gives.
fn assert_arms_equal(column: Column<'_>, what: &str) {
    for which in Hash::ALL {
        let expected: Vec<u32> = column.keys().map(|key| which.one(key)).collect();
        for arm in Arm::available() {
            let mut out = vec![0xdead_beef; column.len()];
            which.packed(arm, column, &mut out).unwrap();
            if let Some(i) = (0..out.len()).find(|&i| out[i] != expected[i]) {
                panic!("{which:?} by {arm:?}, {what}: key {i} of {} bytes", column.key(i).len());
            }
        }
    }
}

/// Offsets of keys of these lengths, one after another from `start`.
fn offsets(start: usize, lengths: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let mut offsets = vec![start as u32];
    offsets.extend(lengths.into_iter().scan(start, |end, length| {
        *end += length;
        Some(*end as u32)
    }));
    offsets
}

/// Bytes of four kinds: any, ASCII, well-formed text, ASCII with a rare other byte.
fn bytes(random: &mut Random, kind: usize, length: usize) -> Vec<u8> {
    match kind {
        0 => random.bytes(length),
        1 => random.bytes(length).iter().map(|byte| byte & 0x7f).collect(),
        2 => "naïve 主题 😀 topic ".bytes().cycle().take(length).collect(),
        _ => random.bytes(length).iter().map(|byte| if *byte == 0x80 { 0xc3 } else { byte & 0x7f }).collect(),
    }
}

#[test]
fn keys_of_one_length_at_every_length_and_alignment() {
    let mut random = Random::seeded(31);
    for length in 0..=600 {
        let start = length % 64;
        let values = bytes(&mut random, length % 4, start + 19 * length);
        let bounds = offsets(start, std::iter::repeat_n(length, 19));
        assert_arms_equal(Column::new(&values, &bounds).unwrap(), &format!("19 keys of {length} bytes"));
    }
}

#[test]
fn every_length_side_by_side_ascending_and_descending() {
    let mut random = Random::seeded(32);
    for kind in 0..4 {
        let values = bytes(&mut random, kind, 7 + 600 * 601 / 2);
        let (up, down) = (offsets(7, 0..=600), offsets(7, (0..=600).rev()));
        assert_arms_equal(Column::new(&values, &up).unwrap(), "ascending lengths");
        assert_arms_equal(Column::new(&values, &down).unwrap(), "descending lengths");
    }
}

#[test]
fn mixed_lengths_of_every_kind_and_count() {
    let mut random = Random::seeded(33);
    for round in 0..3000 {
        let longest = [1, 4, 5, 17, 33, 64, 65, 66, 130, 300, 1200][random.below(11)];
        let lengths: Vec<usize> = (0..random.below(80)).map(|_| random.below(longest)).collect();
        let start = random.below(70);
        let bounds = offsets(start, lengths);
        let slack = random.below(3) * 40;
        let values = bytes(&mut random, round % 4, bounds[bounds.len() - 1] as usize + slack);
        assert_arms_equal(Column::new(&values, &bounds).unwrap(), &format!("round {round}"));
    }
}

#[test]
fn one_long_key_among_short_ones() {
    let mut random = Random::seeded(34);
    for kind in 0..4 {
        let lengths = (0..200).map(|i| if i % 37 == 5 { 4096 + i } else { i % 50 });
        let bounds = offsets(0, lengths);
        let values = bytes(&mut random, kind, bounds[200] as usize);
        assert_arms_equal(Column::new(&values, &bounds).unwrap(), "a long key");
    }
}

#[test]
fn a_key_of_three_megabytes() {
    let mut random = Random::seeded(35);
    let bounds = offsets(3, [40, 3 << 20, 41, 7]);
    let values = bytes(&mut random, 1, bounds[4] as usize);
    assert_arms_equal(Column::new(&values, &bounds).unwrap(), "3 MB");
}

#[cfg(unix)]
mod page {
    #![allow(unsafe_code, reason = "a page without access is made by the operating system alone")]
    use super::*;

    /// Two accessible pages between two that fault when read.
    struct Guarded(*mut u8);

    const PAGE: usize = 65_536; // a multiple of every page size in use

    impl Guarded {
        fn new() -> Guarded {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: a fresh mapping of no file.
            let all = unsafe { libc::mmap(std::ptr::null_mut(), 3 * PAGE, libc::PROT_NONE, flags, -1, 0) };
            assert_ne!(all, libc::MAP_FAILED);
            let middle = all.cast::<u8>().wrapping_add(PAGE);
            // SAFETY: the middle third of that mapping.
            assert_eq!(unsafe { libc::mprotect(middle.cast(), PAGE, libc::PROT_READ | libc::PROT_WRITE) }, 0);
            Guarded(middle)
        }

        fn bytes(&mut self) -> &mut [u8] {
            // SAFETY: PAGE readable and writable bytes, borrowed through this value alone.
            unsafe { std::slice::from_raw_parts_mut(self.0, PAGE) }
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            // SAFETY: the mapping made in `new`, which nothing borrows any more.
            unsafe { libc::munmap(self.0.wrapping_sub(PAGE).cast(), 3 * PAGE) };
        }
    }

    #[test]
    fn nothing_outside_the_values_is_read() {
        let mut random = Random::seeded(36);
        let mut page = Guarded::new();
        for round in 0..2000 {
            let longest = [2, 5, 17, 65, 130, 600][random.below(6)];
            let bounds = offsets(0, (0..=random.below(40)).map(|_| random.below(longest)).collect::<Vec<_>>());
            let total = bounds[bounds.len() - 1] as usize;
            let text = bytes(&mut random, round % 4, total);
            let (head, tail) = (&mut page.bytes()[..total], PAGE - total);
            head.copy_from_slice(&text);
            assert_arms_equal(Column::new(head, &bounds).unwrap(), "at the start of a page");
            let end = &mut page.bytes()[tail..];
            end.copy_from_slice(&text);
            assert_arms_equal(Column::new(end, &bounds).unwrap(), "at the end of a page");
        }
    }
}

#[test]
fn a_million_random_keys() {
    let mut random = Random::seeded(37);
    for round in 0..20 {
        let bounds = offsets(0, (0..50_000).map(|_| random.below(301)).collect::<Vec<_>>());
        let values = bytes(&mut random, round % 4, bounds[50_000] as usize);
        assert_arms_equal(Column::new(&values, &bounds).unwrap(), "random keys");
    }
}

#[test]
fn an_arm_is_had_by_its_name_alone_where_the_processor_has_it() {
    let names: Vec<&str> = Arm::available().iter().map(|arm| arm.name()).collect();
    println!("{names:?}");
    assert_eq!(names.last(), Some(&"scalar"));
    for name in ["scalar", "avx2", "avx2-vpclmul", "avx512", "avx512-gather", "neon", "", "AVX2", "sse"] {
        assert_eq!(Arm::by_name(name).map(Arm::name), names.contains(&name).then_some(name));
    }
}
