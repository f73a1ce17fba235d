//! Plans of replicas, at once or on a worker thread.

use crate::task::guarded;
use napi::bindgen_prelude::{AsyncTask, Env, Error, Int32Array, Result, Status, Task, Uint8Array, Uint32Array};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use topic_placement_core::kafka::planner::{After, First, Planned, Problem, Pulse, Rule, Watch, plan};

/// The orders of `PLAN_RULES`, `PLAN_FIRST` and `PLAN_AFTER` in src/engine/plan-contract.ts.
const RULES: [Rule; 2] = [Rule::Spread, Rule::Distinct];
const FIRST: [First; 3] = [First::Counts, First::Moves, First::Nothing];
const AFTER: [After; 2] = [After::Leaders, After::Topics];

/// Brokers and partitions in numbers: `PlanProblem` of src/engine/plan-contract.ts, which says what each field holds.
#[napi(object, object_to_js = false)]
pub struct PlanColumns {
    /// Rack of each broker.
    pub rack_of: Uint32Array,
    /// How many racks.
    pub racks: u32,
    /// 1 for a broker that may hold replicas.
    pub is_in: Uint8Array,
    /// Share of each broker.
    pub weights: Option<Uint32Array>,
    /// Where each partition's replicas begin.
    pub offsets: Uint32Array,
    /// Brokers of the replicas.
    pub replicas: Uint32Array,
    /// How many replicas each partition shall have.
    pub factors: Option<Uint32Array>,
    /// Topic of each partition.
    pub topic_of: Uint32Array,
    /// A position in `RULES`.
    pub rule: u32,
    /// A position in `FIRST`.
    pub first: u32,
    /// Positions in `AFTER`.
    pub after: Vec<u32>,
}

/// New lists and their bounds: `PlannedReplicas`.
#[napi(object, object_from_js = false)]
pub struct PlanOutcome {
    /// Where each partition's replicas begin.
    pub offsets: Uint32Array,
    /// Brokers of the replicas.
    pub replicas: Uint32Array,
    /// Replicas on new brokers.
    pub moves: u32,
    /// Moves that no plan can avoid.
    pub bound: u32,
    /// Those that the counts explain.
    pub bound_by_counts: u32,
    /// Those that the rules explain.
    pub bound_by_rules: u32,
    /// One number a broker.
    pub potentials: Int32Array,
}

/// Plans.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned object")]
pub fn plan_replicas(columns: PlanColumns) -> Result<PlanOutcome> {
    planned(&columns, &|_, _| true).map(outcome)
}

fn planned(columns: &PlanColumns, watch: Watch<'_>) -> Result<Planned> {
    over_problem(columns, watch, |problem| plan(problem).ok_or_else(stopped))
}

pub fn wrong() -> Error {
    Error::new(Status::InvalidArg, "no such rule or rank")
}

pub fn stopped() -> Error {
    Error::new(Status::Cancelled, "stopped")
}

/// Asks of the problem that the columns hold.
pub fn over_problem<T>(
    columns: &PlanColumns,
    watch: Watch<'_>,
    ask: impl FnOnce(&Problem<'_>) -> Result<T>,
) -> Result<T> {
    let after: Option<Vec<After>> = columns.after.iter().map(|&id| AFTER.get(id as usize).copied()).collect();
    ask(&Problem {
        rack_of: &columns.rack_of,
        racks: columns.racks as usize,
        is_in: &columns.is_in,
        weights: columns.weights.as_deref(),
        offsets: &columns.offsets,
        replicas: &columns.replicas,
        factors: columns.factors.as_deref(),
        topic_of: &columns.topic_of,
        rule: *RULES.get(columns.rule as usize).ok_or_else(wrong)?,
        first: *FIRST.get(columns.first as usize).ok_or_else(wrong)?,
        after: &after.ok_or_else(wrong)?,
        pulse: &Pulse::new(watch),
    })
}

fn outcome(planned: Planned) -> PlanOutcome {
    PlanOutcome {
        offsets: planned.offsets.into(),
        replicas: planned.replicas.into(),
        moves: planned.moves as u32,
        bound: planned.bound as u32,
        bound_by_counts: planned.bound_by_counts as u32,
        bound_by_rules: planned.bound_by_rules as u32,
        potentials: planned.potentials.into(),
    }
}

#[derive(Default)]
pub struct Watched {
    is_stopped: AtomicBool,
    done: AtomicU32,
    total: AtomicU32,
}

impl Watched {
    /// Answers on this thread, which is a worker's.
    pub fn over<T>(&self, answer: impl FnOnce(Watch<'_>) -> Result<T>) -> Result<T> {
        let watch = |done: u64, total: u64| {
            self.total.store(total as u32, Ordering::Relaxed);
            self.done.store(done as u32, Ordering::Relaxed);
            !self.is_stopped.load(Ordering::Relaxed)
        };
        guarded(|| answer(&watch))
    }
}

/// A door to work on another thread: what is done, and an end to it.
#[napi]
#[derive(Default)]
pub struct PlanWatch {
    pub(crate) watched: Arc<Watched>,
}

#[napi]
impl PlanWatch {
    /// Nothing done, nothing stopped.
    #[napi(constructor)]
    pub fn new() -> PlanWatch {
        PlanWatch::default()
    }

    /// Ends the work within milliseconds.
    #[napi]
    pub fn stop(&self) {
        self.watched.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Parts of the work that are done.
    #[napi(getter)]
    pub fn done(&self) -> u32 {
        self.watched.done.load(Ordering::Relaxed)
    }

    /// How many those are.
    #[napi(getter)]
    pub fn total(&self) -> u32 {
        self.watched.total.load(Ordering::Relaxed)
    }
}

/// A question for a worker thread; it keeps the arrays alive.
pub struct PlanTask {
    columns: PlanColumns,
    watched: Arc<Watched>,
}

impl Task for PlanTask {
    type Output = Planned;
    type JsValue = PlanOutcome;

    fn compute(&mut self) -> Result<Planned> {
        self.watched.over(|watch| planned(&self.columns, watch))
    }

    fn resolve(&mut self, _env: Env, planned: Planned) -> Result<PlanOutcome> {
        Ok(outcome(planned))
    }
}

/// The same on a worker thread; rejects if the watch stopped it.
#[napi(ts_return_type = "Promise<PlanOutcome>")]
pub fn plan_replicas_async(columns: PlanColumns, watch: &PlanWatch) -> AsyncTask<PlanTask> {
    AsyncTask::new(PlanTask { columns, watched: Arc::clone(&watch.watched) })
}
