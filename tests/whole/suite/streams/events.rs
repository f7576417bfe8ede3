//! Watch events among the objects of an input.

use serde_json::{Value, json};

use super::{CLUSTER, check, few};
use crate::Error;
use crate::api;

fn pod(name: &str, version: &str, ready: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"namespace": "shop", "name": name, "labels": {"app": "cart"}, "resourceVersion": version},
        "spec": {"nodeName": "n"},
        "status": {
            "podIPs": [{"ip": "10.0.0.1"}],
            "conditions": [{"type": "Ready", "status": ready}]
        },
    })
}

/// A Service, its node and these objects in a list, followed by the others.
fn input(listed: &[Value], others: &[Value]) -> String {
    let service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"namespace": "shop", "name": "cart", "resourceVersion": "1"},
        "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80}]},
    });
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "resourceVersion": "1"}});
    let items = [&[service, node], listed].concat();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    let documents = [&[list], others].concat();
    let documents = documents.iter().map(|document| format!("{document:#}\n"));
    documents.collect()
}

fn event(kind: &str, object: &Value) -> Value {
    json!({"type": kind, "object": object})
}

/// The pods that become endpoints, with whether they are ready.
fn endpoints(text: &str) -> Result<String, Error> {
    let plans: Value = serde_json::from_slice(&api::plan_snapshot(text.as_bytes(), b"")?).unwrap();
    let created = plans["plans"][0]["create"].as_array();
    let endpoints = created
        .into_iter()
        .flatten()
        .filter_map(|slice| slice["endpoints"].as_array())
        .flatten()
        .map(|endpoint| {
            let ready = endpoint["conditions"]["ready"].as_bool().unwrap();
            let name = endpoint["targetRef"]["name"].as_str().unwrap();
            format!("{name} {ready}")
        });
    let mut endpoints: Vec<String> = endpoints.collect();
    endpoints.sort();
    Ok(endpoints.join(", "))
}

/// `kubectl` prints the type of an event first, other tools its object.
#[track_caller]
fn check_endpoints(listed: &[Value], others: &[Value], expected: &str) {
    let text = input(listed, others);
    let object_first = "{\n  \"object\": {";
    let typed_first = text
        .split("\n}\n")
        .map(|document| match document.split_once(object_first) {
            Some(("", rest)) => {
                let (object, kind) = rest.rsplit_once(",\n  \"type\"").unwrap();
                format!("{{\"type\"{kind}, \"object\": {{{object}")
            }
            _ => document.to_owned(),
        });
    let typed_first = typed_first.collect::<Vec<_>>().join("\n}\n");
    assert_eq!(typed_first == text, !text.contains(object_first));
    for text in [text, typed_first] {
        assert_eq!(endpoints(&text).unwrap(), expected, "{text}");
        check(&text, &[7, 100, 1 << 20]);
    }
}

#[test]
fn apply_in_order_to_what_came_before() {
    let listed = [pod("a", "1", "False"), pod("b", "2", "True")];
    check_endpoints(&listed, &[], "a false, b true");
    // A watch begins with what exists, in the version that was listed.
    let first = [event("ADDED", &listed[0]), event("ADDED", &listed[1])];
    check_endpoints(&listed, &first, "a false, b true");
    let deleted = event("DELETED", &pod("b", "4", "True"));
    let rest = [
        event("MODIFIED", &pod("a", "3", "True")),
        deleted.clone(),
        event(
            "BOOKMARK",
            &json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "5"}}),
        ),
        event("ADDED", &pod("c", "6", "True")),
    ];
    check_endpoints(&listed, &[&first[..], &rest].concat(), "a true, c true");
    check_endpoints(&listed, &[deleted.clone(), deleted.clone()], "a false");
    // Deleted and created again, by an event, an object or a list.
    let again = pod("b", "7", "False");
    for again in [event("ADDED", &again), again.clone(), json!([again])] {
        check_endpoints(&listed, &[deleted.clone(), again], "a false, b false");
    }
    let unknown = event("DELETED", &pod("x", "1", "True"));
    check_endpoints(&listed, &[unknown], "a false, b true");
    let all = [event("DELETED", &listed[0]), event("DELETED", &listed[1])];
    check_endpoints(&listed, &all, "");
}

/// `kubectl get --watch` without `--output-watch-events` also begins with what exists.
#[test]
fn objects_replace_objects_that_have_a_version() {
    let listed = [pod("a", "1", "False")];
    check_endpoints(&listed, &listed, "a false");
    let events = [event("MODIFIED", &pod("a", "2", "True"))];
    let later = [pod("a", "3", "False")];
    check_endpoints(&listed, &[&events[..], &later].concat(), "a false");
    // An older object does not replace a newer one.
    check_endpoints(
        &[pod("a", "10", "False")],
        &[pod("a", "9", "True")],
        "a false",
    );
    // Two lists do not say which is the newer one.
    let others = [pod("a", "1", "True")];
    let text = input(
        &listed,
        &[json!({"kind": "PodList", "apiVersion": "v1", "items": others})],
    );
    check(&text, &[7, 1 << 20]);
    let error = endpoints(&text).unwrap_err();
    assert_eq!(error.code().as_str(), "DuplicateName");
}

