//! A session's answers, and that its plans equal those of requests with the same objects.

mod kept_endpoints;
mod observed;
mod settled;
mod triggers;

use slicewise::model::Node;
use slicewise::plan::request::PlanRequest;
use slicewise::plan::{Plan, plan_service};
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;

use super::*;
use serde_json::{Value, json};

fn service(selector: &Value) -> String {
    json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "s"},
        "spec": {"selector": selector, "ipFamilies": ["IPv4"], "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]},
    })
    .to_string()
}

fn pod(name: &str, app: &str, ready: bool) -> String {
    json!({
        "metadata": {"namespace": "shop", "name": name, "uid": name, "labels": {"app": app}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
    })
    .to_string()
}

fn node(name: &str, zone: &str, cpu: &str, ready: bool) -> String {
    json!({
        "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
        "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
    })
    .to_string()
}

fn slice(name: &str, service: &str, manager: &str, generation: i64) -> String {
    json!({
        "metadata": {"namespace": "shop", "name": name, "uid": name, "generation": generation,
            "labels": {"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": manager}},
        "addressType": "IPv4",
    })
    .to_string()
}

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

const OURS: &str = "endpointslice-controller.k8s.io";

fn session() -> Session {
    let mut session = Session::new(Options::default());
    let text = service(&json!({"app": "cart"}));
    session.set_service(&serde_json::from_str(&text).unwrap());
    session
}

fn set_pod(session: &mut Session, text: &str, version: &str) -> Vec<String> {
    let services = session.set_pod(&serde_json::from_str(text).unwrap(), version);
    services.iter().map(ToString::to_string).collect()
}

fn set_slice(session: &mut Session, text: &str) -> Option<SliceSummary> {
    session.set_slice(&serde_json::from_str(text).unwrap())
}

#[test]
fn a_pod_concerns_the_services_that_win_or_lose_it() {
    let mut session = session();
    assert_eq!(
        set_pod(&mut session, &pod("p", "cart", true), "1"),
        ["shop/cart"]
    );
    assert!(set_pod(&mut session, &pod("p", "cart", false), "1").is_empty());
    assert_eq!(
        set_pod(&mut session, &pod("p", "cart", true), "2"),
        ["shop/cart"]
    );
    assert!(set_pod(&mut session, &pod("p", "cart", true), "3").is_empty());
    assert_eq!(
        set_pod(&mut session, &pod("p", "till", true), "4"),
        ["shop/cart"]
    );
    assert!(session.services_of_pod(&key("p")).is_empty());
    assert!(session.remove_pod(&key("p")).is_empty());
    set_pod(&mut session, &pod("p", "cart", true), "5");
    assert_eq!(session.services_of_pod(&key("p")), [key("cart")]);
    assert_eq!(session.remove_pod(&key("p")), [key("cart")]);
    assert!(session.remove_pod(&key("p")).is_empty(), "gone already");
}

#[test]
fn every_event_of_a_terminating_pod_concerns_its_services() {
    let mut session = session();
    let mut pod: Value = serde_json::from_str(&pod("p", "cart", false)).unwrap();
    let mut set = |pod: &Value, version: &str| set_pod(&mut session, &pod.to_string(), version);
    assert_eq!(set(&pod, "1"), ["shop/cart"]);
    assert!(set(&pod, "2").is_empty());
    pod["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    for version in ["3", "4"] {
        assert_eq!(set(&pod, version), ["shop/cart"]);
    }
    assert!(set(&pod, "4").is_empty(), "it is the same event");
}

#[test]
fn slices_of_a_service_are_sorted_by_name() {
    for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]] {
        let mut session = session();
        for name in order {
            set_slice(&mut session, &slice(name, "cart", OURS, 1));
        }
        let summaries = session.slice_summaries(&key("cart"));
        let names = summaries.iter().map(|summary| summary.key.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}

#[test]
fn of_nodes_only_readiness_and_zone_may_change_hints() {
    let mut session = session();
    let mut check = |text: String, expected: bool| {
        let node: Node<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(session.set_node(&node), expected, "{text}");
    };
    check(node("n1", "a", "4", true), true);
    check(node("n1", "a", "4", true), false);
    check(node("n1", "a", "8", true), false);
    check(node("n1", "b", "8", true), true);
    check(node("n1", "b", "8", false), true);
    check(node("n0", "b", "8", false), true);
    assert!(session.remove_node("n1"));
    assert!(!session.remove_node("n1"));
}

#[test]
fn marks_are_of_slices_that_are_the_services_and_ours() {
    let mut session = session();
    assert_eq!(
        set_slice(&mut session, &slice("b", "cart", OURS, 1)),
        None,
        "not known before"
    );
    set_slice(&mut session, &slice("a", "cart", OURS, 1));
    set_slice(&mut session, &slice("c", "cart", "somebody", 1));
    set_slice(&mut session, &slice("d", "till", OURS, 1));
    let mut doomed: Value = serde_json::from_str(&slice("e", "cart", OURS, 1)).unwrap();
    doomed["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    set_slice(&mut session, &doomed.to_string());
    let names = |session: &Session| {
        let summaries = session.slice_summaries(&key("cart"));
        let names = summaries.iter().map(|summary| summary.key.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&session), ["a", "b"]);
    let before = set_slice(&mut session, &slice("a", "till", OURS, 2)).unwrap();
    assert_eq!((before.service.as_str(), before.generation), ("cart", 1));
    assert_eq!(names(&session), ["b"]);
    assert_eq!(session.remove_slice(&key("b")).unwrap().uid, "b");
    assert_eq!(session.remove_slice(&key("b")), None);
    assert!(names(&session).is_empty());
}

#[test]
fn a_plan_is_that_of_a_request() {
    let mut session = session();
    let (node, slice) = (node("n1", "a", "4", true), slice("cart-a", "cart", OURS, 1));
    let (first, other) = (pod("p", "cart", true), pod("q", "till", true));
    session.set_node(&serde_json::from_str(&node).unwrap());
    set_pod(&mut session, &first, "1");
    set_pod(&mut session, &other, "1");
    set_slice(&mut session, &slice);
    let plan = session.sync(&key("cart")).unwrap();
    let text = service(&json!({"app": "cart"}));
    let request = format!(
        r#"{{"service": {text}, "pods": [{other}, {first}], "nodes": [{node}], "slices": [{slice}]}}"#
    );
    let request: PlanRequest<'_> = serde_json::from_str(&request).unwrap();
    let nodes = NodeIndex::new(&request.nodes);
    let expected = plan_service(
        &request.service,
        request.pods.iter().collect(),
        request.slices.iter().collect(),
        &[],
        &nodes,
        &request.options,
        ServiceHints::default(),
        None,
    );
    let json = |plan: &Plan<'_>| serde_json::to_string(plan).unwrap();
    assert_eq!(json(&plan), json(&expected));
    assert_eq!((plan.delete.len(), plan.create.len()), (1, 1));
    assert!(session.sync(&key("till")).is_none());
}

#[test]
fn a_plan_that_is_not_carried_out_is_made_again() {
    let mut session = session();
    let mut slice: Value = serde_json::from_str(&slice("cart-a", "cart", OURS, 1)).unwrap();
    slice["ports"] = json!([{"name": "http", "protocol": "TCP", "port": 80}]);
    slice["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s"}]);
    // One endpoint matches, the other has no pod.
    slice["endpoints"] = json!([
        {"addresses": ["10.0.0.1"], "conditions": {"ready": true, "serving": true, "terminating": false}, "nodeName": "n1",
            "zone": "a", "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p", "uid": "p"}},
        {"addresses": ["10.0.0.2"], "conditions": {"ready": true}},
    ]);
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    set_pod(&mut session, &pod("p", "cart", true), "1");
    set_slice(&mut session, &slice.to_string());
    for _ in 0..3 {
        let plan = session.sync(&key("cart")).unwrap();
        let names = plan.update.iter().map(EndpointSlice::name);
        assert_eq!(names.collect::<Vec<_>>(), ["cart-a"]);
        assert_eq!((plan.stats.endpoints, plan.stats.removed), (1, 1));
    }
}

