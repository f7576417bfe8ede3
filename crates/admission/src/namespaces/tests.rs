//! Namespaces of snapshots, lists and watches, as rules see them.

use serde_json::{Value, json};

use crate::{Asking, Reviewer};
use slicewise::api::Limits;

const RULE: &str = "namespaceObject.metadata.?labels.?team.orValue('') == 'web'";

fn config(expression: &str) -> Value {
    let kinds = ["Service", "Node"];
    let rule = json!({"name": "team", "expression": expression, "message": "of another team", "on": {"kinds": kinds}});
    json!({"policies": {"expression": {"validations": [rule]}}})
}

fn reviewer(expression: &str) -> Reviewer {
    Reviewer::new(config(expression).to_string().as_bytes()).unwrap()
}

fn namespace(name: &str, team: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {
        "name": name, "labels": {"team": team}, "annotations": {"note": "\"quoted\""}, "managedFields": [{}],
        "resourceVersion": "7"}, "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}})
}

fn review(kind: &str, namespace: &str) -> String {
    let object = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "cart", "namespace": namespace}});
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u", "kind": {"group": "", "version": "v1", "kind": kind}, "operation": "CREATE", "name": "cart",
        "namespace": namespace, "object": object}})
    .to_string()
}

/// What the rule says of an object in the namespace.
fn said(reviewer: &mut Reviewer, kind: &str, namespace: &str) -> String {
    let answer = reviewer.review(review(kind, namespace).as_bytes(), Asking::default());
    let answer: Value = serde_json::from_slice(&answer.unwrap()).unwrap();
    let response = &answer["response"];
    let is_of_rule = |said: &str| said.contains("expression/");
    let warnings = response["warnings"].as_array().into_iter().flatten();
    let mut warnings = warnings.filter_map(Value::as_str).map(str::to_owned);
    match response["allowed"].as_bool() {
        Some(true) => warnings.find(|said| is_of_rule(said)).unwrap_or_default(),
        _ => response["status"]["message"].as_str().unwrap().into(),
    }
}

fn applied(reviewer: &mut Reviewer, events: &str) -> Value {
    let applied = reviewer
        .apply(events.as_bytes(), Limits::default())
        .unwrap();
    serde_json::from_slice(&applied).unwrap()
}

fn event(event_type: &str, object: &Value) -> String {
    json!({"type": event_type, "object": object}).to_string()
}

#[test]
fn a_rule_sees_the_namespace_of_a_snapshot() {
    let mut reviewer = reviewer(RULE);
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [namespace("shop", "web"), namespace("data", "db")]});
    reviewer
        .load(list.to_string().as_bytes(), Limits::default())
        .unwrap();
    assert_eq!(said(&mut reviewer, "Service", "shop"), "");
    assert_eq!(
        said(&mut reviewer, "Service", "data"),
        "Service data/cart: expression/team: of another team (metadata)"
    );
    let unknown = "expression/not-checked: Service lost/cart: Namespace lost is unknown, so rule team was not evaluated";
    let told = said(&mut reviewer, "Service", "lost");
    assert!(told.starts_with(unknown), "{told}");
}

#[test]
fn it_has_the_fields_that_an_api_server_shows_and_there_is_none_outside() {
    for (kind, expression) in [
        (
            "Service",
            "namespaceObject.metadata.name == 'shop' && namespaceObject.status.phase == 'Active'",
        ),
        (
            "Service",
            "namespaceObject.metadata.annotations.note == '\"quoted\"'",
        ),
        (
            "Service",
            "namespaceObject.spec.finalizers == ['kubernetes']",
        ),
        ("Service", "!has(namespaceObject.metadata.managedFields)"),
        ("Node", "namespaceObject == null"),
    ] {
        let mut reviewer = reviewer(expression);
        applied(&mut reviewer, &event("ADDED", &namespace("shop", "web")));
        let of = if kind == "Node" { "" } else { "shop" };
        assert_eq!(said(&mut reviewer, kind, of), "", "{expression}");
    }
    let error = Reviewer::new(
        config("namespaceObject.labels == {}")
            .to_string()
            .as_bytes(),
    );
    let error = error.err().unwrap();
    assert_eq!(
        error.path(),
        Some("/policies/expression/validations/0/expression")
    );
    assert!(error.message().contains("metadata"), "{}", error.message());
}

