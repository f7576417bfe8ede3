//! Against the reference's registry: histories of several Services, the text after every sync.
//!
//! `pkg-tests/differential/metrics.json` was answered by the reference's reconciler, its API server being a fake; see the
//! README there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Limits, with_plan};
use crate::metrics::{Metrics, SyncResult, prometheus_text};
use crate::model::NamespacedName;
use crate::plan::Plan;
use crate::plan::request::Options;
use crate::plan::writing::{Answer, Operation};
use crate::reconcile::EndpointsPerSlice;

/// What happens in one cluster, from the controller's start on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    description: String,
    options: Value,
    nodes: Value,
    pods: BTreeMap<String, Value>,
    steps: Vec<Step>,
    text: String,
}

/// One sync of one Service, and the slices it has stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    key: String,
    service: Option<Value>,
    #[serde(default)]
    pods: Vec<String>,
    #[serde(default)]
    stale: bool,
    refuse: Option<Refuse>,
    result: String,
    #[serde(default)]
    stored: BTreeMap<String, Option<Value>>,
    lines: Vec<String>,
}

/// Makes one write fail.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refuse {
    verb: String,
    family: String,
    number: usize,
    #[serde(default)]
    terminating: bool,
}

struct Controller<'h> {
    history: &'h History,
    metrics: Metrics,
    slices: BTreeMap<String, Value>,
    states: BTreeMap<String, Value>,
    text: String,
}

impl Controller<'_> {
    fn sync(&mut self, step: &Step) -> SyncResult {
        if step.stale {
            return SyncResult::Stale;
        }
        let Some(service) = &step.service else {
            let (namespace, name) = step.key.split_once('/').unwrap();
            self.states.remove(&step.key);
            self.metrics.forget_service(&NamespacedName {
                namespace: namespace.into(),
                name: name.into(),
            });
            return SyncResult::Success;
        };
        let request = json!({
            "service": service,
            "pods": step.pods.iter().map(|key| &self.history.pods[key]).collect::<Vec<_>>(),
            "nodes": self.history.nodes,
            "slices": self.slices.values().collect::<Vec<_>>(),
            "options": self.history.options,
            "state": self.states.get(&step.key),
        });
        let (options, limits) = (Options::default(), Limits::default());
        let metrics = &mut self.metrics;
        let request = request.to_string();
        let (result, state) = with_plan(request.as_bytes(), &options, limits, |plan, _| {
            let result = write(metrics, plan, step.refuse.as_ref());
            (result, serde_json::to_value(&plan.state).unwrap())
        })
        .unwrap();
        self.states.insert(step.key.clone(), state);
        result
    }

    /// The lines of the scrape that were not in the one before; buckets are compared at the end.
    fn new_lines(&mut self) -> Vec<String> {
        let text = reference_part(&self.metrics);
        let before: BTreeSet<&str> = self.text.lines().collect();
        let new = text
            .lines()
            .filter(|line| !before.contains(line) && !line.contains("_bucket{"));
        let new = new.map(str::to_owned).collect();
        self.text = text;
        new
    }
}

fn write(metrics: &mut Metrics, plan: &Plan<'_>, refuse: Option<&Refuse>) -> SyncResult {
    metrics.observe_plan(plan);
    let mut writing = plan.writing();
    let mut number = 0;
    while let Some(operation) = writing.operation() {
        let refused = refuse.filter(|refuse| {
            let is_meant =
                operation.verb() == refuse.verb && operation.address_type() == refuse.family;
            number += usize::from(is_meant);
            is_meant && number == refuse.number + 1
        });
        writing.record(match (refused, operation) {
            (None, _) => Answer::Done(None),
            (Some(refuse), Operation::Create(_)) if refuse.terminating => {
                Answer::NamespaceTerminating
            }
            (Some(_), _) => Answer::Refused("it has changed"),
        });
    }
    let (applied, refused) = match writing.finish() {
        Ok(applied) => (applied, false),
        Err(error) => (error.applied, true),
    };
    metrics.observe_writes(plan, &applied);
    if refused || plan.requeue {
        SyncResult::Error
    } else {
        SyncResult::Success
    }
}

fn reference_part(metrics: &Metrics) -> String {
    let mut families = metrics.gather();
    families.retain(|family| family.name.starts_with("endpoint_slice_controller_"));
    prometheus_text(&families)
}

fn histories() -> Vec<History> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg-tests/differential/metrics.json");
    let histories: Vec<History> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let steps: usize = histories.iter().map(|history| history.steps.len()).sum();
    assert!(steps >= 150, "the histories are gone");
    histories
}

#[track_caller]
fn check(history: &History) {
    let max = history.options["maxEndpointsPerSlice"].as_u64().unwrap();
    let mut controller = Controller {
        history,
        metrics: Metrics::new(EndpointsPerSlice::new(max as u32).unwrap()),
        slices: BTreeMap::new(),
        states: BTreeMap::new(),
        text: String::new(),
    };
    for (number, step) in history.steps.iter().enumerate() {
        let place = format!("{}, step {number}", history.description);
        let result = controller.sync(step);
        assert_eq!(format!("{result:?}").to_lowercase(), step.result, "{place}");
        controller.metrics.observe_sync(result);
        assert_eq!(controller.new_lines(), step.lines, "{place}");
        for (name, slice) in &step.stored {
            match slice {
                Some(slice) => controller.slices.insert(name.clone(), slice.clone()),
                None => controller.slices.remove(name),
            };
        }
    }
    assert_eq!(controller.text, history.text, "{}", history.description);
}

#[test]
fn every_scrape_is_the_references() {
    histories().iter().for_each(check);
}
