//! Changes that policies are not asked about, whoever makes them.

use super::*;
use crate::testing::slice_update;

#[test]
fn an_update_that_changes_nothing_is_not_judged() {
    let everything = json!([{"addresses": ["127.0.0.1"]}, {"addresses": ["127.0.0.1"]}]);
    let mut old = cart_slice("by-hand", &everything);
    old["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
        "endpointslice-controller.k8s.io".into();
    let mut new = old.clone();
    new["metadata"]["annotations"] = json!({"note": "x"});
    new["metadata"]["finalizers"] = json!(["a/b"]);
    let allowed = |request: &Request<'_>, policies: &Value| {
        answer(request, policies)["allowed"].as_bool().unwrap()
    };
    assert!(allowed(&slice_update(&old, &new), &json!({})));
    let mut labelled = new.clone();
    labelled["metadata"]["labels"]["tier"] = "x".into();
    assert!(
        !allowed(&slice_update(&old, &labelled), &json!({})),
        "the controller undoes it"
    );
    assert!(!allowed(&slice_create(&old), &json!({})));
    let explanation = explain(
        &slice_update(&old, &new),
        &context(),
        &ReviewerConfig::default(),
        Asking::default(),
    );
    assert!(
        explanation.text.contains(
            "slice-ownership: not asked, because the update leaves what it checks as it was."
        ),
        "{}",
        explanation.text
    );
}

#[test]
fn a_label_or_an_annotation_that_one_policy_looks_at_is_a_change() {
    let old = cart(&json!({"app": "cart"}), &http());
    let metadata = |field: &str, key: &str| {
        let mut new = old.clone();
        new["metadata"][field] = json!({key: "198.51.100.2"});
        answer(&service_update(&old, &new), &json!({}))["warnings"].to_string()
    };
    let proxy = metadata("labels", "service.kubernetes.io/service-proxy-name");
    assert!(proxy.contains("service-traffic/other-proxy: "), "{proxy}");
    let address = metadata("annotations", "metallb.io/loadBalancerIPs");
    let expected = "service-traffic/load-balancer-address: ";
    assert!(address.contains(expected), "{address}");
    assert_eq!(metadata("labels", "team"), "null");
}

#[test]
fn expressions_judge_every_update() {
    let same = cart_slice("by-hand", &json!([]));
    let rule = json!({"name": "never", "expression": "false", "message": "no",
        "on": {"kinds": ["EndpointSlice"], "operations": ["UPDATE"]}});
    let policies = json!({"expression": {"validations": [rule]}});
    assert_eq!(
        answer(&slice_update(&same, &same), &policies)["allowed"],
        false
    );
}

#[test]
fn nothing_stops_the_api_servers_from_keeping_their_service() {
    let mut theirs = cart_slice("kubernetes", &json!([{"addresses": ["203.0.113.7"]}]));
    theirs["metadata"] = json!({"namespace": "default", "name": "kubernetes", "labels": {"kubernetes.io/service-name": "kubernetes"}});
    let mut request = slice_create(&theirs);
    request.namespace = "default".into();
    let config = ReviewerConfig::default();
    let allowed = |request: &Request<'_>, at_rest| {
        let asking = Asking {
            at_rest,
            ..Asking::default()
        };
        let answer = answer_with(request, &config, asking);
        (
            answer["allowed"].as_bool().unwrap(),
            answer.get("auditAnnotations").is_none(),
        )
    };
    assert_eq!(allowed(&request, false), (false, false));
    assert_eq!(allowed(&request, true), (true, true));
    request.user = "system:apiserver".into();
    assert_eq!(allowed(&request, false), (true, true));
    let mut hijack = request.clone();
    hijack.name = "extra".into();
    hijack.user = "".into();
    assert!(!allowed(&hijack, true).0, "at rest, only theirs is spared");
}

#[test]
fn existing_objects_are_judged_by_what_they_say() {
    for kind in ["Service", "EndpointSlice", "Endpoints", "Node"] {
        assert!(policies::judge_existing(kind), "{kind}");
    }
    for kind in ["Deployment", "Scale", "Pod", "Eviction", "Namespace"] {
        assert!(!policies::judge_existing(kind), "{kind}");
    }
}
