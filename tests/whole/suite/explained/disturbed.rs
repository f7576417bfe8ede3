//! Live slices that were disturbed after the plan was written.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{config, explain, find, not_written, settled};

/// How a live slice is disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disturbance {
    /// The endpoint has not been added.
    Missing,
    /// A deleted endpoint has not been removed.
    Stale,
    /// It has an address that belongs to someone else.
    Foreign,
    /// The pod is ready and the endpoint is not, or the other way round.
    Condition,
    /// A hint to a zone other than the endpoint's.
    Hint,
    /// A zone other than the node's.
    Zone,
    /// A label that the Service does not have.
    Label,
    /// Another port.
    Port,
    /// Only half of the endpoints have been written.
    Half,
    /// The slice is gone.
    Gone,
}

const ALL: [Disturbance; 10] = [
    Disturbance::Missing,
    Disturbance::Stale,
    Disturbance::Foreign,
    Disturbance::Condition,
    Disturbance::Hint,
    Disturbance::Zone,
    Disturbance::Label,
    Disturbance::Port,
    Disturbance::Half,
    Disturbance::Gone,
];

fn name(endpoint: &Value) -> String {
    let target = endpoint["targetRef"]["name"].as_str();
    target
        .unwrap_or_else(|| endpoint["addresses"][0].as_str().unwrap())
        .to_owned()
}

fn asks_for_auto(request: &Value) -> bool {
    let annotations = &request["service"]["metadata"]["annotations"];
    let mode = annotations["service.kubernetes.io/topology-mode"].as_str();
    mode.is_some_and(|mode| mode.eq_ignore_ascii_case("auto"))
}

/// Disturbs a slice; returns the expected code, and the names it must list. `None` if there is nothing to disturb.
fn disturb(
    request: &mut Value,
    what: Disturbance,
    slice: Index,
    endpoint: Index,
) -> Option<(&'static str, Vec<String>)> {
    let is_auto = asks_for_auto(request);
    let slices = request["slices"].as_array_mut().unwrap();
    let count = slices.len();
    if count == 0 {
        return None;
    }
    let place = slice.index(count);
    let slice = &mut slices[place];
    let slice_name = slice["metadata"]["name"].as_str().unwrap().to_owned();
    let family = slice["addressType"].clone();
    let stranger = if family == "IPv6" {
        "fd99::9"
    } else {
        "10.9.9.9"
    };
    let endpoints = slice["endpoints"].as_array_mut().unwrap();
    let needs_endpoint = !matches!(what, Disturbance::Foreign | Disturbance::Label);
    if needs_endpoint && endpoints.is_empty() {
        return None;
    }
    match what {
        Disturbance::Missing => {
            let gone = endpoints.remove(endpoint.index(endpoints.len()));
            Some(("NotWrittenEndpoint", vec![name(&gone)]))
        }
        Disturbance::Stale => {
            let mut old = endpoints[endpoint.index(endpoints.len())].clone();
            old["addresses"] = json!([stranger]);
            old["targetRef"]["name"] = "old-pod".into();
            endpoints.push(old);
            Some(("NotWrittenRemoval", vec!["old-pod".to_owned()]))
        }
        Disturbance::Foreign => {
            endpoints.push(json!({"addresses": [stranger], "conditions": {"ready": true}}));
            Some(("NotWrittenRemoval", vec![stranger.to_owned()]))
        }
        Disturbance::Condition => {
            let place = endpoint.index(endpoints.len());
            let ready = endpoints[place]["conditions"]["ready"].as_bool().unwrap();
            endpoints[place]["conditions"]["ready"] = (!ready).into();
            Some(("NotWrittenCondition", vec![name(&endpoints[place])]))
        }
        Disturbance::Hint => {
            let place = endpoint.index(endpoints.len());
            // Mode `Auto` keeps hints that still fit, and those of endpoints that are not ready always stay.
            if is_auto || endpoints[place]["conditions"]["ready"] != true {
                return None;
            }
            endpoints[place]["hints"] = json!({"forZones": [{"name": "elsewhere"}]});
            Some(("NotWrittenHint", vec![name(&endpoints[place])]))
        }
        Disturbance::Zone => {
            let place = endpoint.index(endpoints.len());
            endpoints[place]["zone"] = "elsewhere".into();
            Some(("NotWrittenField", vec![name(&endpoints[place])]))
        }
        Disturbance::Label => {
            slice["metadata"]["labels"]["stray"] = "yes".into();
            Some(("NotWrittenLabel", vec![slice_name]))
        }
        Disturbance::Port => {
            slice["ports"] = json!([{"name": "http", "port": 4711, "protocol": "TCP"}]);
            Some(("NotWrittenPort", Vec::new()))
        }
        Disturbance::Half => {
            let kept = endpoints.len() / 2;
            let gone: Vec<String> = endpoints.drain(kept..).map(|gone| name(&gone)).collect();
            Some(("NotWrittenEndpoint", gone))
        }
        Disturbance::Gone => {
            let gone: Vec<String> = endpoints.iter().map(name).collect();
            slices.remove(place);
            let is_last = !slices.iter().any(|slice| slice["addressType"] == family);
            match (slices.is_empty(), is_last) {
                // Without any slices, the live state is unknown.
                (true, _) => None,
                (false, true) => Some(("NotWrittenSlice", vec!["cart".to_owned()])),
                (false, false) => Some(("NotWrittenEndpoint", gone)),
            }
        }
    }
}

