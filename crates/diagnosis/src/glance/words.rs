//! A Service at a glance, in words: a reader's question, its answer, the rule, the arithmetic.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::view::{FamilyResult, ServiceContext, ZoneOutcome};
use slicewise::plan::HintsMode;
use slicewise::topology::events::Disabled;
use slicewise::topology::nodes::NodeFacts;
use slicewise::words::{counted, listed};

/// `three`.
fn in_words(number: usize) -> String {
    const WORDS: [&str; 11] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    WORDS
        .get(number)
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `4 to a, 4 to b and 3 to c`.
pub(super) fn all(parts: &[String]) -> String {
    listed(parts, "and", usize::MAX)
}

/// The obvious question.
pub(super) fn question(view: &ServiceContext<'_>, outcome: &FamilyResult) -> &'static str {
    if !view.service.is_reconciled() {
        return "Who manages the slices?";
    }
    if outcome.ready == 0 {
        return "Why is there no answer?";
    }
    match outcome.left_out.len() {
        0 => {}
        1 => return "Why is a pod left out?",
        _ => return "Why are pods left out?",
    }
    match (outcome.mode, outcome.applied) {
        (HintsMode::None, _) if outcome.had_hints => "Where did the hints go?",
        (HintsMode::None, _) if outcome.has_writes() => "What does the plan change?",
        (HintsMode::None, _) => "Who serves whom?",
        (_, true) => "Where do the hints point?",
        (_, false) if outcome.had_hints => "Why did the hints vanish?",
        (_, false) => "Why are there no hints?",
    }
}

/// Its answer, in one sentence.
pub(super) fn headline(view: &ServiceContext<'_>, outcome: &FamilyResult) -> String {
    let service = view.service;
    if service.spec.service_type == "ExternalName" {
        return "A Service of type ExternalName has no endpoints.".into();
    }
    if !service.is_reconciled() {
        return "The Service has no selector, so others manage its slices.".into();
    }
    if !outcome.left_out.is_empty() {
        return left_out(view, &outcome.left_out);
    }
    if outcome.ready == 0 {
        return nobody(outcome);
    }
    match outcome.mode {
        HintsMode::None if outcome.had_hints => {
            format!("Nothing asks for them any more. {}", anywhere(outcome))
        }
        HintsMode::None if outcome.has_writes() => plan(outcome),
        HintsMode::None => anywhere(outcome),
        HintsMode::Auto if outcome.applied => shared_out(outcome),
        HintsMode::Auto => off(view, outcome),
        HintsMode::PreferClose | HintsMode::PreferSameZone | HintsMode::PreferSameNode => {
            preferred(outcome)
        }
    }
}

fn left_out(view: &ServiceContext<'_>, pods: &[String]) -> String {
    match pods {
        [pod] => format!("{pod}: the node is unknown, so there is no endpoint yet."),
        pods if view.nodes.is_empty() => {
            let pods = counted(pods.len() as i64, "pod");
            format!("The input has no nodes, so {pods} cannot be endpoints yet.")
        }
        [first, others @ ..] => {
            let more = others.len();
            format!(
                "{first} and {more} more: their nodes are unknown, so there are no endpoints yet."
            )
        }
        [] => String::new(),
    }
}

fn nobody(outcome: &FamilyResult) -> String {
    match outcome.selected {
        0 => "The selector matches no pod.".into(),
        1 => "The only selected pod is not ready.".into(),
        pods => format!("None of the {pods} pods is ready."),
    }
}

fn anywhere(outcome: &FamilyResult) -> String {
    let who = match outcome.ready {
        1 => "All clients share one endpoint".into(),
        ready => format!("Each client may get any of the {ready} endpoints"),
    };
    let zones = outcome.zones.iter().filter(|zone| zone.ready > 0).count();
    let where_ = if zones > 1 { ", in any zone" } else { "" };
    format!("{who}{where_}.")
}

fn shared_out(outcome: &FamilyResult) -> String {
    let endpoints = counted(outcome.ready, "endpoint");
    let zones = &outcome.zones;
    let given = |zone: &ZoneOutcome| zone.allocated.unwrap_or_default();
    if let Some(same) = zones
        .first()
        .map(given)
        .filter(|same| zones.iter().all(|zone| given(zone) == *same))
    {
        return format!(
            "{endpoints} give {} zones {same} each.",
            in_words(zones.len())
        );
    }
    const FEW: usize = 4;
    if zones.len() > FEW {
        return format!(
            "{endpoints} are distributed over {} zones.",
            in_words(zones.len())
        );
    }
    let parts: Vec<String> = zones
        .iter()
        .map(|zone| format!("{} to {}", given(zone), zone.zone))
        .collect();
    format!("{endpoints} are distributed: {}.", all(&parts))
}

fn off(view: &ServiceContext<'_>, outcome: &FamilyResult) -> String {
    let endpoints = counted(outcome.ready, "endpoint");
    let zones = in_words(outcome.zones.len());
    match outcome.disabled {
        Some(Disabled::InsufficientNodeInfo) => nodes_off(view),
        Some(Disabled::InsufficientEndpoints { .. }) => {
            let are = if outcome.ready == 1 { "is" } else { "are" };
            format!("{endpoints} {are} too few for {zones} zones.")
        }
        Some(Disabled::OverloadThreshold { .. }) => {
            let minimums: Vec<i64> = outcome
                .zones
                .iter()
                .filter_map(|zone| zone.minimum)
                .collect();
            match minimums.split_first() {
                Some((first, others)) if others.iter().all(|other| other == first) => {
                    format!("{endpoints} cannot give {zones} zones {first} each.")
                }
                _ => format!(
                    "{endpoints} cannot give {zones} zones the {} they need.",
                    minimums.iter().sum::<i64>()
                ),
            }
        }
        Some(Disabled::NoZoneSpecified | Disabled::NotRequested) | None => match outcome.unzoned {
            1 => "One endpoint has no zone, so there are no hints at all.".into(),
            some => format!("{some} endpoints have no zone, so there are no hints at all."),
        },
    }
}

/// Nodes that count but lack a zone or CPU.
pub(super) fn faulty<'n>(view: &ServiceContext<'n>) -> Vec<(&'n str, NodeFacts<'n>)> {
    let nodes = view
        .nodes
        .iter()
        .map(|node| (node.metadata.name.as_str(), NodeFacts::of(node)));
    nodes
        .filter(|(_, facts)| facts.counts() && facts.place().is_none())
        .collect()
}

fn nodes_off(view: &ServiceContext<'_>) -> String {
    match faulty(view).as_slice() {
        [] if view.nodes.iter().any(|node| NodeFacts::of(node).counts()) => {
            "All ready worker nodes are in one zone, so there is nothing to prefer.".into()
        }
        [] => "No node is ready, so the zones are unknown.".into(),
        [(name, facts)] => {
            let lacks = if facts.zone.is_none() { "zone" } else { "CPU" };
            format!("Node {name} has no {lacks}, so there are no hints anywhere.")
        }
        several => format!(
            "{} nodes lack a zone or CPU, so there are no hints anywhere.",
            several.len()
        ),
    }
}

fn preferred(outcome: &FamilyResult) -> String {
    if !outcome.applied {
        let reason = outcome
            .reason
            .as_deref()
            .unwrap_or("there is nothing to hint");
        return format!("No hints: {reason}.");
    }
    match outcome.unzoned {
        0 => {}
        1 => return "One endpoint has no zone, so kube-proxy ignores all hints.".into(),
        some => {
            return format!("{some} endpoints have no zone, so kube-proxy ignores all hints.");
        }
    }
    let empty = outcome.zones.iter().filter(|zone| zone.ready == 0);
    let empty: Vec<String> = empty.map(|zone| zone.zone.clone()).collect();
    match (empty.as_slice(), outcome.mode) {
        ([], HintsMode::PreferSameNode) => {
            "Clients stay on their node if it has an endpoint, otherwise in their zone.".into()
        }
        ([], _) => "Every client stays in its own zone.".into(),
        ([zone], _) => format!("Zone {zone} has no endpoint: its clients go to the others."),
        (several, _) => format!(
            "Zones {} have no endpoint: their clients go to the others.",
            all(several)
        ),
    }
}

/// The deciding rule, in one sentence.
pub(super) const fn rule(mode: HintsMode) -> &'static str {
    match mode {
        HintsMode::Auto => {
            "A hint says whose clients an endpoint is for. `Auto` distributes the ready endpoints by the zones' CPU; where the pods run does not matter."
        }
        HintsMode::PreferClose | HintsMode::PreferSameZone => {
            "A hint says whose clients an endpoint is for: those of its own zone, however many there are."
        }
        HintsMode::PreferSameNode => {
            "A hint says whose clients an endpoint is for: those of its own node; nodes without one use their zone's."
        }
        HintsMode::None => {
            "Nothing asks for hints, which say whose clients an endpoint is for: each client picks among all endpoints."
        }
    }
}

