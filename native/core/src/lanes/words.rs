//! murmur2, murmur3 and FNV-1a with one key a lane: the algorithm once, instantiated by each arm.
//!
//! A group is as many keys as a vector has 32-bit lanes. Each round loads sixteen bytes of every key and transposes them
//! in blocks of four by four, so that vector `j` holds word `j` of every key; then all keys take one step together. While
//! every key has four whole words left no lane is asked whether it still runs; after it finished lanes keep their state by
//! a select. The last, incomplete word of a key is set aside when it comes by and mixed in after the last round.
//!
//! An arm brings, in a module `ops`: the vector `V` (of one register or more), the lane mask `Mask`, `LANES`, and the
//! operations used below. Every length here is below 2^31, so that comparisons are of signed numbers.

/// Longest key that is hashed in lanes: keeps lengths below 2^31 and bounds the work of a badly mixed group.
pub(crate) const LONGEST: u32 = 1 << 20;

/// Bytes of a padded copy of the last keys, whose rounds would otherwise read past the values.
pub(crate) const PADDED: usize = 4096;

/// The same bounds, of which the compiler no longer knows that they are: they are loaded where they are used. Otherwise they are
/// taken out of the vector of lengths, two instructions each, or thirty-two of them are kept on the stack.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would cost more than it saves")]
pub(super) fn loaded_again<T>(bounds: &T) -> &T {
    let mut at = std::ptr::from_ref(bounds);
    // SAFETY: a comment is no instruction; the pointer stays what it was.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) at, options(readonly, nostack, preserves_flags));
        &*at
    }
}

