//! Texts in UTF-16, as JavaScript holds them, made ready for hashes over bytes: the UTF-8 that Java writes.
//!
//! Source: Java 17, `String.getBytes(UTF_8)`. What differs from the obvious: a lone surrogate is the single byte `?`, where
//! other encoders write U+FFFD; and `String.hashCode` is of the units themselves, so those stay beside the bytes.

use crate::column::Column;
use crate::error::{BadOffset, WrongLength};
use crate::hash::{Hash, java_string};
use crate::lanes::Arm;
use std::ops::Range;

/// One unit is three bytes of UTF-8 at most; the two of a surrogate pair are four together.
const BYTES_A_UNIT: usize = 3;

/// Memory for the bytes of texts, used again by the next ones.
#[derive(Debug, Default)]
pub struct TextRoom {
    units: Vec<u16>,
    values: Vec<u8>,
    offsets: Vec<u32>,
}

/// Texts and their bytes: text `i` is `units[offsets[i]..offsets[i + 1]]`.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    units: &'a [u16],
    offsets: &'a [u32],
    column: Column<'a>,
    is_ascii: bool,
}

impl TextRoom {
    /// The texts in `units`, their bytes in this room; `offsets` are of units, and as those of a [`Column`].
    ///
    /// Cost: 0.04 ns a unit where all is ASCII; else about 0.2 for a text that is, and 1 for one that is not.
    ///
    /// # Errors
    /// [`BadOffset`] where an offset descends or passes the units.
    ///
    /// ```
    /// use topic_placement_core::text::TextRoom;
    /// let mut room = TextRoom::default();
    /// let texts = room.texts(&[0x61, 0xe9, 0xd800], &[0, 1, 2, 3]).unwrap();
    /// assert_eq!(texts.column().keys().collect::<Vec<_>>(), [&b"a"[..], "é".as_bytes(), b"?"]);
    /// ```
    pub fn texts<'a>(&'a mut self, units: &'a [u16], offsets: &'a [u32]) -> Result<Texts<'a>, BadOffset> {
        let end = offsets.last().map_or(0, |&end| (end as usize).min(units.len()));
        self.grow(end);
        let is_ascii = narrow(&units[..end], &mut self.values[..end]);
        let column = if is_ascii {
            Column::new(&self.values[..end], offsets)?
        } else {
            // As many bytes as units so far: the offsets are checked before they are followed.
            Column::new(&self.values[..end], offsets)?;
            self.encode(units, offsets);
            Column::new(&self.values, &self.offsets)?
        };
        Ok(Texts { units, offsets, column, is_ascii })
    }

    /// The texts in `bytes`, a unit below 256 each: Latin-1, as JavaScript holds text without others. `offsets` are as those of
    /// [`TextRoom::texts`]; where all is ASCII nothing is copied.
    ///
    /// # Errors
    /// As [`TextRoom::texts`].
    ///
    /// ```
    /// use topic_placement_core::text::TextRoom;
    /// let mut room = TextRoom::default();
    /// let texts = room.latin1(&[0x61, 0xe9], &[0, 1, 2]).unwrap();
    /// assert_eq!(texts.column().keys().collect::<Vec<_>>(), [&b"a"[..], "é".as_bytes()]);
    /// ```
    pub fn latin1<'a>(&'a mut self, bytes: &'a [u8], offsets: &'a [u32]) -> Result<Texts<'a>, BadOffset> {
        let end = offsets.last().map_or(0, |&end| (end as usize).min(bytes.len()));
        if bytes[..end].is_ascii() {
            let column = Column::new(&bytes[..end], offsets)?;
            return Ok(Texts { units: &[], offsets, column, is_ascii: true });
        }
        Column::new(&bytes[..end], offsets)?;
        self.units.clear();
        self.units.extend(bytes[..end].iter().map(|&byte| u16::from(byte)));
        let units = std::mem::take(&mut self.units);
        self.grow(BYTES_A_UNIT * end);
        self.encode(&units, offsets);
        self.units = units;
        let column = Column::new(&self.values, &self.offsets)?;
        Ok(Texts { units: &self.units, offsets, column, is_ascii: false })
    }

    /// Bytes that this room holds on to.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.values.capacity() + size_of::<u16>() * self.units.capacity()
    }

    fn encode(&mut self, units: &[u16], offsets: &[u32]) {
        self.grow(BYTES_A_UNIT * (offsets[offsets.len() - 1] - offsets[0]) as usize);
        self.offsets.clear();
        self.offsets.push(0);
        let mut at = 0;
        for ends in offsets.windows(2) {
            let text = &units[ends[0] as usize..ends[1] as usize];
            let out = &mut self.values[at..at + BYTES_A_UNIT * text.len()];
            at += if narrow(text, out) { text.len() } else { write(text, out) };
            self.offsets.push(at as u32);
        }
    }

    /// Never shrinks: what is there is written over.
    fn grow(&mut self, bytes: usize) {
        if self.values.len() < bytes {
            self.values.resize(bytes, 0);
        }
    }
}

