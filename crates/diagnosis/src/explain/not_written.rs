//! The difference between the live slices and the plan, which has not been written yet: what it is, since when, why,
//! and what will resolve it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::Scene;
use super::traffic::{self, From};
use super::unwritten::Item;
use super::words::list;
use super::{say, when};
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Pod, ip, keys};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::plan::is_selected;
use slicewise::words::counted;

/// Explains what is not written yet: one answer for each kind of difference and family.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let groups = scene
        .unwritten
        .chunk_by(|one, other| one.code == other.code && one.family == other.family);
    for items in groups {
        let items: Vec<&Item<'_>> = items.iter().collect();
        answers.extend(explained(scene, &items));
    }
}

fn explained(scene: &Scene<'_>, items: &[&Item<'_>]) -> Option<Explanation> {
    let first = items.first()?;
    let (what, rest) = what(scene, first, items.len());
    let because = if items.len() > 1 {
        let words = items.iter().map(|item| match item.words.as_str() {
            "" => match why_removed(scene, item) {
                Some(why) => format!("{} (which {why})", item.name),
                None => item.name.to_string(),
            },
            words => format!("{} ({words})", item.name),
        });
        format!("{}.", list(&words.collect::<Vec<_>>()))
    } else {
        rest
    };
    let when = when::in_words(scene, items);
    let because = [because.as_str(), until_then(scene, first), when.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    let explanation = say::service(first.code, scene.case.service, what)
        .because(because)
        .details(causes(scene, first.code))
        .severity(severity(scene, items))
        .figure("names", names.as_slice());
    let families = AddressType::ALL;
    let family = families
        .into_iter()
        .find(|family| first.family == *family.as_str());
    let explanation = match family {
        Some(family) => explanation.family(family),
        None => explanation,
    };
    Some(next_steps(scene, explanation))
}

/// What kube-proxy makes of hints that are half written.
fn until_then(scene: &Scene<'_>, item: &Item<'_>) -> &'static str {
    let families = AddressType::ALL.into_iter();
    let family = families
        .filter(|_| item.code == Code::NotWrittenHint)
        .find(|family| item.family == *family.as_str());
    let Some((family, service)) = family.zip(scene.proxied()) else {
        return "";
    };
    let follows = |slices: &[&EndpointSlice<'_>]| {
        traffic::of(scene, service, slices, family, From::Zones).follows_hints()
    };
    match !follows(&scene.seen()) && follows(&scene.planned()) {
        true => {
            "Until then kube-proxy uses all endpoints equally: it follows zone hints only if every ready endpoint has one."
        }
        false => "",
    }
}

/// Why an existing pod should not be the endpoint that a slice has.
fn why_removed(scene: &Scene<'_>, item: &Item<'_>) -> Option<&'static str> {
    if item.code != Code::NotWrittenRemoval {
        return None;
    }
    let mut pods = scene.pods.iter();
    let pod = pods.find(|pod| pod.metadata.name == *item.name)?;
    Some(if pod.is_terminal() {
        "has finished"
    } else if !is_selected(pod, scene.case.service) {
        "the selector does not match"
    } else if !scene.desired_of(&[pod]).missing_nodes.is_empty() {
        "is on an unknown node"
    } else {
        "does not have this address"
    })
}

/// The other pod that has the address of an outdated endpoint: clients reach that pod.
fn held_by(scene: &Scene<'_>, item: &Item<'_>) -> String {
    let endpoints = scene.case.slices.iter().flat_map(|slice| &slice.endpoints);
    let is_it = |endpoint: &&Endpoint<'_>| {
        let target = endpoint.target_ref.as_ref();
        target.is_some_and(|target| *target.name == *item.name)
    };
    let addresses = endpoints
        .filter(is_it)
        .flat_map(|endpoint| endpoint.addresses.first());
    let address = addresses.map(|address| ip::parse(address)).next().flatten();
    let has = |pod: &&&Pod<'_>| {
        let mut addresses = pod.status.pod_ips.iter();
        !pod.is_terminal() && addresses.any(|held| Some(held.ip) == address)
    };
    let mut holders = scene.case.pods.iter().filter(has);
    match (holders.next(), holders.next()) {
        (Some(pod), None) if pod.metadata.name != *item.name => format!(
            " Its address is now that of Pod {}/{}, which gets the requests.",
            pod.metadata.namespace, pod.metadata.name
        ),
        _ => String::new(),
    }
}

