//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.
#![cfg(test)]

mod suite;

use slicewise::*;
use slicewise_admission as admission;
use slicewise_diagnosis::{explain, glance};
use slicewise_live::{controller, metrics, session, watching};
use slicewise_simulation as simulation;
use slicewise_sources::{kubernetes_service, mirroring};
use slicewise_traffic::{proxy, routing};

/// The doors of all crates.
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_admission::*;
    pub(crate) use slicewise_diagnosis::{
        EditQuestion, Explained, ExportQuestion, GlanceQuestion, Question, ServiceExplained,
        SnapshotStream, StreamedSnapshot, edit, explain, explained, exported, glance, legend, look,
        plan, plan_snapshot, with_plan, with_snapshot_plans,
    };
    pub(crate) use slicewise_live::json::*;
    pub(crate) use slicewise_simulation::{Timeline, TimelineSettings, simulate};
    pub(crate) use slicewise_sources::{
        MirrorObjects, MirrorPlans, MirrorStream, kubernetes_service, mirror, mirror_snapshot,
        with_kubernetes_service, with_mirror_plan, with_mirror_plans,
    };
    pub(crate) use slicewise_traffic::{
        AppliedRule, ClientWeight, NamedService, ProxySettings, ProxyStream, Route, RouteAnswer,
        RouteNode, RouteOptions, RouteRequest, Rule, ServiceRoute, ShortNode, TrafficAnswer,
        TrafficNode, TrafficObjects, TrafficOptions, TrafficRequest, TrafficStream, route, traffic,
        with_route, with_traffic,
    };
}

/// The doors for the `k8s_openapi` types.
mod k8s {
    pub(crate) use slicewise::k8s::*;
    pub(crate) use slicewise_diagnosis::k8s::*;
    pub(crate) use slicewise_live::k8s::*;
}
