//! Texts in UTF-16 as Java's UTF-8, against the decoder of the standard library, in which a lone surrogate is an error.

use topic_placement_core::kafka::partitioner::{self, Reduction};
use topic_placement_core::text::TextRoom;
use topic_placement_core::{Arm, Hash};

/// One character after the other, a lone surrogate as `?`.
fn naive(units: &[u16]) -> Vec<u8> {
    let characters = char::decode_utf16(units.iter().copied()).map(|character| character.unwrap_or('?'));
    characters.collect::<String>().into_bytes()
}

/// A 64-bit linear congruential generator, its high half.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % end
    }

    /// A text in which one unit of `odd` is any, the others ASCII.
    fn text(&mut self, odd: u32) -> Vec<u16> {
        let length = self.below(60);
        (0..length).map(|_| if self.below(odd) == 0 { self.any() } else { self.below(0x80) as u16 }).collect()
    }

    /// At the ends of the ranges more often than elsewhere.
    fn any(&mut self) -> u16 {
        const EDGES: [u16; 12] = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
        if self.below(2) == 0 { EDGES[self.below(12) as usize] } else { self.below(0x1_0000) as u16 }
    }
}

/// Units one after another, and where each text begins and ends.
fn joined(texts: &[Vec<u16>]) -> (Vec<u16>, Vec<u32>) {
    let mut offsets = vec![0];
    let mut units = Vec::new();
    for text in texts {
        units.extend_from_slice(text);
        offsets.push(units.len() as u32);
    }
    (units, offsets)
}

#[test]
fn bytes_are_those_of_java_whatever_the_neighbours_in_a_room_used_again() {
    let (mut random, mut room) = (Random(20_261_201), TextRoom::default());
    for round in 0..300 {
        let odd = [1, 2, 10, 100, 10_000][round % 5];
        let texts: Vec<Vec<u16>> = (0..random.below(200)).map(|_| random.text(odd)).collect();
        let (units, offsets) = joined(&texts);
        let ready = room.texts(&units, &offsets).unwrap();
        assert_eq!(ready.column().len(), texts.len());
        for (text, bytes) in texts.iter().zip(ready.column().keys()) {
            assert_eq!(bytes, naive(text), "round {round}, {text:x?}");
        }
    }
}

#[test]
fn every_unit_stands_for_itself_between_others() {
    let mut room = TextRoom::default();
    for unit in 0..=u16::MAX {
        let units = [0x61, unit, 0x62, unit];
        let ready = room.texts(&units, &[0, 3, 4]).unwrap();
        assert_eq!(ready.column().key(0), naive(&units[..3]));
        assert_eq!(ready.column().key(1), naive(&units[3..]));
    }
}

#[test]
fn two_lone_surrogates_that_meet_stay_two() {
    let mut room = TextRoom::default();
    let ready = room.texts(&[0x61, 0xd83d, 0xde9a, 0x62, 0xd83d, 0xde9a], &[0, 2, 4, 6]).unwrap();
    assert_eq!(ready.column().keys().collect::<Vec<_>>(), [&b"a?"[..], b"?b", "🚚".as_bytes()]);
}

#[test]
fn hashes_are_of_the_bytes_and_hash_codes_of_the_units() {
    let (mut random, mut room) = (Random(7), TextRoom::default());
    for odd in [3, 1_000_000] {
        let texts: Vec<Vec<u16>> = (0..2500).map(|_| random.text(odd)).collect();
        let (units, offsets) = joined(&texts);
        let ready = room.texts(&units, &offsets).unwrap();
        let code = |text: &Vec<u16>| text.iter().fold(0_u32, |h, &u| h.wrapping_mul(31).wrapping_add(u32::from(u)));
        for hash in Hash::ALL {
            let expected: Vec<u32> = texts
                .iter()
                .map(|text| if hash == Hash::JavaString { code(text) } else { hash.one(&naive(text)) })
                .collect();
            let mut out = vec![0; texts.len()];
            ready.hash(Arm::best(), hash, 0..texts.len(), &mut out).unwrap();
            assert_eq!(out, expected, "{hash:?}");
            ready.hash(Arm::best(), hash, 3..9, &mut out[..6]).unwrap();
            assert_eq!(out[..6], expected[3..9], "{hash:?} of a part");
            let mut partitions = vec![0; texts.len()];
            partitioner::texts(Arm::best(), hash, Reduction::Abs, ready, 12, &mut partitions).unwrap();
            let places: Vec<i32> = expected.iter().map(|&h| Reduction::Abs.apply(h, 12)).collect();
            assert_eq!(partitions, places, "{hash:?}");
        }
        assert!(ready.hash(Arm::best(), Hash::JavaString, 0..2, &mut [0]).is_err());
    }
}

#[test]
fn offsets_are_checked_before_they_are_followed() {
    for units in [[0x61, 0x62, 0x63], [0x61, 0xe9, 0x63]] {
        let mut room = TextRoom::default();
        for offsets in [&[][..], &[0, 2, 1], &[2, 1], &[0, 4], &[1, u32::MAX], &[5]] {
            assert!(room.texts(&units, offsets).is_err(), "{offsets:?}");
        }
        assert_eq!(room.texts(&units, &[1, 3]).unwrap().column().len(), 1);
    }
}

#[test]
fn latin1_is_the_same_text_a_byte_a_unit() {
    let (mut random, mut room, mut wide) = (Random(41), TextRoom::default(), TextRoom::default());
    for most in [0x7f, 0xff] {
        let texts: Vec<Vec<u16>> =
            (0..500).map(|_| (0..random.below(40)).map(|_| random.below(most + 1) as u16).collect()).collect();
        let (units, offsets) = joined(&texts);
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        let (ready, expected) = (room.latin1(&bytes, &offsets).unwrap(), wide.texts(&units, &offsets).unwrap());
        assert!(ready.column().keys().eq(expected.column().keys()));
        let (mut codes, mut wide_codes) = (vec![0; texts.len()], vec![0; texts.len()]);
        ready.hash(Arm::best(), Hash::JavaString, 0..texts.len(), &mut codes).unwrap();
        expected.hash(Arm::best(), Hash::JavaString, 0..texts.len(), &mut wide_codes).unwrap();
        assert_eq!(codes, wide_codes);
    }
    for offsets in [&[][..], &[0, 2, 1], &[2, 1], &[0, 4], &[1, u32::MAX], &[5]] {
        assert!(room.latin1(b"abc", offsets).is_err() && room.latin1(b"a\xe9c", offsets).is_err(), "{offsets:?}");
    }
}
