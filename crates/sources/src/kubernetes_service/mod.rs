//! The API servers' own Service: which Endpoints and which EndpointSlice `default/kubernetes` should have.
//!
//! Each API server runs a reconciler that adds its own address, and removes it when the server stops. The input is the
//! address, the leases of all API servers (or their number) and the current objects; the output is the writes. The
//! slice has the Service's name, no owner and no `generateName`, mirrors the Endpoints, and has one family. Reference:
//! `pkg/controlplane/reconcilers`.

mod addresses;
mod leases;
#[doc(hidden)]
pub mod request;
mod slice;

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use addresses::CurrentEndpoints;
pub use leases::{ApiServerLease, Leases};

use slicewise::model::endpoints::SubsetPort;
use slicewise::model::{EndpointSlice, Endpoints, Text, Timestamp, endpoints, keys};
use slicewise::plan::ServiceRef;

/// Namespace of the Service.
pub const NAMESPACE: &str = "default";
/// Name of the Service.
pub const NAME: &str = "kubernetes";
/// The default duration of a lease (reference: `DefaultEndpointReconcilerTTL`).
pub const DEFAULT_LEASE_SECONDS: u32 = 15;

/// How an API server knows about the others (reference: `--endpoint-reconciler-type`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reconciler {
    /// From leases that each of them refreshes.
    Lease,
    /// It only knows how many there are.
    MasterCount(usize),
    /// Something else manages the objects.
    None,
}

/// What an API server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApiServerAction {
    /// Every ten seconds while it is running.
    Reconcile {
        /// Must the ports match as well? Only at the start (reference: `reconcilePorts`).
        ports: bool,
    },
    /// When it stops, or finds its address from before a restart.
    Remove,
}

/// The input of the decision.
#[derive(Debug)]
#[non_exhaustive]
pub struct KubernetesServiceInput<'a> {
    /// How it knows about the others.
    pub reconciler: Reconciler,
    /// What it does.
    pub operation: ApiServerAction,
    /// It has been asked to stop (reference: `StopReconciling`).
    pub stopped: bool,
    /// Name of the Service.
    pub name: Text<'a>,
    /// Its own address in canonical form.
    pub address: Text<'a>,
    /// The ports it serves.
    pub ports: Vec<SubsetPort<'a>>,
    /// The leases of the API servers, live and expired.
    pub leases: Leases<'a>,
    /// The time at which leases expire.
    pub now: Option<Timestamp>,
    /// The duration of its own lease.
    pub lease_seconds: u32,
    /// The Service's Endpoints, if there are any.
    pub endpoints: Option<&'a Endpoints<'a>>,
    /// The slice with the Service's name, if there is one.
    pub slice: Option<&'a EndpointSlice<'a>>,
}

impl<'a> KubernetesServiceInput<'a> {
    /// An API server that runs, knows of no other, and finds nothing of its Service.
    pub fn new(
        reconciler: Reconciler,
        operation: ApiServerAction,
        name: impl Into<Text<'a>>,
        address: impl Into<Text<'a>>,
        ports: Vec<SubsetPort<'a>>,
    ) -> Self {
        Self {
            reconciler,
            operation,
            stopped: false,
            name: name.into(),
            address: address.into(),
            ports,
            leases: Leases::default(),
            now: None,
            lease_seconds: 0,
            endpoints: None,
            slice: None,
        }
    }
}

/// What an API server writes for its own Service.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct KubernetesServicePlan<'a> {
    /// The Service.
    pub service: ServiceRef<'a>,
    /// The writes in order; each is made only after the one before it has succeeded.
    pub writes: Vec<KubernetesServiceWrite<'a>>,
    /// Objects that need no change.
    pub unchanged: Vec<ObjectKind>,
    /// Why nothing is done; there are no writes then.
    pub error: Option<ServiceError>,
    /// The leases afterwards, sorted by address; only for the reconciler `lease`.
    pub leases: Vec<ApiServerLease<'a>>,
}

