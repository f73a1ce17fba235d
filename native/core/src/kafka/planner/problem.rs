//! What the planner is asked, and what it answers, in numbers: names stay at the edge.
//!
//! Twin of src/engine/plan-contract.ts.

use super::pulse::Pulse;

/// So many partitions, a few microseconds each at most, and the watch is asked.
const PART: usize = 256;

/// No broker, no group, no slot.
pub const NONE: u32 = u32::MAX;

/// How the replicas of one partition lie over the racks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Per rack they differ by at most one, as far as the racks' brokers allow. One rack alone: no rule.
    Spread,
    /// In as many racks as can be; beyond one a rack, wherever there is room.
    Distinct,
}

/// What ranks first: the lower rank is never bought with the higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Level counts, then the fewest moves.
    Counts,
    /// The fewest moves, and among those the most level counts.
    Moves,
    /// Replicas stay where they are.
    Nothing,
}

/// Brokers and partitions in canonical order: brokers by id, racks and topics by name, partitions by topic and number.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Rack of each broker, in `[0, racks)`.
    pub rack_of: &'a [u32],
    /// How many racks there are.
    pub racks: usize,
    /// 1 for a broker that may hold replicas.
    pub is_in: &'a [u8],
    /// How much of the load each broker should carry, in proportion; `None`: all alike.
    pub weights: Option<&'a [u32]>,
    /// Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`, the leader first.
    pub offsets: &'a [u32],
    /// Brokers, by their number.
    pub replicas: &'a [u32],
    /// How many replicas each partition shall have; `None`: as many as it has.
    pub factors: Option<&'a [u32]>,
    /// Topic of each partition; ascends.
    pub topic_of: &'a [u32],
    /// The rack rule.
    pub rule: Rule,
    /// What ranks first.
    pub first: First,
    /// What comes after, in order: leaders, counts per topic, or not at all.
    pub after: &'a [After],
    /// Who waits for it.
    pub pulse: &'a Pulse<'a>,
}

/// What is levelled without one more move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Leaders per broker: lists are put in another order.
    Leaders,
    /// Replicas of each topic per broker: replicas that move anyway change places.
    Topics,
}

impl Problem<'_> {
    pub(super) fn brokers(&self) -> usize {
        self.rack_of.len()
    }

    pub(super) fn partitions(&self) -> usize {
        self.offsets.len() - 1
    }

    /// All partitions in order, until the work is stopped. Loops that do little with each walk it by `for_each` and the like,
    /// which costs nothing; by `for` each step would look for the end of a part.
    pub(super) fn partitions_while_wanted(&self) -> impl Iterator<Item = usize> {
        let parts = (0..self.partitions()).step_by(PART).take_while(|_| !self.pulse.ask());
        parts.flat_map(|first| first..self.partitions().min(first + PART))
    }

    /// The number of replicas that partition `p` shall have.
    pub(super) fn factor(&self, p: usize) -> usize {
        let held = || self.offsets[p + 1] - self.offsets[p];
        self.factors.map_or_else(held, |factors| factors[p]) as usize
    }
}

/// New lists, and what proves them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`.
    pub offsets: Vec<u32>,
    /// Brokers, by their number, the leader first.
    pub replicas: Vec<u32>,
    /// Replicas on a broker that did not hold their partition.
    pub moves: u64,
    /// Moves that no plan can avoid.
    pub bound: u64,
    /// What of them the counts alone explain: the larger of what is too much and what is too little on the brokers.
    pub bound_by_counts: u64,
    /// What of them the rules alone explain: replicas that cannot stay where they stand.
    pub bound_by_rules: u64,
    /// One number a broker, from which the bound can be computed again.
    pub potentials: Vec<i32>,
}

/// What a plan is sought by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Replicas per broker, over its weight.
    Counts,
    /// Replicas on brokers that did not hold their partition, or their bytes.
    Moves,
    /// Leaders per broker.
    Leaders,
    /// Replicas of each topic per broker.
    Topics,
}

/// A plan that keeps the rules, and by what it shall be bettered.
#[derive(Debug, Clone, Copy)]
pub struct RankQuestion<'a> {
    /// The start, racks, brokers and rules; `factors`, `first` and `after` say nothing here.
    pub problem: &'a Problem<'a>,
    /// The plan's replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`.
    pub offsets: &'a [u32],
    /// Brokers, by their number.
    pub replicas: &'a [u32],
    /// What the copy of a replica of each partition costs; `None`: 1.
    pub costs: Option<&'a [f64]>,
    /// By rank, each once; what is not named is not sought.
    pub ranks: &'a [Rank],
    /// Looks at replicas and brokers that it may take.
    pub looks: u64,
}

/// Better lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// In the places of the plan's.
    pub replicas: Vec<u32>,
    /// Looks that are left; `None` where they did not suffice: then the lists are the plan's own.
    pub looks: Option<u64>,
}
