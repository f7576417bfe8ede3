//! The output.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::api::Warning;
use slicewise::model::order::gathered;
use slicewise::model::{AddressType, SortedMap};

use super::read::RouteInput;
use super::rules::{AppliedRule, no_endpoints, rules};
use super::slices::RouteSlices;
use crate::json::incomplete::of_traffic;
use crate::json::proxy::answer::Route;
use crate::proxy::{ProxiedService, Proxier, ServicePortName};
use crate::routing::{NotProxied, NotServed, SliceReader, UnreadSlice, not_served, unread};

/// The endpoints that a node uses.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RouteAnswer {
    /// The node.
    pub node: String,
    /// Its zone; empty if it has none.
    pub zone: String,
    /// The address family, `IPv4` or `IPv6`.
    pub address_type: AddressType,
    /// The endpoints of each port, by `namespace/name:port/PROTOCOL`.
    pub routes: SortedMap<String, ServiceRoute>,
    /// Services that the proxy does not serve in this family.
    pub not_proxied: Vec<NamedService>,
    /// Slices of the Services that are not read, or not completely.
    pub unread: Vec<UnreadSlice>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
}

/// The endpoints that a node uses for a service port, and why.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ServiceRoute {
    /// The endpoints.
    #[serde(flatten)]
    pub route: Route,
    /// The rules that applied, in the order in which they were evaluated.
    pub rules: Vec<AppliedRule>,
}

/// A Service that the proxy does not serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct NamedService {
    /// The Service, as `namespace/name`.
    pub service: String,
    /// The reason.
    pub rule: NotProxied,
    /// The reason in words, as a continuation of the Service's name.
    pub message: String,
}

impl NamedService {
    /// The Service, if the reader does not serve it in the family.
    pub(in crate::json) fn unless_served(
        service: &ProxiedService<'_>,
        family: AddressType,
        reader: SliceReader,
    ) -> Option<Self> {
        let NotServed { rule, message } = not_served(service, family, reader)?;
        Some(Self {
            service: service.key().to_string(),
            rule,
            message,
        })
    }
}

const READER: SliceReader = SliceReader::KubeProxy;

pub(super) fn answer(proxier: &Proxier, given: &RouteInput<'_>) -> RouteAnswer {
    let place = proxier.place();
    let family = proxier.settings().address_type;
    let services = given.services.iter();
    let services: BTreeMap<_, _> = gathered(services.map(|service| (service.key(), service)));
    let slices = RouteSlices::new(&given.slices);
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
    let services = given.services.iter();
    let not_proxied = services
        .clone()
        .filter_map(|service| NamedService::unless_served(service, family, READER));
    let unread = services.flat_map(|service| unread(service, slices.of(service), READER));
    RouteAnswer {
        node: place.node.to_string(),
        zone: place.zone.to_string(),
        address_type: family,
        not_proxied: not_proxied.collect(),
        routes: routes.into_iter().collect(),
        unread: unread.collect(),
        warnings: of_traffic(
            &given.services,
            &given.slices,
            given.without_nodes.as_deref(),
            &given.received,
        ),
    }
}
