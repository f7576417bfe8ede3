//! Lists that are cut off, or of a single namespace: what was not fetched is not reported as removed.

use serde_json::{Value, json};

use super::{bytes, count, diff, list, slice};
use crate::api::{self, Limits};

fn of_namespace(mut slice: Value, namespace: &str) -> Value {
    slice["metadata"]["namespace"] = namespace.into();
    slice
}

fn listed(kind: &str, metadata: &Value, items: &[Value]) -> Value {
    let typed = |slice: &Value| {
        let mut slice = slice.clone();
        slice["apiVersion"] = "discovery.k8s.io/v1".into();
        slice["kind"] = "EndpointSlice".into();
        slice
    };
    let items: Vec<Value> = items.iter().map(typed).collect();
    let version = if kind == "List" {
        "v1"
    } else {
        "discovery.k8s.io/v1"
    };
    json!({"apiVersion": version, "kind": kind, "metadata": metadata, "items": items})
}

/// The reported changes of slices and endpoints: `created a`, `removed 10.0.0.1`; and the codes of the warnings.
#[track_caller]
fn check_said(before: &Value, after: &Value, said: &[&str], warnings: &[&str]) {
    let answer = diff(before, after);
    let mut found = Vec::new();
    for service in list(&answer["services"]) {
        for slice in list(&service["slices"]) {
            let (change, name) = (slice["change"].as_str(), slice["name"].as_str());
            found.push(format!("{} {}", change.unwrap(), name.unwrap()));
        }
        for endpoint in list(&service["changes"]) {
            let address = endpoint["addresses"][0].as_str().unwrap();
            found.push(format!(
                "{} {address}",
                endpoint["change"].as_str().unwrap()
            ));
        }
    }
    assert_eq!(found, said, "{answer}");
    let codes = list(&answer["warnings"]).iter();
    let codes = codes.map(|warning| warning["code"].as_str().unwrap());
    assert_eq!(codes.collect::<Vec<_>>(), warnings, "{answer}");
}

/// A list that continues: what is not on this page is reported neither as removed nor as added.
#[test]
fn nothing_is_gone_by_a_list_that_is_cut_off() {
    let all = [
        slice("a", &["10.0.0.1", "10.0.0.2"]),
        slice("b", &["10.0.0.3"]),
    ];
    let page = [slice("a", &["10.0.0.2", "10.0.0.9"])];
    let goes_on = json!({"resourceVersion": "7", "continue": "abc", "remainingItemCount": 1});
    let whole = listed("EndpointSliceList", &json!({"resourceVersion": "6"}), &all);
    for kind in ["EndpointSliceList", "List"] {
        let cut = listed(kind, &goes_on, &page);
        check_said(&whole, &cut, &["updated a", "added 10.0.0.9"], &["CutList"]);
        // What is missing from the page is gone, and what is new may have been on another page.
        check_said(
            &cut,
            &whole,
            &["updated a", "removed 10.0.0.9"],
            &["CutList"],
        );
    }
    let cut = diff(&whole, &listed("List", &goes_on, &page));
    let message = cut["warnings"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("after: the List is truncated"),
        "{message}"
    );
    // With the last page it is complete.
    let last = listed("EndpointSliceList", &json!({"resourceVersion": "7"}), &[]);
    let pages = listed("EndpointSliceList", &goes_on, &page).to_string() + &last.to_string();
    let answer = api::diff(&bytes(&whole), pages.as_bytes()).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!(count(&answer, "removed"), 2);
}

/// `kubectl get endpointslices -A` and `-n shop` request different things.
#[test]
fn nothing_is_gone_by_a_list_of_one_namespace() {
    let one = |addresses: &[&str]| of_namespace(slice("a", addresses), "shop");
    let both = [
        one(&["10.0.0.1"]),
        of_namespace(slice("b", &["10.0.0.3"]), "data"),
    ];
    let none = json!({"resourceVersion": ""});
    let (all, shop) = (
        listed("List", &none, &both),
        listed("List", &none, &[one(&[])]),
    );
    check_said(
        &all,
        &shop,
        &["updated a", "removed 10.0.0.1"],
        &["NoSlices"],
    );
    check_said(&shop, &all, &["updated a", "added 10.0.0.1"], &["NoSlices"]);
    let warning = &diff(&all, &shop)["warnings"][0];
    assert_eq!(warning["namespaces"], json!(["data"]));
    let empty = listed("List", &none, &[]);
    check_said(&all, &empty, &[], &["NoSlices"]);
    // An array counts as complete.
    let everything = [
        "deleted b",
        "removed 10.0.0.3",
        "updated a",
        "removed 10.0.0.1",
    ];
    check_said(&json!(both), &json!([one(&[])]), &everything, &[]);
    let (all, shop) = (bytes(&all), bytes(&shop));
    let [all, shop] = [&all, &shop].map(|side| api::slices(side, Limits::default()).unwrap());
    let insisted = api::differing(&all, &shop, true);
    assert_eq!((insisted.services.len(), insisted.warnings.len()), (2, 1));
}
