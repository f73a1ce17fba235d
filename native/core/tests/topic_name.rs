//! Canonical topic names: what Pulsar's jars answer (test/vectors/pulsar/topic-name*.jsonl), and the shape of the answer.

use topic_placement_core::Column;
use topic_placement_core::pulsar::topic_name::{Canonical, Refusal, Version, all_plain, canonical};

/// Name, then what 2.10 and 3.0 make of it, 4.2, and 5.0.
type Row = (&'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>);

const ROWS: &[Row] = &[
    ("my-topic", SHORT, SHORT, SHORT),
    ("a/b/c", ABC, ABC, ABC),
    ("a/b", None, None, None),
    ("a/b/c/d", None, None, None),
    ("/a/b/c", None, None, None),
    ("a//b/c", None, None, None),
    ("a/b/c/", None, None, None),
    ("", None, None, None),
    ("/", None, None, None),
    (" ", Some("persistent://public/default/ "), None, None),
    ("a/b/\u{3000}", Some("persistent://a/b/\u{3000}"), None, None),
    (
        "\u{a0}",
        Some("persistent://public/default/\u{a0}"),
        Some("persistent://public/default/\u{a0}"),
        Some("persistent://public/default/\u{a0}"),
    ),
    ("a/é/c", None, None, None),
    ("persistent://a/b/c", ABC, ABC, ABC),
    ("PERSISTENT://a/b/c", ABC, Some("PERSISTENT://a/b/c"), Some("PERSISTENT://a/b/c")),
    ("http://a/b/c", None, None, None),
    ("persistent://a/b/", None, None, None),
    ("persistent://a//c", None, None, None),
    ("persistent://a/b/c/", None, None, None),
    ("persistent://a/b/c/d", Some("persistent://a/b/c/d"), None, None),
    ("persistent://a/b/c//d", Some("persistent://a/b/c//d"), None, None),
    ("persistent://a/b c/d", None, None, None),
    ("persistent://-=:./-=:./-=:.", ODD, ODD, ODD),
    ("persistent://a/b/-partition-0", BARE, BARE, BARE),
    ("topic://a/b/c/d", None, None, Some("topic://a/b/c/d")),
    ("segment://a/b/c/0-7FFF-3", None, None, Some("segment://a/b/c/0000-7fff-3")),
    ("segment://a/b/c/d/8000-ffff-9", None, None, Some("segment://a/b/c/d/8000-ffff-9")),
    ("segment://a/b/c/7fff-0000-1", None, None, None),
    ("segment://a/b//0000-ffff-1", None, None, None),
];

const SHORT: Option<&str> = Some("persistent://public/default/my-topic");
const ABC: Option<&str> = Some("persistent://a/b/c");
const ODD: Option<&str> = Some("persistent://-=:./-=:./-=:.");
const BARE: Option<&str> = Some("persistent://a/b/-partition-0");

/// The names one after another, from an offset that is not 0.
fn packed(names: &[&str]) -> (Vec<u8>, Vec<u32>) {
    let (mut values, mut offsets) = (b"/////".to_vec(), vec![5]);
    for name in names {
        values.extend_from_slice(name.as_bytes());
        offsets.push(values.len() as u32);
    }
    values.extend_from_slice(b"////");
    (values, offsets)
}

fn texts(names: &[&str], version: Version) -> Result<Vec<String>, Refusal> {
    let (values, offsets) = packed(names);
    let (values, offsets) = match canonical(version, Column::new(&values, &offsets).unwrap())? {
        Canonical::AsGiven => (values, offsets),
        Canonical::Written { values, offsets } => (values, offsets),
    };
    let column = Column::new(&values, &offsets).unwrap();
    Ok(column.keys().map(|name| String::from_utf8(name.to_vec()).unwrap()).collect())
}

#[test]
fn each_name_is_as_the_jar_has_it() {
    for (name, rebuilt, kept, newest) in ROWS {
        for (version, answer) in Version::ALL.into_iter().zip([rebuilt, rebuilt, kept, newest]) {
            let expected = answer.map(|text| vec![text.to_owned()]).ok_or(Refusal::Name(0));
            assert_eq!(texts(&[name], version), expected, "{name:?} as {version:?}");
        }
    }
}

#[test]
fn names_keep_their_order_around_the_rewritten_ones() {
    let names =
        ["persistent://a/b/c", "t", "non-persistent://a/b/c", "persistent://a/b/주", "x/y/z", "persistent://a/b/d"];
    let expected = [names[0], "persistent://public/default/t", names[2], names[3], "persistent://x/y/z", names[5]]
        .map(str::to_owned);
    for version in Version::ALL {
        for to in 0..=names.len() {
            assert_eq!(texts(&names[..to], version).unwrap(), expected[..to]);
        }
    }
}

#[test]
fn the_first_refused_name_is_told() {
    assert_eq!(texts(&["t", "persistent://a/b/c", "a/b", "a//b"], Version::V5_0), Err(Refusal::Name(2)));
    assert_eq!(Refusal::Name(2).to_string(), "name 2 is refused");
}

#[test]
fn a_canonical_set_is_not_copied() {
    let names = ["persistent://a/b/c", "non-persistent://a/b/é", "persistent://a/b/é"];
    let (values, offsets) = packed(&names);
    for version in Version::ALL {
        let column = Column::new(&values, &offsets).unwrap();
        assert_eq!(canonical(version, column), Ok(Canonical::AsGiven));
        assert_eq!(canonical(version, column.slice(1..1)), Ok(Canonical::AsGiven));
    }
}

/// Heads as they follow one another in listings, from the shortest to one with a middle.
const HEADS: [&str; 5] = [
    "persistent://a/b/",
    "persistent://a/c/",
    "non-persistent://a/b/",
    "persistent://a-tenant-of-some-length/and-a-namespace-of-some-length/",
    "persistent://a-tenant-of-some-length/and-a-namespace-of-same-length/",
];

/// One visible byte at either end is enough to see that a local name is not blank.
const LOCALS: [&str; 6] = ["n", "\u{c8fc}\u{bb38}-1", " n", "n\u{3000}", "n\u{ff0f}", "~"];

#[test]
fn plain_names_are_canonical_in_every_release_wherever_they_stand() {
    let names: Vec<String> =
        (0..700).map(|i| format!("{}{}", HEADS[i * i % 7 % HEADS.len()], LOCALS[i % 6].repeat(1 + i % 40))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (values, offsets) = packed(&names);
    let column = Column::new(&values, &offsets).unwrap();
    assert!(all_plain(column, b""));
    assert!(all_plain(column.slice(0..0), b"a/b"));
    for version in Version::ALL {
        assert_eq!(canonical(version, column), Ok(Canonical::AsGiven));
    }
}

#[test]
fn one_name_that_is_not_plain_is_seen_behind_any_other() {
    let odd = [
        "x",
        "",
        "persistent://a/b/",
        "persistent://a/b/c/d",
        "persistent://a/b//",
        "persistent://a/b",
        "topic://a/b/c",
    ];
    let beside = [
        "persistent://a/bc",
        "Persistent://a/b/c",
        "persistent://a/b/\u{3000}",
        "persistent://a//c",
        "persistent://a/",
    ];
    for odd in odd.iter().chain(&beside) {
        for head in HEADS {
            for at in [0, 1, 300, 599] {
                let names: Vec<String> =
                    (0..600).map(|i| if i == at { (*odd).to_owned() } else { format!("{head}t{i}") }).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let (values, offsets) = packed(&names);
                assert!(!all_plain(Column::new(&values, &offsets).unwrap(), b""), "{odd} at {at} behind {head}");
            }
        }
    }
}

#[test]
fn names_of_another_namespace_are_not_plain() {
    let (values, offsets) = packed(&["persistent://a/b/c", "non-persistent://a/b/c", "persistent://a/c/b"]);
    let column = Column::new(&values, &offsets).unwrap();
    assert!(all_plain(column.slice(0..2), b"a/b"));
    assert!(!all_plain(column, b"a/b"));
    for other in [&b"a"[..], b"a/", b"/b", b"a/bb", b"aa/b", b"a/b/c"] {
        assert!(!all_plain(column.slice(0..2), other), "{other:?}");
    }
}