/// One write.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "ServiceWrite", rename_all = "camelCase")]
#[non_exhaustive]
pub struct KubernetesServiceWrite<'a> {
    /// The kind of write.
    pub operation: Verb,
    /// The kind of the object.
    pub kind: ObjectKind,
    /// Its name.
    pub name: Text<'a>,
    /// The uid of the existing object; empty for a create.
    pub uid: Text<'a>,
    /// The resource version of the existing object; empty for a create.
    pub resource_version: Text<'a>,
    /// The complete object; `null` for a delete.
    pub object: Option<KubernetesServiceObject<'a>>,
    /// The reasons for the write.
    pub reasons: Vec<KubernetesServiceWriteReason>,
}

/// A kind of write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename = "WriteVerb", rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
#[expect(
    clippy::exhaustive_enums,
    reason = "the API creates, updates and deletes"
)]
pub enum Verb {
    Create,
    Update,
    Delete,
}

/// A kind of object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename = "ServiceObjectKind")]
#[expect(missing_docs, reason = "the names are the API's")]
#[expect(clippy::exhaustive_enums, reason = "the API servers write two objects")]
pub enum ObjectKind {
    Endpoints,
    EndpointSlice,
}

/// An object to write.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename = "ServiceObject", untagged)]
#[expect(missing_docs, reason = "the names are the API's")]
#[expect(clippy::exhaustive_enums, reason = "one for each kind")]
pub enum KubernetesServiceObject<'a> {
    Endpoints(Endpoints<'a>),
    EndpointSlice(EndpointSlice<'a>),
}

/// Why an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename = "ServiceWriteReason")]
#[non_exhaustive]
pub enum KubernetesServiceWriteReason {
    /// The object does not exist.
    NotFound,
    /// The Endpoints do not have exactly one subset, so their subsets are replaced.
    SubsetsReset,
    /// The addresses are not those of the API servers.
    AddressesChanged,
    /// The ports are not those of the API server.
    PortsChanged,
    /// The Endpoints lack the label that keeps them from being mirrored.
    SkipMirrorLabel,
    /// The slice's endpoints, ports or labels do not match the Endpoints.
    OutOfStep,
    /// A slice cannot change its address family, so it is deleted and created.
    AddressTypeChanged,
}

/// The reason why an API server does nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ServiceError {
    /// A stable code.
    pub code: ServiceErrorCode,
    /// The message.
    pub message: String,
}

/// The kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum ServiceErrorCode {
    /// There is no live lease, not even its own; all endpoints would be lost.
    NoLeases,
    /// The lease to remove does not exist.
    LeaseNotFound,
}

/// Decides the writes.
pub fn plan<'a>(input: &KubernetesServiceInput<'a>) -> KubernetesServicePlan<'a> {
    let mut plan = KubernetesServicePlan {
        service: ServiceRef {
            namespace: NAMESPACE.into(),
            name: input.name.clone(),
        },
        writes: Vec::new(),
        unchanged: Vec::new(),
        error: None,
        leases: Vec::new(),
    };
    match endpoints(input, &mut plan) {
        Ok(Some((endpoints, reasons))) => add_writes(&mut plan, input, endpoints, reasons),
        Ok(None) => {}
        Err(code) => plan.error = Some(code.error()),
    }
    plan
}

/// The desired Endpoints, and why; `None` if they are not reconciled.
type DesiredEndpoints<'a> = Option<(Endpoints<'a>, Vec<KubernetesServiceWriteReason>)>;

