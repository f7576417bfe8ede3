//! Values in the shape of Kubernetes JSON. No policy; unknown fields are kept in objects that are written back.
//!
//! Pods, Nodes and Services are *slim*: only what decisions need is read, borrowed from the input; the rest is skipped
//! without being stored. EndpointSlices are read in full, because they are written back in full. `null` always counts
//! as absent, as Go writes it for empty lists.

mod cidr;
pub mod conditions;
#[cfg(feature = "schema")]
#[doc(hidden)]
#[allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "the macros that declare objects name them in other crates"
)]
pub mod describe;
#[doc(hidden)]
pub mod dns;
#[doc(hidden)]
pub mod duration;
pub mod endpoint_set;
pub mod endpoint_slice;
pub mod endpoints;
pub mod families;
pub(crate) mod few;
pub(crate) mod fields;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod ip;
pub mod keys;
pub mod kind;
pub mod meta;
pub mod named;
pub mod node;
#[doc(hidden)]
pub mod object;
#[doc(hidden)]
pub mod of_pod;
#[doc(hidden)]
pub mod order;
#[doc(hidden)]
pub mod own;
pub mod pod;
pub(crate) mod pod_facts;
#[doc(hidden)]
pub mod pod_template;
pub(crate) mod port_map;
#[doc(hidden)]
pub mod prefetch;
pub(crate) mod quantity;
#[doc(hidden)]
pub mod read;
pub mod service;
#[doc(hidden)]
pub mod shell;
#[doc(hidden)]
pub mod slice_names;
pub mod text;
#[doc(hidden)]
pub mod time;
pub mod unknown;

pub use cidr::Cidr;
pub use endpoint_slice::{
    AddressType, Endpoint, EndpointConditions, EndpointHints, EndpointPort, EndpointSlice,
    EndpointState, NameRef, StateWords,
};
pub use endpoints::Endpoints;
pub use families::{ByFamily, Families};
pub use few::Few;
pub use meta::{ObjectMeta, ObjectReference, OwnerReference};
pub use named::{Named, NamespacedName};
pub use node::Node;
pub use order::SortedMap;
pub use pod::Pod;
pub use pod_facts::PodFacts;
pub use port_map::PortMapKey;
pub use quantity::Quantity;
pub use service::{CheckedPort, Service, ServicePort, TargetPort};
pub use text::{StringMap, Text};
pub use time::Timestamp;
