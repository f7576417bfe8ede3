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
mod explained;
mod exported;
mod glance;
mod golden;
mod incomplete;
mod json;
mod kinds;
mod kubernetes_service;
mod membership;
mod metrics;
mod mirroring;
mod patches;
mod planted;
mod properties;
mod proxy;
mod questions;
mod reference_controller;
mod rust_face;
mod scenarios;
mod sequences;
mod session;
#[cfg(not(target_arch = "wasm32"))]
mod shells;
mod stream;
mod streams;
mod tidy;
mod tidy_prose;
mod upgrade;
mod versions;
mod wanted;
mod workqueue;
mod writes;

/// A path in the folder of the workspace.
fn from_root(path: &str) -> std::path::PathBuf {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}
