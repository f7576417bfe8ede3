//! Workloads, their scale, and pods that are deleted or evicted, limited to what policies look at.

use crate::objects::ReviewedMeta;
use slicewise::membership::label_selector::ObjectSelector;
use slicewise::model::Text;
use slicewise::model::object::slim_object;
use slicewise::model::pod_template::PodTemplate;

/// The kinds of workloads whose changes are judged (`apps/v1`).
pub(crate) const WORKLOADS: [&str; 4] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"];

slim_object! {
    /// The workload of a review.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedWorkload<'r>("workload") {
        /// One of four, or empty if the context implies it.
        "kind" pub kind: Text<'r>;
        /// Its name.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
        /// Its pods.
        "spec" pub spec: WorkloadSpec<'r>;
    }
}

slim_object! {
    /// The pods of a workload, and how many there are to be.
    #[derive(Default, Clone, Debug, PartialEq)]
    pub struct WorkloadSpec<'r>("workload specification") {
        /// The number of pods; a DaemonSet has none.
        "replicas" pub replicas: Option<i32>;
        /// Which pods are its own.
        "selector" pub selector: ObjectSelector<'r>;
        /// What its pods will be.
        "template" pub template: PodTemplate<'r>;
    }
}

impl WorkloadSpec<'_> {
    /// Is it to have no pods?
    pub fn is_zero(&self) -> bool {
        self.replicas == Some(0)
    }
}

slim_object! {
    /// The number of pods of a workload (`autoscaling/v1`), written to its subresource `scale`.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedScale<'r>("Scale") {
        /// `Scale`, or empty if the context implies it.
        "kind" pub kind: Text<'r>;
        /// The name of the workload.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
        /// The desired state.
        "spec" pub spec: ScaleSpec;
        /// The current state.
        "status" pub status: ScaleStatus<'r>;
    }
}

slim_object! {
    /// The desired number.
    #[derive(Default, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ScaleSpec("ScaleSpec") {
        /// The number of pods; Go leaves out a zero.
        "replicas" pub replicas: i32;
    }
}

slim_object! {
    /// The current state.
    #[derive(Default, Clone, Debug)]
    pub struct ScaleStatus<'r>("ScaleStatus") {
        /// Which pods are its own, as text.
        "selector" pub selector: Text<'r>;
    }
}

slim_object! {
    /// A pod, or the eviction of the pod of that name.
    #[derive(Default, Clone, Debug)]
    pub struct ReviewedPod<'r>("pod") {
        /// `Pod` or `Eviction`, or empty if the context implies it.
        "kind" pub kind: Text<'r>;
        /// Its name.
        "metadata" pub metadata: ReviewedMeta<'r> = required;
    }
}
