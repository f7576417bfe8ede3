//! The metrics: those of the reference, with its values, and our own.

mod history;
mod own;
mod reference;

use serde_json::{Value, json};

use crate::api::{Limits, with_plan};
use crate::metrics::Metrics;
use crate::plan::Plan;
use crate::plan::request::Options;

/// A request for a Service of these families, with a pod in each of these zones.
pub(super) fn request(name: &str, families: &[&str], zones: &[&str]) -> Value {
    let pod = |(number, zone): (usize, &&str)| {
        json!({
            "metadata": {"namespace": "shop", "name": format!("{name}-{number}"), "uid": format!("{name}-uid-{number}"), "labels": {"app": name}},
            "spec": {"nodeName": format!("node-{zone}")},
            "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}], "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    let node = |zone: &str| {
        json!({
            "metadata": {"name": format!("node-{zone}"), "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    let nodes = ["a", "b", "c"].map(node);
    json!({
        "service": {
            "metadata": {"namespace": "shop", "name": name, "uid": format!("{name}-uid"), "annotations": {}},
            "spec": {"selector": {"app": name}, "clusterIP": "10.96.0.1", "ipFamilies": families, "ports": [{"port": 80, "protocol": "TCP", "targetPort": 8080}]},
        },
        "pods": (1..).zip(zones).map(pod).collect::<Vec<_>>(),
        "nodes": nodes,
        "options": {"maxEndpointsPerSlice": 4},
    })
}

/// The same with topology mode `Auto`.
pub(super) fn with_auto(mut request: Value) -> Value {
    request["service"]["metadata"]["annotations"]["service.kubernetes.io/topology-mode"] =
        "Auto".into();
    request
}

/// The same with a `trafficDistribution`.
fn with_traffic(mut request: Value, value: &str) -> Value {
    request["service"]["spec"]["trafficDistribution"] = value.into();
    request
}

fn planned<T>(request: &Value, then: impl FnOnce(&Plan<'_>) -> T) -> T {
    let request = request.to_string();
    let (options, limits) = (Options::default(), Limits::default());
    with_plan(request.as_bytes(), &options, limits, |plan, _| then(plan)).unwrap()
}

/// Records the request's plan.
pub(super) fn observe(metrics: &mut Metrics, request: &Value) {
    planned(request, |plan| metrics.observe_plan(plan));
}

/// The values of the gauges and counters with this prefix, as `name{labels}`, without the prefix.
pub(super) fn values(metrics: &Metrics, prefix: &str) -> Vec<String> {
    let text = crate::metrics::prometheus_text(&metrics.gather());
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    lines.map(str::to_owned).collect()
}
