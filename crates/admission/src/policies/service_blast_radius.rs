//! `service-blast-radius`: plans a Service before and after the change, and reports which traffic would be lost.
//!
//! An update that removes the last ready endpoint is refused. Losing many endpoints, a port, the controller's
//! management or the whole Service is reported with the numbers. A problem that existed before the change is not
//! reported: a Service without ready endpoints can be changed freely.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::{COLLECTORS, not_checked};
use super::service_labels::{port_hint, port_key as key, port_title, selector_hint, slip};
use crate::context::ClusterView;
use crate::objects::ReviewedService;
use crate::reach::{MAX_PORTS, Reach, protocol};
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use slicewise::model::{Service, ServicePort, TargetPort};
use slicewise::reconcile::address_types;
use slicewise::model::kind::Kind;

policy_settings! {
    /// Settings of `service-blast-radius`.
    Settings("settings of service-blast-radius") {
        /// Warn if more than this percentage of the ready endpoints would be removed, 0 to 100. Default 20.
        "removedPercent" removed_percent: u32 = 20;
        /// Warn only if at least this many ready endpoints would be removed, at least 1. Default 2.
        "removedAtLeast" removed_at_least: u32 = 2;
    }
    exempt COLLECTORS;
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        [
            ("removedPercent", self.removed_percent, 0, 100),
            ("removedAtLeast", self.removed_at_least, 1, u32::MAX),
        ]
        .into()
    }
}

/// Judges a change of a Service.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::Service(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let change = &change.map(|reviewed: &ReviewedService<'_>| &reviewed.service);
    if !may_move_traffic(change) {
        return PolicyVerdict::allow();
    }
    let knows = cluster.knows(&[Kind::Pod, Kind::Node]);
    let sides = [change.before(), change.after()].into_iter().flatten();
    if let Err(why) = knows.and_then(|()| cluster.has_read_endpoints(sides.copied())) {
        let what = "what this change does to traffic was not planned";
        let finding = not_checked(settings.when_stale, &why, what);
        return finding.into_iter().collect();
    }
    if let Some(finding) = too_many_ports(change) {
        return [finding].into_iter().collect();
    }
    match change {
        ObjectChange::Create(new) => created(new, cluster).into_iter().collect(),
        ObjectChange::Update { old, new } if !old.is_reconciled() => {
            created(new, cluster).into_iter().collect()
        }
        ObjectChange::Update { old, new } if !new.is_reconciled() => {
            abandoned(old, new, cluster).into_iter().collect()
        }
        ObjectChange::Update { old, new } => updated(old, new, cluster, settings).into_iter().collect(),
        ObjectChange::Delete(old) => deleted(old, cluster).into_iter().collect(),
    }
}

fn too_many_ports(change: &ObjectChange<&Service<'_>>) -> Option<Finding> {
    let ports = [change.before(), change.after()].into_iter().flatten();
    let count = ports.map(|service| service.spec.ports.len()).max();
    let count = count.unwrap_or_default();
    let message = format!(
        "this Service has {count} ports, and with more than {MAX_PORTS} it is not planned here: the effect on its traffic is not checked"
    );
    let finding = || {
        Finding::warn(
            "too-many-ports",
            CauseType::FieldValueTooMany,
            "spec.ports",
            message,
        )
    };
    (count > MAX_PORTS).then(finding)
}

fn reach(service: &Service<'_>, cluster: &ClusterView<'_>) -> Reach {
    if service.spec.ports.len() > MAX_PORTS {
        return Reach::default();
    }
    Reach::of(service, cluster)
}

/// Most updates change labels, annotations or status, which no endpoint depends on.
fn may_move_traffic(change: &ObjectChange<&Service<'_>>) -> bool {
    match change {
        ObjectChange::Create(service) | ObjectChange::Delete(service) => service.is_reconciled(),
        ObjectChange::Update { old, new } => {
            (old.is_reconciled() || new.is_reconciled()) && first_difference(old, new).is_some()
        }
    }
}

/// The first field that differs, of those that decide which endpoints are published.
fn first_difference(old: &Service<'_>, new: &Service<'_>) -> Option<&'static str> {
    let (one, other) = (&old.spec, &new.spec);
    let fields = [
        (
            "spec.type",
            (one.service_type == "ExternalName") != (other.service_type == "ExternalName"),
        ),
        ("spec.selector", one.selector != other.selector),
        (
            "spec.publishNotReadyAddresses",
            one.publish_not_ready_addresses != other.publish_not_ready_addresses,
        ),
        ("spec.ipFamilies", address_types(old) != address_types(new)),
        (
            "spec.ports",
            !one.ports
                .iter()
                .map(target)
                .eq(other.ports.iter().map(target)),
        ),
    ];
    fields
        .into_iter()
        .find(|(_, differs)| *differs)
        .map(|(field, _)| field)
}

fn updated(
    old: &Service<'_>,
    new: &Service<'_>,
    cluster: &ClusterView<'_>,
    settings: &Settings,
) -> Vec<Finding> {
    let (before, after) = (reach(old, cluster), reach(new, cluster));
    let field = first_difference(old, new).unwrap_or("spec");
    if !before.endpoints.is_empty() && after.endpoints.is_empty() {
        return vec![emptied(old, new, cluster, &before, &after, field)];
    }
    let mut findings = Vec::new();
    let (had, removed) = (before.endpoints.len(), before.lost_in(&after));
    if removed * 100 > had * settings.removed_percent as usize
        && removed >= settings.removed_at_least as usize
    {
        let message = format!(
            "{removed} of {had} ready endpoints are removed ({} %), {} remain or are added; check that this is intended",
            removed * 100 / had.max(1),
            after.endpoints.len()
        );
        findings.push(Finding::warn(
            "shrunk",
            CauseType::FieldValueForbidden,
            field,
            message,
        ));
    }
    findings.extend(removed_ports(old, new, &before));
    findings.extend(unreachable_ports(Some(old), new, &before, &after, cluster));
    findings
}