/// The note on a plan that has to be retried.
pub(super) const RETRY: &str = "The Service must be retried.";

/// The effect of a plan, in one or two sentences.
pub(super) fn plan(outcome: &FamilyResult) -> String {
    let [created, updated, deleted, unchanged] = outcome.writes;
    let stats = outcome.stats;
    let retry = if outcome.requeue {
        format!(" {RETRY}")
    } else {
        String::new()
    };
    if !outcome.has_writes() {
        let what = if unchanged == 0 {
            "there is no slice, and none is needed"
        } else {
            "the slices are up to date"
        };
        return format!("Nothing to do: {what}.{retry}");
    }
    let writes = [
        (created, "creates"),
        (updated, "updates"),
        (deleted, "deletes"),
    ];
    let due = writes.into_iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<String> = due
        .enumerate()
        .map(|(place, (count, verb))| match place {
            0 => format!("{verb} {}", counted(count as i64, "slice")),
            _ => format!("{verb} {count}"),
        })
        .collect();
    if unchanged > 0 {
        let are = if unchanged == 1 { "it is" } else { "they are" };
        parts.push(format!("leaves {unchanged} as {are}"));
    }
    let [added, removed] = outcome.moves;
    let moves = [(added, "added"), (removed, "removed")];
    let moves = moves.into_iter().filter(|(count, _)| *count > 0);
    let moves: Vec<String> = moves
        .map(|(count, verb)| format!("{count} {verb}"))
        .collect();
    let moves = if moves.is_empty() {
        "none added or removed".to_owned()
    } else {
        all(&moves)
    };
    let endpoints = counted(stats.endpoints as i64, "endpoint");
    format!("The plan {}. {endpoints}: {moves}.{retry}", all(&parts))
}

