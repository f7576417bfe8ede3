//! Why EndpointSlices are as they are, in words that people can act on.
//!
//! [`explain`](explain()) tells why a pod gets no traffic, why there are no zone hints and why a slice is written, each
//! with the changes that would help; [`plan`] adds that to a plan. [`glance`](glance()) views one Service: the
//! arithmetic of hints, and which counts of endpoints get them. [`exported`] writes plans as data, patches, a script or
//! a report, and [`edit`] changes an input by hand. [`upgrade`](upgrade()) compares two versions of Kubernetes. Objects of `k8s_openapi` are explained by [`k8s::Objects`].
//!
//! ```
//! let request = br#"{
//!     "service": {
//!         "metadata": {"namespace": "shop", "name": "cart"},
//!         "spec": {"selector": {"app": "crat"}, "ports": [{"port": 80}]}
//!     },
//!     "pods": [{
//!         "metadata": {"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}},
//!         "spec": {"nodeName": "n-1"}
//!     }]
//! }"#;
//! let question = slicewise_diagnosis::Question::default();
//! let explained = slicewise_diagnosis::explained(request, &question, slicewise::api::Limits::default())?;
//! let verdict = &explained.services[0].verdict;
//! assert!(verdict.text.contains("selector"), "{verdict:?}");
//! # Ok::<(), slicewise::Error>(())
//! ```
//!
//! No rule is implemented a second time here: every reason and figure comes from the functions that decide, which are
//! called again, and every change is tried on the same input before it is suggested.

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod edited;
pub mod explain;
pub mod glance;
pub mod json;
pub mod k8s;
mod report;
pub mod upgrade;
#[cfg(feature = "wasm")]
pub mod wasm;

pub use json::{
    DetailsStream, EditQuestion, Explained, ExportQuestion, GlanceQuestion, InTurn, Question,
    ServiceExplained, SnapshotStream, StreamedDetails, StreamedSnapshot, TextForm, UpgradeQuestion,
    Workers, edit, explain, explained, exported, glance, legend, look, plan, plan_snapshot,
    upgrade, with_plan, with_snapshot_plans, with_upgrade,
};

mod schema;
pub use schema::schemas;
