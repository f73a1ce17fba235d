//! Each hash against published values, against Java, and against its naive twin at every length.

mod naive;

use naive::Random;
use topic_placement_core::Hash;

fn assert_all(which: Hash, published: &[(&[u8], u32)]) {
    for (key, expected) in published {
        assert_eq!(which.one(key), *expected, "{which:?} of {:?}", String::from_utf8_lossy(key));
    }
}

/// Source: Apache Kafka, `UtilsTest.testMurmur2`; the last three by kafka-clients 4.4.0 (vectors `kafka/murmur2.jsonl`).
#[test]
fn murmur2_gives_what_kafkas_own_test_expects() {
    let published: [(&[u8], i32); 9] = [
        (b"21", -973_932_308),
        (b"foobar", -790_332_482),
        (b"a-little-bit-long-string", -985_981_536),
        (b"a-little-bit-longer-string", -1_486_304_829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
        (b"abc", 479_470_107),
        (b"", 275_646_681),
        (b"kafka", -798_503_068),
        (b"giberish123456789", -1_890_243_828),
    ];
    assert_all(Hash::Murmur2, &published.map(|(key, hash)| (key, hash as u32)));
}

/// Source: the test values of MurmurHash3_x86_32 with seed 0 that its ports share.
#[test]
fn murmur3_gives_the_published_values() {
    let published: [(&[u8], u32); 11] = [
        (b"", 0),
        (b"\0", 0x514e_28b7),
        (b"\0\0", 0x30f4_c306),
        (b"\0\0\0", 0x85f0_b427),
        (b"\0\0\0\0", 0x2362_f9de),
        (b"\x21", 0x7266_1cf4),
        (b"\x21\x43", 0xa0f7_b07a),
        (b"\x21\x43\x65", 0x7e4a_8634),
        (b"\x21\x43\x65\x87", 0xf55b_516b),
        (b"hello, world", 0x149b_bb7f),
        (b"The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
    ];
    assert_all(Hash::Murmur3, &published);
}

/// Source: the check value of CRC-32/ISO-HDLC, RFC 3309's sample patterns run through zlib.
#[test]
fn crc32_gives_the_published_values() {
    let published: [(&[u8], u32); 6] = [
        (b"", 0),
        (b"123456789", 0xcbf4_3926),
        (b"The quick brown fox jumps over the lazy dog", 0x414f_a339),
        (&[0; 32], 0x190a_55ad),
        (&[0xff; 32], 0xff6c_ab0b),
        (b"persistent://public/default/test-topic-o", 0xf647_b64d),
    ];
    assert_all(Hash::Crc32, &published);
}

/// Source: RFC 3720, appendix B.4, and the check value of CRC-32/ISCSI.
#[test]
fn crc32c_gives_the_values_of_the_iscsi_standard() {
    let up: Vec<u8> = (0..32).collect();
    let down: Vec<u8> = (0..32).rev().collect();
    let published: [(&[u8], u32); 6] = [
        (b"", 0),
        (b"123456789", 0xe306_9283),
        (&[0; 32], 0x8a91_36aa),
        (&[0xff; 32], 0x62a8_ab43),
        (&up, 0x46dd_794e),
        (&down, 0x113f_db5c),
    ];
    assert_all(Hash::Crc32c, &published);
}

/// Source: draft-eastlake-fnv-17, test vectors of 32-bit FNV-1a.
#[test]
fn fnv1a_gives_the_values_of_the_draft() {
    let published: [(&[u8], u32); 5] = [
        (b"", 0x811c_9dc5),
        (b"a", 0xe40c_292c),
        (b"b", 0xe70c_2de5),
        (b"foobar", 0xbf9c_f968),
        (b"chongo was here!\n", 0xd499_30d5),
    ];
    assert_all(Hash::Fnv1a, &published);
}

/// Source: Java 17.0.15, `new String(bytes, UTF_8).hashCode()`.
#[test]
fn java_string_gives_what_java_prints() {
    let published: [(&[u8], i32); 5] =
        [(b"", 0), (b"hello", 99_162_322), (b"Aa", 2112), (b"BB", 2112), (b"polygenelubricants", i32::MIN)];
    assert_all(Hash::JavaString, &published.map(|(key, hash)| (key, hash as u32)));
}

/// The expected number was printed by `tests/java/JavaStringDigest.java` on Java 17.0.15.
#[test]
fn java_string_decodes_five_million_malformed_keys_as_java_does() {
    const TELLING: [u8; 32] = [
        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
        0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff, 0x80, 0xa0, 0xed, 0xf0, 0xf4,
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut digest = 0u64;
    for _ in 0..5_000_000 {
        let length = random.below(24);
        let mut byte = || {
            let bits = random.next() >> 11;
            if bits & 1 == 0 { (bits >> 8) as u8 } else { TELLING[(bits >> 8) as usize & 31] }
        };
        let key: Vec<u8> = (0..length).map(|_| byte()).collect();
        digest = digest.wrapping_mul(0x100_0000_01b3).wrapping_add(u64::from(Hash::JavaString.one(&key)));
    }
    assert_eq!(digest, 0x72f8_1931_444d_3268);
}

#[test]
fn every_hash_equals_its_naive_twin_at_every_length() {
    let mut random = Random::seeded(0x2545_f491_4f6c_dd1d);
    for length in 0..=600 {
        let bytes = random.bytes(length);
        let ascii: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
        for which in Hash::ALL {
            let key = if which == Hash::JavaString { &ascii } else { &bytes };
            assert_eq!(which.one(key), naive::hash(which, key), "{which:?} of {length} bytes");
        }
    }
}

#[test]
fn java_string_equals_its_naive_twin_on_well_formed_text() {
    let mut random = Random::seeded(77);
    for _ in 0..20_000 {
        let length = random.below(30);
        let points = (0..length).filter_map(|_| char::from_u32((random.next() >> 11) as u32 >> random.below(32)));
        let text: String = points.collect();
        assert_eq!(Hash::JavaString.one(text.as_bytes()), naive::java_string(text.as_bytes()), "{text:?}");
    }
}
