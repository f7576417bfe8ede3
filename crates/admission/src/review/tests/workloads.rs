//! Changes of workloads and pods over a loaded snapshot, through the whole reviewer.

use super::*;

const DEPLOYMENT: &str = r#"{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"namespace": "shop", "name": "cart"},
    "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "cart"}}, "template": {"metadata": {"labels": {"app": "cart"}},
    "spec": {"containers": [{"name": "cart", "image": "cart:1"}]}}}, "status": {"replicas": 1}}"#;

fn of(group: &str, kind: &str, part: &str, operation: &str, objects: [Value; 2]) -> Value {
    let [object, old_object] = objects;
    let mut request = json!({
        "uid": "u", "kind": {"group": group, "version": "v1", "kind": kind}, "name": "cart", "namespace": "shop",
        "operation": operation, "userInfo": {"username": "jane"}, "object": object, "oldObject": old_object,
    });
    if !part.is_empty() {
        request["subResource"] = json!(part);
    }
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
}

fn deployment(operation: &str, change: impl Fn(&mut Value)) -> Value {
    let old: Value = serde_json::from_str(DEPLOYMENT).unwrap();
    let mut new = old.clone();
    change(&mut new);
    let new = if operation == "DELETE" {
        Value::Null
    } else {
        new
    };
    of("apps", "Deployment", "", operation, [new, old])
}

/// The warnings of the review, which are the same if it arrives in pieces.
fn warnings(review: &Value, config: &str) -> Vec<String> {
    let text = review.to_string();
    let mut reviewer = reading(SNAPSHOT, config).unwrap();
    let whole = reviewer.review(text.as_bytes(), Asking::default()).unwrap();
    let mut sieve = reviewer.start_review().unwrap();
    text.as_bytes()
        .chunks(7)
        .for_each(|piece| sieve.push(piece));
    let sifted = sieve.finish().unwrap();
    assert_eq!(reviewer.review(&sifted, Asking::default()).unwrap(), whole);
    let answer: Value = serde_json::from_slice(&whole).unwrap();
    let response = &answer["response"];
    if response["allowed"] == json!(false) {
        return vec![format!("denied: {}", response["status"]["message"])];
    }
    let warnings = response["warnings"].as_array();
    let warnings = warnings.into_iter().flatten();
    warnings
        .map(|warning| warning.as_str().unwrap().to_owned())
        .collect()
}

const LEFT: &str = "workload-traffic/label-left: Deployment shop/cart: the new pods would lack app=cart, by which Service cart selects: it would lose its only ready endpoint; keep the label, or change the selector first (spec.template.metadata.labels[app])";
const ZERO: &str = "Service cart would lose its only ready endpoint with the pods of this workload; scale or delete it once nobody uses the Service";

#[test]
fn what_a_change_of_a_workload_takes_away_is_a_warning_by_default() {
    let renamed = deployment("UPDATE", |new| {
        new["spec"]["template"]["metadata"]["labels"] = json!({"app": "crat"});
    });
    assert_eq!(warnings(&renamed, ""), [LEFT]);
    let scaled = deployment("UPDATE", |new| new["spec"]["replicas"] = json!(0));
    let expected =
        format!("workload-traffic/scaled-to-zero: Deployment shop/cart: {ZERO} (spec.replicas)");
    assert_eq!(warnings(&scaled, ""), [expected]);
    let image = deployment("UPDATE", |new| {
        new["spec"]["template"]["spec"]["containers"][0]["image"] = json!("cart:2");
    });
    assert!(warnings(&image, "").is_empty());
    let created = deployment("CREATE", |new| new["spec"]["replicas"] = json!(0));
    assert!(warnings(&created, "").is_empty());
}

#[test]
fn a_workload_that_leaves_its_pods_behind_takes_nothing_away() {
    let mut deleted = deployment("DELETE", |_| {});
    let expected =
        format!("workload-traffic/scaled-to-zero: Deployment shop/cart: {ZERO} (metadata.name)");
    assert_eq!(warnings(&deleted, ""), [expected.as_str()]);
    for (options, is_told) in [
        (
            json!({"kind": "DeleteOptions", "propagationPolicy": "Background"}),
            true,
        ),
        (json!({"propagationPolicy": "Orphan"}), false),
        (json!({"orphanDependents": true}), false),
        (Value::Null, true),
    ] {
        deleted["request"]["options"] = options.clone();
        assert_eq!(!warnings(&deleted, "").is_empty(), is_told, "{options}");
    }
    deleted["request"]["options"] = json!({"propagationPolicy": 1});
    let error = reviewer().review(deleted.to_string().as_bytes(), Asking::default());
    let error = error.unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (
            Code::InvalidType,
            Some("/request/options/propagationPolicy")
        )
    );
}

#[test]
fn the_scale_of_a_workload() {
    let scale = |replicas: u32| {
        json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"namespace": "shop", "name": "cart"},
            "spec": {"replicas": replicas}, "status": {"replicas": 1, "selector": "app=cart"},
        })
    };
    let expected =
        format!("workload-traffic/scaled-to-zero: Scale shop/cart: {ZERO} (spec.replicas)");
    let mut zero = scale(0);
    zero["spec"] = json!({});
    let review = of("autoscaling", "Scale", "scale", "UPDATE", [zero, scale(1)]);
    assert_eq!(warnings(&review, ""), [expected]);
    let review = of(
        "autoscaling",
        "Scale",
        "scale",
        "UPDATE",
        [scale(3), scale(1)],
    );
    assert!(warnings(&review, "").is_empty());
}

#[test]
fn the_eviction_and_the_deletion_of_a_pod() {
    let named = json!({"metadata": {"namespace": "shop", "name": "cart-1"}});
    let told = "pod cart-1 is the last ready endpoint of Service cart; wait until another pod is ready, or add one first (metadata.name)";
    let mut eviction = of(
        "policy",
        "Eviction",
        "eviction",
        "CREATE",
        [named.clone(), Value::Null],
    );
    eviction["request"]["name"] = json!("cart-1");
    assert_eq!(
        warnings(&eviction, ""),
        [format!(
            "workload-traffic/last-endpoint: Eviction shop/cart-1: {told}"
        )]
    );
    let enforced = r#"{"policies": {"workload-traffic": {"mode": "enforce"}}}"#;
    assert_eq!(
        warnings(&eviction, enforced),
        [format!(
            "denied: \"Eviction shop/cart-1: workload-traffic/last-endpoint: {told}\""
        )]
    );
    // The API server names none when it deletes a collection.
    let mut deletion = of("", "Pod", "", "DELETE", [Value::Null, named]);
    deletion["request"]["name"] = json!("");
    assert_eq!(
        warnings(&deletion, ""),
        [format!(
            "workload-traffic/last-endpoint: Pod shop/cart-1: {told}"
        )]
    );
    // Controllers do what was judged when it was asked for.
    deletion["request"]["userInfo"]["username"] =
        json!("system:serviceaccount:kube-system:replicaset-controller");
    assert!(warnings(&deletion, "").is_empty());
}
