//! Which endpoints a client uses, by the rules of each reader.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Backend, Client, Reader, Situation};
use crate::model::keys;
use crate::proxy::{
    Endpoint, HintRule, Place, PolicyRule, Service, ServicePortInfo, Topology, categorize,
};

/// What a client uses.
pub(super) struct Choice {
    /// The places of the endpoints.
    pub(super) used: Vec<usize>,
    /// How close it stays.
    pub(super) topology: Topology,
    /// Why, in words.
    pub(super) rule: String,
}

/// What a Service asks its readers for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Nothing,
    SameZone,
    SameNode,
}

pub(super) fn choose(
    situation: &Situation<'_>,
    port: &ServicePortInfo,
    backends: &[Backend<'_>],
    client: &Client<'_>,
) -> Choice {
    let service = situation.service;
    match situation.reader {
        Reader::KubeProxy => kube_proxy(situation, port, backends, client),
        Reader::Cilium => cilium(service, port, backends, client),
        Reader::Istio => istio(service, backends, client),
        Reader::Linkerd => linkerd(backends, client),
        Reader::EnvoyGateway => envoy_gateway(service, backends, client),
    }
}

fn kube_proxy(
    situation: &Situation<'_>,
    port: &ServicePortInfo,
    backends: &[Backend<'_>],
    client: &Client<'_>,
) -> Choice {
    let seen: Vec<_> = backends
        .iter()
        .map(|backend| backend.endpoint.seen_from(backend.node == client.node))
        .collect();
    let place = Place {
        node: client.node,
        zone: client.zone,
        with_node_hints: situation.with_node_hints,
    };
    let categories = categorize(&seen, port, place);
    let is_local = port.internal_policy_local;
    let (used, policy) = if is_local {
        (&categories.local, categories.why.local)
    } else {
        (&categories.cluster, categories.why.cluster)
    };
    // Both are in the order of names, each name once.
    let mut used = used.iter().peekable();
    let place_if_used = |(place, seen): (usize, &Endpoint<'_>)| {
        let is_it = |next: &&Endpoint<'_>| next.host() == seen.host() && next.port() == seen.port();
        used.next_if(is_it).map(|_| place)
    };
    let used = seen.iter().enumerate().filter_map(place_if_used).collect();
    let rule = match policy {
        PolicyRule::NoEndpoint if is_local => {
            "internalTrafficPolicy Local, and none is here".into()
        }
        PolicyRule::NoEndpoint | PolicyRule::Unused => "there is no endpoint".into(),
        PolicyRule::ServingTerminating => {
            "none is ready: those that terminate and still serve".into()
        }
        PolicyRule::Ready if is_local => "internalTrafficPolicy Local".into(),
        PolicyRule::Ready => match categories.topology {
            Topology::PreferSameNode => "hinted to this node".into(),
            Topology::PreferSameZone => "hinted to this zone".into(),
            Topology::None => all_because(categories.why.zone_hints.as_ref(), client),
        },
    };
    let topology = if is_local {
        Topology::None
    } else {
        categories.topology
    };
    Choice {
        used,
        topology,
        rule,
    }
}

fn all_because(zone_hints: Option<&HintRule>, client: &Client<'_>) -> String {
    match zone_hints {
        Some(HintRule::Missing(endpoint)) => format!("all: {endpoint} has no zone hint"),
        Some(HintRule::NoneForUs) if client.zone.is_empty() => "all: the node has no zone".into(),
        Some(HintRule::NoneForUs) => format!("all: none is hinted to zone {}", client.zone),
        Some(HintRule::Followed | HintRule::Skipped) | None => "all".into(),
    }
}

/// Reference: `DefaultSelectBackends`, `topologyPreferenceCandidate` of Cilium v1.20.
fn cilium(
    service: &Service<'_>,
    port: &ServicePortInfo,
    backends: &[Backend<'_>],
    client: &Client<'_>,
) -> Choice {
    let is_here = |backend: &Backend<'_>| backend.node.is_empty() || backend.node == client.node;
    let usable: Vec<usize> = ready(backends)
        .into_iter()
        .filter(|place| {
            let backend = backends.get(*place);
            !port.internal_policy_local || backend.is_some_and(is_here)
        })
        .collect();
    let of = |holds: &dyn Fn(&Backend<'_>) -> bool| only(backends, &usable, holds);
    match wish(service) {
        Wish::SameNode => {
            let same = of(&|backend| backend.node == client.node);
            if !same.is_empty() {
                return near(same, Topology::PreferSameNode, "on this node");
            }
            all(usable, "none is on this node")
        }
        Wish::SameZone if client.zone.is_empty() => all(usable, "the node has no zone"),
        Wish::SameZone => {
            let lacks_hint = |place: &&usize| {
                let backend = backends.get(**place);
                backend.is_some_and(|backend| backend.endpoint.zone_hints().is_empty())
            };
            if usable.iter().any(|place| lacks_hint(&place)) {
                return all(usable, "an endpoint has no zone hint");
            }
            let hinted = of(&|backend| is_hinted(backend, client.zone));
            if hinted.is_empty() {
                return all(usable, "none is hinted to this zone");
            }
            near(hinted, Topology::PreferSameZone, "hinted to this zone")
        }
        Wish::Nothing => all(usable, "the Service asks for no topology"),
    }
}

fn istio(service: &Service<'_>, backends: &[Backend<'_>], client: &Client<'_>) -> Choice {
    let usable = ready(backends);
    let of = |holds: &dyn Fn(&Backend<'_>) -> bool| only(backends, &usable, holds);
    // The annotation of topology hints is none of its settings.
    match distribution(service) {
        Some(Wish::SameNode) => {
            let same = of(&|backend| backend.node == client.node);
            if same.is_empty() {
                all(usable, "none is on this node")
            } else {
                near(same, Topology::PreferSameNode, "on this node")
            }
        }
        Some(_) => {
            let same = of(&|backend| !client.zone.is_empty() && backend.zone == client.zone);
            if same.is_empty() {
                all(usable, "none is in this zone")
            } else {
                near(same, Topology::PreferSameZone, "in this zone")
            }
        }
        None => all(usable, "no trafficDistribution"),
    }
}

fn linkerd(backends: &[Backend<'_>], client: &Client<'_>) -> Choice {
    let usable = ready(backends);
    let lacks_hint = only(backends, &usable, &|backend| {
        backend.endpoint.zone_hints().is_empty()
    });
    if !lacks_hint.is_empty() {
        return all(usable, "an endpoint has no zone hint");
    }
    let hinted = only(backends, &usable, &|backend| {
        is_hinted(backend, client.zone)
    });
    if hinted.is_empty() {
        return all(usable, "none is hinted to this zone");
    }
    near(hinted, Topology::PreferSameZone, "hinted to this zone")
}

/// Endpoints there must be in all, and in the zone, for Envoy to stay in its zone.
const ENOUGH_FOR_DISTRIBUTION: usize = 1;
const ENOUGH_FOR_AUTO: usize = 3;

fn envoy_gateway(service: &Service<'_>, backends: &[Backend<'_>], client: &Client<'_>) -> Choice {
    let usable = ready(backends);
    let mode = service
        .metadata
        .annotations
        .get(keys::TOPOLOGY_MODE_ANNOTATION);
    // Any value of the field will do.
    let enough = if service.spec.traffic_distribution.is_some() {
        ENOUGH_FOR_DISTRIBUTION
    } else if mode.is_some_and(|mode| is_auto(mode)) {
        ENOUGH_FOR_AUTO
    } else {
        return all(usable, "the Service asks for no topology");
    };
    let same = only(backends, &usable, &|backend| {
        !client.zone.is_empty() && backend.zone == client.zone
    });
    if same.len() < enough {
        return all(usable, "too few are in this zone");
    }
    near(same, Topology::PreferSameZone, "in this zone")
}

fn wish(service: &Service<'_>) -> Wish {
    let annotations = &service.metadata.annotations;
    // The older name wins, as in the reference.
    let mode = annotations
        .get(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION)
        .or_else(|| annotations.get(keys::TOPOLOGY_MODE_ANNOTATION));
    let by_annotation = mode.filter(|mode| is_auto(mode)).map(|_| Wish::SameZone);
    distribution(service)
        .or(by_annotation)
        .unwrap_or(Wish::Nothing)
}

/// What the field says; an annotation does not switch it off here.
fn distribution(service: &Service<'_>) -> Option<Wish> {
    match service.spec.traffic_distribution.as_deref()? {
        "PreferClose" | "PreferSameZone" => Some(Wish::SameZone),
        "PreferSameNode" => Some(Wish::SameNode),
        _ => None,
    }
}

fn is_auto(mode: &str) -> bool {
    matches!(mode, "Auto" | "auto")
}

fn is_hinted(backend: &Backend<'_>, zone: &str) -> bool {
    let hints = backend.endpoint.zone_hints();
    hints.iter().any(|hint| **hint == *zone)
}

fn ready(backends: &[Backend<'_>]) -> Vec<usize> {
    let numbered = backends.iter().enumerate();
    let ready = numbered.filter(|(_, backend)| backend.endpoint.is_ready());
    ready.map(|(place, _)| place).collect()
}

fn only(
    backends: &[Backend<'_>],
    among: &[usize],
    holds: &dyn Fn(&Backend<'_>) -> bool,
) -> Vec<usize> {
    let holds = |place: &usize| backends.get(*place).is_some_and(holds);
    among.iter().copied().filter(holds).collect()
}

fn near(used: Vec<usize>, topology: Topology, rule: &str) -> Choice {
    Choice {
        used,
        topology,
        rule: rule.into(),
    }
}

fn all(used: Vec<usize>, because: &str) -> Choice {
    let rule = if used.is_empty() {
        "there is no endpoint".into()
    } else {
        format!("all: {because}")
    };
    Choice {
        used,
        topology: Topology::None,
        rule,
    }
}
