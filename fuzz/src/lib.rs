//! The invariants that fuzzing asserts for every entry point: no panics; answers that are JSON, or errors with a
//! position; the same answer twice; and plans that converge once applied.
//!
//! The functions are the targets. `fuzz_targets/` passes them to libFuzzer; `tests/bounded.rs` runs them on stable.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value cannot panic, and a target is meant to panic when it fails"
)]

mod controller;
mod left_out;
mod proxy;
mod reader;
mod session;
mod terminal;

pub use controller::{controller, controller_lines};
pub use proxy::proxy_lines;
pub use reader::{Mutator, reader, reader_run, reader_run_alike, reader_texts};
pub use session::{session, session_bytes};
pub use terminal::{terminal, terminal_gaps, terminal_harms, terminal_run, terminal_runs};

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use slicewise::api::options::check_plan_options;
use slicewise::api::request_stream::RequestStream;
use slicewise::api::{self, Limits};
use slicewise::model::EndpointSlice;
use slicewise::model::own::Alone;
use slicewise::plan::Plan;
use slicewise::plan::request::Options;
use slicewise_admission::{Asking, Reviewer};

const CLUSTER: &[u8] = include_bytes!("../seeds/cluster.json");
const SLICES: &[u8] = include_bytes!("../seeds/slices.json");
const PLAN: &[u8] = include_bytes!("../seeds/plan-of-request.json");
const REVIEW: &[u8] = include_bytes!("../seeds/review-service.json");
const SLICE_REVIEW: &[u8] = include_bytes!("../seeds/review-slice.json");

/// Any bytes as a plan request.
///
/// # Panics
/// If an invariant does not hold; this applies to all targets.
pub fn plan(data: &[u8]) {
    check_twice(|| slicewise_diagnosis::plan(data));
    check_twice(|| slicewise_diagnosis::explain(data, b""));
    api::detect(data);
    planned_in_pieces(data);
}

/// A request in pieces has the plan that it has as a whole, or none.
fn planned_in_pieces(data: &[u8]) {
    const PIECE: usize = 97;
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    // In pieces, it may end with a line that separates documents of YAML.
    if data.windows(3).any(|bytes| bytes == b"---") {
        return;
    }
    let written = |plan: &Plan<'_>, _: &[EndpointSlice<'_>]| serde_json::to_string(plan).ok();
    let options = Options::default();
    let whole = api::with_plan(data, &options, Limits::default(), written).ok();
    let mut stream = RequestStream::new(&Alone);
    let mut pieces = data.chunks(PIECE);
    let pushed = pieces.try_for_each(|piece| stream.push(piece));
    let in_pieces = pushed.and_then(|()| stream.with_plan(&options, check_plan_options, written));
    assert_eq!(in_pieces.ok(), whole);
}

/// Any bytes as a snapshot.
pub fn snapshot(data: &[u8]) {
    check_twice(|| slicewise_diagnosis::plan_snapshot(data, b""));
    check_twice(|| slicewise_diagnosis::explain(data, b""));
}

/// Any bytes as a route request and as a traffic request.
pub fn route(data: &[u8]) {
    check_twice(|| slicewise_traffic::route(data));
    check_twice(|| slicewise_traffic::traffic(data));
}

/// Any bytes as slices on either side of a comparison and under a plan, and as a plan.
pub fn differences(data: &[u8]) {
    check_twice(|| api::diff(data, SLICES));
    check_twice(|| api::diff(SLICES, data));
    check_twice(|| slicewise_live::json::apply(PLAN, data));
    check_twice(|| slicewise_live::json::apply(data, SLICES));
}

/// Any bytes as input without pods: Endpoints to mirror, alone or in a cluster, and an API server's request.
pub fn migration(data: &[u8]) {
    check_twice(|| slicewise_sources::mirror(data));
    check_twice(|| slicewise_sources::mirror_snapshot(data));
    check_twice(|| slicewise_sources::kubernetes_service(data));
}

/// Any bytes as options for a small snapshot, and as a question about it.
pub fn options(data: &[u8]) {
    check_twice(|| slicewise_diagnosis::explain(CLUSTER, data));
    check_twice(|| slicewise_diagnosis::plan_snapshot(CLUSTER, data));
}

/// Any bytes as an admission review in a small cluster. A reviewer that has seen other reviews must give the same answer
/// as a new one, and must not depend on whether the objects or their kinds come first.
pub fn review(data: &[u8]) {
    let fresh = || {
        reviewing(CLUSTER, b"")
            .unwrap_or_else(|error| unreachable!("the cluster is well-formed: {error}"))
    };
    let mut reviewer = fresh();
    for seen in [REVIEW, SLICE_REVIEW] {
        assert!(reviewer.review(seen, Asking::default()).is_ok());
    }
    check_twice(|| reviewer.review(data, Asking::default()));
    let answer = reviewer.review(data, Asking::default());
    assert!(answer == fresh().review(data, Asking::default()));
    let Some(other) = objects_first(data) else {
        assert!(answer.is_err(), "what is no review was answered");
        return;
    };
    match (answer, reviewer.review(other.as_bytes(), Asking::default())) {
        (Ok(answer), Ok(other)) => assert!(answer == other, "another answer to {other:?}"),
        (Ok(_), Err(error)) => unreachable!("{error} of {other}"),
        // Most of the invalid part of the text is gone.
        (Err(_), _) => {}
    }
}

