//! Hand-written requests, one for each way in which the two routes could differ.

use serde_json::{Value, json};

/// A Service that has outgrown its slices: every kind of write, in two families and an unwanted one.
pub(super) fn grown() -> Value {
    with(|request| {
        request["options"] = json!({"maxEndpointsPerSlice": 1});
        request["slices"] = json!([slice("cart-a"), slice("cart-old"), slice("cart-names")]);
        request["slices"][1]["ports"] = json!([{"name": "old", "port": 1}]);
        request["slices"][1]["metadata"]["ownerReferences"][0]["uid"] = "an older Service".into();
        request["slices"][2]["addressType"] = "FQDN".into();
        // Of the first, the Service's endpoint already exists, except for its readiness.
        let target = json!({"kind": "Pod", "namespace": "shop", "name": "cart-1", "uid": "p1"});
        request["slices"][0]["endpoints"] =
            json!([{"addresses": ["10.0.0.1"], "targetRef": target}]);
    })
}

/// Name and request.
pub(super) fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("nothing but a Service", json!({"service": service()})),
        ("null is absent", nulls()),
        (
            "no selector",
            with(|request| request["service"]["spec"]["selector"] = Value::Null),
        ),
        (
            "an empty selector",
            with(|request| request["service"]["spec"]["selector"] = json!({})),
        ),
        (
            "an external name",
            with(|request| request["service"]["spec"]["type"] = "ExternalName".into()),
        ),
        (
            "a Service being deleted",
            with(|request| {
                request["service"]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into()
            }),
        ),
        (
            "no status, no spec",
            json!({"service": {"metadata": {"name": "cart"}}, "pods": [{"metadata": {"name": "a"}}], "nodes": [{"metadata": {"name": "n"}}]}),
        ),
        (
            "not ready addresses",
            with(|request| request["service"]["spec"]["publishNotReadyAddresses"] = true.into()),
        ),
        (
            "reserved labels and annotations of the Service",
            with(|request| {
                request["service"]["metadata"]["labels"] = json!({"team": "blue", "kubernetes.io/service-name": "no", "service.kubernetes.io/headless": "no"});
                request["service"]["metadata"]["annotations"] =
                    json!({"service.kubernetes.io/topology-aware-hints": "auto"});
            }),
        ),
        (
            "another manager",
            with(|request| {
                request["options"] =
                    json!({"managedBy": "mine.example.com", "maxEndpointsPerSlice": 1})
            }),
        ),
        (
            "no trigger time",
            with(|request| request["triggerTime"] = Value::Null),
        ),
        (
            "a fraction of a second",
            with(|request| request["triggerTime"] = "2026-01-02T03:04:05.123456789+02:00".into()),
        ),
        (
            "a state",
            with(
                |request| request["state"] = json!({"hints": {"populated": true, "IPv4": {"zone-0": 2}, "IPv6": {"zone-1": 1}}}),
            ),
        ),
        ("addresses of all spellings", addresses()),
        ("ports of all kinds", ports()),
        ("a named pod of a headless Service", headless()),
        ("quantities of all spellings", quantities()),
        ("endpoints that are no pods", endpoints()),
        (
            "conditions, hints and targets that are absent",
            sparse_slice(),
        ),
        ("pods half started", half_started()),
        ("slices of other families", other_families()),
    ]
}

fn service() -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "s1", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "selector": {"app": "cart"}, "ipFamilies": ["IPv4", "IPv6"], "clusterIP": "10.96.0.1", "type": "ClusterIP",
            "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080, "appProtocol": "h2c"}],
        },
    })
}

fn pod(number: u8) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": format!("cart-{number}"), "uid": format!("p{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": format!("node-{}", number % 2), "containers": [{"name": "main"}]},
        "status": {
            "phase": "Running", "podIP": format!("10.0.0.{number}"), "podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}],
            "conditions": [{"type": "Initialized", "status": "True"}, {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
        },
    })
}

fn node(number: u8, cpu: &Value) -> Value {
    json!({
        "metadata": {"name": format!("node-{number}"), "labels": {"topology.kubernetes.io/zone": format!("zone-{number}")}},
        "status": {"allocatable": {"cpu": cpu, "memory": "1Gi"}, "conditions": [{"type": "Ready", "status": "True"}]},
    })
}

fn slice(name: &str) -> Value {
    json!({
        "metadata": {
            "namespace": "shop", "name": name, "uid": name, "resourceVersion": "9",
            "labels": {"kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s1", "controller": true}],
        },
        "addressType": "IPv4",
        "endpoints": [{"addresses": ["10.0.0.9"], "conditions": {"ready": true}}],
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP", "appProtocol": "h2c"}],
    })
}

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let cpu = "2".into();
    let mut request = json!({
        "service": service(), "pods": [pod(1), pod(2), pod(3)], "nodes": [node(0, &cpu), node(1, &cpu)],
        "slices": [slice("cart-a"), slice("cart-b")], "triggerTime": "2026-01-02T03:04:05Z",
    });
    change(&mut request);
    request
}

