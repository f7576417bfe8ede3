//! Endpoints as a proxy sees them.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use slicewise::model::order::sorted_unique;
use slicewise::model::{EndpointHints, NameRef, NamespacedName};

use super::host::Host;

/// Identifies one port of a Service (reference: `ServicePortName`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "it identifies a port")]
pub struct ServicePortName {
    /// The Service.
    pub service: NamespacedName,
    /// The port's name; may be empty if the Service has a single port.
    pub port: String,
    /// `TCP`, `UDP` or `SCTP`, or any other value of the field.
    pub protocol: String,
}

/// `namespace/name:port/PROTOCOL`; without `:port` if the port has no name.
impl fmt::Display for ServicePortName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.port.is_empty() { "" } else { ":" };
        let (service, port, protocol) = (&self.service, &self.port, &self.protocol);
        write!(formatter, "{service}{separator}{port}/{protocol}")
    }
}

/// The protocol whose flows continue after their endpoint is gone.
pub(crate) const UDP: &str = "UDP";

/// The zones and nodes that should use an endpoint, sorted and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct HintTargets {
    /// Zones.
    pub zones: Box<[Box<str>]>,
    /// Nodes.
    pub nodes: Box<[Box<str>]>,
}

impl HintTargets {
    /// The hints of an endpoint; hints for nodes only if they are used.
    pub(super) fn read(hints: &EndpointHints<'_>, with_nodes: bool) -> Self {
        let names = |names: &[NameRef<'_>]| -> Box<[Box<str>]> {
            let names: Vec<Box<str>> = names.iter().map(|name| name.name.as_str().into()).collect();
            sorted_unique(names).into()
        };
        Self {
            zones: names(&hints.for_zones),
            nodes: if with_nodes {
                names(&hints.for_nodes)
            } else {
                Box::default()
            },
        }
    }

    /// Do these equal the hints of an endpoint, if those are sorted and without duplicates, as nearly all are?
    pub(super) fn are(&self, hints: &EndpointHints<'_>, with_nodes: bool) -> bool {
        let are = |known: &[Box<str>], names: &[NameRef<'_>]| {
            let mut pairs = known.iter().zip(names);
            known.len() == names.len() && pairs.all(|(known, name)| **known == *name.name)
        };
        let nodes: &[NameRef<'_>] = if with_nodes { &hints.for_nodes } else { &[] };
        are(&self.zones, &hints.for_zones) && are(&self.nodes, nodes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.zones.is_empty() && self.nodes.is_empty()
    }
}

/// The conditions of an endpoint, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ConditionBits(u8);

impl ConditionBits {
    const READY: u8 = 1;
    const SERVING: u8 = 2;
    const TERMINATING: u8 = 4;
    const LOCAL: u8 = 8;

    pub(super) fn new(ready: bool, serving: bool, terminating: bool, local: bool) -> Self {
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        Self(
            bit(ready, Self::READY)
                | bit(serving, Self::SERVING)
                | bit(terminating, Self::TERMINATING)
                | bit(local, Self::LOCAL),
        )
    }

    const fn with_local(self, is_local: bool) -> Self {
        let others = self.0 & !Self::LOCAL;
        Self(if is_local {
            others | Self::LOCAL
        } else {
            others
        })
    }

    pub(super) const fn is_serving(self) -> bool {
        self.0 & Self::SERVING != 0
    }

    pub(super) const fn is_terminating(self) -> bool {
        self.0 & Self::TERMINATING != 0
    }
}

/// One endpoint of a service port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortEndpoint<'p> {
    pub(super) host: Host,
    pub(super) port: i32,
    pub(super) state: ConditionBits,
    pub(super) hints: Option<&'p HintTargets>,
}

impl<'p> PortEndpoint<'p> {
    /// This endpoint from the point of view of a proxy on its node or elsewhere.
    #[must_use]
    pub(crate) const fn seen_from(mut self, own_node: bool) -> Self {
        self.state = self.state.with_local(own_node);
        self
    }

    /// Its address.
    pub const fn host(&self) -> Host {
        self.host
    }

    /// Its port.
    pub const fn port(&self) -> i32 {
        self.port
    }

    /// Should it get new traffic? True if the condition is absent.
    pub const fn is_ready(&self) -> bool {
        self.state.0 & ConditionBits::READY != 0
    }

    /// Does it serve, whether terminating or not? True if the condition is absent.
    pub const fn is_serving(&self) -> bool {
        self.state.is_serving()
    }

    /// Is it being deleted?
    pub const fn is_terminating(&self) -> bool {
        self.state.is_terminating()
    }

    /// Is it on the proxy's own node?
    pub const fn is_local(&self) -> bool {
        self.state.0 & ConditionBits::LOCAL != 0
    }

    /// Zones that should use it, sorted.
    pub fn zone_hints(&self) -> &'p [Box<str>] {
        self.hints.map_or(&[], |hints| &hints.zones)
    }

    /// Orders endpoints by name.
    pub fn by_name(one: &Self, other: &Self) -> Ordering {
        let by_host = one.host.cmp(&other.host);
        by_host.then_with(|| by_text(one.port, other.port))
    }

    /// Nodes that should use it, sorted.
    pub fn node_hints(&self) -> &'p [Box<str>] {
        self.hints.map_or(&[], |hints| &hints.nodes)
    }
}

/// `10.0.0.1:8080` or `[fd00::1]:8080`; this text identifies endpoints and determines their order.
impl fmt::Display for PortEndpoint<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

/// Orders the ports in endpoint names.
pub(super) fn by_text(one: i32, other: i32) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    one.to_string().cmp(&other.to_string())
}

/// An endpoint of a service port.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServiceEndpoint {
    /// The service port.
    pub service_port: ServicePortName,
    /// The endpoint's address.
    pub host: Host,
    /// The endpoint's port.
    pub port: i32,
}

impl ServiceEndpoint {
    /// The endpoint's name.
    pub fn endpoint(&self) -> String {
        alloc::format!("{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_ordered_as_texts() {
        let mut ports = [9, 80, 8080, 443, 80];
        ports.sort_by(|one, other| by_text(*one, *other));
        assert_eq!(ports, [443, 80, 80, 8080, 9]);
        let endpoint = PortEndpoint {
            host: Host::read("10.0.0.1"),
            port: 443,
            state: ConditionBits::default(),
            hints: None,
        };
        assert_eq!(endpoint.port(), 443);
    }
}
