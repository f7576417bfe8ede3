//! The state between syncs, compared with the reference's answers to the same calls.
//!
//! The sequences in `pkg-tests/differential/sequences/` were answered by the reference's own trackers and topology
//! cache; see the README there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::versions;
use crate::kubernetes::{Behavior, KubernetesVersion};
use crate::model::{AddressType, EndpointSlice, NamespacedName, Node, Pod, Service};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;
use crate::tracker::{SliceTracker, TriggerTimeTracker};

/// One call; a query has an answer.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Step {
    #[serde(rename = "do")]
    call: String,
    service: Value,
    slice: Value,
    slices: Vec<Value>,
    pods: Vec<Value>,
    nodes: Vec<Value>,
    family: String,
    zones: Value,
    answer: Value,
}

/// Replays a file: each sequence on a new `T`, every step through `answer`.
fn replay<T: Default>(name: &str, answer: impl FnMut(&mut T, &Step) -> Value) {
    replay_in(KubernetesVersion::default(), name, answer);
}

fn replay_in<T: Default>(
    version: KubernetesVersion,
    name: &str,
    mut answer: impl FnMut(&mut T, &Step) -> Value,
) {
    let path = versions::golden(version, &format!("sequences/{name}.json"));
    let sequences: Vec<Vec<Step>> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(sequences.len() >= 10, "the sequences are gone");
    for (number, steps) in sequences.iter().enumerate() {
        let mut subject = T::default();
        for (place, step) in steps.iter().enumerate() {
            let found = answer(&mut subject, step);
            assert_eq!(
                found, step.answer,
                "{name}: sequence {number}, step {place}: {}",
                step.call
            );
        }
    }
}

/// JSON values as texts that objects can borrow from.
fn texts(objects: &[Value]) -> Vec<String> {
    objects.iter().map(Value::to_string).collect()
}

fn read<'t, T: Deserialize<'t>>(texts: &'t [String]) -> Vec<T> {
    let read = |text: &'t String| serde_json::from_str(text).unwrap();
    texts.iter().map(read).collect()
}

fn key(service: &Value) -> NamespacedName {
    let text = |field: &str| service["metadata"][field].as_str().unwrap().to_owned();
    NamespacedName {
        namespace: text("namespace"),
        name: text("name"),
    }
}

#[test]
fn the_slice_tracker_answers_as_the_reference() {
    for version in KubernetesVersion::ALL {
        for name in ["slice-tracker", "recreated"] {
            replay_in(version, name, |tracker, step| ask(version, tracker, step));
        }
    }
}

fn ask(version: KubernetesVersion, tracker: &mut SliceTracker, step: &Step) -> Value {
    if step.call == "deleteService" {
        tracker.delete_service(&key(&step.service));
        return Value::Null;
    }
    if step.call == "staleSlices" {
        let service = key(&step.service);
        if version.has(Behavior::ServiceUid) {
            let uid = step.service["metadata"]["uid"].as_str();
            tracker.follow(&service, uid.unwrap_or_default());
        }
        let texts = texts(&step.slices);
        let slices: Vec<EndpointSlice<'_>> = read(&texts);
        return tracker.stale_slices(&service, &slices).into();
    }
    let text = step.slice.to_string();
    let slice: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
    match step.call.as_str() {
        "update" => tracker.update(&slice),
        "expectDeletion" => tracker.expect_deletion(&slice),
        "handleDeletion" => return tracker.handle_deletion(&slice).into(),
        "has" => return tracker.has(&slice).into(),
        "shouldSync" => return tracker.should_sync(&slice).into(),
        other => panic!("{other} is no call"),
    }
    Value::Null
}

#[test]
fn the_trigger_time_is_the_references() {
    replay("trigger-time", |tracker: &mut TriggerTimeTracker, step| {
        if step.call == "deleteService" {
            tracker.delete_service(&key(&step.service));
            return Value::Null;
        }
        assert_eq!(step.call, "compute");
        let (service, pods) = (step.service.to_string(), texts(&step.pods));
        let service: Service<'_> = serde_json::from_str(&service).unwrap();
        let pods: Vec<Pod<'_>> = read(&pods);
        let time = tracker.compute(&service, &pods);
        time.map_or(Value::Null, |time| time.to_string().into())
    });
}

/// The nodes as JSON, and the state left by syncs.
#[derive(Default)]
struct Cluster {
    nodes: Vec<String>,
    hints: BTreeMap<NamespacedName, ServiceHints>,
}

impl Cluster {
    fn overloaded_services(&self) -> Value {
        let nodes: Vec<Node<'_>> = read(&self.nodes);
        let nodes = NodeIndex::new(&nodes);
        let is_overloaded = |hints: &ServiceHints| hints.is_overloaded(nodes.zone_shares());
        let overloaded = self.hints.iter().filter(|(_, hints)| is_overloaded(hints));
        overloaded.map(|(key, _)| key.to_string()).collect()
    }
}

#[test]
fn the_topology_cache_answers_as_the_reference() {
    replay("topology-cache", |cluster: &mut Cluster, step| {
        match step.call.as_str() {
            "setNodes" => cluster.nodes = texts(&step.nodes),
            "overloadedServices" => return cluster.overloaded_services(),
            _ => {}
        }
        let Some((namespace, name)) = step.service.as_str().and_then(|key| key.split_once('/'))
        else {
            return Value::Null;
        };
        let key = NamespacedName {
            namespace: namespace.into(),
            name: name.into(),
        };
        let hints = cluster.hints.entry(key).or_default();
        let family = match step.family.as_str() {
            "IPv6" => AddressType::IPv6,
            _ => AddressType::IPv4,
        };
        match step.call.as_str() {
            "setHints" => {
                let zones = step.zones.as_object().into_iter().flatten();
                let zones = zones.map(|(zone, count)| (zone.clone(), count.as_i64().unwrap()));
                hints.set(family, zones.collect());
            }
            "removeHints" => hints.remove(family),
            "hasPopulatedHints" => return json!(hints.populated),
            other => panic!("{other} is no call"),
        }
        Value::Null
    });
}
