//! The endpoints of a slice that is written: the desired over the existing ones, with the hints of the draft's rule.

use alloc::vec::Vec;

use crate::model::endpoint_set::{DesiredEndpoint, EndpointTarget};
use crate::model::prefetch::prefetch_after;
use crate::model::unknown::Unknown;
use crate::model::{
    Endpoint, EndpointConditions, EndpointHints, Few, NameRef, ObjectReference, StringMap, Text, ip,
};
use crate::reconcile::draft::{Before, Draft, DraftEndpoint, DraftEndpoints, DraftHints};
use crate::reconcile::hint_facts::EndpointView;

/// The endpoints of a draft.
pub(super) fn of<'a>(draft: &Draft<'_, 'a>) -> Vec<Endpoint<'a>> {
    match &draft.endpoints {
        DraftEndpoints::AsBase => {
            let with_hints = |(position, endpoint): (usize, &'a Endpoint<'a>)| {
                kept(endpoint, &draft.hints, position)
            };
            draft
                .base_endpoints()
                .iter()
                .enumerate()
                .map(with_hints)
                .collect()
        }
        DraftEndpoints::List(list) => {
            let mut endpoints = Vec::with_capacity(list.len());
            for (position, placed) in list.iter().enumerate() {
                prefetch_after(list, position);
                let rule = &draft.hints;
                endpoints.push(match placed {
                    DraftEndpoint::Kept(endpoint) => kept(endpoint, rule, position),
                    DraftEndpoint::Set(desired, before) => set(desired, *before, rule, position),
                    DraftEndpoint::Confirmed(endpoint) => {
                        let hints = |view| hints(rule, view, position, None);
                        endpoint.push(&hints, &mut endpoints);
                        continue;
                    }
                });
            }
            endpoints
        }
    }
}

fn kept<'a>(endpoint: &'a Endpoint<'a>, rule: &DraftHints<'a>, position: usize) -> Endpoint<'a> {
    let view = EndpointView::existing(endpoint);
    // Field by field, so that hints are not copied just to be dropped.
    Endpoint {
        addresses: endpoint.addresses.clone(),
        conditions: endpoint.conditions.clone(),
        hostname: endpoint.hostname.clone(),
        target_ref: endpoint.target_ref.clone(),
        deprecated_topology: endpoint.deprecated_topology.clone(),
        node_name: endpoint.node_name.clone(),
        zone: endpoint.zone.clone(),
        hints: hints(rule, view, position, endpoint.hints.as_ref()),
        unknown: endpoint.unknown.clone(),
    }
}

fn set<'a>(
    desired: &DesiredEndpoint<'a>,
    before: Option<Before<'a>>,
    rule: &DraftHints<'a>,
    position: usize,
) -> Endpoint<'a> {
    let text = |address| Text::from(ip::to_text(&address));
    let unknown = before.and_then(|before| before.unknown);
    let mut endpoint = Endpoint {
        addresses: match (desired.addresses.only(), before) {
            (Some(_), Some(before)) => Few::One(before.address.into()),
            (Some(address), None) => Few::One(text(address)),
            (None, _) => desired.addresses.iter().map(text).collect(),
        },
        conditions: EndpointConditions {
            ready: desired.ready,
            serving: desired.serving,
            terminating: desired.terminating,
            unknown: unknown
                .map(|before| before.conditions.unknown.clone())
                .unwrap_or_default(),
        },
        hostname: desired.hostname.map(Text::from),
        // Below, in its place: as an expression with two results, it would be copied by way of the stack.
        target_ref: None,
        deprecated_topology: StringMap::default(),
        hints: hints(rule, EndpointView::desired(desired), position, None),
        node_name: desired.node_name.map(Text::from),
        zone: desired.zone.map(Text::from),
        unknown: unknown
            .map(|before| before.unknown.clone())
            .unwrap_or_default(),
    };
    match desired.target {
        EndpointTarget::Reference(reference) => endpoint.target_ref = reference.cloned(),
        EndpointTarget::Pod {
            namespace,
            name,
            uid,
        } => {
            endpoint.target_ref = Some(ObjectReference {
                kind: "Pod".into(),
                namespace: namespace.into(),
                name: name.into(),
                uid: uid.into(),
                unknown: unknown
                    .and_then(|before| before.target_ref.as_ref())
                    .map(|target| target.unknown.clone())
                    .unwrap_or_default(),
                ..ObjectReference::default()
            });
        }
    }
    endpoint
}

/// The hints of an endpoint by the draft's rule. Endpoints that are not ready keep theirs, unless all hints are
/// removed.
fn hints<'a>(
    rule: &DraftHints<'a>,
    view: EndpointView<'a>,
    position: usize,
    present: Option<&EndpointHints<'a>>,
) -> Option<EndpointHints<'a>> {
    let (zone, node_name) = match rule {
        DraftHints::Clear => return None,
        _ if !view.ready => return present.cloned(),
        DraftHints::SameZone => (view.zone, None),
        DraftHints::SameZoneAndNode => (view.zone, view.node_name),
        DraftHints::Redistributed(moved) => {
            match moved.binary_search_by_key(&position, |(position, _)| *position) {
                Ok(place) => (moved.get(place).map(|(_, zone)| *zone), None),
                Err(_) => (view.zone, None),
            }
        }
    };
    if zone.is_none() && node_name.is_none() {
        return None;
    }
    let named = |name: Option<&'a str>| match name {
        Some(name) => Few::One(NameRef {
            name: name.into(),
            unknown: Unknown::default(),
        }),
        None => Few::new(),
    };
    let unknown = present
        .map(|present| present.unknown.clone())
        .unwrap_or_default();
    Some(EndpointHints {
        for_zones: named(zone),
        for_nodes: named(node_name),
        unknown,
    })
}
