//! What `explain`, `traffic` and `plan` say about the same cluster: never opposite things about a port and a family.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::wanted::list;
use super::world::{NAMESPACE, SERVICE_NAME, World};
use super::{Case, cases, faults, findings, rank, shown};
use crate::api::{self, Limits, RouteOptions, TrafficOptions};
use crate::model::AddressType;

/// A port in a family, according to `traffic`.
struct Port {
    /// `http/TCP`, or the number if it has no name.
    title: String,
    /// The share of the clients that is not served.
    unserved: f64,
    family: &'static str,
    /// The load of the busiest endpoint, as a multiple of the average.
    busiest: f64,
    /// The endpoints that clients use, with their shares.
    used: Vec<(String, f64)>,
}

impl Port {
    fn is_served(&self) -> bool {
        self.unserved < 1.0 - 1e-9
    }
}

/// The ports in each family in which kube-proxy serves the Service.
fn traffic(world: &World, slices: &[Value]) -> Vec<Vec<Port>> {
    let is_own = |item: &&Value| {
        item["kind"] == "Service"
            && item["metadata"]["namespace"] == NAMESPACE
            && item["metadata"]["name"] == world.name
    };
    let service = world.items.iter().find(is_own).unwrap();
    // Slices of other Services may name nodes, too.
    let is_other = |item: &&Value| {
        item["kind"] == "Node" || item["kind"] == "EndpointSlice" && !slices.contains(item)
    };
    let others = world.items.iter().filter(is_other);
    let objects: Vec<&Value> = slices.iter().chain(others).chain([service]).collect();
    let objects = json!({"kind": "List", "apiVersion": "v1", "items": objects}).to_string();
    let is_local = service["spec"]["internalTrafficPolicy"] == "Local";
    let ports = |family: AddressType| {
        let mut options = TrafficOptions::default();
        options.address_type = Some(family);
        let answer = api::with_traffic(objects.as_bytes(), &options, Limits::default());
        let answer = serde_json::to_value(answer.unwrap()).unwrap();
        check_routes(&answer, &objects, family, is_local);
        let start = format!("{NAMESPACE}/{}", world.name);
        let port = |port: &Value| {
            let name = port["servicePort"]
                .as_str()
                .unwrap()
                .strip_prefix(&start)
                .unwrap()
                .to_owned();
            let title = match name.strip_prefix(':') {
                Some(named) => named.to_owned(),
                None => format!("{}{name}", service["spec"]["ports"][0]["port"]),
            };
            let endpoints = list(&port["endpoints"]).iter();
            let used = endpoints.map(|one| {
                (
                    one["endpoint"].as_str().unwrap().to_owned(),
                    one["share"].as_f64().unwrap(),
                )
            });
            let busiest = list(&port["endpoints"])
                .iter()
                .map(|one| 1.0 + one["overload"].as_f64().unwrap())
                .fold(0.0, f64::max);
            Port {
                title,
                family: family.as_str(),
                busiest,
                unserved: port["unserved"].as_f64().unwrap(),
                used: used.filter(|(_, share)| *share > 1e-9).collect(),
            }
        };
        list(&answer["ports"])
            .iter()
            .map(port)
            .collect::<Vec<Port>>()
    };
    let families = AddressType::ALL.map(ports);
    families
        .into_iter()
        .filter(|ports| !ports.is_empty())
        .collect()
}

/// On each node, `route` uses what `traffic` says that its clients use.
fn check_routes(answer: &Value, objects: &str, family: AddressType, is_local: bool) {
    for (place, node) in list(&answer["nodes"]).iter().enumerate() {
        let mut options = RouteOptions::default();
        options.node = node["node"].as_str().map(ToOwned::to_owned);
        options.address_type = Some(family);
        let routes = api::with_route(objects.as_bytes(), &options, Limits::default()).unwrap();
        let routes = serde_json::to_value(routes).unwrap();
        assert_eq!(routes["zone"], node["zone"], "{node}");
        for port in list(&answer["ports"]) {
            let mut groups = list(&port["groups"]).iter();
            let group = groups.find(|group| list(&group["nodes"]).contains(&place.into()));
            let uses = list(&group.unwrap()["uses"]).iter();
            let mut uses: Vec<&str> = uses
                .map(|used| {
                    let place = usize::try_from(used.as_u64().unwrap()).unwrap();
                    port["endpoints"][place]["endpoint"].as_str().unwrap()
                })
                .collect();
            uses.sort_unstable();
            let route = &routes["routes"][port["servicePort"].as_str().unwrap()];
            let key = if is_local { "local" } else { "cluster" };
            assert_eq!(json!(uses), route[key], "{port} on {node}: {route}");
        }
    }
}