/// The same review with its fields in a different order.
fn objects_first(review: &[u8]) -> Option<String> {
    type Fields = BTreeMap<String, Box<RawValue>>;
    let review = review.strip_prefix(b"\xef\xbb\xbf").unwrap_or(review);
    let mut envelope: Fields = serde_json::from_slice(review).ok()?;
    let request: Fields = serde_json::from_str(envelope.remove("request")?.get()).ok()?;
    let is_object = |key: &str| matches!(key, "object" | "oldObject");
    let (objects, others): (Fields, Fields) =
        request.into_iter().partition(|(key, _)| is_object(key));
    let written = |fields: &Fields| -> String {
        let fields = fields.iter();
        let fields = fields.map(|(key, value)| format!(",{}:{value}", Value::from(key.as_str())));
        fields.collect()
    };
    let request = written(&objects) + &written(&others);
    let request = request.trim_start_matches(',');
    Some(format!(
        "{{\"request\":{{{request}}}{}}}",
        written(&envelope)
    ))
}

fn reviewing(cluster: &[u8], config: &[u8]) -> Result<Reviewer, slicewise::Error> {
    let mut reviewer = Reviewer::new(config)?;
    reviewer.load(cluster, Limits::default())?;
    Ok(reviewer)
}

/// Any bytes as a reviewer's configuration, as the cluster it knows, and as events of that cluster.
pub fn reviewer(data: &[u8]) {
    let review = |mut reviewer: Reviewer| reviewer.review(REVIEW, Asking::default());
    check_twice(|| review(reviewing(CLUSTER, data)?));
    check_twice(|| review(reviewing(data, b"")?));
    check_twice(|| {
        let mut reviewer = reviewing(CLUSTER, b"")?;
        reviewer.apply(data, Limits::default())?;
        review(reviewer)
    });
    left_out::left_out(data);
}

/// Any bytes as an expression in a rule, a variable and a message of a reviewer.
pub fn expression(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let rule = |expression: &str| {
        json!({"name": "rule", "expression": expression, "messageExpression": text,
               "on": {"kinds": ["Service"]}})
    };
    let config = |settings: Value| json!({"policies": {"expression": settings}}).to_string();
    let configs = [
        config(json!({"validations": [rule(&text)]})),
        config(json!({
            "variables": [{"name": "any", "expression": text}],
            "validations": [{"name": "rule", "expression": "variables.any == 1", "on": {"kinds": ["Service"]}}],
        })),
    ];
    for config in configs {
        check_twice(|| {
            let mut reviewer = Reviewer::new(config.as_bytes())?;
            reviewer.review(REVIEW, Asking::default())
        });
    }
}

/// Any bytes as a review judged by these expressions, which must be well-formed.
pub fn expressions(expressions: &[&str], data: &[u8]) {
    let rules = expressions.iter().enumerate().map(|(number, expression)| {
        json!({"name": format!("rule-{number}"), "expression": format!("dyn({expression}\n)"),
               "on": {"kinds": ["Service", "EndpointSlice"]}})
    });
    let rules: Vec<_> = rules.collect();
    let config = json!({"policies": {"expression": {"validations": rules}}}).to_string();
    let mut reviewer = reviewing(CLUSTER, config.as_bytes())
        .unwrap_or_else(|error| unreachable!("the expressions are well-formed: {error}"));
    check_twice(|| reviewer.review(data, Asking::default()));
}

/// A list of operations on one Service: each byte adds, changes or removes a pod, node or setting; after each the
/// plan is applied, and the next plan must be as small as the change allows.
pub fn history(data: &[u8]) {
    left_out::left_out(data);
    let mut world = FuzzWorld::default();
    for operation in data.iter().take(64) {
        world.operate(*operation);
        let plan = world.sync();
        assert!(
            plan["errors"].as_array().is_some_and(Vec::is_empty),
            "no pod is on an unknown node"
        );
        let published = world.published();
        assert_eq!(
            published,
            world.wanted(),
            "what is published is what is wanted"
        );
        let next = world.sync();
        let writes: usize = ["create", "delete"]
            .iter()
            .map(|list| next[*list].as_array().map_or(0, Vec::len))
            .sum();
        assert_eq!(
            writes, 0,
            "an applied plan leaves nothing to create or delete"
        );
    }
}

