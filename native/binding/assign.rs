//! Kafka's assignors, and the orders of Java's hash maps.

use napi::bindgen_prelude::{AsyncTask, Env, Error, Int32Array, Result, Status, Task, Uint8Array, Uint32Array};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use topic_placement_core::kafka::java_map::java_map_order as order_of;
use topic_placement_core::kafka::{self, Algorithm, Assigned, Assignor, Failure, Pace, Problem, Racks, ServerGroup};

/// The order of `ASSIGNORS` in src/engine/native.ts.
const ASSIGNORS: [Assignor; 9] = [
    Assignor::Range,
    Assignor::RoundRobin,
    Assignor::Sticky,
    Assignor::CooperativeSticky,
    Assignor::Balanced,
    Assignor::Uniform,
    Assignor::Uniform40,
    Assignor::ServerRange,
    Assignor::Simple,
];

/// A group in numbers: `AssignProblem` of src/engine/contract.ts, which says what each field holds.
#[napi(object, object_to_js = false)]
pub struct AssignColumns {
    /// A position in `ASSIGNORS`.
    pub assignor: u32,
    /// One more than there are topics.
    pub starts: Uint32Array,
    /// Number of the partition of each slot.
    pub numbers: Option<Int32Array>,
    /// Kind of each slot.
    pub kinds: Option<Uint8Array>,
    /// Topics by name.
    pub topic_order: Option<Uint32Array>,
    /// Hash code of each topic.
    pub topic_hashes: Int32Array,
    /// Members by id.
    pub member_order: Uint32Array,
    /// Members as `MemberInfo` orders.
    pub member_info_order: Uint32Array,
    /// Hash code of each member id.
    pub member_hashes: Int32Array,
    /// Where each subscription list begins.
    pub list_offsets: Uint32Array,
    /// Topics of the lists.
    pub list_topics: Uint32Array,
    /// The list of each member.
    pub list_of: Uint32Array,
    /// Where each member's claims begin.
    pub claim_offsets: Uint32Array,
    /// Slots claimed.
    pub claims: Uint32Array,
    /// Generations of the claims.
    pub generations: Int32Array,
    /// Generations in the subscriptions' fields.
    pub field_generations: Int32Array,
    /// Racks, where a member has one.
    pub racks: Option<RackColumns>,
    /// The highest generation seen before.
    pub max_generation: i32,
    /// Load of one partition of each topic.
    pub topic_weights: Option<Uint32Array>,
    /// What each member can carry.
    pub member_weights: Option<Uint32Array>,
    /// For the broker-side assignors.
    pub server: Option<ServerColumns>,
}

/// A consumer or share group: `ServerGroup` of src/engine/assign-contract.ts.
#[napi(object, object_to_js = false)]
pub struct ServerColumns {
    /// How many topics are in the metadata.
    pub known: u32,
    /// Said to subscribe alike.
    pub homogeneous: bool,
    /// Claims are walked as a coordinator reads them from its record.
    pub replayed: bool,
    /// 1 for each slot that a share group may hand out.
    pub assignable: Option<Uint8Array>,
}

/// Racks in numbers: `AssignRacks` of src/engine/contract.ts.
#[napi(object, object_to_js = false)]
pub struct RackColumns {
    /// How many there are.
    pub count: u32,
    /// Rack of each member.
    pub of_member: Int32Array,
    /// Set of racks of each slot.
    pub set_of: Uint32Array,
    /// Where each set begins.
    pub set_offsets: Uint32Array,
    /// Racks of the sets.
    pub set_racks: Uint32Array,
}

/// Who gets what, or why not.
#[napi(object, object_from_js = false)]
pub struct AssignOutcome {
    /// -1, or a position in `ASSIGN_FAILURES` of src/engine/contract.ts: then nothing else counts but `member`.
    pub failure: i32,
    /// The member, topic or slot that a failure names, or -1.
    pub member: i32,
    /// Where each member's slots begin.
    pub offsets: Uint32Array,
    /// Slots of all members.
    pub values: Uint32Array,
    /// Positions in `values`.
    pub withheld: Uint32Array,
    /// 0 for none, else a position in `ALGORITHMS` of src/engine/native.ts.
    pub algorithm: u32,
    /// The highest generation seen.
    pub max_generation: i32,
    /// Slots claimed twice with equal right, or held twice.
    pub clashes: Uint32Array,
}

/// Partitions to members.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned object")]
pub fn assign(columns: AssignColumns) -> Result<AssignOutcome> {
    answer(&columns, None)
}

fn answer(columns: &AssignColumns, pace: Option<&Pace>) -> Result<AssignOutcome> {
    let assignor = ASSIGNORS.get(columns.assignor as usize);
    let &assignor = assignor.ok_or_else(|| Error::new(Status::InvalidArg, "no such assignor"))?;
    let problem = Problem { pace, ..problem(columns, assignor) };
    match kafka::assign(&problem) {
        Ok(assigned) => Ok(outcome(assigned)),
        Err(failure) => failed(failure).ok_or_else(|| Error::new(Status::Cancelled, "nobody waits any more")),
    }
}

