//! Key → partition: a hash, then a reduction to `[0, n)`.
//!
//! For whoever asks where the producers of Java, librdkafka, sarama, kafka-go and others put a key. Sources: Apache
//! Kafka 4.4.0 `BuiltInPartitioner.partitionForKey` (mask), librdkafka 2.x `rdkafka_partitioner.c` (unsigned, mask,
//! abs), sarama `hashPartitioner` (abs), kafka-go `Hash` (abs). They differ in what they do with the sign bit; the
//! remainder is the same.

use crate::column::Column;
use crate::error::WrongLength;
use crate::hash::Hash;
use crate::lanes::Arm;
use crate::text::Texts;
use std::ops::Range;

/// What becomes of the sign bit of a 32-bit hash before the remainder by the number of partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// `(h & 0x7fffffff) % n`: Kafka's `Utils.toPositive`.
    Mask,
    /// `(h >>> 0) % n`.
    Unsigned,
    /// `|(h | 0) % n|`: a signed remainder, its sign dropped.
    Abs,
    /// `|h | 0| % n`, with `|-2^31|` = 0: Kafka's `Utils.abs`.
    AbsFirst,
}

impl Reduction {
    /// The partition of a hash among `n` in `[1, 2^31)`; in `[0, n)`.
    ///
    /// # Panics
    /// If `n` is 0.
    ///
    /// ```
    /// use topic_placement_core::kafka::partitioner::Reduction;
    /// assert_eq!(Reduction::Abs.apply(0x8000_0000, 12), 8);
    /// assert_eq!(Reduction::AbsFirst.apply(0x8000_0000, 12), 0);
    /// ```
    #[must_use]
    pub fn apply(self, hash: u32, n: u32) -> i32 {
        (self.magnitude(hash) % n) as i32
    }

    /// The unsigned number whose remainder is the partition. A signed remainder without its sign is the remainder of the
    /// magnitude, so that all four differ here alone.
    #[inline]
    fn magnitude(self, hash: u32) -> u32 {
        match self {
            Reduction::Mask => hash & 0x7fff_ffff,
            Reduction::Unsigned => hash,
            Reduction::Abs => (hash as i32).unsigned_abs(),
            Reduction::AbsFirst => (hash as i32).unsigned_abs() & 0x7fff_ffff,
        }
    }
}

/// Keys hashed before their hashes are reduced: 4 KB of hashes, which stay in the first-level cache.
const BLOCK: usize = 1024;

/// The partition of each key of `column` among `n` in `[1, 2^31)`, into `out` (as long as the column), by the
/// instructions of `arm`. Six parameters, as the binding has them: two say which partitioner, four are the question.
///
/// Cost: that of the hash and about 0.5 ns a key; the division is by multiplication.
///
/// # Errors
/// [`WrongLength`] if `out` is not as long as the column; nothing is written then.
///
/// # Panics
/// If `n` is 0.
///
/// ```
/// use topic_placement_core::kafka::partitioner::{packed, Reduction};
/// use topic_placement_core::{Arm, Column, Hash};
/// let mut out = [0];
/// let column = Column::new(b"TT0124", &[0, 6]).unwrap();
/// packed(Arm::best(), Hash::Murmur2, Reduction::Mask, column, 15, &mut out).unwrap();
/// assert_eq!(out, [10]);
/// ```
pub fn packed(
    arm: Arm,
    hash: Hash,
    reduction: Reduction,
    column: Column<'_>,
    n: u32,
    out: &mut [i32],
) -> Result<(), WrongLength> {
    WrongLength::check(column.len(), out.len())?;
    reduced(reduction, n, out, |range, hashes| hash.packed(arm, column.slice(range), hashes))
}

/// [`packed`] of texts.
///
/// # Errors
/// As [`packed`].
///
/// # Panics
/// As [`packed`].
pub fn texts(
    arm: Arm,
    hash: Hash,
    reduction: Reduction,
    texts: Texts<'_>,
    n: u32,
    out: &mut [i32],
) -> Result<(), WrongLength> {
    WrongLength::check(texts.column().len(), out.len())?;
    reduced(reduction, n, out, |range, hashes| texts.hash(arm, hash, range, hashes))
}