/// Disturbs slices in several ways at once; returns the expected codes and names.
fn disturb_all(
    request: &mut Value,
    mut whats: Vec<(Disturbance, Index, Index)>,
) -> Vec<(&'static str, Vec<String>)> {
    // Removals come first, so that nothing is disturbed that is removed later; foreign additions come last, so that
    // they are not disturbed themselves.
    whats.sort_by_key(|(what, ..)| {
        let order = [
            Disturbance::Gone,
            Disturbance::Half,
            Disturbance::Port,
            Disturbance::Missing,
            Disturbance::Label,
            Disturbance::Condition,
            Disturbance::Hint,
            Disturbance::Zone,
            Disturbance::Stale,
            Disturbance::Foreign,
        ];
        order.iter().position(|other| other == what)
    });
    let mut expected: Vec<(&'static str, String, Vec<String>)> = Vec::new();
    let mut closed = BTreeSet::new();
    for (what, slice, endpoint) in whats {
        let slices = request["slices"].as_array().unwrap();
        if slices.is_empty() {
            break;
        }
        let hit = &slices[slice.index(slices.len())];
        let name = hit["metadata"]["name"].as_str().unwrap().to_owned();
        let family = hit["addressType"].as_str().unwrap().to_owned();
        if closed.contains(&name) {
            continue;
        }
        let before = request.clone();
        let Some((code, names)) = disturb(request, what, slice, endpoint) else {
            *request = before;
            continue;
        };
        let is_again = expected
            .iter()
            .any(|(other, at, others)| *other == code && *at == family && *others == names);
        if is_again {
            *request = before;
            continue;
        }
        if matches!(what, Disturbance::Half | Disturbance::Port) {
            closed.insert(name);
        }
        expected.push((code, family, names));
    }
    let slices = request["slices"].as_array().unwrap();
    let lives = |family: &str| slices.iter().any(|slice| slice["addressType"] == family);
    let told = expected.into_iter().map(|(code, family, names)| {
        if lives(&family) {
            (code, names)
        } else {
            ("NotWrittenSlice", vec!["cart".to_owned()])
        }
    });
    // Without any slices, the live state is unknown.
    told.filter(|_| !slices.is_empty()).collect()
}

/// Names that are reported under a code without such a disturbance.
fn made_up(explanations: &[Value], code: &str, expected: &[(&str, Vec<String>)]) -> Vec<String> {
    let told = explanations.iter().filter(|told| told["code"] == code);
    let names = told.flat_map(|told| told["figures"]["names"].as_array().unwrap());
    let names = names.map(|name| name.as_str().unwrap().to_owned());
    let is_expected = |name: &String| {
        let mut of_code = expected.iter().filter(|(other, _)| *other == code);
        of_code.any(|(_, names)| names.contains(name))
    };
    names.filter(|name| !is_expected(name)).collect()
}

fn has_all(explanations: &[Value], code: &str, names: &[String]) -> bool {
    let told: Vec<&str> = explanations
        .iter()
        .filter(|told| told["code"] == code)
        .flat_map(|told| told["figures"]["names"].as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    !told.is_empty() && names.iter().all(|name| told.contains(&name.as_str()))
}

proptest! {
    #![proptest_config(config(1000, 20_261_122))]

    #[test]
    fn nothing_is_named_where_nothing_is_wrong(request in settled()) {
        let explanations = explain(&request);
        prop_assert_eq!(not_written(&explanations), Vec::<&str>::new(), "{}", request);
    }

    #[test]
    fn each_disturbance_is_named(
        mut request in settled(),
        what in prop::sample::select(ALL.to_vec()),
        (slice, endpoint) in any::<(Index, Index)>(),
    ) {
        let expected: Vec<_> = disturb(&mut request, what, slice, endpoint).into_iter().collect();
        let explanations = explain(&request);
        for (code, names) in &expected {
            prop_assert!(has_all(&explanations, code, names), "{what:?} {code} {names:?}: {} of {}", json!(explanations), request);
        }
        if !expected.is_empty() {
            // The verdict is the worst explanation's, and the worst comes first.
            let rank = |told: &Value| ["broken", "degraded", "risk", "note"].iter().position(|level| told["severity"] == *level);
            prop_assert!(explanations.is_sorted_by_key(rank));
        }
    }
}

proptest! {
    #![proptest_config(config(1000, 20_261_124))]

    #[test]
    fn several_disturbances_are_named_and_nothing_else(
        mut request in settled(),
        whats in prop::collection::vec((prop::sample::select(ALL.to_vec()), any::<Index>(), any::<Index>()), 2..5),
    ) {
        let expected = disturb_all(&mut request, whats.clone());
        let explanations = explain(&request);
        for (code, names) in &expected {
            // A plan that packs endpoints differently may delete the slice.
            let is_told = has_all(&explanations, code, names)
                || (*code == "NotWrittenLabel" && has_all(&explanations, "NotWrittenSlice", names));
            prop_assert!(is_told, "{whats:?} {code} {names:?}: {} of {}", json!(explanations), request);
        }
        for code in ["NotWrittenEndpoint", "NotWrittenRemoval", "NotWrittenCondition", "NotWrittenField"] {
            prop_assert_eq!(made_up(&explanations, code, &expected), Vec::<String>::new(), "{} of {}", code, request);
        }
        if expected.is_empty() {
            prop_assert_eq!(not_written(&explanations), Vec::<&str>::new(), "{}", request);
        }
    }
}

/// A slice that agrees with the plan is not named, whoever wrote it and whenever.
#[test]
fn who_wrote_last_is_told_only_with_a_difference() {
    let pod = json!({
        "metadata": {"namespace": "shop", "name": "cart-1", "uid": "u1", "labels": {"app": "cart"}},
        "spec": {"nodeName": "n"},
        "status": {"phase": "Running", "podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}],
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-03-02T10:30:00Z"}]},
    });
    let slice = |ready: bool| {
        json!({
            "metadata": {"namespace": "shop", "name": "cart-x", "labels": {
                    "kubernetes.io/service-name": "cart",
                    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
                "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "u", "controller": true, "blockOwnerDeletion": true}],
                "managedFields": [{"manager": "kube-controller-manager", "time": "2026-03-02T10:00:00Z"}]},
            "addressType": "IPv4", "ports": [{"name": "", "port": 80, "protocol": "TCP"}],
            "endpoints": [{"addresses": ["10.0.0.1"], "nodeName": "n", "conditions": {"ready": ready, "serving": ready, "terminating": false},
                "targetRef": {"kind": "Pod", "namespace": "shop", "name": "cart-1", "uid": "u1"}}],
        })
    };
    let request = |ready| {
        json!({
            "service": {"metadata": {"namespace": "shop", "name": "cart", "uid": "u"},
                "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "ports": [{"port": 80, "targetPort": 80, "protocol": "TCP"}]}},
            "pods": [pod], "nodes": [{"metadata": {"name": "n"}}], "slices": [slice(ready)],
        })
    };
    assert_eq!(not_written(&explain(&request(true))), Vec::<&str>::new());
    let told = explain(&request(false));
    let told = find(&told, "NotWrittenCondition").unwrap();
    assert_eq!(told["severity"], "broken", "{told}");
    let because = told["because"].as_str().unwrap();
    for part in [
        "since 2026-03-02T10:30:00Z (Ready condition of Pod cart-1)",
        "last written at 2026-03-02T10:00:00Z by kube-controller-manager",
        "before that",
    ] {
        assert!(because.contains(part), "{because}");
    }
}
