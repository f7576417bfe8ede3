//! Which endpoints a client uses, by the rules of each reader.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::model::keys;

use super::{Backend, Client, Situation, SliceReader};
use crate::proxy::{
    HintRule, PolicyRule, PortEndpoint, ProxiedService, ProxyLocation, ServicePortInfo, Topology,
    categorize,
};

/// The choice of a client.
pub(super) struct Choice {
    /// The indices of the endpoints.
    pub(super) used: Vec<usize>,
    /// How close the traffic stays.
    pub(super) topology: Topology,
    /// Why, in words.
    pub(super) rule: String,
}

const SERVING_TERMINATING: &str = "none is ready: those that are terminating and still serving";
const LOCAL: &str = "internalTrafficPolicy Local";

/// What a Service asks consumers for.
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
        SliceReader::KubeProxy => kube_proxy(situation, port, backends, client),
        SliceReader::Cilium => cilium(service, port, backends, client),
        SliceReader::Istio => istio(service, backends, client),
        SliceReader::Linkerd => linkerd(port, backends, client),
        SliceReader::EnvoyGateway => envoy_gateway(service, backends, client),
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
        .map(|backend| backend.endpoint.seen_from(is_on_node(backend, client)))
        .collect();
    let place = ProxyLocation {
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
    // Both are sorted by name, without duplicates.
    let mut used = used.iter().peekable();
    let place_if_used = |(place, seen): (usize, &PortEndpoint<'_>)| {
        let is_it =
            |next: &&PortEndpoint<'_>| next.host() == seen.host() && next.port() == seen.port();
        used.next_if(is_it).map(|_| place)
    };
    let used = seen.iter().enumerate().filter_map(place_if_used).collect();
    let rule = match policy {
        PolicyRule::NoEndpoint if is_local => local_rule(&[]).into(),
        PolicyRule::NoEndpoint | PolicyRule::Unused => "there is no endpoint".into(),
        PolicyRule::ServingTerminating => SERVING_TERMINATING.into(),
        PolicyRule::Ready if is_local => LOCAL.into(),
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

/// Reference: `DefaultSelectBackends`, `topologyPreferenceCandidate` and `convertService` of Cilium v1.20.2.
fn cilium(
    service: &ProxiedService<'_>,
    port: &ServicePortInfo,
    backends: &[Backend<'_>],
    client: &Client<'_>,
) -> Choice {
    if port.internal_policy_local {
        // The Service's wish is not even read.
        let here = places(backends, &|backend| {
            answers(backend) && (backend.node.is_empty() || is_on_node(backend, client))
        });
        return active(backends, local(here));
    }
    // Only ready endpoints decide whether traffic stays near; the others are still chosen with them.
    let known = places(backends, &answers);
    let candidates = only(backends, &known, &|backend| backend.endpoint.is_ready());
    let of = |holds: &dyn Fn(&Backend<'_>) -> bool| only(backends, &candidates, holds);
    let everything = |because| all(known.clone(), because);
    let choice = match cilium_wish(service) {
        Wish::SameNode => match of(&|backend| is_on_node(backend, client)) {
            same if same.is_empty() => everything("none is on this node"),
            same => near(same, Topology::PreferSameNode, "on this node"),
        },
        Wish::SameZone if client.zone.is_empty() => everything("the node has no zone"),
        // Cilium only stores the hints of endpoints that have a zone themselves.
        Wish::SameZone
            if !of(&|backend| lacks_zone_hint(backend) || backend.zone.is_empty()).is_empty() =>
        {
            everything("an endpoint has no zone hint")
        }
        Wish::SameZone => match of(&|backend| is_hinted(backend, client.zone)) {
            hinted if hinted.is_empty() => everything("none is hinted to this zone"),
            hinted => near(hinted, Topology::PreferSameZone, "hinted to this zone"),
        },
        Wish::Nothing => everything("the Service does not request topology-aware routing"),
    };
    active(backends, choice)
}

/// The ready ones among the chosen endpoints; if there are none, all of them, which are terminating and still serve
/// (Cilium's pull requests 39743 and 40279).
fn active(backends: &[Backend<'_>], choice: Choice) -> Choice {
    let ready = only(backends, &choice.used, &|backend| {
        backend.endpoint.is_ready()
    });
    if !ready.is_empty() || choice.used.is_empty() {
        return Choice {
            used: ready,
            ..choice
        };
    }
    Choice {
        rule: SERVING_TERMINATING.into(),
        ..choice
    }
}

/// Reference: Istio's `filterIstioEndpoint`, `GetEffectiveLbSetting` and `applyFailoverPriorities`: endpoints are ranked
/// by preference, and those with the highest rank are used. Regions and subzones are not modelled, nor what Envoy sends
/// to lower ranks while endpoints of the highest are not ready.
fn istio(service: &ProxiedService<'_>, backends: &[Backend<'_>], client: &Client<'_>) -> Choice {
    let usable = ready(backends);
    let of = |holds: &dyn Fn(&Backend<'_>) -> bool| only(backends, &usable, holds);
    let here = || of(&|backend| is_on_node(backend, client));
    let zone = || of(&|backend| !client.zone.is_empty() && backend.zone == client.zone);
    if service.spec.internal_traffic_policy == "Local" {
        return local(here());
    }
    match istio_distribution(service) {
        Some(Wish::SameNode) => match (here(), zone()) {
            (same, _) if !same.is_empty() => near(same, Topology::PreferSameNode, "on this node"),
            (_, same) if !same.is_empty() => near(
                same,
                Topology::PreferSameZone,
                "in this zone: none is on this node",
            ),
            _ => all(usable, "none is on this node or in this zone"),
        },
        Some(Wish::SameZone) => match zone() {
            same if same.is_empty() => all(usable, "none is in this zone"),
            same => near(same, Topology::PreferSameZone, "in this zone"),
        },
        Some(Wish::Nothing) | None => all(usable, "no trafficDistribution"),
    }
}

/// The field, if its value is known; otherwise the annotation, ignoring case (reference: Istio's
/// `GetTrafficDistribution`). Istio does not support the annotation for topology hints.
fn istio_distribution(service: &ProxiedService<'_>) -> Option<Wish> {
    distribution(service).or_else(|| {
        let annotations = &service.metadata.annotations;
        let value = annotations.get(keys::ISTIO_TRAFFIC_DISTRIBUTION_ANNOTATION)?;
        let known = [
            ("PreferClose", Wish::SameZone),
            ("PreferSameZone", Wish::SameZone),
            ("PreferSameNode", Wish::SameNode),
        ];
        let mut known = known.into_iter();
        let (_, wish) = known.find(|(name, _)| value.eq_ignore_ascii_case(name))?;
        Some(wish)
    })
}

/// Reference: Linkerd's `filterAddresses`.
fn linkerd(port: &ServicePortInfo, backends: &[Backend<'_>], client: &Client<'_>) -> Choice {
    let usable = ready(backends);
    let of = |holds: &dyn Fn(&Backend<'_>) -> bool| only(backends, &usable, holds);
    if port.internal_policy_local {
        return local(of(&|backend| is_on_node(backend, client)));
    }
    if !of(&lacks_zone_hint).is_empty() {
        return all(usable, "an endpoint has no zone hint");
    }
    match of(&|backend| is_hinted(backend, client.zone)) {
        hinted if hinted.is_empty() => all(usable, "none is hinted to this zone"),
        hinted => near(hinted, Topology::PreferSameZone, "hinted to this zone"),
    }
}

/// The minimum number of endpoints in the zone for Envoy to stay in it.
const ENOUGH_FOR_DISTRIBUTION: usize = 1;
const ENOUGH_FOR_AUTO: usize = 3;

fn envoy_gateway(
    service: &ProxiedService<'_>,
    backends: &[Backend<'_>],
    client: &Client<'_>,
) -> Choice {
    let usable = ready(backends);
    let mode = service
        .metadata
        .annotations
        .get(keys::TOPOLOGY_MODE_ANNOTATION);
    // Any value of the field counts.
    let enough = if service.spec.traffic_distribution.is_some() {
        ENOUGH_FOR_DISTRIBUTION
    } else if mode.is_some_and(|mode| is_auto(mode)) {
        ENOUGH_FOR_AUTO
    } else {
        return all(
            usable,
            "the Service does not request topology-aware routing",
        );
    };
    let same = only(backends, &usable, &|backend| {
        !client.zone.is_empty() && backend.zone == client.zone
    });
    if same.len() < enough {
        return all(usable, "too few are in this zone");
    }
    near(same, Topology::PreferSameZone, "in this zone")
}

/// The field, or the annotation. Reference: Cilium's `trafficDistribution` and `getAnnotationTopologyAwareHints`.
fn cilium_wish(service: &ProxiedService<'_>) -> Wish {
    let annotations = &service.metadata.annotations;
    // The older name wins, as in the reference.
    let mode = annotations
        .get(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION)
        .or_else(|| annotations.get(keys::TOPOLOGY_MODE_ANNOTATION));
    let is_set = |mode: &str| !matches!(mode, "" | "disabled" | "Disabled");
    let by_annotation = mode.filter(|mode| is_set(mode)).map(|_| Wish::SameZone);
    distribution(service)
        .or(by_annotation)
        .unwrap_or(Wish::Nothing)
}

/// The value of the field; an annotation does not disable it here.
fn distribution(service: &ProxiedService<'_>) -> Option<Wish> {
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

fn lacks_zone_hint(backend: &Backend<'_>) -> bool {
    backend.endpoint.zone_hints().is_empty()
}

fn is_on_node(backend: &Backend<'_>, client: &Client<'_>) -> bool {
    !client.node.is_empty() && backend.node == client.node
}

/// Is it ready, or terminating and still serving?
fn answers(backend: &Backend<'_>) -> bool {
    let endpoint = &backend.endpoint;
    endpoint.is_ready() || endpoint.is_serving() && endpoint.is_terminating()
}

fn ready(backends: &[Backend<'_>]) -> Vec<usize> {
    places(backends, &|backend| backend.endpoint.is_ready())
}

fn places(backends: &[Backend<'_>], holds: &dyn Fn(&Backend<'_>) -> bool) -> Vec<usize> {
    let numbered = backends.iter().enumerate();
    let found = numbered.filter(|(_, backend)| holds(backend));
    found.map(|(place, _)| place).collect()
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

/// The result of the policy `Local`.
fn local(used: Vec<usize>) -> Choice {
    Choice {
        rule: local_rule(&used).into(),
        used,
        topology: Topology::None,
    }
}

const fn local_rule(used: &[usize]) -> &'static str {
    if used.is_empty() {
        "internalTrafficPolicy Local, and none is here"
    } else {
        LOCAL
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
