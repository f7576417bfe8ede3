//! Who serves whom: how much of a Service's traffic each endpoint gets, from where, and who decides so.
//!
//! Slices only hint; their readers decide. [`matrix()`] takes one of the [readers](Reader) and gives the traffic of a
//! Service port: the endpoints that nodes use, zone by zone the shares, and how far each endpoint is from its fair
//! share. All clients weigh the same unless told otherwise, and each spreads its requests evenly over the endpoints it
//! uses.

mod choice;
mod group;
mod matrix;
#[cfg(test)]
mod tests;
mod unread;
mod words;

use core::str::FromStr;

use serde::Serialize;

pub use group::{Budget, NodeGroup, TooMuch};
pub use matrix::{EndpointLoad, PortTraffic, ZoneShare, ZoneTraffic, matrix, matrix_within};
pub use unread::{NotProxied, NotServed, Unread, UnreadRule, not_served, unread};
pub use words::{ASSUMPTION, WEIGHED};

use crate::model::{AddressType, EndpointSlice};
use crate::proxy;
use crate::reconcile::Settings;

/// Who reads the slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Reader {
    /// kube-proxy, Kubernetes v1.37 ([`proxy::categorize`]).
    #[default]
    KubeProxy,
    /// Cilium v1.20 in place of kube-proxy, with `--enable-service-topology`; without that flag, which is its default, it
    /// uses all endpoints (`pkg/loadbalancer/writer`, `DefaultSelectBackends`). Of hints it reads those for zones, and
    /// only if the Service asks for them; the same node it finds by the endpoints' `nodeName`. Of what that leaves, those
    /// that terminate and still answer are used if none is ready (its pull requests 39743 and 40279).
    Cilium,
    /// Istio's ztunnel: no hints are read; `internalTrafficPolicy`, `trafficDistribution` and the endpoints' own zones and
    /// nodes decide (Istio's `pilot/pkg/serviceregistry/kube/controller/ambient/services.go`, `constructService`, and
    /// ztunnel's `src/state.rs`, `load_balance`).
    Istio,
    /// Linkerd's destination controller: `internalTrafficPolicy`, then hints for zones, whatever else the Service asks for
    /// (`controller/api/destination/endpoint_translator_filters.go`, `filterAddresses`).
    Linkerd,
    /// Envoy Gateway v1.9: no hints are read; `trafficDistribution` or the topology mode `Auto` make Envoy stay in its zone
    /// where that has enough endpoints (`internal/gatewayapi`, `processPreferLocalZone`).
    EnvoyGateway,
}

impl Reader {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::KubeProxy,
        Self::Cilium,
        Self::Istio,
        Self::Linkerd,
        Self::EnvoyGateway,
    ];

    /// Its name in requests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KubeProxy => "kube-proxy",
            Self::Cilium => "cilium",
            Self::Istio => "istio",
            Self::Linkerd => "linkerd",
            Self::EnvoyGateway => "envoy-gateway",
        }
    }
}

/// There is no reader of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownReader;

impl FromStr for Reader {
    type Err = UnknownReader;

    fn from_str(name: &str) -> Result<Self, UnknownReader> {
        let mut all = Self::ALL.into_iter();
        all.find(|reader| reader.name() == name)
            .ok_or(UnknownReader)
    }
}

/// Where traffic comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Client<'n> {
    /// The node.
    pub node: &'n str,
    /// Its zone; empty for none.
    pub zone: &'n str,
    /// How much of the traffic comes from there, next to the other clients'; not below 0.
    pub weight: f64,
}

impl<'n> Client<'n> {
    /// A node that sends as much as the others.
    pub const fn new(node: &'n str, zone: &'n str) -> Self {
        Self {
            node,
            zone,
            weight: 1.0,
        }
    }
}

/// What the traffic of a Service depends on.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Situation<'s> {
    /// The Service.
    pub service: &'s proxy::Service<'s>,
    /// The Service's slices; others are ignored, at the cost of looking at them.
    pub slices: &'s [&'s EndpointSlice<'s>],
    /// The family the traffic is in.
    pub address_type: AddressType,
    /// Who reads.
    pub reader: Reader,
    /// Does kube-proxy look at hints for nodes (feature gate `PreferSameTrafficDistribution`)?
    pub with_node_hints: bool,
}

impl<'s> Situation<'s> {
    /// As kube-proxy reads it, whose feature gates are those of the controller.
    pub const fn of_kube_proxy(
        service: &'s proxy::Service<'s>,
        slices: &'s [&'s EndpointSlice<'s>],
        address_type: AddressType,
        settings: &Settings<'_>,
    ) -> Self {
        Self {
            service,
            slices,
            address_type,
            reader: Reader::KubeProxy,
            with_node_hints: settings.prefer_same_traffic_distribution,
        }
    }
}

/// One endpoint of a port, and where it is.
#[derive(Clone, Copy)]
struct Backend<'s> {
    endpoint: proxy::Endpoint<'s>,
    node: &'s str,
    zone: &'s str,
}
