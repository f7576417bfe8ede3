//! Every kind of bad input gets a code, a position and a message that says how to fix it.

use crate::api::{self, MAX_INPUT_BYTES};

#[track_caller]
pub(super) fn check(input: &str, code: &str, path: Option<&str>, message: &str) {
    let error = api::plan(input.as_bytes()).expect_err("bad input was taken");
    assert_eq!(error.code().as_str(), code, "{error:?}");
    assert_eq!(error.path(), path, "{error:?}");
    assert!(error.message().contains(message), "{error:?}");
    assert!(
        error.line().is_some() && error.column().is_some(),
        "no position: {error:?}"
    );
}

#[track_caller]
pub(super) fn check_snapshot(input: &str, code: &str, path: Option<&str>, message: &str) {
    let error = api::plan_snapshot(input.as_bytes(), b"").expect_err("bad input was taken");
    assert_eq!(
        (error.code().as_str(), error.path()),
        (code, path),
        "{error:?}"
    );
    assert!(error.message().contains(message), "{error:?}");
}

pub(super) fn with(rest: &str) -> String {
    format!(
        r#"{{"service": {{"metadata": {{"namespace": "shop", "name": "cart"}}, "spec": {{"selector": {{"app": "cart"}}}}}}, {rest}}}"#
    )
}

