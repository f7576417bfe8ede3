//! Objects must be of the kind they are read as.

use super::bad_input::{check, check_snapshot, with};
use crate::api;

/// An object that is read as one kind must not state another.
#[test]
fn objects_of_other_kinds() {
    check(
        r#"{"service": {"kind": "Pod", "metadata": {"name": "a"}}}"#,
        "InvalidValue",
        Some("/service/kind"),
        "this is a `Pod`, but `Service` belongs here",
    );
    check(
        r#"{"service": {"apiVersion": "serving.knative.dev/v1", "kind": "Service", "metadata": {"name": "a"}}}"#,
        "InvalidValue",
        Some("/service/apiVersion"),
        "but `v1` belongs here",
    );
    check(
        &with(r#""pods": [{"kind": "Node", "metadata": {"name": "a"}}]"#),
        "InvalidValue",
        Some("/pods/0/kind"),
        "this is a `Node`",
    );
    check(
        &with(r#""slices": [{"kind": "Endpoints", "metadata": {"name": "a"}}]"#),
        "InvalidValue",
        Some("/slices/0/kind"),
        "but `EndpointSlice` belongs here",
    );
    check(
        &with(r#""slices": [{"metadata": {"name": "a"}}]"#),
        "MissingField",
        Some("/slices/0/addressType"),
        "IPv4, IPv6 or FQDN",
    );
    check_snapshot(
        r#"[{"apiVersion": "discovery.k8s.io/v1beta1", "kind": "EndpointSlice", "metadata": {"name": "a"}}]"#,
        "Unsupported",
        Some("/0/apiVersion"),
        "fetch them as discovery.k8s.io/v1",
    );
    let older = r#"[{"apiVersion": "discovery.k8s.io/v1beta1", "kind": "EndpointSlice", "metadata": {"name": "a"}}]"#;
    let refused = api::mirror_snapshot(older.as_bytes()).unwrap_err();
    assert_eq!(refused.path(), Some("/0/apiVersion"), "{refused}");
}

/// Services of other API groups are not Services; a list states the kind of its items.
#[test]
fn kinds_that_share_a_name_are_told_apart() {
    let snapshot = r#"{"kind": "List", "apiVersion": "v1", "items": [
        {"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "cart"}},
        {"apiVersion": "serving.knative.dev/v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "cart"}, "spec": []},
        {"apiVersion": "serving.knative.dev/v1", "kind": "ServiceList", "items": [{"metadata": {"name": "x"}}]},
        {"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}]},
        {"apiVersion": "apps/v1", "kind": "Deployment"}]}"#;
    let plans = api::plan_snapshot(snapshot.as_bytes(), b"").unwrap();
    let plans: serde_json::Value = serde_json::from_slice(&plans).unwrap();
    let expected = serde_json::json!({"Deployment": 1, "Service.serving.knative.dev": 2});
    assert_eq!(plans["ignored"], expected);
}

/// An informer's cache has lists of objects that omit their kind: the plans are those of the same objects in a List.
#[test]
fn caches_are_planned_as_lists() {
    let list = std::fs::read(crate::suite::from_root("samples/cluster-at-rest.json")).unwrap();
    let mut cache =
        serde_json::json!({"services": [], "pods": [], "nodes": {"items": []}, "slices": []});
    let read: serde_json::Value = serde_json::from_slice(&list).unwrap();
    for item in read["items"].as_array().unwrap() {
        let mut item = item.clone();
        let kind = item.as_object_mut().unwrap().remove("kind").unwrap();
        item.as_object_mut().unwrap().remove("apiVersion");
        let place = match kind.as_str().unwrap() {
            "Service" => &mut cache["services"],
            "Pod" => &mut cache["pods"],
            "Node" => &mut cache["nodes"]["items"],
            "EndpointSlice" => &mut cache["slices"],
            _ => continue,
        };
        place.as_array_mut().unwrap().push(item);
    }
    let plans = |input: &[u8]| {
        let plans = api::plan_snapshot(input, b"").unwrap();
        let plans: serde_json::Value = serde_json::from_slice(&plans).unwrap();
        plans["plans"].clone()
    };
    let planned = plans(&list);
    assert!(planned.as_array().is_some_and(|plans| plans.len() > 1));
    assert_eq!(plans(&serde_json::to_vec(&cache).unwrap()), planned);
}
