//! The last part of a segment's name (Pulsar 5.0), `<hexStart>-<hexEnd>-<segmentId>`, read and written again as Java does.
//!
//! Source: Apache Pulsar 5.0.1, `org.apache.pulsar.common.naming.TopicName` and `common.scalable.HashRange`. Twin of
//! src/fallback/pulsar/segment.ts, which also has Java's words for a refusal.

use super::java_text::parse_digits;

/// Hashes of segments have 16 bits.
const HASH_MAX: u64 = 0xffff;

/// The descriptor as the original prints it (`%04x-%04x-%d`); `None` where Java throws.
pub(super) fn canonical_descriptor(descriptor: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(descriptor);
    // `String.split`: empty parts at the end do not count.
    let mut parts = text.trim_end_matches('-').split('-');
    let (start, end, id) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let start = parse_digits(start, 16, HASH_MAX)?;
    let end = parse_digits(end, 16, HASH_MAX)?;
    let id = parse_digits(id, 10, i64::MAX as u64)?;
    (start <= end).then(|| format!("{start:04x}-{end:04x}-{id}"))
}

#[cfg(test)]
mod tests {
    use super::canonical_descriptor;

    #[test]
    fn descriptors_are_written_as_java_prints_them() {
        for (given, printed) in [
            ("0000-7fff-3", "0000-7fff-3"),
            ("0-7FFF-3", "0000-7fff-3"),
            ("+1-\u{ff22}-\u{663}--", "0001-000b-3"),
            ("0-ffff-9223372036854775807", "0000-ffff-9223372036854775807"),
        ] {
            assert_eq!(canonical_descriptor(given.as_bytes()).as_deref(), Some(printed), "{given}");
        }
    }

    #[test]
    fn what_java_refuses_is_none() {
        for given in
            ["", "-", "0-1", "0-1-2-3", "-1-2-3", "0--1", "7fff-0-1", "0-10000-1", "0-1-x", "0-1-9223372036854775808"]
        {
            assert_eq!(canonical_descriptor(given.as_bytes()), None, "{given}");
        }
        assert_eq!(canonical_descriptor(b"0-1-\xff"), None);
    }
}
