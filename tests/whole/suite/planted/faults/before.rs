//! Faults in what is stored and what the Service means, before any pod is looked at, and in what is planned for hints.

use serde_json::{Value, json};

use super::super::world::{ANY, NAMESPACE, Needs, PROXIED, Writer};
use super::{Fault, Link, fault};

const MIRROR: Needs = Needs {
    writer: Writer::Mirror,
    ..PROXIED
};
const AUTO: Needs = Needs {
    hints: Some("Auto"),
    zones: 2,
    ..PROXIED
};
const CLOSE: Needs = Needs {
    hints: Some("PreferClose"),
    zones: 2,
    ..PROXIED
};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        Link::Stored,
        "empty selector",
        PROXIED,
        &["NoSelector"],
        "broken",
        |world| {
            world.spec()["selector"] = json!({});
            world.lose_slices();
        },
    ),
    fault(
        Link::Stored,
        "special addresses",
        ANY,
        &["AddressRefused"],
        "broken",
        |world| {
            let [v4, v6] = world.dice.of(&[
                ["169.254.7.", "fe80::"],
                ["127.0.0.", "fe80:0:1::"],
                ["224.0.0.", "ff02::"],
            ]);
            for (place, pod) in world.pods().into_iter().enumerate() {
                let ips = [format!("{v4}{}", place + 5), format!("{v6}{:x}", place + 5)];
                pod["status"]["podIP"] = ips[0].clone().into();
                pod["status"]["podIPs"] = json!([{"ip": ips[0]}, {"ip": ips[1]}]);
            }
            world.remove_endpoints(|_| true);
        },
    ),
    fault(
        Link::Stored,
        "special address of Endpoints",
        MIRROR,
        &["AddressRefused"],
        "broken",
        |world| {
            world.object("Endpoints")["subsets"][0]["addresses"] = json!([{"ip": "127.0.0.1"}]);
            let is_v6 = world.spec()["ipFamilies"][0] == "IPv6";
            if is_v6 {
                world.object("Endpoints")["subsets"][0]["addresses"] = json!([{"ip": "::1"}]);
            }
            world.remove_slices();
        },
    ),
    fault(
        Link::Stored,
        "topology keys",
        PROXIED,
        &["TopologyKeysIgnored"],
        "degraded",
        |world| {
            let keys = [
                json!(["kubernetes.io/hostname"]),
                json!(["topology.kubernetes.io/zone", "*"]),
            ];
            world.spec()["topologyKeys"] = world.dice.of(&keys);
        },
    ),
    fault(
        Link::Stored,
        "unknown trafficDistribution",
        Needs {
            hints: Some(""),
            ..PROXIED
        },
        &["HintsUnknownValue"],
        "degraded",
        |world| {
            let value = world.dice.of(&["PreferLocal", "preferclose", "SameZone"]);
            world.spec()["trafficDistribution"] = value.into();
            world.settle();
        },
    ),
    fault(
        Link::Stored,
        "unknown topology mode",
        Needs {
            hints: Some(""),
            ..PROXIED
        },
        &["HintsUnknownValue"],
        "degraded",
        |world| {
            let value = world.dice.of(&["PreferZone", "AUTO", "true"]);
            world.object("Service")["metadata"]["annotations"]["service.kubernetes.io/topology-mode"] =
                value.into();
            world.settle();
        },
    ),
    fault(
        Link::Meant,
        "external name",
        PROXIED,
        &["ExternalName"],
        "note",
        |world| {
            world.spec()["type"] = "ExternalName".into();
            world.spec()["externalName"] = "db.example.com".into();
            world.spec()["clusterIP"] = "".into();
            world.spec()["clusterIPs"] = json!([]);
            if world.dice.one_in(2) {
                world.remove_slices();
            }
        },
    ),
    fault(
        Link::Meant,
        "no selector",
        PROXIED,
        &["NoSelector"],
        "broken",
        |world| {
            world.spec()["selector"] = Value::Null;
            world.lose_slices();
        },
    ),
    fault(
        Link::Meant,
        "not to be mirrored",
        MIRROR,
        &["EndpointsNotMirrored"],
        "broken",
        |world| {
            world.object("Endpoints")["metadata"]["labels"] =
                json!({"endpointslice.kubernetes.io/skip-mirror": "true"});
            world.remove_slices();
        },
    ),
    fault(
        Link::Meant,
        "a leader's lock",
        MIRROR,
        &["EndpointsNotMirrored"],
        "broken",
        |world| {
            world.object("Endpoints")["metadata"]["annotations"] =
                json!({"control-plane.alpha.kubernetes.io/leader": "{\"holderIdentity\": \"a\"}"});
            world.remove_slices();
        },
    ),
    fault(
        Link::Meant,
        "empty Endpoints",
        MIRROR,
        &["EndpointsMirrored"],
        "broken",
        |world| {
            world.object("Endpoints")["subsets"] = Value::Null;
            world.settle();
        },
    ),
    fault(
        Link::Meant,
        "being deleted",
        PROXIED,
        &["ServiceBeingDeleted"],
        "broken",
        |world| {
            let metadata = &mut world.object("Service")["metadata"];
            metadata["deletionTimestamp"] = "2026-03-02T10:00:00Z".into();
            metadata["finalizers"] = json!(["service.kubernetes.io/load-balancer-cleanup"]);
            world.remove_slices();
        },
    ),
    fault(
        Link::Meant,
        "of another proxy",
        PROXIED,
        &["HiddenFromProxy"],
        "degraded",
        |world| {
            world.object("Service")["metadata"]["labels"]["service.kubernetes.io/service-proxy-name"] =
                "mesh".into();
            world.settle();
        },
    ),
    fault(
        Link::Meant,
        "headless port",
        Needs {
            headless: Some(true),
            named: Some(false),
            ..ANY
        },
        &["HeadlessPort"],
        "risk",
        |world| {
            world.spec()["ports"][0]["port"] = 80.into();
        },
    ),
    fault(
        Link::Meant,
        "published early",
        PROXIED,
        &["NotReadyPublished"],
        "degraded",
        |world| {
            super::super::world::not_ready(world.a_pod());
            world.spec()["publishNotReadyAddresses"] = true.into();
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "node without zone",
        AUTO,
        &["HintsLackNodeInformation"],
        "degraded",
        |world| {
            node(world)["metadata"]["labels"] = json!({});
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "node without CPU",
        AUTO,
        &["HintsLackNodeInformation"],
        "degraded",
        |world| {
            node(world)["status"]["allocatable"] = json!({});
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "one zone",
        AUTO,
        &["HintsOneZone"],
        "risk",
        |world| {
            for node in world.items.iter_mut().filter(|item| item["kind"] == "Node") {
                node["metadata"]["labels"]["topology.kubernetes.io/zone"] = "a".into();
            }
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "too few endpoints",
        AUTO,
        &["HintsTooFewEndpoints"],
        "degraded",
        |world| {
            let kept = format!("{}-7d9f4b-0", world.name);
            let name = format!("{}-7d9f4b", world.name);
            world.items.retain(|item| {
                item["kind"] != "Pod"
                    || item["metadata"]["namespace"] != NAMESPACE
                    || item["metadata"]["ownerReferences"][0]["name"] != name
                    || item["metadata"]["name"] == kept
            });
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "without topology cache",
        AUTO,
        &["HintsSwitchedOff"],
        "degraded",
        |world| {
            world.options["topologyHints"] = false.into();
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "two annotations",
        AUTO,
        &["HintsAnnotationWins"],
        "risk",
        |world| {
            world.object("Service")["metadata"]["annotations"]["service.kubernetes.io/topology-aware-hints"] =
                "disabled".into();
            world.settle();
        },
    ),
    fault(
        Link::Planned,
        "Endpoints beyond the limit",
        MIRROR,
        &["EndpointsMirrored"],
        "degraded",
        |world| {
            let is_v6 = world.spec()["ipFamilies"][0] == "IPv6";
            let more = 1 + world.dice.roll(20);
            let ip = |place: usize| {
                if is_v6 {
                    format!("2001:db8:1::{place:x}")
                } else {
                    format!("192.0.{}.{}", place / 200, place % 200 + 1)
                }
            };
            let addresses: Vec<Value> = (0..1000 + more)
                .map(|place| json!({"ip": ip(place)}))
                .collect();
            world.object("Endpoints")["subsets"][0]["addresses"] = addresses.into();
            world.settle();
        },
    ),
    fault(
        Link::ChosenAmong,
        "zone without endpoint",
        CLOSE,
        &["ZoneWithoutEndpoint"],
        "risk",
        |world| {
            // Away from the last zone.
            let mut nodes: Vec<String> = world
                .items
                .iter()
                .filter(|item| item["kind"] == "Node")
                .map(|node| node["metadata"]["name"].as_str().unwrap().to_owned())
                .collect();
            let last = nodes.last().unwrap()[..2].to_owned();
            nodes.retain(|node| !node.starts_with(&last));
            for pod in world.pods() {
                if pod["spec"]["nodeName"].as_str().unwrap().starts_with(&last) {
                    pod["spec"]["nodeName"] = nodes[0].clone().into();
                }
            }
            world.settle();
        },
    ),
];

/// One of the nodes.
fn node(world: &mut super::World) -> &mut Value {
    let count = world
        .items
        .iter()
        .filter(|item| item["kind"] == "Node")
        .count();
    let place = world.dice.roll(count);
    let mut nodes = world.items.iter_mut().filter(|item| item["kind"] == "Node");
    nodes.nth(place).unwrap()
}
