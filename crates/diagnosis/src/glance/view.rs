//! A Service over some objects: asks the planner, and keeps the relevant parts of its answer.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;

use slicewise::model::{AddressType, EndpointSlice, Node, Pod, Service};
use slicewise::plan::request::Options;
use slicewise::plan::{HintsMode, Plan, Stats, belongs, is_selected, plan_service};
use slicewise::reconcile::desired::StaticEndpoint;
use slicewise::topology::allocation::allocate;
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::events::Disabled;
use slicewise::topology::nodes::{NodeFacts, NodeIndex};

/// A Service and what its plan depends on.
#[derive(Clone)]
#[non_exhaustive]
pub struct ServiceContext<'v> {
    /// The Service.
    pub service: &'v Service<'v>,
    /// Pods of its namespace.
    pub pods: Vec<&'v Pod<'v>>,
    /// Slices that name it.
    pub slices: Vec<&'v EndpointSlice<'v>>,
    /// Endpoints that are not pods.
    pub endpoints: &'v [StaticEndpoint<'v>],
    /// All nodes.
    pub nodes: &'v [Node<'v>],
    /// The same, indexed for plans.
    pub index: &'v NodeIndex<'v>,
    /// The options of the plan.
    pub options: &'v Options<'v>,
    /// The state of hints before the plan.
    pub hints: &'v ServiceHints,
    /// The Service as consumers that route its traffic see it, if that is requested.
    pub proxied: Option<&'v slicewise_traffic::proxy::ProxiedService<'v>>,
}

/// A zone and its share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZoneOutcome {
    pub(super) zone: String,
    pub(super) cpu_ratio: Option<f64>,
    pub(super) desired: Option<f64>,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
    pub(super) allocated: Option<i64>,
    pub(super) is_rounded_up: bool,
    /// Ready endpoints in the zone.
    pub(super) ready: i64,
}

/// The outcome for a Service in one family.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FamilyResult {
    pub(super) family: AddressType,
    pub(super) mode: HintsMode,
    pub(super) applied: bool,
    pub(super) reason: Option<String>,
    pub(super) disabled: Option<Disabled>,
    pub(super) zones: Vec<ZoneOutcome>,
    pub(super) ready: i64,
    /// Ready endpoints without a zone.
    pub(super) unzoned: i64,
    /// The pods behind ready endpoints.
    pub(super) ready_pods: Vec<String>,
    pub(super) selected: usize,
    pub(super) had_hints: bool,
    /// Slices created, updated, deleted and unchanged.
    pub(super) writes: [usize; 4],
    pub(super) stats: Stats,
    /// Endpoints added and removed, in all families.
    pub(super) moves: [usize; 2],
    pub(super) requeue: bool,
    /// Pods that are left out.
    pub(super) left_out: Vec<String>,
    /// The share of traffic that crosses zones once the plan is written.
    pub(super) cross_zone: Option<f64>,
}

impl FamilyResult {
    /// Is there anything to write?
    pub(super) const fn has_writes(&self) -> bool {
        let [created, updated, deleted, _] = self.writes;
        created + updated + deleted > 0
    }
}

