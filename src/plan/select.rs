//! Selects the objects that concern a Service: the step before its plan, shared by all interfaces.

use alloc::vec::Vec;

use super::request::Options;
use super::{Plan, plan};
use crate::IS_SMALL;
use crate::membership::selector;
use crate::model::order::sort_by;
use crate::model::{EndpointSlice, Pod, Service, Timestamp, keys};
use crate::reconcile::Input;
use crate::reconcile::candidate::Candidate;
use crate::reconcile::desired::StaticEndpoint;
use crate::reconcile::existing::Open;
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;

/// Plans one Service from objects that have been read and checked. Pods and slices may include unrelated ones.
#[expect(
    clippy::too_many_arguments,
    reason = "one call in each door; a struct would only repeat PlanRequest"
)]
pub fn plan_service<'a>(
    service: &'a Service<'a>,
    pods: Vec<&'a Pod<'a>>,
    slices: Vec<&'a EndpointSlice<'a>>,
    endpoints: &'a [StaticEndpoint<'a>],
    nodes: &'a NodeIndex<'a>,
    options: &'a Options<'a>,
    hints: ServiceHints,
    trigger_time: Option<Timestamp>,
) -> Plan<'a> {
    if !service.is_reconciled() && endpoints.is_empty() {
        return Plan::nothing(service, hints);
    }
    plan_own_service(
        service,
        pods,
        slices,
        endpoints,
        nodes,
        options,
        hints,
        trigger_time,
    )
}

/// Plans one Service whose slices the caller manages whether it has a selector or not: without endpoints, existing slices
/// are deleted.
#[expect(clippy::too_many_arguments, reason = "as the one above")]
pub(crate) fn plan_own_service<'a>(
    service: &'a Service<'a>,
    mut pods: Vec<&'a Pod<'a>>,
    mut slices: Vec<&'a EndpointSlice<'a>>,
    endpoints: &'a [StaticEndpoint<'a>],
    nodes: &'a NodeIndex<'a>,
    options: &'a Options<'a>,
    hints: ServiceHints,
    trigger_time: Option<Timestamp>,
) -> Plan<'a> {
    let settings = options.settings();
    pods.retain(|pod| is_selected(pod, service));
    slices.retain(|slice| belongs(slice, service, settings.managed_by));
    sort_by(&mut slices, EndpointSlice::by_name);
    let plan = plan(
        &Input {
            service,
            pods: pods.into_iter().map(Candidate::Read).collect(),
            endpoints,
            nodes,
            slices: slices.iter().copied().map(Open::from).collect(),
            settled: None,
            settings,
        },
        hints,
        trigger_time,
    );
    if IS_SMALL || options.patches.is_empty() {
        plan
    } else {
        Plan {
            patches: super::patches::of(&plan, &slices, &options.patch_kinds()),
            ..plan
        }
    }
}

/// Does the Service's selector select the pod? Not if the Service's slices are not managed.
pub fn is_selected(pod: &Pod<'_>, service: &Service<'_>) -> bool {
    let selector = service
        .spec
        .selector
        .as_ref()
        .filter(|_| service.is_reconciled());
    pod.metadata.namespace == service.metadata.namespace
        && selector.is_some_and(|selector| selector::matches(selector, &pod.metadata.labels))
}

/// Does the slice belong to this Service and this manager, and is it not being deleted? All others are left alone.
pub fn belongs(slice: &EndpointSlice<'_>, service: &Service<'_>, managed_by: &str) -> bool {
    let metadata = &slice.metadata;
    metadata.namespace == service.metadata.namespace
        && metadata.deletion_timestamp.is_none()
        && metadata.labels.get(keys::SERVICE_NAME_LABEL) == Some(&service.metadata.name)
        && metadata
            .labels
            .get(keys::MANAGED_BY_LABEL)
            .is_some_and(|manager| *manager == *managed_by)
}
