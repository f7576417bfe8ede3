//! What goes out.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::read::{Given, warnings};
use super::rules::{AppliedRule, no_endpoints, rules};
use super::slices::SlicesByService;
use crate::api::Warning;
use crate::api::proxy::answer::Route;
use crate::model::{AddressType, SortedMap, keys};
use crate::proxy::{Proxier, Service, ServicePortName};

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
    /// What a person should know about the input.
    pub warnings: Vec<Warning>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

pub(super) fn answer(proxier: &Proxier, given: &Given<'_>) -> RouteAnswer {
    let place = proxier.place();
    let family = proxier.settings().address_type;
    let services = given.services.iter();
    let services: BTreeMap<_, _> = services.map(|service| (service.key(), service)).collect();
    let slices = SlicesByService::new(&given.slices);
    let why_none = |name: &ServicePortName| {
        let service = services.get(&name.service)?;
        Some(no_endpoints(name, service, family, &slices))
    };
    let mut routes = Vec::new();
    for (name, port) in proxier.service_ports() {
        if let Some(categories) = proxier.route(&name) {
            let endpoints = proxier.endpoints(&name);
            let rules = if endpoints.is_empty() {
                why_none(&name).into_iter().collect()
            } else {
                rules(&categories, &endpoints, port, place)
            };
            let route = Route::of(&categories);
            routes.push((name.to_string(), ServiceRoute { route, rules }));
        }
    }
    let not_proxied = given.services.iter().filter_map(|service| {
        why_not(service, family).map(|rule| NamedService {
            service: service.key().to_string(),
            rule,
        })
    });
    RouteAnswer {
        node: place.node.to_string(),
        zone: place.zone.to_string(),
        address_type: family,
        not_proxied: not_proxied.collect(),
        routes: routes.into_iter().collect(),
        warnings: warnings(given.services.len(), given.slices.len(), None),
    }
}

/// Why no proxy serves a Service in a family; `None` if one does.
pub(in crate::api) fn why_not(service: &Service<'_>, family: AddressType) -> Option<NotProxied> {
    let spec = &service.spec;
    if spec.service_type == "ExternalName" {
        Some(NotProxied::ExternalName)
    } else if spec.cluster_ip.is_empty() || spec.cluster_ip == keys::CLUSTER_IP_NONE {
        Some(NotProxied::Headless)
    } else if !crate::proxy::service_port::is_served(service, family) {
        Some(NotProxied::OtherFamily)
    } else {
        spec.ports.is_empty().then_some(NotProxied::NoPorts)
    }
}
