//! Plans bettered by ranks in any order, at once or on a worker thread.

use crate::plan::{PlanColumns, PlanWatch, Watched, over_problem, stopped, wrong};
use napi::bindgen_prelude::{AsyncTask, Env, Float64Array, Result, Task, Uint32Array};
use std::sync::Arc;
use topic_placement_core::kafka::planner::{Rank, RankQuestion, Ranked, Watch, better};

/// The order of `PLAN_RANKS` in src/engine/plan-contract.ts.
const RANKS: [Rank; 4] = [Rank::Counts, Rank::Moves, Rank::Leaders, Rank::Topics];

/// A plan, and by what it shall be bettered: `RankProblem` of src/engine/plan-contract.ts, which says what each field holds.
#[napi(object, object_to_js = false)]
pub struct RankColumns {
    /// The start.
    pub problem: PlanColumns,
    /// Where each partition's replicas begin.
    pub offsets: Uint32Array,
    /// Brokers of the replicas.
    pub replicas: Uint32Array,
    /// What a copy of each partition costs.
    pub costs: Option<Float64Array>,
    /// Positions in `RANKS`.
    pub ranks: Vec<u32>,
    /// Looks that it may take.
    pub looks: i64,
}

/// Better lists: `RankedReplicas`.
#[napi(object, object_from_js = false)]
pub struct RankOutcome {
    /// Brokers of the replicas.
    pub replicas: Uint32Array,
    /// Looks that are left, or -1.
    pub looks: i64,
}

/// Betters a plan.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value, reason = "N-API hands over an owned object")]
pub fn better_replicas(columns: RankColumns) -> Result<RankOutcome> {
    bettered(&columns, &|_, _| true).map(outcome)
}

fn bettered(columns: &RankColumns, watch: Watch<'_>) -> Result<Ranked> {
    let ranks: Option<Vec<Rank>> = columns.ranks.iter().map(|&id| RANKS.get(id as usize).copied()).collect();
    let ranks = ranks.ok_or_else(wrong)?;
    over_problem(&columns.problem, watch, |problem| {
        let question = RankQuestion {
            problem,
            offsets: &columns.offsets,
            replicas: &columns.replicas,
            costs: columns.costs.as_deref(),
            ranks: &ranks,
            looks: columns.looks as u64,
        };
        better(&question).ok_or_else(stopped)
    })
}

fn outcome(ranked: Ranked) -> RankOutcome {
    RankOutcome { replicas: ranked.replicas.into(), looks: ranked.looks.map_or(-1, |left| left as i64) }
}

/// A question for a worker thread; it keeps the arrays alive.
pub struct RankTask {
    columns: RankColumns,
    watched: Arc<Watched>,
}

impl Task for RankTask {
    type Output = Ranked;
    type JsValue = RankOutcome;

    fn compute(&mut self) -> Result<Ranked> {
        self.watched.over(|watch| bettered(&self.columns, watch))
    }

    fn resolve(&mut self, _env: Env, ranked: Ranked) -> Result<RankOutcome> {
        Ok(outcome(ranked))
    }
}

/// The same on a worker thread; rejects if the watch stopped it.
#[napi(ts_return_type = "Promise<RankOutcome>")]
pub fn better_replicas_async(columns: RankColumns, watch: &PlanWatch) -> AsyncTask<RankTask> {
    AsyncTask::new(RankTask { columns, watched: Arc::clone(&watch.watched) })
}
