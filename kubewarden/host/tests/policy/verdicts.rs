//! The same objects give the same verdicts in the host and natively.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{Native, answer, cluster, forbidden, object, only, patched, request, slip};
use serde_json::{Value, json};
use slicewise_admission::policies::NAMES;
use slicewise_kubewarden_host::{Answer, Cluster};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Allowed,
    Warned,
    Denied,
}
use Verdict::{Allowed, Denied, Warned};

fn verdict(answer: &Answer) -> Verdict {
    match (answer.accepted, &answer.warnings) {
        (false, _) => Denied,
        (true, Some(_)) => Warned,
        (true, None) => Allowed,
    }
}

struct Case {
    policy: &'static str,
    verdict: Verdict,
    settings: Value,
    request: Value,
    /// Whether the policy may see the cluster.
    sees: bool,
}

fn seen(policy: &'static str, verdict: Verdict, request: Value) -> Case {
    with(policy, verdict, json!({}), request)
}

fn with(policy: &'static str, verdict: Verdict, settings: Value, request: Value) -> Case {
    Case {
        policy,
        verdict,
        settings,
        request,
        sees: true,
    }
}

fn blind(policy: &'static str, request: Value) -> Case {
    let settings = json!({"whenStale": "deny"});
    Case {
        policy,
        verdict: Denied,
        settings,
        request,
        sees: false,
    }
}

const CONTROLLER: &str = "system:serviceaccount:kube-system:endpointslice-controller";

/// A hand-written EndpointSlice for `Service shop/cart`.
fn by_hand(changes: &Value) -> Value {
    let slice = json!({
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
        "metadata": {"name": "by-hand", "namespace": "shop", "labels": {"kubernetes.io/service-name": "cart"}},
        "addressType": "IPv4", "endpoints": [{"addresses": ["203.0.113.7"]}], "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]
    });
    patched(slice, changes)
}

fn endpoints(address: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "cart", "namespace": "shop"},
        "subsets": [{"addresses": [{"ip": address}], "ports": [{"name": "http", "port": 8080}]}]
    })
}

/// The Deployment of the pods behind `Service shop/cart`.
fn workload() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "cart", "namespace": "shop"},
        "spec": {"replicas": 12, "selector": {"matchLabels": {"app": "cart"}}, "template": {
            "metadata": {"labels": {"app": "cart"}},
            "spec": {"containers": [{"name": "app", "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}]}]}
        }}
    })
}

fn update(user: &str, old: &Value, patch: &Value) -> Value {
    request(user, old, &patched(old.clone(), patch))
}

fn create(new: &Value) -> Value {
    request("jane", &Value::Null, new)
}

/// A rule that requires fetching the cluster.
fn loses_nothing(action: &str) -> Value {
    let kinds = json!({"kinds": ["Service"]});
    let rule = json!({"name": "loses-nothing", "expression": "plan.lost == 0", "action": action, "on": kinds});
    json!({"validations": [rule]})
}

