//! Reviews as bytes: the answers, and the errors with their positions.

use serde_json::{Value, json};

use super::*;

mod at_rest;
mod left_out;
mod pieces;
mod workloads;

const SNAPSHOT: &str = r#"{"kind": "List", "items": [
    {"kind": "Service", "metadata": {"namespace": "shop", "name": "cart"}, "spec": {"selector": {"app": "cart"}, "ports": [{"name": "http", "targetPort": 80}], "clusterIP": "10.0.0.1"}},
    {"kind": "Pod", "metadata": {"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}}, "spec": {"nodeName": "n"},
     "status": {"podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]}},
    {"kind": "Node", "metadata": {"name": "n"}}]}"#;

fn reading(snapshot: &str, config: &str) -> Result<Reviewer, Error> {
    let mut reviewer = Reviewer::new(config.as_bytes())?;
    if !snapshot.is_empty() {
        reviewer.load(snapshot.as_bytes(), Limits::default())?;
    }
    Ok(reviewer)
}

fn reviewer() -> Reviewer {
    reading(SNAPSHOT, "").unwrap()
}

fn cart(app: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "cart"},
        "spec": {"selector": {"app": app}, "ports": [{"name": "http", "targetPort": 80}], "clusterIP": "10.0.0.1"}
    })
}

fn update(app: &str) -> Value {
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": "", "version": "v1", "kind": "Service"},
            "resource": {"group": "", "version": "v1", "resource": "services"},
            "name": "cart", "namespace": "shop", "operation": "UPDATE",
            "userInfo": {"username": "jane", "groups": ["system:authenticated"]},
            "object": cart(app), "oldObject": cart("cart"), "dryRun": false, "options": {"kind": "UpdateOptions"}
        }
    })
}

fn answer(review: &Value) -> Value {
    serde_json::from_slice(
        &reviewer()
            .review(review.to_string().as_bytes(), Asking::default())
            .unwrap(),
    )
    .unwrap()
}

#[track_caller]
fn check_refused(review: &str, code: Code, path: Option<&str>, message: &str) {
    let error = reviewer()
        .review(review.as_bytes(), Asking::default())
        .unwrap_err();
    assert_eq!(
        (error.code(), error.path(), error.message()),
        (code, path, message)
    );
    assert!(error.line().is_some() && error.column().is_some());
}

#[track_caller]
fn check_changed(pointer: &str, value: Value, code: Code, message: &str) {
    let mut review = update("cart");
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    review.pointer_mut(parent).unwrap()[key] = value;
    check_refused(&review.to_string(), code, Some(pointer), message);
}

#[test]
fn verdicts() {
    let allowed = answer(&update("cart"));
    assert_eq!(
        allowed,
        json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "response": {
                "uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "allowed": true,
                "status": {"code": 200, "message": "Service shop/cart: allowed", "details": {"name": "cart", "kind": "Service"}}
            }
        })
    );
    let denied = answer(&update("crat"));
    assert_eq!(denied["response"]["allowed"], json!(false));
    assert_eq!(
        denied["response"]["status"]["details"]["causes"][0]["field"],
        json!("spec.selector")
    );
}

#[test]
fn what_no_policy_looks_at_is_allowed() {
    let mut other = update("cart");
    other["request"]["kind"] = json!({"group": "", "version": "v1", "kind": "ConfigMap"});
    other["request"]["object"] = json!({"anything": [1, 2, {"__proto__": {"allowed": true}}]});
    assert_eq!(answer(&other)["response"]["allowed"], json!(true));
    let mut status = update("crat");
    status["request"]["subResource"] = json!("status");
    assert_eq!(answer(&status)["response"]["allowed"], json!(true));
}

