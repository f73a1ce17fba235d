//! Where a bundle is cut, from the hashes of its topics: by their count, and by their traffic; and hashes in order, for
//! questions about many layouts at once.
//!
//! Source: Apache Pulsar 5.0.1, 4.2.4 and 3.0.7 (the first also 2.10.5), `TopicCountEquallyDivideBundleSplitAlgorithm` and
//! `FlowOrQpsEquallyDivideBundleSplitAlgorithm` of `org.apache.pulsar.common.naming`. What differs from the obvious: the cut
//! by count rounds down, so that of two equal or adjacent hashes the lower one goes right; the cut by traffic adds 1 to the
//! middle, and knows topics by their hash, the last one of a hash in place of all.

use crate::error::WrongLength;

/// Bits of a digit of the radix sort: three passes cover 32 bits.
const DIGIT: u32 = 11;
const DIGITS: usize = 1 << DIGIT;

/// Fewer hashes than this are sorted by comparison: counting 3 × 2,048 digits would cost more.
const FEW: usize = 2048;

/// Topics of a bundle: their hashes, and the traffic of each, in and out together. All of one length.
#[derive(Debug, Clone, Copy)]
pub struct Flows<'a> {
    /// CRC-32 of the full names.
    pub hashes: &'a [u32],
    /// Messages a second.
    pub msg_rates: &'a [f64],
    /// Bytes a second.
    pub throughputs: &'a [f64],
}

/// What a bundle is given at most, and how much of it must be reached before anything is split (1.1: ten percent above).
#[derive(Debug, Clone, Copy)]
pub struct FlowLimits {
    /// Messages a second.
    pub max_msg_rate: f64,
    /// Bytes a second.
    pub max_throughput: f64,
    /// Factor on both.
    pub share: f64,
}

/// The cut by topic count: the middle between the hashes of ranks n/2 - 1 and n/2, rounded down; `None` below two hashes.
///
/// Cost: a selection, linear in the hashes.
#[must_use]
pub fn middle_hash(hashes: &[u32]) -> Option<u32> {
    if hashes.len() < 2 {
        return None;
    }
    let mut hashes = hashes.to_vec();
    let half = hashes.len() / 2;
    let (below, right, _) = hashes.select_nth_unstable(half);
    let left = *below.iter().max()?;
    Some(left + (*right - left) / 2)
}

/// The cuts by traffic, ascending, in `[1, 2^32]`, possibly none; `None` where the original splits nothing.
///
/// Topics whose two rates are both 0 or less do not count. Sums are taken in the order of the topics, and then of the hashes.
///
/// # Errors
/// [`WrongLength`] where the columns differ in length.
pub fn flow_boundaries(flows: Flows<'_>, limits: FlowLimits) -> Result<Option<Vec<f64>>, WrongLength> {
    let expected = flows.hashes.len();
    WrongLength::check(expected, flows.msg_rates.len())?;
    WrongLength::check(expected, flows.throughputs.len())?;
    let (topics, total) = flowing(flows);
    let distinct = topics.first().map(|topic| topic.hash) != topics.last().map(|topic| topic.hash);
    let is_small =
        total.rate < limits.max_msg_rate * limits.share && total.bytes < limits.max_throughput * limits.share;
    Ok(if distinct && !is_small { Some(cuts(&topics, limits)) } else { None })
}

#[derive(Debug, Clone, Copy, Default)]
struct Traffic {
    rate: f64,
    bytes: f64,
}

impl Traffic {
    fn plus(self, more: Self) -> Self {
        Self { rate: self.rate + more.rate, bytes: self.bytes + more.bytes }
    }
}

struct Flow {
    hash: u32,
    traffic: Traffic,
}

/// The topics with traffic, in order of their hashes, each with the traffic of the last of its hash; and the sum over all.
fn flowing(Flows { hashes, msg_rates, throughputs }: Flows<'_>) -> (Vec<Flow>, Traffic) {
    let mut total = Traffic::default();
    let mut topics = Vec::new();
    for ((&hash, &rate), &bytes) in hashes.iter().zip(msg_rates).zip(throughputs) {
        if rate > 0.0 || bytes > 0.0 {
            let traffic = Traffic { rate, bytes };
            total = total.plus(traffic);
            topics.push(Flow { hash, traffic });
        }
    }
    // Stable: of equal hashes the last one stays last.
    topics.sort_by_key(|topic| topic.hash);
    for i in (1..topics.len()).rev() {
        if topics[i - 1].hash == topics[i].hash {
            topics[i - 1].traffic = topics[i].traffic;
        }
    }
    (topics, total)
}

fn cuts(topics: &[Flow], limits: FlowLimits) -> Vec<f64> {
    let mut cuts = Vec::new();
    let mut sum = topics[0].traffic;
    for pair in topics.windows(2) {
        let next = sum.plus(pair[1].traffic);
        if next.rate > limits.max_msg_rate || next.bytes > limits.max_throughput {
            let middle = pair[0].hash + (pair[1].hash - pair[0].hash) / 2;
            cuts.push(f64::from(middle) + 1.0);
            sum = pair[1].traffic;
        } else {
            sum = next;
        }
    }
    cuts
}

