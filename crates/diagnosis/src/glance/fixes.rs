//! Changes that would help, each tried on the same input before it is suggested.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::asking::asking;
use super::scale::Scaled;
use super::view::{FamilyResult, ServiceContext};
use super::words::{all, faulty};
use slicewise::model::{AddressType, Node, Service, keys};
use slicewise::plan::HintsMode;
use slicewise::plan::change::SuggestedChange;
use slicewise::topology::counts;
use slicewise::topology::nodes::NodeIndex;
use slicewise::words::counted;

/// A change that would help.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GlanceFix")]
#[non_exhaustive]
pub struct GlanceFix {
    /// An identifier, such as `endpoints-12`.
    pub id: String,
    /// A title of two or three words, for a button.
    pub title: String,
    /// What to do.
    pub change: String,
    /// The effect of the change.
    pub effect: String,
    /// The same as changes of the input.
    pub changes: Vec<SuggestedChange>,
    /// The share of the traffic that would then cross zones, 0 to 1; only in `slicewise/tools` and the command, and if
    /// it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_zone: Option<f64>,
}

/// Changes that would help; those without effect are left out.
pub(super) fn fixes(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Vec<GlanceFix> {
    let mut fixes = Vec::new();
    match (outcome.mode, outcome.applied) {
        _ if outcome.ready == 0 || !view.service.is_reconciled() => {}
        (HintsMode::Auto, false) => {
            fixes.extend(other_counts(view, outcome));
            fixes.extend(with_zone(view, outcome));
            fixes.extend(same_zone(view, outcome));
        }
        (HintsMode::Auto, true) => {}
        (HintsMode::None, _) => {
            fixes.extend(same_zone(view, outcome));
            fixes.extend(auto(view, outcome));
        }
        _ if outcome.unzoned > 0 => fixes.extend(with_zone(view, outcome)),
        _ => fixes.extend(one_in_each(view, outcome)),
    }
    fixes
}

impl GlanceFix {
    fn new(
        id: String,
        title: String,
        change: String,
        after: &FamilyResult,
        changes: Vec<SuggestedChange>,
    ) -> Self {
        Self {
            id,
            title,
            change,
            effect: effect(after),
            changes,
            cross_zone: after.cross_zone,
        }
    }
}

/// The effect in words.
fn effect(after: &FamilyResult) -> String {
    if after.mode != HintsMode::Auto {
        let empty = after.zones.iter().filter(|zone| zone.ready == 0);
        let empty: Vec<String> = empty.map(|zone| zone.zone.clone()).collect();
        let rest = if empty.is_empty() {
            String::new()
        } else {
            format!("; zone {} has none and uses the others", all(&empty))
        };
        return format!("each endpoint serves its own zone{rest}");
    }
    let given = |zone: &super::view::ZoneOutcome| {
        format!("{} to {}", zone.allocated.unwrap_or_default(), zone.zone)
    };
    let given: Vec<String> = after.zones.iter().map(given).collect();
    format!("hints are set: {}", all(&given))
}

impl ServiceContext<'_> {
    /// The outcome with other pods.
    pub(super) fn with_pods(&self, scaled: &Scaled<'_>, outcome: &FamilyResult) -> FamilyResult {
        let other = ServiceContext {
            pods: scaled.pods(&self.pods),
            ..self.clone()
        };
        other.outcome(Some(outcome.family))
    }

    fn with_service(&self, service: &Service<'_>, outcome: &FamilyResult) -> FamilyResult {
        let other = ServiceContext {
            service,
            ..self.clone()
        };
        other.outcome(Some(outcome.family))
    }
}

