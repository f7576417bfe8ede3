//! The loop of a small controller: list, plan, write, and detect lists that are older than its own writes.
//!
//! The API server is an in-memory fake (`api_server.rs`); everything else is what a real controller would do.
//!
//! `cargo run --example controller_loop` prints
//!
//! ```text
//! the Service is new:
//!   created cart-00000 with 1 ready endpoints
//!     endpoints.kubernetes.io/last-change-trigger-time: 2026-01-02T09:00:00Z
//! a node changes before our slice is listed:
//!   listed slices are older than what was written; wait
//! our slice is listed:
//!   nothing to do
//! a pod is ready, but someone writes the slice first:
//!   failed to update EndpointSlice cart-00000: the object has been modified; try again
//! retry:
//!   updated cart-00000 with 2 ready endpoints
//!     example.com/looked-at-by: someone else
//! our update is listed:
//!   nothing to do
//! a third pod, but the namespace is being deleted:
//!   nothing can be created any more, and nothing needs to be
//! ```

mod api_server;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

use api_server::{ApiServer, Lister, Refusal};
use k8s_openapi::api::core::v1::Service;
use slicewise::k8s::{
    Applied, ApplyError, EndpointsPerSlice, NodeIndex, Options, Planner, State, read_nodes,
};
use slicewise::model::NamespacedName;
use slicewise::tracker::{SliceTracker, TriggerTimeTracker};

/// Everything a controller keeps between syncs.
struct Controller {
    planner: Planner<'static>,
    written: SliceTracker,
    trigger_times: TriggerTimeTracker,
    states: BTreeMap<NamespacedName, State>,
}

/// The result of a sync.
enum Synced {
    /// The lister is behind our own writes: try again once it has caught up.
    Stale,
    /// Done, or nothing to do.
    Written(Applied),
    /// Some writes were refused: try again with the state listed then.
    Failed(ApplyError<Refusal>),
}

impl Controller {
    fn sync(
        &mut self,
        service: &Service,
        lister: &Lister,
        api: &mut ApiServer,
    ) -> Result<Synced, slicewise::Error> {
        let view = self.planner.read(service, &lister.pods, &lister.slices)?;
        let key = view.key();
        if self.written.stale_slices(&key, view.slices()) {
            return Ok(Synced::Stale);
        }
        // As in the reference, a change is timed only once: if its write is refused, the retry carries no time.
        let trigger_time = self.trigger_times.compute(view.service(), view.pods());
        let nodes = read_nodes(&lister.nodes)?;
        let state = self.states.get(&key).cloned().unwrap_or_default();
        let plan = view.plan(&NodeIndex::new(&nodes), trigger_time, state);

        // A real controller publishes `plan.events` here, and queues the Service again if `plan.requeue` is set.
        let result = plan.apply(api);
        let applied = result.as_ref().unwrap_or_else(|error| &error.applied);
        applied.record(&plan.service, &mut self.written);
        self.states.insert(key, plan.state);
        Ok(result.map_or_else(Synced::Failed, Synced::Written))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let service = api_server::service()?;
    let mut options = Options::default();
    options.max_endpoints_per_slice = EndpointsPerSlice::new(2);
    let mut controller = Controller {
        planner: Planner::new(options)?,
        written: SliceTracker::default(),
        trigger_times: TriggerTimeTracker::default(),
        states: BTreeMap::new(),
    };
    let mut api = ApiServer::default();
    api.put_pod("cart-1", "10.1.0.1", "True", "2026-01-02T10:00:00Z")?;
    api.put_pod("cart-2", "10.1.0.2", "False", "2026-01-02T10:00:00Z")?;
    let mut lister = api.list()?;
    let mut sync =
        |why: &str, lister: &Lister, api: &mut ApiServer| -> Result<(), Box<dyn Error>> {
            let synced = controller.sync(&service, lister, api)?;
            Ok(report(out, why, &synced)?)
        };

    sync("the Service is new", &lister, &mut api)?;
    sync(
        "a node changes before our slice is listed",
        &lister,
        &mut api,
    )?;
    lister = api.list()?;
    sync("our slice is listed", &lister, &mut api)?;

    api.put_pod("cart-2", "10.1.0.2", "True", "2026-01-02T10:30:00Z")?;
    lister = api.list()?;
    api.annotate_slices("example.com/looked-at-by", "someone else");
    sync(
        "a pod is ready, but someone writes the slice first",
        &lister,
        &mut api,
    )?;
    lister = api.list()?;
    sync("retry", &lister, &mut api)?;
    lister = api.list()?;
    sync("our update is listed", &lister, &mut api)?;

    api.put_pod("cart-3", "10.1.0.3", "True", "2026-01-02T11:00:00Z")?;
    api.namespace_terminating = true;
    lister = api.list()?;
    sync(
        "a third pod, but the namespace is being deleted",
        &lister,
        &mut api,
    )?;
    Ok(())
}

fn report(out: &mut impl Write, why: &str, synced: &Synced) -> std::io::Result<()> {
    writeln!(out, "{why}:")?;
    let applied = match synced {
        Synced::Stale => {
            return writeln!(out, "  listed slices are older than what was written; wait");
        }
        Synced::Written(applied) => applied,
        Synced::Failed(error) => {
            writeln!(out, "  {error}; try again")?;
            &error.applied
        }
    };
    for (verb, slice) in applied
        .created
        .iter()
        .map(|slice| ("created", slice))
        .chain(applied.updated.iter().map(|slice| ("updated", slice)))
    {
        let metadata = &slice.metadata;
        let ready = |endpoint: &&k8s_openapi::api::discovery::v1::Endpoint| {
            endpoint
                .conditions
                .as_ref()
                .is_some_and(|conditions| conditions.ready == Some(true))
        };
        let name = metadata.name.as_deref().unwrap_or_default();
        let ready = slice.endpoints.iter().flatten().filter(ready).count();
        writeln!(out, "  {verb} {name} with {ready} ready endpoints")?;
        for (key, value) in metadata.annotations.iter().flatten() {
            writeln!(out, "    {key}: {value}")?;
        }
    }
    if applied.namespace_terminating {
        writeln!(
            out,
            "  nothing can be created any more, and nothing needs to be"
        )?;
    } else if *applied == Applied::default() && matches!(synced, Synced::Written(_)) {
        writeln!(out, "  nothing to do")?;
    }
    Ok(())
}
