//! How Java reads the parts of a topic name: blanks, digits, upper and lower case.
//!
//! Source: OpenJDK 17 and 21 (the same tables), `java.lang.Character` and `java.lang.Integer`, over UTF-16 units as
//! Pulsar's classes call them. Twin of src/fallback/pulsar/java-text.ts. What differs from the obvious:
//! `Integer.parseInt` takes the decimal digits of every script (of the basic plane: it reads units, so a digit beyond
//! U+FFFF is none), and `equalsIgnoreCase` takes `ı` and `İ` for `i`, `ſ` for `s`.

/// The zeros of the scripts whose ten digits `Character.digit` knows; their digits follow in order.
const ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// The letters `a` of hexadecimal digits: upper and lower case, plain and full width.
const LETTERS_A: [u32; 4] = [0x41, 0x61, 0xff21, 0xff41];

/// `StringUtils.isBlank` of UTF-8: empty, or whitespace alone.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return true,
            [byte, after @ ..] if byte.is_ascii() && is_whitespace(u32::from(*byte)) => after,
            [first @ 0xe1..=0xef, second @ 0x80..=0xbf, third @ 0x80..=0xbf, after @ ..]
                if is_whitespace(unit(*first, *second, *third)) =>
            {
                after
            }
            _ => return false,
        }
    }
}

/// The UTF-16 unit that three bytes of UTF-8 stand for.
fn unit(first: u8, second: u8, third: u8) -> u32 {
    (u32::from(first & 0xf) << 12) | (u32::from(second & 0x3f) << 6) | u32::from(third & 0x3f)
}

/// `Character.isWhitespace`: no-break spaces (U+00A0, U+2007, U+202F) are none, the four separators U+001C to U+001F are.
fn is_whitespace(unit: u32) -> bool {
    matches!(unit,
        0x09..=0x0d | 0x1c..=0x20 | 0x1680 | 0x2000..=0x2006 | 0x2008..=0x200a | 0x2028 | 0x2029 | 0x205f | 0x3000)
}

/// `Character.digit(letter, radix)` for radix 10 and 16.
fn digit(letter: char, radix: u64) -> Option<u64> {
    let unit = u32::from(letter);
    let from = |firsts: &[u32], count: u32| firsts.iter().map(|first| unit.wrapping_sub(*first)).find(|at| *at < count);
    let value = from(&ZEROS, 10).or_else(|| if radix == 16 { Some(from(&LETTERS_A, 6)? + 10) } else { None })?;
    Some(u64::from(value))
}

/// `Integer.parseInt` and `Long.parseLong` of a text without `-`: one `+` may lead. `None` where Java throws.
pub(super) fn parse_digits(text: &str, radix: u64, most: u64) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0_u64, |value, letter| {
        // `most` is below 2^63, so a product that overflows is above it.
        let next = value.checked_mul(radix)?.checked_add(digit(letter, radix)?)?;
        (next <= most).then_some(next)
    })
}

/// `String.equalsIgnoreCase` of UTF-8 with a lower-case ASCII word.
pub(super) fn equals_ignore_case(text: &[u8], word: &str) -> bool {
    // No letter of a word has more than two bytes in any spelling, so longer texts need no look.
    let text = if text.len() <= 2 * word.len() { std::str::from_utf8(text).ok() } else { None };
    text.is_some_and(|text| text.chars().map(lowered).eq(word.chars()))
}

fn lowered(letter: char) -> char {
    match letter {
        '\u{130}' | '\u{131}' => 'i',
        '\u{17f}' => 's',
        other => other.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_is_javas() {
        for blank in
            ["", " ", "\t\n\u{b}\u{c}\r", "\u{1c}\u{1d}\u{1e}\u{1f}", "\u{1680}\u{2000}\u{2028}\u{205f}\u{3000}"]
        {
            assert!(is_blank(blank.as_bytes()), "{blank:?}");
        }
        for other in ["\u{1b}", "\u{85}", "\u{a0}", "\u{2007}", "\u{200b}", "\u{202f}", " x", "\0"] {
            assert!(!is_blank(other.as_bytes()), "{other:?}");
        }
        assert!(!is_blank(b" \xe2\x80"));
        assert!(!is_blank(b"\xe0\x80\xa0"), "an overlong form is no character");
    }

    #[test]
    fn numbers_are_javas() {
        for (text, value) in
            [("0", 0), ("+12", 12), ("\u{663}", 3), ("\u{ff11}\u{966}", 10), ("2147483647", i32::MAX as u64)]
        {
            assert_eq!(parse_digits(text, 10, i32::MAX as u64), Some(value), "{text}");
        }
        for text in ["", "+", "++1", "-1", " 1", "a", "2147483648", "99999999999999999999999", "\u{1d7cf}"] {
            assert_eq!(parse_digits(text, 10, i32::MAX as u64), None, "{text}");
        }
        assert_eq!(parse_digits("\u{ff41}F", 16, 0xffff), Some(0xaf));
        assert_eq!(parse_digits("g", 16, 0xffff), None);
    }

    #[test]
    fn case_is_ignored_as_java_does() {
        for text in ["persistent", "PERSISTENT", "per\u{17f}\u{131}stent", "pers\u{130}stent"] {
            assert!(equals_ignore_case(text.as_bytes(), "persistent"), "{text}");
        }
        for text in ["", "persistant", "persistent ", "p\u{e9}rsistent"] {
            assert!(!equals_ignore_case(text.as_bytes(), "persistent"), "{text}");
        }
        assert!(!equals_ignore_case(b"persis\xfftent", "persistent"));
    }
}