impl ServiceContext<'_> {
    /// Plans the Service and views one family, by default the first one of the plan.
    pub(super) fn outcome(&self, family: Option<AddressType>) -> FamilyResult {
        let plan = plan_service(
            self.service,
            self.pods.clone(),
            self.slices.clone(),
            self.endpoints,
            self.index,
            self.options,
            self.hints.clone(),
            None,
        );
        self.outcome_of(&plan, family)
    }

    /// The same for an existing plan.
    pub(super) fn outcome_of(&self, plan: &Plan<'_>, family: Option<AddressType>) -> FamilyResult {
        let mut reports = plan.hints.iter();
        let report = match family {
            Some(family) => reports.find(|report| report.address_type == family),
            None => reports.next(),
        };
        let family = report.map_or(family, |report| Some(report.address_type));
        let family = family.unwrap_or(AddressType::IPv4);
        let of_family = |slice: &&EndpointSlice<'_>| slice.address_type == family.as_str();
        let managed_by = self.options.settings().managed_by;
        let own = self.slices.iter().copied();
        let own = own.filter(|slice| belongs(slice, self.service, managed_by));
        let own: Vec<&EndpointSlice<'_>> = own.collect();
        let moves = moves(&own, plan);
        let own: Vec<&EndpointSlice<'_>> = own.into_iter().filter(of_family).collect();
        let stays = |slice: &&EndpointSlice<'_>| plan.unchanged.contains(slice.name());
        let left = own.iter().copied().filter(stays);
        let written = plan.update.iter().chain(&plan.create).filter(of_family);
        let ready = left.chain(written).flat_map(|slice| &slice.endpoints);
        let ready: Vec<_> = ready.filter(|endpoint| endpoint.is_ready()).collect();
        let zone_of = |endpoint: &&slicewise::model::Endpoint<'_>| {
            let zone = endpoint.zone.as_deref().unwrap_or_default();
            zone.to_string()
        };
        let mut in_zones: Vec<String> = ready.iter().map(zone_of).collect();
        slicewise::model::order::sort(&mut in_zones);
        let ready_count = ready.len() as i64;
        let mode = report.map_or(HintsMode::None, |report| report.mode);
        let disabled = match (mode, report.is_some_and(|report| report.applied)) {
            (HintsMode::Auto, false) => {
                let by_number = allocate(self.index.zone_shares(), ready_count).1;
                Some(by_number.unwrap_or(Disabled::NoZoneSpecified))
            }
            _ => None,
        };
        let pod_of = |endpoint: &&slicewise::model::Endpoint<'_>| {
            let target = endpoint.target_ref.as_ref();
            target.map(|target| target.name.to_string())
        };
        let mut had_hints = own.iter().flat_map(|slice| &slice.endpoints);
        FamilyResult {
            family,
            mode,
            applied: report.is_some_and(|report| report.applied),
            reason: report.and_then(|report| report.reason.clone()),
            disabled,
            zones: self.zones(plan, family, &in_zones),
            ready: ready_count,
            unzoned: in_zones.iter().filter(|zone| zone.is_empty()).count() as i64,
            ready_pods: ready.iter().filter_map(pod_of).collect(),
            selected: self.selected().count(),
            had_hints: had_hints.any(|endpoint| endpoint.hints.is_some()),
            writes: [
                plan.create.len(),
                plan.update.len(),
                plan.delete.len(),
                plan.unchanged.len(),
            ],
            stats: plan.stats,
            moves,
            requeue: plan.requeue,
            left_out: plan
                .errors
                .iter()
                .map(|error| error.pod.to_string())
                .collect(),
            cross_zone: self.cross_zone_after(plan, family),
        }
    }

    /// Zones with nodes or ready endpoints, with their shares where they are known.
    fn zones(&self, plan: &Plan<'_>, family: AddressType, in_zones: &[String]) -> Vec<ZoneOutcome> {
        let shares = self.index.zone_shares().unwrap_or_default();
        let nodes = self.nodes.iter().map(NodeFacts::of);
        let of_nodes = nodes.filter(NodeFacts::counts).filter_map(|node| node.zone);
        let all = in_zones.iter().map(String::as_str).chain(of_nodes);
        let all = slicewise::model::order::sorted_unique(all.filter(|zone| !zone.is_empty()));
        let report = plan
            .hints
            .iter()
            .find(|report| report.address_type == family);
        let owed = report.map_or(&[][..], |report| &report.zones);
        let zone = |name: &str| {
            let owed = owed.iter().find(|owed| owed.zone == *name);
            let share = shares.iter().find(|share| share.zone == name);
            let allocation = share.and_then(|_| {
                let (allocations, _) = allocate(Some(shares), in_zones.len() as i64);
                allocations
                    .into_iter()
                    .find(|other| other.share.zone == name)
            });
            ZoneOutcome {
                zone: name.to_string(),
                cpu_ratio: share.map(|share| share.cpu_ratio),
                desired: owed.map(|owed| owed.desired),
                minimum: owed.map(|owed| owed.minimum),
                maximum: owed.map(|owed| owed.maximum),
                allocated: owed.and_then(|owed| owed.allocated),
                is_rounded_up: owed.is_some()
                    && allocation.is_some_and(|zone| zone.is_rounded_up()),
                ready: in_zones.iter().filter(|zone| *zone == name).count() as i64,
            }
        };
        all.into_iter().map(zone).collect()
    }

    /// Pods that the Service selects.
    pub(super) fn selected(&self) -> impl Iterator<Item = &Pod<'_>> {
        let is_its = |pod: &&Pod<'_>| is_selected(pod, self.service);
        self.pods.iter().copied().filter(is_its)
    }
}

/// The endpoints that a plan adds and removes: those with an address on one side only. The plan's own figures count as
/// the reference's metrics do, which leave out slices that are deleted whole.
fn moves(own: &[&EndpointSlice<'_>], plan: &Plan<'_>) -> [usize; 2] {
    let goes = |slice: &&&EndpointSlice<'_>| !plan.unchanged.contains(slice.name());
    let before = addresses(own.iter().filter(goes).copied());
    let after = addresses(plan.update.iter().chain(&plan.create));
    let (mut added, mut removed) = (0, 0);
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let order = match (before.peek(), after.peek()) {
            (Some(one), Some(other)) => one.cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return [added, removed],
        };
        if order.is_le() {
            before.next();
        }
        if order.is_ge() {
            after.next();
        }
        removed += usize::from(order.is_lt());
        added += usize::from(order.is_gt());
    }
}

/// The first address of each endpoint, sorted.
fn addresses<'s>(slices: impl Iterator<Item = &'s EndpointSlice<'s>>) -> Vec<&'s str> {
    let endpoints = slices.flat_map(|slice| &slice.endpoints);
    let first = endpoints.map(|endpoint| endpoint.addresses.first().map_or("", |first| &**first));
    let mut addresses: Vec<&str> = first.collect();
    slicewise::model::order::sort(&mut addresses);
    addresses
}