/// The nearest counts of endpoints that get hints.
fn other_counts(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Vec<GlanceFix> {
    let shares = view.index.zone_shares().unwrap_or_default();
    let Some(found) = counts::search(shares, outcome.ready) else {
        return Vec::new();
    };
    let tried = [Some(found.above), found.below].into_iter().flatten();
    tried
        .filter_map(|count| by_count(view, outcome, count))
        .collect()
}

fn by_count(view: &ServiceContext<'_>, outcome: &FamilyResult, count: i64) -> Option<GlanceFix> {
    let scaled = view.scaled(outcome, count)?;
    let after = view.with_pods(&scaled, outcome);
    if !after.applied || after.ready != count {
        return None;
    }
    let differ = match count - outcome.ready {
        more if more > 0 => format!("{more} more"),
        fewer => format!("{} fewer", -fewer),
    };
    let change = format!("run {} ({differ})", counted(count, "ready endpoint"));
    let (id, title) = (format!("endpoints-{count}"), format!("Use {count}"));
    Some(GlanceFix::new(id, title, change, &after, scaled.changes))
}

/// The changes of pods that lead to a number of ready endpoints with `Auto` hints; empty if they do not.
pub(crate) fn changes_to_count(
    view: &ServiceContext<'_>,
    family: AddressType,
    count: i64,
) -> Vec<SuggestedChange> {
    let fix = by_count(view, &view.outcome(Some(family)), count);
    fix.map(|fix| fix.changes).unwrap_or_default()
}

/// A zone for the only node without one; each existing zone is tried.
fn with_zone(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Vec<GlanceFix> {
    const FEW: usize = 3;
    let name = match (faulty(view).as_slice(), outcome.unzoned) {
        ([(name, facts)], _) if facts.zone.is_none() => *name,
        ([], 1..) => match unzoned_nodes(view).as_slice() {
            [only] => *only,
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let zones = view
        .nodes
        .iter()
        .filter_map(|node| node.zone())
        .map(|zone| zone.as_str());
    let zones = slicewise::model::order::sorted_unique(zones);
    let try_zone = |zone: &str| {
        let mut change = SuggestedChange::patch("Node", "", name);
        let is_it = |node: &Node<'_>| node.metadata.name == *name;
        let is_bare = view
            .nodes
            .iter()
            .any(|node| is_it(node) && node.metadata.labels.is_empty());
        change.set_in_map("/metadata/labels", is_bare, keys::ZONE_LABEL, zone);
        let nodes = view.nodes.iter();
        let nodes: Vec<Node<'_>> = nodes
            .map(|node| {
                if is_it(node) {
                    labeled(node, zone)
                } else {
                    node.clone()
                }
            })
            .collect();
        let other = ServiceContext {
            nodes: &nodes,
            index: &NodeIndex::new(&nodes),
            ..view.clone()
        };
        let after = other.outcome(Some(outcome.family));
        let helps = after.applied && after.unzoned == 0;
        helps.then(|| {
            let words = format!("label node {name} with {}={zone}", keys::ZONE_LABEL);
            GlanceFix::new(
                format!("zone-{zone}"),
                format!("{name} is in {zone}"),
                words,
                &after,
                [change].into(),
            )
        })
    };
    zones.into_iter().filter_map(try_zone).take(FEW).collect()
}

fn labeled<'n>(node: &Node<'n>, zone: &'n str) -> Node<'n> {
    let mut node = node.clone();
    let labels = &mut node.metadata.labels;
    labels.insert(keys::ZONE_LABEL.into(), zone.into());
    node
}

/// Nodes without a zone that run the Service's pods.
fn unzoned_nodes<'n>(view: &'n ServiceContext<'_>) -> Vec<&'n str> {
    let on = |node: &&Node<'_>| {
        let mut pods = view.selected();
        node.zone().is_none() && pods.any(|pod| pod.spec.node_name == node.metadata.name)
    };
    let nodes = view.nodes.iter().filter(on);
    nodes.map(|node| node.metadata.name.as_str()).collect()
}

/// `trafficDistribution` instead of an annotation.
fn same_zone(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Option<GlanceFix> {
    let zones = outcome.zones.iter().filter(|zone| zone.ready > 0);
    if zones.count() < 2 {
        // There is nothing to prefer.
        return None;
    }
    let modes = [HintsMode::PreferSameZone, HintsMode::PreferClose].into_iter();
    let tried = modes.map(|mode| {
        let asking = asking(view.service, mode);
        let after = view.with_service(&asking.service, outcome);
        (mode.as_str(), asking.change, after)
    });
    let (value, change, after) = tried
        .filter(|(_, _, after)| after.applied && after.unzoned == 0)
        .find(|(_, _, after)| after.mode != HintsMode::Auto)?;
    let instead = if change.patch.len() > 1 {
        " in place of the annotation"
    } else {
        ""
    };
    let words = format!("set spec.trafficDistribution: {value}{instead}");
    Some(GlanceFix::new(
        value.to_string(),
        value.to_string(),
        words,
        &after,
        [change].into(),
    ))
}

/// The annotation for `Auto`, if it would get hints.
fn auto(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Option<GlanceFix> {
    let asking = asking(view.service, HintsMode::Auto);
    let (after, change) = (view.with_service(&asking.service, outcome), asking.change);
    (after.applied && after.mode == HintsMode::Auto).then(|| {
        let had_field = view.service.spec.traffic_distribution.is_some();
        let words = format!(
            "annotate the Service with {}: Auto{}",
            keys::TOPOLOGY_MODE_ANNOTATION,
            if had_field {
                " in place of spec.trafficDistribution"
            } else {
                ""
            }
        );
        GlanceFix::new("Auto".into(), "Auto".into(), words, &after, [change].into())
    })
}

/// A pod in each zone without one.
fn one_in_each(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Vec<GlanceFix> {
    const FEW: usize = 3;
    let empty = outcome.zones.iter().filter(|zone| zone.ready == 0);
    let try_zone = |zone: &super::view::ZoneOutcome| {
        let name = &zone.zone;
        let scaled = view.one_in(outcome, name)?;
        let after = view.with_pods(&scaled, outcome);
        let mut there = after.zones.iter();
        let is_there = there.any(|zone| zone.zone == *name && zone.ready > 0);
        is_there.then(|| {
            let words = format!("run a pod in zone {name}");
            GlanceFix::new(
                format!("pod-in-{name}"),
                format!("Run one in {name}"),
                words,
                &after,
                scaled.changes,
            )
        })
    };
    empty.filter_map(try_zone).take(FEW).collect()
}
