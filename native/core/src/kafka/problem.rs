//! A group and its topics in numbers, and who gets what: the columns that src/engine/contract.ts describes.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The assignors: those of the clients, ours, then those of the broker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignor {
    /// RangeAssignor.
    Range,
    /// RoundRobinAssignor.
    RoundRobin,
    /// StickyAssignor.
    Sticky,
    /// CooperativeStickyAssignor.
    CooperativeSticky,
    /// Ours.
    Balanced,
    /// UniformAssignor.
    Uniform,
    /// UniformAssignor as 4.0 had it.
    Uniform40,
    /// The broker's RangeAssignor.
    ServerRange,
    /// SimpleAssignor.
    Simple,
}

/// Bit of a slot that is in the metadata.
pub const SLOT_EXISTS: u8 = 1;
/// Bit of a slot whose number is below the count of its topic.
pub const SLOT_COUNTED: u8 = 2;

/// How far an answer is, and whether anybody still waits for it: shared with the thread that does.
#[derive(Debug, Default)]
pub struct Pace {
    step: AtomicU32,
    stopped: AtomicBool,
}

impl Pace {
    /// The step reached, below 8; each assignor takes some of them.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step.load(Ordering::Relaxed)
    }

    /// Nobody waits any more: the answer is [`Failure::Stopped`].
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// A group in numbers. Whoever makes one has checked it: indices are inside their columns, offsets ascend.
///
/// A _slot_ is a partition that is, or that someone speaks of: slots of topic `t` are `[starts[t], starts[t + 1])`, their
/// numbers ascend. In a dense group slot `starts[t] + p` is partition `p`, and `numbers` and `kinds` are `None`.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Which assignor is asked.
    pub assignor: Assignor,
    /// One more than there are topics.
    pub starts: &'a [u32],
    /// Number of the partition of each slot.
    pub numbers: Option<&'a [i32]>,
    /// [`SLOT_EXISTS`] and [`SLOT_COUNTED`] of each slot.
    pub kinds: Option<&'a [u8]>,
    /// Topics by name, for broker-side assignors by id, as `compareTo` orders; `None` where that was not worth the sorting.
    pub topic_order: Option<&'a [u32]>,
    /// `hashCode` of each topic's name, for broker-side assignors of its id.
    pub topic_hashes: &'a [i32],
    /// Members by id, as `compareTo` orders.
    pub member_order: &'a [u32],
    /// Members as `MemberInfo` orders: static ones by instance id, then the others by id.
    pub member_info_order: &'a [u32],
    /// `String.hashCode` of each member id.
    pub member_hashes: &'a [i32],
    /// Where each subscription list begins in `list_topics`.
    pub list_offsets: &'a [u32],
    /// Topics of the lists, as given, repeats too.
    pub list_topics: &'a [u32],
    /// The list of each member.
    pub list_of: &'a [u32],
    /// Where each member's claims begin in `claims`.
    pub claim_offsets: &'a [u32],
    /// Slots that members say they own.
    pub claims: &'a [u32],
    /// The generation that comes with a member's claims, -1 for none.
    pub generations: &'a [i32],
    /// The generation in the subscription's own field, -1 for none.
    pub field_generations: &'a [i32],
    /// `None` where no member has a rack.
    pub racks: Option<Racks<'a>>,
    /// The highest generation that the assignor saw before, -1 for none.
    pub max_generation: i32,
    /// `None` where whoever asks waits on the spot.
    pub pace: Option<&'a Pace>,
    /// Load of one partition of each topic, for `balanced`; `None` where all weigh alike.
    pub topic_weights: Option<&'a [u32]>,
    /// What each member can carry, set against the others, for `balanced`; `None` where all can carry as much.
    pub member_weights: Option<&'a [u32]>,
    /// `None` but for the broker-side assignors.
    pub server: Option<ServerGroup<'a>>,
}

/// A consumer or share group as the coordinator describes it.
#[derive(Debug, Clone, Copy)]
pub struct ServerGroup<'a> {
    /// How many topics are in the metadata: those numbered below.
    pub known: u32,
    /// Said to subscribe alike: then the first member's subscription stands for all.
    pub homogeneous: bool,
    /// Claims are walked in the order of the hash maps into which a coordinator reads them; else as given.
    pub replayed: bool,
    /// 1 for each slot that a share group may hand out; `None` for all.
    pub assignable: Option<&'a [u8]>,
}