fn live(world: &World) -> Vec<Value> {
    let is_own = |item: &&Value| {
        item["kind"] == "EndpointSlice"
            && item["metadata"]["namespace"] == NAMESPACE
            && item["metadata"]["labels"][SERVICE_NAME] == world.name
    };
    world.items.iter().filter(is_own).cloned().collect()
}

/// Whether the share of the clients that are said not to be served, if any, is that of the port.
fn is_share_unserved(verdict: &str, served: &[&Vec<Port>]) -> bool {
    let Some((percent, rest)) = verdict.split_once(" % of the clients are not served on ") else {
        return true;
    };
    let share: f64 = percent.parse().unwrap();
    let title = rest.split([':', '.']).next().unwrap();
    let mut ports = served.iter().copied().flatten();
    ports.any(|port| port.title == title && (port.unserved * 100.0 - share).abs() < 0.51)
}

/// What the verdict says about clients, against the traffic.
fn contradictions(verdict: &str, severity: &str, families: &[Vec<Port>]) -> Vec<String> {
    let mut found = Vec::new();
    let served: Vec<&Vec<Port>> = families
        .iter()
        .filter(|ports| ports.iter().any(Port::is_served))
        .collect();
    let all: BTreeSet<&str> = families
        .iter()
        .flatten()
        .map(|port| port.title.as_str())
        .collect();
    let nobody: BTreeSet<&str> = all
        .iter()
        .copied()
        .filter(|title| {
            families
                .iter()
                .flatten()
                .all(|port| port.title != *title || !port.is_served())
        })
        .collect();
    let said = |start: &str| verdict.split_once(start).map(|(_, rest)| rest);
    let unserved: Option<BTreeSet<&str>> = if said("served on any of ").is_some() {
        Some(all.clone())
    } else {
        said("Nobody is served on ")
            .or_else(|| said("Nobody will be served on "))
            .map(|rest| {
                let rest = rest.split(':').next().unwrap();
                let rest = rest
                    .split_once(" ports (")
                    .map_or(rest, |(_, names)| names.trim_end_matches(')'));
                rest.split(" and ")
                    .flat_map(|names| names.split(", "))
                    .collect()
            })
    };
    match unserved {
        Some(unserved) if unserved != nobody => found.push(format!(
            "nobody is said to be served on {unserved:?}, and it is on {nobody:?}"
        )),
        None if !nobody.is_empty() => found.push(format!("nobody is served on {nobody:?}")),
        _ => {}
    }
    if (severity == "broken") == nobody.is_empty() {
        found.push(format!("{severity}, and nobody is served on {nobody:?}"));
    }
    if !is_share_unserved(verdict, &served) {
        found.push("another share of the clients is not served".into());
    }
    if let Some(rest) = said(" served by ") {
        let used: BTreeSet<&str> = served
            .iter()
            .copied()
            .flatten()
            .flat_map(|port| &port.used)
            .map(|(name, _)| name.as_str())
            .collect();
        let who = rest.split([';']).next().unwrap();
        let count = who
            .split_once(" endpoints")
            .and_then(|(number, _)| number.parse::<usize>().ok());
        let is_same = match count {
            Some(count) => count == used.len(),
            None => used.iter().all(|name| who.contains(name)) && !used.is_empty(),
        };
        if !is_same {
            found.push(format!("{used:?} are used"));
        }
        for port in served
            .into_iter()
            .flatten()
            .filter(|port| port.unserved > 1e-9)
        {
            found.push(format!(
                "{} of the clients are not served on {}",
                port.unserved, port.title
            ));
        }
    }
    found
}

