//! The core against its peers, over packed keys: one JSON line a row and case.
//!
//! `cargo bench -p topic-placement-core --bench packed -- [--json] [--quick] [--row N]...`; `--quick` asks each case once
//! and fewer keys, for its answers alone. A case runs its subject and its peer in
//! turn, so that both meet the same machine, and keeps the best of many rounds for each; before that it asserts that the
//! answers are equal. `ns` is per item, `ratio` is peer's time over ours: above 1 we are faster. `bytes` lets a reader set
//! one row against another. Corpora: `cache` 8,192 keys of 20 to 60 bytes; `memory` a million of them; skewed ones in
//! row 9d, each named by what makes it hard.

use std::hint::black_box;
use std::time::{Duration, Instant};
use topic_placement_core::{Arm, Column, Hash, RangeTable};

/// Packed keys, owned.
struct Keys {
    values: Vec<u8>,
    offsets: Vec<u32>,
}

/// xorshift64 with a fixed seed: every run has the same keys.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number in `[from, to]`.
    fn between(&mut self, from: u64, to: u64) -> u64 {
        from + (self.next() >> 11) % (to - from + 1)
    }
}

impl Keys {
    /// `n` keys of printable ASCII with lengths in `[from, to]`.
    fn new(n: usize, from: u64, to: u64) -> Keys {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let lengths = (0..n).map(|_| random.between(from, to) as u32).collect::<Vec<_>>();
        Keys::of_lengths(&lengths)
    }

    fn of_lengths(lengths: &[u32]) -> Keys {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let offsets: Vec<u32> = [0].into_iter().chain(ends).collect();
        let values = (0..offsets[lengths.len()]).map(|_| random.between(33, 126) as u8).collect();
        Keys { values, offsets }
    }

    fn of_texts(texts: &[String]) -> Keys {
        let mut keys = Keys::of_lengths(&texts.iter().map(|text| text.len() as u32).collect::<Vec<_>>());
        keys.values = texts.concat().into_bytes();
        keys
    }

    fn column(&self) -> Column<'_> {
        Column::new(&self.values, &self.offsets).expect("the corpus ascends")
    }
}

/// What the command line asks for.
struct Wanted {
    rows: Vec<String>,
}

impl Wanted {
    fn from_arguments() -> Wanted {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let rows = arguments.windows(2).filter(|pair| pair[0] == "--row").map(|pair| pair[1].clone()).collect();
        Wanted { rows }
    }

    fn has(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| wanted == row)
    }
}

/// Whether only the answers count.
fn is_quick() -> bool {
    std::env::args().any(|argument| argument == "--quick")
}

/// One line of the answer.
struct Case<'a> {
    row: &'a str,
    name: String,
    peer: &'a str,
    items: usize,
    bytes: usize,
}

/// Time for both sides of a case; a short one is repeated within a round so that the clock can see it.
const BUDGET: Duration = Duration::from_millis(700);

impl Case<'_> {
    /// Runs both in turn and prints the best round of each.
    fn run(&self, mut ours: impl FnMut(), mut peer: impl FnMut()) {
        let (mut best, mut best_peer, begun, mut rounds) = (f64::MAX, f64::MAX, Instant::now(), 0);
        let (least, budget) = if is_quick() { (1, Duration::ZERO) } else { (5, BUDGET) };
        while rounds < least || begun.elapsed() < budget {
            best = best.min(timed(&mut ours));
            best_peer = best_peer.min(timed(&mut peer));
            rounds += 1;
        }
        let items = f64::from(u32::try_from(self.items).expect("fewer than 2^32 items"));
        let (ns, peer_ns) = (best / items, best_peer / items);
        println!(
            r#"{{"row":"{}","case":"{}","ns":{ns:.4},"peer":"{}","peerNs":{peer_ns:.4},"ratio":{:.3},"items":{},"bytes":{}}}"#,
            self.row,
            self.name,
            self.peer,
            peer_ns / ns,
            self.items,
            self.bytes
        );
    }
}

/// Nanoseconds of one call, the best of a few back to back.
fn timed(work: &mut impl FnMut()) -> f64 {
    let once = || {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64() * 1e9
    };
    std::iter::repeat_with(once).take(3).fold(f64::MAX, f64::min)
}