/// A share in percent, with the digits that its zone's minimum takes; in whole percent if only floating point gives that.
///
/// Formatted as integers: float formatting is a tenth of the module.
fn percent(share: f64, ready: i64, minimum: i64) -> String {
    const MOST_DIGITS: u32 = 6;
    let scaled = |digits| {
        let unit = 10_i64.pow(digits);
        ((share * 100.0 * unit as f64 + 0.5) as i64, unit)
    };
    let is_enough = |digits: &u32| {
        let (scaled, unit) = scaled(*digits);
        let [times, by] = [ready as i128 * scaled as i128, 120 * unit as i128];
        (times + by - 1) / by == minimum as i128
    };
    let digits = (0..=MOST_DIGITS).find(is_enough).unwrap_or_default();
    let (scaled, unit) = scaled(digits);
    match digits {
        0 => scaled.to_string(),
        _ => {
            let [whole, rest, width] = [scaled / unit, scaled % unit, i64::from(digits)];
            format!("{whole}.{rest:0width$}", width = width as usize)
        }
    }
}

/// The sum of the zones' minimums, as a formula; `None` if there is no sum.
pub(super) fn arithmetic(outcome: &FamilyResult) -> Option<(String, i64)> {
    let mut kinds: Vec<(&ZoneOutcome, i64, usize)> = Vec::new();
    for zone in &outcome.zones {
        let minimum = zone.minimum?;
        let alike = kinds
            .iter_mut()
            .find(|(other, ..)| other.cpu_ratio == zone.cpu_ratio);
        match alike {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((zone, minimum, 1)),
        }
    }
    let (first, rest) = kinds.split_first()?;
    let needed: i64 = kinds
        .iter()
        .map(|(_, minimum, count)| minimum * *count as i64)
        .sum();
    let ready = outcome.ready;
    let verdict = if needed > ready { ">" } else { "≤" };
    let times = |count: usize, what: String| match count {
        1 => what,
        several => format!("{several} × {what}"),
    };
    const FEW: usize = 3;
    let (terms, sums) = match rest {
        [] => {
            let (_, minimum, count) = *first;
            let term = format!("{count} zones × ⌈ {ready}/{count} ÷ 1.2 ⌉");
            (term, format!("{count} × {minimum}"))
        }
        others if others.len() < FEW => {
            let term = |(zone, minimum, count): &(&ZoneOutcome, i64, usize)| {
                let share = percent(zone.cpu_ratio.unwrap_or_default(), ready, *minimum);
                times(*count, format!("⌈ {ready} × {share} % ÷ 1.2 ⌉"))
            };
            let sum = |(_, minimum, count): &(&ZoneOutcome, i64, usize)| {
                times(*count, minimum.to_string())
            };
            let terms: Vec<String> = kinds.iter().map(term).collect();
            let sums: Vec<String> = kinds.iter().map(sum).collect();
            (terms.join(" + "), sums.join(" + "))
        }
        _ => {
            let zones = outcome.zones.len();
            return Some((
                format!("{zones} zones need {needed} between them {verdict} {ready}"),
                needed,
            ));
        }
    };
    let trap = if needed > ready && outcome.zones.iter().any(|zone| zone.is_rounded_up) {
        " (slightly above a whole number in floating point, so it is rounded up)"
    } else {
        ""
    };
    Some((
        format!("{terms} = {sums} = {needed} {verdict} {ready}{trap}"),
        needed,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers() {
        assert_eq!((in_words(3), in_words(11)), ("three".into(), "11".into()));
    }

    #[test]
    fn a_share_has_the_digits_that_the_minimum_takes() {
        // ⌈ 20,000 × 0.334 ÷ 1.2 ⌉ is 5567; with 33 % it would be 5500.
        assert_eq!(percent(0.334, 20_000, 5567), "33.4");
        assert_eq!(percent(1.0 / 3.0, 20_000, 5556), "33.333");
        assert_eq!(percent(0.5, 12, 5), "50");
        assert_eq!(percent(0.25, 12, 3), "25");
        // A minimum that floating point has rounded up.
        assert_eq!(percent(0.2, 6, 2), "20");
        assert_eq!(percent(0.020_4, 5_000, 85), "2.04");
    }
}