/// The last ready endpoint is removed.
fn emptied(
    old: &Service<'_>,
    new: &Service<'_>,
    cluster: &ClusterView<'_>,
    before: &Reach,
    after: &Reach,
    field: &str,
) -> Finding {
    let why = if after.selected == 0 {
        selector_hint(old, new, cluster)
    } else if after.ready == 0 {
        format!(
            "none of the {} pods it would select is a ready endpoint; make sure that the selector is right",
            after.selected
        )
    } else {
        let ports = new
            .spec
            .ports
            .iter()
            .filter_map(|port| port_hint(port, new, cluster));
        format!(
            "none of its pods has any of its ports: {}",
            ports.collect::<Vec<_>>().join("; ")
        )
    };
    let message = format!(
        "all {} ready endpoints would be removed; {why}",
        before.endpoints.len()
    );
    Finding::deny("emptied", CauseType::FieldValueForbidden, field, message)
}

/// Ports that are removed from the Service while endpoints serve them.
fn removed_ports(old: &Service<'_>, new: &Service<'_>, before: &Reach) -> Vec<Finding> {
    let is_kept =
        |port: &ServicePort<'_>| new.spec.ports.iter().any(|other| key(other) == key(port));
    let gone = old
        .spec
        .ports
        .iter()
        .filter(|port| !is_kept(port) && before.behind(key(port).0, key(port).1) > 0);
    let finding = |port: &ServicePort<'_>| {
        let (name, protocol) = key(port);
        let message = format!(
            "port {} with {} ready endpoints is removed; check that it is not used",
            port_title(port),
            before.behind(name, protocol)
        );
        Finding::warn(
            "port-removed",
            CauseType::FieldValueForbidden,
            "spec.ports",
            message,
        )
    };
    gone.map(finding).collect()
}

/// Ports of the Service that no ready endpoint serves, although there are ready endpoints, unless that was so before.
fn unreachable_ports(
    old: Option<&Service<'_>>,
    new: &Service<'_>,
    before: &Reach,
    after: &Reach,
    cluster: &ClusterView<'_>,
) -> Vec<Finding> {
    if after.ready == 0 {
        return Vec::new();
    }
    let had = |port: &ServicePort<'_>| before.behind(key(port).0, key(port).1);
    let was_so = |port: &ServicePort<'_>| {
        let ports = old.map(|old| old.spec.ports.iter()).into_iter().flatten();
        had(port) == 0 && ports.map(target).any(|other| other == target(port))
    };
    let ports = new
        .spec
        .ports
        .iter()
        .enumerate()
        .filter(|(_, port)| after.behind(key(port).0, key(port).1) == 0 && !was_so(port));
    let finding = |(number, port): (usize, &ServicePort<'_>)| {
        let had = had(port);
        let loss = if had > 0 {
            format!("loses all {had} of its ready endpoints")
        } else {
            "has no endpoint".to_owned()
        };
        let hint = port_hint(port, new, cluster).unwrap_or_default();
        let message = format!("port {} {loss}: {hint}", port_title(port));
        Finding::warn(
            "port-unreachable",
            CauseType::FieldValueNotFound,
            format!("spec.ports[{number}].targetPort"),
            message,
        )
    };
    ports.map(finding).collect()
}

/// A new Service whose selector matches nothing but nearly does, or whose ports lead nowhere.
fn created(new: &Service<'_>, cluster: &ClusterView<'_>) -> Vec<Finding> {
    let after = reach(new, cluster);
    let mut findings = unreachable_ports(None, new, &Reach::default(), &after, cluster);
    if after.selected == 0
        && let Some(hint) = slip(new, cluster)
    {
        findings.push(Finding::warn(
            "selects-nothing",
            CauseType::FieldValueNotFound,
            "spec.selector",
            hint,
        ));
    }
    findings
}

/// A controller would no longer manage endpoints for the Service.
fn abandoned(old: &Service<'_>, new: &Service<'_>, cluster: &ClusterView<'_>) -> Option<Finding> {
    let before = reach(old, cluster).endpoints.len();
    let (field, effect) = if new.spec.service_type == "ExternalName" {
        (
            "spec.type",
            "get no traffic once the Service is an ExternalName",
        )
    } else {
        (
            "spec.selector",
            "go stale once the Service has no selector, because nothing keeps them up to date",
        )
    };
    let message = format!("its {before} ready endpoints {effect}; check that this is intended");
    (before > 0).then(|| Finding::warn("abandoned", CauseType::FieldValueForbidden, field, message))
}

/// No milder than an update that empties it: clients lose both.
fn deleted(old: &Service<'_>, cluster: &ClusterView<'_>) -> Option<Finding> {
    let before = reach(old, cluster).endpoints.len();
    let message = format!(
        "its {before} ready endpoints would lose its traffic; scale its workloads to zero first, or allow it by an exception"
    );
    (before > 0).then(|| {
        Finding::deny(
            "deleted",
            CauseType::FieldValueForbidden,
            "metadata.name",
            message,
        )
    })
}

/// The fields that decide which endpoints a port has.
fn target<'p>(port: &'p ServicePort<'p>) -> (&'p str, &'p str, &'p TargetPort<'p>) {
    (&port.name, protocol(&port.protocol), &port.target_port)
}

#[cfg(test)]
mod tests;