/// The difference in a sentence; for a single item also further facts about it.
fn what(scene: &Scene<'_>, item: &Item<'_>, number: usize) -> (String, String) {
    let (name, slice) = (&item.name, item.slice.as_deref().unwrap_or_default());
    if number == 1 {
        let what = match item.code {
            Code::NotWrittenEndpoint => format!("No live slice has {name}."),
            Code::NotWrittenRemoval => format!("Slice {slice} still has {name}."),
            Code::NotWrittenSlice if item.slice.is_none() => {
                format!("A slice of {name} is missing: {}.", item.words)
            }
            _ if *slice == **name => format!("Slice {slice} is out of date: {}.", item.words),
            _ => format!("Slice {slice} is wrong about {name}: {}.", item.words),
        };
        let rest = match item.code {
            Code::NotWrittenEndpoint => "The plan adds it to a slice.".to_string(),
            Code::NotWrittenRemoval => {
                let why = match why_removed(scene, item) {
                    Some(why) => format!("it is a pod that {why}"),
                    None => "no pod of the Service has this address".to_string(),
                };
                format!("The plan removes it: {why}.{}", held_by(scene, item))
            }
            _ => "It has not been written yet.".to_string(),
        };
        return (what, rest);
    }
    let what = match item.code {
        Code::NotWrittenEndpoint => {
            format!("{number} endpoints are missing from the live slices.")
        }
        Code::NotWrittenRemoval => {
            format!("Live slices still have {number} endpoints that are no longer wanted.")
        }
        Code::NotWrittenCondition => {
            format!("Live slices have wrong conditions for {number} endpoints.")
        }
        Code::NotWrittenHint => {
            format!("Live slices have other hints for {number} endpoints than planned.")
        }
        Code::NotWrittenField => format!("Live slices have wrong fields for {number} endpoints."),
        Code::NotWrittenPort => format!("Live slices have {number} wrong ports."),
        Code::NotWrittenLabel => format!("{number} live slices have other labels than planned."),
        _ => format!("{number} slices differ from the plan."),
    };
    (what, String::new())
}

/// The severity of the worst item; if nothing is ready although something should be, clients get no answer.
fn severity(scene: &Scene<'_>, items: &[&Item<'_>]) -> Severity {
    // Without nodes the plan leaves out pods, and the live slices may well be right.
    let is_blind = scene.case.cluster.nodes.is_empty() && !scene.case.plan.errors.is_empty();
    let worst = items.iter().map(|item| item.severity).min();
    // As long as they are not written, clients are served.
    let worst = worst
        .filter(|_| !is_blind && !scene.removes_all())
        .unwrap_or(Severity::Note);
    let adds = items.iter().any(|item| {
        matches!(
            item.code,
            Code::NotWrittenEndpoint | Code::NotWrittenCondition | Code::NotWrittenSlice
        )
    });
    let family = items.first().map(|item| item.family.as_str());
    // An address whose pod is gone serves nobody.
    let has_pod = |endpoint: &Endpoint<'_>| {
        let target = endpoint.target_ref.as_ref();
        target
            .filter(|target| target.kind == "Pod")
            .is_none_or(|target| {
                let name = |pod: &&Pod<'_>| (*pod.metadata.name).cmp(&target.name);
                scene.pods.binary_search_by(name).is_ok()
            })
    };
    let of = |slices: &mut dyn Iterator<Item = &EndpointSlice<'_>>| {
        slices
            .filter(|slice| Some(slice.address_type.as_str()) == family)
            .flat_map(|slice| &slice.endpoints)
            .any(|endpoint| endpoint.conditions.ready.unwrap_or(true) && has_pod(endpoint))
    };
    let is_served = of(&mut scene.case.slices.iter().copied());
    let will_be = of(&mut scene.after.iter().copied());
    if worst == Severity::Degraded && adds && will_be && !is_served {
        return Severity::Broken;
    }
    worst
}

fn causes(scene: &Scene<'_>, code: Code) -> String {
    let manager = scene.case.options.settings().managed_by;
    let who = if manager == keys::DEFAULT_MANAGED_BY {
        "the EndpointSlice controller in kube-controller-manager".to_string()
    } else {
        format!("the controller {manager}")
    };
    if code == Code::NotWrittenHint {
        return format!(
            "Hints are only computed when {who} syncs the Service: a change to nodes alone (a label, their CPU) seldom triggers a sync, so hints only come back with the next change to the Service or one of its pods. If other changes are not written either, the controller is behind, has stopped or has lost its lease."
        );
    }
    format!(
        "Likely causes, in the order to check them: {who} is behind (large clusters after a rollout: seconds to minutes), has stopped, or has lost its lease to a replica that does not work; it is not installed or is switched off (--controllers); it sees a different selector than this input; a webhook or quota refuses its writes; or another client also writes these slices."
    )
}

fn next_steps(scene: &Scene<'_>, explanation: Explanation) -> Explanation {
    let (at, shows) = say::CONTROLLER_MANAGER;
    if scene.removes_all() {
        return explanation.look(at, shows);
    }
    let service = &scene.case.service.metadata;
    let plan = scene.case.plan;
    let writes = plan.create.len() + plan.update.len() + plan.delete.len();
    let touch = format!(
        "kubectl annotate --overwrite service {} -n {} resync=\"$(date)\"",
        service.name, service.namespace
    );
    let effect = format!(
        "the controller syncs the Service again; with this input the result is {}",
        counted(writes, "write")
    );
    explanation
        .fixes([say::fix(touch, effect).resync()])
        .look(at, shows)
}
