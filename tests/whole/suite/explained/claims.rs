//! Claims about traffic, and the actual traffic: `explain` and `traffic` for the same cluster.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{config, explain, find, plan, planned, request};
use crate::api;
use crate::model::{AddressType, EndpointSlice};
use crate::proxy::{ProxiedService, Proxier, ProxierSettings};

/// The answer of `traffic` for a family, from a kube-proxy whose feature gates are the controller's.
fn traffic(request: &Value, slices: &[Value], family: &str) -> Value {
    let ask = json!({
        "service": request["service"], "slices": slices, "nodes": request["nodes"], "addressType": family,
        "preferSameTrafficDistribution": request["options"]["preferSameTrafficDistribution"],
    });
    serde_json::from_slice(&api::traffic(ask.to_string().as_bytes()).unwrap()).unwrap()
}

fn groups(answer: &Value) -> Vec<&Value> {
    let ports = answer["ports"].as_array().unwrap().iter();
    ports
        .flat_map(|port| port["groups"].as_array().unwrap())
        .collect()
}

/// Names or zones of the nodes in groups that match.
fn of_groups<'a>(
    answer: &'a Value,
    key: &str,
    is_it: impl Fn(&Value) -> bool,
) -> BTreeSet<&'a str> {
    let nodes = groups(answer).into_iter().filter(|group| is_it(group));
    nodes
        .flat_map(|group| group["nodes"].as_array().unwrap())
        .map(|place| {
            answer["nodes"][place.as_u64().unwrap() as usize][key]
                .as_str()
                .unwrap()
        })
        .collect()
}

fn is_unserved(group: &Value) -> bool {
    group["uses"].as_array().unwrap().is_empty()
}

/// The share of the traffic that goes to an address.
fn share(answer: &Value, address: &str) -> f64 {
    let ports = answer["ports"].as_array().unwrap().iter();
    let endpoints = ports.flat_map(|port| port["endpoints"].as_array().unwrap());
    let [plain, bracketed] = [format!("{address}:"), format!("[{address}]:")];
    endpoints
        .filter(|endpoint| {
            let name = endpoint["endpoint"].as_str().unwrap();
            name.starts_with(&plain) || name.starts_with(&bracketed)
        })
        .map(|endpoint| endpoint["share"].as_f64().unwrap())
        .sum()
}