#[test]
fn not_json() {
    check("", "InvalidJson", None, "the input is empty");
    check(" \n", "InvalidJson", None, "the input is empty");
    check("hello", "InvalidJson", None, "expected value");
    check(r#"{"service": "#, "InvalidJson", None, "was it truncated?");
    check(
        &format!("{} {{}}", with(r#""pods": []"#)),
        "InvalidJson",
        None,
        "give one request at a time",
    );
    check(
        r#"{"service": {"metadata": {"name": "a", "name": "b"}}}"#,
        "InvalidJson",
        Some("/service/metadata/name"),
        "duplicate field",
    );
    check(
        "{} {}",
        "MissingField",
        Some("/service"),
        "missing field `service`",
    );
    check(
        &with(r#""pods": [{"metadata": {"name": "\ud800"}}]"#),
        "InvalidJson",
        None,
        "hex escape",
    );
}

/// Decoders read a duplicate key differently, whatever object it is in.
#[test]
fn keys_given_twice() {
    check(
        &with(r#""pods": [{"metadata": {"name": "a", "labels": {"x": "1", "y": "2", "x": "3"}}}]"#),
        "InvalidJson",
        Some("/pods/0/metadata/labels/x"),
        "duplicate field `x`: write each key once",
    );
    check(
        &with(
            r#""slices": [{"metadata": {"name": "a"}, "addressType": "IPv4", "zzz": 1, "zzz": 2}]"#,
        ),
        "InvalidJson",
        Some("/slices/0/zzz"),
        "duplicate field `zzz`",
    );
    // The message is shortened, the path is not.
    let long = "x".repeat(70);
    check(
        &with(&format!(
            r#""pods": [{{"metadata": {{"name": "a", "labels": {{"{long}": "1", "{long}": "2"}}}}}}]"#
        )),
        "InvalidJson",
        Some(&format!("/pods/0/metadata/labels/{long}")),
        "duplicate field `xxx",
    );
}

#[test]
fn messages_do_not_repeat_all_of_the_input() {
    let long = "x".repeat(100_000);
    let error = api::plan(format!(r#"{{"service": "{long}"}}"#).as_bytes()).unwrap_err();
    assert!(error.message().len() < 1_000, "{}", error.message().len());
    let error = api::plan(format!(r#"{{"{long}": 1}}"#).as_bytes()).unwrap_err();
    assert!(error.message().len() < 1_500, "{}", error.message().len());
}

#[test]
fn wrong_shapes() {
    check("{}", "MissingField", Some("/service"), "service");
    check("[]", "InvalidType", None, "these are objects");
    check("7", "InvalidType", None, "expected an object");
    check(
        r#"{"service": []}"#,
        "InvalidType",
        Some("/service"),
        "expected an object (Service)",
    );
    check(
        r#"{"service": {}}"#,
        "MissingField",
        Some("/service/metadata"),
        "metadata",
    );
    check(
        &with(r#""pods": {}"#),
        "InvalidType",
        Some("/pods"),
        "expected a list of objects",
    );
    check(
        &with(r#""podz": []"#),
        "UnknownField",
        Some("/podz"),
        "podz",
    );
    check(
        &with(r#""options": {"max": 1}"#),
        "UnknownField",
        Some("/options/max"),
        "max",
    );
    check(
        &with(r#""pods": [{"metadata": {"name": "a", "labels": {"x": 1}}}]"#),
        "InvalidType",
        Some("/pods/0/metadata/labels/x"),
        "expected a string; write it in quotes",
    );
    check(
        &with(
            r#""slices": [{"metadata": {"name": "a"}, "endpoints": [{"conditions": {"ready": "yes"}}]}]"#,
        ),
        "InvalidType",
        Some("/slices/0/endpoints/0/conditions/ready"),
        "boolean",
    );
}

/// Spaces change nothing, and items are counted.
#[test]
fn wrong_shapes_of_items() {
    for (ips, path) in [
        ("[[7]]", "/pods/0/status/podIPs/0"),
        ("[ [ 7 ] ]", "/pods/0/status/podIPs/0"),
        (r#"[{"ip":"10.0.0.1"},[]]"#, "/pods/0/status/podIPs/1"),
        (r#"[{"ip":{}}]"#, "/pods/0/status/podIPs/0/ip"),
        (r#"[ { "ip" : [{}] } ]"#, "/pods/0/status/podIPs/0/ip"),
        (r#"{"ip":[]}"#, "/pods/0/status/podIPs"),
    ] {
        let pods =
            format!(r#""pods": [{{"metadata": {{"name": "a"}}, "status": {{"podIPs":{ips}}}}}]"#);
        check(&with(&pods), "InvalidType", Some(path), "invalid type");
    }
}

#[test]
fn names() {
    check(
        &with(r#""pods": [{"metadata": {"namespace": "shop", "labels": {"a": "b"}}}]"#),
        "MissingField",
        Some("/pods/0/metadata/name"),
        "name",
    );
    check(
        r#"{"pods": [], "nodes": []}"#,
        "MissingField",
        Some("/service"),
        "service",
    );
    check(
        &with(r#""pods": [{"metadata": {}}]"#),
        "MissingField",
        Some("/pods/0/metadata/name"),
        "name",
    );
    check(
        &with(r#""pods": [{"metadata": {"name": ""}}]"#),
        "MissingField",
        Some("/pods/0/metadata/name"),
        "needs `metadata.name`",
    );
    check(
        &with(r#""slices": [{"addressType": "IPv4"}]"#),
        "MissingField",
        Some("/slices/0/metadata/name"),
        "EndpointSlice number 0",
    );
    check(
        &with(r#""pods": [{"metadata": {"name": "a"}}, {"metadata": {"name": "a"}}]"#),
        "DuplicateName",
        Some("/pods/1/metadata/name"),
        "appears twice",
    );
    check(
        &with(r#""nodes": [{"metadata": {"name": "a"}}, {"metadata": {"name": "a"}}]"#),
        "DuplicateName",
        Some("/nodes/1/metadata/name"),
        "appears twice",
    );
}

#[test]
fn values() {
    let pod = |ip: &str| {
        with(&format!(
            r#""pods": [{{"metadata": {{"name": "a"}}, "status": {{"podIPs": [{{"ip": "{ip}"}}]}}}}]"#
        ))
    };
    check(
        &pod("10.0.0.300"),
        "InvalidValue",
        Some("/pods/0/status/podIPs/0/ip"),
        "is not an IP address",
    );
    check(
        &pod(""),
        "InvalidValue",
        Some("/pods/0/status/podIPs/0/ip"),
        "is not an IP address",
    );
    let node = |cpu: &str| {
        with(&format!(
            r#""nodes": [{{"metadata": {{"name": "a"}}, "status": {{"allocatable": {{"cpu": {cpu}}}}}}}]"#
        ))
    };
    check(
        &node("\"four\""),
        "InvalidValue",
        Some("/nodes/0/status/allocatable/cpu"),
        "is not a quantity",
    );
    check(
        &node("true"),
        "InvalidType",
        Some("/nodes/0/status/allocatable/cpu"),
        "quantity",
    );
    check(
        &node("\"1e999\""),
        "InvalidValue",
        Some("/nodes/0/status/allocatable/cpu"),
        "is not a quantity",
    );
    check(
        &with(r#""triggerTime": "noon""#),
        "InvalidValue",
        Some("/triggerTime"),
        "RFC 3339",
    );
    check(
        &with(r#""state": {"what": 1}"#),
        "UnknownField",
        Some("/state/what"),
        "what",
    );
    check(
        &with(r#""endpoints": [{"addresses": ["x"]}]"#),
        "InvalidValue",
        Some("/endpoints/0/addresses/0"),
        "is not an IP address",
    );
    check(
        &with(r#""endpoints": [{"addresses": []}]"#),
        "InvalidValue",
        Some("/endpoints/0/addresses"),
        "at least one address",
    );
}

#[test]
fn bombs() {
    let is_cut = |bomb: &str| check(bomb, "InvalidJson", None, "the input ends too early");
    check(
        &"[".repeat(200_000),
        "InvalidType",
        None,
        "these are objects",
    );
    let pods = with(r#""pods": [{"metadata": {"name": "a", "x": "#);
    is_cut(&(pods.trim_end_matches('}').to_owned() + &"[".repeat(100_000)));
    check(
        &format!(r#"{{"a":{}"#, "[".repeat(200_000)),
        "UnknownField",
        Some("/a"),
        "unknown field `a`",
    );
    let lists = |depth: usize| {
        let (open, close) = (r#"{"kind":"List","items":["#, "]}");
        open.repeat(depth) + &close.repeat(depth)
    };
    check_snapshot(&lists(1000), "TooDeep", None, "nested deeper than 100");
    let error = api::plan(&vec![b' '; MAX_INPUT_BYTES + 1]).unwrap_err();
    assert_eq!(error.code().as_str(), "TooLarge");
}

#[test]
fn snapshots() {
    check_snapshot(
        r#"{"items": [{"metadata": {"name": "a"}}]}"#,
        "MissingField",
        Some("/items/0/kind"),
        "no `kind`",
    );
    check_snapshot(
        r#"{"apiVersion": "v1", "items": [{"kind": "Pod", "metadata": {"name": "a"}}]}"#,
        "MissingField",
        Some("/kind"),
        "the end of the input may be missing",
    );
    check_snapshot(
        r#"[{"kind": "Pod", "metadata": {}}]"#,
        "MissingField",
        Some("/0/metadata/name"),
        "name",
    );
    check_snapshot(
        r#"{"kind": "PodList", "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "a", "uid": "b"}}]}"#,
        "DuplicateName",
        Some("/items/1/metadata/name"),
        "appears twice",
    );
    check_snapshot(
        r#"{"kind": "List", "items": 7}"#,
        "InvalidType",
        Some("/items"),
        "expected",
    );
    check_snapshot("7", "InvalidType", None, "object");
    let error = api::plan_snapshot(b"{\"kind\": \"List\",\n \"items\": [\n  {\"kind\": \"Node\", \"metadata\": {\"name\": 3}}]}", b"").unwrap_err();
    assert_eq!(
        (error.path(), error.line()),
        (Some("/items/0/metadata/name"), Some(3))
    );
    let error = api::plan_snapshot(b"[]", b"{\"maxEndpointsPerSlice\": 0}").unwrap_err();
    assert_eq!(
        (error.path(), error.line()),
        (Some("/maxEndpointsPerSlice"), Some(1))
    );
}

#[test]
fn null_is_absent() {
    let request = r#"{"service": {"metadata": {"name": "cart", "namespace": "shop", "labels": null, "annotations": null},
        "spec": {"selector": {"app": "cart"}, "ports": null, "clusterIP": null, "ipFamilies": null}},
        "pods": null, "nodes": null, "slices": null, "endpoints": null, "triggerTime": null, "state": null, "options": null}"#;
    assert!(api::plan(request.as_bytes()).is_ok());
    let object = with(
        r#""pods": [{"metadata": {"name": "a", "labels": null, "deletionTimestamp": null}, "spec": null, "status": null}],
        "slices": [{"metadata": {"name": "a", "labels": null}, "endpoints": null, "ports": null, "addressType": "IPv4"}]"#,
    );
    assert!(api::plan(object.as_bytes()).is_ok());
}

#[test]
fn unknown_fields_of_kubernetes_objects_are_taken() {
    let request = with(
        r#""pods": [{"metadata": {"name": "a", "future": {"deep": [1]}}, "more": 1}], "nodes": [{"metadata": {"name": "n"}, "x": null}]"#,
    );
    assert!(api::plan(request.as_bytes()).is_ok());
}

#[test]
fn the_wrong_door() {
    let list = r#"{"kind": "List", "apiVersion": "v1", "items": []}"#;
    check(
        list,
        "UnknownField",
        Some("/kind"),
        "which `planSnapshot` takes",
    );
    check_snapshot(
        &with(r#""pods": []"#),
        "MissingField",
        Some("/kind"),
        "which `plan` takes",
    );
    let request = r#"{"pods": [], "service": {}}"#;
    check_snapshot(
        request,
        "UnknownField",
        Some("/service"),
        "which `plan` takes",
    );
    check_snapshot(
        "{}",
        "MissingField",
        Some("/kind"),
        "this object has no `kind`",
    );
}

#[test]
fn caches() {
    let of = |rest: &str| format!(r#"{{"services": [], {rest}}}"#);
    let name = Some("/pods/0/metadata/name");
    check_snapshot(
        &of(r#""pods": [{"metadata": {"name": 1}}]"#),
        "InvalidType",
        name,
        "number `1`",
    );
    check_snapshot(
        &of(r#""pods": [], "pods": []"#),
        "InvalidJson",
        Some("/pods"),
        "duplicate",
    );
    check_snapshot(
        &of(r#""slices": 3"#),
        "InvalidType",
        Some("/slices"),
        "expected a list",
    );
    let nested = Some("/nodes/items/0/metadata");
    check_snapshot(
        &of(r#""nodes": {"items": [{}]}"#),
        "MissingField",
        nested,
        "required",
    );
}
