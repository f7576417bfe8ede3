//! What goes out.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::rules::{AppliedRule, rules};
use crate::api::proxy::answer::Route;
use crate::model::{AddressType, SortedMap, keys};
use crate::proxy::{Proxier, Service};

/// Which endpoints a node uses.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RouteAnswer {
    /// The node.
    pub node: String,
    /// Its zone; empty if it has none.
    pub zone: String,
    /// The address family.
    pub address_type: AddressType,
    /// By `namespace/name:port/PROTOCOL`.
    pub routes: SortedMap<String, ServiceRoute>,
    /// Services that no proxy serves in this family.
    pub not_proxied: Vec<NamedService>,
}

/// Which endpoints of a service port a node uses, and why.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServiceRoute {
    /// The endpoints.
    #[serde(flatten)]
    pub route: Route,
    /// The rules that have decided, in the order they did.
    pub rules: Vec<AppliedRule>,
}

/// A Service that no proxy serves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedService {
    /// `namespace/name`.
    pub service: String,
    /// Why.
    pub rule: NotProxied,
}

/// Why no proxy serves a Service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum NotProxied {
    /// It has no cluster IP: clients find its endpoints by DNS.
    Headless,
    /// It is a name for another host.
    ExternalName,
    /// It has no cluster IP of this family.
    OtherFamily,
    /// It has no ports.
    NoPorts,
}

pub(super) fn answer(proxier: &Proxier, services: &[Service<'_>]) -> RouteAnswer {
    let place = proxier.place();
    let mut routes = Vec::new();
    for (name, port) in proxier.service_ports() {
        if let Some(categories) = proxier.route(&name) {
            let rules = rules(&categories, &proxier.endpoints(&name), port, place);
            let route = Route::of(&categories);
            routes.push((name.to_string(), ServiceRoute { route, rules }));
        }
    }
    let not_proxied = services.iter().filter_map(|service| {
        let key = service.key();
        let mut served = proxier
            .service_ports()
            .filter(|(name, _)| name.service == key);
        let is_served = served.next().is_some();
        (!is_served).then(|| NamedService {
            service: key.to_string(),
            rule: why_not(service, proxier.settings().address_type),
        })
    });
    RouteAnswer {
        node: place.node.to_string(),
        zone: place.zone.to_string(),
        address_type: proxier.settings().address_type,
        not_proxied: not_proxied.collect(),
        routes: routes.into_iter().collect(),
    }
}

fn why_not(service: &Service<'_>, family: AddressType) -> NotProxied {
    let spec = &service.spec;
    if spec.service_type == "ExternalName" {
        NotProxied::ExternalName
    } else if spec.cluster_ip.is_empty() || spec.cluster_ip == keys::CLUSTER_IP_NONE {
        NotProxied::Headless
    } else if crate::proxy::service_port::is_served(service, family) {
        NotProxied::NoPorts
    } else {
        NotProxied::OtherFamily
    }
}
