//! Random small clusters as plan requests, for property tests.

use proptest::prelude::*;
use serde_json::{Value, json};

/// A request that plans without errors, and is varied enough to reach every branch.
pub(super) fn request() -> impl Strategy<Value = Value> {
    (service(), prop::collection::vec(pod(), 0..14), prop::collection::vec(node(), 0..5), slices(), endpoints(), options()).prop_map(
        |(service, pods, nodes, slices, endpoints, options)| {
            json!({
                "service": service,
                "pods": named(pods, |pod, index| {
                    pod["metadata"]["name"] = format!("pod-{index}").into();
                    pod["metadata"]["uid"] = format!("pod-uid-{index}").into();
                    pod["status"]["podIPs"] = json!([{"ip": format!("10.0.0.{}", index + 1)}, {"ip": format!("fd00::{:x}", index + 1)}]);
                }),
                "nodes": named(nodes, |node, index| node["metadata"]["name"] = format!("node-{index}").into()),
                "slices": named(slices, |slice, index| {
                    slice["metadata"]["name"] = format!("slice-{index}").into();
                    slice["metadata"]["uid"] = format!("slice-uid-{index}").into();
                    slice["metadata"]["resourceVersion"] = (100 + index).to_string().into();
                }),
                "endpoints": endpoints,
                "options": options,
                "triggerTime": "2026-01-02T03:04:05Z",
            })
        },
    )
}

/// Endpoints that are not pods: few, with duplicates, and some addresses in other spellings.
fn endpoints() -> impl Strategy<Value = Vec<Value>> {
    let addresses = prop::sample::select(vec![
        vec!["192.0.2.1"],
        vec!["192.0.2.01"],
        vec!["192.0.2.2"],
        vec!["2001:db8::1"],
        vec!["2001:DB8:0::1"],
        vec!["192.0.2.1", "2001:db8::1"],
        vec!["192.0.2.9", "192.0.2.10"],
        vec!["192.0.2.10", "192.0.2.9"],
    ]);
    let hostname = prop::option::weighted(0.2, Just("till"));
    let place = prop::sample::select(vec![
        json!({}),
        json!({"zone": "zone-0"}),
        json!({"nodeName": "node-0"}),
    ]);
    let ports = prop::sample::select(vec![
        None,
        None,
        Some(json!([{"name": "http", "port": 8080, "protocol": "TCP"}])),
    ]);
    let endpoint = (addresses, hostname, place, any::<bool>(), ports);
    let endpoint = endpoint.prop_map(|(addresses, hostname, place, ready, ports)| {
        let mut endpoint = place;
        endpoint["addresses"] = json!(addresses);
        if let Some(hostname) = hostname {
            endpoint["hostname"] = hostname.into();
        }
        if !ready {
            endpoint["conditions"] = json!({"ready": false, "serving": true, "terminating": false});
        }
        if let Some(ports) = ports {
            endpoint["ports"] = ports;
        }
        endpoint
    });
    prop::collection::vec(endpoint, 0..4)
}

fn named(mut objects: Vec<Value>, name: impl Fn(&mut Value, usize)) -> Vec<Value> {
    for (index, object) in objects.iter_mut().enumerate() {
        name(object, index);
    }
    objects
}

