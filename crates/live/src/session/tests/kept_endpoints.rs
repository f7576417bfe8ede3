//! Endpoints of slices stay as they were read, and nearly all of them in little space.

use slicewise::model::{Endpoint, EndpointHints, Few, NameRef};

use super::*;
use crate::session::known_endpoints::{self, KnownEndpoint};
use crate::session::names::NameTable;
use crate::session::pods::Pods;

/// An endpoint of a pod, with whatever a session keeps in little space.
fn usual() -> Value {
    json!({
        "addresses": ["10.0.0.1"],
        "conditions": {"ready": true, "serving": true, "terminating": false},
        "hostname": "p", "nodeName": "n1", "zone": "a",
        "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p", "uid": "p"},
        "hints": {"forZones": [{"name": "a"}], "forNodes": [{"name": "n1"}]},
    })
}

/// The usual endpoint with another value for a field, or without it if that is `null`.
fn with(path: &str, value: &Value) -> Value {
    let mut endpoint = usual();
    let (parent, field) = path.rsplit_once('/').unwrap();
    let parent = endpoint.pointer_mut(parent).unwrap();
    if value.is_null() {
        parent.as_object_mut().unwrap().remove(field);
    } else {
        parent[field] = value.clone();
    }
    endpoint
}

/// Endpoints, and whether they are usual.
fn endpoints() -> Vec<(Value, bool)> {
    let mut endpoints = vec![(usual(), true)];
    let zone = |name: &str| json!([{"name": name}]);
    let cases = [
        ("/addresses", json!(["10.0.0.2"]), true),
        ("/addresses", json!(["fd00::1"]), true),
        ("/addresses", json!(["10.0.0.01"]), false),
        ("/addresses", json!(["10.0.0.1", "10.0.0.2"]), false),
        ("/conditions", json!({"ready": false}), true),
        ("/conditions", json!({"x": 1}), false),
        ("/hostname", Value::Null, true),
        ("/hostname", json!("q"), false),
        ("/nodeName", Value::Null, false),
        ("/nodeName", json!("n2"), false),
        ("/zone", Value::Null, true),
        ("/zone", json!("b"), true),
        ("/zone", json!(""), false),
        ("/deprecatedTopology", json!({"a": "b"}), false),
        ("/x", json!(1), false),
        ("/targetRef", Value::Null, false),
        ("/targetRef/kind", json!("Node"), false),
        ("/targetRef/namespace", json!("bank"), false),
        ("/targetRef/name", json!("q"), false),
        ("/targetRef/name", json!(""), false),
        ("/targetRef/uid", json!("older"), false),
        ("/targetRef/apiVersion", json!("v1"), false),
        ("/targetRef/resourceVersion", json!("1"), false),
        ("/targetRef/fieldPath", json!("spec"), false),
        ("/targetRef/x", json!(1), false),
        ("/hints", Value::Null, true),
        ("/hints", json!({"forZones": zone("b")}), true),
        ("/hints", json!({"forNodes": zone("n1")}), true),
        ("/hints", json!({}), false),
        ("/hints/forNodes", zone("n2"), false),
        ("/hints/forZones", zone(""), false),
        ("/hints/forZones", json!([{"name": "a", "x": 1}]), false),
        (
            "/hints/forZones",
            json!([{"name": "a"}, {"name": "b"}]),
            false,
        ),
        ("/hints/x", json!(1), false),
    ];
    for (path, value, is_usual) in cases {
        endpoints.push((with(path, &value), is_usual));
    }
    // Without hints to nodes, any node will do.
    let mut blank = with("/nodeName", &json!(""));
    blank["hints"] = Value::Null;
    endpoints.push((blank, false));
    // The uid of another pod.
    let mut other = with("/hostname", &Value::Null);
    other["targetRef"]["name"] = "q".into();
    endpoints.push((other.clone(), false));
    other["targetRef"]["uid"] = "q".into();
    endpoints.push((other, true));
    endpoints
}

fn read(text: &str) -> Endpoint<'_> {
    serde_json::from_str(text).unwrap()
}

#[test]
fn an_endpoint_is_kept_as_it_is_whatever_stood_in_its_place() {
    let (mut names, mut pods) = (NameTable::default(), Pods::default());
    for pod in ["p", "q"] {
        pods.id_of(&mut names, "shop", pod, pod);
    }
    let without_endpoints = names.len();
    let texts = endpoints()
        .into_iter()
        .map(|(endpoint, is_usual)| (endpoint.to_string(), is_usual));
    let texts: Vec<_> = texts.collect();
    for (text, is_usual) in &texts {
        let endpoint = read(text);
        let mut take =
            |before| known_endpoints::take(&mut names, &mut pods, "shop", &endpoint, before);
        let alone = take(None);
        assert_eq!(
            matches!(alone, KnownEndpoint::Usual(_)),
            *is_usual,
            "{text}"
        );
        let has_zone = endpoint.hints.as_ref();
        let has_zone = has_zone.is_some_and(|hints| !hints.for_zones.is_empty());
        assert_eq!(known_endpoints::has_zone_hint(&alone), has_zone, "{text}");
        known_endpoints::release(&mut names, &alone);
        for (before, _) in &texts {
            let namespace = "shop";
            let before =
                known_endpoints::take(&mut names, &mut pods, namespace, &read(before), None);
            let kept =
                known_endpoints::take(&mut names, &mut pods, namespace, &endpoint, Some(&before));
            let whole = known_endpoints::whole(&names, &pods, &kept);
            assert_eq!(whole, endpoint, "{text}");
            assert_eq!(matches!(kept, KnownEndpoint::Usual(_)), *is_usual, "{text}");
            for endpoint in [before, kept] {
                known_endpoints::release(&mut names, &endpoint);
            }
        }
    }
    assert_eq!(names.len(), without_endpoints);
}

#[test]
fn an_endpoint_is_not_taken_for_one_of_another_namespace() {
    let (mut names, mut pods) = (NameTable::default(), Pods::default());
    let shop = usual().to_string();
    let mut bank = usual();
    bank["targetRef"]["namespace"] = "bank".into();
    let bank = bank.to_string();
    let before = known_endpoints::take(&mut names, &mut pods, "shop", &read(&shop), None);
    let kept = known_endpoints::take(&mut names, &mut pods, "bank", &read(&bank), Some(&before));
    assert_eq!(known_endpoints::whole(&names, &pods, &kept), read(&bank));
}

#[test]
fn an_endpoint_is_written_with_the_hints_that_are_chosen() {
    let (mut names, mut pods) = (NameTable::default(), Pods::default());
    for (endpoint, _) in endpoints() {
        let text = endpoint.to_string();
        let endpoint = read(&text);
        let kept = known_endpoints::take(&mut names, &mut pods, "shop", &endpoint, None);
        let mut chosen = EndpointHints::default();
        chosen.for_zones = Few::One(NameRef::new("z".into()));
        let address = endpoint.addresses.first().unwrap().as_str();
        let (mut written, hints) = (Vec::new(), |_| Some(chosen.clone()));
        known_endpoints::push_with_hints(&names, &pods, &kept, address, &hints, &mut written);
        let mut expected = endpoint.clone();
        expected.hints = Some(chosen.clone());
        assert_eq!(written, [expected], "{text}");
    }
}
