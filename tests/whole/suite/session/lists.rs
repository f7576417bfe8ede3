//! Lists as bytes: which are complete, and which cannot be.

use serde_json::json;

use super::api::{apply, cart, check_refused, counts, event, pod, session};

#[test]
fn a_list_without_a_kind_that_is_known_is_refused() {
    let pods =
        json!({"kind": "List", "apiVersion": "v1", "items": [pod("q", "3", "True")]}).to_string();
    // If none of the others are known, none are lost.
    assert_eq!(counts(&apply(&mut session(), &pods)), "4 0 0 0");
    let services = json!({"kind": "List", "apiVersion": "v1", "items": [cart()]}).to_string();
    check_refused(&services, "InvalidValue /items");
    check_refused(r#"{"kind": "List", "items": []}"#, "InvalidValue /items");
    let none = r#"{"kind": "PodList", "items": []}"#;
    let mut session = session();
    apply(&mut session, &pods);
    apply(&mut session, none);
    assert_eq!(counts(&apply(&mut session, &services)), "4 0 0 0");
}

#[test]
fn lists_of_strangers_and_pages_take_nothing_away() {
    let mut session = session();
    apply(&mut session, &event("ADDED", &pod("p", "10", "True")));
    let before = session.dump().unwrap();
    let stranger = r#"{"kind": "PodList", "apiVersion": "metrics.k8s.io/v1beta1", "items": [{"metadata": {"name": "p"}}]}"#;
    let applied = apply(&mut session, stranger);
    assert_eq!(counts(&applied), "0 0 0 0");
    assert_eq!(applied["ignored"], json!({"Pod.metrics.k8s.io": 1}));
    assert_eq!(session.dump().unwrap(), before);
    check_refused(
        r#"{"kind": "PodList", "metadata": {"continue": "x"}, "items": []}"#,
        "InvalidValue /metadata/continue",
    );
    check_refused(
        r#"{"kind": "PodList", "metadata": {"continue": "x"}, "metadata": {}, "items": []}"#,
        "InvalidJson /metadata",
    );
    check_refused(
        r#"{"kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1beta1"}"#,
        "Unsupported /apiVersion",
    );
}

#[test]
fn a_list_of_one_kind_holds_no_other() {
    let other = json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "c"}});
    let list = json!({"kind": "PodList", "apiVersion": "v1", "items": [other]});
    check_refused(&list.to_string(), "InvalidValue /items/0/kind");
    let list = json!({"kind": "List", "apiVersion": "v1", "items": [other]});
    assert_eq!(
        apply(&mut session(), &list.to_string())["ignored"],
        json!({"ConfigMap": 1})
    );
}
