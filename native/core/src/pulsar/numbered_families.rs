//! Families of topics: names that are equal but for a number at their end, `orders-partition-0` and `orders-partition-1`;
//! and the hashes of each family side by side.
//!
//! For the search for suffixes that crowd into few bundles. Source: computed; what Apache Pulsar 5.0.1 names partitions is
//! `-partition-` and a number.
//!
//! A CRC can be run backwards: taking the digits away again gives that of the prefix, what stands before them. Prefixes are
//! told apart by both CRC-32s and their length, and not by their bytes, which lie all over the memory: a look at them for each
//! name takes longer than all the rest. The two polynomials have no factor in common, so that together they are a CRC of 64
//! bits: prefixes that differ within eight neighbouring bytes never look alike, and of a million any two do once in 10^7 calls.

use super::split::sort_by_hash;
use crate::column::Column;
use crate::error::WrongLength;
use crate::{Arm, Hash};

/// A number of more digits is no counter: a time, an id.
const MOST_DIGITS: usize = 9;

/// What precedes the number of a partition.
const PARTITION_MARK: &[u8] = b"-partition-";

/// The family of a name that has no other beside it.
const NONE: u32 = u32::MAX;

/// The families of two names or more, in the order of their prefixes' CRC-32, of one CRC in that of CRC-32C, then length.
/// Family `f` has the hashes `[starts[f], starts[f + 1])`.
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

/// Finds the families; `crcs` are the CRC-32s of the names.
///
/// Cost: one more hash pass, one over the ends of the names, one sort of those with a number.
///
/// # Errors
/// [`WrongLength`] where there is not one CRC for each name.
pub fn numbered_families(arm: Arm, column: Column<'_>, crcs: &[u32]) -> Result<Families, WrongLength> {
    WrongLength::check(column.len(), crcs.len())?;
    let mut castagnoli = vec![0; crcs.len()];
    Hash::Crc32c.packed(arm, column, &mut castagnoli)?;
    let hashes = crcs.iter().zip(&castagnoli);
    let names: Vec<Name> = column.keys().zip(hashes).filter_map(|(name, (&crc, &c))| Name::of(name, crc, c)).collect();
    Ok(families(&names))
}

/// What stands before a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Prefix {
    crc: u32,
    castagnoli: u32,
    len: u32,
}

/// A name with a number at its end.
#[derive(Clone, Copy)]
struct Name {
    prefix: Prefix,
    number: u32,
    hash: u32,
    is_partition: bool,
}

impl Name {
    fn of(name: &[u8], hash: u32, castagnoli: u32) -> Option<Self> {
        let digits = name.iter().rev().take(MOST_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > MOST_DIGITS {
            return None;
        }
        let (prefix, number) = name.split_at(name.len() - digits);
        let (crc, castagnoli) = number.iter().rev().fold((hash, castagnoli), |(crc, castagnoli), &digit| {
            (before(&ISO_HDLC, crc, digit), before(&CASTAGNOLI, castagnoli, digit))
        });
        Some(Self {
            prefix: Prefix { crc, castagnoli, len: prefix.len() as u32 },
            number: number.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')),
            hash,
            is_partition: prefix.ends_with(PARTITION_MARK),
        })
    }
}

/// Names beside each other with one prefix.
#[derive(Clone, Copy)]
struct Run {
    prefix: Prefix,
    /// The place of its first name.
    start: u32,
}

fn runs(names: &[Name]) -> Vec<Run> {
    let mut last = None;
    let starts = (0..).zip(names).filter(|&(_, name)| last.replace(name.prefix) != Some(name.prefix));
    starts.map(|(start, name)| Run { prefix: name.prefix, start }).collect()
}

/// Names are walked twice in their own order, and never in that of the families: where they stand in no order, each of them
/// would be a miss of the cache.
fn families(names: &[Name]) -> Families {
    let runs = runs(names);
    let mut found = Families::default();
    let of_run = number_families(&runs, names.len() as u32, &mut found.sizes);
    found.starts = std::iter::once(0)
        .chain(found.sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }))
        .collect();
    fill(&mut found, names, (&runs, &of_run));
    for ends in found.starts.windows(2) {
        found.hashes[ends[0] as usize..ends[1] as usize].sort_unstable();
    }
    found
}

/// The family of each run, `NONE` for a name alone; appends how many names each family has.
fn number_families(runs: &[Run], names: u32, sizes: &mut Vec<u32>) -> Vec<u32> {
    let end = |run: usize| runs.get(run + 1).map_or(names, |next| next.start);
    let mut order: Vec<u64> = (0u64..).zip(runs).map(|(i, run)| (u64::from(run.prefix.crc) << 32) | i).collect();
    sort_by_hash(&mut order, |run| (run >> 32) as u32);
    let prefix_of = |&run: &u64| runs[run as u32 as usize].prefix;
    let mut of_run = vec![NONE; runs.len()];
    for alike in order.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        // Mostly they are of one prefix, and a look at each is cheaper than to sort what is sorted.
        if alike.len() > 1 && alike.iter().any(|run| prefix_of(run) != prefix_of(&alike[0])) {
            alike.sort_by_key(prefix_of);
        }
        for family in alike.chunk_by(|a, b| prefix_of(a) == prefix_of(b)) {
            let places = family.iter().map(|&run| run as u32 as usize);
            let size = places.clone().map(|run| end(run) - runs[run].start).sum();
            if size > 1 {
                places.for_each(|run| of_run[run] = sizes.len() as u32);
                sizes.push(size);
            }
        }
    }
    of_run
}

/// What a run adds to lies together, in one line of the cache.
#[derive(Clone, Copy)]
struct Open {
    /// Where the next hash goes.
    next: u32,
    least: u32,
    greatest: u32,
    is_partitions: u8,
}

