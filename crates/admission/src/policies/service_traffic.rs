//! `service-traffic`: where a Service takes traffic from, and the effect of the traffic distribution it requests.
//!
//! Anyone who may write `externalIPs`, or the addresses in a load balancer's status, can intercept other people's
//! traffic (CVE-2020-8554). Of a traffic distribution, the API server checks the spelling. Whether hints will
//! be assigned depends on nodes and endpoints, which this policy checks before anything changes.

mod lost_clients;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::addresses::{check_ranges, ranges, read};
use super::not_checked;
use crate::context::ClusterView;
use crate::forecast::{RequestedRouting, HintForecast};
use crate::objects::ReviewedService;
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::users::NamedUsers;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use slicewise::model::order::gathered;
use slicewise::model::Service;
use slicewise::model::kind::Kind;
use slicewise::model::service::is_stored;
use slicewise::model::text::shorten;

policy_settings! {
    /// Settings of `service-traffic`.
    Settings("settings of service-traffic") {
        /// Address ranges (CIDRs) that `externalIPs` may be in. Default none.
        "allowedExternalIPs" allowed_external_ips: Vec<String> = Vec::new();
        /// Users that may write the addresses of load balancers, besides the cloud controller manager and the service
        /// accounts of `kube-system`: written as in `exemptUsers`.
        "loadBalancerUsers" load_balancer_users: Vec<String> = Vec::new();
        /// Groups whose members may write them.
        "loadBalancerGroups" load_balancer_groups: Vec<String> = Vec::new();
        /// The Kubernetes version of the cluster, which determines the valid values of `trafficDistribution`. Default
        /// `1.37`.
        "kubernetesVersion" kubernetes_version: String = "1.37".into();
    }
    exempt &[];
    fn check(&self) -> Result<(), (String, String)> {
        check_ranges("allowedExternalIPs", &self.allowed_external_ips)?;
        self.load_balancers()
            .check("loadBalancerUsers", "loadBalancerGroups")?;
        if minor(&self.kubernetes_version).is_none() {
            let given = shorten(&self.kubernetes_version);
            let message = format!("`{given}` is not a version; write it like `1.37`");
            return Err(("kubernetesVersion".into(), message));
        }
        Ok(())
    }
}

impl Settings {
    /// May a Service lead traffic to an address of its choice? Never to text that is no address.
    fn allowed_addresses(&self) -> impl Fn(&str) -> bool {
        let allowed = ranges(&self.allowed_external_ips);
        move |text| {
            let address = read(text);
            address.is_some_and(|address| allowed.iter().any(|range| range.contains(address)))
        }
    }

    /// Who may write the addresses of load balancers.
    fn load_balancers(&self) -> NamedUsers<'_> {
        NamedUsers {
            built_in: LOAD_BALANCER_USERS,
            users: &self.load_balancer_users,
            groups: &self.load_balancer_groups,
        }
    }
}

const LOAD_BALANCER_USERS: &[&str] = &[
    "system:cloud-controller-manager",
    "system:kube-controller-manager",
    "system:serviceaccount:kube-system:*",
];

/// The minor version of `1.37` or `v1.37.2`.
fn minor(version: &str) -> Option<u32> {
    let version = version.strip_prefix('v').unwrap_or(version);
    let mut parts = version.split('.');
    parts.next().filter(|major| *major == "1")?;
    parts.next()?.parse().ok()
}

/// Judges a Service that is created or changed.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::Service(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let Some(new) = change.after() else {
        return PolicyVerdict::allow();
    };
    let old = change.before();
    let mut findings = check_external_ips(new, old, settings);
    let writers = cluster.writers();
    let balances = || writers.writing().any(|writer| writer.balances);
    if !settings.load_balancers().has(request) && !balances() {
        findings.extend(check_ingress(new, old, &writers.hint()));
    }
    findings.extend(lost_clients::check(change, cluster, settings));
    if asks_anew(change) {
        findings.extend(check_value(&new.service, settings));
        findings.extend(check_conflicts(new));
        findings.extend(check_forecast(&new.service, cluster, settings));
    }
    findings.into_iter().collect()
}

