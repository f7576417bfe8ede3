//! The reader's side: what those who route by EndpointSlices make of them.
//!
//! [`proxy`] is one node's kube-proxy, fed with watch events; [`routing`] says how much of a Service's traffic each
//! endpoint gets, from where, and by which rule, for several readers. [`route`] and [`traffic`] answer single questions
//! on JSON, a [`ProxyStream`] takes events line by line.
//!
//! ```
//! let request = br#"{
//!     "service": {
//!         "metadata": {"namespace": "shop", "name": "cart"},
//!         "spec": {"clusterIP": "10.96.0.1", "ports": [{"name": "http", "port": 80, "protocol": "TCP"}]}
//!     },
//!     "slices": [{
//!         "metadata": {"namespace": "shop", "name": "cart-a", "labels": {"kubernetes.io/service-name": "cart"}},
//!         "addressType": "IPv4",
//!         "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
//!         "endpoints": [{"addresses": ["10.0.0.1"]}]
//!     }],
//!     "node": {"metadata": {"name": "n1"}}
//! }"#;
//!
//! let route = slicewise_traffic::route(request)?;
//!
//! assert!(String::from_utf8(route)?.contains("10.0.0.1:8080"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[doc(hidden)]
pub mod json;
pub mod proxy;
pub mod routing;
#[cfg(feature = "wasm")]
pub mod wasm;

pub use json::{
    AppliedRule, ClientWeight, NamedService, ProxySettings, ProxyStream, Route, RouteAnswer,
    RouteNode, RouteOptions, RouteRequest, Rule, ServiceRoute, TrafficAnswer, TrafficNode,
    TrafficObjects, TrafficOptions, TrafficRequest, TrafficStream, route, traffic, with_route,
    with_traffic,
};

mod schema;
pub use schema::schemas;