/// Fills all but the sizes and starts; `of_run` are the families of the runs.
fn fill(found: &mut Families, names: &[Name], (runs, of_run): (&[Run], &[u32])) {
    let empty = |&next: &u32| Open { next, least: u32::MAX, greatest: 0, is_partitions: 0 };
    let mut all: Vec<Open> = found.starts[..found.sizes.len()].iter().map(empty).collect();
    found.hashes = vec![0; found.starts[all.len()] as usize];
    for (i, (run, &family)) in (1..).zip(runs.iter().zip(of_run)).filter(|&(_, (_, &family))| family != NONE) {
        let end = runs.get(i).map_or(names.len(), |next| next.start as usize);
        let mut open = all[family as usize];
        for name in &names[run.start as usize..end] {
            found.hashes[open.next as usize] = name.hash;
            open.next += 1;
            (open.least, open.greatest) = (open.least.min(name.number), open.greatest.max(name.number));
            open.is_partitions = u8::from(name.is_partition);
        }
        all[family as usize] = open;
    }
    found.least = all.iter().map(|open| open.least).collect();
    found.greatest = all.iter().map(|open| open.greatest).collect();
    found.is_partitions = all.iter().map(|open| open.is_partitions).collect();
}

/// What a step back takes from a state, by its top byte: each byte is the top one of a single entry of the table that steps
/// forward, so that it tells which entry was taken. Below stands the number of that entry.
type Back = [u32; 256];

static ISO_HDLC: Back = back(0xedb8_8320);
static CASTAGNOLI: Back = back(0x82f6_3b78);

/// The CRC of bytes, given that of the same with `last` behind them.
#[inline]
fn before(back: &Back, crc: u32, last: u8) -> u32 {
    let state = !crc;
    !((state << 8) ^ back[(state >> 24) as usize] ^ u32::from(last))
}

/// The polynomial has its highest coefficient last, x^32 left out.
const fn back(polynomial: u32) -> Back {
    let mut back = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut forward = byte;
        let mut bit = 0;
        while bit < 8 {
            forward = (forward >> 1) ^ ((forward & 1) * polynomial);
            bit += 1;
        }
        back[(forward >> 24) as usize] = (forward << 8) | byte;
        byte += 1;
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::crc32;

    const CRC: &crc32::Crc32 = &crc32::ISO_HDLC;

    fn families_of(names: &[&str]) -> Families {
        let values = names.concat();
        let ends = names.iter().scan(0, |end, name| {
            *end += name.len() as u32;
            Some(*end)
        });
        let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let crcs: Vec<u32> = names.iter().map(|name| CRC.one(name.as_bytes())).collect();
        numbered_families(Arm::best(), Column::new(values.as_bytes(), &offsets).unwrap(), &crcs).unwrap()
    }

    fn sorted_crcs(names: &[&str]) -> Vec<u32> {
        let mut crcs: Vec<u32> = names.iter().map(|name| CRC.one(name.as_bytes())).collect();
        crcs.sort_unstable();
        crcs
    }

    #[test]
    fn a_step_back_undoes_a_byte() {
        for byte in 0..=255u8 {
            for (back, crc) in [(&ISO_HDLC, CRC), (&CASTAGNOLI, &crc32::CASTAGNOLI)] {
                assert_eq!(before(back, crc.one(&[b'a', b'b', byte]), byte), crc.one(b"ab"));
            }
        }
    }

    #[test]
    fn names_are_grouped_by_what_precedes_their_number() {
        let names = ["t-partition-2", "a7", "plain", "t-partition-10", "a08", "1234567890", "t-partition-3", "single4"];
        let found = families_of(&names);
        let (t, a) = (sorted_crcs(&[names[0], names[3], names[6]]), sorted_crcs(&[names[1], names[4]]));
        assert!(CRC.one(b"t-partition-") < CRC.one(b"a"));
        assert_eq!(found.sizes, [3, 2]);
        assert_eq!((found.least, found.greatest), (vec![2, 7], vec![10, 8]));
        assert_eq!(found.is_partitions, [1, 0]);
        assert_eq!((found.starts, found.hashes), (vec![0, 3, 5], [t, a].concat()));
    }

    #[test]
    fn two_prefixes_of_one_crc_are_two_families() {
        // Their CRC-32 is 0xb4f4c980, as test/bundles.test.ts has it.
        let [x, y] = ["persistent://public/default/xs4ibwwl", "persistent://public/default/adwoqc8j"];
        assert_eq!(CRC.one(x.as_bytes()), CRC.one(y.as_bytes()));
        let names: Vec<String> = [x, y, x, y, x].iter().zip([1, 5, 2, 7, 3]).map(|(x, n)| format!("{x}{n}")).collect();
        let found = families_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.sizes, [2, 3]);
        assert_eq!((found.least, found.greatest), (vec![5, 1], vec![7, 3]));
    }

    #[test]
    fn no_names_no_families() {
        assert_eq!(families_of(&[]).starts, [0]);
    }

    #[test]
    fn a_hash_for_each_name_is_wanted() {
        let column = Column::new(b"a1", &[0, 2]).unwrap();
        assert_eq!(numbered_families(Arm::best(), column, &[]), Err(WrongLength { expected: 1, got: 0 }));
    }

    #[test]
    fn families_are_found_wherever_their_names_stand() {
        let names: Vec<String> = (0..5000u32).map(|i| format!("topic-{}-{}", i % 1000, i / 1000)).collect();
        let found = families_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.sizes, vec![5; 1000]);
        assert_eq!((found.least, found.greatest), (vec![0; 1000], vec![4; 1000]));
    }
}
