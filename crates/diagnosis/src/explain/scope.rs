//! Settings that have no effect, or another than their name says.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cluster::by_zone;
use super::scene::Scene;
use super::words::list;
use super::{ip_targets, say};
use slicewise::membership::selector::matches;
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, EndpointSlice};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::plan::is_selected;
use slicewise::reconcile::address_types;
use slicewise::topology::allocation::OVERLOAD_THRESHOLD;
use slicewise::words::counted;
use slicewise_traffic::proxy::Topology;
use slicewise_traffic::routing::{Client, Situation, matrix};

pub(super) const LOCAL: &str = "Local";

/// Explains them, the most surprising first.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let hints = hints_asked(scene);
    if let Some(elsewhere) = clients_elsewhere(scene) {
        answers.insert(0, elsewhere);
    }
    answers.extend(ip_targets::scope(scene, hints.as_deref()));
    answers.extend(min_ready_seconds(scene));
    answers.extend(without_selector(scene, hints.as_deref()));
    answers.extend(headless(scene, hints.as_deref()));
    answers.extend(under_local(scene, hints.as_deref()));
    answers.extend(without_node(scene));
}

pub(super) fn note(scene: &Scene<'_>, what: String, because: &str) -> Explanation {
    say::service(Code::ScopeOfSetting, scene.case.service, what).because(because)
}

/// What asks for hints.
fn hints_asked(scene: &Scene<'_>) -> Option<String> {
    let service = scene.case.service;
    if service.wants_topology_hints() {
        return Some("The topology annotation".to_string());
    }
    let value = service.spec.traffic_distribution.as_ref()?;
    Some(format!("trafficDistribution: {value}"))
}

/// Zones without any pod that could be a client: hints keep requests away from their endpoints.
fn clients_elsewhere(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let proxied = scene.proxied().filter(|_| !service.is_headless())?;
    let slices = scene.seen();
    let named = scene.case.clients;
    let clients = match named {
        Some(named) => by_zone(&named.clients),
        None => likely_clients(scene, &slices)?,
    };
    let settings = scene.case.options.settings();
    let family = AddressType::named(address_types(service).first()?.as_str())?;
    let situation = Situation::of_kube_proxy(proxied, &slices, family, &settings);
    let ports = matrix(&situation, &clients);
    let port = ports.first()?;
    let is_hinted = port
        .groups
        .iter()
        .all(|group| group.topology != Topology::None);
    let idle = port
        .endpoints
        .iter()
        .filter(|one| one.share <= 0.0 && !one.zone.is_empty());
    let idle: Vec<&str> = idle.map(|one| one.zone.as_str()).collect();
    let is_client = |zone: &&str| {
        let found = clients.binary_search_by(|client| client.zone.cmp(zone));
        found.is_ok()
    };
    let without = sorted_unique(idle.iter().copied().filter(|zone| !is_client(zone)));
    let is_uneven = named.is_some() && port.overload > OVERLOAD_THRESHOLD + 1e-9;
    if !is_hinted || without.is_empty() && !is_uneven {
        return None;
    }
    let busy: Vec<String> = clients
        .iter()
        .map(|client| {
            format!(
                "{} ({})",
                client.zone,
                counted(client.weight as usize, "pod")
            )
        })
        .collect();
    let zones = list(&without);
    let get = match idle.len() {
        1 => "endpoint there gets".to_string(),
        number => format!("{number} endpoints there get"),
    };
    let what = match named {
        Some(_) if without.is_empty() => {
            "Some endpoints get more requests than their share.".to_string()
        }
        Some(_) => format!("No client is in {zones}, so the {get} no requests."),
        None => format!(
            "No other pod of namespace {} is in {zones}, so the {get} no requests from it.",
            service.metadata.namespace
        ),
    };
    let who = match named {
        Some(named) => format!("the clients ({})", named.text),
        None => "the pods that may be clients".to_string(),
    };
    let severity = match is_uneven {
        true => Severity::Degraded,
        false => Code::ZoneOverloaded.severity(),
    };
    Some(
        say::service(Code::ZoneOverloaded, service, what)
        .because(format!(
            "Hints keep requests in their zone, and {who} are in {}; the busiest endpoint gets {:.2} times its share.",
            list(&busy),
            port.overload + 1.0
        ))
        .severity(severity)
        .figure("zones", without.as_slice())
        .fix(
            "spread the clients over the zones (topologySpreadConstraints on topology.kubernetes.io/zone)",
            "the endpoints of each zone get requests",
        )
        .fix("or stop asking for hints", "every client uses all endpoints alike, across zones"),
    )
}

