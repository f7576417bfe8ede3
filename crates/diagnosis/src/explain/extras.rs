//! Objects and fields that explanations read and plans do not: taints of nodes, Events, leases, Endpoints.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pod_detail::DetailMeta;
use slicewise::model::pod_template::PodTemplate;
use slicewise::model::{Endpoints, StringMap, Text};
use slicewise::slim_object;

slim_object! {
    /// Fields of a Service that only explanations read.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceDetail<'a>("Service") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// The desired state.
        "spec" pub spec: ServiceDetailSpec<'a>;
    }
}

slim_object! {
    /// The part of a Service's specification that only explanations read.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceDetailSpec<'a>("ServiceSpec") own {
        /// The host that a Service of type `ExternalName` is an alias of.
        "externalName" pub external_name: Text<'a>;
        /// Topology before Kubernetes 1.22.
        "topologyKeys" pub topology_keys: Vec<Text<'a>>;
    }
}

slim_object! {
    /// The taints of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct NodeDetail<'a>("Node") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// Its taints.
        "spec" pub spec: NodeDetailSpec<'a>;
    }
}

slim_object! {
    /// Specification of a Node.
    #[derive(Clone, Debug, Default)]
    pub struct NodeDetailSpec<'a>("NodeSpec") own {
        /// The taints that pods have to tolerate.
        "taints" pub taints: Vec<Taint<'a>>;
    }
}

slim_object! {
    /// A taint.
    #[derive(Clone, Debug, Default)]
    pub struct Taint<'a>("taint") own {
        /// Its key.
        "key" pub key: Text<'a>;
        /// `NoSchedule`, `PreferNoSchedule`, `NoExecute`.
        "effect" pub effect: Text<'a>;
    }
}

slim_object! {
    /// An Event, of either API.
    #[derive(Clone, Debug, Default)]
    pub struct RecordedEvent<'a>("Event") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// The object it is about.
        "involvedObject" pub involved: InvolvedObject<'a>;
        /// The same in `events.k8s.io`.
        "regarding" pub regarding: InvolvedObject<'a>;
        /// `Normal` or `Warning`.
        "type" pub event_type: Text<'a>;
        /// A CamelCase reason.
        "reason" pub reason: Text<'a>;
        /// The message.
        "message" pub message: Text<'a>;
        /// The same in `events.k8s.io`.
        "note" pub note: Text<'a>;
        /// How often it happened.
        "count" pub count: i32;
        /// When it last happened.
        "lastTimestamp" pub last_timestamp: Text<'a>;
        /// When it happened, in `events.k8s.io`.
        "eventTime" pub event_time: Text<'a>;
    }
}

slim_object! {
    /// The object that an Event is about.
    #[derive(Clone, Debug, Default)]
    pub struct InvolvedObject<'a>("object reference") own {
        /// Its kind.
        "kind" pub kind: Text<'a>;
        /// Its namespace.
        "namespace" pub namespace: Text<'a>;
        /// Its name.
        "name" pub name: Text<'a>;
    }
}

slim_object! {
    /// A lease, with which controllers elect a leader.
    #[derive(Clone, Debug, Default)]
    pub struct ElectionLease<'a>("Lease") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// Its holder.
        "spec" pub spec: LeaseSpec<'a>;
    }
}

slim_object! {
    /// Specification of a lease.
    #[derive(Clone, Debug, Default)]
    pub struct LeaseSpec<'a>("LeaseSpec") own {
        /// The holder.
        "holderIdentity" pub holder: Text<'a>;
        /// When it was last renewed.
        "renewTime" pub renewed: Text<'a>;
    }
}

slim_object! {
    /// A workload, or what leads load balancers to a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Beside<'a>("object") own {
        /// `Deployment`, `Ingress` and so on.
        "kind" pub kind: Text<'a>;
        /// Name and annotations.
        "metadata" pub metadata: BesideMeta<'a>;
        /// What it asks for.
        "spec" pub spec: BesideSpec<'a>;
    }
}

slim_object! {
    /// Metadata of such an object.
    #[derive(Clone, Debug, Default)]
    pub struct BesideMeta<'a>("ObjectMeta") own {
        /// Name.
        "name" pub name: Text<'a>;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// Grows with each write.
        "resourceVersion" pub resource_version: Text<'a>;
        /// Set once it is stored.
        "uid" pub uid: Text<'a>;
        /// Annotations.
        "annotations" pub annotations: StringMap<'a>;
    }
}