fn check_twice(mut answer: impl FnMut() -> Result<Vec<u8>, slicewise::Error>) {
    let first = answer();
    match &first {
        Ok(json) => assert!(
            serde_json::from_slice::<Value>(json).is_ok_and(|value| value.is_object()),
            "the answer is no JSON object"
        ),
        Err(error) => {
            assert!(!error.message().is_empty());
            assert!(
                serde_json::from_slice::<Value>(&error.to_json()).is_ok(),
                "the error is no JSON"
            );
        }
    }
    assert!(first == answer(), "the same input gave another answer");
}

/// One Service, its pods, two nodes in two zones, and the slices that earlier plans wrote.
#[derive(Default)]
struct FuzzWorld {
    pods: BTreeMap<u8, bool>,
    slices: BTreeMap<String, Value>,
    state: Value,
    mode: u8,
    created: usize,
}

impl FuzzWorld {
    fn operate(&mut self, operation: u8) {
        let pod = operation & 0x1f;
        match operation >> 5 {
            0 | 1 => drop(self.pods.insert(pod, true)),
            2 => drop(self.pods.insert(pod, false)),
            3 | 4 => drop(self.pods.remove(&pod)),
            5 => self.mode = pod % 4,
            6 => self.edit(usize::from(pod)),
            _ => self.forget(usize::from(pod)),
        }
    }

    /// Someone removes an endpoint from a slice.
    fn edit(&mut self, number: usize) {
        let endpoints = self
            .slices
            .values_mut()
            .nth(number % 4)
            .and_then(|slice| slice["endpoints"].as_array_mut());
        drop(endpoints.and_then(Vec::pop));
    }

    /// Someone deletes a slice.
    fn forget(&mut self, number: usize) {
        let name = self.slices.keys().nth(number % 4).cloned();
        drop(name.and_then(|name| self.slices.remove(&name)));
    }

    fn request(&self) -> Value {
        let pod = |(number, ready): (&u8, &bool)| {
            serde_json::json!({
                "metadata": {"namespace": "shop", "name": format!("pod-{number}"), "uid": format!("uid-{number}"), "labels": {"app": "cart"}},
                "spec": {"nodeName": format!("node-{}", number % 2)},
                "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}],
                    "conditions": [{"type": "Ready", "status": if *ready { "True" } else { "False" }}]},
            })
        };
        let node = |number: u8| {
            serde_json::json!({
                "metadata": {"name": format!("node-{number}"), "labels": {"topology.kubernetes.io/zone": format!("zone-{number}")}},
                "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
            })
        };
        let mut service = serde_json::json!({
            "metadata": {"namespace": "shop", "name": "cart", "uid": "service", "annotations": {}},
            "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1",
                "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 8080}]},
        });
        match self.mode {
            1 => {
                service["metadata"]["annotations"]["service.kubernetes.io/topology-mode"] =
                    "Auto".into()
            }
            2 => service["spec"]["trafficDistribution"] = "PreferSameZone".into(),
            3 => service["spec"]["trafficDistribution"] = "PreferSameNode".into(),
            _ => {}
        }
        serde_json::json!({
            "service": service,
            "pods": self.pods.iter().map(pod).collect::<Vec<_>>(),
            "nodes": [node(0), node(1)],
            "slices": self.slices.values().collect::<Vec<_>>(),
            "state": self.state,
            "options": {"maxEndpointsPerSlice": 4},
        })
    }

    fn sync(&mut self) -> Value {
        let request = serde_json::to_vec(&self.request()).unwrap_or_default();
        let plan = api::plan(&request)
            .unwrap_or_else(|error| unreachable!("the request is well-formed: {error}"));
        let plan: Value = serde_json::from_slice(&plan).unwrap_or_default();
        let explained =
            slicewise_diagnosis::explain(&request, b"").map_err(|error| error.to_string());
        assert!(explained.is_ok(), "not explained: {explained:?}");
        let list = |name: &str| plan[name].as_array().cloned().unwrap_or_default();
        let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
        for slice in list("delete") {
            self.slices.remove(&name(&slice));
        }
        for slice in list("update") {
            self.slices.insert(name(&slice["metadata"]), slice);
        }
        for mut slice in list("create") {
            self.created += 1;
            slice["metadata"]["name"] = format!("cart-{}", self.created).into();
            self.slices.insert(name(&slice["metadata"]), slice);
        }
        self.state = plan["state"].clone();
        plan
    }

    fn published(&self) -> Vec<String> {
        let endpoints = self
            .slices
            .values()
            .filter_map(|slice| slice["endpoints"].as_array())
            .flatten();
        let mut names: Vec<String> = endpoints
            .map(|endpoint| {
                format!(
                    "{} {}",
                    endpoint["targetRef"]["name"], endpoint["conditions"]["ready"]
                )
            })
            .collect();
        names.sort();
        names
    }

    fn wanted(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .pods
            .iter()
            .map(|(number, ready)| format!("\"pod-{number}\" {ready}"))
            .collect();
        names.sort();
        names
    }
}