/// New addresses that are not allowed.
fn check_external_ips(
    new: &ReviewedService<'_>,
    old: Option<&ReviewedService<'_>>,
    settings: &Settings,
) -> Vec<Finding> {
    let is_allowed = settings.allowed_addresses();
    let had = old.into_iter().flat_map(|old| &old.exposure.spec.external_ips);
    let had: BTreeSet<&str> = gathered(had.map(|text| text.as_str()));
    let addresses = new.exposure.spec.external_ips.iter().enumerate();
    let refused = addresses.filter(|(_, text)| !had.contains(text.as_str()) && !is_allowed(text));
    let finding = |(number, text): (usize, &slicewise::model::Text<'_>)| {
        let message = match read(text) {
            Some(address) => format!(
                "{address} would lead to this Service from every node, whoever owns it; use a Service of type \
                 LoadBalancer, or have the range allowed by `allowedExternalIPs`"
            ),
            None => format!(
                "`{}` is not an address; write one like `203.0.113.7`, or leave it out",
                shorten(text)
            ),
        };
        Finding::deny(
            "external-ip",
            CauseType::FieldValueForbidden,
            format!("spec.externalIPs[{number}]"),
            message,
        )
    };
    refused.map(finding).collect()
}

/// Only its controller may write the addresses of a load balancer.
fn check_ingress(
    new: &ReviewedService<'_>,
    old: Option<&ReviewedService<'_>>,
    hint: &str,
) -> Option<Finding> {
    let before: BTreeSet<&str> = gathered(old.into_iter().flat_map(ingress));
    let mut after = ingress(new).enumerate();
    let comes = |address: &str| !address.is_empty() && !before.contains(address);
    let (number, address) = after.find(|(_, address)| comes(address))?;
    let message = format!(
        "{} would lead to this Service from every node; only the controller of its load balancer should set it{hint}",
        shorten(address)
    );
    Some(Finding::warn(
        "load-balancer-status",
        CauseType::FieldValueForbidden,
        format!("status.loadBalancer.ingress[{number}].ip"),
        message,
    ))
}

/// The addresses of its load balancer.
fn ingress<'s>(service: &'s ReviewedService<'_>) -> impl Iterator<Item = &'s str> {
    let ingress = service.exposure.status.load_balancer.ingress.iter();
    ingress.map(|ingress| ingress.ip.as_str())
}

/// Is anything that decides about hints new or changed?
fn asks_anew(change: &ObjectChange<ReviewedService<'_>>) -> bool {
    let asks = |service: &Service<'_>| {
        service.spec.traffic_distribution.is_some() || service.wants_topology_hints()
    };
    match change {
        ObjectChange::Create(new) => asks(&new.service),
        ObjectChange::Update { old, new } => {
            let (one, other) = (&old.service, &new.service);
            let is_same = one.spec.traffic_distribution == other.spec.traffic_distribution
                && one.wants_topology_hints() == other.wants_topology_hints()
                && one.spec.selector == other.spec.selector
                && old.exposure.spec.internal_traffic_policy
                    == new.exposure.spec.internal_traffic_policy;
            asks(other) && !is_same
        }
        ObjectChange::Delete(_) => false,
    }
}