fn names(told: &Value, figure: &str) -> BTreeSet<String> {
    let names = told["figures"][figure].as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// Checks claims about a family of a Service whose slices are as planned.
fn check(request: &Value, explanations: &[Value], family: &str, slices: &[Value]) {
    let answer = traffic(request, slices, family);
    if answer["ports"].as_array().unwrap().is_empty() {
        return;
    }
    let of_family = |code: &str| {
        let told = find(explanations, code)?;
        (told["addressType"] == family).then_some(told)
    };
    let follows = groups(&answer)
        .iter()
        .any(|group| group["topology"] != "None");
    if of_family("HintsNotFollowed").is_some() {
        assert!(!follows, "said to be ignored: {answer}");
    }
    if let Some(told) = of_family("ZoneWithoutEndpoint") {
        let leaving = of_groups(&answer, "zone", |group| {
            group["topology"] == "None" && !is_unserved(group)
        });
        for zone in names(told, "zones") {
            let has_nodes = answer["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .any(|node| node["zone"] == zone.as_str());
            assert!(
                !has_nodes || leaving.contains(zone.as_str()),
                "{zone}: {answer}"
            );
        }
    }
    for told in explanations
        .iter()
        .filter(|told| told["code"] == "PodNotReady")
    {
        let pods = request["pods"].as_array().unwrap();
        let pod = pods
            .iter()
            .find(|pod| pod["metadata"]["name"] == told["subject"]["name"])
            .unwrap();
        let says_none = told["details"]
            .as_str()
            .unwrap()
            .contains("gets no traffic");
        for ip in pod["status"]["podIPs"].as_array().unwrap() {
            let share = share(&answer, ip["ip"].as_str().unwrap());
            assert!(!says_none || share == 0.0, "{told}: {answer}");
        }
    }
    if let Some(told) = find(explanations, "NoReadyEndpoint") {
        let details = told["details"].as_str().unwrap();
        let unserved = groups(&answer).iter().all(|group| is_unserved(group));
        assert!(!details.contains("refused") || unserved, "{told}: {answer}");
    }
}

/// The nodes without an endpoint of their own for external traffic, and whether any node has one, according to a proxy
/// on each.
fn without_local(
    request: &Value,
    slices: &[Value],
    family: AddressType,
) -> (BTreeSet<String>, bool) {
    let service = request["service"].to_string();
    let service: ProxiedService<'_> = serde_json::from_str(&service).unwrap();
    let slices: Vec<String> = slices.iter().map(Value::to_string).collect();
    let slices: Vec<EndpointSlice<'_>> = slices
        .iter()
        .map(|slice| serde_json::from_str(slice).unwrap())
        .collect();
    let nodes = request["nodes"].as_array().unwrap().iter();
    let has_any = Cell::new(false);
    let lacks = |name: &&str| {
        let mut proxier = Proxier::new({
            let mut made = ProxierSettings::on_node(*name);
            made.address_type = family;
            made
        });
        proxier.set_service(&service);
        for slice in &slices {
            proxier.set_slice(slice);
        }
        proxier.sync();
        let ports: Vec<_> = proxier.service_ports().map(|(port, _)| port).collect();
        let routes = || ports.iter().filter_map(|port| proxier.route(port));
        has_any.set(has_any.get() || routes().any(|route| route.has_any));
        routes().any(|route| route.local.is_empty() && route.has_any)
    };
    let names = nodes.map(|node| node["metadata"]["name"].as_str().unwrap());
    let names = names.filter(lacks).map(ToOwned::to_owned).collect();
    (names, has_any.get())
}

/// A change that sets `trafficDistribution` takes effect: applies it and plans again.
fn check_fix(request: &Value, family: &str, change: &str) {
    let Some((before, rest)) = change.split_once("spec.trafficDistribution: ") else {
        return;
    };
    let value = rest.split([' ', ')']).next().unwrap();
    let mut changed = request.clone();
    if before.contains("remove") {
        changed["service"]["metadata"]["annotations"] = json!({});
    }
    changed["service"]["spec"]["trafficDistribution"] = value.into();
    let plan = plan(&changed);
    let mut reports = plan["hints"].as_array().unwrap().iter();
    let report = reports.find(|report| report["addressType"] == family);
    assert_eq!(report.unwrap()["mode"], value, "{change}: {request}");
}

proptest! {
    #![proptest_config(config(1500, 20_261_123))]

    #[test]
    fn explain_and_traffic_agree(mut request in request(), is_local in any::<bool>(), has_slices in any::<bool>()) {
        if !has_slices {
            request["slices"] = json!([]);
        }
        request["service"]["spec"]["clusterIPs"] = json!([request["service"]["spec"]["clusterIP"]]);
        if is_local {
            request["service"]["spec"]["internalTrafficPolicy"] = "Local".into();
        }
        request["service"]["spec"]["type"] = "LoadBalancer".into();
        request["service"]["spec"]["externalTrafficPolicy"] = "Local".into();
        request["service"]["spec"]["ports"][0]["nodePort"] = 30_080.into();
        request["service"]["spec"]["healthCheckNodePort"] = 32_000.into();
        let explanations = explain(&request);
        let after = planned(&request);
        for family in ["IPv4", "IPv6"] {
            if !is_local {
                check(&request, &explanations, family, &after);
            }
            let seen = if request["slices"].as_array().unwrap().is_empty() { after.clone() } else { request["slices"].as_array().unwrap().clone() };
            for told in explanations.iter().filter(|told| told["addressType"] == family) {
                for fix in told["fixes"].as_array().into_iter().flatten() {
                    check_fix(&request, family, fix["change"].as_str().unwrap());
                }
            }
            let address_type = if family == "IPv4" { AddressType::IPv4 } else { AddressType::IPv6 };
            let told = find(&explanations, "ExternalTrafficLocal").filter(|told| told["addressType"] == family);
            let (without, has_any) = without_local(&request, &seen, address_type);
            let some = told.filter(|told| told["figures"].get("unservedNodes").is_some());
            prop_assert!(told.is_none() || some.is_some() || !has_any, "all nodes are said to fail: {}", request);
            prop_assert_eq!(some.map(|told| names(told, "unservedNodes")).unwrap_or_default(), without, "{}", request);
            let answer = traffic(&request, &seen, family);
            let told = find(&explanations, "LocalTrafficUnserved").filter(|told| told["addressType"] == family);
            let dropped = of_groups(&answer, "node", is_unserved);
            if let Some(told) = told {
                prop_assert_eq!(names(told, "unservedNodes"), dropped.iter().map(ToString::to_string).collect(), "{}", answer);
            } else if is_local && request["nodes"] != json!([]) && !groups(&answer).is_empty() {
                // Without nodes, traffic shows those that slices name. With them, either no node is served, or all are.
                let all = of_groups(&answer, "node", |_| true);
                prop_assert!(dropped.is_empty() || dropped == all, "{}", answer);
            }
        }
    }
}
