//! Scripts in virtual time: the stream does the same as the reference's own controller, sync by sync.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::versions;
use crate::api::{ControllerStream, Limits};
use crate::kubernetes::KubernetesVersion;
use crate::model::EndpointSlice;

/// Changes of slices, in the terms of the scripts.
#[derive(Debug, PartialEq)]
struct Found {
    syncs: Vec<String>,
    messages: Vec<String>,
    slices: Vec<String>,
}

impl Found {
    fn expected(script: &Value) -> Self {
        let texts = |list: &str| -> Vec<String> {
            let list = script["expected"][list].as_array().unwrap();
            list.iter().map(text).collect()
        };
        Self {
            syncs: texts("syncs"),
            messages: texts("messages"),
            slices: texts("slices"),
        }
    }

    fn of(script: &Value) -> Self {
        let mut stream = ControllerStream::default();
        let mut output = Vec::new();
        let mut feed = |stream: &mut ControllerStream, line: &Value| {
            let line = line.to_string();
            let fed = stream.feed(line.as_bytes(), Limits::default(), &mut output);
            fed.unwrap_or_else(|error| panic!("{line}: {error}"));
        };
        feed(&mut stream, &json!({"config": script["config"]}));
        for line in script["lines"].as_array().unwrap() {
            feed(&mut stream, line);
        }
        let lines: Vec<Value> = output
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        let slices: Vec<_> = stream.server().unwrap().slices().collect();
        let most = script["config"]["maxEndpointsPerSlice"].as_u64().unwrap();
        Self {
            syncs: syncs(&lines),
            messages: messages(&lines),
            slices: brief(&slices, usize::try_from(most).unwrap()),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// `time service result`, sorted by time, then service.
fn syncs(lines: &[Value]) -> Vec<String> {
    let mut syncs: Vec<_> = lines
        .iter()
        .filter(|line| line["sync"].is_string())
        .map(|line| {
            let at = line["at"].as_u64().unwrap();
            (at, text(&line["sync"]), text(&line["result"]))
        })
        .collect();
    syncs.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let brief = syncs
        .iter()
        .map(|(at, service, result)| format!("{at} {service} {result}"));
    brief.collect()
}

/// Each message once, without generated names.
fn messages(lines: &[Value]) -> Vec<String> {
    let mut messages: Vec<_> = lines
        .iter()
        .filter(|line| line["event"].is_object())
        .map(|line| {
            let (reason, message) = (&line["event"]["reason"], &line["event"]["message"]);
            ordered(&without_generated(&format!(
                "{}: {}",
                text(reason),
                text(message)
            )))
        })
        .collect();
    messages.sort();
    messages.dedup();
    messages
}

/// Sorts several errors in one message: the reference has them in the order of a Go map.
fn ordered(message: &str) -> String {
    let Some((before, list)) = message.split_once('[') else {
        return message.to_owned();
    };
    let mut errors: Vec<_> = list.trim_end_matches(']').split(", ").collect();
    errors.sort_unstable();
    format!("{before}[{}]", errors.join(", "))
}

/// `s1-bbbbc` becomes `s1-`.
fn without_generated(message: &str) -> String {
    let pieces = message.split("-bbb").enumerate();
    let kept = pieces.map(|(number, piece)| match number {
        0 => piece.to_owned(),
        _ => format!("-{}", piece.get(2..).unwrap()),
    });
    kept.collect()
}

/// `service family generation endpoint… hint…`; if slices are full sooner than usual, those of a Service and family are
/// combined, because which endpoints share a slice is random in the reference.
fn brief(slices: &[&EndpointSlice<'_>], most: usize) -> Vec<String> {
    let (mut brief, mut together) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
    for slice in slices {
        let service = slice
            .metadata
            .labels
            .get("kubernetes.io/service-name")
            .unwrap();
        let name = format!("{service} {}", slice.address_type.as_str());
        let mut endpoints = brief_endpoints(slice);
        if most == USUAL_MAX {
            let generation = slice.metadata.generation.unwrap();
            brief.push(format!("{name} {generation}{}", endpoints.concat()));
            continue;
        }
        if slice.endpoints.len() > most {
            endpoints.push(" overfull".into());
        }
        together.entry(name).or_default().extend(endpoints);
    }
    for (name, mut endpoints) in together {
        endpoints.sort();
        brief.push(format!("{name}{}", endpoints.concat()));
    }
    brief.sort();
    brief
}

const USUAL_MAX: usize = 100;

/// ` address=ready@zone`, sorted, then ` zone>zone` and ` node>node` of the hints, sorted.
fn brief_endpoints(slice: &EndpointSlice<'_>) -> Vec<String> {
    let (mut brief, mut hints) = (Vec::new(), Vec::new());
    for endpoint in &slice.endpoints {
        let ready = endpoint.conditions.ready.unwrap_or(true);
        let zone = endpoint.zone.as_deref().unwrap_or_default();
        let node = endpoint.node_name.as_deref().unwrap_or_default();
        brief.push(format!(" {}={ready}@{zone}", endpoint.addresses[0]));
        let given = serde_json::to_value(&endpoint.hints).unwrap();
        for (list, from) in [("forZones", zone), ("forNodes", node)] {
            for hint in given[list].as_array().into_iter().flatten() {
                hints.push(format!(" {from}>{}", text(&hint["name"])));
            }
        }
    }
    brief.sort();
    hints.sort();
    brief.extend(hints);
    brief
}

#[test]
fn scripts_go_as_with_the_reference() {
    let file = versions::folder().join("controller.json");
    let scripts: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert!(scripts.len() >= 100);
    for version in KubernetesVersion::ALL {
        let own = versions::own(version, "controller.json");
        let own: BTreeMap<usize, Value> = own.map_or_else(BTreeMap::new, |file| {
            serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
        });
        for (number, script) in scripts.iter().enumerate() {
            let mut script = script.clone();
            versions::adapt(&mut script["config"], version);
            if let Some(expected) = own.get(&number) {
                script["expected"] = expected.clone();
            }
            let (found, expected) = (Found::of(&script), Found::expected(&script));
            assert_eq!(found, expected, "script {number} in {version:?}");
        }
    }
}