impl<'a> Texts<'a> {
    /// Their bytes.
    #[must_use]
    pub fn column(&self) -> Column<'a> {
        self.column
    }

    /// The hash of each text in `range`, into `out` (as long as that), by the instructions of `arm`.
    ///
    /// # Errors
    /// [`WrongLength`] if `out` is not as long as the range; nothing is written then.
    ///
    /// # Panics
    /// If the range descends or ends past the texts.
    pub fn hash(&self, arm: Arm, hash: Hash, range: Range<usize>, out: &mut [u32]) -> Result<(), WrongLength> {
        if self.is_ascii || hash != Hash::JavaString {
            return hash.packed(arm, self.column.slice(range), out);
        }
        WrongLength::check(range.len(), out.len())?;
        for (slot, ends) in out.iter_mut().zip(self.offsets[range.start..=range.end].windows(2)) {
            *slot = java_string::of_units(&self.units[ends[0] as usize..ends[1] as usize]);
        }
        Ok(())
    }
}

/// The low byte of each unit, and whether that is all of each and ASCII. No early exit, so that the compiler makes vectors.
fn narrow(units: &[u16], bytes: &mut [u8]) -> bool {
    let mut seen = 0;
    for (byte, &unit) in bytes.iter_mut().zip(units) {
        seen |= unit;
        *byte = unit as u8;
    }
    seen < 0x80
}

/// Units looked at together where a text is not ASCII as a whole.
const RUN: usize = 8;

/// Writes the bytes of a text and returns how many they are; `out` has room for three a unit.
fn write(units: &[u16], out: &mut [u8]) -> usize {
    let (mut i, mut at) = (0, 0);
    while i < units.len() {
        if let Some(run) = units.get(i..i + RUN)
            && narrow(run, &mut out[at..at + RUN])
        {
            i += RUN;
            at += RUN;
            continue;
        }
        let unit = units[i];
        at += match unit {
            0..0x80 => one(unit, &mut out[at..]),
            0x80..0x800 => two(unit, &mut out[at..]),
            0xd800..0xdc00 if units.get(i + 1).is_some_and(|low| (0xdc00..0xe000).contains(low)) => {
                i += 1;
                four(unit, units[i], &mut out[at..])
            }
            0xd800..0xe000 => one(u16::from(QUESTION_MARK), &mut out[at..]),
            _ => three(unit, &mut out[at..]),
        };
        i += 1;
    }
    at
}

/// What stands for a lone surrogate.
const QUESTION_MARK: u8 = b'?';

#[inline]
fn one(unit: u16, out: &mut [u8]) -> usize {
    out[0] = unit as u8;
    1
}

#[inline]
fn two(unit: u16, out: &mut [u8]) -> usize {
    out[..2].copy_from_slice(&[0xc0 | (unit >> 6) as u8, tail(u32::from(unit))]);
    2
}

#[inline]
fn three(unit: u16, out: &mut [u8]) -> usize {
    let unit = u32::from(unit);
    out[..3].copy_from_slice(&[0xe0 | (unit >> 12) as u8, tail(unit >> 6), tail(unit)]);
    3
}

#[inline]
fn four(high: u16, low: u16, out: &mut [u8]) -> usize {
    let point = 0x1_0000 + ((u32::from(high) & 0x3ff) << 10) + (u32::from(low) & 0x3ff);
    out[..4].copy_from_slice(&[0xf0 | (point >> 18) as u8, tail(point >> 12), tail(point >> 6), tail(point)]);
    4
}

/// The byte of the low six bits, behind the first byte of a character.
#[inline]
fn tail(bits: u32) -> u8 {
    0x80 | (bits & 0x3f) as u8
}
