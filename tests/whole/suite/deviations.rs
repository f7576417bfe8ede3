//! A demonstration of every entry in `docs/deviations.md`.

use serde_json::{Value, json};

use crate::api;
use crate::kubernetes::KubernetesVersion;

fn plan(request: &Value) -> Value {
    serde_json::from_slice(&api::plan(&serde_json::to_vec(request).unwrap()).unwrap()).unwrap()
}

#[track_caller]
fn check_error(request: &Value, code: &str) {
    let error = api::plan(&serde_json::to_vec(request).unwrap()).expect_err("it was taken");
    assert_eq!(error.code().as_str(), code);
}

fn pod(number: usize) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": format!("pod-{number}"), "uid": format!("pod-uid-{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": "node"},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}], "conditions": [{"type": "Ready", "status": "True"}]},
    })
}

fn request(pods: impl IntoIterator<Item = usize>) -> Value {
    json!({
        "service": {
            "metadata": {"namespace": "shop", "name": "cart", "uid": "service-uid"},
            "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "ipFamilies": ["IPv4"],
                "ports": [{"name": "web", "protocol": "TCP", "targetPort": 8080}, {"name": "admin", "protocol": "TCP", "targetPort": 9090}]},
        },
        "pods": pods.into_iter().map(pod).collect::<Vec<_>>(),
        "nodes": [{"metadata": {"name": "node", "labels": {"topology.kubernetes.io/zone": "a"}}}],
        "slices": [],
        "options": {"maxEndpointsPerSlice": 2},
    })
}

