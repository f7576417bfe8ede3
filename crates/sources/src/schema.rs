//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;
use slicewise::schema::{read, written};

use crate::MirrorPlans;
use crate::kubernetes_service::KubernetesServicePlan;
use crate::kubernetes_service::request::KubernetesServiceRequest;
use crate::mirroring::MirrorPlan;
use crate::mirroring::request::MirrorRequest;

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("mirror-request", read::<MirrorRequest<'static>>()),
        ("mirror-plan", written::<MirrorPlan<'static>>()),
        ("mirror-plans", written::<MirrorPlans<'static>>()),
        (
            "kubernetes-service-request",
            read::<KubernetesServiceRequest<'static>>(),
        ),
        (
            "kubernetes-service-plan",
            written::<KubernetesServicePlan<'static>>(),
        ),
    ]
}