fn hashes(which: Hash, arm: Arm, column: Column<'_>, out: &mut [u32]) {
    which.packed(arm, black_box(column), out).expect("as long as the column");
    black_box(out);
}

/// Whether the arm has code of its own for that hash: two differ from another in some hashes alone.
fn differs(arm: Arm, which: Hash) -> bool {
    match arm.name() {
        "scalar" => false,
        "avx512-gather" => matches!(which, Hash::Murmur2 | Hash::Murmur3 | Hash::Fnv1a),
        "avx2-vpclmul" => matches!(which, Hash::Crc32 | Hash::Crc32c),
        _ => true,
    }
}

/// Each arm but scalar on one corpus, against scalar.
fn against_scalar(row: &str, which: Hash, corpus: &str, keys: &Keys) {
    let column = keys.column();
    let (mut ours, mut scalar) = (vec![0; column.len()], vec![0; column.len()]);
    for arm in Arm::available().into_iter().filter(|&arm| differs(arm, which)) {
        hashes(which, arm, column, &mut ours);
        hashes(which, Arm::SCALAR, column, &mut scalar);
        assert_eq!(ours, scalar, "{which:?} by {}", arm.name());
        let name = format!("{which:?} {} {corpus}", arm.name()).to_lowercase();
        let case = Case { row, name, peer: "scalar", items: column.len(), bytes: keys.values.len() };
        case.run(|| hashes(which, arm, column, &mut ours), || hashes(which, Arm::SCALAR, column, &mut scalar));
    }
}

/// crc32 of each arm against the crate crc32fast, a call a key.
fn against_crc32fast(corpus: &str, keys: &Keys) {
    let column = keys.column();
    let (mut ours, mut theirs) = (vec![0; column.len()], vec![0; column.len()]);
    let crate_call = |out: &mut [u32]| {
        for (slot, key) in out.iter_mut().zip(black_box(column).keys()) {
            *slot = crc32fast::hash(key);
        }
        black_box(out);
    };
    for arm in Arm::available().into_iter().filter(|&arm| arm == Arm::SCALAR || differs(arm, Hash::Crc32)) {
        hashes(Hash::Crc32, arm, column, &mut ours);
        crate_call(&mut theirs);
        assert_eq!(ours, theirs, "crc32 by {}", arm.name());
        let name = format!("crc32 {} {corpus}", arm.name());
        let case = Case { row: "6", name, peer: "crc32fast", items: column.len(), bytes: keys.values.len() };
        case.run(|| hashes(Hash::Crc32, arm, column, &mut ours), || crate_call(&mut theirs));
    }
}

/// crc32 of each arm against a copy of the same bytes.
fn against_memcpy(corpus: &str, keys: &Keys) {
    let column = keys.column();
    let (mut out, mut copy) = (vec![0; column.len()], vec![1; keys.values.len()]);
    for arm in Arm::available().into_iter().filter(|&arm| arm == Arm::SCALAR || differs(arm, Hash::Crc32)) {
        let name = format!("crc32 {} {corpus}", arm.name());
        let case = Case { row: "7", name, peer: "memcpy", items: column.len(), bytes: keys.values.len() };
        let copying = || {
            copy.copy_from_slice(black_box(&keys.values));
            black_box(&mut copy);
        };
        case.run(|| hashes(Hash::Crc32, arm, column, &mut out), copying);
    }
    assert_eq!(copy, keys.values);
}

/// Lookup of `queries` in ranges of one shape, against `partition_point`.
fn lookup(shape: &str, starts: &[u32], queries: &[u32]) {
    let table = RangeTable::new(starts).expect("the starts ascend");
    let (mut ours, mut theirs) = (vec![0; queries.len()], vec![0; queries.len()]);
    let search = |out: &mut [u32]| {
        for (slot, &hash) in out.iter_mut().zip(black_box(queries)) {
            *slot = starts.partition_point(|&start| start <= hash) as u32 - 1;
        }
        black_box(out);
    };
    let ask = |arm: Arm, out: &mut [u32]| {
        table.of_hashes(arm, black_box(queries), out).expect("as long as the queries");
        black_box(out);
    };
    for arm in Arm::available().into_iter().filter(|arm| !matches!(arm.name(), "avx512-gather" | "avx2-vpclmul")) {
        ask(arm, &mut ours);
        search(&mut theirs);
        assert_eq!(ours, theirs, "{shape} by {}", arm.name());
        let name = format!("{} {shape}", arm.name());
        let case = Case { row: "8", name, peer: "partition_point", items: queries.len(), bytes: 4 * queries.len() };
        case.run(|| ask(arm, &mut ours), || search(&mut theirs));
    }
}

