//! The interface for Rust: plans from and to `k8s_openapi` types.
//!
//! ```text
//! k8s_openapi objects ─▶ Planner::read ─▶ View ─▶ Plan ─▶ change, veto ─▶ Plan::apply, or Plan::writing step by step
//! events of watches ───▶ Session ──────────────────┘
//! ```
//!
//! Objects are borrowed, not copied: [`Planner`] reads them as the slim [`crate::model`], decides like every other
//! interface, and returns an owned [`Plan`] of `k8s_openapi` EndpointSlices. Metadata of an existing slice that this
//! version does not know survives an update, because updates start from the given slice.
//!
//! Nothing here does I/O. Writes go through a [`Writer`] that the caller provides, or the caller drives them, as async
//! clients do ([`Writing`]). Conversions are `From` if they cannot fail and `TryFrom` with [`crate::Error`] if they
//! can.
//!
//! ```
//! use k8s_openapi::api::core::v1::{Node, Pod, Service};
//! use slicewise::k8s::{Options, Planner, State};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service: Service = serde_json::from_str(r#"{
//!     "metadata": {"namespace": "shop", "name": "cart", "uid": "s-1"},
//!     "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80, "targetPort": 8080}]}
//! }"#)?;
//! let pod: Pod = serde_json::from_str(r#"{
//!     "metadata": {"namespace": "shop", "name": "cart-1", "uid": "p-1", "labels": {"app": "cart"}},
//!     "spec": {"nodeName": "n-1", "containers": []},
//!     "status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]}
//! }"#)?;
//! let node: Node = serde_json::from_str(r#"{"metadata": {"name": "n-1"}}"#)?;
//!
//! let planner = Planner::new(Options::default())?;
//! let plan = planner.plan(&service, [&pod], [&node], [], None, State::default())?;
//!
//! assert_eq!(plan.create.len(), 1);
//! assert_eq!(plan.create[0].metadata.generate_name.as_deref(), Some("cart-"));
//! # Ok(())
//! # }
//! ```

#[cfg(any(doc, doctest))]
pub mod guide;

mod apply;
mod endpoints;
mod originals;
mod plan;
mod planner;
#[doc(hidden)]
pub mod read;
mod slice;
mod writing;

pub use apply::{Applied, ApplyError, Writer, is_namespace_terminating};
pub use endpoints::ExtraEndpoint;
pub use plan::Plan;
pub use planner::{Planner, View, read_nodes};
pub use slice::metadata_of;
pub use writing::{Answer, Operation, Writing};

pub use crate::model::Timestamp;
pub use crate::plan::State;
pub use crate::plan::request::Options;
pub use crate::reconcile::packing::Packing;
pub use crate::reconcile::{EndpointsPerSlice, ManagedBy};
pub use crate::topology::nodes::NodeIndex;
