//! Tries changes: runs the planner again with another Service or other slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say::fix;
use super::scene::{Case, Scene};
use super::words::list;
use crate::glance::asking::asking;
use crate::glance::{ServiceContext, changes_to_count};
use slicewise::json;
use slicewise::model::order::hash;
use slicewise::model::{AddressType, EndpointSlice, Service, keys};
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::explanation::Fix;
use slicewise::plan::request::Options;
use slicewise::plan::{HintsMode, Plan, plan_service};
use slicewise::reconcile::packing::Packing;
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::ZoneShare;
use slicewise::words::percent;

/// The plan of another Service over the same objects, if it had no slices yet.
fn plan_with<T>(case: &Case<'_>, service: &Service<'_>, ask: impl FnOnce(&Plan<'_>) -> T) -> T {
    let plan = plan_service(
        service,
        case.selected.to_vec(),
        Vec::new(),
        case.endpoints,
        case.cluster.index,
        case.options,
        ServiceHints::default(),
        None,
    );
    ask(&plan)
}

/// The number of slices the Service would have if it had only these.
pub(super) fn slices_from(case: &Case<'_>, slices: &[&EndpointSlice<'_>]) -> usize {
    slices_with(case, slices, case.options)
}

/// The number of slices that the packing `compact` would leave of these.
pub(super) fn slices_packed(case: &Case<'_>, slices: &[&EndpointSlice<'_>]) -> usize {
    let mut options = case.options.clone();
    options.packing = Some(Packing::Compact);
    slices_with(case, slices, &options)
}

fn slices_with(case: &Case<'_>, slices: &[&EndpointSlice<'_>], options: &Options<'_>) -> usize {
    let plan = plan_service(
        case.service,
        case.selected.to_vec(),
        slices.to_vec(),
        case.endpoints,
        case.cluster.index,
        options,
        case.hints.clone(),
        None,
    );
    plan.stats.slices
}

/// The effect of `trafficDistribution` instead of the annotation, from the planner.
pub(super) fn traffic_fix(scene: &Scene<'_>, family: AddressType) -> Option<Fix> {
    let case = scene.case;
    let mut values = [HintsMode::PreferSameZone, HintsMode::PreferClose].into_iter();
    let (value, change, effect) = values.find_map(|value| {
        let effect = |plan: &Plan<'_>| effect_if_close(scene, plan, family);
        let asking = asking(case.service, value);
        let effect = plan_with(case, &asking.service, effect);
        Some((value.as_str(), asking.change, effect?))
    })?;
    let annotated = [
        keys::TOPOLOGY_AWARE_HINTS_ANNOTATION,
        keys::TOPOLOGY_MODE_ANNOTATION,
    ]
    .into_iter()
    .filter(|key| case.service.metadata.annotations.contains_key(*key));
    let annotated: Vec<&str> = annotated.collect();
    let words = if annotated.is_empty() {
        format!("set spec.trafficDistribution: {value}")
    } else {
        format!(
            "remove the annotation {} and set spec.trafficDistribution: {value}",
            list(&annotated)
        )
    };
    Some(fix(words, effect?).by([change]))
}

/// The changes that lead to a number of ready endpoints, if `Auto` hints are then set.
pub(super) fn to_count(scene: &Scene<'_>, family: AddressType, count: i64) -> Vec<SuggestedChange> {
    let case = scene.case;
    let view = ServiceContext {
        service: case.service,
        pods: scene.pods.to_vec(),
        slices: case.slices.to_vec(),
        endpoints: case.endpoints,
        nodes: case.cluster.nodes,
        index: case.cluster.index,
        options: case.options,
        hints: case.hints,
        proxied: None,
    };
    changes_to_count(&view, family, count)
}

/// The effect of a plan in words, if there is one; `None` if traffic does not stay close.
fn effect_if_close(
    scene: &Scene<'_>,
    plan: &Plan<'_>,
    family: AddressType,
) -> Option<Option<String>> {
    let mut reports = plan.hints.iter();
    let report = reports.find(|report| report.address_type == family)?;
    if !matches!(
        report.mode,
        HintsMode::PreferSameZone | HintsMode::PreferClose
    ) {
        return None;
    }
    let slices = plan.create.iter();
    let slices = slices.filter(|slice| slice.address_type == family.as_str());
    let endpoints = slices.flat_map(|slice| &slice.endpoints);
    let ready = endpoints.filter(|endpoint| endpoint.is_ready());
    let zones: Vec<Option<&str>> = ready.map(|endpoint| endpoint.zone.as_deref()).collect();
    Some(effect_of_traffic(scene, &zones))
}

