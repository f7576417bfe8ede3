//! The reader's side: what one node's kube-proxy derives from Services and their EndpointSlices.
//!
//! [`Proxier`] takes objects from watches and returns on request what has changed, the endpoints of each service port,
//! and which of them this node uses. Nothing is programmed into a kernel. Slices are merged without reading a Service
//! again: the cost of an update depends on its slice. Reference: `k8s.io/kubernetes/pkg/proxy`, Kubernetes v1.37.

pub(crate) mod category;
pub(crate) mod conntrack;
pub(crate) mod endpoint;
mod fingerprint;
#[cfg(doctest)]
pub mod guide;
pub(crate) mod host;
mod merged;
mod pending;
pub(crate) mod proxier;
pub(crate) mod selection;
pub mod service;
pub(crate) mod service_port;
mod services;
mod slice;
mod slices;
mod source_ranges;
mod tracker;

pub use category::{Categories, HintRule, PolicyRule, ProxyLocation, Topology, Why, categorize};
pub use conntrack::{ConntrackEntry, Frontends, Tuple};
pub use endpoint::{HintTargets, PortEndpoint, ServiceEndpoint, ServicePortName};
pub use host::Host;
pub use proxier::{Proxier, ProxierSettings, Update};
pub use selection::{is_marked_headless, other_proxy};
pub use service::ProxiedService;
pub use service_port::ServicePortInfo;
pub(crate) use slice::chosen;
