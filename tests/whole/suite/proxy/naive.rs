//! Random histories: the proxy, which updates its state incrementally, compared with a merge of all slices at every
//! sync.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{added, answers, deleted, on_node};

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    Set {
        service: u8,
        name: u8,
        ports: u8,
        endpoints: Vec<(u8, u8)>,
    },
    Remove {
        service: u8,
        name: u8,
    },
    Sync,
}

fn step() -> impl Strategy<Value = Step> {
    let endpoints = prop::collection::vec((0..12_u8, 0..6_u8), 0..6);
    prop_oneof![
        5 => (0..2_u8, 0..4_u8, 0..5_u8, endpoints).prop_map(|(service, name, ports, endpoints)| Step::Set { service, name, ports, endpoints }),
        1 => (0..2_u8, 0..4_u8).prop_map(|(service, name)| Step::Remove { service, name }),
        3 => Just(Step::Sync),
    ]
}

fn object(service: u8, name: u8, ports: u8, endpoints: &[(u8, u8)]) -> Value {
    let port = |name: &str, port: u16, protocol: &str| json!({"name": name, "port": port, "protocol": protocol});
    let ports = match ports {
        0 => json!([port("http", 80, "TCP"), port("dns", 53, "UDP")]),
        1 => json!([port("dns", 53, "UDP")]),
        2 => json!([port("dns", 5353, "UDP"), port("dns", 53, "TCP")]),
        3 => json!([
            port("dns", 53, "UDP"),
            port("dns", 9, "UDP"),
            port("dns", 53, "UDP")
        ]),
        _ => json!([]),
    };
    let endpoint = |(address, state): &(u8, u8)| {
        json!({
            "addresses": [format!("10.0.0.{address}")],
            "conditions": match state {
                0 => json!({}),
                1 => json!({"ready": true, "serving": true, "terminating": false}),
                2 => json!({"ready": false, "serving": false}),
                3 => json!({"ready": false, "serving": true, "terminating": true}),
                4 => json!({"ready": false, "serving": false, "terminating": true}),
                _ => json!({"ready": true, "terminating": true}),
            },
            "nodeName": format!("node-{}", address % 3),
            "hints": {"forZones": [{"name": format!("zone-{state}")}]},
        })
    };
    json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
        "metadata": {"namespace": "shop", "name": format!("slice-{name}"), "labels": {"kubernetes.io/service-name": format!("s{service}")}},
        "addressType": "IPv4",
        "ports": ports,
        "endpoints": endpoints.iter().map(endpoint).collect::<Vec<_>>(),
    })
}

type Endpoints = BTreeMap<String, BTreeMap<String, Value>>;

/// All slices of all Services merged, sorted by name.
fn merged(slices: &BTreeMap<(u8, u8), Value>) -> Endpoints {
    let mut merged = Endpoints::new();
    for ((service, _), slice) in slices {
        for port in slice["ports"].as_array().unwrap() {
            for endpoint in slice["endpoints"].as_array().unwrap() {
                let key = format!(
                    "shop/s{service}:{}/{}",
                    port["name"].as_str().unwrap(),
                    port["protocol"].as_str().unwrap()
                );
                let name = format!(
                    "{}:{}",
                    endpoint["addresses"][0].as_str().unwrap(),
                    port["port"]
                );
                let condition =
                    |name: &str, absent| endpoint["conditions"][name].as_bool().unwrap_or(absent);
                let terminating = condition("terminating", false);
                let entry = json!({
                    "endpoint": name,
                    "ready": condition("ready", true),
                    "serving": condition("serving", true),
                    "terminating": terminating,
                    "local": endpoint["nodeName"] == "node-1",
                    "zoneHints": [endpoint["hints"]["forZones"][0]["name"]],
                    "nodeHints": [],
                });
                let of_port = merged.entry(key).or_default();
                if !of_port.contains_key(&name) || !terminating {
                    of_port.insert(name, entry);
                }
            }
        }
    }
    merged
}

fn serving(endpoints: Option<&BTreeMap<String, Value>>) -> BTreeSet<&str> {
    let all = endpoints.into_iter().flatten();
    all.filter(|(_, endpoint)| endpoint["serving"] == true)
        .map(|(name, _)| name.as_str())
        .collect()
}

fn stale(old: &Endpoints, new: &Endpoints) -> Value {
    let ports: BTreeSet<&String> = old
        .keys()
        .chain(new.keys())
        .filter(|port| port.ends_with("/UDP"))
        .collect();
    let (mut deleted, mut gained) = (Vec::new(), Vec::new());
    for port in ports {
        let (before, after) = (serving(old.get(port)), serving(new.get(port)));
        deleted.extend(
            before
                .difference(&after)
                .map(|endpoint| json!({"endpoint": endpoint, "servicePort": port})),
        );
        if before.is_empty() && !after.is_empty() {
            gained.push(port);
        }
    }
    json!({"deletedEndpoints": deleted, "gainedEndpoints": gained})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patches_give_what_a_merge_gives(steps in prop::collection::vec(step(), 1..40)) {
        let (mut pending, mut old) = (BTreeMap::new(), Endpoints::new());
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Set { service, name, ports, endpoints } => {
                    let object = object(service, name, ports, &endpoints);
                    lines.push(added(&object));
                    pending.insert((service, name), object);
                }
                Step::Remove { service, name } => {
                    lines.push(deleted(&object(service, name, 0, &[])));
                    pending.remove(&(service, name));
                }
                Step::Sync => {
                    lines.push(json!({"sync": "endpoints"}));
                    let new = merged(&pending);
                    let listed: BTreeMap<_, Vec<_>> = new.iter().map(|(port, all)| (port, all.values().collect())).collect();
                    expected.push((json!(listed), stale(&old, &new)));
                    old = new;
                }
            }
        }
        let answers = answers(on_node(), &lines);
        prop_assert_eq!(answers.len(), expected.len());
        for (answer, (endpoints, stale)) in answers.iter().zip(&expected) {
            prop_assert_eq!(&answer["endpoints"], endpoints);
            prop_assert_eq!(&answer["staleUdp"], stale);
        }
    }
}
