//! One question by several threads: the keys or hashes in parts, which the threads take one after the other.
//!
//! For whoever asks about large columns while processors are idle. The caller says how many threads there may be; each
//! answer is that of one thread, since no key's answer depends on another's. Parts are smaller than a thread's share, so that
//! a thread whose processor is busy elsewhere keeps no one waiting. Nothing lives on between questions: to start and end a
//! thread takes 10 to 20 µs.

use crate::column::Column;
use crate::error::WrongLength;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Cost of a part: 50 µs and more, beside which neither a thread's start nor the way to the next part counts.
const PART: u64 = 1 << 20;

/// What a key or a hash costs beside its bytes, counted in bytes.
const ITEM: u64 = 16;

/// Answers for `column` by at most `threads` threads, the caller's own among them; fewer where the column is small.
/// `answer` gets a part of the column and the part of `out` (as long as the column) that belongs to it.
///
/// # Errors
/// [`WrongLength`] if `out` is not as long as the column; nothing is written then.
///
/// # Panics
/// As `answer` does, in whatever thread.
///
/// ```
/// use topic_placement_core::{Arm, Column, Hash, threads};
/// let column = Column::new(b"order-42order-7", &[0, 8, 15]).unwrap();
/// let mut hashes = [0; 2];
/// threads::over_column(2, column, &mut hashes, |part, out| Hash::Crc32.packed(Arm::best(), part, out)).unwrap();
/// assert_eq!(hashes[1], Hash::Crc32.one(b"order-7"));
/// ```
pub fn over_column<T: Send>(
    threads: usize,
    column: Column<'_>,
    out: &mut [T],
    answer: impl Fn(Column<'_>, &mut [T]) -> Result<(), WrongLength> + Sync,
) -> Result<(), WrongLength> {
    WrongLength::check(column.len(), out.len())?;
    let offsets = column.offsets();
    let cost = |key: usize| u64::from(offsets[key] - offsets[0]) + ITEM * key as u64;
    in_parts(threads, cost, out, |keys, out| answer(column.slice(keys), out))
}

/// The same for `hashes`.
///
/// # Errors
/// As [`over_column`].
///
/// # Panics
/// As [`over_column`].
pub fn over_hashes(
    threads: usize,
    hashes: &[u32],
    out: &mut [u32],
    answer: impl Fn(&[u32], &mut [u32]) -> Result<(), WrongLength> + Sync,
) -> Result<(), WrongLength> {
    WrongLength::check(hashes.len(), out.len())?;
    in_parts(threads, |hash| ITEM * hash as u64, out, |range, out| answer(&hashes[range], out))
}

/// `cost` is that of all items before one, and ascends.
fn in_parts<T: Send>(
    threads: usize,
    cost: impl Fn(usize) -> u64,
    out: &mut [T],
    answer: impl Fn(Range<usize>, &mut [T]) -> Result<(), WrongLength> + Sync,
) -> Result<(), WrongLength> {
    let parts = cost(out.len()) / PART;
    if threads < 2 || parts < 2 {
        return answer(0..out.len(), out);
    }
    let threads = threads.min(usize::try_from(parts).unwrap_or(threads));
    let queue = Mutex::new(parts_of(parts, cost, out).into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((items, out)) = next() {
            answer(items, out)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        // Where the system gives no thread, those that are there take all parts.
        let others: Vec<_> =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work();
        others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))).fold(own, Result::and)
    })
}

/// Items and their places in `out`, in parts of about the same cost.
fn parts_of<T>(parts: u64, cost: impl Fn(usize) -> u64, out: &mut [T]) -> Vec<(Range<usize>, &mut [T])> {
    let (items, mut rest, mut from) = (out.len(), out, 0);
    let total = cost(items);
    let next = |part: u64| {
        let to =
            first(items, |item| u128::from(cost(item)) * u128::from(parts) >= u128::from(total) * u128::from(part));
        let (own, others) = std::mem::take(&mut rest).split_at_mut(to - from);
        rest = others;
        (std::mem::replace(&mut from, to)..to, own)
    };
    (1..=parts).map(next).collect()
}

/// The first number in `[0, most]` for which `holds`, which from there on does.
fn first(most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = usize::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
