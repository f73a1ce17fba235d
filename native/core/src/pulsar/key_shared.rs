//! Key → consumer of a Key_Shared subscription, for keys by the million.
//!
//! For the selectors of Apache Pulsar (2.10 to 5.0, `org.apache.pulsar.broker.service.*StickyKeyConsumerSelector`), each
//! laid out as ranges of slots. What differs from the original: it walks a tree for every message; here up to 2^17 slots
//! are written out, one entry each, and the 2^31 of older releases are found through a range table. The remainder by a
//! number of slots that no compiler knows is two multiplications.

use crate::column::Column;
use crate::error::WrongLength;
use crate::hash::Hash;
use crate::lanes::Arm;
use crate::pulsar::bundles::RangeTable;

/// Slots that are written out: 512 KB, and eight times the keys that a broker knows since 4.0.
const MOST_SLOTS: u32 = 1 << 17;

/// Keys hashed before their hashes are looked up: 4 KB of hashes, which stay in the first-level cache.
const BLOCK: usize = 1024;

/// The bits of a hash that count.
const MASK: u32 = 0x7fff_ffff;

/// No consumer.
pub const NONE: u32 = u32::MAX;

/// The consumers of all slots.
#[derive(Debug, Clone)]
pub struct KeyTable(Lookup);

#[derive(Debug, Clone)]
enum Lookup {
    /// A consumer a slot.
    Slots { modulus: Remainder, consumers: Vec<u32> },
    /// Ranges of slots, each shared by the consumers `members[firsts[i]..firsts[i + 1]]`.
    Ranges { modulus: Option<Remainder>, ranges: RangeTable, firsts: Vec<u32>, members: Vec<u32> },
}

/// What a table is made of: the fields of `KeyLayout` in src/engine/contract.ts.
#[derive(Debug, Clone, Copy)]
pub struct KeyLayout<'a> {
    /// Slots there are; 0 where no remainder is taken of the 2^31 hashes.
    pub modulus: u32,
    /// First slot of each range, from 0 on.
    pub starts: &'a [u32],
    /// First member of each range, and the end of the last one's.
    pub firsts: &'a [u32],
    /// Consumers of the ranges, one after another.
    pub members: &'a [u32],
}

impl KeyTable {
    /// The table of a layout; `None` unless `starts` ascend strictly from 0 and `firsts` ascend inside `members`.
    ///
    /// ```
    /// use topic_placement_core::pulsar::key_shared::{KeyLayout, KeyTable, NONE};
    /// let layout = KeyLayout { modulus: 10, starts: &[0, 5], firsts: &[0, 1, 1], members: &[7] };
    /// let table = KeyTable::new(layout).unwrap();
    /// assert_eq!([0, 14, 15, 0x8000_0000].map(|hash| table.one(hash)), [7, 7, NONE, 7]);
    /// ```
    #[must_use]
    pub fn new(layout: KeyLayout<'_>) -> Option<KeyTable> {
        let KeyLayout { modulus, starts, firsts, members } = layout;
        let sound = firsts.len() == starts.len() + 1
            && firsts.windows(2).all(|pair| pair[0] <= pair[1])
            && firsts.last().is_some_and(|&last| last as usize <= members.len());
        let ranges = RangeTable::new(starts).filter(|_| sound)?;
        let of_slot = |slot| member(firsts, members, ranges.one(slot), slot);
        Some(KeyTable(if (1..=MOST_SLOTS).contains(&modulus) {
            Lookup::Slots { modulus: Remainder::by(modulus), consumers: (0..modulus).map(of_slot).collect() }
        } else {
            let modulus = (modulus > 0).then(|| Remainder::by(modulus));
            Lookup::Ranges { modulus, ranges, firsts: firsts.to_vec(), members: members.to_vec() }
        }))
    }

    /// Consumer of a key's hash, of which the top bit is not looked at; [`NONE`] where no one has it.
    #[inline]
    #[must_use]
    pub fn one(&self, hash: u32) -> u32 {
        match &self.0 {
            Lookup::Slots { modulus, consumers } => consumers[modulus.of(hash & MASK) as usize],
            Lookup::Ranges { modulus, ranges, firsts, members } => {
                let slot = modulus.map_or(hash & MASK, |modulus| modulus.of(hash & MASK));
                member(firsts, members, ranges.one(slot), slot)
            }
        }
    }

    /// Consumer of each key, into `out` (as long as the column).
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as the column; nothing is written then.
    pub fn of_packed(&self, arm: Arm, column: Column<'_>, out: &mut [u32]) -> Result<(), WrongLength> {
        WrongLength::check(column.len(), out.len())?;
        for (block, slots) in out.chunks_mut(BLOCK).enumerate() {
            let from = block * BLOCK;
            Hash::Murmur3.packed(arm, column.slice(from..from + slots.len()), slots)?;
            self.replace(slots);
        }
        Ok(())
    }

    /// Each hash by its consumer. One loop a lookup, so that no hash asks which one it is.
    fn replace(&self, hashes: &mut [u32]) {
        if let Lookup::Slots { modulus, consumers } = &self.0 {
            for hash in hashes {
                *hash = consumers[modulus.of(*hash & MASK) as usize];
            }
        } else {
            for hash in hashes {
                *hash = self.one(*hash);
            }
        }
    }
}

/// The consumer that a slot of a range has.
#[inline]
fn member(firsts: &[u32], members: &[u32], range: u32, slot: u32) -> u32 {
    let first = firsts[range as usize];
    match firsts[range as usize + 1] - first {
        0 => NONE,
        1 => members[first as usize],
        shared => members[(first + slot % shared) as usize],
    }
}

/// The remainder by a divisor that is known once.
///
/// `n % d` is the top half of `d * fraction(n / d)`, the fraction in 64 bits: right for all 32-bit `n` and `d`
/// (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019).
#[derive(Debug, Clone, Copy)]
struct Remainder {
    divisor: u32,
    inverse: u64,
}

impl Remainder {
    /// `divisor` is 1 or more.
    fn by(divisor: u32) -> Remainder {
        Remainder { divisor, inverse: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    #[inline]
    fn of(self, number: u32) -> u32 {
        let fraction = self.inverse.wrapping_mul(u64::from(number));
        ((u128::from(fraction) * u128::from(self.divisor)) >> 64) as u32
    }
}
