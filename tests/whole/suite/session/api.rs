//! A session over bytes: what is taken, what is tolerated, what is refused.

use serde_json::{Value, json};

use crate::api::{Limits, Session};

pub(super) fn session() -> Session {
    Session::new(b"").unwrap()
}

pub(super) fn apply(session: &mut Session, events: &str) -> Value {
    let applied = session.apply(events.as_bytes(), Limits::default()).unwrap();
    serde_json::from_slice(&applied).unwrap()
}

fn sync(session: &mut Session, service: &str) -> Value {
    serde_json::from_slice(&session.sync(service).unwrap()).unwrap()
}

pub(super) fn pod(name: &str, version: &str, ready: &str) -> Value {
    json!({
        "kind": "Pod", "apiVersion": "v1",
        "metadata": {"name": name, "namespace": "shop", "resourceVersion": version, "labels": {"app": "cart"}},
        "spec": {"nodeName": "n"},
        "status": {"podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": ready}]},
    })
}

pub(super) fn event(kind: &str, object: &Value) -> String {
    // As an API server sends it, with its type first.
    let text = object.to_string();
    let rest = text.trim_start_matches('{');
    let head = format!(
        r#""kind":{},"apiVersion":{}"#,
        object["kind"], object["apiVersion"]
    );
    let rest: Value = serde_json::from_str(&format!("{{{rest}")).unwrap();
    let mut fields = rest.as_object().unwrap().clone();
    fields.remove("kind");
    fields.remove("apiVersion");
    let body = Value::Object(fields).to_string();
    format!(
        r#"{{"type":"{kind}","object":{{{head},{}}}"#,
        body.trim_start_matches('{')
    )
}

pub(super) fn cart() -> Value {
    json!({
        "kind": "Service", "apiVersion": "v1", "metadata": {"name": "cart", "namespace": "shop", "uid": "u"},
        "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80, "protocol": "TCP", "targetPort": 80}]},
    })
}

fn node() -> Value {
    json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n"}})
}

pub(super) fn counts(applied: &Value) -> String {
    ["taken", "late", "unknown", "bookmarks"]
        .map(|field| applied[field].to_string())
        .join(" ")
}

#[test]
fn events_come_one_by_one_in_arrays_lists_and_lines() {
    let mut session = session();
    assert_eq!(
        counts(&apply(&mut session, &event("ADDED", &cart()))),
        "1 0 0 0"
    );
    let array = format!(
        "[{},{}]",
        event("ADDED", &node()),
        event("ADDED", &pod("p", "1", "True"))
    );
    assert_eq!(counts(&apply(&mut session, &array)), "2 0 0 0");
    let plan = sync(&mut session, "shop/cart");
    assert_eq!(
        plan["create"][0]["endpoints"][0]["conditions"]["ready"],
        true
    );
    let lines = format!(
        "{}\n\n{}\n",
        event("MODIFIED", &pod("p", "2", "False")),
        event("ADDED", &pod("q", "3", "True"))
    );
    assert_eq!(counts(&apply(&mut session, &lines)), "2 0 0 0");
    assert_eq!(sync(&mut session, "shop/cart")["stats"]["endpoints"], 2);
    let list = json!({"kind": "PodList", "apiVersion": "v1", "items": [pod("q", "3", "True")]});
    assert_eq!(counts(&apply(&mut session, &list.to_string())), "1 0 0 0");
    assert_eq!(
        sync(&mut session, "shop/cart")["stats"]["endpoints"],
        1,
        "what a list lacks is gone"
    );
    assert_eq!(sync(&mut session, "shop/other"), Value::Null);
    assert_eq!(
        String::from_utf8(session.services().unwrap()).unwrap(),
        r#"["shop/cart"]"#
    );
}

