//! The order of kept slots where the original's comparison of partition numbers overflows: claims 2^31 apart.
//!
//! For the general sticky algorithm, which compares by a 32-bit difference: then a number can be less than another and the
//! other less than it, and the order is what the sort makes of it. Sources: Apache Kafka 4.4.0,
//! org.apache.kafka.clients.consumer.internals.Utils.PartitionComparator, and OpenJDK 17, java.util.TimSort. Done as the
//! original for fewer than 32 slots, which Java sorts by insertion; more are put in the order of their numbers.

use std::cmp::Ordering;

/// Java merges runs from so many items on.
const MERGES_FROM: usize = 32;

/// True where a difference of two of the numbers, which ascend, does not fit into 32 bits.
pub(super) fn overflows(numbers: &[i32]) -> bool {
    match numbers {
        [first, .., last] => last.checked_sub(*first).is_none(),
        _ => false,
    }
}

/// Sorts slots as Java does: by the topic's rank, then the number, by 32-bit difference. `key` gives both.
pub(super) fn sort_wrapped(mut slots: Vec<u32>, key: impl Fn(u32) -> (u32, i32)) -> Vec<u32> {
    if slots.len() >= MERGES_FROM {
        slots.sort_by_key(|&slot| key(slot));
        return slots;
    }
    insertion_sorted(&slots, |a, b| {
        let ((rank_a, number_a), (rank_b, number_b)) = (key(a), key(b));
        rank_a.cmp(&rank_b).then(number_a.wrapping_sub(number_b).cmp(&0))
    })
}

/// A first run, turned around if it descends; then item by item where a search by halves ends.
fn insertion_sorted(items: &[u32], compare: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut sorted = first_run(items, &compare);
    for &item in &items[sorted.len()..] {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if compare(item, sorted[middle]).is_lt() {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        sorted.insert(low, item);
    }
    sorted
}

fn first_run(items: &[u32], compare: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let [first, second, ..] = items else { return items.to_vec() };
    let descends = compare(*second, *first).is_lt();
    let goes_on = |pair: &&[u32]| compare(pair[1], pair[0]).is_lt() == descends;
    let mut run = items[..=items.windows(2).take_while(goes_on).count()].to_vec();
    if descends {
        run.reverse();
    }
    run
}
