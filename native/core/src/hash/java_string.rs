//! `String.hashCode` of Java over bytes: decoded as UTF-8, then `h = 31 * h + unit` over the UTF-16 units.
//!
//! Source: Java 17, `java.lang.String.hashCode` and `new String(byte[], StandardCharsets.UTF_8)`. What differs from the
//! obvious is how many bytes one U+FFFD stands for when the input is malformed. Java takes the longest start of a
//! well-formed sequence, as WHATWG does, save that an encoded surrogate counts as a sequence: ED A0 80 is one U+FFFD
//! here, three there, and a cut-off ED A0 is one, not two.

/// What stands for bytes that are no character.
const REPLACEMENT: u32 = 0xfffd;

/// `new String(key, UTF_8).hashCode()`, its 32 bits.
///
/// ```
/// use topic_placement_core::hash::java_string::one;
/// assert_eq!(one(b"hello"), 99_162_322);
/// assert_eq!(one("é😀".as_bytes()), (31 * 0xe9 + 0xd83d) * 31 + 0xde00);
/// assert_eq!(one(b"\xed\xa0\x80"), 0xfffd);
/// ```
#[inline]
#[must_use]
pub fn one(key: &[u8]) -> u32 {
    let mut rest = key;
    let mut h = 0;
    while let [byte, after @ ..] = rest {
        if byte.is_ascii() {
            h = push(h, u32::from(*byte));
            rest = after;
        } else {
            let (code_point, taken) = decode(rest);
            h = push_code_point(h, code_point);
            rest = &rest[taken..];
        }
    }
    h
}

/// `hashCode` of a text by its UTF-16 units, lone surrogates as they are; its 32 bits.
///
/// ```
/// assert_eq!(topic_placement_core::hash::java_string::of_units(&[0xd800, 0x61]), 31 * 0xd800 + 0x61);
/// ```
#[inline]
#[must_use]
pub fn of_units(units: &[u16]) -> u32 {
    units.iter().fold(0, |h, &unit| push(h, u32::from(unit)))
}

#[inline]
fn push(h: u32, unit: u32) -> u32 {
    h.wrapping_mul(31).wrapping_add(unit)
}

fn push_code_point(h: u32, code_point: u32) -> u32 {
    if code_point < 0x1_0000 {
        return push(h, code_point);
    }
    let high = 0xd800 + ((code_point - 0x1_0000) >> 10);
    push(push(h, high), 0xdc00 + (code_point & 0x3ff))
}

/// The code point at the head of `bytes` (which begin at or above 0x80), and how many bytes it takes: 1 to 4.
fn decode(bytes: &[u8]) -> (u32, usize) {
    let Some((length, first_bits, second)) = shape(bytes[0]) else { return (REPLACEMENT, 1) };
    let mut code_point = first_bits;
    for i in 1..length {
        let allowed = if i == 1 { &second } else { &(0x80..=0xbf) };
        match bytes.get(i) {
            Some(byte) if allowed.contains(byte) => code_point = (code_point << 6) | u32::from(byte & 0x3f),
            _ => return (REPLACEMENT, i),
        }
    }
    let surrogate = (0xd800..0xe000).contains(&code_point);
    (if surrogate { REPLACEMENT } else { code_point }, length)
}

/// What a lead byte announces: the length, its own bits, and the bytes that may come second (which keeps out long forms
/// and what is past U+10FFFF, but not surrogates). Nothing for a byte that leads no sequence.
fn shape(lead: u8) -> Option<(usize, u32, std::ops::RangeInclusive<u8>)> {
    let second = match lead {
        0xe0 => 0xa0..=0xbf,
        0xf0 => 0x90..=0xbf,
        0xf4 => 0x80..=0x8f,
        _ => 0x80..=0xbf,
    };
    match lead {
        0xc2..=0xdf => Some((2, u32::from(lead & 0x1f), second)),
        0xe0..=0xef => Some((3, u32::from(lead & 0x0f), second)),
        0xf0..=0xf4 => Some((4, u32::from(lead & 0x07), second)),
        _ => None,
    }
}