/// Would another Service get different slices, if both were planned from scratch?
pub(super) fn makes_a_difference(scene: &Scene<'_>, changed: &Service<'_>) -> bool {
    let case = scene.case;
    planned(case, case.service, case.options) != planned(case, changed, case.options)
}

/// Would a topology cache make a difference?
pub(super) fn topology_cache(scene: &Scene<'_>) -> bool {
    let case = scene.case;
    let mut options = case.options.clone();
    options.topology_hints = Some(true);
    planned(case, case.service, case.options) != planned(case, case.service, &options)
}

/// The slices of a Service that has none yet, as hashes of their JSON: large Services have many endpoints.
fn planned(case: &Case<'_>, service: &Service<'_>, options: &Options<'_>) -> Vec<u64> {
    let plan = plan_service(
        service,
        case.selected.to_vec(),
        Vec::new(),
        case.endpoints,
        case.cluster.index,
        options,
        ServiceHints::default(),
        None,
    );
    let json = plan.create.iter().map(json::write::to_vec);
    json.map(|json| hash(&[&json.unwrap_or_default()]))
        .collect()
}

/// Would `PreferSameNode` take effect if it were set and nothing else changed?
pub(super) fn gives_node_hints(scene: &Scene<'_>, family: AddressType) -> bool {
    let mut service = scene.case.service.clone();
    service.spec.traffic_distribution = Some("PreferSameNode".into());
    plan_with(scene.case, &service, |plan| {
        let mut reports = plan.hints.iter();
        reports
            .any(|report| report.address_type == family && report.mode == HintsMode::PreferSameNode)
    })
}

/// The effect, given the zones of the ready endpoints.
fn effect_of_traffic(scene: &Scene<'_>, zones: &[Option<&str>]) -> Option<String> {
    let known: Vec<&str> = zones.iter().copied().flatten().collect();
    if known.len() < zones.len() {
        // kube-proxy would ignore all zone hints.
        return None;
    }
    let mut effect = "every ready endpoint is hinted to its own zone, regardless of their number and the nodes' CPU; a zone without one uses all others".to_string();
    if let Some((zone, times)) = scene
        .nodes()
        .zone_shares()
        .and_then(|shares| worst(shares, &known))
    {
        effect.push_str(&format!(
            ". Nothing then prevents overload: if traffic is proportional to CPU, an endpoint in {zone} gets {times:.2} times the average"
        ));
    }
    Some(effect)
}

/// The zone whose endpoints would get the most traffic if it were proportional to CPU and stayed in its zone, if that
/// is more than the 20 % above average that the allocation allows.
pub(super) fn worst<'s>(shares: &[ZoneShare<'s>], zones: &[&str]) -> Option<(&'s str, f64)> {
    let total = zones.len() as f64;
    let load = |share: &ZoneShare<'s>| {
        let own = zones.iter().filter(|zone| **zone == share.zone).count();
        (own > 0).then(|| (share.zone, share.cpu_ratio * total / own as f64))
    };
    let worst = shares.iter().filter_map(load);
    let worst = worst.reduce(|worst, next| if next.1 > worst.1 { next } else { worst })?;
    let most = 1.0 + slicewise::topology::allocation::OVERLOAD_THRESHOLD;
    (worst.1 > most + 1e-9).then_some(worst)
}

/// The effect of requesting `Auto`, in words, from the planner, and the change. An error says why it would have none.
pub(super) fn auto_effect(
    scene: &Scene<'_>,
    family: AddressType,
) -> Option<Result<(String, SuggestedChange), String>> {
    let case = scene.case;
    let asking = asking(case.service, HintsMode::Auto);
    plan_with(case, &asking.service, |plan| {
        let mut reports = plan.hints.iter();
        let report = reports.find(|report| report.address_type == family)?;
        if report.mode != HintsMode::Auto {
            return None;
        }
        Some(match &report.reason {
            Some(reason) => Err(reason.clone()),
            None => {
                let zone = |zone: &slicewise::plan::ZoneReport<'_>| {
                    let given = zone.allocated.unwrap_or_default();
                    format!(
                        "{given} to {} ({} of CPU)",
                        zone.zone,
                        percent(zone.cpu_ratio, 1)
                    )
                };
                let zones: Vec<String> = report.zones.iter().map(zone).collect();
                let effect = format!("hints would be set: {}", list(&zones));
                Ok((effect, asking.change))
            }
        })
    })
}
