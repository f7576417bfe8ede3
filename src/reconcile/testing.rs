//! Fixtures for the unit tests of this folder: inputs read from JSON, which are leaked for the test run.

use std::string::ToString;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Input, Settings};
use crate::model::{EndpointSlice, Node};
use crate::topology::nodes::NodeIndex;

/// Leaks a value; tests are short-lived.
pub(super) fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Reads a value from JSON.
pub(super) fn read<T: Deserialize<'static>>(json: &Value) -> T {
    serde_json::from_str(kept(json.to_string())).unwrap()
}

/// Zones with the given CPU, each with one node of the same name.
pub(super) fn nodes(zones: &[(&str, &str)]) -> &'static NodeIndex<'static> {
    let node = |(zone, cpu): &(&str, &str)| -> Node<'static> {
        read(&json!({
            "metadata": {"name": zone, "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": "True"}]},
        }))
    };
    let nodes: Vec<_> = zones.iter().map(node).collect();
    kept(NodeIndex::new(kept(nodes)))
}

/// An input for the Service `shop/cart` with three endpoints per slice. `service` is merged into its metadata.
pub(super) fn input(service: &Value, nodes: &'static NodeIndex<'static>) -> Input<'static> {
    let mut whole = json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "u"},
        "spec": {"clusterIP": "10.96.0.1", "selector": {}},
    });
    for part in ["metadata", "spec"] {
        for (field, value) in service[part].as_object().into_iter().flatten() {
            whole[part][field] = value.clone();
        }
    }
    Input {
        service: kept(read(&whole)),
        pods: Vec::new(),
        endpoints: &[],
        nodes,
        slices: Vec::new(),
        settled: None,
        settings: Settings {
            managed_by: "me",
            max_endpoints_per_slice: super::EndpointsPerSlice::new(3).unwrap(),
            topology_hints: true,
            kubernetes: crate::kubernetes::KubernetesVersion::default(),
            prefer_same_traffic_distribution: true,
            packing: super::packing::Packing::Upstream,
        },
    }
}

/// A slice with that name and these endpoints.
pub(super) fn slice(name: &str, endpoints: &[Value]) -> &'static EndpointSlice<'static> {
    kept(read(&json!({
        "metadata": {"namespace": "shop", "name": name, "labels": {}}, "addressType": "IPv4", "endpoints": endpoints,
    })))
}
