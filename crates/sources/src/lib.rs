//! EndpointSlices that no pods stand behind: those mirrored from Endpoints, and that of the API servers' own Service.
//!
//! [`mirror`](mirror()) and [`kubernetes_service`](kubernetes_service()) plan on JSON, [`mirroring::mirror`] and
//! [`kubernetes_service::plan`] on values. A whole cluster is planned by [`mirror_snapshot`], or as its bytes arrive by
//! a [`MirrorStream`].
//!
//! ```
//! let request = br#"{
//!     "service": {"metadata": {"namespace": "shop", "name": "cart"}, "spec": {}},
//!     "endpoints": {
//!         "metadata": {"namespace": "shop", "name": "cart"},
//!         "subsets": [{"addresses": [{"ip": "192.0.2.7"}], "ports": [{"port": 80}]}]
//!     },
//!     "slices": []
//! }"#;
//!
//! let plan = slicewise_sources::mirror(request)?;
//!
//! let plan: serde_json::Value = serde_json::from_slice(&plan)?;
//! assert_eq!(plan["create"][0]["endpoints"][0]["addresses"][0], "192.0.2.7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[doc(hidden)]
pub mod json;
pub mod kubernetes_service;
pub mod mirroring;

pub use json::{
    MirrorObjects, MirrorPlans, MirrorStream, kubernetes_service, mirror, mirror_snapshot,
    with_kubernetes_service, with_mirror_plan, with_mirror_plans,
};

mod schema;
pub use schema::schemas;
