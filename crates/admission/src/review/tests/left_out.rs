//! One object that cannot be read is left out and named; everything else is taken.

use super::*;

fn pod(name: &str, labels: &Value, address: &Value) -> Value {
    json!({
        "kind": "Pod", "apiVersion": "v1",
        "metadata": {"namespace": "shop", "name": name, "labels": labels, "resourceVersion": "7"},
        "status": {"podIP": address, "podIPs": [{"ip": address}]}
    })
}

pub(super) fn good(name: &str) -> Value {
    pod(name, &json!({"app": "cart"}), &json!("10.1.0.9"))
}

/// Its labels cannot be read, its address can.
pub(super) fn unlabelled(name: &str) -> Value {
    pod(name, &json!({"app": 1}), &json!("10.1.0.8"))
}

/// Its address cannot be read, its labels can.
pub(super) fn unaddressed(name: &str, app: &str) -> Value {
    pod(name, &json!({"app": app}), &json!("ten"))
}

fn added(object: &Value) -> Value {
    json!({"type": "ADDED", "object": object})
}

pub(super) fn list(items: &[Value]) -> Value {
    json!({"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "9"}, "items": items})
}

pub(super) fn listing(kind: &str) -> Value {
    json!({"type": "LISTING", "object": {"kind": kind}})
}

fn end(kind: &str) -> Value {
    json!({"type": "BOOKMARK", "object": {"kind": kind, "metadata": {
        "resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}}})
}

pub(super) fn apply(reviewer: &mut Reviewer, events: &str) -> Value {
    let applied = reviewer.apply(events.as_bytes(), Limits::default());
    serde_json::from_slice(&applied.unwrap()).unwrap()
}

pub(super) fn status(reviewer: &Reviewer, kind: &str) -> (bool, u64, u64) {
    let status: Value = serde_json::from_slice(&reviewer.status().unwrap()).unwrap();
    let status = &status["kinds"][kind];
    (
        status["known"].as_bool().unwrap(),
        status["objects"].as_u64().unwrap(),
        status["leftOut"].as_u64().unwrap(),
    )
}

#[track_caller]
fn check_named(applied: &Value, name: &str, path: &str) {
    let [left_out] = applied["leftOut"].as_array().unwrap().as_slice() else {
        panic!("{applied}")
    };
    assert_eq!(left_out["kind"], "Pod");
    assert_eq!(left_out["namespace"], "shop");
    assert_eq!(left_out["name"], name);
    assert_eq!(left_out["error"]["path"], path, "{applied}");
    assert_eq!(left_out["error"]["code"], "InvalidType");
    assert_eq!(applied["errors"], json!([]));
}

#[test]
fn whatever_it_comes_in_is_taken_without_it() {
    let labels = "metadata/labels/app";
    let (bad, fine) = (unlabelled("bad"), good("fine"));
    let mixed = json!({"kind": "List", "apiVersion": "v1", "items": [bad, fine]});
    for (events, path, known) in [
        (
            json!([added(&bad), added(&fine)]).to_string(),
            "/0/object",
            false,
        ),
        (
            format!("{}\n{}", added(&bad), added(&fine)),
            "/object",
            false,
        ),
        (
            format!("{}\n{}", added(&fine), added(&bad)),
            "/object",
            false,
        ),
        (
            list(&[bad.clone(), fine.clone()]).to_string(),
            "/items/0",
            true,
        ),
        (
            list(&[fine.clone(), bad.clone()]).to_string(),
            "/items/1",
            true,
        ),
        (mixed.to_string(), "/items/0", true),
        (
            format!(
                "{}\n{}\n{}\n{}",
                listing("Pod"),
                added(&bad),
                added(&fine),
                end("Pod")
            ),
            "/object",
            true,
        ),
    ] {
        let mut reviewer = reading("", "").unwrap();
        let applied = apply(&mut reviewer, &events);
        check_named(&applied, "bad", &format!("{path}/{labels}"));
        assert_eq!(status(&reviewer, "Pod"), (known, 1, 1), "{events}");
        if known {
            assert_eq!(applied["listed"], json!(["Pod"]), "{events}");
        }
    }
    let mut reviewer = reading("", "").unwrap();
    let loaded = reviewer.load(mixed.to_string().as_bytes(), Limits::default());
    let loaded = serde_json::to_value(loaded.unwrap()).unwrap();
    check_named(&loaded, "bad", &format!("/items/0/{labels}"));
    assert_eq!(status(&reviewer, "Pod"), (true, 1, 1));
}

#[test]
fn what_was_known_of_it_goes_until_it_can_be_read_again() {
    let mut reviewer = reading("", "").unwrap();
    let mut after = |event: Value| {
        apply(&mut reviewer, &event.to_string());
        let (_, objects, left_out) = status(&reviewer, "Pod");
        (objects, left_out)
    };
    let of = |version: &str, mut pod: Value| {
        pod["metadata"]["resourceVersion"] = version.into();
        pod
    };
    assert_eq!(after(added(&of("1", good("a")))), (1, 0));
    assert_eq!(after(added(&of("5", unlabelled("a")))), (0, 1));
    assert_eq!(after(added(&of("4", good("a")))), (0, 1), "late");
    assert_eq!(after(added(&of("6", good("a")))), (1, 0));
    assert_eq!(after(added(&of("5", unlabelled("a")))), (1, 0), "late");
    assert_eq!(after(added(&of("7", unlabelled("a")))), (0, 1));
    let gone = json!({"type": "DELETED", "object": of("8", unlabelled("a"))});
    assert_eq!(after(gone), (0, 0));
    assert_eq!(after(added(&of("9", unlabelled("a")))), (0, 1));
    assert_eq!(after(list(&[good("b"), unlabelled("c")])), (1, 1));
    assert_eq!(after(list(&[unlabelled("b")])), (0, 1));
    assert_eq!(after(listing("Pod")), (0, 1));
    assert_eq!(after(added(&good("d"))), (1, 1));
    assert_eq!(after(end("Pod")), (1, 0));
    let mut gone = unlabelled("d");
    gone["metadata"]["annotations"] = json!({"a": 1});
    let gone = json!({"type": "DELETED", "object": gone});
    assert_eq!(after(gone), (0, 0), "whatever is wrong with it");
}

#[test]
fn only_what_cannot_be_named_spoils_a_listing() {
    let nameless = json!({"kind": "Pod", "metadata": {"namespace": "shop", "labels": {"app": 1}}});
    let numbered = json!({"kind": "Pod", "metadata": {"namespace": "shop", "name": 1}});
    for broken in [
        added(&nameless),
        added(&numbered),
        json!({"type": "ADDED", "object": 7}),
    ] {
        let mut reviewer = reading("", "").unwrap();
        let events = format!("{}\n{broken}\n{}", listing("Pod"), end("Pod"));
        let applied = apply(&mut reviewer, &events);
        assert_eq!(applied["errors"].as_array().unwrap().len(), 2, "{applied}");
        assert_eq!(status(&reviewer, "Pod"), (false, 0, 0));
    }
    let mut reviewer = reading("", "").unwrap();
    let page = list(&[unlabelled("a"), nameless]).to_string();
    reviewer
        .apply(page.as_bytes(), Limits::default())
        .unwrap_err();
    assert_eq!(
        status(&reviewer, "Pod"),
        (false, 0, 0),
        "nothing of it is taken"
    );
    let cut = list(&[unlabelled("a")]).to_string();
    reviewer
        .apply(&cut.as_bytes()[..cut.len() - 3], Limits::default())
        .unwrap_err();
}

fn slice(address: &str, hints: bool) -> Value {
    let mut endpoint = json!({"addresses": [address], "conditions": {"ready": true}});
    if hints {
        endpoint["hints"] = json!({"forZones": [{"name": "z"}]});
    }
    let labels = json!({"kubernetes.io/service-name": "cart"});
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u", "kind": {"group": "discovery.k8s.io", "version": "v1", "kind": "EndpointSlice"},
            "resource": {"group": "discovery.k8s.io", "version": "v1", "resource": "endpointslices"},
            "name": "cart-1", "namespace": "shop", "operation": "CREATE", "userInfo": {"username": "jane"},
            "object": {
                "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
                "metadata": {"namespace": "shop", "name": "cart-1", "labels": labels},
                "addressType": "IPv4", "endpoints": [endpoint], "ports": [{"name": "http", "port": 80}]
            }
        }
    })
}

/// The rules of the findings of a policy, by what its config says of stale context.
#[track_caller]
fn check_rule(left_out: &Value, policy: &str, review: &Value, expected: &str) {
    let config = json!({"policies": {policy: {"whenStale": "warn"}}}).to_string();
    let mut reviewer = reading(SNAPSHOT, &config).unwrap();
    let listed =
        r#"{"kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1", "items": []}"#;
    apply(&mut reviewer, listed);
    apply(&mut reviewer, &added(left_out).to_string());
    let asking = Asking {
        policy: Some(policy),
        ..Asking::default()
    };
    let answer = reviewer
        .review(review.to_string().as_bytes(), asking)
        .unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.contains(expected), "{left_out}: {answer}");
}

#[test]
fn an_address_may_be_that_of_a_pod_that_cannot_be_read() {
    let policy = "slice-addresses";
    let check = |left_out: &Value, address: &str, expected: &str| {
        check_rule(left_out, policy, &slice(address, false), expected);
    };
    check(&unlabelled("bad"), "10.1.0.8", "Pod bad could not be read");
    check(&unlabelled("bad"), "10.9.0.1", "does not belong to a pod");
    check(
        &unaddressed("bad", "other"),
        "10.9.0.1",
        "Pod bad could not be read",
    );
    let mut elsewhere = unlabelled("bad");
    elsewhere["metadata"]["namespace"] = "other".into();
    check(&elsewhere, "10.1.0.8", "does not belong to a pod");
    check(&unlabelled("bad"), "10.1.0.1", r#""allowed":true"#);
}

#[test]
fn only_the_service_it_concerns_is_not_checked() {
    let service = json!({"kind": "Service", "metadata": {"namespace": "shop", "name": "cart"}, "spec": {"ports": 1}});
    let mut other = service.clone();
    other["metadata"]["name"] = "till".into();
    let review = slice("10.1.0.1", false);
    check_rule(
        &service,
        "slice-shape",
        &review,
        "Service cart could not be read",
    );
    check_rule(&other, "slice-shape", &review, r#""allowed":true"#);
    let sibling = |labels: Value| {
        json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "endpoints": 1,
            "metadata": {"namespace": "shop", "name": "cart-2", "labels": labels}})
    };
    let named = sibling(json!({"kubernetes.io/service-name": "cart"}));
    let unread = "EndpointSlice cart-2 could not be read";
    check_rule(&named, "slice-shape", &review, unread);
    check_rule(
        &sibling(json!({"kubernetes.io/service-name": 1})),
        "slice-shape",
        &review,
        unread,
    );
    let foreign = sibling(json!({"kubernetes.io/service-name": "till"}));
    check_rule(&foreign, "slice-shape", &review, r#""allowed":true"#);
    let node = json!({"kind": "Node", "metadata": {"name": "m"}, "status": {"allocatable": 1}});
    check_rule(
        &node,
        "slice-hints",
        &slice("10.1.0.1", true),
        "Node m could not be read",
    );
    let change = update("till");
    let radius = "service-blast-radius";
    check_rule(
        &unaddressed("bad", "cart"),
        radius,
        &change,
        "Pod bad could not be read",
    );
    check_rule(
        &unlabelled("bad"),
        radius,
        &change,
        "Pod bad could not be read",
    );
    check_rule(&node, radius, &change, "Node m could not be read");
    check_rule(&unaddressed("bad", "bank"), radius, &change, "would");
}