/// Racks in numbers from 0.
#[derive(Debug, Clone, Copy)]
pub struct Racks<'a> {
    /// How many there are.
    pub count: usize,
    /// Rack of each member, -1 for none.
    pub of_member: &'a [i32],
    /// Which set of racks holds the replicas of each slot.
    pub set_of: &'a [u32],
    /// Where each set begins in `set_racks`.
    pub set_offsets: &'a [u32],
    /// Racks of the sets, each once in a set.
    pub set_racks: &'a [u32],
}

/// What stops the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It must order topics of one hash code and has no `topic_order`: ask again with it.
    OrderNeeded,
    /// It divides by no members.
    NoMembers,
    /// The circular iterator is empty.
    EmptyIterator,
    /// Partitions are left, and no member has room.
    NoRoom,
    /// Members below the quota are left, and too few are above it.
    TooFewAbove,
    /// The member named ends below the quota.
    BelowQuota(u32),
    /// It asks a member for its partitions that it took out of the balancing.
    Null,
    /// It asks for the smallest, or the next, of no members.
    NoElement,
    /// Not the original's: [`Pace::stop`] was called.
    Stopped,
    /// A member subscribes to the topic named, which is not in the metadata.
    UnknownTopic(u32),
    /// The same, as the broker's `range` says it.
    UnknownTopicRange,
    /// Members have no room for what is left.
    LeftUnassigned,
    /// The number of the slot named, which is held, is none of its topic's.
    OutOfBounds(u32),
}

/// Which of its two algorithms an assignor took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// All members subscribe alike.
    Constrained,
    /// They do not.
    General,
    /// A broker-side one was told that all members subscribe alike.
    Homogeneous,
    /// It was told that they do not.
    Heterogeneous,
}

/// Who gets what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// Where each member's slots begin in `values`; one more than there are members.
    pub offsets: Vec<u32>,
    /// Slots in the order of the original's lists.
    pub values: Vec<u32>,
    /// Positions in `values`, ascending, that cooperative members get only once another gave them up.
    pub withheld: Vec<u32>,
    /// `None` for those that have one.
    pub algorithm: Option<Algorithm>,
    /// The highest generation seen.
    pub max_generation: i32,
    /// Slots that two members claimed with equal right, or hold both, ascending.
    pub clashes: Vec<u32>,
}

impl Assigned {
    /// Of an assignor that keeps no state and withholds nothing.
    pub(super) fn plain(offsets: Vec<u32>, values: Vec<u32>) -> Assigned {
        Assigned { offsets, values, withheld: Vec::new(), algorithm: None, max_generation: -1, clashes: Vec::new() }
    }
}

/// The answer of an assignor.
pub type Answer = Result<Assigned, Failure>;

impl<'a> Problem<'a> {
    /// Says that a step is reached, below 8, and ends the work if nobody waits for it any more.
    pub(super) fn reach(&self, step: u32) -> Result<(), Failure> {
        let Some(pace) = self.pace else { return Ok(()) };
        pace.step.store(step, Ordering::Relaxed);
        if pace.stopped.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// What a broker-side assignor is told.
    pub(super) fn group(&self) -> ServerGroup<'a> {
        self.server.expect("a broker-side assignor is asked with its group")
    }

    /// Number of topics.
    pub(super) fn topics(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of members.
    pub(super) fn members(&self) -> usize {
        self.list_of.len()
    }

    /// Number of slots.
    pub(super) fn slots(&self) -> usize {
        self.starts[self.topics()] as usize
    }

    /// Slots of a topic.
    pub(super) fn slots_of(&self, topic: u32) -> std::ops::Range<u32> {
        self.starts[topic as usize]..self.starts[topic as usize + 1]
    }

    /// Topics of a list, as given.
    pub(super) fn list(&self, list: u32) -> &'a [u32] {
        let list = list as usize;
        &self.list_topics[self.list_offsets[list] as usize..self.list_offsets[list + 1] as usize]
    }

    /// Topics of a member, as it gave them.
    pub(super) fn topics_of(&self, member: u32) -> &'a [u32] {
        self.list(self.list_of[member as usize])
    }

    /// Slots that a member says it owns.
    pub(super) fn claims_of(&self, member: u32) -> &'a [u32] {
        let member = member as usize;
        &self.claims[self.claim_offsets[member] as usize..self.claim_offsets[member + 1] as usize]
    }
}

/// The place of each item of an order.
pub(super) fn ranks_of(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    for (place, &item) in order.iter().enumerate() {
        ranks[item as usize] = place as u32;
    }
    ranks
}
