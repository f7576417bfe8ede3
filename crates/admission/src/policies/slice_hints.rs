//! `slice-hints`: hints that consumers can follow, on all endpoints or none, and the same as the plan would assign.
//!
//! kube-proxy follows the hints of a Service only if every ready endpoint has one (KEP-2433): a single endpoint without
//! a hint disables all of them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{CONTROL_PLANE, not_checked};
use crate::context::ClusterView;
use crate::forecast::{RequestedRouting, HintForecast};
use crate::objects::{ReviewedEndpoint, ReviewedName, ReviewedSlice};
use crate::request::{Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::unread::PolicyConcern;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use slicewise::model::order::sorted_unique;
use slicewise::model::text::shorten;
use slicewise::model::kind::Kind;

policy_settings! {
    /// Settings of `slice-hints`.
    Settings("settings of slice-hints") {}
    // They write the slices of a Service one after the other.
    exempt CONTROL_PLANE;
}

/// Judges the hints of an EndpointSlice that is created or changed.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::EndpointSlice(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let Some(slice) = change.after() else {
        return PolicyVerdict::allow();
    };
    let is_as_before =
        |old: &ReviewedSlice<'_>| old.has_shape_of(slice) && hints_of(old).eq(hints_of(slice));
    if change.before().is_some_and(is_as_before) {
        return PolicyVerdict::allow();
    }
    let mut findings = Vec::new();
    let hinted = slice
        .endpoints
        .iter()
        .filter(|endpoint| has_zone(endpoint))
        .count();
    let ready = slice.endpoints.iter().filter(|endpoint| is_ready(endpoint));
    let bare = ready.filter(|endpoint| !has_zone(endpoint)).count();
    if hinted > 0 && bare > 0 {
        let message = format!(
            "{bare} of {} endpoints have no zone hint, so kube-proxy follows none of them; hint all that are ready, or none",
            slice.endpoints.len()
        );
        findings.push(warn("partial", "endpoints".into(), message));
    }
    let has_hints = hints_of(slice).any(|(zones, nodes)| !zones.is_empty() || !nodes.is_empty());
    if !has_hints {
        return findings.into_iter().collect();
    }
    let nodes = PolicyConcern::Nodes { but: "" };
    let knows = cluster.knows(&[Kind::Node]);
    match knows.and_then(|()| cluster.has_read(nodes)) {
        Ok(()) => check_names(slice, cluster, &mut findings),
        Err(why) => {
            let what = "hints were not compared with the cluster's zones and nodes";
            findings.extend(not_checked(settings.when_stale, &why, what));
            return findings.into_iter().collect();
        }
    }
    if hinted > 0 {
        check_service(slice, cluster, &mut findings);
    }
    findings.into_iter().collect()
}

type EndpointHintNames<'s> = (&'s [ReviewedName<'s>], &'s [ReviewedName<'s>]);

fn hints_of<'s>(slice: &'s ReviewedSlice<'s>) -> impl Iterator<Item = EndpointHintNames<'s>> {
    let endpoints = slice.endpoints.iter();
    endpoints.map(|endpoint| (&*endpoint.hints.for_zones, &*endpoint.hints.for_nodes))
}

fn has_zone(endpoint: &ReviewedEndpoint<'_>) -> bool {
    !endpoint.hints.for_zones.is_empty()
}

fn is_ready(endpoint: &ReviewedEndpoint<'_>) -> bool {
    endpoint.conditions.ready != Some(false)
}

/// Hinted zones and nodes must exist. Each missing one is reported once.
fn check_names(slice: &ReviewedSlice<'_>, cluster: &ClusterView<'_>, findings: &mut Vec<Finding>) {
    let endpoints = || slice.endpoints.iter().enumerate();
    let named = |list: fn(&ReviewedEndpoint<'_>) -> Vec<String>| {
        let names = endpoints().flat_map(move |(number, endpoint)| {
            list(endpoint).into_iter().map(move |name| (name, number))
        });
        let mut names = sorted_unique(names);
        names.dedup_by(|(later, _), (name, _)| later == name);
        names
    };
    for (zone, number) in named(|endpoint| names(&endpoint.hints.for_zones)) {
        if !cluster.has_zone(&zone) {
            let message = format!(
                "no node is in zone {}, so the hint has no effect; name a zone that has nodes",
                shorten(&zone)
            );
            findings.push(warn(
                "unknown-zone",
                format!("endpoints[{number}].hints.forZones"),
                message,
            ));
        }
    }
    for (node, number) in named(|endpoint| names(&endpoint.hints.for_nodes)) {
        if cluster.zone_of_node(&node).is_none() {
            let message = format!(
                "node {} does not exist, so the hint has no effect; name an existing node",
                shorten(&node)
            );
            findings.push(warn(
                "unknown-node",
                format!("endpoints[{number}].hints.forNodes"),
                message,
            ));
        }
    }
}

fn names(hints: &[ReviewedName<'_>]) -> Vec<String> {
    hints.iter().map(|hint| hint.name.as_str().into()).collect()
}

/// The hints of a slice only count together with those of its siblings, and the Service must request them.
fn check_service(slice: &ReviewedSlice<'_>, cluster: &ClusterView<'_>, findings: &mut Vec<Finding>) {
    let knows = |kind| cluster.knows(&[kind]).is_ok();
    let service = slice.service_name().filter(|_| knows(Kind::Service));
    let Some(service) = service.and_then(|name| cluster.service(name)) else {
        return;
    };
    let name = &service.metadata.name;
    let has_read = cluster.has_read(PolicyConcern::Slices {
        of: name,
        but: &slice.metadata.name,
    });
    let knows_siblings = knows(Kind::EndpointSlice) && has_read.is_ok();
    let siblings = knows_siblings.then(|| cluster.slices(name));
    let bare = siblings.iter().flatten().find(|sibling| {
        let is_other = sibling.head.metadata.name != slice.metadata.name;
        let is_of_family = *sibling.head.address_type == *slice.address_type;
        is_other && is_of_family && !sibling.is_empty() && sibling.hinted() == 0
    });
    if let Some(bare) = bare {
        let message = format!(
            "EndpointSlice {} of the same Service has no hints, so kube-proxy follows none; hint all slices of a family, or none",
            bare.head.metadata.name
        );
        findings.push(warn("partial", "endpoints".into(), message));
    }
    if !service.is_reconciled() || !knows(Kind::Pod) {
        return;
    }
    let forecast = cluster.with_nodes(|nodes| HintForecast::of(service, cluster, nodes));
    let family = forecast
        .iter()
        .find(|family| slice.address_type == family.address_type.as_str());
    let Some(family) = family.filter(|family| !family.is_given) else {
        return;
    };
    let why = match (&family.asked, &family.why_not) {
        (RequestedRouting::Nothing, _) | (_, None) => format!(
            "Service {name} does not request hints; set its trafficDistribution, or leave them out"
        ),
        (_, Some(why)) => format!("Service {name} currently gets no hints: {why}"),
    };
    findings.push(warn("against-plan", "endpoints".into(), why));
}

fn warn(rule: &'static str, field: String, message: String) -> Finding {
    Finding::warn(rule, CauseType::FieldValueInvalid, field, message)
}

#[cfg(test)]
mod tests;