/// An API server keeps the status that an object has, and takes none with a new one.
#[test]
fn a_status_only_counts_where_it_is_written() {
    let warnings = |operation: &str, part: Option<&str>| {
        let mut review = update("cart");
        let request = &mut review["request"];
        request["operation"] = json!(operation);
        request["object"]["status"] = json!({"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}});
        if operation == "CREATE" {
            request["oldObject"] = Value::Null;
        }
        if let Some(part) = part {
            request["subResource"] = json!(part);
        }
        answer(&review)["response"]["warnings"].to_string()
    };
    let is_warned = |warnings: String| warnings.contains("load-balancer-status");
    assert!(!is_warned(warnings("CREATE", None)));
    assert!(!is_warned(warnings("UPDATE", None)));
    assert!(is_warned(warnings("UPDATE", Some("status"))));
}

#[test]
fn unknown_fields_change_nothing() {
    let mut review = update("crat");
    review["__proto__"] = json!({"response": {"allowed": true}});
    review["Request"] = json!({"operation": "CONNECT"});
    review["request"]["newInSomeYear"] = json!({"constructor": 1});
    review["request"]["object"]["spec"]["newInSomeYear"] = json!([null]);
    assert_eq!(answer(&review)["response"]["allowed"], json!(false));
}

#[test]
fn names_come_from_the_object_where_the_request_has_none() {
    let mut create = update("cart");
    create["request"]["operation"] = json!("CREATE");
    create["request"]["name"] = json!("");
    create["request"]["oldObject"] = Value::Null;
    assert_eq!(
        answer(&create)["response"]["status"]["details"]["name"],
        json!("cart")
    );
}

#[test]
fn envelopes_that_say_too_little_or_the_wrong_thing() {
    check_changed(
        "/apiVersion",
        json!("admission.k8s.io/v1beta1"),
        Code::Unsupported,
        "only AdmissionReview of admission.k8s.io/v1 is supported; list `v1` first in admissionReviewVersions",
    );
    check_changed(
        "/kind",
        json!("Review"),
        Code::Unsupported,
        "only AdmissionReview of admission.k8s.io/v1 is supported; list `v1` first in admissionReviewVersions",
    );
    check_changed(
        "/request/uid",
        json!(""),
        Code::InvalidValue,
        "the request needs a uid, which the response repeats",
    );
    check_changed(
        "/request/uid",
        json!(7),
        Code::InvalidType,
        "invalid type for `uid`: number `7`, expected a string; write it in quotes",
    );
    check_changed(
        "/request/operation",
        json!("update"),
        Code::InvalidValue,
        "the operation must be CREATE, UPDATE, DELETE or CONNECT",
    );
    check_changed(
        "/request/namespace",
        json!(""),
        Code::MissingField,
        "Service objects live in a namespace; the request must name it",
    );
    check_changed(
        "/request/oldObject",
        Value::Null,
        Code::MissingField,
        "a request to UPDATE needs this object",
    );
    check_changed(
        "/request/object/metadata/namespace",
        json!("other"),
        Code::InvalidValue,
        "the namespace of the object differs from that of the request",
    );
    check_changed(
        "/request/object/metadata/name",
        json!("other"),
        Code::InvalidValue,
        "the name of the object differs from that of the request",
    );
    check_changed(
        "/request/object/kind",
        json!("Secret"),
        Code::InvalidValue,
        "this is a `Secret`, but `Service` belongs here",
    );
    check_changed(
        "/request/kind/version",
        json!("v2"),
        Code::Unsupported,
        "only version v1 of Service is supported; set `matchPolicy: Equivalent`",
    );
    check_changed(
        "/request/object/spec/selector",
        json!(["app"]),
        Code::InvalidType,
        "invalid type for `selector`: a list, expected an object whose values are strings",
    );
    check_refused(
        "{}",
        Code::MissingField,
        Some("/apiVersion"),
        "missing field `apiVersion`: it is required",
    );
}

#[test]
fn missing_fields_are_placed_at_their_object() {
    let lacking = |text: &str| {
        reviewer()
            .review(text.as_bytes(), Asking::default())
            .unwrap_err()
            .path()
            .map(str::to_owned)
    };
    let (head, kind) = (
        r#"{"apiVersion":"a","kind":"k""#,
        r#""kind":{"group":"","kind":"k"}"#,
    );
    assert_eq!(lacking(&format!("{head}}}")).as_deref(), Some("/request"));
    assert_eq!(
        lacking(&format!("{head}, \"x\":{{\"y\":[{{\"z\":1}}]}}\n}}")).as_deref(),
        Some("/request")
    );
    assert_eq!(
        lacking(&format!("{head},\"request\":{{\"uid\":\"x\"}}}}")).as_deref(),
        Some("/request/kind")
    );
    assert_eq!(
        lacking(&format!("{head},\"request\":{{\"uid\":\"x\",{kind}}}}}")).as_deref(),
        Some("/request/kind/version")
    );
}

#[test]
fn text_that_can_be_read_in_two_ways() {
    let text = update("crat").to_string();
    let twice = text.replace(
        "\"operation\":\"UPDATE\"",
        "\"operation\":\"UPDATE\",\"operation\":\"CONNECT\"",
    );
    check_refused(
        &twice,
        Code::InvalidJson,
        Some("/request/operation"),
        "duplicate field `operation`: write each key once",
    );
    let twice = text.replace("\"app\":\"crat\"", "\"app\":\"crat\",\"app\":\"cart\"");
    check_refused(
        &twice,
        Code::InvalidJson,
        None,
        "the key `app` appears twice in one object",
    );
    let twice = text.replace("\"dryRun\":false", "\"dryRun\":false,\"dryR\\u0075n\":true");
    check_refused(
        &twice,
        Code::InvalidJson,
        Some("/request/dryRun"),
        "duplicate field `dryRun`: write each key once",
    );
    let twice = text.replace("\"dryRun\":false", "\"resource\":1,\"res\\u006furce\":2");
    check_refused(
        &twice,
        Code::InvalidJson,
        None,
        "the key `resource` appears twice in one object",
    );
    let half = text.replace("\"dryRun\":false", "\"dryRun\":false,\"other\":\"\\ud800\"");
    check_refused(
        &half,
        Code::InvalidJson,
        None,
        "a lone surrogate is not valid Unicode",
    );
}

#[test]
fn text_that_is_no_json() {
    let text = update("crat").to_string();
    for end in [0, 1, 20, text.len() / 2, text.len() - 1] {
        let error = reviewer()
            .review(&text.as_bytes()[..end], Asking::default())
            .unwrap_err();
        assert_eq!(error.code(), Code::InvalidJson, "{end}");
    }
    assert_eq!(
        reviewer()
            .review(format!("{text}x").as_bytes(), Asking::default())
            .unwrap_err()
            .code(),
        Code::InvalidJson
    );
    assert_eq!(
        reviewer()
            .review(b"\"\xff\xfe\"", Asking::default())
            .unwrap_err()
            .code(),
        Code::InvalidJson
    );
    assert_eq!(
        reviewer()
            .review(&vec![b'['; 1 << 20], Asking::default())
            .unwrap_err()
            .code(),
        Code::InvalidType
    );
    assert_eq!(
        reviewer()
            .review(&vec![b' '; MAX_REVIEW_BYTES + 1], Asking::default())
            .unwrap_err()
            .code(),
        Code::TooLarge
    );
}

#[test]
fn configuration_and_snapshot() {
    let refused = |snapshot: &str, config: &str| {
        let error = reading(snapshot, config).err().unwrap();
        (
            error.code(),
            error.path().unwrap_or_default().to_owned(),
            error.line(),
        )
    };
    assert_eq!(
        refused("", "{\n\"policy\": {}}"),
        (Code::UnknownField, "/policy".to_owned(), Some(2))
    );
    assert_eq!(
        refused("", r#"{"policies": {"slice-shape": {"mode": "deny"}}}"#).1,
        "/policies/slice-shape/mode"
    );
    assert_eq!(
        refused(
            "",
            "{\"policies\": {\"slice-shape\":\n{\"maxEndpoints\": 0}}}"
        ),
        (
            Code::InvalidValue,
            "/policies/slice-shape/maxEndpoints".to_owned(),
            Some(2)
        )
    );
    assert_eq!(refused("{", "").0, Code::InvalidJson);
    let mut blind = Reviewer::new(b"").unwrap();
    let answer: Value = serde_json::from_slice(
        &blind
            .review(update("crat").to_string().as_bytes(), Asking::default())
            .unwrap(),
    )
    .unwrap();
    assert_eq!(answer["response"]["allowed"], json!(true));
    assert!(
        answer["response"]["warnings"][0]
            .as_str()
            .unwrap()
            .contains("nothing is known about the cluster")
    );
}
