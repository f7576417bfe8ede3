//! Outcome → Plan: drafts become whole slices, in a defined order, each with its reasons.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::endpoints;
use super::figures::FamilyFigures;
use super::{
    HintsMode, HintsReport, Plan, PlanError, PlanErrorCode, Reason, SliceRef, Stats, ZoneReport,
};
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::order::sort_by;
use crate::model::{EndpointSlice, ObjectMeta, PodFacts, Service, StringMap, Timestamp, keys};
use crate::reconcile::desired::desired;
use crate::reconcile::draft::Draft;
use crate::reconcile::existing::{ComparedSlice, Existing};
use crate::reconcile::hints::DecidingRule;
use crate::reconcile::{FamilyOutcome, Input, Outcome, address_types, reconcile, slice};
use crate::topology::cache::ServiceHints;
use crate::traffic_distribution::TrafficDistribution;

/// Plans one Service: [`reconcile`], then builds whole objects.
pub fn plan<'a>(
    input: &Input<'a>,
    hints: ServiceHints,
    trigger_time: Option<Timestamp>,
) -> Plan<'a> {
    plan_and_compare(input, hints, trigger_time).0
}

/// Plans one Service as [`plan`] does, and returns the comparison of the open slices, by family, port group and name.
pub fn plan_and_compare<'a>(
    input: &Input<'a>,
    hints: ServiceHints,
    trigger_time: Option<Timestamp>,
) -> (Plan<'a>, Vec<ComparedSlice<'a>>) {
    let builder = Builder {
        service: input.service,
        max: input.settings.max_endpoints_per_slice.get(),
        trigger_time,
    };
    let desired = desired(input, &address_types(input.service));
    let mut outcome = reconcile(input, &desired, hints);
    let families = outcome.families.iter_mut();
    let compared = families.flat_map(|family| core::mem::take(&mut family.compared));
    let compared = compared.collect();
    (builder.build(outcome, &desired.missing_nodes), compared)
}

struct Builder<'a> {
    service: &'a Service<'a>,
    max: usize,
    trigger_time: Option<Timestamp>,
}

impl<'a> Builder<'a> {
    fn build(&self, outcome: Outcome<'_, 'a>, missing_nodes: &[PodFacts<'a>]) -> Plan<'a> {
        let mut plan = Plan::nothing(self.service, outcome.hints);
        plan.errors = missing_nodes
            .iter()
            .map(|pod| self.missing_node(pod))
            .collect();
        plan.requeue = !plan.errors.is_empty();
        for family in outcome.families {
            self.add_family(&mut plan, family);
        }
        for unwanted in outcome.unwanted {
            plan.reasons.insert(
                unwanted.name().to_owned(),
                vec![Reason::AddressTypeNotWanted],
            );
            plan.delete.push(slice_ref(unwanted));
        }
        sort_by(&mut plan.update, |a, b| a.name().cmp(b.name()));
        sort_by(&mut plan.delete, |a, b| a.name.cmp(&b.name));
        plan
    }

    fn add_family(&self, plan: &mut Plan<'a>, family: FamilyOutcome<'_, 'a>) {
        self.count(&mut plan.stats, &family);
        let report = hints_report(&family);
        plan.figures.add(FamilyFigures {
            address_type: family.address_type,
            mode: report.mode,
            added: family.added,
            removed: family.removed,
            held_back: family.held_back,
            groups: family.efficiency,
        });
        plan.hints.push(report);
        plan.events.extend(family.hints.events);
        plan.unchanged
            .add(family.unchanged.iter().map(Existing::name_text));
        let groups = family.whole.into_iter();
        let names = groups.filter_map(|group| group.source.names(group.number));
        plan.unchanged.add_known(names);
        for draft in &family.create {
            plan.reasons
                .insert(format!("create/{}", plan.create.len()), reasons(draft));
            plan.create.push(self.slice(draft));
        }
        for draft in &family.update {
            plan.reasons.insert(draft.name().to_owned(), reasons(draft));
            plan.update.push(self.slice(draft));
        }
        for emptied in family.emptied {
            let reason = vec![Reason::EndpointsMoved];
            plan.reasons.insert(emptied.name().to_owned(), reason);
            plan.delete.push(slice_ref(emptied));
        }
        for doomed in family.delete {
            let reason = if slice::is_owned_by(doomed, self.service) {
                Reason::NoLongerWanted
            } else {
                Reason::NotOwned
            };
            plan.reasons.insert(doomed.name().to_owned(), vec![reason]);
            plan.delete.push(slice_ref(doomed));
        }
    }

    fn count(&self, stats: &mut Stats, family: &FamilyOutcome<'_, '_>) {
        let desired: usize = family
            .efficiency
            .iter()
            .map(|group| group.endpoints.div_ceil(self.max))
            .sum();
        stats.endpoints += family
            .efficiency
            .iter()
            .map(|group| group.endpoints)
            .sum::<usize>();
        stats.slices += family
            .efficiency
            .iter()
            .map(|group| group.slices)
            .sum::<usize>();
        stats.desired_slices += desired.max(1);
        stats.added += family.added;
        stats.removed += family.removed;
    }

    fn missing_node(&self, pod: &PodFacts<'a>) -> PlanError<'a> {
        let (service, pod_name) = (&self.service.metadata, pod.name);
        let message = format!(
            "skipping Pod {pod_name} for Service {}/{}: Node {} Not Found",
            service.namespace, service.name, pod.node_name
        );
        PlanError {
            code: PlanErrorCode::NodeNotFound,
            pod: pod_name.into(),
            message,
        }
    }

    /// The whole object for a draft.
    fn slice(&self, draft: &Draft<'_, 'a>) -> EndpointSlice<'a> {
        let base = draft.base;
        let is_made_anew = base.is_none() || draft.recycled;
        EndpointSlice {
            api_version: API_VERSION.into(),
            kind: KIND.into(),
            metadata: self.metadata(draft, is_made_anew),
            address_type: draft.address_type.as_str().into(),
            endpoints: endpoints::of(draft),
            ports: match base {
                Some(base) if !is_made_anew => base.ports.clone(),
                _ => draft.ports.clone(),
            },
            unknown: base.map(|base| base.unknown.clone()).unwrap_or_default(),
        }
    }

    fn metadata(&self, draft: &Draft<'_, 'a>, is_made_anew: bool) -> ObjectMeta<'a> {
        let mut metadata = draft
            .base
            .map(|base| base.metadata.clone())
            .unwrap_or_default();
        if let Some(labels) = &draft.labels {
            metadata.labels = labels.clone();
        }
        if is_made_anew {
            metadata.generate_name = slice::generate_name(&self.service.metadata.name).into();
            metadata.namespace = self.service.metadata.namespace.clone();
            metadata.owner_references = vec![slice::owner_reference(self.service)];
        }
        self.stamp(&mut metadata.annotations);
        metadata
    }

    fn stamp(&self, annotations: &mut StringMap<'a>) {
        if let Some(time) = self.trigger_time.filter(|time| !time.is_zero()) {
            annotations.insert(
                keys::TRIGGER_TIME_ANNOTATION.into(),
                time.to_string().into(),
            );
        } else {
            annotations.remove(keys::TRIGGER_TIME_ANNOTATION);
        }
    }
}

fn slice_ref<'a>(slice: &EndpointSlice<'a>) -> SliceRef<'a> {
    SliceRef {
        name: slice.metadata.name.clone(),
        uid: slice.metadata.uid.clone(),
        resource_version: slice.metadata.resource_version.clone(),
        address_type: slice.address_type.clone(),
    }
}