fn service() -> impl Strategy<Value = Value> {
    let mode = prop::option::of(prop::sample::select(vec!["Auto", "auto", "Disabled"]));
    let traffic = prop::option::of(prop::sample::select(vec![
        "PreferClose",
        "PreferSameZone",
        "PreferSameNode",
        "Other",
    ]));
    let families = prop::sample::select(vec![
        vec!["IPv4"],
        vec!["IPv6"],
        vec!["IPv4", "IPv6"],
        vec![],
    ]);
    let target = prop::sample::select(vec![json!(8080), json!("http")]);
    (mode, traffic, families, target, any::<bool>(), any::<bool>()).prop_map(|(mode, traffic, families, target, publish, headless)| {
        let mut service = json!({
            "metadata": {"namespace": "shop", "name": "cart", "uid": "service-uid", "labels": {"team": "checkout"}, "annotations": {}},
            "spec": {
                "selector": {"app": "cart"}, "ipFamilies": families, "publishNotReadyAddresses": publish,
                "clusterIP": if headless { "None" } else { "10.96.0.1" },
                "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": target}],
            },
        });
        if let Some(mode) = mode {
            service["metadata"]["annotations"]["service.kubernetes.io/topology-mode"] = mode.into();
        }
        if let Some(traffic) = traffic {
            service["spec"]["trafficDistribution"] = traffic.into();
        }
        service
    })
}

fn pod() -> impl Strategy<Value = Value> {
    (0_u8..5, any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.9), prop::sample::select(vec![8080, 9090])).prop_map(
        |(node, ready, terminating, matching, port)| {
            let mut pod = json!({
                "metadata": {"namespace": "shop", "labels": {"app": if matching { "cart" } else { "other" }}},
                "spec": {"nodeName": format!("node-{node}"), "containers": [{"ports": [{"name": "http", "containerPort": port, "protocol": "TCP"}]}]},
                "status": {"phase": "Running", "podIP": "10.0.0.1", "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
            });
            if terminating {
                pod["metadata"]["deletionTimestamp"] = "2026-01-02T03:00:00Z".into();
            }
            pod
        },
    )
}

fn node() -> impl Strategy<Value = Value> {
    (prop::option::weighted(0.95, 0_u8..3), prop::bool::weighted(0.9), prop::sample::select(vec!["2", "4", "500m"])).prop_map(|(zone, ready, cpu)| {
        let labels = zone.map_or_else(|| json!({}), |zone| json!({"topology.kubernetes.io/zone": format!("zone-{zone}")}));
        json!({
            "metadata": {"labels": labels},
            "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
        })
    })
}

fn slices() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(
        (
            prop::collection::vec((0_usize..14, any::<bool>(), 0_u8..3), 0..5),
            prop::bool::weighted(0.9),
            any::<bool>(),
        ),
        0..5,
    )
    .prop_map(|slices| {
        slices
            .into_iter()
            .map(|(endpoints, owned, fresh)| slice(&endpoints, owned, fresh))
            .collect()
    })
}

fn slice(endpoints: &[(usize, bool, u8)], owned: bool, fresh: bool) -> Value {
    let endpoint = |(pod, ready, zone): &(usize, bool, u8)| {
        json!({
            "addresses": [format!("10.0.0.{}", pod + 1)],
            "conditions": {"ready": ready, "serving": ready, "terminating": false},
            "targetRef": {"kind": "Pod", "namespace": "shop", "name": format!("pod-{pod}"), "uid": format!("pod-uid-{pod}")},
            "zone": format!("zone-{zone}"), "nodeName": format!("node-{zone}"), "hints": {"forZones": [{"name": format!("zone-{zone}")}]},
            "futureField": {"kept": true},
        })
    };
    let mut labels = json!({"kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"});
    if fresh {
        labels["team"] = "checkout".into();
    }
    json!({
        "metadata": {
            "namespace": "shop", "labels": labels, "finalizers": ["example.com/keep"],
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": if owned { "service-uid" } else { "older-uid" }}],
        },
        "addressType": "IPv4",
        "endpoints": endpoints.iter().map(endpoint).collect::<Vec<_>>(),
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
    })
}

fn options() -> impl Strategy<Value = Value> {
    let packing = prop::sample::select(vec!["upstream", "compact", "balanced"]);
    (1_u32..5, any::<bool>(), any::<bool>(), packing)
        .prop_map(|(max, hints, prefer_same, packing)| json!({"maxEndpointsPerSlice": max, "topologyHints": hints, "preferSameTrafficDistribution": prefer_same, "packing": packing}))
}