/// How far an answer is that a worker thread looks for, and the way to give it up.
#[napi]
#[derive(Default)]
pub struct AssignPace(Arc<Pace>);

#[napi]
impl AssignPace {
    /// One for one question.
    #[napi(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The step reached, below `STEPS` of src/fallback/kafka/steps.ts.
    #[napi]
    #[must_use]
    pub fn step(&self) -> u32 {
        self.0.step()
    }

    /// The question then ends with an error, soon.
    #[napi]
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// A question that a worker thread answers; it keeps the columns alive.
pub struct AssignTask {
    columns: AssignColumns,
    pace: Arc<Pace>,
}

impl Task for AssignTask {
    type Output = AssignOutcome;
    type JsValue = AssignOutcome;

    /// napi-rs does not catch a panic here, and an uncaught one would abort the process.
    fn compute(&mut self) -> Result<AssignOutcome> {
        catch_unwind(AssertUnwindSafe(|| answer(&self.columns, Some(&self.pace))))
            .unwrap_or_else(|_| Err(Error::new(Status::GenericFailure, "panic in a worker thread")))
    }

    fn resolve(&mut self, _env: Env, outcome: AssignOutcome) -> Result<AssignOutcome> {
        Ok(outcome)
    }
}

/// Partitions to members, off the event loop.
#[napi(catch_unwind, ts_return_type = "Promise<AssignOutcome>")]
#[must_use]
pub fn assign_async(columns: AssignColumns, pace: &AssignPace) -> AsyncTask<AssignTask> {
    AsyncTask::new(AssignTask { columns, pace: Arc::clone(&pace.0) })
}

fn problem(columns: &AssignColumns, assignor: Assignor) -> Problem<'_> {
    Problem {
        assignor,
        starts: &columns.starts,
        numbers: columns.numbers.as_deref(),
        kinds: columns.kinds.as_deref(),
        topic_order: columns.topic_order.as_deref(),
        topic_hashes: &columns.topic_hashes,
        member_order: &columns.member_order,
        member_info_order: &columns.member_info_order,
        member_hashes: &columns.member_hashes,
        list_offsets: &columns.list_offsets,
        list_topics: &columns.list_topics,
        list_of: &columns.list_of,
        claim_offsets: &columns.claim_offsets,
        claims: &columns.claims,
        generations: &columns.generations,
        field_generations: &columns.field_generations,
        racks: columns.racks.as_ref().map(racks),
        max_generation: columns.max_generation,
        pace: None,
        topic_weights: columns.topic_weights.as_deref(),
        member_weights: columns.member_weights.as_deref(),
        server: columns.server.as_ref().map(server_group),
    }
}

fn server_group(columns: &ServerColumns) -> ServerGroup<'_> {
    ServerGroup {
        known: columns.known,
        homogeneous: columns.homogeneous,
        replayed: columns.replayed,
        assignable: columns.assignable.as_deref(),
    }
}

fn racks(columns: &RackColumns) -> Racks<'_> {
    Racks {
        count: columns.count as usize,
        of_member: &columns.of_member,
        set_of: &columns.set_of,
        set_offsets: &columns.set_offsets,
        set_racks: &columns.set_racks,
    }
}

fn outcome(assigned: Assigned) -> AssignOutcome {
    AssignOutcome {
        failure: -1,
        member: -1,
        offsets: assigned.offsets.into(),
        values: assigned.values.into(),
        withheld: assigned.withheld.into(),
        algorithm: match assigned.algorithm {
            None => 0,
            Some(Algorithm::Constrained) => 1,
            Some(Algorithm::General) => 2,
            Some(Algorithm::Homogeneous) => 3,
            Some(Algorithm::Heterogeneous) => 4,
        },
        max_generation: assigned.max_generation,
        clashes: assigned.clashes.into(),
    }
}

/// `None` for the failure that is not the original's.
fn failed(failure: Failure) -> Option<AssignOutcome> {
    let (failure, member) = match failure {
        Failure::OrderNeeded => (0, -1),
        Failure::NoMembers => (1, -1),
        Failure::EmptyIterator => (2, -1),
        Failure::NoRoom => (3, -1),
        Failure::TooFewAbove => (4, -1),
        Failure::BelowQuota(member) => (5, member as i32),
        Failure::Null => (6, -1),
        Failure::NoElement => (7, -1),
        Failure::UnknownTopic(topic) => (8, topic as i32),
        Failure::UnknownTopicRange => (9, -1),
        Failure::LeftUnassigned => (10, -1),
        Failure::OutOfBounds(slot) => (11, slot as i32),
        Failure::Stopped => return None,
    };
    let nothing = || Uint32Array::from(Vec::new());
    Some(AssignOutcome {
        failure,
        member,
        offsets: nothing(),
        values: nothing(),
        withheld: nothing(),
        algorithm: 0,
        max_generation: -1,
        clashes: nothing(),
    })
}

/// Positions of keys in the order of a HashMap; `null` where their own order decides and `ranks` are not given.
#[napi(catch_unwind)]
pub fn java_map_order(hash_codes: &[i32], ranks: Option<&[u32]>, table_size: u32) -> Option<Uint32Array> {
    order_of(hash_codes, ranks, table_size as usize).map(Uint32Array::from)
}
