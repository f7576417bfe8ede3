//! Existing objects, and the explanations of verdicts.

use alloc::borrow::ToOwned as _;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::*;

fn hijack() -> Value {
    json!({
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
        "metadata": {"namespace": "shop", "name": "by-hand", "uid": "u-7", "labels": {
            "kubernetes.io/service-name": "cart",
            "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"
        }},
        "addressType": "IPv4", "endpoints": [{"addresses": ["127.0.0.1"]}], "ports": []
    })
}

fn audited(given: &Value) -> Result<Value, Error> {
    let told = reviewer().audit(given.to_string().as_bytes(), Asking::default())?;
    let (_, answer) = str::from_utf8(&told).unwrap().split_once('\n').unwrap();
    Ok(serde_json::from_str(answer).unwrap())
}

#[test]
fn an_object_at_rest_is_judged_as_if_it_came_now_but_for_who_writes_it() {
    let response = &audited(&hijack()).unwrap()["response"];
    assert_eq!(
        (&response["uid"], &response["allowed"]),
        (&json!("u-7"), &json!(false))
    );
    let message = response["status"]["message"].as_str().unwrap();
    assert!(
        message.contains("slice-addresses/reserved-address"),
        "{message}"
    );
    assert!(!message.contains("slice-ownership"), "{message}");
    // In a review, the same change has an author.
    let review = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "r", "kind": {"group": "discovery.k8s.io", "version": "v1", "kind": "EndpointSlice"},
            "name": "by-hand", "namespace": "shop", "operation": "CREATE",
            "userInfo": {"username": "jane"}, "object": hijack()
        }
    });
    let of_review = audited(&review).unwrap();
    assert_eq!(of_review, answer(&review), "a review is a review");
    let message = of_review["response"]["status"]["message"].as_str().unwrap();
    assert!(
        message.contains("slice-ownership/forged-manager"),
        "{message}"
    );
}

#[test]
fn what_is_wrong_with_an_object_at_rest_has_its_place_in_the_object() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut object = hijack();
        change(&mut object);
        let error = audited(&object).unwrap_err();
        (error.code(), error.path().unwrap_or_default().to_owned())
    };
    type Case<'c> = (&'c dyn Fn(&mut Value), Code, &'c str);
    let cases: [Case<'_>; 4] = [
        (
            &|object| object["endpoints"] = json!({}),
            Code::InvalidType,
            "/endpoints",
        ),
        (
            &|object| object["metadata"]["namespace"] = json!(""),
            Code::MissingField,
            "/metadata/namespace",
        ),
        (
            &|object| object["apiVersion"] = json!("discovery.k8s.io/v1beta1"),
            Code::Unsupported,
            "/apiVersion",
        ),
        (
            &|object| {
                object.as_object_mut().unwrap().remove("kind");
            },
            Code::MissingField,
            "/kind",
        ),
    ];
    for (change, code, path) in cases {
        assert_eq!(refused(change), (code, path.to_owned()));
    }
    let twice = hijack()
        .to_string()
        .replace("\"ports\":[]", "\"ports\":[],\"ports\":[]");
    let error = reviewer().audit(twice.as_bytes(), Asking::default());
    assert_eq!(error.unwrap_err().code(), Code::InvalidJson);
    let other = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop"}});
    assert_eq!(audited(&other).unwrap()["response"]["allowed"], true);
}

#[test]
fn an_explanation_says_what_every_policy_did() {
    let asking = Asking {
        age: Some(7),
        ..Asking::default()
    };
    let config = r#"{"policies": {"service-traffic": {"mode": "off"}}}"#;
    let mut reviewer = reading(SNAPSHOT, config).unwrap();
    let review = update("\u{202e}crat").to_string();
    let explained: Value =
        serde_json::from_slice(&reviewer.explain(review.as_bytes(), asking).unwrap()).unwrap();
    let text = explained["text"].as_str().unwrap();
    let expected = "Update of Service shop/cart by jane: denied.\n\
                    Known objects of the cluster: 1 Service, 1 Pod and 1 Node; not known: EndpointSlices; the last update is 7 s old.\n\
                    slice-ownership: found nothing wrong; it only needed the object.\n";
    assert!(text.starts_with(expected), "{text}");
    let found = "service-blast-radius: found one thing; it looked at the Pods and Nodes of the cluster:\n  emptied (denies), spec.selector: ";
    assert!(text.contains(found), "{text}");
    assert!(
        text.contains("service-traffic: not asked, because its mode here is `off`."),
        "{text}"
    );
    assert!(!text.contains('\u{202e}'), "a terminal obeys nothing of it");
    let steps = explained["steps"].as_array().unwrap();
    let names: Vec<_> = steps
        .iter()
        .map(|step| step["policy"].as_str().unwrap())
        .collect();
    assert_eq!(names, policies::NAMES);
    assert_eq!(explained["response"]["allowed"], false);
    assert_eq!(explained["contextAgeSeconds"], 7);
    let verdict: Value =
        serde_json::from_slice(&reviewer.review(review.as_bytes(), asking).unwrap()).unwrap();
    assert_eq!(
        explained["response"], verdict["response"],
        "explaining changes nothing"
    );
}
