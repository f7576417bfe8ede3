//! Consumer streams, against the answers of the reference's kube-proxy.
//!
//! The cases in `pkg-tests/differential/proxy/` were answered by the reference's own code; see the README there.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::{Limits, ProxyStream};
use crate::model::{AddressType, Timestamp};
use crate::proxy::Settings;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    description: String,
    settings: Flags,
    lines: Vec<Box<RawValue>>,
    expected: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Flags {
    node: String,
    #[serde(default)]
    node_labels: Value,
    address_type: Option<String>,
    started: Option<String>,
    prefer_same_traffic_distribution: Option<bool>,
}

impl Flags {
    fn settings(&self) -> Settings {
        let zone = self.node_labels.get("topology.kubernetes.io/zone");
        Settings {
            zone: zone.and_then(Value::as_str).unwrap_or_default().to_owned(),
            address_type: match self.address_type.as_deref() {
                Some("IPv6") => AddressType::IPv6,
                _ => AddressType::IPv4,
            },
            started: self
                .started
                .as_deref()
                .map(|text| Timestamp::parse(text).unwrap()),
            prefer_same_traffic_distribution: self.prefer_same_traffic_distribution.unwrap_or(true),
            ..Settings::on_node(self.node.as_str())
        }
    }
}

/// What a sync need not tell.
const OPTIONAL: [&str; 2] = ["healthCheckNodePorts", "localReadyEndpoints"];

#[track_caller]
fn check(name: &str, case: &Case) {
    let mut stream = ProxyStream::new(case.settings.settings());
    let mut expected = case.expected.iter();
    for line in &case.lines {
        let mut output = Vec::new();
        stream
            .feed(line.get().as_bytes(), Limits::default(), &mut output)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        if output.is_empty() {
            continue;
        }
        let answer: Value = serde_json::from_slice(&output).unwrap();
        for (field, value) in expected.next().unwrap().as_object().unwrap() {
            let found = answer.get(field);
            if found.is_none() && OPTIONAL.contains(&field.as_str()) {
                continue;
            }
            let description = &case.description;
            assert_eq!(found, Some(value), "{name}: {description}\n{field}");
        }
    }
    assert_eq!(expected.next(), None, "{name}: an answer is missing");
}

#[test]
fn answers_are_the_references() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg-tests/differential/proxy");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let case = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        check(&path.display().to_string(), &case);
        count += 1;
    }
    assert!(count >= 90, "only {count} cases are left");
}
