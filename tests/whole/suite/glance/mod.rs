//! A Service at a glance: what is said, and that suggested changes do what they say.

mod asked;
mod edits;

use serde_json::{Value, json};

use crate::api::{glance, plan};

/// A Service with pods spread over nodes `a`, `b` and so on, each in one of the zones.
fn cluster(zones: &[&str], pods: usize) -> Value {
    let node = |zone: &&str| {
        json!({
            "kind": "Node",
            "metadata": {"name": format!("node-{zone}"), "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    let pod = |number: usize| {
        let ip = format!("10.0.0.{}", number + 1);
        json!({
            "kind": "Pod",
            "metadata": {"name": format!("cart-{}", number + 1), "namespace": "shop", "uid": format!("uid-{number}"), "labels": {"app": "cart"}, "other": {"kept": true}},
            "spec": {"nodeName": format!("node-{}", zones[number % zones.len()])},
            "status": {"podIP": ip, "podIPs": [{"ip": ip}], "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    json!({
        "service": {
            "metadata": {"name": "cart", "namespace": "shop", "annotations": {"service.kubernetes.io/topology-mode": "Auto"}},
            "spec": {"selector": {"app": "cart"}, "ports": [{"port": 80, "protocol": "TCP", "targetPort": 8080}], "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"]},
        },
        "nodes": zones.iter().map(node).collect::<Vec<_>>(),
        "pods": (0..pods).map(pod).collect::<Vec<_>>(),
    })
}

fn look(input: &Value, question: &Value) -> Value {
    let answer = glance(
        input.to_string().as_bytes(),
        question.to_string().as_bytes(),
    );
    serde_json::from_slice(&answer.unwrap()).unwrap()
}

#[track_caller]
fn check(input: &Value, question: &str, headline: &str, words: Option<&str>) {
    let glance = look(input, &json!({}));
    assert_eq!(glance["question"], question);
    assert_eq!(glance["headline"], headline);
    assert_eq!(glance["arithmetic"]["words"].as_str(), words);
}

/// The input with the changes applied, as any client would apply them.
fn changed(input: &Value, changes: &Value) -> Value {
    let mut input = input.clone();
    for change in changes.as_array().unwrap() {
        let name = &change["name"];
        let patch: json_patch::Patch = match change.get("patch") {
            Some(patch) => serde_json::from_value(patch.clone()).unwrap(),
            None => json_patch::Patch(Vec::new()),
        };
        let list = match change["kind"].as_str().unwrap() {
            "Service" => {
                json_patch::patch(&mut input["service"], &patch).unwrap();
                continue;
            }
            "Pod" => &mut input["pods"],
            "Node" => &mut input["nodes"],
            other => panic!("{other}"),
        };
        let list = list.as_array_mut().unwrap();
        let source = change.get("copyOf").unwrap_or(name);
        let place = list
            .iter()
            .position(|object| object["metadata"]["name"] == *source);
        let place = place.unwrap();
        if change.get("delete").is_some() {
            list.remove(place);
        } else if change.get("copyOf").is_some() {
            let mut copy = list[place].clone();
            json_patch::patch(&mut copy, &patch).unwrap();
            assert_eq!(copy["metadata"]["name"], *name);
            list.push(copy);
        } else {
            json_patch::patch(&mut list[place], &patch).unwrap();
        }
    }
    input
}

/// Applies each suggested fix and checks that the resulting plan assigns hints. Returns the titles.
#[track_caller]
fn fixed(input: &Value) -> Vec<String> {
    let before = look(input, &json!({}));
    let fixes = before["fixes"].as_array().unwrap().iter();
    let fixed = fixes.map(|fix| {
        let input = changed(input, &fix["changes"]);
        let after = look(&input, &json!({}));
        let planned: Value =
            serde_json::from_slice(&plan(input.to_string().as_bytes()).unwrap()).unwrap();
        assert_eq!(planned["hints"][0]["applied"], true, "{fix}");
        assert_eq!(
            after["traffic"]["after"],
            fix.get("crossZone").cloned().unwrap_or_default()
        );
        assert_ne!(before["headline"], after["headline"], "{fix}");
        format!(
            "{}: {}",
            fix["title"].as_str().unwrap(),
            fix["effect"].as_str().unwrap()
        )
    });
    fixed.collect()
}

#[test]
fn eleven_endpoints_for_three_zones() {
    let input = cluster(&["a", "b", "c"], 11);
    check(
        &input,
        "Why are there no hints?",
        "11 endpoints cannot give three zones 4 each.",
        Some("3 zones × ⌈ 11/3 ÷ 1.2 ⌉ = 3 × 4 = 12 > 11"),
    );
    let glance = look(&input, &json!({"from": 8, "to": 12}));
    let counts = glance["counts"].as_array().unwrap();
    let works: Vec<_> = counts.iter().map(|count| count["works"] == true).collect();
    assert_eq!(works, [false, true, true, false, true]);
    let zones = glance["zones"].as_array().unwrap();
    let zones: Vec<_> = zones
        .iter()
        .map(|zone| {
            format!(
                "{} {} {} {}",
                zone["zone"], zone["ready"], zone["given"], zone["isMet"]
            )
        })
        .collect();
    assert_eq!(
        zones,
        [r#""a" 4 4 true"#, r#""b" 4 4 true"#, r#""c" 3 3 false"#]
    );
    assert_eq!(
        glance["traffic"]["now"],
        Value::Null,
        "there is no slice yet"
    );
    assert!((glance["traffic"]["after"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(
        fixed(&input),
        [
            "Use 12: hints are set: 4 to a, 4 to b and 4 to c",
            "Use 10: hints are set: 4 to a, 3 to b and 3 to c",
            "PreferSameZone: each endpoint serves its own zone",
        ]
    );
}

#[test]
fn hints_that_were_given_are_missed() {
    let mut input = cluster(&["a", "b", "c"], 12);
    let planned: Value =
        serde_json::from_slice(&plan(input.to_string().as_bytes()).unwrap()).unwrap();
    let mut slice = planned["create"][0].clone();
    slice["metadata"]["name"] = "cart-x".into();
    input["slices"] = json!([slice]);
    check(
        &input,
        "Where do the hints point?",
        "12 endpoints give three zones 4 each.",
        Some("3 zones × ⌈ 12/3 ÷ 1.2 ⌉ = 3 × 4 = 12 ≤ 12"),
    );
    let glance = look(&input, &json!({}));
    assert_eq!(glance["plan"], "Nothing to do: the slices are up to date.");
    assert_eq!(glance["traffic"], json!({"now": 0.0, "after": 0.0}));
    input["pods"].as_array_mut().unwrap().pop();
    check(
        &input,
        "Why did the hints vanish?",
        "11 endpoints cannot give three zones 4 each.",
        Some("3 zones × ⌈ 11/3 ÷ 1.2 ⌉ = 3 × 4 = 12 > 11"),
    );
    let glance = look(&input, &json!({}));
    assert_eq!(
        glance["plan"],
        "The plan updates 1 slice. 11 endpoints: 1 removed."
    );
}

#[test]
fn zones_with_different_cpu() {
    let mut input = cluster(&["a", "b", "c"], 6);
    input["nodes"][0]["status"]["allocatable"]["cpu"] = "8".into();
    check(
        &input,
        "Why are there no hints?",
        "6 endpoints cannot give three zones the 7 they need.",
        Some("⌈ 6 × 50 % ÷ 1.2 ⌉ + 2 × ⌈ 6 × 25 % ÷ 1.2 ⌉ = 3 + 2 × 2 = 7 > 6"),
    );
    assert_eq!(
        fixed(&input)[..2],
        [
            "Use 7: hints are set: 3 to a, 2 to b and 2 to c",
            "Use 4: hints are set: 2 to a, 1 to b and 1 to c"
        ]
    );
}

#[test]
fn rounding_is_told() {
    let glance = look(&cluster(&["a", "b", "c", "d", "e"], 6), &json!({}));
    assert_eq!(
        glance["arithmetic"]["words"],
        "5 zones × ⌈ 6/5 ÷ 1.2 ⌉ = 5 × 2 = 10 > 6 (slightly above a whole number in floating point, so it is rounded up)"
    );
}

#[test]
fn nodes_and_endpoints_without_zone() {
    let mut input = cluster(&["a", "b", "c"], 9);
    input["nodes"][1]["metadata"]["labels"] = json!({});
    check(
        &input,
        "Why are there no hints?",
        "Node node-b has no zone, so there are no hints anywhere.",
        None,
    );
    assert_eq!(
        fixed(&input),
        [
            "node-b is in a: hints are set: 6 to a and 3 to c",
            "node-b is in c: hints are set: 3 to a and 6 to c",
        ]
    );
    input["nodes"].as_array_mut().unwrap().push(json!({
        "metadata": {"name": "node-d"},
        "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
    }));
    input["nodes"][1]["metadata"]["labels"] = json!({"topology.kubernetes.io/zone": "b"});
    assert!(
        fixed(&input)[0].starts_with("node-d is in a: hints are set"),
        "{:?}",
        fixed(&input)
    );
    // A node that does not count, with a pod on it.
    input["nodes"][3]["metadata"]["labels"] = json!({"node-role.kubernetes.io/control-plane": ""});
    input["pods"][0]["spec"]["nodeName"] = "node-d".into();
    check(
        &input,
        "Why are there no hints?",
        "One endpoint has no zone, so there are no hints at all.",
        Some("3 zones × ⌈ 9/3 ÷ 1.2 ⌉ = 3 × 3 = 9 ≤ 9"),
    );
    assert!(
        fixed(&input)[0].starts_with("node-d is in a: hints are set"),
        "{:?}",
        fixed(&input)
    );
}

#[test]
fn other_rules() {
    let mut input = cluster(&["a", "b", "c"], 4);
    let service = &mut input["service"];
    service["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("annotations");
    check(
        &input,
        "What does the plan change?",
        "The plan creates 1 slice. 4 endpoints: 4 added.",
        None,
    );
    assert_eq!(
        fixed(&input),
        ["PreferSameZone: each endpoint serves its own zone"]
    );
    input["service"]["spec"]["trafficDistribution"] = "PreferSameZone".into();
    check(
        &input,
        "Where do the hints point?",
        "Every client stays in its own zone.",
        None,
    );
    input["pods"] = json!([input["pods"][0], input["pods"][3]]);
    check(
        &input,
        "Where do the hints point?",
        "Zones b and c have no endpoint: their clients go to the others.",
        None,
    );
    assert_eq!(
        fixed(&input),
        [
            "Run one in b: each endpoint serves its own zone; zone c has none and uses the others",
            "Run one in c: each endpoint serves its own zone; zone b has none and uses the others",
        ]
    );
}

#[test]
fn nobody_answers() {
    let mut input = cluster(&["a", "b"], 2);
    for pod in input["pods"].as_array_mut().unwrap() {
        pod["status"]["conditions"][0]["status"] = "False".into();
    }
    check(
        &input,
        "Why is there no answer?",
        "None of the 2 pods is ready.",
        Some("2 zones × ⌈ 0/2 ÷ 1.2 ⌉ = 2 × 0 = 0 ≤ 0"),
    );
    input["pods"] = json!([]);
    check(
        &input,
        "Why is there no answer?",
        "The selector matches no pod.",
        Some("2 zones × ⌈ 0/2 ÷ 1.2 ⌉ = 2 × 0 = 0 ≤ 0"),
    );
    input["service"]["spec"]["type"] = "ExternalName".into();
    let glance = look(&input, &json!({}));
    assert_eq!(
        glance["headline"],
        "A Service of type ExternalName has no endpoints."
    );
    assert_eq!(glance["fixes"], json!([]));
}

/// Every count can be reached, and the resulting plan has that many ready endpoints.
#[test]
fn the_slider_leads_where_it_says() {
    let input = cluster(&["a", "b", "c"], 11);
    for count in [0, 1, 3, 10, 11, 12, 24, 60] {
        let glance = look(&input, &json!({"service": "shop/cart", "endpoints": count}));
        assert_eq!(glance["ready"], count);
        let made = changed(&input, &glance["changes"]);
        let planned: Value =
            serde_json::from_slice(&plan(made.to_string().as_bytes()).unwrap()).unwrap();
        assert_eq!(planned["stats"]["endpoints"], count);
        assert_eq!(planned["hints"][0]["applied"], glance["applied"]);
        let mut direct = look(&made, &json!({}));
        direct["changes"] = glance["changes"].clone();
        direct["counts"] = glance["counts"].clone();
        assert_eq!(direct, glance, "{count}");
        for pod in made["pods"].as_array().unwrap() {
            assert_eq!(pod["metadata"]["other"]["kept"], true);
        }
    }
    let zones = look(&input, &json!({"endpoints": 15}))["zones"].clone();
    let ready: Vec<_> = zones
        .as_array()
        .unwrap()
        .iter()
        .map(|zone| zone["ready"].clone())
        .collect();
    assert_eq!(ready, [5, 5, 5], "new pods go where there are fewest");
}

#[test]
fn snapshots_are_looked_at_as_requests_are() {
    let input = cluster(&["a", "b", "c"], 11);
    let mut items = vec![input["service"].clone()];
    items[0]["kind"] = "Service".into();
    items.extend(input["pods"].as_array().unwrap().clone());
    items.extend(input["nodes"].as_array().unwrap().clone());
    let list = json!({"kind": "List", "items": items});
    assert_eq!(
        look(&list, &json!({"service": "shop/cart"})),
        look(&input, &json!({}))
    );
}

/// Else its endpoint would seem to be written wrongly.
#[test]
fn a_new_pod_is_none_that_a_slice_still_has() {
    let mut input = cluster(&["a"], 2);
    input["slices"] = json!([{
        "metadata": {"name": "cart-x", "namespace": "shop", "labels": {"kubernetes.io/service-name": "cart"}},
        "addressType": "IPv4", "ports": [],
        "endpoints": [
            {"addresses": ["10.0.0.3"], "targetRef": {"kind": "Pod", "namespace": "shop", "name": "cart-3"}},
            {"addresses": ["255.255.255.255"]},
        ],
    }]);
    let glance = look(&input, &json!({"endpoints": 3}));
    let [change] = glance["changes"].as_array().unwrap().as_slice() else {
        panic!("one pod more: {glance}");
    };
    assert_eq!(change["name"], "cart-4");
    assert!(
        change.to_string().contains(r#""10.0.0.4""#),
        "an address of its own: {change}"
    );
}
