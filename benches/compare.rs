//! Times one plan request natively: JSON in → plan out, and the typed call on the same, already decoded request; for a
//! snapshot, only JSON in → plans out.
//!
//! `compare FILE [MILLISECONDS] [typed|json]` prints one JSON line for each measurement; `npm run bench` compares them with
//! the reference.

use std::error::Error;
use std::io::Write as _;
use std::time::{Duration, Instant};

use slicewise::api::{self, Limits};
use slicewise::model::own::{Alone, Own as _};
use slicewise::model::read::read_text;
use slicewise::model::{EndpointSlice, Pod};
use slicewise::plan::request::{Options, PlanRequest};
use slicewise::plan::{Plan, belongs, is_selected, plan};
use slicewise::reconcile::candidate::Candidate;
use slicewise::reconcile::desired::desired;
use slicewise::reconcile::existing::Open;
use slicewise::reconcile::{Input, address_types, reconcile};
use slicewise::topology::nodes::NodeIndex;

const NO_LIMIT: Limits = Limits::new(usize::MAX);

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` itself passes `--bench`.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let Some(file) = arguments.next() else {
        writeln!(
            std::io::stdout(),
            "nothing to measure: `npm run bench` names the files"
        )?;
        return Ok(());
    };
    let milliseconds = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let budget = Duration::from_millis(milliseconds);
    let only = arguments.next().unwrap_or_default();

    let text = std::fs::read_to_string(file)?;
    if api::detect(text.as_bytes()) == api::InputShape::Snapshot {
        let writes = writes_of_snapshot(&text)?;
        // Refusing it would take no time.
        api::plan_snapshot(text.as_bytes(), b"")?;
        return measure("json", budget, &writes, || {
            api::plan_snapshot(text.as_bytes(), b"")
        });
    }
    let writes = writes_of_request(&text)?;
    if only != "typed" {
        api::plan(text.as_bytes())?;
        measure("json", budget, &writes, || api::plan(text.as_bytes()))?;
        if only == "json" {
            return Ok(());
        }
        measure("decode", budget, &writes, || {
            read_text::<PlanRequest<'_>>(&text)
        })?;
    }
    typed(&text, budget, &writes)
}

fn writes_of_request(text: &str) -> Result<String, slicewise::Error> {
    let options = Options::default();
    api::with_plan(text.as_bytes(), &options, NO_LIMIT, |plan, _| writes(plan))
}

/// The same for a snapshot of one Service.
fn writes_of_snapshot(text: &str) -> Result<String, slicewise::Error> {
    let options = Options::default();
    api::with_snapshot_plans(text.as_bytes(), &options, NO_LIMIT, |plans, _| {
        plans.plans.first().map(writes).unwrap_or_default()
    })
}

/// What the reference's `Reconcile` starts from: objects that have been decoded, selected and indexed, and that own their
/// texts, as those of a controller do.
fn typed(text: &str, budget: Duration, writes: &str) -> Result<(), Box<dyn Error>> {
    let request: PlanRequest<'_> = serde_json::from_str(text)?;
    let service = request.service.own(&Alone);
    let (pods, nodes) = (request.pods.own(&Alone), request.nodes.own(&Alone));
    let slices = request.slices.own(&Alone);
    let nodes = NodeIndex::new(&nodes);
    let settings = request.options.settings();
    let pods = pods.iter().filter(|pod| is_selected(pod, &service));
    let pods: Vec<&Pod<'_>> = pods.collect();
    let is_own = |slice: &&EndpointSlice<'_>| belongs(slice, &service, settings.managed_by());
    let mut slices: Vec<&EndpointSlice<'_>> = slices.iter().filter(is_own).collect();
    slices.sort_by(|a, b| a.name().cmp(b.name()));
    let input = || {
        let mut input = Input::new(&service, &nodes, settings);
        input.pods = pods.iter().copied().map(Candidate::Read).collect();
        input.slices = slices.iter().copied().map(Open::from).collect();
        input
    };
    let hints = &request.state.hints;
    measure("typed", budget, writes, || {
        plan(&input(), hints.clone(), request.trigger_time)
    })?;
    measure("decision", budget, writes, || {
        let input = input();
        let desired = desired(&input, &address_types(input.service));
        let decided = reconcile(&input, &desired, hints.clone());
        std::hint::black_box(decided);
    })
}

fn writes(plan: &Plan<'_>) -> String {
    let (create, update, delete) = (plan.create.len(), plan.update.len(), plan.delete.len());
    format!("{create}+{update}+{delete}")
}

/// Calls until the budget is spent, at least once, and prints the median. Dropping the result counts.
#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
fn measure<T>(
    what: &str,
    budget: Duration,
    writes: &str,
    mut call: impl FnMut() -> T,
) -> Result<(), Box<dyn Error>> {
    const MOST: usize = 10_000;
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.is_empty() || (begin.elapsed() < budget && times.len() < MOST) {
        let start = Instant::now();
        drop(std::hint::black_box(call()));
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let milliseconds =
        |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64() * 1000.0;
    let (median, best, runs) = (milliseconds(times.len() / 2), milliseconds(0), times.len());
    writeln!(
        std::io::stdout(),
        r#"{{"what":"{what}","median":{median},"best":{best},"runs":{runs},"writes":"{writes}"}}"#
    )?;
    Ok(())
}
