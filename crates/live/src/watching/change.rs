//! Changes of a Service's traffic, as data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::diff::Count;
use slicewise::model::AddressType;
use slicewise::model::endpoint_slice::EndpointState;
use slicewise::plan::{Reason, ServiceRef};

/// A change of a Service's traffic.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "TrafficChange")]
#[non_exhaustive]
pub struct TrafficChange {
    /// The Service.
    pub service: ServiceRef<'static>,
    /// What has changed.
    #[serde(flatten)]
    pub what: TrafficChangeKind,
    /// The change in words.
    pub message: String,
}

/// What has changed.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(
    tag = "change",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
#[schemars(rename = "What")]
pub enum TrafficChangeKind {
    /// The Service was added.
    ServiceAdded {
        /// The number of its endpoints.
        endpoints: usize,
        /// The number of its ready endpoints.
        ready: usize,
    },
    /// The Service was removed, and its traffic with it.
    ServiceRemoved,
    /// The Service has a new endpoint.
    EndpointGained {
        /// The family.
        address_type: AddressType,
        /// The endpoint.
        endpoint: SeenEndpoint,
        /// The number of ready endpoints of the family, before and after.
        ready: Count,
    },
    /// The Service has lost an endpoint.
    EndpointLost {
        /// The family.
        address_type: AddressType,
        /// The endpoint before it was removed.
        endpoint: SeenEndpoint,
        /// The number of ready endpoints of the family, before and after.
        ready: Count,
    },
    /// An endpoint has changed.
    EndpointChanged {
        /// The family.
        address_type: AddressType,
        /// The endpoint after the change.
        endpoint: SeenEndpoint,
        /// The endpoint before the change.
        before: Box<SeenEndpoint>,
        /// The fields that differ.
        fields: Vec<EndpointField>,
        /// The number of ready endpoints of the family, before and after.
        ready: Count,
    },
    /// No endpoint of the family is ready any more.
    NoneReady {
        /// The family.
        address_type: AddressType,
        /// The number of endpoints that are being deleted and still serving; they get the traffic in the meantime.
        draining: usize,
    },
    /// Endpoints of the family are ready again.
    SomeReady {
        /// The family.
        address_type: AddressType,
        /// The number of ready endpoints.
        ready: usize,
    },
    /// All ready endpoints of the family now have a hint for a zone, so hints can be followed.
    HintsOn {
        /// The family.
        address_type: AddressType,
        /// The number of ready endpoints.
        ready: usize,
    },
    /// Not all ready endpoints of the family have a hint for a zone any more, so kube-proxy ignores all hints.
    HintsOff {
        /// The family.
        address_type: AddressType,
        /// The number of ready endpoints.
        ready: usize,
        /// The number of ready endpoints with a hint.
        hinted: usize,
        /// Why the plan sets none either, if it is the reason; left out otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The slices have differed from the plan for some time, and none was written.
    Unwritten {
        /// For how many seconds.
        seconds: u64,
        /// The number of slices to create.
        create: usize,
        /// The number of slices to update.
        update: usize,
        /// The number of slices to delete.
        delete: usize,
        /// The distinct reasons.
        reasons: Vec<Reason>,
    },
    /// The slices match the plan again, after a report that they did not.
    Written {
        /// After how many seconds.
        seconds: u64,
    },
}

/// An endpoint as seen by consumers of the slices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SeenEndpoint {
    /// Its address.
    pub address: String,
    /// Its ports, sorted.
    pub ports: Vec<SeenPort>,
    /// The object behind it, usually a Pod; left out if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<SeenTarget>,
    /// Its node; left out if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Its zone; left out if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Whether it should get new traffic.
    pub ready: bool,
    /// Whether it is serving.
    pub serving: bool,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// The state that follows from these three.
    pub state: EndpointState,
    /// The zones whose clients should use it.
    pub for_zones: Vec<String>,
    /// The nodes whose clients should use it.
    pub for_nodes: Vec<String>,
    /// The slice that this information is from.
    pub slice: String,
}

/// A port of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[schemars(rename = "SeenPort")]
#[non_exhaustive]
pub struct SeenPort {
    /// Its name; may be empty if it is the only port.
    pub name: String,
    /// Its number; left out if every port is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
    /// `TCP`, `UDP` or `SCTP`.
    pub protocol: String,
}

/// The object behind an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "SeenTarget")]
#[non_exhaustive]
pub struct SeenTarget {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// A field of an endpoint that can change. Ports are not among them, because other ports make another endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
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
    /// The fields that differ from before. The slice does not matter.
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
