//! What a change leaves to compare: a session is only worth its memory if all else stays settled.

use super::*;
use crate::session::slices::SliceComparison;

const SLICE: &str = "cart-a";

/// Three pods of `cart` on the node `n1` in zone `a`, with a slice that has just been found to match, as it was set.
fn settled() -> (Session, Value) {
    let mut session = session();
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    for number in 1..=3 {
        set_pod(&mut session, &numbered(number).to_string(), "1");
    }
    let plan = session.sync(&key("cart")).unwrap();
    let mut slice = serde_json::to_value(&plan.create[0]).unwrap();
    slice["metadata"]["name"] = SLICE.into();
    slice["metadata"]["generation"] = 1.into();
    set_slice(&mut session, &slice.to_string());
    session.sync(&key("cart"));
    assert_eq!(left(&session), "nothing");
    assert_eq!(session.settled_slices(), 1);
    assert!(pending(&session).is_empty());
    (session, slice)
}

/// The pods that the next sync compares although they are in no open slice.
fn pending(session: &Session) -> Vec<&str> {
    let id = session.services.find("shop", "cart").unwrap();
    let pending = &session.services.state(id).unwrap().pending;
    let pods = pending.ipv4.iter().chain(&pending.ipv6);
    pods.map(|pod| session.pods.get(*pod).unwrap().name())
        .collect()
}

fn numbered(number: usize) -> Value {
    let mut pod: Value = serde_json::from_str(&pod(&format!("p{number}"), "cart", true)).unwrap();
    pod["status"]["podIPs"] = json!([{"ip": format!("10.0.0.{number}")}]);
    pod
}

/// What the next sync compares: all of the slice, the endpoints of these pods, or nothing.
fn left(session: &Session) -> String {
    let id = session.services.find("shop", "cart").unwrap();
    if session.services.state(id).unwrap().is_dirty {
        return "everything".into();
    }
    let slice = session.slices.find("shop", SLICE);
    match slice.map(|slice| &session.slices.get(slice).unwrap().comparison) {
        None => "no slice".into(),
        Some(SliceComparison::Open) => "the slice".into(),
        Some(SliceComparison::Settled) => "nothing".into(),
        Some(SliceComparison::Touched(pods)) => {
            let names = pods
                .iter()
                .map(|pod| session.pods.get(*pod).unwrap().name());
            let mut names: Vec<_> = names.collect();
            names.sort_unstable();
            format!("[{}]", names.join(" "))
        }
    }
}

#[track_caller]
fn check_slice(change: impl FnOnce(&mut Value), expected: &str) {
    let (mut session, mut slice) = settled();
    change(&mut slice);
    set_slice(&mut session, &slice.to_string());
    assert_eq!(left(&session), expected, "{slice}");
}

#[test]
fn of_a_new_version_of_a_slice_only_changed_endpoints_are_compared() {
    check_slice(|_| {}, "[]");
    check_slice(|slice| slice["metadata"]["generation"] = 2.into(), "[]");
    check_slice(
        |slice| slice["metadata"]["annotations"] = json!({"a": "b"}),
        "[]",
    );
    check_slice(
        |slice| slice["endpoints"][1]["hints"] = json!({"forZones": [{"name": "b"}]}),
        "[]",
    );
    check_slice(
        |slice| slice["endpoints"][1]["hints"] = json!({"forNodes": [{"name": "n1"}]}),
        "[]",
    );
    check_slice(
        |slice| slice["endpoints"][1]["conditions"]["ready"] = false.into(),
        "[p2]",
    );
    check_slice(
        |slice| slice["endpoints"][1]["addresses"] = json!(["10.0.0.9"]),
        "[p2]",
    );
    check_slice(|slice| slice["endpoints"][1]["zone"] = "b".into(), "[p2]");
    check_slice(
        |slice| slice["endpoints"][1]["nodeName"] = "n2".into(),
        "[p2]",
    );
    check_slice(
        |slice| slice["endpoints"][1]["hostname"] = "p2".into(),
        "[p2]",
    );
}

#[test]
fn endpoints_are_found_again_wherever_they_stand_in_a_slice() {
    let edit = |slice: &mut Value, edit: fn(&mut Vec<Value>)| {
        edit(slice["endpoints"].as_array_mut().unwrap());
    };
    check_slice(|slice| edit(slice, |endpoints| endpoints.reverse()), "[]");
    check_slice(
        |slice| edit(slice, |endpoints| drop(endpoints.remove(0))),
        "[]",
    );
    check_slice(
        |slice| edit(slice, |endpoints| endpoints.push(endpoints[1].clone())),
        "[p2]",
    );
    check_slice(|slice| edit(slice, Vec::clear), "[]");
}

#[test]
fn a_slice_with_another_head_is_compared_as_a_whole() {
    let label =
        |slice: &mut Value, key: &str, value: &str| slice["metadata"]["labels"][key] = value.into();
    check_slice(|slice| label(slice, "team", "shop"), "the slice");
    check_slice(
        |slice| label(slice, "kubernetes.io/service-name", "till"),
        "the slice",
    );
    check_slice(
        |slice| slice["metadata"]["ownerReferences"][0]["uid"] = "older".into(),
        "the slice",
    );
    check_slice(|slice| slice["ports"][0]["port"] = 81.into(), "the slice");
    check_slice(|slice| slice["addressType"] = "IPv6".into(), "the slice");
}

#[track_caller]
fn check_change(change: impl FnOnce(&mut Session), expected: &str) {
    let (mut session, _) = settled();
    change(&mut session);
    assert_eq!(left(&session), expected);
}

