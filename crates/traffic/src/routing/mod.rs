//! How traffic is routed: how much of a Service's traffic each endpoint gets, from where, and by which rule.
//!
//! Slices only carry hints; consumers decide. [`matrix()`] takes one of the [readers](SliceReader) and returns the traffic
//! of a Service port: the endpoints that nodes use, the shares by zone, and how far each endpoint is from its fair
//! share. All clients weigh the same unless specified otherwise, and each spreads its requests evenly over the
//! endpoints it uses.

mod choice;
pub(crate) mod clients;
mod group;
mod matrix;
#[cfg(test)]
mod tests;
mod unread;
mod words;

use core::str::FromStr;

use serde::Serialize;

pub use clients::{ClientSelector, named_nodes, node_clients};
pub use group::{Budget, NodeGroup, TooMuch};
pub use matrix::{EndpointLoad, PortTraffic, ZoneTraffic, ZoneTrafficShare, matrix, matrix_within};
pub use unread::{NotProxied, NotServed, UnreadRule, UnreadSlice, not_served, unread};
pub use words::{ASSUMPTION, OF_CPU, OF_PODS, OF_SLICES, WEIGHED};

use slicewise::model::{AddressType, EndpointSlice};
use slicewise::reconcile::Settings;

use crate::proxy;

/// The consumer of the slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
#[schemars(rename = "Reader")]
pub enum SliceReader {
    /// kube-proxy of Kubernetes v1.37.
    #[default]
    KubeProxy,
    /// Cilium v1.20 in place of kube-proxy, with `--enable-service-topology`; without that flag, which is off by
    /// default, it uses all endpoints (`pkg/loadbalancer/writer`, `DefaultSelectBackends`). It only reads hints for
    /// zones, and only if the Service requests them; it finds endpoints on the same node by their `nodeName`. Only ready
    /// endpoints decide between near and all. If none of the remaining endpoints is ready, those that are terminating and still serving are used (its pull requests
    /// 39743 and 40279).
    Cilium,
    /// Istio with sidecars. It reads no hints; `internalTrafficPolicy`, `trafficDistribution` and the zones and nodes of
    /// the endpoints' pods decide (`pilot/pkg/xds/endpoints`, `filterIstioEndpoint`, and
    /// `pilot/pkg/networking/core/loadbalancer`, `GetEffectiveLbSetting`). Its ztunnel was only read: it ranks endpoints
    /// in the same way (`pilot/pkg/serviceregistry/kube/controller/ambient/services.go`, `constructService`, and
    /// ztunnel's `src/state.rs`, `load_balance`).
    Istio,
    /// Linkerd's destination controller. `internalTrafficPolicy` decides, then hints for zones, whatever else the
    /// Service requests (`controller/api/destination/endpoint_translator_filters.go`, `filterAddresses`).
    Linkerd,
    /// Envoy Gateway v1.9. It reads no hints; `trafficDistribution` or the topology mode `Auto` keep the traffic of an
    /// Envoy in its zone if the zone has enough endpoints (`internal/gatewayapi`, `processPreferLocalZone`).
    EnvoyGateway,
}

impl SliceReader {
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

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::KubeProxy => "kube-proxy",
            Self::Cilium => "Cilium, with topology",
            Self::Istio => "Istio",
            Self::Linkerd => "Linkerd",
            Self::EnvoyGateway => "Envoy Gateway",
        }
    }

    /// What its rules here rest on.
    pub const fn basis(self) -> ReaderBasis {
        match self {
            Self::KubeProxy | Self::Cilium | Self::Istio => ReaderBasis::Compared,
            Self::Linkerd | Self::EnvoyGateway => ReaderBasis::Documentation,
        }
    }
}

/// What the rules for a reader rest on. `docs/consumers.md` has the versions and the differences that remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReaderBasis {
    /// On what its own code answers to the vectors in `conformance/`.
    Compared,
    /// On its documentation and source: it was read, not run.
    Documentation,
}

/// No reader has that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownReader;

impl FromStr for SliceReader {
    type Err = UnknownReader;

    fn from_str(name: &str) -> Result<Self, UnknownReader> {
        let mut all = Self::ALL.into_iter();
        all.find(|reader| reader.name() == name)
            .ok_or(UnknownReader)
    }
}

/// A source of traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Client<'n> {
    /// The node.
    pub node: &'n str,
    /// Its zone; empty if it has none.
    pub zone: &'n str,
    /// The share of the traffic from there, relative to other clients; not negative.
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
    pub service: &'s proxy::ProxiedService<'s>,
    /// The Service's slices; others are ignored, but cost time.
    pub slices: &'s [&'s EndpointSlice<'s>],
    /// The family of the traffic.
    pub address_type: AddressType,
    /// The reader.
    pub reader: SliceReader,
    /// Does kube-proxy use hints for nodes (feature gate `PreferSameTrafficDistribution`)?
    pub with_node_hints: bool,
}

impl<'s> Situation<'s> {
    /// The situation for kube-proxy, whose feature gates are those of the controller.
    pub const fn of_kube_proxy(
        service: &'s proxy::ProxiedService<'s>,
        slices: &'s [&'s EndpointSlice<'s>],
        address_type: AddressType,
        settings: &Settings<'_>,
    ) -> Self {
        Self {
            service,
            slices,
            address_type,
            reader: SliceReader::KubeProxy,
            with_node_hints: settings.prefer_same_traffic_distribution,
        }
    }
}

/// One endpoint of a port, and where it is.
#[derive(Clone, Copy)]
struct Backend<'s> {
    endpoint: proxy::PortEndpoint<'s>,
    node: &'s str,
    zone: &'s str,
}
