//! Why `Auto` assigns no hints, with the arithmetic, and what would enable them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say::fix;
use super::scene::Scene;
use super::words::list;
use super::zones::{spread, title, zone_figures};
use super::{say, whatif};
use slicewise::model::{AddressType, Endpoint};
use slicewise::plan::HintsReport;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Fix, ZoneFigures};
use slicewise::topology::allocation::{Allocation, OVERLOAD_THRESHOLD, allocate};
use slicewise::topology::counts;
use slicewise::topology::events::Disabled;
use slicewise::topology::nodes::ZoneShare;
use slicewise::words::{counted, percent};

/// Explains why a family has no hints although `Auto` is requested.
pub(super) fn explain(scene: &Scene<'_>, report: &HintsReport<'_>, answers: &mut Vec<Explanation>) {
    let family = report.address_type;
    let ready = scene.ready(family);
    let (allocations, disabled) = allocate(scene.nodes().zone_shares(), ready.len() as i64);
    let off = Off {
        scene,
        family,
        ready: &ready,
        allocations: &allocations,
    };
    let explanation = match disabled {
        Some(Disabled::InsufficientNodeInfo) if scene.case.cluster.is_at_fault() => off.nodes(),
        Some(Disabled::InsufficientNodeInfo) => off.one_zone(),
        Some(Disabled::InsufficientEndpoints { .. }) => off.too_few(),
        Some(Disabled::OverloadThreshold { .. }) => off.overload(),
        // The numbers would suffice.
        Some(Disabled::NoZoneSpecified | Disabled::NotRequested) | None => off.without_zone(),
    };
    // Hints make no difference in a single zone.
    let is_one_zone = zones_of(&ready).len() < 2 && explanation.code == Code::HintsOneZone;
    let traffic = (!is_one_zone).then(|| whatif::traffic_fix(scene, family));
    answers.push(explanation.fixes(traffic.flatten()));
}

pub(super) struct Off<'o> {
    pub(super) scene: &'o Scene<'o>,
    pub(super) family: AddressType,
    ready: &'o [&'o Endpoint<'o>],
    allocations: &'o [Allocation<'o>],
}

