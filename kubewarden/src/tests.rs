//! `host/` tests the module in a host; these tests need none.

use serde_json::{Value, json};

use super::*;

fn service(app: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "cart"},
           "spec": {"selector": {"app": app}, "ports": [{"name": "http", "port": 80, "targetPort": 80}], "clusterIP": "10.0.0.1"}})
}

fn payload(settings: &Value) -> Vec<u8> {
    let request = json!({
        "uid": "u", "kind": {"group": "", "version": "v1", "kind": "Service"}, "name": "cart", "namespace": "shop",
        "operation": "UPDATE", "object": service("crat"), "oldObject": service("cart")
    });
    json!({"request": request, "settings": settings})
        .to_string()
        .into_bytes()
}

fn list(payload: &[u8]) -> Vec<u8> {
    let asked: Value = serde_json::from_slice(payload).unwrap();
    let pod = json!({"metadata": {"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}}, "spec": {"nodeName": "n"},
                     "status": {"podIPs": [{"ip": "10.1.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]}});
    let node = json!({"metadata": {"name": "n"}});
    let items = if asked["kind"] == "Pod" {
        [pod]
    } else {
        [node]
    };
    let kind = format!("{}List", asked["kind"].as_str().unwrap());
    json!({"apiVersion": asked["api_version"], "kind": kind, "metadata": {}, "items": items})
        .to_string()
        .into_bytes()
}

#[test]
fn a_verdict_over_what_the_host_lists() {
    let mut calls = Vec::new();
    let answer = validate(
        &payload(&json!({})),
        &mut |binding, namespace, operation, payload| {
            let mut asked: Value = serde_json::from_slice(payload).unwrap();
            let masks = asked
                .as_object_mut()
                .unwrap()
                .remove("field_masks")
                .unwrap();
            calls.push((format!("{binding} {namespace} {operation}"), asked, masks));
            Ok(list(payload))
        },
    );
    let answer: Value = serde_json::from_slice(&answer.unwrap()).unwrap();
    let message = "Service shop/cart: service-blast-radius/emptied: all 1 ready endpoints would be removed; no pod in namespace shop \
                   has app=crat; did you mean app=cart, which 1 pod has? (spec.selector)";
    assert_eq!(
        answer,
        json!({
            "accepted": false, "code": 403, "message": message, "mutated_object": null,
            "audit_annotations": {"service-blast-radius": "deny: emptied"}, "warnings": null
        })
    );
    let [(of_pods, pods, of_a_pod), (of_nodes, nodes, _)] = calls.as_slice() else {
        panic!("{calls:?}");
    };
    assert_eq!(of_pods, "kubewarden kubernetes list_resources_by_namespace");
    assert_eq!(
        *pods,
        json!({"api_version": "v1", "kind": "Pod", "namespace": "shop", "label_selector": null, "field_selector": null})
    );
    assert_eq!(of_nodes, "kubewarden kubernetes list_resources_all");
    assert_eq!(
        *nodes,
        json!({"api_version": "v1", "kind": "Node", "label_selector": null, "field_selector": null})
    );
    let of_a_pod: Vec<&str> = of_a_pod
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        of_a_pod.contains(&"spec.containers.ports.containerPort"),
        "{of_a_pod:?}"
    );
    assert!(
        !of_a_pod
            .iter()
            .any(|path| ["spec", "spec.containers", "spec.containers.env"].contains(path))
    );
}

#[test]
fn the_namespace_of_a_rule_is_one_object() {
    let expression = "namespaceObject.metadata.labels.team == 'web'";
    let rule = json!({"name": "team", "expression": expression, "on": {"kinds": ["Service"]}});
    let off = json!({"mode": "off"});
    let policies = json!({"expression": {"validations": [rule]}, "service-blast-radius": off, "service-traffic": off});
    let accepted = |team: &str| {
        let mut calls = Vec::new();
        let answer = validate(
            &payload(&json!({"policies": policies})),
            &mut |_, _, operation, payload| {
                calls.push((
                    operation.to_owned(),
                    serde_json::from_slice::<Value>(payload).unwrap(),
                ));
                let metadata = json!({"name": "shop", "labels": {"team": team}});
                let namespace =
                    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata});
                Ok(namespace.to_string().into_bytes())
            },
        );
        let asked = json!({"api_version": "v1", "kind": "Namespace", "name": "shop", "namespace": null, "disable_cache": false});
        assert_eq!(calls, [("get_resource".to_owned(), asked)]);
        serde_json::from_slice::<Value>(&answer.unwrap()).unwrap()["accepted"].clone()
    };
    assert_eq!(accepted("web"), true);
    assert_eq!(accepted("db"), false);
}

#[test]
fn a_host_without_answers() {
    let settings = json!({"policies": {"service-blast-radius": {"whenStale": "deny"}}});
    let answer = validate(&payload(&settings), &mut |_, _, _, _| {
        Err("no capabilities".into())
    });
    let answer: Value = serde_json::from_slice(&answer.unwrap()).unwrap();
    assert_eq!(answer["accepted"], false);
    assert_eq!(
        answer["audit_annotations"]["context"],
        "no Pods: no capabilities; no Nodes: no capabilities"
    );
}
