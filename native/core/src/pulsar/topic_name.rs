//! Topic names by the million, over their UTF-8: each as `TopicName.get(name).toString()`, or the first one refused.
//!
//! Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, `org.apache.pulsar.common.naming.TopicName`. Twin of
//! src/fallback/pulsar/topic-name.ts. Two sets of rules: up to 3.0 the name is rebuilt from its parts (an upper-case
//! domain is lowered) and four parts are a V1 name; since 4.2 the given text is kept, empty parts and blank local names
//! are refused, and V1 is gone. Since 5.0 there are two more domains, whose local names may hold slashes.
//!
//! What differs from the obvious: a set in which every name is canonical already, which is what brokers list, is not
//! copied; runs of such names are copied whole. A name need not be well-formed UTF-8: no byte above 0x7f ends a part.

use super::java_text::{equals_ignore_case, is_blank};
use super::segment::canonical_descriptor;
use crate::column::Column;
use std::fmt;

/// Releases of Pulsar whose rules differ, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2.10: V1 names, the name rebuilt from its parts.
    V2_10,
    /// 3.0: as 2.10, for whole names.
    V3_0,
    /// 4.2: no V1 names, the text kept.
    V4_2,
    /// 5.0: as 4.2, and the domains of scalable topics.
    V5_0,
}

impl Version {
    /// All of them, oldest first.
    pub const ALL: [Version; 4] = [Version::V2_10, Version::V3_0, Version::V4_2, Version::V5_0];

    fn heads(self) -> &'static [&'static str] {
        if self < Version::V5_0 { &HEADS[..2] } else { &HEADS }
    }
}

/// A column of canonical names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canonical {
    /// Every name is canonical: the column given is the answer.
    AsGiven,
    /// A column of its own, as long as the one given.
    Written {
        /// The names, one after another.
        values: Vec<u8>,
        /// Where each begins and ends, from 0.
        offsets: Vec<u32>,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Pulsar refuses this name; the ones before it are well.
    Name(usize),
    /// The canonical names up to this one pass 4 GiB.
    TooLong(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Name(index) => write!(f, "name {index} is refused"),
            Refusal::TooLong(index) => write!(f, "the canonical names pass 4 GiB at name {index}"),
        }
    }
}

impl std::error::Error for Refusal {}

const SCHEME: &str = "://";
const PERSISTENT: &str = "persistent://";
const PUBLIC_DEFAULT: &str = "persistent://public/default/";
const TOPIC: &str = "topic://";
const SEGMENT: &str = "segment://";

/// The domains, and how a full name of each begins.
const HEADS: [&str; 4] = [PERSISTENT, "non-persistent://", TOPIC, SEGMENT];

/// The bytes of tenants, clusters and namespaces: `[-=:.\w]`.
const IS_ENTITY: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'=' | b':' | b'.' | b'_');
        byte += 1;
    }
    table
};

/// A canonical name: `head`, then part of the given bytes, then `tail`. Without head and tail it is the name as given.
struct Piece<'a> {
    head: &'static str,
    given: &'a [u8],
    tail: String,
}

impl<'a> Piece<'a> {
    fn new(head: &'static str, given: &'a [u8]) -> Piece<'a> {
        Piece { head, given, tail: String::new() }
    }

    fn is_as_given(&self) -> bool {
        self.head.is_empty() && self.tail.is_empty()
    }
}

/// Makes every name of a column canonical as that release does.
///
/// Cost: one pass over canonical names; about one copy of the column where some are not.
///
/// # Errors
/// [`Refusal::Name`] with the first name that Pulsar refuses; [`Refusal::TooLong`] where 32-bit offsets do not reach.
///
/// ```
/// use topic_placement_core::Column;
/// use topic_placement_core::pulsar::topic_name::{Canonical, Refusal, Version, canonical};
/// let column = Column::new(b"ta/b/ca/b", &[0, 1, 6, 9]).unwrap();
/// assert_eq!(canonical(Version::V5_0, column), Err(Refusal::Name(2)));
/// let Ok(Canonical::Written { values, offsets }) = canonical(Version::V5_0, column.slice(0..2)) else { unreachable!() };
/// assert_eq!(values, b"persistent://public/default/tpersistent://a/b/c");
/// assert_eq!(offsets, [0, 29, 47]);
/// ```
pub fn canonical(version: Version, column: Column<'_>) -> Result<Canonical, Refusal> {
    let mut output = Output { column, values: Vec::new(), offsets: Vec::new() };
    for (index, name) in column.keys().enumerate() {
        if is_canonical(name) {
            continue;
        }
        let piece = written(version, name).ok_or(Refusal::Name(index))?;
        if !piece.is_as_given() {
            output.put(index, &piece)?;
        }
    }
    output.finish()
}

/// Collects the names: those not put are taken over as they are, in runs.
struct Output<'a> {
    column: Column<'a>,
    values: Vec<u8>,
    /// Empty until a name is put.
    offsets: Vec<u32>,
}

