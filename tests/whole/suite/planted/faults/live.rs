//! Faults in the live slices of the controller: what is not written, or written by others.

use serde_json::{Value, json};

use super::super::super::wanted::list;
use super::super::world::{
    ANY, MANAGED_BY, NAMESPACE, Needs, PROXIED, SERVICE_NAME, World, Writer,
};
use super::{Fault, Link, fault};

const SINGLE: Needs = Needs {
    dual: Some(false),
    ..PROXIED
};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        Link::Written,
        "an endpoint is missing",
        ANY,
        &["NotWrittenEndpoint"],
        "degraded",
        |world| {
            let name = world.pod_name();
            world.remove_endpoints(|endpoint| endpoint["targetRef"]["name"] == name);
        },
    ),
    fault(
        Link::Written,
        "all endpoints are missing",
        ANY,
        &["NotWrittenEndpoint"],
        "broken",
        |world| {
            world.remove_endpoints(|_| true);
        },
    ),
    fault(
        Link::Written,
        "no slice",
        ANY,
        &["NotWrittenSlice"],
        "broken",
        |world| {
            world.lose_slices();
        },
    ),
    fault(
        Link::Written,
        "no slice of a family",
        Needs {
            dual: Some(true),
            ..PROXIED
        },
        &["NotWrittenSlice"],
        "degraded",
        |world| {
            let (name, family) = (world.name, world.spec()["ipFamilies"][1].clone());
            world.items.retain(|item| {
                item["kind"] != "EndpointSlice"
                    || item["metadata"]["labels"][SERVICE_NAME] != name
                    || item["addressType"] != family
            });
        },
    ),
    fault(
        Link::Written,
        "a deleted pod is left",
        ANY,
        &["NotWrittenRemoval"],
        "degraded",
        |world| {
            let mut slices = world.slices();
            let slice = &mut slices[0];
            let address = if slice["addressType"] == "IPv6" {
                "fd00:1::99"
            } else {
                "10.1.0.99"
            };
            let mut old = slice["endpoints"][0].clone();
            old["addresses"] = json!([address]);
            old["targetRef"]["name"] = "gone-1".into();
            old["targetRef"]["uid"] = "gone-1".into();
            slice["endpoints"].as_array_mut().unwrap().push(old);
        },
    ),
    fault(
        Link::Written,
        "a condition is wrong",
        ANY,
        &["NotWrittenCondition"],
        "degraded",
        |world| {
            let name = world.pod_name();
            for endpoint in world.endpoints_of(&name) {
                endpoint["conditions"] =
                    json!({"ready": false, "serving": false, "terminating": false});
            }
        },
    ),
    fault(
        Link::Written,
        "all conditions are wrong",
        ANY,
        &["NotWrittenCondition"],
        "broken",
        |world| {
            for endpoint in world.endpoints() {
                endpoint["conditions"] =
                    json!({"ready": false, "serving": false, "terminating": false});
            }
        },
    ),
    fault(
        Link::Written,
        "all pods were replaced",
        ANY,
        &["NotWrittenEndpoint", "NotWrittenRemoval"],
        "broken",
        |world| {
            for (place, pod) in world.pods().into_iter().enumerate() {
                let name = format!(
                    "{}-new-{place}",
                    pod["metadata"]["labels"]["app"].as_str().unwrap()
                );
                let ips = [
                    format!("10.2.0.{}", place + 1),
                    format!("fd00:2::{:x}", place + 1),
                ];
                pod["metadata"]["name"] = name.clone().into();
                pod["metadata"]["uid"] = name.into();
                pod["status"]["podIP"] = ips[0].clone().into();
                pod["status"]["podIPs"] = json!([{"ip": ips[0]}, {"ip": ips[1]}]);
            }
        },
    ),
    fault(
        Link::Written,
        "a port is out of date",
        PROXIED,
        &["NotWrittenPort"],
        "degraded",
        |world| {
            for slice in world.slices() {
                slice["ports"][0]["port"] = 9999.into();
            }
        },
    ),
    fault(
        Link::Written,
        "hints are missing",
        Needs {
            hints: Some("PreferClose"),
            zones: 2,
            ..PROXIED
        },
        &["NotWrittenHint"],
        "degraded",
        |world| {
            for endpoint in world.endpoints() {
                endpoint.as_object_mut().unwrap().remove("hints");
            }
        },
    ),
    fault(
        Link::Written,
        "a zone is wrong",
        ANY,
        &["NotWrittenField"],
        "risk",
        |world| {
            let name = world.pod_name();
            for endpoint in world.endpoints_of(&name) {
                endpoint["zone"] = "z".into();
            }
        },
    ),
    fault(
        Link::Written,
        "writes are refused",
        ANY,
        &["EventReported"],
        "broken",
        |world| {
            world.remove_endpoints(|_| true);
            let (name, why) = (world.name, world.dice.of(&[
            "is forbidden: exceeded quota: objects, requested: count/endpointslices.discovery.k8s.io=1, used: 10, limited: 10",
            "is forbidden: User \"system:serviceaccount:kube-system:endpointslice-controller\" cannot update resource",
            "admission webhook \"guard.example.com\" denied the request: no",
        ]));
            let message = format!(
                "Error updating Endpoint Slices for Service shop/{name}: failed to update {name}-x EndpointSlice for Service shop/{name}: endpointslices.discovery.k8s.io \"{name}-x\" {why}"
            );
            world.items.push(json!({"kind": "Event", "apiVersion": "v1", "metadata": {"namespace": NAMESPACE, "name": "e1"}, "type": "Warning", "reason": "FailedToUpdateEndpointSlices",
            "message": message, "count": 3, "lastTimestamp": "2026-03-02T10:30:00Z", "involvedObject": {"kind": "Service", "namespace": NAMESPACE, "name": name}}));
        },
    ),
    fault(
        Link::Written,
        "Endpoints are not mirrored yet",
        Needs {
            writer: Writer::Mirror,
            ..PROXIED
        },
        &["EndpointsMirrored"],
        "broken",
        |world| {
            world.lose_slices();
        },
    ),
    fault(
        Link::Written,
        "mirrored slices are out of date",
        Needs {
            writer: Writer::Mirror,
            ..PROXIED
        },
        &["EndpointsMirrored"],
        "degraded",
        |world| {
            let is_v6 = world.spec()["ipFamilies"][0] == "IPv6";
            let ip = if is_v6 { "2001:db8::77" } else { "192.0.2.77" };
            world.object("Endpoints")["subsets"][0]["addresses"]
                .as_array_mut()
                .unwrap()
                .push(json!({"ip": ip}));
        },
    ),
    fault(
        Link::Written,
        "a slice of someone else",
        Needs {
            hints: Some(""),
            ..PROXIED
        },
        &["SliceOfOtherManager"],
        "risk",
        |world| {
            let mut copy = stranger(world);
            copy["metadata"]["labels"][MANAGED_BY] = "old-operator.example.com".into();
            world.items.push(copy);
        },
    ),
    fault(
        Link::Written,
        "a slice of the older Service",
        SINGLE,
        &["SliceNotOwned", "NotWrittenRemoval", "NotWrittenSlice"],
        "degraded",
        |world| {
            let mut copy = stranger(world);
            copy["metadata"]["ownerReferences"][0]["uid"] = "older".into();
            world.items.push(copy);
        },
    ),
    fault(
        Link::Bound,
        "label missing by hand",
        HAND,
        &["SliceUnbound"],
        "broken",
        |world| {
            for slice in world.slices() {
                slice["metadata"]["labels"] = json!({MANAGED_BY: "staff"});
            }
        },
    ),
    fault(
        Link::Bound,
        "label misspelt by hand",
        HAND,
        &["SliceUnbound"],
        "broken",
        |world| {
            let slip = format!("{}s", world.name);
            for slice in world.slices() {
                slice["metadata"]["labels"][SERVICE_NAME] = slip.clone().into();
            }
        },
    ),
    fault(
        Link::Bound,
        "label lost",
        ANY,
        &["SliceUnbound"],
        "broken",
        |world| {
            for slice in world.slices() {
                slice["metadata"]["labels"]
                    .as_object_mut()
                    .unwrap()
                    .remove(SERVICE_NAME);
            }
            world.another_slice();
        },
    ),
    fault(
        Link::Bound,
        "of the other family",
        Needs {
            dual: Some(false),
            ..HAND
        },
        &["HiddenFromProxy"],
        "broken",
        |world| {
            for slice in world.slices() {
                let (family, address) = if slice["addressType"] == "IPv4" {
                    ("IPv6", "2001:db8::5")
                } else {
                    ("IPv4", "192.0.2.5")
                };
                slice["addressType"] = family.into();
                slice["endpoints"] =
                    json!([{"addresses": [address], "conditions": {"ready": true}}]);
            }
        },
    ),
    fault(
        Link::Bound,
        "of names",
        HAND,
        &["SliceUnusable"],
        "broken",
        |world| {
            for slice in world.slices() {
                slice["addressType"] = "FQDN".into();
                slice["endpoints"] =
                    json!([{"addresses": ["db.example.com"], "conditions": {"ready": true}}]);
            }
        },
    ),
];

pub(super) const HAND: Needs = Needs {
    writer: Writer::Hand,
    ..PROXIED
};

/// A copy of a slice with an address that no pod has.
fn stranger(world: &mut World) -> Value {
    let mut copy = world.slices()[0].clone();
    let address = if copy["addressType"] == "IPv6" {
        "fd00:9::9"
    } else {
        "10.9.0.9"
    };
    copy["metadata"]["name"] = "stranger".into();
    copy["metadata"]["uid"] = "stranger".into();
    let mut endpoint = list(&copy["endpoints"])[0].clone();
    endpoint["addresses"] = json!([address]);
    endpoint.as_object_mut().unwrap().remove("targetRef");
    copy["endpoints"] = json!([endpoint]);
    copy
}
