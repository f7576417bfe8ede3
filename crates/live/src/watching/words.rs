//! Changes in words, for people.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::diff::Count;
use slicewise::model::AddressType;
use slicewise::plan::ServiceRef;
use slicewise::words::counted;

use super::change::{EndpointField, SeenEndpoint, SeenPort, TrafficChange, TrafficChangeKind};

/// A change in one sentence without a full stop. The Service is named elsewhere.
pub(super) fn of(what: &TrafficChangeKind) -> String {
    match what {
        TrafficChangeKind::ServiceAdded { endpoints, ready } => format!(
            "the Service was added, with {}, {ready} ready",
            counted(*endpoints, "endpoint")
        ),
        TrafficChangeKind::ServiceRemoved => "the Service was deleted".into(),
        TrafficChangeKind::EndpointGained { .. }
        | TrafficChangeKind::EndpointLost { .. }
        | TrafficChangeKind::EndpointChanged { .. } => of_endpoint(what),
        TrafficChangeKind::NoneReady {
            address_type,
            draining: 0,
        } => format!(
            "no {} endpoint is ready, and none is still serving: traffic is dropped",
            address_type.as_str()
        ),
        TrafficChangeKind::NoneReady {
            address_type,
            draining,
        } => format!(
            "no {} endpoint is ready: traffic goes to {} that {} terminating and still {}",
            address_type.as_str(),
            counted(*draining, "endpoint"),
            if *draining == 1 { "is" } else { "are" },
            if *draining == 1 { "answers" } else { "answer" }
        ),
        TrafficChangeKind::SomeReady {
            address_type,
            ready,
        } => format!(
            "{} ready again",
            are(*ready, &format!("{} endpoint", address_type.as_str()))
        ),
        TrafficChangeKind::HintsOn {
            address_type,
            ready,
        } => format!(
            "zone hints are in effect: all ready {} endpoints ({ready}) have one",
            address_type.as_str()
        ),
        TrafficChangeKind::HintsOff {
            address_type,
            ready,
            hinted,
            reason,
        } => {
            let reason = reason.as_deref().unwrap_or_default();
            let why = match reason {
                "" => String::new(),
                reason => format!(" ({reason})"),
            };
            format!(
                "zone hints are ignored: {hinted} of {ready} ready {} endpoints have one{why}",
                address_type.as_str()
            )
        }
        TrafficChangeKind::Unwritten {
            seconds,
            create,
            update,
            delete,
            reasons,
        } => {
            let reasons: Vec<&str> = reasons.iter().map(|reason| reason.words()).collect();
            let why = match reasons.as_slice() {
                [] => String::new(),
                _ => format!(" ({})", reasons.join("; ")),
            };
            format!(
                "slices have differed from the plan for {seconds} s, and none was written: {create} to create, \
                 {update} to update, {delete} to delete{why}"
            )
        }
        TrafficChangeKind::Written { seconds } => {
            format!("slices match the plan again, after {seconds} s")
        }
    }
}

fn of_endpoint(what: &TrafficChangeKind) -> String {
    let Some(told) = EndpointWords::of(what) else {
        return String::new();
    };
    format!(
        "{}{}{}; {}",
        told.begin,
        name(told.endpoint),
        told.end(1),
        counts(told.ready)
    )
}

/// A change of an endpoint: what is said in front of its name, and behind it.
struct EndpointWords<'c> {
    endpoint: &'c SeenEndpoint,
    ready: Count,
    begin: &'static str,
    between: &'static str,
    was: bool,
    what: String,
}

/// The endpoint that a change is about, its family, and how many are ready.
fn endpoint_of(what: &TrafficChangeKind) -> Option<(AddressType, &SeenEndpoint, Count)> {
    match what {
        TrafficChangeKind::EndpointGained {
            address_type,
            endpoint,
            ready,
        }
        | TrafficChangeKind::EndpointLost {
            address_type,
            endpoint,
            ready,
        }
        | TrafficChangeKind::EndpointChanged {
            address_type,
            endpoint,
            ready,
            ..
        } => Some((*address_type, endpoint, *ready)),
        _ => None,
    }
}

