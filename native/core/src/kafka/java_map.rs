//! The order in which a `java.util.HashMap` is walked that was filled in a given order.
//!
//! For the constrained sticky assignor, the list order of range, and callers who want the order of the map that a group's
//! leader is handed. Source: OpenJDK 17, java.util.HashMap and HashSet. What differs from the obvious: the table grows
//! while it is filled, and full buckets change that (see `java_table.rs`). Where none is ever full, which is nearly
//! always, the order is the buckets' one, and inside a bucket the one given.

use super::java_table::{JavaTable, room, spread};

/// So many keys in one bucket make it full.
const FULL: u8 = 9;

/// Positions of keys in the order in which the map is walked.
///
/// `hash_codes` are of distinct keys, in the order in which they are put; `ranks` are their places in the order of
/// `compareTo`, if known; `table_size`, a power of two, is 16 by default in Java. `None` where ranks decide and there are
/// none.
///
/// ```
/// use topic_placement_core::kafka::java_map::java_map_order;
/// assert_eq!(java_map_order(&[33, 1, 16, 0], None, 16), Some(vec![2, 3, 0, 1]));
/// ```
#[must_use]
pub fn java_map_order(hash_codes: &[i32], ranks: Option<&[u32]>, table_size: usize) -> Option<Vec<u32>> {
    match final_buckets(hash_codes, table_size) {
        Some(buckets) => Some(bucket_order(hash_codes, buckets)),
        None => exact_order(hash_codes, ranks, table_size),
    }
}

/// Size of the table in the end; `None` if a bucket was full on the way there.
fn final_buckets(hash_codes: &[i32], table_size: usize) -> Option<usize> {
    let mut buckets = table_size;
    loop {
        let room = room(buckets);
        // The key that is one too many is put before the table grows.
        if has_full_bucket(&hash_codes[..hash_codes.len().min(room + 1)], buckets) {
            return None;
        }
        if hash_codes.len() <= room {
            return Some(buckets);
        }
        buckets *= 2;
    }
}

fn bucket_of(hash_code: i32, buckets: usize) -> usize {
    spread(hash_code) as usize & (buckets - 1)
}

fn has_full_bucket(hash_codes: &[i32], buckets: usize) -> bool {
    if hash_codes.len() < usize::from(FULL) {
        return false;
    }
    let mut counts = vec![0_u8; buckets];
    hash_codes.iter().any(|&hash_code| {
        let count = &mut counts[bucket_of(hash_code, buckets)];
        *count += 1;
        *count == FULL
    })
}

fn bucket_order(hash_codes: &[i32], buckets: usize) -> Vec<u32> {
    let mut ends = vec![0_u32; buckets + 1];
    for &hash_code in hash_codes {
        ends[bucket_of(hash_code, buckets) + 1] += 1;
    }
    for bucket in 0..buckets {
        ends[bucket + 1] += ends[bucket];
    }
    let mut order = vec![0; hash_codes.len()];
    for (i, &hash_code) in hash_codes.iter().enumerate() {
        let end = &mut ends[bucket_of(hash_code, buckets)];
        order[*end as usize] = i as u32;
        *end += 1;
    }
    order
}

fn exact_order(hash_codes: &[i32], ranks: Option<&[u32]>, table_size: usize) -> Option<Vec<u32>> {
    let mut unknown = false;
    let mut table = JavaTable::new(table_size);
    let mut less = |a: u32, b: u32| {
        if let Some(ranks) = ranks {
            ranks[a as usize] < ranks[b as usize]
        } else {
            unknown = true;
            true
        }
    };
    for &hash_code in hash_codes {
        table.add(hash_code, &mut less);
    }
    (!unknown).then(|| table.order())
}
