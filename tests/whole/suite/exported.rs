//! Plans as texts: each form agrees with the plan.

use serde_json::{Value, json};

use crate::api::{exported, plan};

fn input() -> Value {
    let node = |zone: &str| {
        json!({
            "metadata": {"name": format!("node-{zone}"), "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    json!({
        "service": {
            "metadata": {"name": "cart", "namespace": "shop", "uid": "s1", "annotations": {"service.kubernetes.io/topology-mode": "Auto"}},
            "spec": {"selector": {"app": "cart"}, "ports": [{"port": 80, "protocol": "TCP", "targetPort": 8080}], "clusterIP": "10.96.0.1"},
        },
        "nodes": [node("a"), node("b")],
        "pods": [{
            "metadata": {"name": "cart-1", "namespace": "shop", "labels": {"app": "cart"}},
            "spec": {"nodeName": "node-a"},
            "status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]},
        }],
        "slices": [{
            "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4", "endpoints": [],
            "ports": [{"name": "", "port": 8080, "protocol": "TCP"}],
            "metadata": {"name": "cart-x", "namespace": "shop", "uid": "1", "resourceVersion": "7",
                "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s1", "controller": true, "blockOwnerDeletion": true}],
                "labels": {
                "kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
        }],
    })
}

fn export(question: &Value) -> Result<String, crate::Error> {
    let answer = exported(
        input().to_string().as_bytes(),
        question.to_string().as_bytes(),
    );
    answer.map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn json_and_patches_are_those_of_the_plan() {
    let planned = String::from_utf8(plan(input().to_string().as_bytes()).unwrap()).unwrap();
    assert_eq!(export(&json!({"form": "json"})).unwrap(), planned);
    let patches: Value =
        serde_json::from_str(&export(&json!({"form": "patches"})).unwrap()).unwrap();
    let patch: json_patch::Patch =
        serde_json::from_value(patches[0]["patch"]["cart-x"]["json"].clone()).unwrap();
    let mut slice = input()["slices"][0].clone();
    json_patch::patch(&mut slice, &patch).unwrap();
    let planned: Value = serde_json::from_str(&planned).unwrap();
    assert_eq!(slice["endpoints"], planned["update"][0]["endpoints"]);
    assert_eq!(slice["ports"], planned["update"][0]["ports"]);
}

#[test]
fn scripts_yaml_and_reports_say_the_same() {
    let script = export(&json!({"form": "kubectl"})).unwrap();
    assert!(
        script.starts_with("kubectl patch endpointslice cart-x -n shop --type=json -p '["),
        "{script}"
    );
    let merge = export(&json!({"form": "kubectl", "options": {"patches": ["merge"]}})).unwrap();
    assert!(merge.contains("--type=merge"), "{merge}");
    let yaml = export(&json!({"form": "yaml", "service": "shop/cart"})).unwrap();
    assert!(yaml.starts_with("create: []\ndelete: []\n"), "{yaml}");
    let report = export(&json!({"form": "report"})).unwrap();
    for line in [
        "# EndpointSlice plan",
        "## `shop/cart`",
        "1 endpoint in 1 slice; 1 added, 0 removed.",
        "- update `cart-x` (IPv4, 1 endpoint): endpoints added",
        "IPv4 hints (Auto): off. Insufficient number of endpoints (1 endpoints, 2 zones).",
        "| `a` | 50.0 % | 0.50 | 1 | – |",
        "### Why",
    ] {
        assert!(
            report.lines().any(|other| other.starts_with(line)),
            "{line}\n{report}"
        );
    }
}

#[test]
fn questions_that_cannot_be_answered() {
    let check = |question: Value, expected: &str| {
        let error = export(&question).unwrap_err();
        let found = format!(
            "{} {}",
            error.code().as_str(),
            error.path().unwrap_or_default()
        );
        assert_eq!(found, expected);
    };
    check(json!({}), "MissingField /form");
    check(json!({"form": "xml"}), "InvalidValue /form");
    check(
        json!({"form": "json", "service": "shop/card"}),
        "InvalidValue /service",
    );
    check(
        json!({"form": "json", "options": {"patches": ["x"]}}),
        "InvalidValue /options/patches/0",
    );
}