impl<'c> EndpointWords<'c> {
    fn of(what: &'c TrafficChangeKind) -> Option<Self> {
        let (_, endpoint, ready) = endpoint_of(what)?;
        let (begin, between, was, what) = match what {
            TrafficChangeKind::EndpointLost { .. } => (
                "lost ",
                ", which ",
                true,
                endpoint.state.words().to_string(),
            ),
            TrafficChangeKind::EndpointChanged { before, fields, .. } => {
                let differences = differences(before, endpoint, fields);
                ("", ": ", false, differences.join(", "))
            }
            _ => {
                let state = endpoint.state.words();
                let what = format!("{state}{}", hinted(endpoint));
                ("gained ", ", ", false, what)
            }
        };
        Some(Self {
            endpoint,
            ready,
            begin,
            between,
            was,
            what,
        })
    }

    /// What follows the names of so many.
    fn end(&self, number: usize) -> String {
        let was = match (self.was, number) {
            (false, _) => "",
            (true, 1) => "was ",
            (true, _) => "were ",
        };
        format!("{}{was}{}", self.between, self.what)
    }
}

/// So many different changes are shown, each with the names of so many endpoints.
const FEW: usize = 3;

/// Changes that were noticed at once, for people: a line for each Service and family, which begins with the effect on the
/// Service as a whole.
pub(super) fn folded<'c>(changes: &[&'c TrafficChange]) -> Vec<(&'c ServiceRef<'static>, String)> {
    let is_together = |one: &&TrafficChange, other: &&TrafficChange| {
        let families = family_of(&one.what).zip(family_of(&other.what));
        let is_one_family = families.is_some_and(|(one, other)| one == other);
        is_one_family && one.service == other.service
    };
    let groups = changes.chunk_by(is_together);
    let line = |group: &[&'c TrafficChange]| {
        let (endpoints, whole): (Vec<&TrafficChange>, Vec<&TrafficChange>) = group
            .iter()
            .copied()
            .partition(|change| endpoint_of(&change.what).is_some());
        let whole = whole.iter().map(|change| change.message.clone());
        let mut parts: Vec<String> = whole.collect();
        parts.extend(match endpoints.as_slice() {
            [] => None,
            [only] => Some(only.message.clone()),
            several => Some(of_several(several)),
        });
        Some((&group.first()?.service, parts.join("; ")))
    };
    groups.filter_map(line).collect()
}

/// The family that a change is about, if it is about one.
fn family_of(what: &TrafficChangeKind) -> Option<AddressType> {
    match what {
        TrafficChangeKind::NoneReady { address_type, .. }
        | TrafficChangeKind::SomeReady { address_type, .. }
        | TrafficChangeKind::HintsOn { address_type, .. }
        | TrafficChangeKind::HintsOff { address_type, .. } => Some(*address_type),
        _ => endpoint_of(what).map(|(family, _, _)| family),
    }
}

fn of_several(changes: &[&TrafficChange]) -> String {
    let told = changes.iter();
    let told = told.filter_map(|change| EndpointWords::of(&change.what));
    let told: Vec<EndpointWords<'_>> = told.collect();
    // In the order of the first ones.
    let mut places = BTreeMap::new();
    let mut groups: Vec<Vec<&EndpointWords<'_>>> = Vec::new();
    for one in &told {
        let place = *places.entry((one.begin, &one.what)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(one),
            None => groups.push(alloc::vec![one]),
        }
    }
    let more: usize = groups.iter().skip(FEW).map(Vec::len).sum();
    let groups = groups.iter().take(FEW).filter_map(|group| {
        let first = group.first()?;
        let names = group.iter().take(FEW).map(|one| name(one.endpoint));
        let names: Vec<String> = names.collect();
        let names = match (group.len(), names.as_slice()) {
            (1, [only]) => only.clone(),
            (number, _) if number > FEW => counted(number, "endpoint"),
            _ => names.join(" and "),
        };
        Some(format!("{}{names}{}", first.begin, first.end(group.len())))
    });
    let mut groups: Vec<String> = groups.collect();
    if more > 0 {
        groups.push(format!("and {}", counted(more, "more endpoint")));
    }
    let ready = Count {
        before: told.first().map_or(0, |one| one.ready.before),
        after: told.last().map_or(0, |one| one.ready.after),
    };
    format!("{}; {}", groups.join("; "), counts(ready))
}