fn cases() -> Vec<Case> {
    let cart = object("Service", "shop", "cart");
    let slice = object("EndpointSlice", "shop", "cart");
    let node = object("Node", "", "gke-prod-pool-00");
    let pod = object("Pod", "shop", "cart");
    let address = pod["status"]["podIP"].as_str().unwrap();
    let labelled = json!({"metadata": {"labels": {"reviewed": "yes"}}});
    let renamed = json!({"metadata": {"name": "cart-copy"}});
    let bare = json!({"metadata": {"labels": {"topology.kubernetes.io/zone": null}}});
    let hinted = json!({"endpoints": [{"addresses": [address], "hints": {"forZones": [{"name": "nowhere"}]}}]});
    let of_pod = json!({"endpoints": [{"addresses": [address]}]});
    let relabelled = json!({"spec": {"template": {"metadata": {"labels": {"app": "crat"}}}}});
    let warn = json!({"mode": "warn"});
    vec![
        seen(
            "slice-ownership",
            Denied,
            create(&patched(slice.clone(), &renamed)),
        ),
        seen(
            "slice-ownership",
            Warned,
            request("jane", &slice, &Value::Null),
        ),
        seen(
            "slice-ownership",
            Allowed,
            update(CONTROLLER, &slice, &labelled),
        ),
        seen("slice-addresses", Denied, create(&by_hand(&json!({})))),
        with(
            "slice-addresses",
            Warned,
            warn.clone(),
            create(&by_hand(&json!({}))),
        ),
        seen("slice-addresses", Allowed, create(&by_hand(&of_pod))),
        seen("slice-shape", Denied, create(&by_hand(&of_pod))),
        seen(
            "slice-shape",
            Warned,
            create(&by_hand(&json!({"metadata": {"labels": null}}))),
        ),
        seen("slice-shape", Allowed, update("jane", &slice, &labelled)),
        blind("slice-hints", create(&by_hand(&hinted))),
        seen("slice-hints", Warned, create(&by_hand(&hinted))),
        seen(
            "slice-hints",
            Allowed,
            create(&by_hand(&json!({"metadata": {"labels": null}}))),
        ),
        seen("service-blast-radius", Denied, slip()),
        seen(
            "service-blast-radius",
            Denied,
            request("jane", &cart, &Value::Null),
        ),
        seen(
            "service-blast-radius",
            Warned,
            update("jane", &cart, &json!({"spec": {"selector": null}})),
        ),
        seen(
            "service-blast-radius",
            Allowed,
            update("jane", &cart, &labelled),
        ),
        seen(
            "service-traffic",
            Denied,
            update(
                "jane",
                &cart,
                &json!({"spec": {"externalIPs": ["203.0.113.7"]}}),
            ),
        ),
        seen(
            "service-traffic",
            Warned,
            update(
                "jane",
                &cart,
                &json!({"spec": {"trafficDistribution": "PreferClosest"}}),
            ),
        ),
        seen("service-traffic", Allowed, update("jane", &cart, &labelled)),
        blind("node-topology", update("jane", &node, &bare)),
        seen("node-topology", Warned, update("jane", &node, &bare)),
        seen("node-topology", Allowed, update("jane", &node, &labelled)),
        with(
            "workload-traffic",
            Denied,
            json!({"mode": "enforce"}),
            update("jane", &workload(), &relabelled),
        ),
        seen(
            "workload-traffic",
            Warned,
            update("jane", &workload(), &relabelled),
        ),
        seen(
            "workload-traffic",
            Allowed,
            update("jane", &workload(), &labelled),
        ),
        seen("endpoints-legacy", Denied, create(&endpoints("127.0.0.1"))),
        with(
            "endpoints-legacy",
            Warned,
            warn,
            create(&endpoints("203.0.113.7")),
        ),
        seen("endpoints-legacy", Allowed, create(&endpoints(address))),
        with("expression", Denied, loses_nothing("deny"), slip()),
        with("expression", Warned, loses_nothing("warn"), slip()),
        with(
            "expression",
            Allowed,
            loses_nothing("deny"),
            update("jane", &cart, &labelled),
        ),
    ]
}

/// An annotation reports what a host does not provide, or how old it is.
fn without_reason(mut answer: Answer) -> Answer {
    if let Some(annotations) = &mut answer.audit_annotations {
        annotations.remove("context");
    }
    answer.audit_annotations = answer
        .audit_annotations
        .filter(|annotations| !annotations.is_empty());
    answer
}

#[track_caller]
fn check_same(
    request: &Value,
    settings: &Value,
    cluster: &Arc<Cluster>,
    native: &Native,
) -> Answer {
    let (request_text, settings_text) = (request.to_string(), settings.to_string());
    let expected = native
        .answer(request_text.as_bytes(), settings_text.as_bytes())
        .unwrap();
    let expected = without_reason(expected);
    let answer = answer(request, settings, cluster);
    assert_eq!(
        without_reason(answer),
        expected,
        "{request}\nunder {settings}"
    );
    expected
}