/// The value must be one that the cluster's version knows. Its API server has the last word: it has refused others
/// before a webhook sees them, so a stored value is only remarked upon (reference: `validateServiceTrafficDistribution`).
fn check_value(service: &Service<'_>, settings: &Settings) -> Option<Finding> {
    /// Values, each with the first minor version whose API servers accept it by default (KEP-4444, KEP-3015).
    const VALUES: [(&str, u32); 3] = [
        ("PreferClose", 31),
        ("PreferSameNode", 34),
        ("PreferSameZone", 34),
    ];
    const FIELD: &str = "spec.trafficDistribution";
    let value = service.spec.traffic_distribution.as_deref()?;
    let version = minor(&settings.kubernetes_version)?;
    let known = VALUES.iter().filter(|(_, since)| *since <= version);
    let known: Vec<_> = known.map(|(name, _)| *name).collect();
    if known.contains(&value) {
        return None;
    }
    if known.is_empty() {
        let message = format!(
            "trafficDistribution needs Kubernetes 1.31: the API server of 1.{version} drops it by default"
        );
        return Some(warn("unknown-value", FIELD, message));
    }
    let what = match VALUES.iter().find(|(name, _)| *name == value) {
        Some((_, since)) => format!("`{value}` needs Kubernetes 1.{since}"),
        None => format!("`{}` is not a traffic distribution", shorten(value)),
    };
    let message = format!(
        "{what}: the API server of 1.{version} refuses it as an unsupported value; supported values: {}",
        known.join(", ")
    );
    let metadata = &service.metadata;
    if is_stored(&metadata.uid, &metadata.resource_version) {
        return Some(warn("unknown-value", FIELD, message));
    }
    let cause = CauseType::FieldValueNotSupported;
    Some(Finding::deny("unknown-value", cause, FIELD, message))
}

/// Settings that cancel the effect of the requested distribution.
fn check_conflicts(new: &ReviewedService<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let service = &new.service;
    let value = service.spec.traffic_distribution.as_deref();
    let has_annotation = service.wants_topology_hints();
    if let Some(value) = value.filter(|_| has_annotation) {
        let message = format!(
            "the topology annotation overrides trafficDistribution {}; keep one of them",
            shorten(value)
        );
        findings.push(warn("conflict", "spec.trafficDistribution", message));
    }
    if new.exposure.spec.internal_traffic_policy == "Local" {
        let (field, what) = match value.filter(|_| !has_annotation) {
            Some(_) => ("spec.trafficDistribution", "trafficDistribution"),
            None => ("metadata.annotations", "the topology annotation"),
        };
        let message = format!(
            "with internalTrafficPolicy Local the traffic of pods stays on their node, and {what} has no effect on it; \
             drop one of them"
        );
        findings.push(warn("conflict", field, message));
    }
    findings
}

/// Whether hints would be assigned as things are.
fn check_forecast(
    service: &Service<'_>,
    cluster: &ClusterView<'_>,
    settings: &Settings,
) -> Vec<Finding> {
    if !service.is_reconciled() {
        return Vec::new();
    }
    let knows = cluster.knows(&[Kind::Pod, Kind::Node]);
    if let Err(why) = knows.and_then(|()| cluster.has_read_endpoints([service])) {
        let what = "whether hints will be set was not checked";
        return not_checked(settings.when_stale, &why, what)
            .into_iter()
            .collect();
    }
    let forecast = cluster.with_nodes(|nodes| HintForecast::of(service, cluster, nodes));
    let finding = |family: &HintForecast| {
        // Without endpoints there is nothing to hint.
        if family.ready == 0 {
            return None;
        }
        let address_type = family.address_type.as_str();
        let (field, message) = match (family.asked, &family.why_not) {
            (RequestedRouting::Auto, Some(why)) => (
                "metadata.annotations",
                format!("no {address_type} hints will be set: {why}"),
            ),
            (RequestedRouting::Traffic, _) if family.without_zone > 0 => (
                "spec.trafficDistribution",
                format!(
                    "{} of {} ready {address_type} endpoints are on nodes without a zone and get no hint, so kube-proxy \
                     will follow none; label their nodes",
                    family.without_zone, family.ready
                ),
            ),
            _ => return None,
        };
        Some(warn("no-hints", field, message))
    };
    forecast.iter().filter_map(finding).collect()
}

fn warn(rule: &'static str, field: &str, message: String) -> Finding {
    Finding::warn(rule, CauseType::FieldValueForbidden, field, message)
}

#[cfg(test)]
mod tests;
