//! The plans of each Service under both versions, and where its traffic goes.

use alloc::vec::Vec;

use serde::Serialize;

use super::traffic::{PortUpgrade, TOO_MUCH, traffic};
use crate::explain::details::ExplanationDetails;
use slicewise::api::SlicesByService;
use slicewise::diff::{self, ServiceDiff};
use slicewise::model::order::SortedMap;
use slicewise::model::{EndpointSlice, Named as _, NamespacedName, Service};
use slicewise::plan::request::Options;
use slicewise::plan::{Plan, ServiceRef};
use slicewise_traffic::routing::Client;

/// A Service under both versions.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServiceUpgrade<'a> {
    /// The Service.
    pub service: ServiceRef<'a>,
    /// What the old version would write now; `null` if it does not manage the Service.
    pub before: Option<PlannedWrites>,
    /// What the new version would write now.
    pub after: Option<PlannedWrites>,
    /// How the slices after the new version's plan differ from those after the old one's, by family. New slices are
    /// named by their prefix and a number.
    pub slices: Vec<ServiceDiff<'a>>,
    /// The ports whose traffic kube-proxy sends elsewhere after both plans are written.
    pub traffic: Vec<PortUpgrade>,
    /// Why that is not known, though it may change. Left out if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traffic_unknown: Option<&'static str>,
}

/// How many slices a plan writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct PlannedWrites {
    /// Slices that are created.
    pub create: usize,
    /// Slices that are updated.
    pub update: usize,
    /// Slices that are deleted.
    pub delete: usize,
    /// Slices that stay as they are.
    pub unchanged: usize,
}

impl PlannedWrites {
    fn of(plan: &Plan<'_>) -> Self {
        Self {
            create: plan.create.len(),
            update: plan.update.len(),
            delete: plan.delete.len(),
            unchanged: plan.unchanged.len(),
        }
    }
}

impl ServiceUpgrade<'_> {
    /// Does anything change for it, or may it?
    pub fn changes(&self) -> bool {
        self.before != self.after
            || !self.slices.is_empty()
            || !self.traffic.is_empty()
            || self.traffic_unknown.is_some()
    }
}

/// What is compared.
pub(crate) struct UpgradeInput<'s, 'i> {
    /// The options under both versions.
    pub(crate) options: &'i [Options<'i>; 2],
    /// The plans under both versions, of the same Services.
    pub(crate) plans: [&'s [Plan<'s>]; 2],
    pub(crate) slices: &'i SlicesByService<'s>,
    pub(crate) details: &'i ExplanationDetails<'i>,
    /// The nodes that requests come from.
    pub(crate) clients: &'i [Client<'i>],
}

/// The Services under both versions, sorted by namespace and name.
pub(crate) fn services<'s>(
    wanted: impl Iterator<Item = &'s Service<'s>>,
    input: &UpgradeInput<'s, '_>,
) -> Vec<ServiceUpgrade<'s>> {
    let [before, after] = input.plans;
    let pairs = before.iter().zip(after).map(|(before, after)| {
        let (namespace, name) = (&*before.service.namespace, &*before.service.name);
        ((namespace, name), [before, after])
    });
    let plans: SortedMap<(&str, &str), [&'s Plan<'s>; 2]> = pairs.collect();
    let wanted: SortedMap<NamespacedName, &Service<'_>> =
        wanted.map(|service| (service.key(), service)).collect();
    let compared = wanted.iter().map(|(_, service)| {
        let own: Vec<EndpointSlice<'_>> = input
            .slices
            .of(&service.full_name())
            .iter()
            .map(|(_, slice)| (*slice).clone())
            .collect();
        compared(service, plans.get(&service.full_name()), &own, input)
    });
    compared.collect()
}

fn compared<'s>(
    service: &Service<'s>,
    plans: Option<&[&'s Plan<'s>; 2]>,
    slices: &[EndpointSlice<'s>],
    input: &UpgradeInput<'s, '_>,
) -> ServiceUpgrade<'s> {
    let after = |number: usize| {
        let plan = plans.and_then(|plans| plans.get(number));
        plan.map_or_else(|| slices.to_vec(), |plan| plan.slices_after(slices))
    };
    let [old, new] = [after(0), after(1)];
    let writes = plans.map(|plans| plans.map(PlannedWrites::of));
    let proxied = input.details.service(&service.key());
    let traffic = proxied.map_or(Ok(Vec::new()), |proxied| {
        traffic(proxied, [&old, &new], input.options, input.clients)
    });
    ServiceUpgrade {
        service: ServiceRef {
            namespace: service.metadata.namespace.clone(),
            name: service.metadata.name.clone(),
        },
        before: writes.map(|[before, _]| before),
        after: writes.map(|[_, after]| after),
        slices: diff::diff(&old, &new),
        traffic_unknown: traffic.is_err().then_some(TOO_MUCH),
        traffic: traffic.unwrap_or_default(),
    }
}
