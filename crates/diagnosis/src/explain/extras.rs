//! Objects and fields that explanations read and plans do not: taints of nodes, Events, leases, Endpoints.

use alloc::vec::Vec;

use super::pod_detail::DetailMeta;
use slicewise::model::{Endpoints, Text};
use slicewise::slim_object;

slim_object! {
    /// Fields of a Service that are no longer in use.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceDetail<'a>("Service") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// The desired state.
        "spec" pub spec: ServiceDetailSpec<'a>;
    }
}

slim_object! {
    /// The obsolete part of a Service's specification.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceDetailSpec<'a>("ServiceSpec") own {
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
    pub struct Event<'a>("Event") own {
        /// Name.
        "metadata" pub metadata: DetailMeta<'a>;
        /// The object it is about.
        "involvedObject" pub involved: About<'a>;
        /// The same in `events.k8s.io`.
        "regarding" pub regarding: About<'a>;
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
    pub struct About<'a>("object reference") own {
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
    pub struct Lease<'a>("Lease") own {
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

/// An object that plans do not depend on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Extra<'a> {
    /// An Event.
    Event(Event<'a>),
    /// Endpoints.
    Endpoints(Endpoints<'a>),
    /// A lease.
    Lease(Lease<'a>),
}

impl About<'_> {
    /// Kind, namespace and name.
    pub(super) fn key(&self) -> (&str, &str, &str) {
        (&self.kind, &self.namespace, &self.name)
    }
}

impl<'a> Event<'a> {
    /// The object it is about.
    pub fn about(&self) -> &About<'a> {
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