fn reasons(draft: &Draft<'_, '_>) -> Vec<Reason> {
    let why = draft.reasons;
    let made = match (draft.base.is_none() || draft.recycled, draft.is_empty()) {
        (true, true) => Some(Reason::Placeholder),
        (true, false) => Some(Reason::NewEndpoints),
        (false, _) => None,
    };
    let changed = [
        (draft.recycled, Reason::Recycled),
        (why.endpoints, Reason::EndpointsChanged),
        (why.filled && made.is_none(), Reason::EndpointsAdded),
        (why.labels, Reason::LabelsChanged),
        (why.hints, Reason::HintsChanged),
    ];
    made.into_iter()
        .chain(
            changed
                .into_iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, reason)| reason),
        )
        .collect()
}

fn hints_report<'a>(family: &FamilyOutcome<'_, 'a>) -> HintsReport<'a> {
    let hints = &family.hints;
    let mode = match hints.mode {
        DecidingRule::None => HintsMode::None,
        DecidingRule::Auto => HintsMode::Auto,
        DecidingRule::Traffic(TrafficDistribution::PreferClose) => HintsMode::PreferClose,
        DecidingRule::Traffic(TrafficDistribution::PreferSameZone) => HintsMode::PreferSameZone,
        DecidingRule::Traffic(TrafficDistribution::PreferSameNode) => HintsMode::PreferSameNode,
    };
    let applied = mode != HintsMode::None && hints.disabled.is_none();
    let zones = hints.allocations.iter().map(|allocation| ZoneReport {
        zone: allocation.share.zone.into(),
        cpu_ratio: allocation.share.cpu_ratio,
        desired: allocation.proportional,
        minimum: allocation.minimum,
        maximum: allocation.maximum,
        allocated: applied.then(|| {
            hints
                .allocated
                .get(allocation.share.zone)
                .copied()
                .unwrap_or_default()
        }),
    });
    HintsReport {
        address_type: family.address_type,
        mode,
        applied,
        reason: hints
            .disabled
            .map(crate::topology::events::Disabled::message),
        zones: zones.collect(),
    }
}
