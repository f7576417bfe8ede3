//! A cluster, followed through watch events: plans at the cost of what changed, the controller's loop, and its metrics.
//!
//! [`session::Session`] takes objects as watches deliver them, and plans a Service as a new request over the same
//! objects would; [`controller::Controller`] decides when to plan which, and what a refused write means;
//! [`metrics::Metrics`] counts both; [`watching::Watching`] says how each Service's traffic changes. [`json`] is the
//! same as JSON, on bytes. With types of `k8s_openapi` instead of JSON, use `k8s`.
//!
//! ```
//! use slicewise::api::Limits;
//! use slicewise_live::json::Session;
//!
//! let mut session = Session::new(b"")?;
//! let events = br#"
//! {"type": "ADDED", "object": {"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "cart", "uid": "s1"}, "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80}]}}}
//! {"type": "ADDED", "object": {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}}
//! "#;
//! session.apply(events, Limits::default())?;
//! let plan: serde_json::Value = serde_json::from_slice(&session.sync("shop/cart")?)?;
//! assert_eq!(plan["create"][0]["metadata"]["generateName"], "cart-");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Layer | Modules | What they do |
//! |---|---|---|
//! | 0 | [`session`], [`metrics`] | a cluster as last seen, planned at the cost of what changed; counts and gauges from plans and their writes |
//! | 0 | [`api_server`] | the part of an API server that a controller of slices uses, in memory |
//! | 1 | [`controller`] | events and the time in, plans and retries out: the controller's loop, without I/O |
//! | 1 | [`watching`] | events and the time in, changes of traffic out: what `slicewise watch` tells |
//! | 2 | [`json`] | JSON façade on bytes: watch events and lists, sessions, and the controller as a stream of lines |
//! | 3 | `wasm`, `k8s` | doors |
//!
//! Nothing here does I/O or reads a clock; state that outlives a call lives in sessions, metrics, controllers and
//! watched clusters.

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod api_server;
pub mod metrics;
pub mod session;

pub mod controller;
pub mod watching;

pub mod json;

#[cfg(feature = "k8s-openapi")]
pub mod k8s;
#[cfg(feature = "wasm")]
pub mod wasm;

mod schema;
pub use schema::schemas;