#[test]
fn other_kinds_of_that_name_stay() {
    let listed = [pod("cart", "1", "True")];
    let knative = json!({"kind": "Service", "apiVersion": "serving.knative.dev/v1", "metadata": {"namespace": "shop", "name": "cart"}});
    let others = [
        event("DELETED", &knative),
        event("ADDED", &knative),
        event(
            "DELETED",
            &json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": "cart"}}),
        ),
        // Not an event, although it begins like one.
        json!({"type": "Opaque", "kind": "Secret", "apiVersion": "v1", "metadata": {"name": "cart"}}),
    ];
    check_endpoints(&listed, &others, "cart true");
}

#[test]
fn every_kind_can_be_deleted() {
    let cluster: Value = serde_json::from_str(CLUSTER).unwrap();
    for object in few() {
        let kind = object["kind"].as_str().unwrap();
        let metadata = &object["metadata"];
        let (namespace, name) = (&metadata["namespace"], &metadata["name"]);
        let mut items = cluster["items"].as_array().unwrap().clone();
        items.push(few().pop().unwrap());
        let event = event("DELETED", &object);
        let with = format!("{}\n{event}", json!({"kind": "List", "items": items}));
        items.retain(|item| {
            let metadata = &item["metadata"];
            item["kind"] != *kind
                || metadata["namespace"] != *namespace
                || metadata["name"] != *name
        });
        let without = json!({"kind": "List", "items": items}).to_string();
        let plans = |text: &str| {
            [
                api::plan_snapshot(text.as_bytes(), b"").unwrap(),
                api::mirror_snapshot(text.as_bytes()).unwrap(),
                api::traffic(text.as_bytes()).unwrap(),
                api::explain(text.as_bytes(), b"{}").unwrap(),
            ]
        };
        for (with, without) in plans(&with).into_iter().zip(plans(&without)) {
            // Objects of other kinds are only counted.
            let [with, without] = [with, without].map(|plans| {
                let plans = String::from_utf8(plans).unwrap();
                let counted = plans.split_once(",\"ignored\"");
                counted.map_or_else(|| plans.clone(), |(plans, _)| plans.to_owned())
            });
            assert_eq!(with, without, "{kind} {name}");
        }
    }
}

#[track_caller]
fn check_wrong(others: &[&str], expected: &str) {
    let text = input(&[], &[]) + &others.join("\n");
    check(&text, &[1, 7, 1 << 20]);
    let error = endpoints(&text).unwrap_err();
    // The list is followed by events on lines of their own.
    let before = input(&[], &[]).lines().count();
    let (line, column) = error.line().zip(error.column()).unwrap();
    let shown = format!(
        "{} {} +{}:{column} {}",
        error.code().as_str(),
        error.path().unwrap_or_default(),
        line - before,
        error.message()
    );
    assert_eq!(shown, expected);
}

#[test]
fn what_is_wrong_has_its_place() {
    let bookmark = r#"{"type":"BOOKMARK","object":{"kind":"Pod"}}"#;
    check_wrong(
        &[
            bookmark,
            r#"{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":7}}}"#,
        ],
        "InvalidType /2/object/metadata/name +2:59 invalid type for `name`: number `7`, expected a string; write it in quotes",
    );
    check_wrong(
        &[bookmark, r#"{"type":"CHANGED","object":{"kind":"Pod"}}"#],
        "InvalidValue /2/type +2:9 `CHANGED` is not a watch event; use ADDED, MODIFIED, DELETED, BOOKMARK or ERROR",
    );
    check_wrong(
        &[r#"{"type":"ERROR","object":{"kind":"Status","message":"too old resource version"}}"#],
        "InvalidValue /1/object +1:26 the API server ended the watch: `too old resource version`; start it again",
    );
    check_wrong(
        &[r#"{"type":"DELETED","object":{"kind":"Pod","metadata":{}}}"#],
        "MissingField /1/object/metadata/name +1:53 this Pod has no name; a deletion needs at least `metadata.name`",
    );
    check_wrong(
        &[r#"{"type":"DELETED","object":{"metadata":{"name":"a"}}}"#],
        "MissingField /1/object/kind +1:28 this object has no `kind`; use objects as `kubectl get … -o json` prints them",
    );
    check_wrong(
        &[r#"{"type":"ADDED"}"#],
        "MissingField /1/object +1:16 missing field `object`: it is required",
    );
    check_wrong(
        &[bookmark, r#"{"type":"ADD"#],
        "InvalidJson  +2:12 EOF while parsing a string: the input ends too early; was it truncated?",
    );
}
