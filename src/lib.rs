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
//! (`k8s.io/endpointslice`, Kubernetes v1.37), or lists the deviation in `docs/deviations.md`. With types of
//! `k8s_openapi` instead of JSON, use `slicewise::k8s`; to plan repeatedly, keep a session of `slicewise-live`.
//!
//! # The map
//!
//! Data flows down the page; imports only point up.
//!
//! ```text
//! JSON ─▶ model ─▶ membership · tracker · topology · traffic ─▶ reconcile ─▶ plan ─▶ JSON     (api and wasm are the edges)
//!                                                                            │ ▲
//!                                                events ─▶ session ──────────┘ │ results       (`slicewise-live`: what is kept from plan to plan)
//!                                              controller · watching ────────────┘
//! ```
//!
//! | Layer | Modules | What they do |
//! |---|---|---|
//! | 0 | [`error`], [`model`] | values in the shape of Kubernetes JSON; the one error of the edges |
//! | 1 | [`membership`], [`tracker`], [`topology`], [`traffic_distribution`] | selectors; what we remember of our writes and of time; zone hints; traffic distribution |
//! | 2 | [`reconcile`], [`proxy`] | `reconcile(input, desired) -> outcome`: the decision itself, pure; the reader's side: what kube-proxy makes of slices |
//! | 2 | [`routing`] | who serves whom: the traffic of a Service, by the rules of each consumer of slices |
//! | 3 | [`plan`] | the outcome as whole objects in a stated order; applying it through any client |
//! | 3 | [`diff`] | slices before and after: what differs for those who route by them |
//! | 3 | [`mirroring`], [`kubernetes_service`] | plans for what has no pods: Endpoints mirrored, and the API servers' own Service |
//! | 4 | [`session`], [`metrics`] | a cluster as last seen, planned at the cost of what changed; counts and gauges from plans and their writes |
//! | 5 | [`controller`] | events and the time in, plans and retries out: the controller's loop, without I/O |
//! | 5 | [`watching`] | events and the time in, changes of traffic out: what `slicewise watch` tells |
//! | 6 | `api_server` | the part of an API server that a controller of slices uses, in memory |
//! | 7 | [`admission`] | verdicts on changes, from plans before and after |
//! | 8 | [`api`] | JSON façade on bytes: limits, positions, typed errors |
//! | 9 | `wasm`, `k8s` | doors |
//!
//! Packages below it: `crates/json/`, JSON text, read and written, which knows nothing of Kubernetes. Packages around
//! it: `cli/`, the `slicewise` command; `controller/`, the I/O around [`controller`] for a real cluster; `cluster/`,
//! what both have of an API server; `crates/lint/`, webhook configurations against good practice: what could deadlock;
//! `crates/simulation/`, scenarios: a cluster and an API server in virtual time around a controller.
//!
//! # Invariants
//!
//! * Nothing in the core does I/O, reads a clock, makes up names or depends on hash order. Time, names and settings
//!   come in as values, so equal input gives equal bytes on every platform.
//! * The core cannot fail: once input has been read, planning always gives a plan. A pod whose node is unknown is
//!   left out, reported, and the Service marked for retry.
//! * The order of the input does not matter. Every choice among equals is by name or address.
//! * Bad input is one [`Error`] with a code, a JSON pointer and a position, never a panic.
//! * State that outlives a call lives in [`tracker`] and [`proxy`] only, and in what `slicewise-live` keeps of a
//!   cluster; what decisions depend on travels as data.
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
//! | `endpointslicemirroring` | `slicewise_sources::mirroring` |
//! | `EndpointsAdapter`, `leaseEndpointReconciler`, `masterCountEndpointReconciler` | `slicewise_sources::kubernetes_service` |
//! | `RepackSubsets` | [`model::endpoints::repack_subsets`] |
//! | `endpointslice.Controller` | `slicewise_live::controller` |
//! | `EndpointSliceCache`, `EndpointsChangeTracker`, `ServiceChangeTracker`, `EndpointsMap` | [`proxy::Proxier`] |
//! | `CategorizeEndpoints`, `CleanStaleEntries` | [`proxy::categorize`], [`proxy::Frontends`] |
//! | client-go's `workqueue` | `slicewise_live::controller::queue` |
//! | `metrics.Cache`, `ServicePortCache`, `EfficiencyInfo` | `slicewise_live::metrics::cache`, [`reconcile::Efficiency`] |

// Keeps out I/O, clocks and randomness, and the panics of the standard library.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod error;
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
#[doc(hidden)]
pub mod api_server;
#[doc(hidden)]
pub mod internal;

#[cfg(feature = "k8s-openapi")]
pub mod k8s;

pub use error::{Code, Error, Mistake};
#[doc(hidden)]
pub use slicewise_json as json;

/// Is this the main module of the npm package, or that of the page? To stay small, they have a single packing and no
/// patches, and do not apply watch events among the objects of an input.
const IS_SMALL: bool = cfg!(all(feature = "wasm", target_family = "wasm"));

#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "wasm-base")]
pub mod wasm;
