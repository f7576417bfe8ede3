//! Hints that are assigned: by which rule, how close they are to being lost, and their effect on traffic.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::hints_followed::{follow, is_any_unhinted};
use super::say::fix;
use super::scene::Scene;
use super::traffic::TrafficSources;
use super::words::list;
use super::zones::{WHO_FOLLOWS, hinted_zones, in_zone, spread, title, zone_figures};
use super::{say, whatif};
use slicewise::model::order::sorted_unique;
use slicewise::model::{Endpoint, SortedMap};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, ZoneFigures};
use slicewise::plan::{HintsMode, HintsReport};
use slicewise::topology::allocation::{OVERLOAD_THRESHOLD, allocate};
use slicewise::topology::counts;
use slicewise::topology::nodes::ZoneShare;
use slicewise::words::{counted, percent};

/// Explains `Auto` hints that are assigned.
pub(super) fn auto(scene: &Scene<'_>, report: &HintsReport<'_>, answers: &mut Vec<Explanation>) {
    let family = report.address_type;
    let service = scene.case.service;
    let ready = scene.ready(family);
    let shares = scene.nodes().zone_shares().unwrap_or_default();
    let (allocations, _) = allocate(Some(shares), ready.len() as i64);
    let figures = zone_figures(&allocations, &ready);
    let zone = |zone: &ZoneFigures| {
        format!(
            "{} has {} of CPU, is owed {:.2} (at least {}, at most {}), has {} and gets {}",
            zone.zone,
            percent(zone.cpu_ratio, 1),
            zone.desired,
            zone.minimum,
            zone.maximum,
            zone.endpoints,
            zone.hinted
        )
    };
    let words: Vec<String> = figures.iter().map(zone).collect();
    let flaps = may_flap(scene, report, &ready, shares);
    let (least, most) = counts::rollout(ready.len() as i64);
    let steady = if flaps.is_none() {
        format!(" A rollout with the usual limits ({least} to {most} ready pods) keeps them.")
    } else {
        String::new()
    };
    let message = format!(
        "`Auto` hints{} are on, for {} in {}: {}.{steady} {WHO_FOLLOWS}",
        scene.of_family(family),
        counted(ready.len(), "ready endpoint"),
        counted(shares.len(), "zone"),
        words.join("; ")
    );
    answers.push(
        say::service(
            Code::HintsGiven,
            service,
            given(scene, report, "`Auto` hints are on."),
        )
        .because(format!(
            "{} fit {} by their CPU.",
            counted(ready.len(), "ready endpoint"),
            counted(shares.len(), "zone")
        ))
        .details(message)
        .family(family)
        .figure("readyEndpoints", ready.len())
        .figure("zones", figures),
    );
    answers.extend(flaps);
    answers.extend(to_other_zones(scene, report, &ready));
    if is_any_unhinted(scene, family) {
        follow(scene, report, answers);
    }
}

/// The fact; or that it is only planned, if the live slices differ.
fn given(scene: &Scene<'_>, report: &HintsReport<'_>, words: &str) -> String {
    if scene.lacks(Code::NotWrittenHint, report.address_type) {
        return "Live slices do not have all hints yet.".to_string();
    }
    words.to_string()
}

