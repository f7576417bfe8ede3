//! Zone hints for `service.kubernetes.io/topology-mode: Auto` (KEP-2433).
//!
//! The nodes determine how CPU is distributed over zones; ready endpoints are allocated to zones in that proportion,
//! within an overload threshold of 20 %, or not at all. Reference: `k8s.io/endpointslice/topologycache`.

pub mod allocation;
pub mod cache;
#[doc(hidden)]
pub mod counts;
pub mod events;
pub mod nodes;
pub(crate) mod redistribute;
