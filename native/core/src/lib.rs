//! # The algorithms of topic-placement, over millions of items
//!
//! Which partition does a key go to, which bundle does a topic belong to: answered for a whole column of keys in one
//! call, bit for bit as Apache Kafka and Apache Pulsar answer it. No I/O, no clock, no randomness, no global state; the
//! same question has the same answer on every processor.
//!
//! ## The rooms
//! | module | answers | source of truth |
//! |---|---|---|
//! | [`column`] | many byte strings as one: `values` and `offsets` | the Arrow Utf8 layout |
//! | [`text`] | UTF-16 as the bytes that Java writes | Java's `String.getBytes` |
//! | [`hash`] | six 32-bit hashes, of one key or of a column | see each file |
//! | [`kafka::partitioner`] | hash, then reduction to a partition | the clients of Kafka |
//! | [`kafka::planner`] | replica lists that are level, with the fewest moves | itself: it prints its proof |
//! | [`pulsar::topic_name`] | full names of topics, or the first one refused | Pulsar's `TopicName` |
//! | [`pulsar::bundles`] | the range that a hash falls into | Pulsar's `NamespaceBundles` |
//! | [`pulsar::split`] | where a bundle is cut, hashes in order | Pulsar's `BundleSplitAlgorithm`s |
//! | [`pulsar::key_shared`] | the consumer that a key falls to | Pulsar's Key_Shared selectors |
//! | [`pulsar::numbered_families`] | topics that differ in a number at the end alone | names, as Pulsar's partitions have them |
//! | [`threads`] | the above, by as many threads as the caller gives | nothing: the answer is that of one |
//! | [`lanes`] | SIMD arms of the above; the only room with `unsafe` | the scalar files beside them |
//!
//! ## How to ask
//! ```
//! use topic_placement_core::{Arm, Column, Hash, RangeTable};
//!
//! let column = Column::new(b"order-42order-7", &[0, 8, 15]).unwrap();
//! let mut hashes = [0; 2];
//! Hash::Crc32.packed(Arm::best(), column, &mut hashes).unwrap();
//! assert_eq!(hashes[1], Hash::Crc32.one(b"order-7"));
//!
//! let bundles = RangeTable::new(&[0, 0x4000_0000, 0x8000_0000, 0xc000_0000]).unwrap();
//! let mut indices = [0; 2];
//! bundles.of_packed(Arm::best(), column, &mut indices).unwrap();
//! assert_eq!(indices[0], bundles.one(hashes[0]));
//! ```
//!
//! ## What holds everywhere
//! - **Every arm equals scalar.** An [`Arm`] is a proof that this processor has the instructions; which one is taken
//!   changes the time, never the answer.
//! - **Checked once.** [`Column::new`] walks the offsets one time; everything after reads without asking again.
//! - **Nothing half done.** A call with a result of the wrong length writes nothing and says so.
//! - **32 bits.** Hashes are `u32`; where the original prints a signed number, the binding shows the same bits signed.

pub mod column;
pub mod error;
pub mod hash;
pub mod kafka;
pub mod lanes;
pub mod pulsar;
pub mod text;
pub mod threads;

pub use column::Column;
pub use error::{BadOffset, WrongLength};
pub use hash::Hash;
pub use lanes::Arm;
pub use pulsar::bundles::RangeTable;
