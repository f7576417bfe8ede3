//! The result of a plan, and how it differs from the slices before.

mod cut;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::cluster::request;
use super::wanted::list;
use crate::{Code, api};

fn bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

fn plan(request: &Value) -> Value {
    serde_json::from_slice(&api::plan(&bytes(request)).unwrap()).unwrap()
}

fn apply(plan: &Value, slices: &Value) -> Value {
    let answer = api::apply(&bytes(plan), &bytes(slices)).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

fn diff(before: &Value, after: &Value) -> Value {
    let answer = api::diff(&bytes(before), &bytes(after)).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

/// Slices of the generator, as a server would have stored them.
fn stored(mut request: Value) -> Value {
    for (number, slice) in (1..).zip(request["slices"].as_array_mut().unwrap()) {
        slice["metadata"]["resourceVersion"] = Value::from(number.to_string());
        slice["metadata"]["generation"] = 1.into();
    }
    request
}

fn count(diff: &Value, change: &str) -> u64 {
    let services = list(&diff["services"]).iter();
    let changes = services.flat_map(|service| list(&service["changes"]));
    let same = changes.filter(|endpoint| endpoint["change"] == change);
    same.count() as u64
}

fn sum(diff: &Value, side: &str) -> u64 {
    let services = list(&diff["services"]).iter();
    let counts = services.map(|service| service["endpoints"][side].as_u64().unwrap());
    counts.sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_122), ..ProptestConfig::default() })]

    #[test]
    fn a_plan_that_is_applied_leaves_nothing_to_do(request in request().prop_map(stored)) {
        let first = plan(&request);
        let applied = apply(&first, &request["slices"]);
        prop_assert_eq!(&applied["refused"], &json!([]));
        let written = ["created", "updated", "deleted"].map(|field| list(&applied[field]).len());
        let planned = ["create", "update", "delete"].map(|field| list(&first[field]).len());
        prop_assert_eq!(written, planned);

        let mut again = request.clone();
        again["slices"] = applied["slices"].clone();
        again["state"] = first["state"].clone();
        let second = plan(&again);
        // `Auto` redistributes hints that it has already distributed, in the reference, too.
        let is_auto = list(&first["hints"]).iter().any(|hints| hints["mode"] == "Auto");
        for field in ["create", "update", "delete"] {
            if field != "update" || !is_auto {
                prop_assert_eq!(&second[field], &json!([]), "{}", field);
            }
        }
    }

    #[test]
    fn what_differs_adds_up_both_ways(request in request().prop_map(stored)) {
        let before = &request["slices"];
        let after = &apply(&plan(&request), before)["slices"];
        let (there, back) = (diff(before, after), diff(after, before));
        for (one, other) in [("added", "removed"), ("removed", "added"), ("changed", "changed"), ("moved", "moved")] {
            prop_assert_eq!(count(&there, one), count(&back, other));
        }
        prop_assert_eq!(sum(&there, "before") + count(&there, "added"), sum(&there, "after") + count(&there, "removed"));
        prop_assert_eq!(&diff(after, after)["services"], &json!([]));
        let changed = list(&there["services"]).iter().map(|service| list(&service["slices"]).len()).sum::<usize>();
        let written = list(&plan(&request)["create"]).len() + list(&plan(&request)["update"]).len() + list(&plan(&request)["delete"]).len();
        prop_assert!(changed <= written, "{} slices differ after {} writes", changed, written);
    }
}

fn slice(name: &str, addresses: &[&str]) -> Value {
    let endpoints = addresses
        .iter()
        .map(|address| json!({"addresses": [address], "conditions": {"ready": true}}));
    json!({
        "metadata": {
            "namespace": "shop", "name": name, "uid": format!("uid-{name}"), "resourceVersion": "5", "generation": 2,
            "labels": {"kubernetes.io/service-name": "cart"},
        },
        "addressType": "IPv4",
        "endpoints": endpoints.collect::<Vec<_>>(),
        "ports": [{"name": "http", "port": 80}, {"name": "admin", "port": 81}],
    })
}