/// The other pods of the namespace, unless there are some wherever an endpoint is.
fn likely_clients<'t>(scene: &Scene<'t>, slices: &[&EndpointSlice<'_>]) -> Option<Vec<Client<'t>>> {
    let service = scene.case.service;
    let clients = || {
        let pods = scene.pods.iter();
        let others = pods.filter(|pod| !is_selected(pod, service) && !pod.is_terminal());
        others.filter_map(|pod| scene.nodes().zone(&pod.spec.node_name).flatten())
    };
    let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    let mut unused = sorted_unique(endpoints.filter_map(|one| one.zone.as_deref()));
    // Most namespaces have a pod in each zone, and the first few show it.
    let is_all_used = |zone: &str| {
        unused.retain(|other| *other != zone);
        unused.is_empty()
    };
    if clients().any(is_all_used) {
        return None;
    }
    let clients: Vec<_> = clients().map(|zone| Client::new("", zone)).collect();
    (clients.len() > 1).then(|| by_zone(&clients))
}

fn min_ready_seconds(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let selector = service.spec.selector.as_ref()?;
    let mut workloads = scene.case.details.beside(&service.metadata.namespace);
    let workload = workloads.find(|one| {
        one.spec.min_ready_seconds > 0 && matches(selector, &one.spec.template.metadata.labels)
    })?;
    Some(
        note(
            scene,
            format!("minReadySeconds: {} of {} does not delay traffic to its pods.", workload.spec.min_ready_seconds, workload.title()),
            "Endpoints follow the Ready condition of a pod; minReadySeconds only decides when the workload counts it as available.",
        )
        .fix("to delay traffic, give the pods a readiness probe (initialDelaySeconds, or one that succeeds when they are warm)", "they are ready endpoints once it succeeds"),
    )
}

fn without_selector(scene: &Scene<'_>, hints: Option<&str>) -> Option<Explanation> {
    let service = scene.case.service;
    if service.is_reconciled() || service.spec.service_type == "ExternalName" {
        return None;
    }
    Some(note(
        scene,
        format!("{} has no effect: the Service has no selector.", hints?),
        "The controller that writes hints only handles Services with a selector; hints that the writer of the slices sets are followed.",
    ))
}

fn headless(scene: &Scene<'_>, hints: Option<&str>) -> Option<Explanation> {
    let service = scene.case.service;
    if !service.is_headless() || service.spec.service_type == "ExternalName" {
        return None;
    }
    let spec = &scene.proxied()?.spec;
    let mut set: Vec<String> = hints.into_iter().map(ToString::to_string).collect();
    if spec.internal_traffic_policy == LOCAL {
        set.push("internalTrafficPolicy: Local".to_string());
    }
    if spec.session_affinity == "ClientIP" {
        set.push("sessionAffinity: ClientIP".to_string());
    }
    if set.is_empty() {
        return None;
    }
    let have = if set.len() == 1 { "has" } else { "have" };
    Some(note(
        scene,
        format!("{} {have} no effect on a headless Service.", list(&set)),
        "Clients get all ready addresses from DNS and choose themselves; kube-proxy is not on that path. Readers of slices such as meshes may follow hints.",
    ))
}

fn under_local(scene: &Scene<'_>, hints: Option<&str>) -> Option<Explanation> {
    let spec = &scene.proxied()?.spec;
    let (hints, is_headless) = (hints?, scene.case.service.is_headless());
    if is_headless {
        return None;
    }
    if spec.internal_traffic_policy == LOCAL {
        return Some(note(
            scene,
            format!("{hints} has no effect within the cluster under internalTrafficPolicy: Local."),
            "Traffic stays on its node, and hints are not looked at.",
        ));
    }
    let is_external = matches!(&*spec.service_type, "LoadBalancer" | "NodePort");
    (is_external && spec.external_traffic_policy == LOCAL).then(|| {
        note(
            scene,
            format!(
                "{hints} only has an effect within the cluster: externalTrafficPolicy is Local."
            ),
            "External traffic stays on the node where it arrives, and hints are not looked at.",
        )
    })
}

/// Announcers look for the nodes of endpoints.
fn without_node(scene: &Scene<'_>) -> Option<Explanation> {
    let spec = &scene.proxied()?.spec;
    let slices = scene.seen();
    let mut endpoints = slices.iter().flat_map(|slice| &slice.endpoints).peekable();
    let is_it = spec.service_type == "LoadBalancer"
        && spec.external_traffic_policy != LOCAL
        && !scene.case.service.is_reconciled()
        && endpoints.peek().is_some()
        && endpoints.all(|endpoint| endpoint.node_name.is_none());
    is_it.then(|| {
        note(
            scene,
            "Its endpoints have no nodeName: kube-proxy serves them from every node, but announcers that choose nodes by nodeName (MetalLB in layer 2) find none.".to_string(),
            "An endpoint outside the cluster is on none of its nodes; the announcer needs a setting of its own for that.",
        )
    })
}
