//! Faults in what consumers read and choose among, and in what answers.

use serde_json::{Value, json};

use super::super::world::{ANY, NAMESPACE, Needs, PROXIED, World};
use super::live::HAND;
use super::{Fault, Link, fault};

const HINTED: Needs = Needs {
    hints: Some("PreferClose"),
    zones: 2,
    ..PROXIED
};
const BALANCED: Needs = Needs {
    hints: Some(""),
    zones: 2,
    kind: Some("LoadBalancer"),
    ..PROXIED
};
const NUMBERED: Needs = Needs {
    named: Some(false),
    ..ANY
};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        Link::Read,
        "protocol by hand",
        HAND,
        &["HiddenFromProxy"],
        "broken",
        |world| {
            let place = port(world);
            world
                .slices()
                .into_iter()
                .for_each(|slice| slice["ports"][place]["protocol"] = "UDP".into());
        },
    ),
    fault(
        Link::Read,
        "port name by hand",
        HAND,
        &["HiddenFromProxy"],
        "broken",
        |world| {
            for slice in world.slices() {
                let ports = slice["ports"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .enumerate();
                ports.for_each(|(place, port)| port["name"] = format!("p{place}").into());
            }
        },
    ),
    fault(
        Link::Read,
        "no port number by hand",
        HAND,
        &["HiddenFromProxy"],
        "broken",
        |world| {
            let place = port(world);
            for slice in world.slices() {
                slice["ports"][place]
                    .as_object_mut()
                    .unwrap()
                    .remove("port");
            }
        },
    ),
    fault(
        Link::Read,
        "protocol of Endpoints",
        Needs {
            writer: super::super::world::Writer::Mirror,
            ..PROXIED
        },
        &["HiddenFromProxy"],
        "broken",
        |world| {
            let place = port(world);
            world.object("Endpoints")["subsets"][0]["ports"][place]["protocol"] = "UDP".into();
            world.settle();
        },
    ),
    fault(
        Link::Read,
        "headless label left",
        PROXIED,
        &["HiddenFromProxy", "NotWrittenLabel"],
        "broken",
        |world| {
            for slice in world.slices() {
                slice["metadata"]["labels"]["service.kubernetes.io/headless"] = "".into();
            }
        },
    ),
    fault(
        Link::Read,
        "second addresses",
        HAND,
        &["HiddenFromProxy"],
        "degraded",
        |world| {
            for slice in world.slices() {
                let more = if slice["addressType"] == "IPv6" {
                    "2001:db8::88"
                } else {
                    "192.0.2.88"
                };
                slice["endpoints"][0]["addresses"]
                    .as_array_mut()
                    .unwrap()
                    .push(more.into());
            }
        },
    ),
    fault(
        Link::Read,
        "slices disagree",
        HAND,
        &["SliceConflict"],
        "degraded",
        |world| {
            let mut copy = world.slices()[0].clone();
            copy["metadata"]["name"] = "a-second".into();
            copy["metadata"]["uid"] = "a-second".into();
            copy["endpoints"][0]["conditions"]["ready"] = false.into();
            world.items.push(copy);
        },
    ),
    fault(
        Link::ChosenAmong,
        "internal Local",
        Needs {
            hints: Some(""),
            ..PROXIED
        },
        &["LocalTrafficUnserved"],
        "degraded",
        |world| {
            bare_node(world);
            world.spec()["internalTrafficPolicy"] = "Local".into();
        },
    ),
    fault(
        Link::ChosenAmong,
        "external Local",
        BALANCED,
        &["ExternalTrafficLocal"],
        "risk",
        |world| {
            bare_node(world);
            world.spec()["externalTrafficPolicy"] = "Local".into();
            world.spec()["healthCheckNodePort"] = 32_000.into();
        },
    ),
    fault(
        Link::ChosenAmong,
        "external Local by hand",
        Needs {
            kind: Some("LoadBalancer"),
            ..HAND
        },
        &["ExternalTrafficLocal"],
        "degraded",
        |world| {
            world.spec()["externalTrafficPolicy"] = "Local".into();
            world.spec()["healthCheckNodePort"] = 32_000.into();
        },
    ),
    fault(
        Link::ChosenAmong,
        "hints under Local",
        Needs {
            kind: Some("LoadBalancer"),
            ..HINTED
        },
        &["ScopeOfSetting"],
        "note",
        |world| {
            everywhere(world);
            world.spec()["internalTrafficPolicy"] = "Local".into();
            world.settle();
        },
    ),
    fault(
        Link::ChosenAmong,
        "hints of a headless Service",
        Needs {
            headless: Some(true),
            ..ANY
        },
        &["ScopeOfSetting"],
        "note",
        |world| {
            world.spec()["trafficDistribution"] = "PreferClose".into();
            world.settle();
        },
    ),
    fault(
        Link::ChosenAmong,
        "hints without a selector",
        HAND,
        &["ScopeOfSetting"],
        "note",
        |world| {
            world.spec()["trafficDistribution"] = "PreferSameZone".into();
        },
    ),
    fault(
        Link::ChosenAmong,
        "hints are not followed",
        Needs {
            dual: Some(false),
            ..HINTED
        },
        &["HintsNotFollowed"],
        "degraded",
        |world| {
            let name = world.name;
            let mut copy = world.slices()[0].clone();
            copy["metadata"]["name"] = format!("{name}-vm").into();
            copy["metadata"]["uid"] = "vm".into();
            copy["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
                "mesh.example.com".into();
            let address = if copy["addressType"] == "IPv6" {
                "fd00:9::1"
            } else {
                "10.9.0.1"
            };
            copy["endpoints"] = json!([{"addresses": [address], "conditions": {"ready": true}, "targetRef": {"kind": "ExternalWorkload", "namespace": NAMESPACE, "name": "vm-1"}}]);
            world.items.push(copy);
        },
    ),
    fault(
        Link::Answered,
        "target port is not declared",
        NUMBERED,
        &["PortNotDeclared"],
        "risk",
        |world| {
            let place = port(world);
            world.pods().into_iter().for_each(|pod| {
                pod["spec"]["containers"][0]["ports"][place]["containerPort"] =
                    (9090 + place).into()
            });
            world.settle();
        },
    ),
    fault(
        Link::Answered,
        "declared for another protocol",
        NUMBERED,
        &["PortNotDeclared"],
        "risk",
        |world| {
            let place = port(world);
            world.pods().into_iter().for_each(|pod| {
                pod["spec"]["containers"][0]["ports"][place]["protocol"] = "UDP".into()
            });
            world.settle();
        },
    ),
    fault(
        Link::Answered,
        "a port named twice",
        Needs {
            named: Some(true),
            ..ANY
        },
        &["PortNamedTwice"],
        "risk",
        |world| {
            let place = port(world);
            for pod in world.pods() {
                let mut port = pod["spec"]["containers"][0]["ports"][place].clone();
                port["containerPort"] = 9100.into();
                pod["spec"]["containers"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({"name": "second", "ports": [port]}));
            }
            world.settle();
        },
    ),
    fault(
        Link::Answered,
        "restarts",
        ANY,
        &["PodRestarted"],
        "risk",
        |world| {
            let pod = world.a_pod();
            pod["status"]["containerStatuses"][0]["restartCount"] = 4.into();
            pod["status"]["containerStatuses"][0]["lastState"] = json!({"terminated": {"exitCode": 137, "reason": "OOMKilled", "finishedAt": "2026-03-02T10:00:00Z"}});
        },
    ),
    fault(
        Link::Answered,
        "the address is another pod's now",
        Needs {
            hints: Some(""),
            ..PROXIED
        },
        &["NotWrittenRemoval"],
        "degraded",
        |world| {
            let ips = world.a_pod()["status"]["podIPs"].clone();
            let name = world
                .pods()
                .into_iter()
                .find(|pod| pod["status"]["podIPs"] == ips)
                .unwrap()["metadata"]["name"]
                .as_str()
                .unwrap()
                .to_owned();
            world.pod("bank", "other", &json!({"app": "other"}), 0);
            let pod = world.items.last_mut().unwrap();
            pod["status"]["podIP"] = ips[0]["ip"].clone();
            pod["status"]["podIPs"] = ips;
            world
                .items
                .retain(|item| item["kind"] != "Pod" || item["metadata"]["name"] != name);
        },
    ),
];

fn port(world: &mut World) -> usize {
    let number = world.ports();
    world.dice.roll(number)
}

/// Adds a node that has no pod.
fn bare_node(world: &mut World) {
    world.items.push(json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n9", "uid": "n9", "labels": {"topology.kubernetes.io/zone": "a"}}, "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}, "nodeInfo": {"kubeletVersion": "v1.37.0"}}}));
}

/// Removes the nodes that have no pod of the Service.
fn everywhere(world: &mut World) {
    let used: Vec<Value> = world
        .pods()
        .iter()
        .map(|pod| pod["spec"]["nodeName"].clone())
        .collect();
    let is_bare =
        |item: &Value| item["kind"] == "Node" && !used.contains(&item["metadata"]["name"]);
    let bare: Vec<Value> = world
        .items
        .iter()
        .filter(|item| is_bare(item))
        .map(|node| node["metadata"]["name"].clone())
        .collect();
    for item in &mut world.items {
        if item["kind"] == "Pod" && bare.contains(&item["spec"]["nodeName"]) {
            item["spec"]["nodeName"] = used[0].clone();
        }
    }
    world
        .items
        .retain(|item| item["kind"] != "Node" || !bare.contains(&item["metadata"]["name"]));
}