fn are(number: usize, what: &str) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb}", counted(number, what))
}

/// `10.0.0.1:8080, Pod cart-1 on node a1 in zone a`
fn name(endpoint: &SeenEndpoint) -> String {
    let host = if endpoint.address.contains(':') {
        Cow::Owned(format!("[{}]", endpoint.address))
    } else {
        Cow::Borrowed(endpoint.address.as_str())
    };
    let number = |port: &SeenPort| {
        port.port
            .map_or_else(|| "*".to_string(), |port| port.to_string())
    };
    let ports: Vec<String> = endpoint.ports.iter().map(number).collect();
    let mut name = match ports.as_slice() {
        [] => endpoint.address.clone(),
        _ => format!("{host}:{}", ports.join(",")),
    };
    if let Some(target) = &endpoint.target {
        name.push_str(&format!(", {} {}", target.kind, target.name));
    }
    if let Some(node) = &endpoint.node {
        name.push_str(&format!(" on node {node}"));
    }
    if let Some(zone) = &endpoint.zone {
        name.push_str(&format!(" in zone {zone}"));
    }
    name
}

fn hinted(endpoint: &SeenEndpoint) -> String {
    if endpoint.for_zones.is_empty() && endpoint.for_nodes.is_empty() {
        return String::new();
    }
    format!(", for {}", hints(endpoint))
}

fn hints(endpoint: &SeenEndpoint) -> String {
    let some = |names: &[String], what: &str| match names {
        [] => None,
        [only] => Some(format!("{what} {only}")),
        several => Some(format!("{what}s {}", several.join(", "))),
    };
    let parts = [
        some(&endpoint.for_zones, "zone"),
        some(&endpoint.for_nodes, "node"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return "no hint".into();
    }
    parts.join(" and ")
}

fn counts(ready: Count) -> String {
    if ready.before == ready.after {
        return format!("{} ready", ready.after);
    }
    format!("{} → {} ready", ready.before, ready.after)
}

fn differences(
    before: &SeenEndpoint,
    after: &SeenEndpoint,
    fields: &[EndpointField],
) -> Vec<String> {
    let has = |field: EndpointField| fields.contains(&field);
    let mut parts = Vec::new();
    if before.state != after.state {
        parts.push(format!(
            "{} → {}",
            before.state.words(),
            after.state.words()
        ));
    } else if has(EndpointField::Serving) || has(EndpointField::Terminating) {
        // The resulting state is the same: published although it does not serve, or although it is terminating.
        let flag = |name, flag: bool| if flag { name } else { "" };
        let words = |endpoint: &SeenEndpoint| {
            let words = [
                flag("serving", endpoint.serving),
                flag("terminating", endpoint.terminating),
            ];
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            match words.as_slice() {
                [] => "not serving".to_string(),
                _ => words.join(" and "),
            }
        };
        parts.push(format!("{} → {}", words(before), words(after)));
    }
    if has(EndpointField::ForZones) || has(EndpointField::ForNodes) {
        parts.push(format!("{} → {}", hints(before), hints(after)));
    }
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
    if has(EndpointField::Target) {
        let target = |endpoint: &SeenEndpoint| {
            let target = endpoint.target.as_ref();
            target.map_or_else(
                || "no target".to_string(),
                |target| format!("{} {}", target.kind, target.name),
            )
        };
        parts.push(format!("was {}", target(before)));
    }
    if has(EndpointField::Node) {
        parts.push(format!(
            "node {} → {}",
            text(&before.node),
            text(&after.node)
        ));
    }
    if has(EndpointField::Zone) {
        parts.push(format!(
            "zone {} → {}",
            text(&before.zone),
            text(&after.zone)
        ));
    }
    parts
}