impl Off<'_> {
    pub(super) fn ready(&self) -> i64 {
        self.ready.len() as i64
    }

    pub(super) fn say(&self, code: Code, because: String, details: String) -> Explanation {
        let what = format!("`Auto` hints{} are off.", self.scene.of_family(self.family));
        say::service(code, self.scene.case.service, what)
            .because(because)
            .details(details)
            .family(self.family)
            .figure("readyEndpoints", self.ready.len())
    }

    fn one_zone(&self) -> Explanation {
        let cluster = self.scene.case.cluster;
        let counted = cluster.nodes.len() - cluster.left_out.len();
        let zones = match cluster.zones.as_slice() {
            [] => "there is none".to_string(),
            [only] if counted == 1 => format!("the only one is in zone {only}"),
            [only] => format!("all {counted} are in zone {only}"),
            several => list(several),
        };
        let left_out: Vec<&str> = cluster
            .left_out
            .iter()
            .map(|node| &*node.metadata.name)
            .collect();
        let left_out_text = if left_out.is_empty() {
            String::new()
        } else {
            format!(
                " Left out: {} (control plane, or not ready).",
                list(&left_out)
            )
        };
        let message = format!(
            "`Auto` hints{} are off because the nodes that count are in fewer than two zones: of the ready worker nodes, {zones}.{left_out_text} No node has a problem, although the event says \"Insufficient Node information\": the reference uses the same message for both.",
            self.scene.of_family(self.family)
        );
        self.say(Code::HintsOneZone, format!("The nodes that count are in fewer than two zones: {zones}."), message)
            .figure("zones", cluster.zones.as_slice())
            .figure("nodes", counted)
            .fix(
                "in a cluster with one zone, remove the annotation: there are no zones to keep traffic in",
                "no more warnings; nothing else changes",
            )
            .fix(
                "or get nodes in a second zone ready",
                "hints are computed as soon as there are two zones",
            )
    }

    fn too_few(&self) -> Explanation {
        let zones: Vec<&str> = self.zones();
        let message = format!(
            "`Auto` hints{} are off because there are fewer ready endpoints than zones: {} for {} ({}). At least one zone would have none.",
            self.scene.of_family(self.family),
            self.ready(),
            counted(zones.len(), "zone"),
            list(&zones)
        );
        self.say(
            Code::HintsTooFewEndpoints,
            format!(
                "There {} {} for {} ({}).",
                if self.ready() == 1 { "is" } else { "are" },
                counted(self.ready(), "ready endpoint"),
                counted(zones.len(), "zone"),
                list(&zones)
            ),
            message,
        )
        .figure("zones", self.figures())
        .fixes(self.other_counts())
    }

    fn overload(&self) -> Explanation {
        let minimums: i64 = self.allocations.iter().map(|zone| zone.minimum).sum();
        let lines: Vec<String> = self.allocations.iter().map(arithmetic).collect();
        let mut message = format!(
            "`Auto` hints{} are off because {} cannot be distributed over {} without overloading one by more than {}. {}. The minimums add up to {minimums}, and there are {}. How the pods are spread ({}) does not matter, only their number and the zones' CPU.",
            self.scene.of_family(self.family),
            counted(self.ready(), "ready endpoint"),
            counted(self.allocations.len(), "zone"),
            percent(OVERLOAD_THRESHOLD, 1),
            lines.join("; "),
            self.ready(),
            spread(self.ready, &self.zones())
        );
        let trapped: Vec<&str> = self
            .allocations
            .iter()
            .filter(|zone| zone.is_rounded_up())
            .map(|zone| zone.share.zone)
            .collect();
        // Without the rounding it would suffice.
        if !trapped.is_empty() && minimums - trapped.len() as i64 <= self.ready() {
            message.push_str(&format!(
                " The only obstacle is rounding in {}: in floating point the division is slightly above a whole number, and is rounded up. The reference does the same.",
                list(&trapped)
            ));
        }
        let mut explanation = self
            .say(
                Code::HintsOverload,
                format!(
                    "{} cannot be distributed: the zones' minimums add up to {minimums}.",
                    counted(self.ready(), "ready endpoint")
                ),
                message,
            )
            .figure("zones", self.figures())
            .figure("minimums", minimums);
        let shares: Vec<ZoneShare<'_>> = self.allocations.iter().map(|zone| zone.share).collect();
        if let Some(counts) = counts::search(&shares, self.ready()) {
            explanation = explanation
                .figure("refusedCounts", counts.refused)
                .figure("alwaysFrom", counts.always_from);
        }
        explanation
            .fixes(self.other_counts())
            .fixes(self.equal_cpu(&shares))
    }

    /// The nearest counts that would get hints.
    fn other_counts(&self) -> Vec<Fix> {
        let shares: Vec<ZoneShare<'_>> = self.allocations.iter().map(|zone| zone.share).collect();
        let ready = self.ready();
        let Some(found) = counts::search(&shares, ready) else {
            return Vec::new();
        };
        let mut change = format!(
            "run {} ({} more)",
            counted(found.above, "ready endpoint"),
            found.above - ready
        );
        if let Some(below) = found.below {
            change.push_str(&format!(", or {below} ({} fewer)", ready - below));
        }
        let refused: Vec<String> = found.refused.iter().map(ToString::to_string).collect();
        let later = if refused.is_empty() {
            format!(
                "with these zones every count from {} on does",
                found.always_from
            )
        } else {
            format!(
                "with these zones every count from {} on does; {} do not",
                found.always_from,
                refused.join(", ")
            )
        };
        let effect = format!("the minimums fit, and hints are set; {later}");
        let changes = whatif::to_count(self.scene, self.family, found.above);
        [fix(change, effect).by(changes)].into()
    }

    fn equal_cpu(&self, shares: &[ZoneShare<'_>]) -> Option<Fix> {
        let equal = counts::equal(shares);
        let differ = shares
            .iter()
            .zip(&equal)
            .any(|(one, other)| (one.cpu_ratio - other.cpu_ratio).abs() > 0.005);
        (differ && counts::works(&equal, self.ready())).then(|| {
            fix(
                "give the zones the same CPU",
                format!("{} then do", counted(self.ready(), "endpoint")),
            )
        })
    }

    fn without_zone(&self) -> Explanation {
        let lack: Vec<&&Endpoint<'_>> = self
            .ready
            .iter()
            .filter(|endpoint| endpoint.zone.as_deref().is_none_or(str::is_empty))
            .collect();
        let why = |endpoint: &&&Endpoint<'_>| {
            let node = endpoint.node_name.as_deref();
            let why = match node {
                None => "on no node".to_string(),
                Some(node) => match self.scene.nodes().zone(node) {
                    None => format!("on node {node}, which is unknown"),
                    Some(None) => {
                        let left_out = &self.scene.case.cluster.left_out;
                        let is_left_out = left_out.iter().any(|other| other.metadata.name == *node);
                        let how = if is_left_out {
                            " (the node does not count towards the CPU shares, which is why the event names another reason)"
                        } else {
                            ""
                        };
                        format!("on node {node}, which has no zone label{how}")
                    }
                    Some(Some(zone)) => {
                        format!("on node {node} in zone {zone}, but without zone itself")
                    }
                },
            };
            format!("{} {why}", title(endpoint))
        };
        let names: Vec<String> = lack.iter().map(why).collect();
        let message = format!(
            "`Auto` hints{} are off because {} of {} ready endpoints {} no zone: {}. One is enough: kube-proxy only follows hints if every ready endpoint has one.",
            self.scene.of_family(self.family),
            lack.len(),
            self.ready(),
            if lack.len() == 1 { "has" } else { "have" },
            list(&names)
        );
        let nodes: Vec<&str> = lack
            .iter()
            .filter_map(|endpoint| endpoint.node_name.as_deref())
            .collect();
        let nodes = slicewise::model::order::sorted_unique(nodes);
        let explanation = self
            .say(
                Code::HintsEndpointWithoutZone,
                format!("No zone: {}.", list(&names)),
                message,
            )
            .figure("nodes", nodes.as_slice());
        if nodes.is_empty() {
            return explanation.fix("set the zone of the endpoints or a node", "hints are given");
        }
        explanation
            .fix(
                format!(
                    "label {} with {}",
                    list(&nodes),
                    slicewise::model::keys::ZONE_LABEL
                ),
                "the endpoints there get that zone, and their number would be sufficient",
            )
            .fix(
                "or keep pods off those nodes (a node selector or affinity on the zone label)",
                "every endpoint has a zone",
            )
    }

    fn zones(&self) -> Vec<&str> {
        self.allocations
            .iter()
            .map(|zone| zone.share.zone)
            .collect()
    }

    fn figures(&self) -> Vec<ZoneFigures> {
        zone_figures(self.allocations, self.ready)
    }
}

/// The zones of endpoints.
fn zones_of<'e>(ready: &[&'e Endpoint<'_>]) -> Vec<&'e str> {
    let zones = ready.iter().filter_map(|endpoint| endpoint.zone.as_deref());
    slicewise::model::order::sorted_unique(zones)
}

/// `a: 33.3 % of CPU, so 3.67 endpoints, at least 4 (3.67 ÷ 1.2 = 3.06, rounded up)`.
fn arithmetic(zone: &Allocation<'_>) -> String {
    format!(
        "{}: {} of CPU makes {:.2} endpoints, at least {} ({:.2} ÷ {:.1} = {:.2}, rounded up)",
        zone.share.zone,
        percent(zone.share.cpu_ratio, 1),
        zone.proportional,
        zone.minimum,
        zone.proportional,
        1.0 + OVERLOAD_THRESHOLD,
        zone.proportional / (1.0 + OVERLOAD_THRESHOLD)
    )
}
