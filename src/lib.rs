//! `slicewise` decides which EndpointSlices a Kubernetes Service should have: JSON in, plan out.
//!
//! ```
//! let request = br#"{
//!     "service": {
//!         "metadata": {"namespace": "shop", "name": "cart", "uid": "s1"},
//!         "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80, "targetPort": 8080}]}
//!     },
//!     "pods": [{
//!         "metadata": {"namespace": "shop", "name": "cart-1", "uid": "p1", "labels": {"app": "cart"}},
//!         "spec": {"nodeName": "n1"},
//!         "status": {"podIPs": [{"ip": "10.1.0.7"}], "conditions": [{"type": "Ready", "status": "True"}]}
//!     }],
//!     "nodes": [{"metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}}}],
//!     "slices": []
//! }"#;
//!
//! let plan = slicewise::api::plan(request)?;
//!
//! let plan: serde_json::Value = serde_json::from_slice(&plan)?;
//! let slice = &plan["create"][0]; // ready to be sent to an API server
//! assert_eq!(slice["metadata"]["generateName"], "cart-");
//! assert_eq!(slice["ports"][0]["port"], 8080);
//! assert_eq!(slice["endpoints"][0]["addresses"][0], "10.1.0.7");
//! assert_eq!(slice["endpoints"][0]["zone"], "a");
//! assert_eq!(slice["endpoints"][0]["conditions"]["ready"], true);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pods, nodes, a Service and its current slices go in; a deterministic plan comes out: slices to create, update and
//! delete, their hints, the events to publish, and the reasons. This crate decides the same as the Go reference
//! (`k8s.io/endpointslice`, Kubernetes v1.37, or v1.38 if the options say so), or lists the deviation in `docs/deviations.md`. With types of
//! `k8s_openapi` instead of JSON, use `slicewise::k8s`; to plan repeatedly, keep a session of `slicewise-live`.
//!
//! # The map
//!
//! Data flows down the page; imports only point up.
//!
//! ```text
//! JSON ─▶ model ─▶ membership · tracker · topology · traffic_distribution ─▶ reconcile ─▶ plan ─▶ JSON
//!      api, k8s                                                                               api, k8s
//! ```
//!
//! | Layer | Modules | What they do |
//! |---|---|---|
//! | 0 | [`error`], [`model`], [`kubernetes`] | values in the shape of Kubernetes JSON; the one error of the edges; how versions of Kubernetes differ |
//! | 1 | [`membership`], [`tracker`], [`topology`], [`traffic_distribution`] | selectors; what we remember of our writes and of time; zone hints; traffic distribution |
//! | 2 | [`reconcile`] | `reconcile(input, desired) -> outcome`: the decision itself, pure |
//! | 3 | [`plan`] | the outcome as whole objects in a stated order; applying it through any client |
//! | 4 | [`diff`] | slices before and after: what differs for those who route by them |
//! | 5 | [`api`] | JSON façade on bytes: limits, positions, typed errors |
//! | 6 | `k8s`, `wasm`, `schema` | doors, each with its feature |
//!
//! # The crates around it
//!
//! Each answers one question with the plans of this crate. The libraries do no I/O either; the programs are the I/O
//! around them.
//!
//! | Crate | The question it answers |
//! |---|---|
//! | `slicewise-json` | What does this JSON say, to the letter? The only one below this crate; knows nothing of Kubernetes |
//! | `slicewise-sources` | Which slices come from something other than pods: mirrored Endpoints, the API servers' own Service? |
//! | `slicewise-live` | What is due now that the cluster has changed? Sessions, the controller's loop, its metrics, `slicewise watch` |
//! | `slicewise-traffic` | Who serves whom? What kube-proxy and other readers make of slices |
//! | `slicewise-diagnosis` | Why is it so, and what would help? Explanations, a Service at a glance, plans as reports and scripts |
//! | `slicewise-simulation` | What would it cost? Scenarios in virtual time around the controller |
//! | `slicewise-admission` | May this change be made? Policies and rules in CEL, on admission reviews |
//! | `slicewise-lint` | Could this webhook configuration deadlock a cluster? |
//! | `slicewise-yaml` | What does this YAML say, to `kubectl`? |
//! | `slicewise-cluster`, `slicewise-controller`, `slicewise-cli` | How does it run against a real cluster? Connections; the controller; the command |
//!
//! # Invariants
//!
//! * Nothing in the libraries does I/O, reads a clock, makes up names or depends on hash order. Time, names and settings
//!   come in as values, so equal input gives equal bytes on every platform.
//! * The core cannot fail: once input has been read, planning always gives a plan. A pod whose node is unknown is
//!   left out, reported, and the Service marked for retry.
//! * The order of the input does not matter. Every choice among equals is by name or address.
//! * Bad input is one [`Error`] with a code, a JSON pointer and a position, never a panic.
//! * State that outlives a call lives in [`tracker`], and outside this crate in what `slicewise-live` keeps of a cluster,
//!   in `slicewise_traffic::proxy` and in a reviewer of `slicewise-admission`; what decisions depend on travels as data.
//!
//! `docs/glossary.md` defines the words; `CONTRIBUTING.md` names the file behind each decision.
//!
//! # From the reference's names to ours
//!
//! | Go | here |
//! |---|---|
//! | `Reconciler.Reconcile` | [`reconcile::reconcile`] |
//! | `reconcileByAddressType`, `reconcileByPortMapping` | `reconcile::by_address_type`, `reconcile::by_port_map` |
//! | `Reconciler.finalize` | [`plan::plan`] builds, [`plan::writing`] orders the writes |
//! | `EndpointSet`, `hashEndpoint` | [`model::endpoint_set`] |
//! | `PortMapKey` | [`model::PortMapKey`] |
//! | `TopologyCache` | [`topology::cache`], [`topology::nodes`] |
//! | `trafficdist.ReconcileHints` | [`traffic_distribution`] |
//! | `GetPodUpdateProjectionKey`, `GetServicesToUpdate` | [`membership::change`], [`membership::index`] |
//! | `EndpointSliceTracker`, `TriggerTimeTracker` | [`tracker`] |
//! | `RepackSubsets` | [`model::endpoints::repack_subsets`] |
//! | `endpointslicemirroring` | `slicewise_sources::mirroring` |
//! | `EndpointsAdapter`, `leaseEndpointReconciler`, `masterCountEndpointReconciler` | `slicewise_sources::kubernetes_service` |
//! | `endpointslice.Controller` | `slicewise_live::controller` |
//! | client-go's `workqueue` | `slicewise_live::controller::queue` |
//! | `metrics.Cache`, `ServicePortCache`, `EfficiencyInfo` | `slicewise_live::metrics`, [`reconcile::Efficiency`] |
//! | `EndpointSliceCache`, `EndpointsChangeTracker`, `ServiceChangeTracker`, `EndpointsMap` | `slicewise_traffic::proxy::Proxier` |
//! | `CategorizeEndpoints`, `CleanStaleEntries` | `slicewise_traffic::proxy::categorize`, `slicewise_traffic::proxy::Frontends` |

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod error;
pub mod kubernetes;
pub mod model;
#[doc(hidden)]
pub mod words;

pub mod membership;
pub mod topology;
pub mod tracker;
pub mod traffic_distribution;

pub mod reconcile;

pub mod plan;

pub mod diff;

pub mod api;

#[cfg(feature = "k8s-openapi")]
pub mod k8s;

pub use error::{Code, Error, Mistake};
#[doc(hidden)]
pub use slicewise_json as json;

/// Is this the main module of the npm package? To stay small, it has a single packing and no patches, and does not apply
/// watch events among the objects of an input.
const IS_SMALL: bool = cfg!(all(feature = "wasm-small", target_family = "wasm"));

#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "wasm")]
#[doc(hidden)]
pub mod wasm;