fn nulls() -> Value {
    with(|request| {
        for key in ["nodes", "state", "options", "endpoints", "triggerTime"] {
            request[key] = Value::Null;
        }
        request["service"]["metadata"]["labels"] = Value::Null;
        request["service"]["spec"]["ipFamilies"] = Value::Null;
        request["pods"][0]["status"]["conditions"] = Value::Null;
        request["pods"][1]["spec"]["initContainers"] = Value::Null;
        request["pods"][2]["status"] = Value::Null;
        request["slices"][0]["endpoints"] = Value::Null;
        request["slices"][0]["ports"] = Value::Null;
        request["slices"][1]["metadata"]["annotations"] = Value::Null;
    })
}

fn addresses() -> Value {
    with(|request| {
        request["pods"][0]["status"]["podIPs"] =
            json!([{"ip": "010.000.0.1"}, {"ip": "FD00:0:0::1"}]);
        request["pods"][1]["status"]["podIPs"] =
            json!([{"ip": "::ffff:10.0.0.2"}, {"ip": "10.0.0.22"}]);
        request["pods"][2]["status"] = json!({"phase": "Running", "podIP": "not looked at"});
        request["slices"][0]["endpoints"][0]["addresses"] = json!(["010.0.0.9", "no address"]);
    })
}

fn ports() -> Value {
    with(|request| {
        request["service"]["spec"]["ports"] = json!([
            {"port": 80}, {"name": "web", "port": 81, "protocol": "TCP", "targetPort": "web"},
            {"name": "side", "port": 82, "protocol": "UDP", "targetPort": "side"}, {"name": "one", "port": 83, "protocol": "SCTP", "targetPort": 1},
        ]);
        request["pods"][0]["spec"]["containers"] = json!([{"name": "main", "ports": [{"name": "web", "containerPort": 9090, "protocol": "TCP"}]}]);
        let sidecar = json!([{"name": "side", "restartPolicy": "Always", "ports": [{"name": "side", "containerPort": 53, "protocol": "UDP"}]}]);
        request["pods"][1]["spec"]["initContainers"] = sidecar.clone();
        request["pods"][2]["spec"]["initContainers"] = sidecar;
        request["pods"][2]["spec"]["initContainers"][0]["restartPolicy"] = Value::Null;
    })
}

fn headless() -> Value {
    with(|request| {
        request["service"]["spec"]["clusterIP"] = "None".into();
        request["service"]["spec"]["ports"] = Value::Null;
        request["pods"][0]["spec"]["hostname"] = "first".into();
        request["pods"][0]["spec"]["subdomain"] = "cart".into();
        request["pods"][1]["spec"]["hostname"] = "second".into();
        request["pods"][2]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    })
}

fn quantities() -> Value {
    with(|request| {
        request["service"]["metadata"]["annotations"] =
            json!({"service.kubernetes.io/topology-mode": "Auto"});
        request["nodes"] = json!([
            node(0, &" 1500m ".into()),
            node(1, &json!(2)),
            node(2, &"1e3m".into())
        ]);
        request["nodes"][2]["status"]["allocatable"]["cpu"] = "0.001k".into();
    })
}

fn endpoints() -> Value {
    with(|request| {
        request["service"]["spec"]["selector"] = Value::Null;
        request["endpoints"] = json!([
            {"addresses": ["192.0.2.1", "2001:DB8::1"]},
            {"addresses": ["192.0.2.2"], "conditions": {}, "nodeName": "node-1", "hostname": "two"},
            {"addresses": ["192.0.2.3"], "conditions": {"ready": false}, "zone": "zone-9", "ports": [{"name": "odd", "port": 7, "protocol": "TCP"}]},
            {"addresses": ["192.0.2.4"], "targetRef": {"kind": "Machine", "name": "m", "apiVersion": "example.com/v1"}, "ports": []},
        ]);
    })
}

fn sparse_slice() -> Value {
    with(|request| {
        request["service"]["spec"]["trafficDistribution"] = "PreferSameNode".into();
        request["slices"][0]["endpoints"] = json!([
            {"addresses": ["10.0.0.1"], "targetRef": {"kind": "Pod", "namespace": "shop", "name": "cart-1", "uid": "p1", "resourceVersion": "3", "fieldPath": "spec.containers{main}"}},
            {"addresses": ["10.0.0.2"], "conditions": null, "hints": {}, "hostname": "", "zone": "", "nodeName": ""},
            {"addresses": [], "hints": {"forZones": [], "forNodes": [{"name": "node-1"}]}, "deprecatedTopology": {"a": "b"}},
        ]);
        request["slices"][1]["ports"] = json!([{"port": null}, {"name": "", "protocol": ""}]);
        request["slices"][1]["metadata"]["ownerReferences"] = Value::Null;
    })
}

fn half_started() -> Value {
    with(|request| {
        request["pods"][0]["status"] =
            json!({"phase": "Pending", "podIP": "10.0.0.1", "conditions": []});
        request["pods"][1]["status"]["conditions"][1]["status"] = "Unknown".into();
        request["pods"][2]["status"]["phase"] = "Succeeded".into();
        request["nodes"][1]["status"]["conditions"][0]["status"] = "Unknown".into();
        request["nodes"][0]["status"] = Value::Null;
    })
}

fn other_families() -> Value {
    with(|request| {
        request["service"]["spec"]["ipFamilies"] = json!(["IPv6"]);
        request["slices"][1]["addressType"] = "FQDN".into();
        request["slices"][1]["endpoints"][0]["addresses"] = json!(["a.example.com"]);
    })
}