impl Output<'_> {
    /// Puts name `index`, which comes after all that were put.
    fn put(&mut self, index: usize, piece: &Piece<'_>) -> Result<(), Refusal> {
        self.take_over(index)?;
        self.values.extend_from_slice(piece.head.as_bytes());
        self.values.extend_from_slice(piece.given);
        self.values.extend_from_slice(piece.tail.as_bytes());
        self.push_end(index)
    }

    /// Copies the names up to `index`, exclusive.
    fn take_over(&mut self, index: usize) -> Result<(), Refusal> {
        let given = self.column.offsets();
        if self.offsets.is_empty() {
            self.offsets.reserve_exact(given.len());
            self.offsets.push(0);
            // Room for all names with the longest head: what is not written costs addresses, not memory.
            let given_bytes = (given[given.len() - 1] - given[0]) as usize;
            let _ = self.values.try_reserve_exact(given_bytes + PUBLIC_DEFAULT.len() * self.column.len());
        }
        let first = self.offsets.len() - 1;
        let (from, to) = (given[first], given[index]);
        let shift = (self.values.len() as u32).wrapping_sub(from);
        self.values.extend_from_slice(&self.column.values()[from as usize..to as usize]);
        if self.values.len() > u32::MAX as usize {
            return Err(Refusal::TooLong(index));
        }
        self.offsets.extend(given[first + 1..=index].iter().map(|end| end.wrapping_add(shift)));
        Ok(())
    }

    fn push_end(&mut self, index: usize) -> Result<(), Refusal> {
        let end = u32::try_from(self.values.len()).map_err(|_| Refusal::TooLong(index))?;
        self.offsets.push(end);
        Ok(())
    }

    fn finish(mut self) -> Result<Canonical, Refusal> {
        if self.offsets.is_empty() {
            return Ok(Canonical::AsGiven);
        }
        self.take_over(self.column.len())?;
        Ok(Canonical::Written { values: self.values, offsets: self.offsets })
    }
}

/// Whether the name is one that every release takes and leaves as it is. The first or the last byte of the local name must be
/// visible ASCII here, so that a blank one needs no look.
fn is_canonical(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b"persistent://").or_else(|| name.strip_prefix(b"non-persistent://")) else {
        return false;
    };
    third_part(rest).is_some_and(|local| is_visible(local) && !local.contains(&b'/'))
}

/// Whether a local name begins or ends with visible ASCII: it is not blank then, whatever else it holds.
#[inline]
fn is_visible(local: &[u8]) -> bool {
    local.first().is_some_and(u8::is_ascii_graphic) || local.last().is_some_and(u8::is_ascii_graphic)
}

/// Whether all names are plain: of the kind that every release takes and leaves as it is, which is seen at a glance, and
/// of `namespace` (`tenant/namespace`) where that is not empty.
///
/// Cost: about 3 ns where names follow others of their namespace, as in listings; 11 where they do not.
///
/// ```
/// use topic_placement_core::Column;
/// use topic_placement_core::pulsar::topic_name::all_plain;
/// let column = Column::new(b"persistent://a/b/cpersistent://a/bc", &[0, 18, 35]).unwrap();
/// assert!(!all_plain(column, b""));
/// assert!(all_plain(column.slice(0..1), b"a/b"));
/// assert!(!all_plain(column.slice(0..1), b"a/c"));
/// ```
#[must_use]
pub fn all_plain(column: Column<'_>, namespace: &[u8]) -> bool {
    let mut known = Head::default();
    for name in column.keys() {
        if known.begins(name) {
            continue;
        }
        if !is_canonical(name) {
            return false;
        }
        let head = head_of(name);
        if !namespace.is_empty() && namespace_of(head) != namespace {
            return false;
        }
        known = Head::new(head);
    }
    // Each name has the four slashes of its head; with more of them in all, a local name has one.
    let (values, offsets) = (column.values(), column.offsets());
    slashes(&values[offsets[0] as usize..offsets[column.len()] as usize]) == 4 * column.len()
}

/// What a canonical name begins with, up to its local name: `domain://tenant/namespace/`.
fn head_of(name: &[u8]) -> &[u8] {
    let last_slash = name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    &name[..=last_slash]
}

/// `tenant/namespace` of `domain://tenant/namespace/`.
fn namespace_of(head: &[u8]) -> &[u8] {
    let domain = if head.starts_with(PERSISTENT.as_bytes()) { HEADS[0] } else { HEADS[1] };
    &head[domain.len()..head.len() - 1]
}

/// Bytes compared at once.
const STEP: usize = 16;

/// The head of the last name looked at closely, ready to be compared: its first and its last 16 bytes, which overlap in a short
/// one (the shortest has 17), and what lies between. A call of the C library for so few bytes costs more than they do.
#[derive(Default)]
struct Head<'a> {
    first: u128,
    middle: &'a [u8],
    last: u128,
    /// 0 where there is none yet.
    len: usize,
}