/// The share that goes to a Job, and how busy the endpoints of a zone are.
fn shares(answer: &Value, world: &World, families: &[Vec<Port>], is_settled: bool) -> Vec<String> {
    let mut found = Vec::new();
    for told in findings(answer) {
        let of_family = || {
            families
                .iter()
                .flatten()
                .filter(|port| told["addressType"] == port.family)
        };
        let (what, figures) = (told["what"].as_str().unwrap(), &told["figures"]);
        if let Some((share, _)) = what.split_once(" % of the requests go to Job") {
            let pods: Vec<&Value> = world
                .items
                .iter()
                .filter(|item| {
                    item["kind"] == "Pod"
                        && list(&figures["pods"]).contains(&item["metadata"]["name"])
                })
                .collect();
            let ips: Vec<&str> = pods
                .iter()
                .flat_map(|pod| list(&pod["status"]["podIPs"]))
                .map(|ip| ip["ip"].as_str().unwrap())
                .collect();
            let is_of = |name: &str| {
                ips.iter().any(|ip| {
                    name.starts_with(&format!("{ip}:")) || name.starts_with(&format!("[{ip}]:"))
                })
            };
            for port in families.iter().flatten() {
                let sum: f64 = port
                    .used
                    .iter()
                    .filter(|(name, _)| is_of(name))
                    .map(|(_, share)| share * 100.0)
                    .sum();
                if (sum - share.parse::<f64>().unwrap()).abs() > 0.51 {
                    found.push(format!("{}: {sum} % of {}", shown(told), port.title));
                }
            }
        }
        if let Some((_, rest)) = what
            .split_once(" may get ")
            .filter(|(_, rest)| is_settled && rest.ends_with(" times the average."))
        {
            let times: f64 = rest.split(' ').next().unwrap().parse().unwrap();
            let busiest = of_family().map(|port| port.busiest).fold(0.0, f64::max);
            if (times - busiest).abs() > 0.0051 {
                found.push(format!("{}: {busiest} times", shown(told)));
            }
        }
    }
    found
}

/// Does the plan have anything to write?
fn writes(world: &World) -> bool {
    let plans = api::plan_snapshot(
        world.list().as_bytes(),
        world.options.to_string().as_bytes(),
    );
    let plans: Value = serde_json::from_slice(&plans.unwrap()).unwrap();
    let plan = list(&plans["plans"]).iter().find(|plan| {
        plan["service"]["namespace"] == NAMESPACE && plan["service"]["name"] == world.name
    });
    let lists = ["create", "update", "delete"];
    plan.is_some_and(|plan| lists.iter().any(|writes| !list(&plan[*writes]).is_empty()))
}

fn disagreements(world: &World, is_known: bool) -> Vec<String> {
    let answer = world.explained();
    let (text, severity) = (
        answer["verdict"]["text"].as_str().unwrap(),
        answer["verdict"]["severity"].as_str().unwrap(),
    );
    let codes: Vec<&str> = findings(&answer)
        .iter()
        .map(|told| told["code"].as_str().unwrap())
        .collect();
    let mut found = Vec::new();
    let slices = match is_known {
        true => live(world),
        false => {
            let mut world = world.clone();
            world.settle();
            live(&world)
        }
    };
    let families = traffic(world, &slices);
    let has_writes = writes(world);
    // Of slices that others write, the input says nothing.
    let is_unknown = text.contains("the input has neither");
    let is_by_others = codes.contains(&"NoSelector") && !is_known;
    if !families.is_empty() && !is_unknown && !is_by_others {
        found.extend(contradictions(text, severity, &families));
        found.extend(shares(&answer, world, &families, !is_known || !has_writes));
    }
    let is_written = !codes.iter().any(|code| {
        code.starts_with("NotWritten")
            || code.starts_with("Slice")
                && ![
                    "SliceOfOtherManager",
                    "SliceUnbound",
                    "SliceConflict",
                    "SliceUnusable",
                    "SlicesFragmented",
                ]
                .contains(code)
    });
    // Plans leave out the pods of unknown nodes; explanations do not.
    let has_nodes = world.items.iter().any(|item| item["kind"] == "Node");
    if has_nodes && has_writes == is_written {
        found.push(format!(
            "writes are {}, and the findings {codes:?}",
            if is_written { "planned" } else { "not planned" }
        ));
    }
    if !found.is_empty() {
        found.insert(0, format!("{severity}: {text}"));
    }
    found
}