#[test]
fn the_usual_event_is_read_as_any_other() {
    let usual = event("ADDED", &pod("p", "7", "True"));
    let general = json!({"object": pod("p", "7", "True"), "type": "ADDED"}).to_string();
    let dump = |event: &str| {
        let mut session = session();
        apply(&mut session, event);
        String::from_utf8(session.dump().unwrap()).unwrap()
    };
    assert_eq!(dump(&usual), dump(&general));
    assert!(dump(&usual).contains(r#""resourceVersion":"7""#));
}

#[test]
fn late_and_unknown_events_change_nothing() {
    let mut session = session();
    apply(&mut session, &event("ADDED", &pod("p", "10", "True")));
    let before = session.dump().unwrap();
    assert_eq!(
        counts(&apply(
            &mut session,
            &event("MODIFIED", &pod("p", "9", "False"))
        )),
        "0 1 0 0"
    );
    assert_eq!(
        counts(&apply(
            &mut session,
            &event("DELETED", &pod("p", "9", "False"))
        )),
        "0 1 0 0"
    );
    let unknown = json!({"type": "DELETED", "object": {"kind": "Pod", "metadata": {"namespace": "shop", "name": "x"}}});
    assert_eq!(
        counts(&apply(&mut session, &unknown.to_string())),
        "0 0 1 0"
    );
    let bookmark = json!({"type": "BOOKMARK", "object": {"kind": "Pod", "metadata": {"resourceVersion": "11"}}});
    assert_eq!(
        counts(&apply(&mut session, &bookmark.to_string())),
        "0 0 0 1"
    );
    let end = json!({"type": "BOOKMARK", "object": {"kind": "Pod", "metadata": {"annotations": {"k8s.io/initial-events-end": "true"}}}});
    assert_eq!(counts(&apply(&mut session, &end.to_string())), "0 0 0 1");
    let other = json!({"type": "ADDED", "object": {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "c"}}});
    assert_eq!(
        apply(&mut session, &other.to_string())["ignored"],
        json!({"ConfigMap": 1})
    );
    assert_eq!(session.dump().unwrap(), before);
    let gone = json!({"type": "DELETED", "object": {"kind": "Pod", "metadata": {"namespace": "shop", "name": "p"}}});
    assert_eq!(counts(&apply(&mut session, &gone.to_string())), "1 0 0 0");
    assert!(session.session().is_empty());
}

#[track_caller]
pub(super) fn check_refused(events: &str, expected: &str) {
    let mut session = session();
    apply(&mut session, &event("ADDED", &pod("p", "10", "True")));
    let before = session.dump().unwrap();
    let error = session
        .apply(events.as_bytes(), Limits::default())
        .unwrap_err();
    assert_eq!(
        format!("{:?} {}", error.code(), error.path().unwrap_or_default()),
        expected,
        "{}",
        error.message()
    );
    assert_eq!(session.dump().unwrap(), before, "something of it was taken");
}

#[test]
fn what_cannot_be_read_changes_nothing() {
    let good = event("ADDED", &pod("q", "1", "True"));
    check_refused("", "InvalidJson ");
    check_refused("{}", "MissingField /type");
    check_refused(r#"{"type":"ADDED"}"#, "MissingField /object");
    check_refused(
        r#"{"type":"GONE","object":{"kind":"Pod","metadata":{"name":"p"}}}"#,
        "InvalidValue /type",
    );
    check_refused(
        &format!("[{good},{{\"type\":\"ADDED\",\"object\":{{}}}}]"),
        "MissingField /1/object/kind",
    );
    check_refused(
        &event("ADDED", &pod("", "1", "True")),
        "MissingField /object/metadata/name",
    );
    let mut session = session();
    let bad = apply(&mut session, &good.replace("10.0.0.1", "10.0.0"));
    let left_out = &bad["leftOut"][0];
    assert_eq!(
        (&left_out["kind"], &left_out["name"]),
        (&json!("Pod"), &json!("q"))
    );
    assert_eq!(left_out["error"]["path"], "/object/status/podIPs/0/ip");
    assert_eq!(counts(&bad), "0 0 0 0");
    check_refused(
        &good.replace(r#""kind":"Pod""#, r#""kind":"Pod","kind":"Pod""#),
        "InvalidJson /object/kind",
    );
}

#[test]
fn a_bad_line_does_not_hold_up_the_others() {
    let mut session = session();
    let lines = format!(
        "{}\n{{\"type\": 1}}\nnonsense\n{}",
        event("ADDED", &pod("p", "1", "True")),
        event("ADDED", &pod("q", "1", "True"))
    );
    let applied = apply(&mut session, &lines);
    assert_eq!(counts(&applied), "2 0 0 0");
    let errors = applied["errors"].as_array().unwrap();
    let errors: Vec<_> = errors
        .iter()
        .map(|error| format!("{} {}", error["line"], error["error"]["code"]))
        .collect();
    assert_eq!(errors, ["2 \"InvalidType\"", "3 \"InvalidJson\""]);
}

#[test]
fn the_first_line_says_whether_there_are_several() {
    let event = event("ADDED", &pod("q", "1", "True"));
    let applied = apply(&mut session(), &format!("\n{event}\n[]\n[{event}"));
    assert_eq!(applied["taken"], 1);
    assert_eq!(applied["errors"][0]["line"], 4);
    check_refused(&format!("nonsense\n{event}"), "InvalidJson ");
    check_refused(&format!("7\n{event}"), "InvalidType ");
}

#[test]
fn one_object_that_is_cut_off_is_no_several_lines() {
    let list =
        json!({"kind": "PodList", "apiVersion": "v1", "items": [pod("q", "3", "True"), {}, []]});
    let text = serde_json::to_string_pretty(&list).unwrap();
    for end in [text.len() / 2, text.len() - 1, 2] {
        check_refused(text.get(..end).unwrap(), "InvalidJson ");
    }
}

#[test]
fn errors_of_lines_are_told_up_to_a_hundred() {
    let lines = |bad: usize| format!("[]\n{}", "nonsense\n".repeat(bad));
    let applied = apply(&mut session(), &lines(100));
    assert_eq!(applied["errors"].as_array().unwrap().len(), 100);
    assert!(applied.get("moreErrors").is_none());
    let applied = apply(&mut session(), &lines(123));
    assert_eq!(applied["errors"].as_array().unwrap().len(), 100);
    assert_eq!(applied["moreErrors"], 23);
}

#[test]
fn what_went_does_not_come_back_by_events_that_are_late() {
    let mut session = session();
    for (kind, version, expected) in [
        ("ADDED", "5", "1 0 0 0"),
        ("DELETED", "9", "1 0 0 0"),
        ("MODIFIED", "8", "0 1 0 0"),
        ("DELETED", "8", "0 1 0 0"),
        ("ADDED", "10", "1 0 0 0"),
        ("DELETED", "11", "1 0 0 0"),
        ("ADDED", "10", "0 1 0 0"),
    ] {
        let applied = apply(&mut session, &event(kind, &pod("p", version, "True")));
        assert_eq!(counts(&applied), expected, "{kind} {version}");
    }
    assert!(session.session().is_empty());
    // A list takes precedence.
    let list = json!({"kind": "PodList", "items": []}).to_string();
    apply(&mut session, &list);
    let applied = apply(&mut session, &event("ADDED", &pod("p", "8", "True")));
    assert_eq!(counts(&applied), "1 0 0 0");
}

#[test]
fn one_object_over_several_lines_is_one() {
    let list = json!({"kind": "PodList", "apiVersion": "v1", "items": [pod("q", "3", "True")]});
    let text = serde_json::to_string_pretty(&list).unwrap();
    assert_eq!(counts(&apply(&mut session(), &text)), "1 0 0 0");
    let bad = apply(&mut session(), &text.replace("10.0.0.1", "10.0.0"));
    assert_eq!(
        bad["leftOut"][0]["error"]["path"],
        "/items/0/status/podIPs/0/ip"
    );
}

#[test]
fn pods_that_come_and_go_between_syncs_leave_nothing() {
    let mut session = session();
    apply(&mut session, &event("ADDED", &cart()));
    sync(&mut session, "shop/cart");
    let before = session.dump().unwrap();
    for number in 0..50 {
        let pod = pod(&format!("p{number}"), "1", "True");
        apply(&mut session, &event("ADDED", &pod));
        apply(&mut session, &event("DELETED", &pod));
    }
    assert_eq!(session.dump().unwrap(), before);
}

#[test]
fn annotations_that_no_plan_looks_at_are_not_kept() {
    let mut session = session();
    let mut service = cart();
    service["metadata"]["annotations"] =
        json!({"checked-at": "now", "service.kubernetes.io/topology-mode": "Auto"});
    apply(&mut session, &event("ADDED", &service));
    let dump: Value = serde_json::from_slice(&session.dump().unwrap()).unwrap();
    let annotations = &dump["services"][0]["metadata"]["annotations"];
    assert_eq!(
        annotations,
        &json!({"service.kubernetes.io/topology-mode": "Auto"})
    );
}

#[test]
fn a_dump_is_checked() {
    let check = |dump: Value, expected: &str| {
        let error = Session::restore(dump.to_string().as_bytes(), Limits::default())
            .err()
            .unwrap();
        assert_eq!(
            format!("{:?} {}", error.code(), error.path().unwrap_or_default()),
            expected,
            "{}",
            error.message()
        );
    };
    check(json!([]), "InvalidType ");
    check(json!({}), "MissingField /version");
    check(json!({"version": 2}), "Unsupported /version");
    check(json!({"version": 0}), "Unsupported /version");
    check(json!({"version": "1"}), "InvalidType /version");
    check(json!({"version": 1, "pod": []}), "UnknownField /pod");
    check(
        json!({"version": 1, "options": {"maxEndpointsPerSlice": 0}}),
        "InvalidValue /options/maxEndpointsPerSlice",
    );
    check(
        json!({"version": 1, "pods": [{"metadata": {"name": "p"}}, {"metadata": {"name": "p"}}]}),
        "DuplicateName /pods/1/metadata/name",
    );
    let state = json!({"namespace": "shop", "name": "cart"});
    check(
        json!({"version": 1, "services": [cart()], "states": [state, state]}),
        "DuplicateName /states/1",
    );
    check(
        json!({"version": 1, "states": [state]}),
        "InvalidValue /states/0",
    );
}

#[test]
fn a_service_is_named_with_its_namespace() {
    for name in ["", "cart", "a/b/c", "shop/"] {
        let error = session().sync(name).unwrap_err();
        assert_eq!(error.code(), crate::Code::InvalidValue, "{name}");
    }
}