#[test]
fn order_and_what_each_write_changes_are_no_difference() {
    let before = json!([slice("a", &["10.0.0.1", "10.0.0.2"])]);
    let mut after = json!([slice("a", &["10.0.0.2", "10.0.0.1"])]);
    after[0]["metadata"]["resourceVersion"] = "6".into();
    after[0]["metadata"]["generation"] = 3.into();
    after[0]["metadata"]["managedFields"] = json!([{"manager": "kubectl"}]);
    after[0]["kind"] = "EndpointSlice".into();
    after[0]["ports"].as_array_mut().unwrap().reverse();
    assert_eq!(diff(&before, &after)["services"], json!([]));
}

#[test]
fn what_nobody_understands_is_compared_all_the_same() {
    let before = json!([slice("a", &["10.0.0.1"])]);
    let mut after = before.clone();
    after[0]["endpoints"][0]["weight"] = 7.into();
    after[0]["mesh"] = json!({"a/b": true});
    after[0]["metadata"]["finalizers"] = json!(["keep"]);
    let service = &diff(&before, &after)["services"][0];
    assert_eq!(
        service["slices"][0]["fields"],
        json!([{"path": "/mesh", "after": {"a/b": true}}, {"path": "/metadata/finalizers", "after": ["keep"]}])
    );
    assert_eq!(
        service["changes"][0]["fields"],
        json!([{"path": "/weight", "after": 7}])
    );
}

#[test]
fn an_endpoint_moves_between_slices_of_the_same_ports_only() {
    let before = json!([slice("a", &["10.0.0.1"]), slice("b", &[])]);
    let mut after = json!([slice("a", &[]), slice("b", &["10.0.0.1"])]);
    let moved = diff(&before, &after);
    assert_eq!((count(&moved, "moved"), count(&moved, "added")), (1, 0));
    assert_eq!(moved["services"][0]["changes"][0]["from"], "a");
    after[1]["ports"][0]["port"] = 8080.into();
    let other = diff(&before, &after);
    assert_eq!(
        (
            count(&other, "added"),
            count(&other, "removed"),
            count(&other, "moved")
        ),
        (1, 1, 0)
    );
}

#[test]
fn a_slice_that_is_given_to_another_service_leaves_the_first() {
    let before = json!([slice("a", &["10.0.0.1"])]);
    let mut after = before.clone();
    after[0]["metadata"]["labels"]["kubernetes.io/service-name"] = "card".into();
    let services = diff(&before, &after)["services"].clone();
    let seen = list(&services).iter().map(|service| {
        let change = &service["slices"][0]["change"];
        (
            service["service"]["name"].as_str().unwrap(),
            change.as_str().unwrap(),
        )
    });
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [("card", "created"), ("cart", "deleted")]
    );
}

