//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_admission::Reviewer;
}

#[cfg(test)]
use slicewise::*;
#[cfg(test)]
use slicewise_sources::mirroring;
#[cfg(test)]
use slicewise_traffic::proxy;
#[cfg(test)]
use slicewise_admission as admission;

/// Those for Rust types.
#[cfg(test)]
mod k8s {
    pub use slicewise::k8s::*;
    pub use slicewise_live::k8s::*;
/// The library's doors, wherever they are.
#[cfg(test)]
mod api {
    pub use slicewise::api::*;
    pub use slicewise_live::json::*;
#[cfg(test)]
use slicewise_live::{controller, metrics, session, watching};
#[cfg(all(test, feature = "k8s-openapi"))]
mod k8s {
    pub(crate) use slicewise::k8s::*;
    pub(crate) use slicewise_diagnosis::k8s::Objects;
#[cfg(test)]
use slicewise_simulation as simulation;

/// The library's doors, wherever they are.
#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_sources::*;
    pub(crate) use slicewise_traffic::*;
    pub(crate) use slicewise_diagnosis::{
        EditQuestion, Explained, ExportQuestion, GlanceQuestion, Question, ServiceExplained,
        SnapshotStream, StreamedSnapshot, edit, explain, explained, exported, glance, legend, look,
        plan, plan_snapshot, with_plan, with_snapshot_plans,
    pub(crate) use slicewise_diagnosis::{
        Explained, Question, SnapshotStream, StreamedSnapshot, edit, explain, explained, exported,
        glance, look, plan, plan_snapshot, with_snapshot_plans,
    };
    pub(crate) use slicewise_simulation::simulate;
}
