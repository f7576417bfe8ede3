//! Each writer with objects of the shape that it writes: allowed where its work leads, refused where it would hijack.

use serde_json::{Value, json};

use super::*;
use crate::testing::{
    cart, cart_slice, endpoints_create, http, pod, request, reviewed, service, slice_create, text,
};
use crate::{Asking, Context, ObjectChange, Request, ReviewerConfig, decide};
use slicewise::model::{Node, Pod};

/// A Service of `shop` without a selector, a pod of it and of three other namespaces, and the node `n`.
fn cluster() -> Context {
    let pods = [
        ("shop", "cart-1", "10.1.0.1"),
        ("secret", "vault-1", "10.9.9.9"),
        ("knative-serving", "activator-1", "10.7.0.1"),
        ("kube-system", "kube-proxy-n", "192.168.0.1"),
    ];
    let pods = pods.map(|(namespace, name, ip)| pod(namespace, name, "x", ip, true));
    let pods = pods.map(|pod| serde_json::from_str::<Pod<'_>>(text(&pod)).unwrap());
    let node: Node<'_> = serde_json::from_str(r#"{"metadata": {"name": "n"}}"#).unwrap();
    let mut cart = cart(&json!({}), &http());
    cart["spec"].as_object_mut().unwrap().remove("selector");
    Context::new(
        &[service(&cart)],
        &pods,
        &[node],
        &[crate::testing::existing_slice(&cart_slice(
            "other",
            &json!([]),
        ))],
    )
}

fn config(writers: &Value, policies: &Value) -> ReviewerConfig {
    let config = json!({"writers": writers, "policies": policies});
    let config: ReviewerConfig = serde_json::from_value(config).unwrap();
    config.check().unwrap();
    config
}

/// `allowed`, or the message.
fn verdict(request: &Request<'_>, config: &ReviewerConfig, at_rest: bool) -> String {
    let asking = Asking {
        at_rest,
        ..Asking::default()
    };
    let answer = serde_json::to_value(decide(request, &cluster(), config, asking)).unwrap();
    match answer["allowed"].as_bool() {
        Some(true) => "allowed".into(),
        _ => answer["status"]["message"].as_str().unwrap().into(),
    }
}

/// A slice of `Service shop/cart` as a writer labels it.
fn slice(managed_by: &str, endpoint: &Value) -> Value {
    let mut slice = cart_slice("cart-remote", &json!([endpoint]));
    slice["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] = managed_by.into();
    slice
}

fn as_user(user: &'static str, mut request: Request<'static>) -> Request<'static> {
    request.user = user.into();
    request
}

/// An endpoint of another cluster, as writers copy it: its pod and its node are there.
fn remote(address: &str) -> Value {
    json!({"addresses": [address], "conditions": {"ready": true}, "nodeName": "remote-node",
           "targetRef": {"kind": "Pod", "namespace": "shop", "name": "cart-7"}})
}

#[test]
fn slices_lead_to_other_clusters_and_to_nobody_else_s_pods() {
    for (name, managed_by, user) in [
        (
            "cilium-clustermesh",
            "endpointslice-mesh-controller.cilium.io",
            "system:serviceaccount:kube-system:cilium-operator",
        ),
        (
            "submariner",
            "lighthouse-agent.submariner.io",
            "system:serviceaccount:submariner-operator:submariner-lighthouse-agent",
        ),
        (
            "karmada",
            "endpointslice-dispatch-controller.karmada.io",
            "system:serviceaccount:karmada-cluster:karmada-member-1",
        ),
    ] {
        let (with, without) = (
            config(&json!([name]), &json!({})),
            ReviewerConfig::default(),
        );
        let written = |address| as_user(user, slice_create(&slice(managed_by, &remote(address))));
        assert_eq!(verdict(&written("10.200.0.7"), &with, false), "allowed");
        assert_eq!(verdict(&written("10.200.0.7"), &with, true), "allowed");
        let refused = verdict(&written("10.200.0.7"), &without, false);
        let hint = format!("if this is it, allow it by `writers: [{name}]`");
        assert!(
            refused.contains("not-a-pod") && refused.contains(&hint),
            "{refused}"
        );
        for (hijacked, rule) in [
            ("10.9.9.9", "not-a-pod"),
            ("169.254.169.254", "reserved-address"),
        ] {
            let refused = verdict(&written(hijacked), &with, false);
            assert!(refused.contains(rule), "{refused}");
        }
        // Pods of the namespace are judged as for anybody.
        let own = verdict(&written("10.1.0.1"), &with, false);
        assert!(own.contains("target-missing"), "{own}");
        let by_hand = slice_create(&slice(managed_by, &remote("10.200.0.7")));
        let forged = verdict(&by_hand, &with, false);
        assert!(
            forged.contains("slice-ownership/forged-manager"),
            "{forged}"
        );
    }
}

#[test]
fn a_writer_of_a_manager_s_users_is_that_writer() {
    let managed_by = "lighthouse-agent.submariner.io";
    let manager =
        json!({"managedBy": managed_by, "users": ["system:serviceaccount:net:lighthouse"]});
    let policies = json!({"slice-ownership": {"managers": [manager]}});
    let with = config(&json!(["submariner"]), &policies);
    let written = slice_create(&slice(managed_by, &remote("10.200.0.7")));
    let written = as_user("system:serviceaccount:net:lighthouse", written);
    assert_eq!(verdict(&written, &with, false), "allowed");
    let without = config(&json!([]), &policies);
    assert!(verdict(&written, &without, false).contains("not-a-pod"));
}

fn endpoints(address: &Value) -> Request<'static> {
    endpoints_create(&json!({
        "metadata": {"namespace": "shop", "name": "cart"},
        "subsets": [{"addresses": [address], "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]}]
    }))
}

#[test]
fn endpoints_lead_to_other_clusters_and_to_the_activator() {
    let cases = [
        (
            "antrea",
            "system:serviceaccount:kube-system:antrea-mc-controller",
            "10.200.0.7",
        ),
        (
            "linkerd-multicluster",
            "system:serviceaccount:linkerd-multicluster:linkerd-service-mirror-east",
            "203.0.113.7",
        ),
        (
            "knative",
            "system:serviceaccount:knative-serving:controller",
            "10.7.0.1",
        ),
    ];
    for (name, user, address) in cases {
        let with = config(&json!([name]), &json!({}));
        let written = |ip: &str| as_user(user, endpoints(&json!({"ip": ip})));
        assert_eq!(
            verdict(&written(address), &with, false),
            "allowed",
            "{name}"
        );
        assert_eq!(verdict(&written(address), &with, true), "allowed", "{name}");
        for elsewhere in ["10.9.9.9", "127.0.0.1"] {
            assert_ne!(
                verdict(&written(elsewhere), &with, false),
                "allowed",
                "{name}"
            );
        }
        let refused = verdict(&written(address), &ReviewerConfig::default(), false);
        assert!(
            refused.contains(&format!("`writers: [{name}]`")),
            "{refused}"
        );
        let by_hand = verdict(&endpoints(&json!({"ip": address})), &with, false);
        assert!(
            by_hand.contains("not-a-pod") && !by_hand.contains("writers"),
            "{by_hand}"
        );
    }
}

#[test]
fn the_activator_s_pods_may_be_named() {
    let with = config(&json!(["knative"]), &json!({}));
    let target = json!({"kind": "Pod", "namespace": "knative-serving", "name": "activator-1"});
    let written = endpoints(&json!({"ip": "10.7.0.1", "nodeName": "n", "targetRef": target}));
    let user = "system:serviceaccount:knative-serving:controller";
    assert_eq!(verdict(&as_user(user, written), &with, false), "allowed");
}

#[test]
fn the_kubelets_are_nodes() {
    let (user, managed_by) = (
        "system:serviceaccount:monitoring:prometheus-operator",
        "prometheus-operator",
    );
    let with = config(&json!(["prometheus-operator"]), &json!({}));
    let kubelet = |address: &str, node: &str| {
        let target = json!({"kind": "Node", "name": node});
        let endpoint = json!({"addresses": [address], "nodeName": node, "targetRef": target});
        as_user(user, slice_create(&slice(managed_by, &endpoint)))
    };
    // Some nodes run pods on their network, others none.
    for address in ["192.168.0.1", "192.168.0.2"] {
        assert_eq!(verdict(&kubelet(address, "n"), &with, false), "allowed");
        assert_eq!(verdict(&kubelet(address, "n"), &with, true), "allowed");
    }
    let unknown = verdict(&kubelet("192.168.0.2", "nowhere"), &with, false);
    assert!(unknown.contains("not-a-pod"), "{unknown}");
    let refused = verdict(
        &kubelet("192.168.0.2", "n"),
        &ReviewerConfig::default(),
        false,
    );
    assert!(
        refused.contains("`writers: [prometheus-operator]`"),
        "{refused}"
    );
}

#[test]
fn a_load_balancer_s_status() {
    let user = "system:serviceaccount:metallb-system:controller";
    let old = cart(&json!({"app": "x"}), &http());
    let mut new = old.clone();
    new["status"] = json!({"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}});
    let change = ObjectChange::Update {
        old: reviewed(&old),
        new: reviewed(&new),
    };
    let written = as_user(user, request(ReviewSubject::Service(change)));
    let warnings = |config: &ReviewerConfig| {
        let answer = decide(&written, &cluster(), config, Asking::default());
        serde_json::to_value(answer).unwrap()["warnings"].to_string()
    };
    let warned = warnings(&ReviewerConfig::default());
    assert!(
        warned.contains("load-balancer-status") && warned.contains("`writers: [metallb]`"),
        "{warned}"
    );
    let with = warnings(&config(&json!(["istio", "metallb"]), &json!({})));
    assert!(!with.contains("load-balancer-status"), "{with}");
}

#[test]
fn an_unknown_writer_is_refused_with_those_that_are_known() {
    let config = json!({"writers": ["knative", "kubeflow"]});
    let config: ReviewerConfig = serde_json::from_value(config).unwrap();
    let error = config.check().unwrap_err();
    assert_eq!(error.path(), Some("/writers/1"));
    assert!(
        error
            .message()
            .contains("`kubeflow` is no known writer; those are antrea, cilium-clustermesh")
    );
}

/// As many full slices as a Service rarely has: what each address costs must not grow with the others.
#[test]
fn a_writer_with_a_hundred_full_slices() {
    const SLICES: usize = 100;
    const ENDPOINTS: usize = 1_000;
    let managed_by = "lighthouse-agent.submariner.io";
    let user = "system:serviceaccount:submariner-operator:submariner-lighthouse-agent";
    let full = |name: &str, first: usize, network: usize| {
        let endpoints = (first..first + ENDPOINTS).map(|number| {
            let address = format!(
                "10.{}.{}.{}",
                network + (number >> 16),
                number >> 8 & 255,
                number & 255
            );
            json!({"addresses": [address], "conditions": {"ready": true}})
        });
        let mut slice = cart_slice(name, &endpoints.collect());
        slice["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] = managed_by.into();
        slice
    };
    let mut cart = cart(&json!({}), &http());
    cart["spec"].as_object_mut().unwrap().remove("selector");
    let known = (0..SLICES).map(|number| full(&format!("cart-{number}"), number * ENDPOINTS, 128));
    let known: Vec<_> = known
        .map(|slice| crate::testing::existing_slice(&slice))
        .collect();
    let pods = (0..ENDPOINTS).map(|number| {
        let address = format!("10.9.{}.{}", number >> 8, number & 255);
        let pod = pod("secret", &format!("vault-{number}"), "x", &address, true);
        serde_json::from_str::<Pod<'_>>(text(&pod)).unwrap()
    });
    let node: Node<'_> = serde_json::from_str(r#"{"metadata": {"name": "n"}}"#).unwrap();
    let context = Context::new(
        &[service(&cart)],
        &pods.collect::<Vec<_>>(),
        &[node],
        &known,
    );
    let config = config(&json!(["submariner"]), &json!({}));
    let judged = |slice: &Value| {
        let request = as_user(user, slice_create(slice));
        serde_json::to_value(decide(&request, &context, &config, Asking::default())).unwrap()
    };
    let new = judged(&full("cart-new", SLICES * ENDPOINTS, 128));
    assert_eq!(new["allowed"], true, "{new}");
    for (wrong, rule) in [
        (
            full("cart-again", 7 * ENDPOINTS, 128),
            "slice-shape/duplicate-in-sibling",
        ),
        (full("cart-hijack", 0, 9), "slice-addresses/not-a-pod"),
    ] {
        let refused = judged(&wrong);
        assert_eq!(refused["allowed"], false);
        let causes = refused["status"]["details"]["causes"].as_array().unwrap();
        assert!(
            causes[0]["message"].as_str().unwrap().starts_with(rule),
            "{}",
            causes[0]
        );
        assert!(causes.len() <= crate::MOST_CAUSES, "{}", causes.len());
        assert!(!refused.to_string().contains("vault"));
    }
}
