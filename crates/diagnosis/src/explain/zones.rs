//! Where endpoints are, and which zones they are hinted to.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::model::Endpoint;
use slicewise::plan::explanation::ZoneFigures;
use slicewise::topology::allocation::Allocation;

/// Following hints is optional.
pub(super) const WHO_FOLLOWS: &str = "Each consumer of slices decides whether to follow hints: kube-proxy does since 1.24, Linkerd does, Cilium does with --enable-service-topology, Istio's ztunnel and Envoy Gateway do not (see `slicewise traffic --reader`).";

/// The arithmetic as data, with where the endpoints are and where they are hinted to.
pub(super) fn zone_figures(
    allocations: &[Allocation<'_>],
    ready: &[&Endpoint<'_>],
) -> Vec<ZoneFigures> {
    let zone = |allocation: &Allocation<'_>| {
        let name = allocation.share.zone;
        let mut figures = ZoneFigures::default();
        figures.zone = name.to_string();
        figures.cpu_ratio = allocation.share.cpu_ratio;
        figures.desired = allocation.proportional;
        figures.minimum = allocation.minimum;
        figures.maximum = allocation.maximum;
        figures.endpoints = in_zone(ready, name);
        figures.hinted = hinted_to(ready, name);
        figures
    };
    allocations.iter().map(zone).collect()
}

/// The number of endpoints in a zone.
pub(super) fn in_zone(ready: &[&Endpoint<'_>], zone: &str) -> i64 {
    let own = |endpoint: &&&Endpoint<'_>| endpoint.zone.as_deref() == Some(zone);
    ready.iter().filter(own).count() as i64
}

/// The number of endpoints hinted to it.
pub(super) fn hinted_to(ready: &[&Endpoint<'_>], zone: &str) -> i64 {
    let leads = |endpoint: &&&Endpoint<'_>| hinted_zones(endpoint).contains(&zone);
    ready.iter().filter(leads).count() as i64
}

/// The zones an endpoint is hinted to.
pub(super) fn hinted_zones<'e>(endpoint: &'e Endpoint<'_>) -> Vec<&'e str> {
    let hints = endpoint.hints.iter().flat_map(|hints| &hints.for_zones);
    hints.map(|hint| &*hint.name).collect()
}

/// The display name of an endpoint.
pub(super) fn title(endpoint: &Endpoint<'_>) -> String {
    match &endpoint.target_ref {
        Some(target) => target.name.to_string(),
        None => endpoint
            .addresses
            .first()
            .map_or_else(String::new, ToString::to_string),
    }
}

/// `a 3, b 2`.
pub(super) fn spread(ready: &[&Endpoint<'_>], zones: &[&str]) -> String {
    let zone = |zone: &&str| format!("{zone} {}", in_zone(ready, zone));
    zones.iter().map(zone).collect::<Vec<_>>().join(", ")
}