/// With nodes that no CPU is counted of: one that is not ready, and one of the control plane.
fn with_idle_nodes(world: &World) -> World {
    let mut world = world.clone();
    let nodes = world.items.iter().filter(|item| item["kind"] == "Node");
    let Some(mut idle) = nodes
        .max_by_key(|node| node["metadata"]["name"].as_str())
        .cloned()
    else {
        return world;
    };
    let mut control_plane = idle.clone();
    idle["metadata"]["name"] = "not-ready".into();
    idle["status"]["conditions"] = json!([{"type": "Ready", "status": "Unknown"}]);
    control_plane["metadata"]["name"] = "control-plane".into();
    control_plane["metadata"]["labels"]["node-role.kubernetes.io/control-plane"] = "".into();
    world.items.extend([idle, control_plane]);
    world
}

/// With a node that has no zone, which sends requests like any other.
fn with_node_without_zone(world: &World) -> World {
    let mut world = world.clone();
    let mut nodes = world.items.iter().filter(|item| item["kind"] == "Node");
    if let Some(mut bare) = nodes.next_back().cloned() {
        bare["metadata"]["name"] = "without-zone".into();
        bare["metadata"]["labels"] = json!({"kubernetes.io/hostname": "without-zone"});
        world.items.push(bare);
    }
    world
}

/// The same without the objects of a kind.
fn without(world: &World, kind: &str) -> World {
    let mut world = world.clone();
    world.items.retain(|item| item["kind"] != kind);
    world
}

/// What only follows from not knowing the nodes is not said of the slices.
#[test]
fn without_nodes_nothing_is_worse() {
    let number = cases(2 * faults::all().len() as u64);
    let mut wrong = Vec::new();
    for number in 0..number {
        let Case {
            fault,
            before,
            after,
        } = Case::new(number);
        for (title, world) in [("well", &before), ("at fault", &after)] {
            let known = world.explained();
            let blind = without(world, "Node").explained();
            let is_worse =
                rank(&blind["verdict"]["severity"]) < rank(&known["verdict"]["severity"]);
            // What is wrong with nodes is not known without them.
            let is_of_node = |told: &Value| {
                let codes = ["PodNodeUnknown", "ZoneFailed", "NodeFailed"];
                codes.iter().any(|code| told["code"] == *code)
            };
            let is_comparable = !findings(&known).iter().any(is_of_node);
            let new = findings(&blind).iter().filter(|told| {
                let is_same = |other: &Value| other["code"] == told["code"];
                let code = told["code"].as_str().unwrap();
                let is_live = code == "NoReadyEndpoint" || code.starts_with("NotWritten");
                is_comparable && is_live && !findings(&known).iter().any(is_same)
            });
            let new: Vec<String> = new.map(shown).collect();
            if is_worse || !new.is_empty() {
                wrong.push(format!(
                    "{number}: {} ({title}): {} instead of {}; {new:?}",
                    fault.name, blind["verdict"], known["verdict"]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {number}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn explain_traffic_and_plan_agree() {
    let number = cases(3 * faults::all().len() as u64);
    let mut wrong = Vec::new();
    for number in 0..number {
        let Case {
            fault,
            before,
            after,
        } = Case::new(number);
        let unknown = without(&after, "EndpointSlice");
        let nodeless = without(&after, "Node");
        let worlds = [
            ("well", &before, true),
            ("at fault", &after, true),
            (
                "with nodes that send nothing",
                &with_idle_nodes(&after),
                true,
            ),
            (
                "with a node without a zone",
                &with_node_without_zone(&after),
                true,
            ),
            ("without nodes", &nodeless, true),
            ("without slices", &unknown, false),
        ];
        for (title, world, is_known) in worlds {
            // Traffic reads slices: they neither say that their pods are gone, nor that the API server refuses them.
            let is_seen = fault.name == "all pods were replaced" && is_known
                || fault.name.starts_with("special") && !is_known;
            if is_seen {
                continue;
            }
            let found = disagreements(world, is_known);
            if !found.is_empty() {
                wrong.push(format!(
                    "{number}: {} ({title}): {}",
                    fault.name,
                    found.join("\n    ")
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {number}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