#[test]
fn absent_slices_are_a_warning() {
    let pods = json!({"kind": "PodList", "items": [{"metadata": {"name": "a"}}]});
    let answer = diff(&pods, &json!([slice("a", &["10.0.0.1"])]));
    assert_eq!(answer["warnings"][0]["code"], "NoSlices");
    assert!(
        answer["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("before")
    );
    assert_eq!(list(&answer["warnings"]).len(), 1);
}

/// A serialized plan that changes one slice and creates another.
fn written_plan() -> Value {
    let mut update = slice("a", &["10.0.0.9"]);
    update["metadata"]["labels"]["team"] = "checkout".into();
    let mut create = slice("", &["10.0.0.7"]);
    let metadata = create["metadata"].as_object_mut().unwrap();
    metadata.retain(|key, _| key == "namespace" || key == "labels");
    metadata.insert("generateName".to_owned(), "cart-".into());
    json!({
        "service": {"namespace": "shop", "name": "cart"}, "hints": [{"addressType": "IPv4"}],
        "create": [create], "update": [update],
        "delete": [{"name": "b", "uid": "uid-b", "resourceVersion": "5", "addressType": "IPv4"}],
    })
}

#[test]
fn a_plan_is_written_as_an_api_server_would() {
    let before = json!([slice("a", &["10.0.0.1"]), slice("b", &[]), slice("c", &[])]);
    let applied = apply(&written_plan(), &before);
    assert_eq!(applied["updated"], json!(["shop/a"]));
    assert_eq!(applied["deleted"], json!(["shop/b"]));
    let slices = list(&applied["slices"]);
    assert_eq!(slices.len(), 3);
    let updated = &slices[0]["metadata"];
    assert_eq!(
        (&updated["generation"], &updated["uid"]),
        (&json!(3), &json!("uid-a"))
    );
    assert_eq!(slices[1], before[2], "what is left alone stays as it was");
    let created = &slices[2]["metadata"];
    assert!(created["name"].as_str().unwrap().starts_with("cart-"));
    assert_eq!(created["generation"], 1);

    let mut again = written_plan();
    again["update"] = json!([]);
    again["delete"] = json!([]);
    let second = apply(&again, &applied["slices"]);
    assert_eq!(
        list(&second["slices"]).len(),
        4,
        "a name that is taken is not given twice"
    );
    let uids = list(&second["slices"])
        .iter()
        .map(|slice| slice["metadata"]["uid"].to_string());
    assert_eq!(uids.collect::<std::collections::BTreeSet<_>>().len(), 4);
}

#[test]
fn a_plan_for_other_slices_is_refused_where_they_differ() {
    let mut before = json!([slice("a", &["10.0.0.1"]), slice("b", &[])]);
    before[0]["metadata"]["resourceVersion"] = "6".into();
    let applied = apply(&written_plan(), &before);
    assert_eq!(applied["refused"][0]["error"], "Conflict");
    assert_eq!(applied["refused"][0]["slice"], "shop/a");
    assert_eq!(
        (&applied["skipped"], &applied["deleted"]),
        (&json!(1), &json!([]))
    );
    assert_eq!(
        list(&applied["created"]).len(),
        1,
        "what was done before stays done"
    );

    let applied = apply(&written_plan(), &json!([]));
    assert_eq!(applied["refused"][0]["error"], "NotFound");
}

#[test]
fn plans_of_a_snapshot_are_written_one_after_the_other() {
    let before = json!([slice("a", &["10.0.0.1"]), slice("b", &[])]);
    let mut other = written_plan();
    other["update"] = json!([]);
    other["delete"] = json!([]);
    let applied = apply(&json!({"plans": [written_plan(), other]}), &before);
    assert_eq!(applied["refused"], json!([]));
    assert_eq!(list(&applied["created"]).len(), 2);
}

#[test]
fn a_slice_with_finalizers_waits_for_them() {
    let mut before = json!([slice("a", &["10.0.0.1"]), slice("b", &[])]);
    before[1]["metadata"]["finalizers"] = json!(["keep"]);
    let applied = apply(&written_plan(), &before);
    let kept = &list(&applied["slices"])[1];
    assert_eq!(kept["metadata"]["name"], "b");
    assert!(kept["metadata"]["deletionTimestamp"].is_string());
}

#[track_caller]
fn check_error(answer: Result<Vec<u8>, crate::Error>, code: Code, path: &str) {
    let error = answer.unwrap_err();
    assert_eq!((error.code(), error.path()), (code, Some(path)));
}

#[test]
fn an_error_says_which_input_it_is_in() {
    let slices = bytes(&json!([slice("a", &[])]));
    check_error(api::diff(b"[{", &slices), Code::InvalidJson, "/before");
    check_error(
        api::diff(&slices, br#"{"items": 7}"#),
        Code::InvalidType,
        "/after/items",
    );
    check_error(
        api::diff(&slices, br#"[{"metadata": {"name": 7}}]"#),
        Code::InvalidType,
        "/after/0/metadata/name",
    );
    let mut other = slice("a", &[]);
    other["metadata"]["labels"]["version"] = "other".into();
    let twice = bytes(&json!([slice("a", &[]), other]));
    check_error(
        api::diff(&twice, &slices),
        Code::DuplicateName,
        "/before/1/metadata/name",
    );

    let planned = bytes(&written_plan());
    check_error(
        api::apply(b"{}", &slices),
        Code::MissingField,
        "/plan/service",
    );
    check_error(api::apply(&planned, b""), Code::InvalidJson, "/slices");
    check_error(
        api::apply(&planned, &twice),
        Code::DuplicateName,
        "/slices/1/metadata/name",
    );
    let mut wrong = written_plan();
    wrong["update"][0]["addressType"] = 4.into();
    check_error(
        api::apply(&bytes(&wrong), &slices),
        Code::InvalidType,
        "/plan/update/0/addressType",
    );
    wrong["update"][0]["addressType"] = "IPv4".into();
    wrong["delete"] = json!([{}]);
    check_error(
        api::apply(&bytes(&json!({"plans": [wrong]})), &slices),
        Code::MissingField,
        "/plan/plans/0/delete/0/name",
    );
}