/// `n` different starts that begin with 0.
fn starts(n: usize, mut draw: impl FnMut() -> u32) -> Vec<u32> {
    let mut all = std::collections::BTreeSet::from([0]);
    while all.len() < n {
        all.insert(draw());
    }
    all.into_iter().collect()
}

fn lookups() {
    let mut random = Random(99);
    let queries: Vec<u32> = (0..1 << 20).map(|_| (random.next() >> 20) as u32).collect();
    lookup("16384 uneven", &starts(16_384, || (random.next() >> 20) as u32), &queries);
    let even: Vec<u32> = (0..64).map(|i| i << 26).collect();
    lookup("64 even", &even, &queries);
    lookup("12 uneven", &starts(12, || (random.next() >> 20) as u32), &queries);
    lookup("100 even", &(0..100).map(|i| i * 42_949_672).collect::<Vec<_>>(), &queries);
    // Half of the boundaries and half of the queries lie in a 4,096th of all hashes: a hot bundle, split again and again.
    let cluster = |random: &mut Random| 0x5000_0000 + ((random.next() >> 20) as u32 >> 12);
    let mut odd = false;
    let mut mixed = || {
        odd = !odd;
        if odd { cluster(&mut random) } else { (random.next() >> 20) as u32 }
    };
    let clustered = starts(16_384, &mut mixed);
    let hot: Vec<u32> = (0..1 << 20).map(|_| mixed()).collect();
    lookup("16384 clustered", &clustered, &hot);
    lookup("16384 clustered, even queries", &clustered, &queries);
}

/// Corpora that are nasty for lanes, each for its own reason.
fn skewed() -> Vec<(&'static str, Keys)> {
    let text = |i: usize| format!("persistent://tenänt-{}/näme/主题-{i}-😀", i % 97);
    let texts: Vec<String> = (0..8192).map(text).collect();
    let mut sorted: Vec<u32> = (0..8192).map(|i| 20 + (i * 41) / 8192).collect();
    sorted.sort_unstable();
    let outliers: Vec<u32> = (0..8192).map(|i| if i % 16 == 7 { 2000 } else { 30 }).collect();
    vec![
        ("equal length 40", Keys::new(8192, 40, 40)),
        ("1 to 300 mixed", Keys::new(8192, 1, 300)),
        ("all of 4 bytes", Keys::new(8192, 4, 4)),
        ("all of 4 KB", Keys::new(512, 4096, 4096)),
        ("non-ascii", Keys::of_texts(&texts)),
        ("sorted by length", Keys::of_lengths(&sorted)),
        ("one long in sixteen", Keys::of_lengths(&outliers)),
        ("0 to 7 bytes", Keys::new(8192, 0, 7)),
    ]
}

fn main() {
    let wanted = Wanted::from_arguments();
    let many = if is_quick() { 10_000 } else { 1_000_000 };
    let (cache, memory) = (Keys::new(8192, 20, 60), Keys::new(many, 20, 60));
    let corpora = [("cache", &cache), ("memory", &memory)];
    for (corpus, keys) in corpora {
        if wanted.has("5") {
            against_scalar("5", Hash::Murmur2, corpus, keys);
        }
        if wanted.has("6") {
            against_crc32fast(corpus, keys);
        }
        if wanted.has("7") {
            against_memcpy(corpus, keys);
        }
        for which in [Hash::Crc32c, Hash::Murmur3, Hash::Fnv1a, Hash::JavaString] {
            if wanted.has("9c") {
                against_scalar("9c", which, corpus, keys);
            }
        }
    }
    if wanted.has("8") {
        lookups();
    }
    if wanted.has("9d") {
        for (corpus, keys) in skewed() {
            for which in Hash::ALL {
                against_scalar("9d", which, corpus, &keys);
            }
        }
    }
}
