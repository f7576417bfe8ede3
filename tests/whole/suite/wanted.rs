//! The desired endpoints of a request, computed from its pods and endpoints alone: one line for each.
//!
//! Written independently of the planner, and only for the requests of `cluster`.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde_json::{Value, json};

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Everything about an endpoint that does not depend on slices: family, ports, identity, and the other fields.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    identity: [String; 5],
    looks: String,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.identity.join(" "), self.looks)
    }
}

fn line(family: &Value, ports: &Value, endpoint: &Value) -> Line {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let ports = list(ports)
        .iter()
        .map(|port| format!("{}/{}", text(&port["name"]), port["port"]));
    let mut addresses: Vec<_> = list(&endpoint["addresses"]).iter().map(text).collect();
    addresses.sort();
    let target = &endpoint["targetRef"];
    Line {
        identity: [
            text(family),
            ports.collect::<Vec<_>>().join(","),
            addresses.join(","),
            text(&endpoint["hostname"]),
            format!("{}/{}", text(&target["namespace"]), text(&target["name"])),
        ],
        looks: ["conditions", "zone", "nodeName", "targetRef"]
            .map(|field| known(&endpoint[field]))
            .join(" "),
    }
}

/// A field without what the planner does not know, with sorted keys.
fn known(value: &Value) -> String {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|key, _| !key.starts_with("future"));
    }
    value.to_string()
}

/// The endpoints in the slices of a request, sorted, including duplicates.
pub(super) fn published(request: &Value) -> Vec<Line> {
    let lines = |slice: &Value| -> Vec<Line> {
        let (family, ports) = (&slice["addressType"], &slice["ports"]);
        list(&slice["endpoints"])
            .iter()
            .map(|endpoint| line(family, ports, endpoint))
            .collect()
    };
    let mut published: Vec<_> = list(&request["slices"]).iter().flat_map(lines).collect();
    published.sort();
    published
}

/// The desired endpoints, sorted and without duplicates.
pub(super) fn wanted(request: &Value) -> Vec<Line> {
    let service = &request["service"];
    let publish = service["spec"]["publishNotReadyAddresses"] == true;
    let mut wanted = BTreeMap::new();
    for family in families(service) {
        let pods = list(&request["pods"])
            .iter()
            .filter_map(|pod| of_pod(request, pod, family));
        for (ports, endpoint) in pods {
            let line = line(&family.into(), &ports, &endpoint);
            wanted.insert(line.identity, line.looks);
        }
        for given in list(&request["endpoints"]) {
            let mut endpoint = given.clone();
            endpoint["addresses"] = addresses(list(&given["addresses"]), family);
            if endpoint["addresses"] == json!([]) {
                continue;
            }
            if given["conditions"].is_null() {
                endpoint["conditions"] =
                    json!({"ready": true, "serving": true, "terminating": false});
            }
            if publish {
                endpoint["conditions"]["ready"] = true.into();
            }
            if given["zone"].is_null() {
                endpoint["zone"] = zone(request, &given["nodeName"]).unwrap_or_default();
            }
            let common = || ports(service, None);
            let ports = given.get("ports").cloned().unwrap_or_else(common);
            let line = line(&family.into(), &ports, &endpoint);
            // If an endpoint is given twice, the last one counts.
            wanted.insert(line.identity, line.looks);
        }
    }
    wanted
        .into_iter()
        .map(|(identity, looks)| Line { identity, looks })
        .collect()
}

fn families(service: &Value) -> Vec<&str> {
    let named: Vec<_> = list(&service["spec"]["ipFamilies"])
        .iter()
        .filter_map(Value::as_str)
        .collect();
    match service["spec"]["clusterIP"].as_str() {
        _ if !named.is_empty() => named,
        Some("None") => vec!["IPv4", "IPv6"],
        _ => vec!["IPv4"],
    }
}

fn addresses(given: &[Value], family: &str) -> Value {
    let addresses = given.iter().map(|address| parse(address.as_str().unwrap()));
    let of_family = addresses.filter(|address| address.is_ipv4() == (family == "IPv4"));
    of_family.map(|address| address.to_string()).collect()
}

/// Go accepts leading zeros in an IPv4 address, Rust does not.
fn parse(address: &str) -> IpAddr {
    let digits = |part: &str| {
        part.parse::<u8>()
            .map_or_else(|_| part.to_owned(), |part| part.to_string())
    };
    let plain = address.split('.').map(digits).collect::<Vec<_>>().join(".");
    plain.parse().unwrap()
}

/// The zone of a node, `null` if it has none; `None` if the node does not exist.
fn zone(request: &Value, node: &Value) -> Option<Value> {
    let mut nodes = list(&request["nodes"]).iter();
    let node = nodes.find(|candidate| candidate["metadata"]["name"] == *node)?;
    Some(node["metadata"]["labels"]["topology.kubernetes.io/zone"].clone())
}

/// The ports of the Service on a pod, or on an endpoint that is not a pod.
fn ports(service: &Value, pod: Option<&Value>) -> Value {
    let number = |target: &Value| match pod {
        _ if target.is_number() => Some(target.clone()),
        Some(pod) => Some(pod["spec"]["containers"][0]["ports"][0]["containerPort"].clone()),
        None => None,
    };
    let port =
        |port: &Value| Some(json!({"name": port["name"], "port": number(&port["targetPort"])?}));
    list(&service["spec"]["ports"])
        .iter()
        .filter_map(port)
        .collect()
}

fn of_pod(request: &Value, pod: &Value, family: &str) -> Option<(Value, Value)> {
    let (service, metadata, status) = (&request["service"], &pod["metadata"], &pod["status"]);
    let publish = service["spec"]["publishNotReadyAddresses"] == true;
    let zone = zone(request, &pod["spec"]["nodeName"]);
    let is_endpoint = metadata["labels"]["app"] == "cart"
        && metadata["namespace"] == "shop"
        && status["phase"] == "Running"
        && (publish || zone.is_some());
    let given: Vec<_> = list(&status["podIPs"])
        .iter()
        .map(|entry| entry["ip"].clone())
        .collect();
    let addresses = addresses(&given, family);
    if !is_endpoint || addresses == json!([]) {
        return None;
    }
    let terminating = !metadata["deletionTimestamp"].is_null();
    let serving = status["conditions"][0]["status"] == "True";
    let endpoint = json!({
        "addresses": addresses,
        "conditions": {"ready": publish || (serving && !terminating), "serving": serving, "terminating": terminating},
        "targetRef": {"kind": "Pod", "namespace": "shop", "name": metadata["name"], "uid": metadata["uid"]},
        "nodeName": pod["spec"]["nodeName"],
        "zone": zone.unwrap_or_default(),
    });
    Some((ports(service, Some(pod)), endpoint))
}
