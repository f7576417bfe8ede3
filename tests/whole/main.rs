//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.
#![cfg(test)]

mod suite;

use slicewise::*;
use slicewise_admission as admission;
use slicewise_live::{api_server, controller, metrics, session};
use slicewise_simulation as simulation;
use slicewise_sources::mirroring;
use slicewise_traffic::proxy;

/// The doors of all crates.
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_admission::*;
    pub(crate) use slicewise_diagnosis::{
        Explained, InTurn, Question, SnapshotStream, StreamedSnapshot, TextForm, edit, explain,
        explained, exported, glance, look, plan, plan_snapshot, upgrade, with_plan,
        with_snapshot_plans,
    };
    pub(crate) use slicewise_live::json::*;
    pub(crate) use slicewise_simulation::simulate;
    pub(crate) use slicewise_sources::{
        MirrorStream, kubernetes_service, mirror, mirror_snapshot, with_mirror_plans,
    };
    pub(crate) use slicewise_traffic::*;
}

/// The doors for the `k8s_openapi` types.
mod k8s {
    pub(crate) use slicewise::k8s::*;
    pub(crate) use slicewise_diagnosis::k8s::*;
    pub(crate) use slicewise_live::k8s::*;
}