/// Hashes in ascending order, and where `order` is not empty for each the index that it had; equal hashes keep their order.
///
/// Cost: three passes over the hashes.
///
/// # Errors
/// [`WrongLength`] where a result is not as long as the hashes; nothing is written then.
pub fn sort_hashes(hashes: &[u32], sorted: &mut [u32], order: &mut [u32]) -> Result<(), WrongLength> {
    WrongLength::check(hashes.len(), sorted.len())?;
    if order.is_empty() {
        sorted.copy_from_slice(hashes);
        sort_by_hash(sorted, |&hash| hash);
        return Ok(());
    }
    WrongLength::check(hashes.len(), order.len())?;
    let mut pairs: Vec<u64> = (0u64..).zip(hashes).map(|(index, &hash)| u64::from(hash) << 32 | index).collect();
    sort_by_hash(&mut pairs, |&pair| (pair >> 32) as u32);
    for ((pair, sorted), order) in pairs.iter().zip(sorted).zip(order) {
        *sorted = (pair >> 32) as u32;
        *order = *pair as u32;
    }
    Ok(())
}

/// Sorts by a hash, stably.
pub(super) fn sort_by_hash<T: Copy + Default>(items: &mut [T], hash_of: impl Fn(&T) -> u32 + Copy) {
    if items.len() < FEW {
        items.sort_by_key(hash_of);
    } else {
        radix_sort(items, hash_of);
    }
}

/// From the lowest digit of the hash to the highest.
fn radix_sort<T: Copy + Default>(items: &mut [T], hash_of: impl Fn(&T) -> u32 + Copy) {
    let digit_of = |item: &T, digit: u32| (hash_of(item) >> (digit * DIGIT)) as usize & (DIGITS - 1);
    let mut counts = vec![[0u32; DIGITS]; 3];
    for item in items.iter() {
        for (digit, counts) in (0..).zip(&mut counts) {
            counts[digit_of(item, digit)] += 1;
        }
    }
    let mut spare = vec![T::default(); items.len()];
    let (mut from, mut to) = (items, &mut spare[..]);
    for (digit, counts) in (0..).zip(&mut counts) {
        let mut at = 0;
        for count in counts.iter_mut() {
            at += std::mem::replace(count, at);
        }
        for item in from.iter() {
            let place = &mut counts[digit_of(item, digit)];
            to[*place as usize] = *item;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    // Three passes end in the spare memory.
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_rounded_down() {
        assert_eq!(middle_hash(&[5]), None);
        assert_eq!(middle_hash(&[6, 5]), Some(5));
        assert_eq!(middle_hash(&[7, 9, 7, 7]), Some(7));
        assert_eq!(middle_hash(&[u32::MAX, 0]), Some(0x7fff_ffff));
        assert_eq!(middle_hash(&[0x3500_0000, 0x6500_0000]), Some(0x4d00_0000));
    }

    #[test]
    fn traffic_is_cut_as_the_documented_example() {
        let hashes = [0x1000_0000, 0x1500_0000, 0x2400_0000, 0x3900_0000, 0x5800_0000, 0x7600_0000];
        let msg_rates = [100.0, 200.0, 300.0, 400.0, 500.0, 600.0];
        let limits = FlowLimits { max_msg_rate: 450.0, max_throughput: 1e8, share: 1.1 };
        let flows = Flows { hashes: &hashes, msg_rates: &msg_rates, throughputs: &[0.0; 6] };
        let expected = [0x1c80_0001u32, 0x2e80_0001, 0x4880_0001, 0x6700_0001].map(f64::from).to_vec();
        assert_eq!(flow_boundaries(flows, limits), Ok(Some(expected)));
        let short = Flows { throughputs: &[0.0; 5], ..flows };
        assert_eq!(flow_boundaries(short, limits), Err(WrongLength { expected: 6, got: 5 }));
    }

    #[test]
    fn equal_hashes_at_the_end_are_cut_past_it() {
        let flows = Flows { hashes: &[0, u32::MAX, u32::MAX], msg_rates: &[1.0, 9.0, 9.0], throughputs: &[0.0; 3] };
        let limits = FlowLimits { max_msg_rate: 10.0, max_throughput: 1.0, share: 1.0 };
        assert_eq!(flow_boundaries(flows, limits), Ok(Some(vec![4_294_967_296.0])));
    }

    #[test]
    fn both_sorts_are_stable() {
        for length in [0, 1, 5, FEW - 1, FEW, 3 * FEW] {
            let hashes: Vec<u32> = (0..length as u32).map(|i| i.wrapping_mul(0x9e37_79b1) & 0xff00_0f0f).collect();
            let mut expected: Vec<u32> = (0..length as u32).collect();
            expected.sort_by_key(|&i| hashes[i as usize]);
            let (mut sorted, mut order) = (vec![0; length], vec![0; length]);
            sort_hashes(&hashes, &mut sorted, &mut order).unwrap();
            assert_eq!(order, expected);
            assert!(sorted.iter().zip(&order).all(|(&hash, &i)| hash == hashes[i as usize]));
            let mut alone = vec![0; length];
            sort_hashes(&hashes, &mut alone, &mut []).unwrap();
            assert_eq!(alone, sorted);
        }
    }
}