fn set_numbered(session: &mut Session, number: usize, path: &str, value: Value) {
    let mut pod = numbered(number);
    let (parent, field) = path.rsplit_once('/').unwrap();
    pod.pointer_mut(parent).unwrap()[field] = value;
    set_pod(session, &pod.to_string(), "2");
}

#[test]
fn a_change_of_a_pod_leaves_its_endpoint_to_compare() {
    let set = |path: &'static str, value: Value| {
        move |session: &mut Session| set_numbered(session, 2, path, value)
    };
    check_change(set("/metadata/annotations", json!({"a": "b"})), "nothing");
    check_change(set("/status/message", json!("x")), "nothing");
    check_change(
        set("/metadata/deletionTimestamp", json!("2026-01-02T03:04:05Z")),
        "[p2]",
    );
    check_change(set("/status/conditions", json!([])), "[p2]");
    check_change(set("/status/phase", json!("Failed")), "[p2]");
    check_change(set("/spec/hostname", json!("h")), "[p2]");
    check_change(set("/spec/nodeName", json!("n2")), "[p2]");
    check_change(set("/metadata/labels", json!({"app": "till"})), "[p2]");
    check_change(|session| drop(session.remove_pod(&key("p2"))), "[p2]");
    // It is in no slice yet.
    check_change(
        |session| drop(set_pod(session, &numbered(4).to_string(), "1")),
        "nothing",
    );
}

#[test]
fn a_change_of_a_node_leaves_its_pods_to_compare_if_it_moves() {
    let set = |name: &'static str, zone: &'static str, cpu: &'static str, ready: bool| {
        move |session: &mut Session| {
            session.set_node(&serde_json::from_str(&node(name, zone, cpu, ready)).unwrap());
        }
    };
    check_change(set("n1", "a", "4", true), "nothing");
    check_change(set("n1", "a", "8", true), "nothing");
    check_change(set("n1", "a", "4", false), "nothing");
    check_change(set("n2", "b", "4", true), "nothing");
    check_change(set("n1", "b", "4", true), "[p1 p2 p3]");
    check_change(
        |session| {
            session.remove_node("n1");
        },
        "[p1 p2 p3]",
    );
    check_change(
        |session| {
            session.remove_node("n2");
        },
        "nothing",
    );
}

#[test]
fn a_change_of_the_service_leaves_everything_to_compare_if_plans_use_it() {
    let set = |path: &'static str, value: Value| {
        move |session: &mut Session| {
            let text = service(&json!({"app": "cart"}));
            let mut service: Value = serde_json::from_str(&text).unwrap();
            let (parent, field) = path.rsplit_once('/').unwrap();
            service.pointer_mut(parent).unwrap()[field] = value;
            session.set_service(&serde_json::from_str(&service.to_string()).unwrap());
        }
    };
    check_change(set("/metadata/uid", json!("s")), "nothing");
    check_change(set("/metadata/resourceVersion", json!("9")), "nothing");
    check_change(set("/metadata/annotations", json!({"a": "b"})), "nothing");
    check_change(
        set(
            "/metadata/annotations",
            json!({"service.kubernetes.io/topology-mode": "Auto"}),
        ),
        "everything",
    );
    check_change(
        set("/metadata/labels", json!({"team": "shop"})),
        "everything",
    );
    check_change(set("/spec/selector", json!({"app": "till"})), "everything");
    check_change(
        set("/spec/publishNotReadyAddresses", json!(true)),
        "everything",
    );
}

#[test]
fn what_changes_in_one_family_leaves_nothing_to_compare_in_the_other() {
    let mut session = Session::new(Options::default());
    let mut cart: Value = serde_json::from_str(&service(&json!({"app": "cart"}))).unwrap();
    cart["spec"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
    session.set_service(&serde_json::from_str(&cart.to_string()).unwrap());
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    let mut pod = numbered(1);
    pod["status"]["podIPs"] = json!([{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]);
    set_pod(&mut session, &pod.to_string(), "1");
    let plan = session.sync(&key("cart")).unwrap();
    let mut slices: Vec<Value> = Vec::new();
    for (slice, name) in plan.create.iter().zip(["four", "six"]) {
        let mut slice = serde_json::to_value(slice).unwrap();
        slice["metadata"]["name"] = name.into();
        set_slice(&mut session, &slice.to_string());
        slices.push(slice);
    }
    session.sync(&key("cart"));
    assert_eq!((slices.len(), session.settled_slices()), (2, 2));
    for slice in &mut slices {
        slice["endpoints"][0]["conditions"]["ready"] = false.into();
        set_slice(&mut session, &slice.to_string());
        for _ in 0..2 {
            assert_eq!(session.sync(&key("cart")).unwrap().update.len(), 1);
            assert!(pending(&session).len() < 2, "{:?}", pending(&session));
        }
        slice["endpoints"][0]["conditions"]["ready"] = true.into();
        set_slice(&mut session, &slice.to_string());
        session.sync(&key("cart"));
        assert!(pending(&session).is_empty());
    }
}

#[test]
fn pods_without_an_address_of_the_family_leave_nothing_to_compare() {
    let (mut session, _) = settled();
    let mut pod = numbered(4);
    pod["status"]["podIPs"] = json!([{"ip": "fd00::4"}]);
    set_pod(&mut session, &pod.to_string(), "1");
    assert_eq!(pending(&session), ["p4", "p4"], "of either family");
    session.sync(&key("cart"));
    assert!(pending(&session).is_empty());
}
