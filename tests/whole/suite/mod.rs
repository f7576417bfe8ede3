//! The suites, by what they try.

mod admission;
mod bad_input;
mod bad_options;
mod cluster;
mod controller;
mod convergence;
mod deviations;
mod diff;
mod documented;
mod endpoints;
#[cfg(feature = "explain")]
mod explained;
#[cfg(feature = "explain")]
mod exported;
mod glance;
mod golden;
#[cfg(feature = "explain")]
mod incomplete;
mod json;
mod kinds;
mod kubernetes_service;
mod membership;
mod metrics;
mod mirroring;
#[cfg(feature = "patches")]
mod patches;
mod properties;
mod proxy;
#[cfg(feature = "explain")]
mod questions;
mod reference_controller;
#[cfg(feature = "k8s-openapi")]
mod rust_face;
mod scenarios;
mod sequences;
mod session;
#[cfg(all(feature = "explain", not(target_arch = "wasm32")))]
mod shells;
mod stream;
mod streams;
mod tidy;
mod tidy_prose;
mod wanted;
mod workqueue;
mod writes;