#[test]
fn an_unknown_namespace_is_never_passed_over() {
    for (stale, told) in [
        (
            "warn",
            "expression/not-checked: Service shop/cart: the cluster's Namespaces are unknown",
        ),
        (
            "deny",
            "Service shop/cart: expression/not-checked: the cluster's Namespaces are unknown",
        ),
    ] {
        // Not even if the expression is true without it, or asks whether the cluster is known.
        for expression in [
            "namespaceObject == null",
            "context.known || namespaceObject != null",
        ] {
            let mut config = config(expression);
            config["policies"]["expression"]["whenStale"] = stale.into();
            let mut reviewer = Reviewer::new(config.to_string().as_bytes()).unwrap();
            let said = said(&mut reviewer, "Service", "shop");
            assert!(said.starts_with(told), "{said}");
        }
    }
}

#[test]
fn watches_keep_namespaces_current() {
    let mut reviewer = reviewer(RULE);
    let kind = json!({"kind": "Namespace"});
    applied(&mut reviewer, &event("ADDED", &namespace("gone", "web")));
    let [shop, mut other] = [namespace("shop", "web"), namespace("data", "web")];
    other["metadata"]["resourceVersion"] = "8".into();
    let end = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {
        "resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}});
    let lines = [
        event("LISTING", &kind),
        event("ADDED", &shop),
        event("ADDED", &other),
        event("BOOKMARK", &end),
    ];
    let taken = applied(&mut reviewer, &lines.join("\n"));
    assert_eq!(taken["listed"], json!(["Namespace"]));
    assert_eq!(taken["resourceVersions"], json!({"Namespace": "9"}));
    assert_eq!(
        (&taken["taken"], &taken["bookmarks"]),
        (&json!(3), &json!(1))
    );
    assert!(said(&mut reviewer, "Service", "gone").contains("Namespace gone is unknown"));
    assert_eq!(said(&mut reviewer, "Service", "shop"), "");

    let taken = applied(&mut reviewer, &event("MODIFIED", &namespace("shop", "db")));
    assert_eq!(taken["resourceVersions"], json!({"Namespace": "7"}));
    assert!(said(&mut reviewer, "Service", "shop").contains("of another team"));
    applied(&mut reviewer, &event("DELETED", &namespace("shop", "db")));
    assert!(said(&mut reviewer, "Service", "shop").contains("is unknown"));
    let status: Value = serde_json::from_slice(&reviewer.status().unwrap()).unwrap();
    assert_eq!(
        status["kinds"]["Namespace"],
        json!({"known": true, "objects": 1, "leftOut": 0})
    );

    let error = json!({"kind": "Status", "code": 410, "reason": "Expired", "message": "the Namespace list"});
    assert_eq!(
        applied(&mut reviewer, &event("ERROR", &error))["ended"]["code"],
        410
    );
}

#[test]
fn lists_come_whole_or_in_pages() {
    let mut reviewer = reviewer(RULE);
    let page = |items: &Value, next: &str| {
        let metadata = json!({"resourceVersion": "5", "continue": next});
        json!({"kind": "NamespaceList", "apiVersion": "v1", "metadata": metadata, "items": items})
            .to_string()
    };
    let first = page(&json!([namespace("shop", "web")]), "more");
    let refused = reviewer
        .apply(first.as_bytes(), Limits::default())
        .unwrap_err();
    assert_eq!(refused.path(), Some("/metadata/continue"));
    applied(
        &mut reviewer,
        &event("LISTING", &json!({"kind": "Namespace"})),
    );
    assert_eq!(applied(&mut reviewer, &first)["continue"], "more");
    let last = applied(&mut reviewer, &page(&json!([namespace("data", "db")]), ""));
    assert_eq!(
        (&last["listed"], &last["resourceVersions"]),
        (&json!(["Namespace"]), &json!({"Namespace": "5"}))
    );
    assert_eq!(said(&mut reviewer, "Service", "shop"), "");
    applied(&mut reviewer, &page(&json!([namespace("data", "web")]), ""));
    assert!(said(&mut reviewer, "Service", "shop").contains("is unknown"));
    assert_eq!(said(&mut reviewer, "Service", "data"), "");

    let nameless = json!([{"metadata": {"labels": {}}}]);
    let error = reviewer.apply(page(&nameless, "").as_bytes(), Limits::default());
    assert_eq!(error.unwrap_err().path(), Some("/items/0/metadata/name"));
}

/// Lines of other kinds go to the session as they are.
#[test]
fn namespaces_are_taken_among_others() {
    let mut reviewer = reviewer(RULE);
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "Namespace"}});
    let lines = [
        event("ADDED", &node),
        event("ADDED", &namespace("shop", "web")),
        "{\"Namespace\"".into(),
    ];
    let taken = applied(&mut reviewer, &lines.join("\n"));
    assert_eq!(
        (&taken["taken"], &taken["ignored"]),
        (&json!(2), &json!({}))
    );
    assert_eq!(taken["errors"][0]["line"], 3);
    assert_eq!(said(&mut reviewer, "Service", "shop"), "");
}

