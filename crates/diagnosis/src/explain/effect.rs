//! Who is served: the effect that severities follow from. It comes from the slices that clients see, as kube-proxy and
//! DNS read them; whether a plan would differ does not matter.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::refused;
use super::scene::Scene;
use super::traffic::{self, From};
use super::words::{list, ranged};
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Pod, Text};
use slicewise::plan::explanation::Severity;
use slicewise::reconcile::ports;
use slicewise::words::{counted, percent};
use slicewise_traffic::proxy::ProxiedService;
use slicewise_traffic::routing::{PortTraffic, SliceReader, not_served};

/// Anything below is a rounding error.
const NOTHING: f64 = 1e-9;
/// More names than these are counted.
const FEW: usize = 3;

/// Who is served, port by port.
pub(super) struct Effect {
    /// Ports of which nobody is served, such as `http/TCP`.
    pub(super) unserved: Vec<String>,
    /// A port of which some clients are not served, their share, and the number of their nodes or zones.
    partly: Option<(String, f64, usize)>,
    /// The endpoints that are used.
    used: Vec<String>,
    /// The number of ports.
    ports: usize,
    is_headless: bool,
    is_live: bool,
    is_stored: bool,
    /// Is any endpoint ready? If not, kube-proxy falls back to those that still serve.
    pub(super) is_any_ready: bool,
    has_ports: bool,
    /// Does external traffic follow another policy?
    is_local_outside: bool,
}

impl Effect {
    /// `None` if neither kube-proxy nor DNS leads clients to endpoints of the Service, as with an `ExternalName`.
    pub(super) fn of(scene: &Scene<'_>) -> Option<Self> {
        let to_be = Self::to_be(scene).filter(|_| !scene.is_any_served());
        if to_be.is_some() || is_unknown(scene) {
            return to_be;
        }
        let mut seen = scene.seen();
        if !scene.case.knows_slices {
            seen.retain(|slice| !refused::is_refused(slice));
        }
        match scene.case.knows_slices && are_all_gone(scene, &seen) {
            true => Self::over(scene, &[]),
            false => Self::over(scene, &seen),
        }
    }

    /// The effect of pods that do not exist yet, by what their templates declare.
    fn to_be(scene: &Scene<'_>) -> Option<Self> {
        let service = scene.case.service;
        let first = scene.templates.first().filter(|first| first.is_manifest)?;
        let is_found = |number: usize| {
            let mut templates = scene.templates.iter();
            templates.any(|template| {
                let resolved = ports::resolve(service, &template.pod);
                resolved.get(number).copied().flatten().is_some()
            })
        };
        let missing = service.spec.ports.iter().enumerate();
        let missing = missing.filter(|(number, _)| !is_found(*number));
        let is_headless = service.is_headless();
        let unserved = missing.map(|(_, port)| match port.name.as_str() {
            "" => format!("{}/{}", port.port.0, port.protocol),
            name => format!("{name}/{}", port.protocol),
        });
        Some(Self {
            unserved: unserved.filter(|_| !is_headless).collect(),
            partly: None,
            used: [format!("the pods of {}", first.title)].into(),
            ports: service.spec.ports.len().max(1),
            is_headless,
            is_live: false,
            is_stored: false,
            is_any_ready: true,
            has_ports: !service.spec.ports.is_empty(),
            is_local_outside: false,
        })
    }

