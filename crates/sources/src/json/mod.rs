//! JSON in, JSON out: the façade behind every interface, on bytes.

mod kubernetes_service;
mod mirror;
mod stream;

pub use kubernetes_service::{kubernetes_service, with_kubernetes_service};
pub use mirror::{
    MirrorObjects, MirrorPlans, mirror, mirror_snapshot, with_mirror_plan, with_mirror_plans,
};
pub use stream::MirrorStream;