impl<'a> Head<'a> {
    fn new(head: &'a [u8]) -> Head<'a> {
        let last = head.len() - STEP;
        let middle = head.get(STEP..last).unwrap_or_default();
        Head { first: word(head, 0), middle, last: word(head, last), len: head.len() }
    }

    /// Whether `name` has this head, and a visible local name after it.
    #[inline]
    fn begins(&self, name: &[u8]) -> bool {
        if self.len == 0 || name.len() <= self.len {
            return false;
        }
        let differs = (word(name, 0) ^ self.first) | (word(name, self.len - STEP) ^ self.last);
        differs == 0
            && is_visible(&name[self.len..])
            && (self.middle.is_empty() || name[STEP..].starts_with(self.middle))
    }
}

/// The bytes from `at` on, of which there are enough.
#[inline]
fn word(bytes: &[u8], at: usize) -> u128 {
    bytes[at..].first_chunk().map_or(0, |&word| u128::from_ne_bytes(word))
}

/// Slashes among bytes. Of so few at a time that a byte counts them, and the compiler makes vectors of bytes.
fn slashes(bytes: &[u8]) -> usize {
    let count = |chunk: &[u8]| usize::from(chunk.iter().map(|&byte| u8::from(byte == b'/')).sum::<u8>());
    bytes.chunks(240).map(count).sum()
}

/// What follows the slash behind the name of a tenant, cluster or namespace.
fn after_entity(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| !IS_ENTITY[usize::from(*byte)])?;
    if end > 0 && text[end] == b'/' { Some(&text[end + 1..]) } else { None }
}

/// What follows two names of tenants, clusters or namespaces.
fn third_part(text: &[u8]) -> Option<&[u8]> {
    after_entity(text).and_then(after_entity)
}

/// The canonical name; `None` for one that is refused.
fn written(version: Version, name: &[u8]) -> Option<Piece<'_>> {
    let keeps_text = version >= Version::V4_2;
    let Some(colon) = name.windows(SCHEME.len()).position(|text| text == SCHEME.as_bytes()) else {
        return if keeps_text { kept_short(name) } else { rebuilt_short(name) };
    };
    let spells = |head: &str| equals_ignore_case(&name[..colon], head.trim_end_matches(SCHEME));
    let head = *version.heads().iter().find(|head| spells(head))?;
    let rest = &name[colon + SCHEME.len()..];
    let piece = if keeps_text { kept_full(name, rest, head)? } else { rebuilt_full(rest, head)? };
    let is_as_given = piece.given.len() == rest.len() && name.starts_with(piece.head.as_bytes());
    Some(if is_as_given { Piece::new("", name) } else { piece })
}

/// Since 4.2: `topic` or `tenant/namespace/topic`.
fn kept_short(name: &[u8]) -> Option<Piece<'_>> {
    if !name.contains(&b'/') {
        return (!is_blank(name)).then(|| Piece::new(PUBLIC_DEFAULT, name));
    }
    let local = third_part(name)?;
    (!local.contains(&b'/') && !is_blank(local)).then(|| Piece::new(PERSISTENT, name))
}

/// Since 4.2: the text is kept, but for a segment's.
fn kept_full<'a>(name: &'a [u8], rest: &'a [u8], head: &str) -> Option<Piece<'a>> {
    let local = third_part(rest)?;
    if head == SEGMENT {
        return segment(rest, local);
    }
    let has_one_slash_more = head != TOPIC && local.contains(&b'/');
    (!has_one_slash_more && !is_blank(local)).then(|| Piece::new("", name))
}

/// `<parent>/<descriptor>` at the end of a segment's name.
fn segment<'a>(rest: &'a [u8], local: &[u8]) -> Option<Piece<'a>> {
    let slash = local.iter().rposition(|byte| *byte == b'/')?;
    let (parent, descriptor) = (&local[..slash], &local[slash + 1..]);
    if is_blank(parent) {
        return None;
    }
    let tail = canonical_descriptor(descriptor)?;
    if tail.as_bytes() == descriptor {
        return Some(Piece::new(SEGMENT, rest));
    }
    Some(Piece { head: SEGMENT, given: &rest[..rest.len() - descriptor.len()], tail })
}

/// Up to 3.0: empty parts do not count, and yet stay in the text of a name of three.
fn rebuilt_short(name: &[u8]) -> Option<Piece<'_>> {
    let mut parts = name.split(|byte| *byte == b'/').filter(|part| !part.is_empty());
    let only = parts.next()?;
    match parts.count() {
        0 => Some(Piece::new(PUBLIC_DEFAULT, only)),
        2 => rebuilt_full(name, PERSISTENT),
        _ => None,
    }
}

/// Up to 3.0: three parts, or four with a cluster, of which the last may hold slashes; the domain is written anew.
fn rebuilt_full<'a>(rest: &'a [u8], head: &'static str) -> Option<Piece<'a>> {
    let third = third_part(rest)?;
    let local = if third.contains(&b'/') { after_entity(third)? } else { third };
    (!local.is_empty()).then(|| Piece::new(head, rest))
}