/// Would a number of pods that a rollout passes through disable the hints?
fn may_flap(
    scene: &Scene<'_>,
    report: &HintsReport<'_>,
    ready: &[&Endpoint<'_>],
    shares: &[ZoneShare<'_>],
) -> Option<Explanation> {
    let now = ready.len() as i64;
    let (least, most) = counts::rollout(now);
    let (least, most) = (least.min(now - 1), most.max(now + 1));
    let refused: Vec<i64> = (least.max(0)..=most)
        .filter(|count| !counts::works(shares, *count))
        .collect();
    if refused.is_empty() {
        return None;
    }
    let family = report.address_type.as_str();
    let slices = scene
        .after
        .iter()
        .filter(|slice| slice.address_type == family);
    let near: Vec<String> = refused.iter().map(ToString::to_string).collect();
    let message = format!(
        "`Auto` hints{} are on with {now} ready endpoints, but not with {}. One pod more or less, or a rollout with the usual limits (25 % unavailable, 25 % more: {least} to {most} ready pods), passes through such a count: hints turn off and on again, each time with a write of {} and a sudden shift of traffic.",
        scene.of_family(report.address_type),
        super::words::either(&near),
        counted(slices.count(), "slice")
    );
    let mut explanation = say::service(
        Code::HintsMayFlap,
        scene.case.service,
        "A rollout turns the hints off and on again.",
    )
    .because(format!(
        "They are on with {now} ready endpoints, but not with {}.",
        super::words::either(&near)
    ))
    .details(message)
    .family(report.address_type)
    .figure("readyEndpoints", now)
    .figure("refusedCounts", refused);
    if let Some(steady) = counts::steady_from(shares, now + 1) {
        let (least, most) = counts::rollout(steady);
        let effect = format!("every count of such a rollout ({least} to {most}) keeps its hints");
        let changes = whatif::to_count(scene, report.address_type, steady);
        explanation = explanation.figure("steadyCount", steady).fixes([fix(
            format!("run {steady} pods"),
            effect,
        )
        .by(changes)]);
    }
    let fix = whatif::traffic_fix(scene, report.address_type);
    Some(explanation.fixes(fix))
}

/// Endpoints that are hinted to a zone other than their own.
fn to_other_zones(
    scene: &Scene<'_>,
    report: &HintsReport<'_>,
    ready: &[&Endpoint<'_>],
) -> Option<Explanation> {
    let mut moves: SortedMap<(&str, &str), usize> = SortedMap::default();
    let mut names = Vec::new();
    for endpoint in ready {
        let own = endpoint.zone.as_deref().unwrap_or_default();
        for zone in hinted_zones(endpoint)
            .into_iter()
            .filter(|zone| *zone != own)
        {
            *moves.or_default((own, zone)) += 1;
            names.push(title(endpoint));
        }
    }
    if moves.is_empty() {
        return None;
    }
    let one =
        |((from, to), number): (&(&str, &str), &usize)| format!("{number} from {from} to {to}");
    let words: Vec<String> = moves.iter().map(one).collect();
    let zones: Vec<&str> = report.zones.iter().map(|zone| &*zone.zone).collect();
    let message = format!(
        "{} hinted to a zone other than {} own: {} ({}). This is intended: `Auto` assigns endpoints in proportion to the zones' CPU, not by where pods run, and zones that have more than they are owed ({}) give to those that have less. Clients in the receiving zone cross zones to reach them.",
        if names.len() == 1 {
            "1 endpoint is".to_string()
        } else {
            format!("{} endpoints are", names.len())
        },
        if names.len() == 1 { "its" } else { "their" },
        list(&words),
        list(&names),
        spread(ready, &zones)
    );
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let explanation = say::service(Code::HintsToOtherZone, scene.case.service, "Endpoints are hinted to a zone other than their own.").because(format!("`Auto` follows the zones' CPU, not the location of pods: {}.", list(&words))).details(message)
        .family(report.address_type)
        .figure("endpoints", names.as_slice())
        .fix(
            "distribute the pods in proportion to CPU (topologySpreadConstraints on topology.kubernetes.io/zone, maxSkew: 1), and give the zones equal CPU",
            "every endpoint is hinted to its own zone when its slice next changes; existing hints that still fit are kept until then",
        );
    Some(explanation.fixes(whatif::traffic_fix(scene, report.address_type)))
}

/// Explains hints for `trafficDistribution`.
pub(super) fn traffic(scene: &Scene<'_>, report: &HintsReport<'_>, answers: &mut Vec<Explanation>) {
    let family = report.address_type;
    let service = scene.case.service;
    let ready = scene.ready(family);
    if ready.is_empty() {
        return;
    }
    let own = ready.iter().filter_map(|endpoint| endpoint.zone.as_deref());
    let zones = sorted_unique(own.chain(scene.case.cluster.zones.iter().copied()));
    let name = match report.mode {
        HintsMode::PreferSameNode => "PreferSameNode",
        HintsMode::PreferClose => "PreferClose",
        _ => "PreferSameZone",
    };
    let extra = if report.mode == HintsMode::PreferSameNode {
        " and its own node"
    } else {
        ""
    };
    let message = format!(
        "Hints{} are set because of trafficDistribution {name}: every ready endpoint that has a zone is hinted to it{extra} ({}). Their number and the nodes' CPU do not matter. {WHO_FOLLOWS}",
        scene.of_family(family),
        spread(&ready, &zones)
    );
    answers.push(
        say::service(
            Code::HintsGiven,
            service,
            given(
                scene,
                report,
                &format!("Every ready endpoint that has a zone is hinted to it{extra}."),
            ),
        )
        .because(format!(
            "trafficDistribution is {name}; endpoints by zone: {}.",
            spread(&ready, &zones)
        ))
        .details(message)
        .family(family)
        .figure("readyEndpoints", ready.len()),
    );
    if let Some(planned) = follow(scene, report, answers) {
        answers.extend(empty_zones(scene, report, &planned.zones_that_leave()));
        answers.extend(overloaded(scene, report, &planned));
    }
}

/// Zones with nodes but no hinted endpoint, whose clients use all zones.
fn empty_zones(scene: &Scene<'_>, report: &HintsReport<'_>, empty: &[&str]) -> Option<Explanation> {
    if empty.is_empty() {
        return None;
    }
    let message = format!(
        "{} {} nodes but no ready endpoint of the Service: clients there use the endpoints of all zones equally until their own zone has a ready one.",
        list(
            &empty
                .iter()
                .map(|zone| format!("Zone {zone}"))
                .collect::<Vec<_>>()
        ),
        if empty.len() == 1 { "has" } else { "have" }
    );
    Some(
        say::service(Code::ZoneWithoutEndpoint, scene.case.service, "Clients in some zones use endpoints of all other zones.").because(format!("No ready endpoint is hinted to {}.", list(empty))).details(message)
            .family(report.address_type)
            .figure("zones", empty)
            .fix(
                format!(
                    "run at least one pod there: topologySpreadConstraints on topology.kubernetes.io/zone, and {} or more replicas",
                    scene.case.cluster.zones.len()
                ),
                "clients of each zone stay in it",
            ),
    )
}

/// Would the endpoints of some zone get far more than the average if traffic is proportional to CPU?
fn overloaded(
    scene: &Scene<'_>,
    report: &HintsReport<'_>,
    planned: &TrafficSources<'_>,
) -> Option<Explanation> {
    let shares = scene.nodes().zone_shares()?;
    let (zone, times) = planned.busiest()?;
    let are_known = scene.case.clients.is_some();
    if are_known || times <= 1.0 + OVERLOAD_THRESHOLD + 1e-9 {
        return None;
    }
    let zone = zone.as_str();
    let share = shares.iter().find(|share| share.zone == zone)?;
    let ready = scene.ready(report.address_type);
    let (allocations, _) = allocate(Some(shares), ready.len() as i64);
    let wants = allocations.iter().find(|other| other.share.zone == zone)?;
    let has = in_zone(&ready, zone);
    let message = format!(
        "Zone {zone} has {} of the CPU and {has} of {} ready endpoints: if traffic originates in proportion to CPU, an endpoint there gets {times:.2} times the average, and nothing shifts the excess elsewhere, because hints from trafficDistribution ignore load, and an autoscaler that averages over all pods does not notice it either.",
        percent(share.cpu_ratio, 1),
        ready.len()
    );
    Some(
        say::service(Code::ZoneOverloaded, scene.case.service, format!("Endpoints in zone {zone} may get {times:.2} times the average.")).because(format!("The zone has {} of the CPU and {has} of {} ready endpoints; clients are assumed in proportion to CPU unless they are named.", percent(share.cpu_ratio, 1), ready.len())).details(message)
            .family(report.address_type)
            .figure("zone", zone)
            .figure("cpuRatio", share.cpu_ratio)
            .figure("endpoints", has)
            .figure("times", times)
            .fix(
                format!("run at least {} of the {} pods in {zone} (topologySpreadConstraints with maxSkew: 1, or a Deployment for each zone)", wants.minimum, ready.len()),
                "no endpoint there is more than 20 % above the average",
            )
            .fixes(match whatif::auto_effect(scene, report.address_type) {
                Some(Ok((effect, change))) => {
                    let words = "or let `Auto` distribute them: annotation service.kubernetes.io/topology-mode: Auto, in place of spec.trafficDistribution";
                    Some(fix(words, effect).by([change]))
                }
                _ => None,
            }),
    )
}