slim_object! {
    /// Specification of such an object.
    #[derive(Clone, Debug, Default)]
    pub struct BesideSpec<'a>("spec") own {
        /// How long a pod of the workload has to be ready to count as available.
        "minReadySeconds" pub min_ready_seconds: i32;
        /// The number of pods.
        "replicas" pub replicas: Option<i32>;
        /// Its pods.
        "template" pub template: PodTemplate<'a>;
        /// Where a load balancer sends to: `ip` or `instance`.
        "targetType" pub target_type: Text<'a>;
        /// The Service that it takes the addresses of.
        "serviceRef" pub service_ref: ServiceName<'a>;
        /// The backend of an Ingress without rules.
        "defaultBackend" pub default_backend: Backend<'a>;
        /// The rules of an Ingress.
        "rules" pub rules: Vec<Rule<'a>>;
    }
}

slim_object! {
    /// A rule of an Ingress.
    #[derive(Clone, Debug, Default)]
    pub struct Rule<'a>("IngressRule") own {
        /// Its paths.
        "http" pub http: Paths<'a>;
    }
}

slim_object! {
    /// The paths of a rule.
    #[derive(Clone, Debug, Default)]
    pub struct Paths<'a>("HTTPIngressRuleValue") own {
        /// The paths.
        "paths" pub paths: Vec<PathTo<'a>>;
    }
}

slim_object! {
    /// A path of a rule.
    #[derive(Clone, Debug, Default)]
    pub struct PathTo<'a>("HTTPIngressPath") own {
        /// Where it leads.
        "backend" pub backend: Backend<'a>;
    }
}

slim_object! {
    /// Where an Ingress leads.
    #[derive(Clone, Debug, Default)]
    pub struct Backend<'a>("IngressBackend") own {
        /// The Service.
        "service" pub service: ServiceName<'a>;
    }
}

slim_object! {
    /// The name of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceName<'a>("ServiceReference") own {
        /// The name.
        "name" pub name: Text<'a>;
    }
}

impl Beside<'_> {
    /// The kinds that have a template of pods that stay.
    pub const WORKLOADS: [&'static str; 5] = [
        "DaemonSet",
        "Deployment",
        "ReplicaSet",
        "ReplicationController",
        "StatefulSet",
    ];

    /// Does it lead load balancers or clients to a Service of its namespace?
    pub(super) fn leads_to(&self, service: &str) -> bool {
        let spec = &self.spec;
        let paths = spec.rules.iter().flat_map(|rule| &rule.http.paths);
        let mut backends = paths
            .map(|path| &path.backend)
            .chain([&spec.default_backend]);
        *spec.service_ref.name == *service || backends.any(|to| *to.service.name == *service)
    }

    /// `Deployment cart`.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.kind, self.metadata.name)
    }
}

/// An object that plans do not depend on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum OtherObject<'a> {
    /// An Event.
    Event(RecordedEvent<'a>),
    /// Endpoints.
    Endpoints(Endpoints<'a>),
    /// A lease.
    Lease(ElectionLease<'a>),
    /// A workload, or what leads load balancers to a Service.
    Beside(Beside<'a>),
}

impl InvolvedObject<'_> {
    /// Kind, namespace and name.
    pub(super) fn key(&self) -> (&str, &str, &str) {
        (&self.kind, &self.namespace, &self.name)
    }
}

impl<'a> RecordedEvent<'a> {
    /// The object it is about.
    pub fn about(&self) -> &InvolvedObject<'a> {
        if self.involved.kind.is_empty() {
            &self.regarding
        } else {
            &self.involved
        }
    }

    /// Its message.
    pub fn words(&self) -> &str {
        if self.message.is_empty() {
            &self.note
        } else {
            &self.message
        }
    }

    /// Sorts by the object it is about, then by its last time, then by its name.
    pub(super) fn order(&self) -> ((&str, &str, &str), &str, &str) {
        (self.about().key(), self.time(), &self.metadata.name)
    }

    /// When it last happened, according to itself.
    pub fn time(&self) -> &str {
        if self.last_timestamp.is_empty() {
            &self.event_time
        } else {
            &self.last_timestamp
        }
    }
}