#[test]
fn each_policy_denies_warns_and_allows_as_the_core_does() {
    let (seen, unseen) = (Arc::new(cluster()), Arc::new(forbidden()));
    let (native, native_blind) = (Native::of(Some(&seen)), Native::of(None));
    let mut covered = BTreeSet::new();
    for Case {
        policy,
        verdict: expected,
        settings,
        request,
        sees,
    } in cases()
    {
        let settings = only(policy, &settings);
        let (cluster, native) = if sees {
            (&seen, &native)
        } else {
            (&unseen, &native_blind)
        };
        let answer = check_same(&request, &settings, cluster, native);
        assert_eq!(
            verdict(&answer),
            expected,
            "{policy}: {answer:?}\n{request}"
        );
        covered.insert((policy, expected));
        // All policies at once, as most users will enable them.
        check_same(&request, &json!({}), cluster, native);
    }
    for policy in NAMES {
        for verdict in [Allowed, Warned, Denied] {
            assert!(
                covered.contains(&(policy, verdict)),
                "no case of {policy} is {verdict:?}"
            );
        }
    }
}

#[test]
fn changes_of_every_object_that_is_judged() {
    let seen = Arc::new(cluster());
    let native = Native::of(Some(&seen));
    let patches = [
        json!({"metadata": {"labels": {"a": "b"}}}),
        json!({"spec": {"selector": {"app": "cart"}}}),
        json!({"spec": {"trafficDistribution": "PreferSameZone", "ports": [{"name": "http", "port": 80, "targetPort": "http"}]}}),
        json!({"addressType": "IPv6", "ports": [{"name": "other", "port": 1}]}),
        json!({"metadata": {"labels": {"topology.kubernetes.io/zone": "z", "kubernetes.io/service-name": "nobody"}}}),
        json!({"status": {"allocatable": {"cpu": "0"}}}),
    ];
    let mut verdicts = BTreeSet::new();
    let mut count = 0;
    for object in seen
        .objects()
        .iter()
        .filter(|object| object["kind"] != "Pod")
    {
        let updates = patches.iter().map(|patch| update("jane", object, patch));
        let copied = patched(object.clone(), &json!({"metadata": {"name": "another"}}));
        for request in updates.chain([create(&copied), request("jane", object, &Value::Null)]) {
            verdicts.insert(verdict(&check_same(&request, &json!({}), &seen, &native)));
            count += 1;
        }
    }
    assert_eq!(verdicts, [Allowed, Warned, Denied].into());
    assert!(count > 200, "{count}");
}

#[test]
fn an_answer_is_the_same_bytes_every_time() {
    let cluster = Arc::new(cluster());
    let slice = object("EndpointSlice", "shop", "cart");
    let hints = json!({"forZones": [{"name": "nowhere"}]});
    let endpoint = json!({"addresses": ["203.0.113.7"], "hints": hints});
    let copy = patched(
        slice,
        &json!({"metadata": {"name": "copy"}, "endpoints": [endpoint, endpoint]}),
    );
    let payload = json!({"request": create(&copy), "settings": {}}).to_string();
    let call = || {
        crate::common::POLICY
            .call("validate", payload.as_bytes(), &cluster)
            .unwrap()
    };
    let first = call();
    let annotations = serde_json::from_slice::<Answer>(&first)
        .unwrap()
        .audit_annotations
        .unwrap();
    assert!(annotations.len() > 2, "{annotations:?}");
    assert!((0..10).all(|_| call() == first));
}

#[test]
fn subresources_and_other_kinds() {
    let seen = Arc::new(cluster());
    let native = Native::of(Some(&seen));
    let mut status = slip();
    status["subResource"] = json!("status");
    assert_eq!(
        verdict(&check_same(&status, &json!({}), &seen, &native)),
        Allowed
    );
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": "shop", "name": "cart"}});
    assert_eq!(
        verdict(&check_same(
            &request("jane", &secret, &Value::Null),
            &json!({}),
            &seen,
            &native
        )),
        Allowed
    );
    assert_eq!(seen.asked(), []);
}