#[test]
fn without_a_rule_that_reads_them_they_are_not_kept() {
    let mut reviewer = reviewer("object != null");
    let taken = applied(&mut reviewer, &event("ADDED", &namespace("shop", "web")));
    assert_eq!(taken["ignored"], json!({"Namespace": 1}));
    let status: Value = serde_json::from_slice(&reviewer.status().unwrap()).unwrap();
    assert_eq!(status["kinds"].get("Namespace"), None);
    reviewer
        .configure(config(RULE).to_string().as_bytes())
        .unwrap();
    assert!(said(&mut reviewer, "Service", "shop").contains("Namespaces are unknown"));
}

#[test]
fn an_explanation_says_that_the_namespace_was_looked_at() {
    let mut reviewer = reviewer(RULE);
    applied(&mut reviewer, &event("ADDED", &namespace("shop", "web")));
    let told = reviewer.explain(review("Service", "shop").as_bytes(), Asking::default());
    let told = String::from_utf8(told.unwrap()).unwrap();
    assert!(
        told.contains(
            "expression: found nothing wrong; it looked at the Namespaces of the cluster."
        ),
        "{told}"
    );
}

#[test]
fn fields_that_nobody_reads_may_be_as_deep_as_an_api_server_takes() {
    let deep = (0..150).fold(json!({}), |inner, _| json!({"f:a": inner}));
    let mut large = namespace("shop", "web");
    large["metadata"]["managedFields"] = json!([{"fieldsV1": deep}]);
    large["metadata"]["annotations"]["note"] = json!("<".repeat(250 << 10));
    let list = json!({"apiVersion": "v1", "kind": "NamespaceList", "metadata": {"resourceVersion": "7"}, "items": [large]});
    let of_all = json!({"apiVersion": "v1", "kind": "List", "items": [large]}).to_string();

    let mut loaded = reviewer(RULE);
    loaded.load(of_all.as_bytes(), Limits::default()).unwrap();
    assert_eq!(said(&mut loaded, "Service", "shop"), "");
    let lines = [
        list.to_string(),
        event("MODIFIED", &large),
        event("ADDED", &large),
    ];
    for line in lines {
        let mut watched = reviewer(RULE);
        let told = applied(&mut watched, &line);
        assert_eq!(told["taken"], 1, "{told}");
        assert_eq!(said(&mut watched, "Service", "shop"), "");
    }
}