/// Fills `out` block by block with the partitions of the hashes that `hash` writes for a range of keys.
fn reduced(
    reduction: Reduction,
    n: u32,
    out: &mut [i32],
    hash: impl Fn(Range<usize>, &mut [u32]) -> Result<(), WrongLength>,
) -> Result<(), WrongLength> {
    let remainder = Remainder::by(n);
    let mut hashes = [0; BLOCK];
    for (block, slots) in out.chunks_mut(BLOCK).enumerate() {
        let (from, hashes) = (block * BLOCK, &mut hashes[..slots.len()]);
        hash(from..from + slots.len(), hashes)?;
        reduce(reduction, remainder, hashes, slots);
    }
    Ok(())
}

/// One loop for each reduction, so that no key asks which one it is.
fn reduce(reduction: Reduction, remainder: Remainder, hashes: &[u32], out: &mut [i32]) {
    match reduction {
        Reduction::Mask => each(hashes, out, |h| remainder.of(Reduction::Mask.magnitude(h))),
        Reduction::Unsigned => each(hashes, out, |h| remainder.of(h)),
        Reduction::Abs => each(hashes, out, |h| remainder.of(Reduction::Abs.magnitude(h))),
        Reduction::AbsFirst => each(hashes, out, |h| remainder.of(Reduction::AbsFirst.magnitude(h))),
    }
}

#[inline]
fn each(hashes: &[u32], out: &mut [i32], partition: impl Fn(u32) -> u32) {
    for (slot, &hash) in out.iter_mut().zip(hashes) {
        *slot = partition(hash) as i32;
    }
}

/// `x % n` for every 32-bit `x` without a division, by the round-up method of Granlund and Montgomery.
///
/// With `s = ceil(log2 n)`, `2^32 + multiplier` is the least integer not below `2^(32 + s) / n`; since that is too large
/// by less than `n / n <= 2^s / 2^32` parts, the quotient is exact for every `x < 2^32`. The 33rd bit of the product is
/// added apart, halved first so that it cannot overflow.
#[derive(Debug, Clone, Copy)]
struct Remainder {
    n: u32,
    multiplier: u32,
    shifts: [u32; 2],
}

impl Remainder {
    fn by(n: u32) -> Remainder {
        assert!(n > 0, "a remainder needs a divisor");
        let s = u32::BITS - (n - 1).leading_zeros();
        let multiplier = ((1u64 << 32) * ((1u64 << s) - u64::from(n))) / u64::from(n) + 1;
        Remainder { n, multiplier: multiplier as u32, shifts: [s.min(1), s.saturating_sub(1)] }
    }

    #[inline]
    fn of(self, x: u32) -> u32 {
        let high = ((u64::from(x) * u64::from(self.multiplier)) >> 32) as u32;
        let quotient = (high + ((x - high) >> self.shifts[0])) >> self.shifts[1];
        x - quotient.wrapping_mul(self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remainder_without_division_is_the_remainder() {
        let counts =
            (1..2000).chain((1..32).flat_map(|s| [(1u32 << s) - 1, 1 << s, (1 << s) + 1])).chain([i32::MAX as u32]);
        for n in counts.filter(|&n| n > 0 && i32::try_from(n).is_ok()) {
            let remainder = Remainder::by(n);
            let near = (0..=u32::MAX / n).step_by((u32::MAX / n / 64).max(1) as usize);
            let edges = near.flat_map(|q| [q * n, (q * n).wrapping_sub(1), q * n + (n - 1).min(u32::MAX - q * n)]);
            for x in edges.chain([0, 1, u32::MAX, u32::MAX - 1, 1 << 31]) {
                assert_eq!(remainder.of(x), x % n, "{x} % {n}");
            }
        }
    }
}