fn slice(name: &str, endpoints: &[usize], port: u16) -> Value {
    let endpoint = |number: &usize| {
        json!({
            "addresses": [format!("10.0.0.{number}")], "nodeName": "node", "zone": "a",
            "conditions": {"ready": true, "serving": true, "terminating": false, "futureCondition": 1},
            "targetRef": {"kind": "Pod", "namespace": "shop", "name": format!("pod-{number}"), "uid": format!("pod-uid-{number}")},
            "futureField": {"kept": [1, 2]},
        })
    };
    json!({
        "metadata": {
            "namespace": "shop", "name": name, "uid": format!("uid-{name}"), "resourceVersion": "7",
            "finalizers": ["example.com/keep"], "annotations": {"example.com/theirs": "kept"},
            "labels": {"kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "service-uid", "controller": true, "blockOwnerDeletion": true}],
        },
        "addressType": "IPv4",
        "endpoints": endpoints.iter().map(endpoint).collect::<Vec<_>>(),
        "ports": [{"name": "web", "protocol": "TCP", "port": port}, {"name": "admin", "protocol": "TCP", "port": 9090}],
        "futureSliceField": "kept",
    })
}

fn addresses(slice: &Value) -> Vec<&str> {
    slice["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|endpoint| endpoint["addresses"][0].as_str().unwrap())
        .collect()
}

#[test]
fn choices_among_equals_are_by_name_and_address() {
    let mut request = request([5, 3, 1, 4, 2]);
    request["slices"] = json!([slice("b", &[2], 8080), slice("a", &[1], 8080)]);
    request["pods"].as_array_mut().unwrap().remove(0);
    let plan = plan(&request);
    // One of two equally full slices would take the single endpoint left over after a new slice is full.
    assert_eq!(addresses(&plan["create"][0]), ["10.0.0.3", "10.0.0.4"]);
    let mut one_more = request.clone();
    one_more["pods"].as_array_mut().unwrap().pop();
    one_more["pods"].as_array_mut().unwrap().push(pod(2));
    one_more["pods"]
        .as_array_mut()
        .unwrap()
        .retain(|pod| pod["metadata"]["name"] != "pod-4");
    let plan = self::plan(&one_more);
    assert_eq!(plan["update"][0]["metadata"]["name"], "a");
    assert_eq!(addresses(&plan["update"][0]), ["10.0.0.1", "10.0.0.3"]);
}

/// Which slice is recycled is random in the reference, too, but never one with unwanted ports while there is another.
#[test]
fn slices_of_unwanted_ports_are_recycled_last() {
    let mut request = request([1]);
    request["slices"] = json!([slice("a", &[1], 1234), slice("b", &[2], 8080)]);
    let plan = plan(&request);
    assert_eq!(plan["update"][0]["metadata"]["name"], "b");
    assert_eq!(plan["delete"][0]["name"], "a");
}

/// Which endpoints serve another zone is random in the reference, too, but it processes one port group after the other.
#[test]
fn zones_are_given_group_by_group() {
    let mut request = request(1..=4);
    let service = &mut request["service"];
    service["metadata"]["annotations"] = json!({"service.kubernetes.io/topology-mode": "Auto"});
    service["metadata"]["labels"] = json!({"team": "checkout"});
    service["spec"]["ports"][0]["targetPort"] = "web".into();
    let node = |name: &str, zone: &str| {
        json!({
            "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    request["nodes"] = json!([node("node", "a"), node("other", "b")]);
    let ports = [8080, 9090, 8080, 9090];
    for (pod, port) in request["pods"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .zip(ports)
    {
        pod["spec"]["containers"] =
            json!([{"ports": [{"name": "web", "protocol": "TCP", "containerPort": port}]}]);
    }
    request["slices"] = (1..)
        .zip(ports)
        .map(|(number, port)| slice(&format!("slice-{number}"), &[number], port))
        .collect();
    let plan = plan(&request);
    let zones = plan["update"].as_array().unwrap().iter().map(|slice| {
        let endpoint = &slice["endpoints"][0];
        assert_eq!(slice["metadata"]["labels"]["team"], "checkout");
        endpoint["hints"]["forZones"][0]["name"].as_str().unwrap()
    });
    assert_eq!(zones.collect::<Vec<_>>(), ["b", "a", "b", "a"]);
}

#[test]
fn recycled_slices_keep_what_is_not_ours() {
    let mut request = request([1]);
    request["slices"] = json!([slice("old", &[1], 1234)]);
    let plan = plan(&request);
    assert_eq!(
        (plan["create"].clone(), plan["delete"].clone()),
        (json!([]), json!([]))
    );
    let recycled = &plan["update"][0];
    assert_eq!(plan["reasons"]["old"], json!(["NewEndpoints", "Recycled"]));
    assert_eq!(recycled["ports"][0]["port"], 8080);
    let metadata = &recycled["metadata"];
    assert_eq!(
        (&metadata["uid"], &metadata["resourceVersion"]),
        (&json!("uid-old"), &json!("7"))
    );
    assert_eq!(metadata["finalizers"], json!(["example.com/keep"]));
    assert_eq!(
        metadata["annotations"],
        json!({"example.com/theirs": "kept"})
    );
    assert_eq!(recycled["futureSliceField"], "kept");
}

#[test]
fn unknown_fields_survive() {
    let mut request = request([1, 2]);
    request["slices"] = json!([slice("a", &[1, 2, 3], 8080)]);
    request["pods"][1]["status"]["conditions"][0]["status"] = "False".into();
    let updated = &plan(&request)["update"][0];
    assert_eq!(updated["futureSliceField"], "kept");
    for endpoint in updated["endpoints"].as_array().unwrap() {
        assert_eq!(endpoint["futureField"], json!({"kept": [1, 2]}));
        assert_eq!(endpoint["conditions"]["futureCondition"], 1);
    }
    assert_eq!(updated["endpoints"][1]["conditions"]["ready"], false);
}

#[test]
fn ports_are_in_the_services_order() {
    let plan = plan(&request([1]));
    let names: Vec<_> = plan["create"][0]["ports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|port| port["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["web", "admin"]);
}

#[test]
fn an_ip_that_is_none_is_an_error() {
    let mut request = request([1]);
    request["pods"][0]["status"]["podIPs"][0]["ip"] = "10.0.0".into();
    check_error(&request, "InvalidValue");
}

#[test]
fn ipv4_comes_first() {
    let mut request = request([1]);
    request["service"]["spec"]["ipFamilies"] = json!(["IPv6", "IPv4"]);
    request["service"]["metadata"]["annotations"] =
        json!({"service.kubernetes.io/topology-mode": "Auto"});
    let plan = plan(&request);
    let families: Vec<_> = plan["create"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slice| slice["addressType"].as_str().unwrap())
        .collect();
    assert_eq!(families, ["IPv4", "IPv6"]);
    assert!(
        plan["events"][0]["message"]
            .as_str()
            .unwrap()
            .ends_with("addressType: IPv4")
    );
    assert!(
        plan["events"][1]["message"]
            .as_str()
            .unwrap()
            .ends_with("addressType: IPv6")
    );
}

#[test]
fn stats_add_up_both_families() {
    let mut request = request([1, 2, 3]);
    request["service"]["spec"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
    assert_eq!(
        plan(&request)["stats"],
        json!({"endpoints": 6, "added": 6, "removed": 0, "slices": 4, "desiredSlices": 4})
    );
}

#[test]
fn absurd_quantities_are_errors() {
    let mut request = request([1]);
    request["nodes"][0]["status"] = json!({"allocatable": {"cpu": "99999999999E"}});
    check_error(&request, "InvalidValue");
}

#[test]
fn duplicate_names_are_errors() {
    check_error(&request([1, 1]), "DuplicateName");
}

#[test]
fn ports_out_of_range_are_errors() {
    let with = |field: &str, port: i64| {
        let mut request = request([1]);
        request["service"]["spec"]["ports"][0][field] = json!(port);
        request
    };
    for number in [-1, 0, 65_536, 70_000] {
        check_error(&with("port", number), "InvalidValue");
    }
    for number in [-1, 65_536] {
        check_error(&with("targetPort", number), "InvalidValue");
    }
    let ports = |request: &Value| plan(request)["create"][0]["ports"].clone();
    assert_eq!(ports(&with("port", 65_535)), ports(&with("port", 1)));
    assert_eq!(ports(&with("targetPort", 0))[0]["port"], 0);
    let mut request = request([1]);
    request["pods"][0]["spec"]["containers"] =
        json!([{"ports": [{"name": "web", "containerPort": 70_000, "protocol": "TCP"}]}]);
    request["service"]["spec"]["ports"][0]["targetPort"] = json!("web");
    assert_eq!(ports(&request)[0]["port"], 70_000);
}

#[test]
fn a_manifest_is_planned_as_it_will_be_stored() {
    let [mut manifest, mut stored] = [request([1]), request([1])];
    manifest["service"] = json!({
        "metadata": {"name": "cart"},
        "spec": {"selector": {"app": "cart"}, "ports": [{"name": "web", "port": 8080}, {"name": "admin", "port": 9090}]},
    });
    manifest["pods"][0]["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("namespace");
    stored["service"]["metadata"]["namespace"] = json!("default");
    stored["pods"][0]["metadata"]["namespace"] = json!("default");
    let created = |request: &Value| {
        let mut created = plan(request)["create"].clone();
        created[0]["metadata"]["ownerReferences"][0]["uid"].take();
        created
    };
    assert_eq!(created(&manifest), created(&stored));

    manifest["service"]["metadata"]["resourceVersion"] = json!("1");
    let believed = created(&manifest);
    let label = &believed[0]["metadata"]["labels"]["service.kubernetes.io/headless"];
    assert_eq!(*label, "", "{believed}");
    assert_eq!(believed[0]["ports"][0]["port"], 0, "{believed}");
}

/// The document and the tests refer to each other.
#[test]
fn the_document_names_every_test() {
    let document = include_str!("../../../docs/deviations.md");
    let tests = [
        include_str!("deviations.rs"),
        include_str!("kubernetes_service.rs"),
        include_str!("mirroring.rs"),
        include_str!("proxy/input.rs"),
        include_str!("proxy/unread.rs"),
        include_str!("stream/changes.rs"),
        include_str!("stream/input.rs"),
        include_str!("stream/slices.rs"),
        include_str!("../../../src/tracker/slices.rs"),
    ];
    let named: Vec<_> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter(|row| row.starts_with(|first: char| first.is_ascii_digit()))
        .filter_map(|line| line.split('`').rev().nth(1))
        .collect();
    assert!(named.len() >= 9);
    for name in named {
        let name = format!("fn {name}()");
        let is_there = tests.iter().any(|file| file.contains(&name));
        assert!(is_there, "{name} is no test");
    }
}

#[test]
fn keys_given_twice_are_errors() {
    let text = request([1]).to_string();
    let twice = text.replacen(r#""app":"cart""#, r#""app":"cart","app":"crat""#, 1);
    assert_ne!(text, twice);
    let error = api::plan(twice.as_bytes()).expect_err("it was taken");
    assert_eq!(error.code().as_str(), "InvalidJson");
}

#[test]
fn a_missing_node_is_one_error() {
    let mut request = request([1]);
    request["service"]["spec"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
    request["nodes"] = json!([]);
    let plan = plan(&request);
    assert_eq!(plan["errors"].as_array().unwrap().len(), 1, "{plan}");
    assert_eq!(plan["requeue"], true);
}

/// The last one counted is IPv6; our own figures count both.
#[test]
fn gauges_hold_the_last_family() {
    use super::metrics::{observe, request, values};
    use crate::reconcile::EndpointsPerSlice;
    let mut metrics = crate::metrics::Metrics::new(
        EndpointsPerSlice::new(4).unwrap(),
        KubernetesVersion::default(),
    );
    let mut both = request("cart", &["IPv6", "IPv4"], &["a"; 6]);
    // One pod has no IPv6 address.
    both["pods"][0]["status"]["podIPs"]
        .as_array_mut()
        .unwrap()
        .pop();
    observe(&mut metrics, &both);
    let desired = values(&metrics, "endpoint_slice_controller_endpoints_desired");
    assert_eq!(desired, [" 5"]);
    let own = values(&metrics, "slicewise_endpoints");
    assert_eq!(
        own,
        [r#"{address_type="IPv4"} 6"#, r#"{address_type="IPv6"} 5"#]
    );
}
