//! `node-topology`: a change of a Node that disables hints, or moves them, far beyond that Node.
//!
//! One node without a zone or CPU disables the hints of every Service with the topology annotation; one endpoint
//! without a zone disables those of its Service. Services are counted here, never named, because they may be in
//! namespaces that a change of a Node does not concern.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::not_checked;
use crate::context::{ClusterView, ClusterUnknown};
use crate::forecast::{RequestedRouting, HintForecast};
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::unread::PolicyConcern;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use slicewise::model::order::SortedMap;
use slicewise::model::{Node, Service, keys};
use slicewise::model::kind::Kind;
use slicewise::words::{counted, percent};
use slicewise::topology::nodes::{NodeFacts, NodeIndex};

policy_settings! {
    /// Settings of `node-topology`.
    Settings("settings of node-topology") {
        /// The maximum number of Services to plan for one change of a Node. Default 1000.
        "maxServices" max_services: u32 = 1000;
    }
    exempt &[];
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        [("maxServices", self.max_services, 1, u32::MAX)].into()
    }
}

/// Judges a change of a Node.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    let ReviewSubject::Node(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    if !matters(change) {
        return PolicyVerdict::allow();
    }
    let name = &change.object().metadata.name;
    let nodes = PolicyConcern::Nodes { but: name };
    let services = match hinted(cluster).and_then(|services| cluster.has_read(nodes).map(|()| services)) {
        Ok(services) => services,
        Err(why) => {
            let what = "what this change does to hints was not planned";
            let finding = not_checked(settings.when_stale, &why, what);
            return finding.into_iter().collect();
        }
    };
    cluster.with_node(name, change.before(), |before| {
        cluster.with_node(name, change.after(), |after| {
            let outlook = Outlook::new(&services, cluster, settings, before, after);
            let mut findings: Vec<Finding> =
                last_of_zone(change, before, after).into_iter().collect();
            findings.extend(outlook.findings(change));
            findings.into_iter().collect()
        })
    })
}

/// The Services that request hints. Pods are only looked at if there are any: a host may have to list them all.
///
/// # Errors
/// What is unknown.
fn hinted<'c>(cluster: &ClusterView<'c>) -> Result<Vec<&'c Service<'static>>, ClusterUnknown> {
    cluster.knows(&[Kind::Node, Kind::Service])?;
    let mut services = cluster.all_services();
    services.retain(|service| {
        service.spec.traffic_distribution.is_some() || service.wants_topology_hints()
    });
    if !services.is_empty() {
        cluster.knows(&[Kind::Pod])?;
    }
    Ok(services)
}

/// Does the change affect anything that hints depend on?
fn matters(change: &ObjectChange<Node<'_>>) -> bool {
    let facts = |node: Option<&Node<'_>>| {
        let node = node?;
        let facts = NodeFacts::of(node);
        let zone = facts.zone.map(String::from);
        Some((zone, facts.cpu, facts.is_ready, facts.is_control_plane))
    };
    facts(change.before()) != facts(change.after())
}

/// The zones whose nodes have CPU.
fn zones<'n>(nodes: &NodeIndex<'n>) -> Vec<&'n str> {
    let shares = nodes.zone_shares().unwrap_or_default();
    shares.iter().map(|share| share.zone).collect()
}

/// The change removes the last node of a zone that hints pointed to.
fn last_of_zone(
    change: &ObjectChange<Node<'_>>,
    before: &NodeIndex<'_>,
    after: &NodeIndex<'_>,
) -> Option<Finding> {
    let zone = change.before()?.zone()?;
    let had = zones(before).contains(&zone.as_str());
    let has = zones(after).contains(&zone.as_str());
    if !had || has || after.zone_shares().is_none() {
        return None;
    }
    let message =
        format!("it is the last node of zone {zone}: the hints of all Services are recomputed");
    Some(warn(change, "last-of-zone", message))
}

/// What would happen to the hints of all Services.
#[derive(Default)]
struct Outlook {
    /// Services that would lose them, by cause.
    lost: SortedMap<String, usize>,
    /// The share of traffic that would no longer stay in its zone, one value for each Service where it is known.
    crossing: Vec<f64>,
    /// Services with endpoints that would lose their zone.
    bare: usize,
    /// Services that were not planned because there are too many.
    left_out: usize,
}

impl Outlook {
    fn new(
        services: &[&Service<'_>],
        cluster: &ClusterView<'_>,
        settings: &Settings,
        before: &NodeIndex<'_>,
        after: &NodeIndex<'_>,
    ) -> Self {
        let most = settings.max_services as usize;
        let mut outlook = Self {
            left_out: services.len().saturating_sub(most),
            ..Self::default()
        };
        for service in services.iter().take(most) {
            let (had, has) = (
                HintForecast::of(service, cluster, before),
                HintForecast::of(service, cluster, after),
            );
            outlook.add(&had, &has);
        }
        outlook
    }

    fn add(&mut self, had: &[HintForecast], has: &[HintForecast]) {
        let families = || had.iter().zip(has);
        let lost = families().find(|(had, has)| had.is_given && !has.is_given && had.ready > 0);
        if let Some((had, has)) = lost {
            let why = has.why_not.clone().unwrap_or_default();
            *self.lost.or_default(why) += 1;
            self.crossing.extend(had.unhinted_cross_zone);
        }
        let is_bare = |(had, has): (&HintForecast, &HintForecast)| {
            had.asked == RequestedRouting::Traffic && had.without_zone == 0 && has.without_zone > 0
        };
        self.bare += usize::from(families().any(is_bare));
    }

    fn findings(&self, change: &ObjectChange<Node<'_>>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (why, services) in self.lost.iter() {
            let crossing = if self.crossing.is_empty() || self.lost.len() > 1 {
                String::new()
            } else {
                let mean = self.crossing.iter().sum::<f64>() / self.crossing.len() as f64;
                let share = percent(mean, 0);
                format!("; about {share} of their traffic would then cross zones")
            };
            let message = format!(
                "{} would lose their zone hints: {why}{crossing}",
                counted(*services, "Service")
            );
            findings.push(warn(change, "hints-lost", message));
        }
        if self.bare > 0 {
            let message = format!(
                "{} would have endpoints without a zone, so kube-proxy would follow none of their hints",
                counted(self.bare, "Service")
            );
            findings.push(warn(change, "zone-missing", message));
        }
        if self.left_out > 0 {
            let message = format!(
                "{} with hints were not planned, because there are more than `maxServices`",
                counted(self.left_out, "Service")
            );
            findings.push(warn(change, "not-checked", message));
        }
        findings
    }
}

/// A finding at the field whose change has the effect.
fn warn(change: &ObjectChange<Node<'_>>, rule: &'static str, message: String) -> Finding {
    let zone = |node: Option<&Node<'_>>| node.and_then(Node::zone).map(ToString::to_string);
    let (old, new) = (change.before(), change.after());
    let field = if old.is_none() || new.is_none() {
        "metadata.name".into()
    } else if zone(old) != zone(new) {
        format!("metadata.labels[{}]", keys::ZONE_LABEL)
    } else {
        "status".into()
    };
    Finding::warn(rule, CauseType::FieldValueForbidden, field, message)
}

#[cfg(test)]
mod tests;
