//! Input in parts: the pages of a list, and an object in several versions.

use serde_json::{Value, json};

use super::{check, few};
use crate::api::{self, Limits, SnapshotStream, TrafficOptions};
use crate::model::own::Alone;

/// If a watch reports an object several times, the newest version counts, for every kind of answer.
#[test]
fn objects_that_come_again() {
    let versions = |versions: &[&str]| -> String {
        let object = |object: &Value, version: &str| {
            let mut object = object.clone();
            object["metadata"]["resourceVersion"] = version.into();
            if version != "3" {
                // The last version differs in this.
                object["metadata"]["labels"] = json!({});
            }
            object.to_string()
        };
        let mut objects = few();
        // Ignored objects are counted every time.
        objects.retain(|object| object["kind"] != "Endpoints");
        let all = versions
            .iter()
            .flat_map(|version| objects.iter().map(move |one| object(one, version)));
        all.collect::<Vec<_>>().join("\n")
    };
    let (last, all) = (versions(&["3"]), versions(&["1", "2", "3"]));
    let (traffic, limits) = (TrafficOptions::default(), Limits::default());
    let shown = |text: &str| {
        let told = api::with_traffic(text.as_bytes(), &traffic, limits).unwrap();
        serde_json::to_string(&told).unwrap()
    };
    assert_eq!(shown(&all), shown(&last));
    assert!(
        shown(&all).contains("zone"),
        "labels count: {}",
        shown(&all)
    );
    let planned = |text: &str| api::plan_snapshot(text.as_bytes(), b"").unwrap();
    assert_eq!(planned(&all), planned(&last));
    check(&all, &[1000, 1 << 20]);
    // The size limit also applies to the newest version.
    let slice = |count: usize, version: &str| {
        let (ports, endpoints) = (
            vec![json!({"port": 80}); count],
            vec![json!({"addresses": ["10.0.0.1"]}); 1000],
        );
        json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4", "ports": ports, "endpoints": endpoints,
            "metadata": {"name": format!("s{}", version.len()), "namespace": "shop", "resourceVersion": version}}).to_string()
    };
    let service = few().first().unwrap().to_string();
    let grown = [service, slice(1, "7"), slice(1, "10"), slice(1001, "8")].join("\n");
    let error = api::with_traffic(grown.as_bytes(), &traffic, limits).unwrap_err();
    assert_eq!(error.code().as_str(), "TooLarge");
}

/// A second `metadata` could hide that a list continues elsewhere.
#[test]
fn metadata_are_given_once_if_at_all() {
    let list = |metadata: &str| {
        let items = json!(few());
        format!(r#"{{"kind": "List", {metadata} "items": {items}}}"#)
    };
    let planned = |text: &str| api::plan_snapshot(text.as_bytes(), b"");
    let none = list(r#""metadata": null,"#);
    assert_eq!(planned(&none), planned(&list("")));
    check(&none, &[7, 100, 1 << 20]);
    let twice = list(r#""metadata": {"continue": "x"}, "metadata": {},"#);
    let error = planned(&twice).unwrap_err();
    assert_eq!(error.path(), Some("/metadata"), "{error:?}");
    check(&twice, &[7, 100, 1 << 20]);
}

/// The token of the next page.
#[test]
fn pages() {
    let page = |metadata: &Value| json!({"kind": "PodList", "metadata": metadata, "items": []});
    for (input, expected) in [
        (page(&json!({"continue": "a b"})), Some("a b")),
        (page(&json!({})), Some("")),
        (
            json!({"items": [], "metadata": {"continue": "c"}}),
            Some("c"),
        ),
        (
            json!({"kind": "PodList", "items": null, "metadata": {}}),
            Some(""),
        ),
        (
            json!({"kind": "Status", "metadata": {"continue": "c"}}),
            None,
        ),
        (json!([]), None),
    ] {
        let text = input.to_string();
        let mut stream = SnapshotStream::new(&Alone);
        let (first, rest) = text.split_at(1);
        stream.push(first.as_bytes()).unwrap();
        stream.push(rest.as_bytes()).unwrap();
        assert_eq!(stream.next_page().unwrap().as_deref(), expected, "{text}");
        assert_eq!(stream.finish().err(), None, "{text}");
        let unread = api::next_page(text.as_bytes()).unwrap();
        assert_eq!(unread.as_deref(), expected, "{text}");
    }
    let cut = api::next_page(br#"{"kind":"PodList","items":[{"a":"#).unwrap_err();
    assert_eq!(cut.code().as_str(), "InvalidJson");
}
