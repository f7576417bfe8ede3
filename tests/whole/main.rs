//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
use slicewise::*;

#[cfg(test)]
mod api {
    pub(crate) use slicewise::api::*;
    pub(crate) use slicewise_diagnosis::{
        Explained, Question, SnapshotStream, StreamedSnapshot, edit, explain, explained, exported,
        glance, look, plan, plan_snapshot, with_snapshot_plans,
    };
}

#[cfg(all(test, feature = "k8s-openapi"))]
mod k8s {
    pub(crate) use slicewise::k8s::*;
    pub(crate) use slicewise_diagnosis::k8s::Objects;
}