#[test]
fn nothing_is_left_when_all_is_gone() {
    let mut session = session();
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    set_pod(&mut session, &pod("p", "cart", true), "1");
    set_slice(&mut session, &slice("cart-a", "cart", OURS, 1));
    session.sync(&key("cart"));
    assert!(!session.is_empty());
    session.remove_pod(&key("p"));
    session.remove_node("n1");
    session.remove_slice(&key("cart-a"));
    assert!(session.remove_service(&key("cart")));
    assert!(session.is_empty());
}

#[test]
fn a_session_with_any_one_object_is_not_empty() {
    let empty = || Session::new(Options::default());
    assert!(empty().is_empty());
    let mut with_node = empty();
    with_node.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    let mut with_pod = empty();
    set_pod(&mut with_pod, &pod("p", "cart", true), "1");
    let mut with_slice = empty();
    set_slice(&mut with_slice, &slice("a", "cart", "somebody", 1));
    let mut with_service = empty();
    let bare = r#"{"metadata": {"namespace": "shop", "name": "cart"}}"#;
    with_service.set_service(&serde_json::from_str(bare).unwrap());
    let mut listing = empty();
    listing.begin_list(Kind::Pod);
    for session in [with_node, with_pod, with_slice, with_service, listing] {
        assert!(!session.is_empty(), "{session:?}");
    }
}