    /// The effect of other slices.
    pub(super) fn over(scene: &Scene<'_>, slices: &[&EndpointSlice<'_>]) -> Option<Self> {
        let service = scene.proxied()?;
        if service.spec.service_type == "ExternalName" {
            return None;
        }
        let mut effect = Self {
            unserved: Vec::new(),
            partly: None,
            used: Vec::new(),
            ports: 0,
            is_headless: scene.case.service.is_headless(),
            is_live: scene.case.knows_slices,
            is_stored: !scene.case.service.metadata.uid.is_empty(),
            is_any_ready: true,
            has_ports: !service.spec.ports.is_empty(),
            is_local_outside: service.spec.external_traffic_policy == "Local",
        };
        if effect.is_headless {
            effect.used = resolved(slices);
            if effect.used.is_empty() {
                effect.unserved.push(String::new());
            }
            effect.ports = 1;
            return Some(effect);
        }
        let all = proxied(scene, service, slices);
        let is_served =
            |traffic: &PortTraffic| traffic.groups.iter().any(|group| !group.uses.is_empty());
        // A family that has no endpoint although another has is explained by itself.
        let families = all.iter().filter(|ports| ports.iter().any(is_served));
        let families: Vec<_> = match families.clone().count() {
            0 => all.iter().take(1).collect(),
            _ => families.collect(),
        };
        let mut used = Vec::new();
        for traffic in families.iter().copied().flatten() {
            effect.ports += 1;
            let title = title(service, &traffic.service_port);
            if !is_served(traffic) {
                effect.unserved.push(title);
                continue;
            }
            let lost = traffic.groups.iter().filter(|group| group.uses.is_empty());
            let lost: usize = lost.map(|group| group.nodes.len()).sum();
            if lost > 0 && effect.partly.is_none() {
                effect.partly = Some((title, traffic.unserved, lost));
            }
            let endpoints = traffic.endpoints.iter();
            let endpoints = endpoints.filter(|one| one.share > NOTHING);
            used.extend(endpoints.map(|one| one.endpoint.as_str()));
        }
        let used = sorted_unique(used);
        effect.used = used.into_iter().map(ToString::to_string).collect();
        effect.is_any_ready = is_any_ready(slices);
        (effect.ports > 0).then_some(effect)
    }

    /// How bad it is.
    pub(super) const fn severity(&self) -> Severity {
        if !self.unserved.is_empty() {
            Severity::Broken
        } else if self.partly.is_some() {
            Severity::Degraded
        } else {
            Severity::Note
        }
    }

    /// Is nobody served on this port?
    pub(super) fn lacks(&self, name: &str, protocol: &str) -> bool {
        let title = format!("{name}/{protocol}");
        self.unserved.len() == self.ports || self.unserved.contains(&title)
    }

    /// The effect without a full stop.
    pub(super) fn in_words(&self) -> String {
        // Nothing to write is nothing written.
        let is_live = self.is_live || (self.is_stored && !self.unserved.is_empty());
        let (is, are) = match is_live {
            true => ("is", "are"),
            false => ("will be", "will be"),
        };
        if self.is_headless && !self.unserved.is_empty() {
            let finds = if is_live { "finds" } else { "will find" };
            return format!("DNS {finds} no ready endpoint");
        }
        if self.unserved.len() == self.ports && self.ports != 1 {
            return format!(
                "Nobody {is} served on any of {}",
                counted(self.ports, "port")
            );
        }
        if !self.unserved.is_empty() {
            let ports = ranged(&self.unserved, FEW);
            return match self.unserved.len() {
                ..=FEW => format!("Nobody {is} served on {ports}"),
                number => format!("Nobody {is} served on {number} ports ({ports})"),
            };
        }
        if let Some((port, share, lost)) = &self.partly {
            let not = if is_live { "are not" } else { "will not be" };
            // Control-plane nodes hardly send requests.
            let who = match (0.005..0.995).contains(share) {
                true => format!("{} of the clients", percent(*share, 0)),
                false => format!("The clients on {}", counted(*lost, "node")),
            };
            return format!("{who} {not} served on {port}");
        }
        let noun = if self.is_headless {
            "address"
        } else {
            "endpoint"
        };
        let who = match self.used.len() {
            ..=FEW => list(&self.used),
            number => counted(number, noun),
        };
        if self.is_headless {
            let resolves = if self.is_live {
                "resolves"
            } else {
                "will resolve"
            };
            let records = if self.has_ports {
                ""
            } else {
                " (without ports it has no SRV records)"
            };
            return format!("The name {resolves} to {who}{records}");
        }
        let still = match self.is_any_ready {
            true => "",
            false => " (terminating but still serving; kube-proxy falls back to it)",
        };
        let inside = if self.is_local_outside {
            " in the cluster"
        } else {
            ""
        };
        format!("All clients{inside} {are} served by {who}{still}")
    }
}

/// Others write the slices, and the input has neither those nor what they are made from.
fn is_unknown(scene: &Scene<'_>) -> bool {
    let case = scene.case;
    let is_planned = case.service.is_reconciled() || !case.endpoints.is_empty();
    !is_planned && !case.knows_slices && scene.mirrored.is_none()
}

/// Are all ready endpoints pods that no longer exist? Their addresses answer nobody.
fn are_all_gone(scene: &Scene<'_>, slices: &[&EndpointSlice<'_>]) -> bool {
    let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    let mut ready = endpoints.filter(|one| one.is_ready()).peekable();
    let is_gone = |one: &Endpoint<'_>| {
        let target = one.target_ref.as_ref();
        target.is_some_and(|target| {
            let name = |pod: &&Pod<'_>| (*pod.metadata.name).cmp(&target.name);
            target.kind == "Pod"
                && *target.namespace == *scene.case.service.metadata.namespace
                && scene.pods.binary_search_by(name).is_err()
        })
    };
    let is_known = scene.case.service.is_reconciled() && !scene.pods.is_empty();
    is_known && ready.peek().is_some() && ready.all(is_gone)
}

/// The traffic of each family that the Service has.
fn proxied(
    scene: &Scene<'_>,
    service: &ProxiedService<'_>,
    slices: &[&EndpointSlice<'_>],
) -> Vec<Vec<PortTraffic>> {
    let mut service = service.clone();
    let is_local = service.spec.internal_traffic_policy == "Local";
    let case = scene.case;
    let knows_nodes = !case.cluster.nodes.is_empty() || !case.named_nodes.is_empty();
    let is_known = case.clients.is_some() || is_local && knows_nodes;
    let from = match is_known {
        true => From::Clients,
        // Without nodes nobody is on the node of an endpoint, for all one knows.
        false => {
            service.spec.internal_traffic_policy = Text::default();
            From::Zones
        }
    };
    let families = AddressType::ALL.into_iter();
    let families =
        families.filter(|family| not_served(&service, *family, SliceReader::KubeProxy).is_none());
    families
        .map(|family| traffic::of(scene, &service, slices, family, from).ports)
        .collect()
}

/// The addresses that the name of a headless Service resolves to.
fn resolved(slices: &[&EndpointSlice<'_>]) -> Vec<String> {
    let endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    let ready = endpoints.filter(|endpoint| endpoint.conditions.ready != Some(false));
    sorted_unique(ready.flat_map(|one| one.addresses.iter().map(ToString::to_string)))
}

fn is_any_ready(slices: &[&EndpointSlice<'_>]) -> bool {
    let mut endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    endpoints.any(|endpoint| endpoint.conditions.ready != Some(false))
}

/// `http/TCP`, or the number of a port without a name.
fn title(service: &ProxiedService<'_>, service_port: &str) -> String {
    let key = service.key().to_string();
    let rest = service_port.strip_prefix(&key).unwrap_or(service_port);
    match rest.strip_prefix(':') {
        Some(named) => named.to_string(),
        None => {
            let port = service.spec.ports.first().map_or(0, |port| port.port);
            format!("{port}{rest}")
        }
    }
}