/// The three hashes for an arm, given its features and its `ops`.
macro_rules! word_hashes {
    ($features:literal) => {
        /// murmur2 in lanes; defined by [`crate::hash::murmur2`].
        pub mod murmur2 {
            use super::ops::*;
            use crate::hash::murmur2::{M, SEED, one};

            #[inline]
            #[target_feature(enable = $features)]
            fn start(lengths: V) -> V {
                xor(lengths, splat(SEED))
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn step(h: V, word: V) -> V {
                let k = mul(word, splat(M));
                let k = mul(xor(k, shr::<24>(k)), splat(M));
                xor(mul(h, splat(M)), k)
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn finish(h: V, tail: V, lengths: V) -> V {
                let ragged = above(and(lengths, splat(3)), 0);
                let h = select(ragged, mul(xor(h, tail), splat(M)), h);
                let h = mul(xor(h, shr::<13>(h)), splat(M));
                xor(h, shr::<15>(h))
            }

            $crate::lanes::words::packed!($features);
        }

        /// murmur3 in lanes; defined by [`crate::hash::murmur3`].
        pub mod murmur3 {
            use super::ops::*;
            use crate::hash::murmur3::{C1, C2, FINISH, STEP, one};

            #[inline]
            #[target_feature(enable = $features)]
            fn start(_lengths: V) -> V {
                splat(0)
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn mix(word: V) -> V {
                let k = mul(word, splat(C1));
                mul(rotate::<15, 17>(k), splat(C2))
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn step(h: V, word: V) -> V {
                let h = xor(h, mix(word));
                let h = rotate::<13, 19>(h);
                add(add(shl::<2>(h), h), splat(STEP))
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn finish(h: V, tail: V, lengths: V) -> V {
                let h = xor(xor(h, mix(tail)), lengths);
                let h = mul(xor(h, shr::<16>(h)), splat(FINISH[0]));
                let h = mul(xor(h, shr::<13>(h)), splat(FINISH[1]));
                xor(h, shr::<16>(h))
            }

            $crate::lanes::words::packed!($features);
        }

        /// FNV-1a in lanes; defined by [`crate::hash::fnv1a`].
        pub mod fnv1a {
            use super::ops::*;
            use crate::hash::fnv1a::{BASIS, PRIME, one};

            #[inline]
            #[target_feature(enable = $features)]
            fn start(_lengths: V) -> V {
                splat(BASIS)
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn byte(h: V, byte: V) -> V {
                mul(xor(h, byte), splat(PRIME))
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn step(h: V, word: V) -> V {
                let low = splat(0xff);
                let h = byte(h, and(word, low));
                let h = byte(h, and(shr::<8>(word), low));
                let h = byte(h, and(shr::<16>(word), low));
                byte(h, shr::<24>(word))
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn finish(h: V, tail: V, lengths: V) -> V {
                let (low, left) = (splat(0xff), and(lengths, splat(3)));
                let h = select(above(left, 0), byte(h, and(tail, low)), h);
                let h = select(above(left, 1), byte(h, and(shr::<8>(tail), low)), h);
                select(above(left, 2), byte(h, shr::<16>(tail)), h)
            }

            $crate::lanes::words::packed!($features);
        }
    };
}
pub(crate) use word_hashes;

/// The loop over groups and rounds, around the `start`, `step`, `finish` and `one` in scope.
macro_rules! packed {
    ($features:literal) => {
        use crate::column::Column;
        use crate::lanes::words::{LONGEST, PADDED, loaded_again};

        /// The hash of each key of `column`, into `out`.
        #[target_feature(enable = $features)]
        pub fn packed(column: Column<'_>, out: &mut [u32]) {
            let (values, offsets) = (column.values(), column.offsets());
            let (groups, rest) = out.as_chunks_mut::<LANES>();
            for (slots, bounds) in groups.iter_mut().zip(offsets.windows(LANES + 1).step_by(LANES)) {
                if let Some(bounds) = bounds.first_chunk() {
                    group(values, bounds, slots);
                }
            }
            if !rest.is_empty() {
                last(values, &offsets[offsets.len() - 1 - rest.len()..], rest);
            }
        }

        /// Fewer keys than lanes: those missing are empty keys at the end.
        #[target_feature(enable = $features)]
        fn last(values: &[u8], offsets: &[u32], out: &mut [u32]) {
            let mut bounds = [offsets[out.len()]; LANES + 1];
            bounds[..offsets.len()].copy_from_slice(offsets);
            let mut slots = [0; LANES];
            group(values, &bounds, &mut slots);
            out.copy_from_slice(&slots[..out.len()]);
        }

        /// One key a lane. `bounds` are offsets of a [`Column`] over `values`.
        #[inline]
        #[target_feature(enable = $features)]
        fn group(values: &[u8], bounds: &[u32; LANES + 1], slots: &mut [u32; LANES]) {
            let longest = most(lengths(bounds));
            let total = bounds[LANES] - bounds[0];
            // Few long keys among short ones would leave the other lanes idle: two keys' worth of bytes must be there, and
            // in wide groups that of every eighth.
            let worth = const { if LANES > 16 { LANES as u32 / 8 } else { 2 } };
            if longest > LONGEST || (longest > 64 && total < worth * longest) {
                return one_by_one(values, bounds, slots);
            }
            // The last key begins last, so that its rounds reach furthest.
            if bounds[LANES - 1] as usize + longest.next_multiple_of(16) as usize > values.len() {
                return at_the_edge(values, bounds, slots);
            }
            // SAFETY: the check above has proved the reach of every round.
            unsafe { rounds(values, bounds, longest, slots) };
        }

        /// A group near the end of the values, from a copy with room after it.
        #[cold]
        #[target_feature(enable = $features)]
        fn at_the_edge(values: &[u8], bounds: &[u32; LANES + 1], slots: &mut [u32; LANES]) {
            let bytes = &values[bounds[0] as usize..bounds[LANES] as usize];
            if 2 * bytes.len() + 16 > PADDED {
                return one_by_one(values, bounds, slots);
            }
            let mut copy = [0; PADDED];
            copy[..bytes.len()].copy_from_slice(bytes);
            let bounds = bounds.map(|bound| bound - bounds[0]);
            // SAFETY: every key begins within `bytes.len()` and its rounds reach no further than that and 16 again.
            unsafe { rounds(&copy, &bounds, most(lengths(&bounds)), slots) };
        }

        #[inline(never)]
        fn one_by_one(values: &[u8], bounds: &[u32; LANES + 1], slots: &mut [u32; LANES]) {
            for (slot, pair) in slots.iter_mut().zip(bounds.windows(2)) {
                *slot = one(&values[pair[0] as usize..pair[1] as usize]);
            }
        }

        /// The hashes of a group whose longest key has `longest` bytes.
        ///
        /// # Safety
        /// From each of the first `LANES` bounds, `longest` bytes, rounded up to 16, lie inside `values`.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn rounds(values: &[u8], bounds: &[u32; LANES + 1], longest: u32, slots: &mut [u32; LANES]) {
            // 2 KB ahead, eight lines at a time: without it keys that come from memory take half as long again. A loop over
            // lines would be exact, but its end is guessed wrong in every other group.
            for at in (bounds[0]..bounds[LANES].min(bounds[0].saturating_add(2048))).step_by(512) {
                for line in 0..8 {
                    prefetch(values.as_ptr().wrapping_add(at as usize + 64 * line + 2048));
                }
            }
            let (lengths, mut at) = (lengths(bounds), 0);
            // Whole words that are left of each key, and where one was left a word ago.
            let (mut left, mut reached) = (shr::<2>(lengths), everyone());
            let (mut h, mut tail) = (start(lengths), splat(0));
            while at < longest {
                // SAFETY: `at` is a multiple of 16 below the longest length, so that the round ends within it rounded up.
                let [a, b, c, d] = unsafe { four_words(values, loaded_again(bounds), at) };
                if all(above(left, 3)) {
                    h = step(step(step(step(h, a), b), c), d);
                } else {
                    for (j, word) in (0..).zip([a, b, c, d]) {
                        // No word after the longest key's last: keys of one or two words are worth it, and the end is mostly
                        // guessed right for others too.
                        if j > 0 && at + 4 * j >= longest {
                            break;
                        }
                        let here = above(left, j);
                        tail = select(reached, word, tail);
                        h = select(here, step(h, word), h);
                        reached = here;
                    }
                }
                left = sub(left, splat(4));
                at += 16;
            }
            store(slots, finish(h, and(tail, odd_bytes(lengths)), lengths));
        }
    };
}
pub(crate) use packed;