fn endpoints<'a>(
    input: &KubernetesServiceInput<'a>,
    plan: &mut KubernetesServicePlan<'a>,
) -> Result<DesiredEndpoints<'a>, ServiceErrorCode> {
    let facts = CurrentEndpoints::of(input);
    match (input.reconciler, input.operation) {
        (Reconciler::None, _) => Ok(None),
        (Reconciler::MasterCount(_), ApiServerAction::Reconcile { .. }) if input.stopped => {
            Ok(None)
        }
        (Reconciler::MasterCount(count), ApiServerAction::Reconcile { ports }) => {
            Ok(Some(facts.with_own_address(count, ports)))
        }
        (Reconciler::MasterCount(_), ApiServerAction::Remove) => Ok(facts.without_own_address()),
        (Reconciler::Lease, operation) => {
            let leases = leases::after(input);
            plan.leases = leases.as_ref().unwrap_or(&input.leases).live(input.now);
            if input.stopped && operation != ApiServerAction::Remove {
                return Ok(None);
            }
            let leases = leases.map_err(|()| ServiceErrorCode::LeaseNotFound)?;
            if input.stopped && input.endpoints.is_none() {
                return Ok(None);
            }
            let live = leases.live(input.now);
            if !input.stopped && live.is_empty() {
                return Err(ServiceErrorCode::NoLeases);
            }
            let ports = !matches!(operation, ApiServerAction::Reconcile { ports: false });
            Ok(Some(facts.with_addresses(&live, ports)))
        }
    }
}

impl ServiceErrorCode {
    fn error(self) -> ServiceError {
        let message = match self {
            Self::NoLeases => {
                "no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service"
            }
            Self::LeaseNotFound => "this API server has no live lease to remove",
        };
        ServiceError {
            code: self,
            message: message.to_string(),
        }
    }
}

fn add_writes<'a>(
    plan: &mut KubernetesServicePlan<'a>,
    input: &KubernetesServiceInput<'a>,
    mut endpoints: Endpoints<'a>,
    reasons: Vec<KubernetesServiceWriteReason>,
) {
    endpoints.api_version = endpoints::API_VERSION.into();
    endpoints.kind = endpoints::KIND.into();
    let is_like = |before: &Endpoints<'_>| {
        before.metadata == endpoints.metadata && before.subsets == endpoints.subsets
    };
    let slice_writes = slice::writes(&endpoints, input.slice);
    match input.endpoints {
        Some(before) if is_like(before) => plan.unchanged.push(ObjectKind::Endpoints),
        before => plan.writes.push(KubernetesServiceWrite {
            operation: before.map_or(Verb::Create, |_| Verb::Update),
            kind: ObjectKind::Endpoints,
            name: input.name.clone(),
            uid: endpoints.metadata.uid.clone(),
            resource_version: endpoints.metadata.resource_version.clone(),
            object: Some(KubernetesServiceObject::Endpoints(endpoints)),
            reasons,
        }),
    }
    if slice_writes.is_empty() {
        plan.unchanged.push(ObjectKind::EndpointSlice);
    }
    plan.writes.extend(slice_writes);
}

/// The Endpoints before any other change, and whether their label had to be set.
fn labelled<'a>(input: &KubernetesServiceInput<'a>) -> (Endpoints<'a>, bool) {
    let new = || {
        let mut endpoints = Endpoints::default();
        endpoints.metadata.name = input.name.clone();
        endpoints.metadata.namespace = NAMESPACE.into();
        endpoints
    };
    let mut endpoints = input.endpoints.cloned().unwrap_or_else(new);
    let labels = &mut endpoints.metadata.labels;
    let before = labels.insert(keys::SKIP_MIRROR_LABEL.into(), "true".into());
    (endpoints, before.is_none_or(|value| value != "true"))
}

/// The reasons that apply.
fn holding<const N: usize>(
    reasons: [(bool, KubernetesServiceWriteReason); N],
) -> Vec<KubernetesServiceWriteReason> {
    let holding = reasons.into_iter().filter(|(holds, _)| *holds);
    holding.map(|(_, reason)| reason).collect()
}

/// A single reason.
fn because(reason: KubernetesServiceWriteReason) -> Vec<KubernetesServiceWriteReason> {
    vec![reason]
}
