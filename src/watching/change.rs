//! A change of a Service's traffic, as data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::diff::Count;
use crate::model::AddressType;
use crate::model::endpoint_slice::EndpointState;
use crate::plan::{Reason, ServiceRef};

/// A change of a Service's traffic.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "TrafficChange")
)]
#[non_exhaustive]
pub struct Change {
    /// The Service.
    pub service: ServiceRef<'static>,
    /// What has changed.
    #[serde(flatten)]
    pub what: What,
    /// The same in words.
    pub message: String,
}

/// What has changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "change",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum What {
    /// The Service came.
    ServiceAdded {
        /// Endpoints it has by then.
        endpoints: usize,
        /// How many of them are ready.
        ready: usize,
    },
    /// The Service is gone, and its traffic with it.
    ServiceRemoved,
    /// The Service has another endpoint.
    EndpointGained {
        /// The family.
        address_type: AddressType,
        /// The endpoint.
        endpoint: SeenEndpoint,
        /// Ready endpoints of the family.
        ready: Count,
    },
    /// The Service has lost an endpoint.
    EndpointLost {
        /// The family.
        address_type: AddressType,
        /// The endpoint as it was.
        endpoint: SeenEndpoint,
        /// Ready endpoints of the family.
        ready: Count,
    },
    /// An endpoint is another than before.
    EndpointChanged {
        /// The family.
        address_type: AddressType,
        /// The endpoint as it is.
        endpoint: SeenEndpoint,
        /// The endpoint as it was.
        before: Box<SeenEndpoint>,
        /// What differs.
        fields: Vec<EndpointField>,
        /// Ready endpoints of the family.
        ready: Count,
    },
    /// No endpoint of the family is ready any more.
    NoneReady {
        /// The family.
        address_type: AddressType,
        /// Endpoints that are being deleted and still answer: they get the traffic meanwhile.
        draining: usize,
    },
    /// Endpoints of the family are ready again.
    SomeReady {
        /// The family.
        address_type: AddressType,
        /// How many.
        ready: usize,
    },
    /// All ready endpoints of the family have a hint to a zone now, so that hints can be followed.
    HintsOn {
        /// The family.
        address_type: AddressType,
        /// How many are ready.
        ready: usize,
    },
    /// Not all ready endpoints of the family have a hint to a zone any more: kube-proxy follows none.
    HintsOff {
        /// The family.
        address_type: AddressType,
        /// How many are ready.
        ready: usize,
        /// How many of these have a hint.
        hinted: usize,
    },
    /// The slices have been other than planned for some time, and none was written.
    Unwritten {
        /// For so many seconds.
        seconds: u64,
        /// Slices to create.
        create: usize,
        /// Slices to update.
        update: usize,
        /// Slices to delete.
        delete: usize,
        /// Why, each reason once.
        reasons: Vec<Reason>,
    },
    /// The slices are as planned again, after a report that they were not.
    Written {
        /// After so many seconds.
        seconds: u64,
    },
}

/// An endpoint as readers of slices see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SeenEndpoint {
    /// Its address.
    pub address: String,
    /// Its ports, in order.
    pub ports: Vec<Port>,
    /// What it stands for, usually a Pod; left out when it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Its node; left out when it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Its zone; left out when it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Should it get new traffic?
    pub ready: bool,
    /// Does it answer?
    pub serving: bool,
    /// Is it being deleted?
    pub terminating: bool,
    /// What these three add up to.
    pub state: EndpointState,
    /// Zones whose clients should use it.
    pub for_zones: Vec<String>,
    /// Nodes whose clients should use it.
    pub for_nodes: Vec<String>,
    /// The slice whose word on it counts.
    pub slice: String,
}

/// A port of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SeenPort")
)]
#[non_exhaustive]
pub struct Port {
    /// Its name; empty for an only port without one.
    pub name: String,
    /// Its number; left out where it is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
    /// `TCP`, `UDP` or `SCTP`.
    pub protocol: String,
}

/// What an endpoint stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SeenTarget")
)]
#[non_exhaustive]
pub struct Target {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// What can differ of an endpoint; its ports cannot, since with others it is another endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are those of the fields")]
#[non_exhaustive]
pub enum EndpointField {
    Target,
    Node,
    Zone,
    Ready,
    Serving,
    Terminating,
    ForZones,
    ForNodes,
}

impl SeenEndpoint {
    /// What differs from what it was. Which slice it is in does not matter.
    pub(super) fn differing(&self, before: &Self) -> Vec<EndpointField> {
        let fields = [
            (EndpointField::Target, self.target != before.target),
            (EndpointField::Node, self.node != before.node),
            (EndpointField::Zone, self.zone != before.zone),
            (EndpointField::Ready, self.ready != before.ready),
            (EndpointField::Serving, self.serving != before.serving),
            (
                EndpointField::Terminating,
                self.terminating != before.terminating,
            ),
            (EndpointField::ForZones, self.for_zones != before.for_zones),
            (EndpointField::ForNodes, self.for_nodes != before.for_nodes),
        ];
        let differing = fields.into_iter().filter(|(_, differs)| *differs);
        differing.map(|(field, _)| field).collect()
    }
}
