//! What kube-proxy ignores: Services of other proxies, slices that it does not read, addresses after the first, and
//! ports that the Service does not have.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::say;
use super::scene::Scene;
use super::traffic::{self, From};
use super::words::{either, list, sentence};
use crate::edited::{change_of, with_fields};
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, EndpointPort, EndpointSlice, Text, keys};
use slicewise::plan::change::{ChangeValue, SuggestedChange, below};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::reconcile::EndpointsPerSlice;
use slicewise_traffic::proxy::ProxiedService;
use slicewise_traffic::routing::{NotProxied, SliceReader, UnreadRule, not_served, unread};

/// Explains the parts of the live slices that kube-proxy ignores.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    if let Some(service) = scene.proxied() {
        answers.extend(of_other_proxy(scene, service));
        let slices = scene.case.slices.iter();
        answers.extend(slices.filter_map(|slice| not_read(scene, service, slice)));
    }
    let ports = &scene.case.service.spec.ports;
    if ports.is_empty() || scene.case.service.is_headless() {
        return;
    }
    let known = sorted_unique(ports.iter().map(|port| &*port.name));
    for slice in scene.case.slices {
        let names = slice
            .ports
            .iter()
            .map(|port| port.name.as_deref().unwrap_or_default());
        let names = sorted_unique(names);
        let is_known = names.iter().any(|name| known.binary_search(name).is_ok());
        if !names.is_empty() && !is_known && !slice.endpoints.is_empty() {
            let told = unknown_port(scene, slice, &names, &known);
            answers.push(told.severity(severity(scene)));
        } else if !slice.endpoints.is_empty() {
            answers.extend(other_protocol(scene, slice));
        }
    }
}

/// Clients get no answer if nothing else is read.
fn severity(scene: &Scene<'_>) -> Severity {
    let used = |service| {
        let families = AddressType::ALL.into_iter();
        let slices = scene.seen();
        let used = families
            .filter_map(|family| traffic::of(scene, service, &slices, family, From::Zones).used());
        used.max()
    };
    match scene.proxied().and_then(used) {
        Some(0) => Severity::Broken,
        _ => Code::HiddenFromProxy.severity(),
    }
}

const LABELS: &str = "/metadata/labels";

/// Does kube-proxy leave the Service to another proxy?
pub(super) fn is_of_other_proxy(service: &ProxiedService<'_>) -> bool {
    hands_over(service).is_some()
}

/// How kube-proxy words it that it leaves the Service to another proxy, if it does.
fn hands_over(service: &ProxiedService<'_>) -> Option<String> {
    let found = not_served(service, AddressType::IPv4, SliceReader::KubeProxy)?;
    (found.rule == NotProxied::OtherProxy).then_some(found.message)
}

/// What kube-proxy does not read of a slice, and why; without the remedy, which is a fix.
pub(super) fn passed_over(
    service: &ProxiedService<'_>,
    slice: &EndpointSlice<'_>,
) -> Option<(UnreadRule, String)> {
    let found = unread(service, &[slice], SliceReader::KubeProxy)
        .into_iter()
        .next()?;
    Some((found.rule, reason(&found.message)))
}

/// Keeps the reason; the fact is stated elsewhere, and the remedy is a fix.
fn reason(message: &str) -> String {
    let reason = message.rsplit_once("; ").map_or(message, |(why, _)| why);
    let reason = reason.split_once(": ").map_or(reason, |(_, why)| why);
    format!("{}.", sentence(reason))
}

fn of_other_proxy(scene: &Scene<'_>, service: &ProxiedService<'_>) -> Option<Explanation> {
    let message = hands_over(service)?;
    let mut change = change_of(scene.case.service);
    change.remove(below(LABELS, keys::SERVICE_PROXY_NAME_LABEL));
    Some(
        say::service(
            Code::HiddenFromProxy,
            scene.case.service,
            "kube-proxy leaves this Service to another proxy.",
        )
        .because(reason(&message))
        .details("kube-proxy only lists Services and slices without that label; the controller copies the label from the Service to its slices. Where the other proxy does not run, nothing answers at the cluster IP.")
        .fixes([say::fix(
            format!("make sure that the other proxy runs on every node, or remove the label {} from the Service", keys::SERVICE_PROXY_NAME_LABEL),
            "without the label kube-proxy serves the Service; the controller removes it from the slices",
        )
        .by([change])]),
    )
}

fn not_read(
    scene: &Scene<'_>,
    service: &ProxiedService<'_>,
    slice: &EndpointSlice<'_>,
) -> Option<Explanation> {
    let (rule, because) = passed_over(service, slice)?;
    let (namespace, name) = say::names(slice);
    let delete = format!("kubectl delete endpointslice {name} -n {namespace}");
    let is_own = scene.own.iter().any(|own| own.name() == name);
    let mut change = SuggestedChange::patch("EndpointSlice", namespace, name);
    let (what, words, effect) = match rule {
        UnreadRule::HeadlessLabel => {
            change.remove(below(LABELS, keys::HEADLESS_LABEL));
            (
                format!("kube-proxy does not see slice {name}."),
                format!(
                    "kubectl label endpointslice {name} -n {namespace} {}-",
                    keys::HEADLESS_LABEL
                ),
                "kube-proxy sees the slice; the controller only removes the label when it writes the slice for another reason",
            )
        }
        UnreadRule::LaterAddresses => {
            separate(slice, &mut change);
            (
                format!("Addresses in slice {name} get no traffic."),
                "write a separate endpoint for each address".to_string(),
                "each of them gets traffic",
            )
        }
        // The plan removes those of the controller, which is explained there.
        UnreadRule::OtherFamily if !is_own && !slice.endpoints.is_empty() => {
            change = with_fields(scene.case.service, &[("ipFamilyPolicy", "PreferDualStack")]);
            (
                format!("No client reaches the endpoints of slice {name}."),
                format!("set spec.ipFamilyPolicy: PreferDualStack, or delete the slice: {delete}"),
                "with an address of that family the Service uses the slice; if deleted, nothing is lost",
            )
        }
        // Names instead of addresses have their own explanation.
        _ => return None,
    };
    let severity = if rule == UnreadRule::HeadlessLabel && !slice.endpoints.is_empty() {
        severity(scene)
    } else {
        Code::HiddenFromProxy.severity()
    };
    Some(
        say::slice(Code::HiddenFromProxy, (namespace, name), what)
            .because(because)
            .severity(severity)
            .fixes([say::fix(words, effect).by([change])]),
    )
}

/// One endpoint for each address of a slice: the first addresses stay, and copies of their endpoints get the others. A
/// slice that API servers would refuse is not suggested.
fn separate(slice: &EndpointSlice<'_>, change: &mut SuggestedChange) {
    let addresses = slice.endpoints.iter().map(|one| one.addresses.len());
    if addresses.sum::<usize>() > EndpointsPerSlice::MAX as usize {
        return;
    }
    let mut copies = 0;
    for (place, endpoint) in slice.endpoints.iter().enumerate() {
        let addresses = format!("/endpoints/{place}/addresses");
        let one = |address: &Text<'_>| ChangeValue::Texts([address.to_string()].into());
        for address in endpoint.addresses.iter().skip(1) {
            let copy = slice.endpoints.len() + copies;
            change.copy(format!("/endpoints/{place}"), "/endpoints/-");
            change.replace(format!("/endpoints/{copy}/addresses"), one(address));
            copies += 1;
        }
        if let [first, _, ..] = &*endpoint.addresses {
            change.replace(addresses, one(first));
        }
    }
}

/// Ports that a slice offers by name, but not with the protocol or without a number. Those of the controller are in
/// order, or not written yet.
fn other_protocol(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> Option<Explanation> {
    let effect = scene.effect.as_ref()?;
    if scene.own.iter().any(|own| own.name() == slice.name()) {
        return None;
    }
    let asked = scene.case.service.spec.ports.iter();
    let asked = asked.filter(|port| effect.lacks(&port.name, or_tcp(&port.protocol)));
    let found = asked.filter_map(|port| {
        let mut offered = slice.ports.iter();
        let name = |port: &EndpointPort<'_>| port.name.as_deref().unwrap_or_default().to_string();
        let offered = offered.find(|offered| name(offered) == *port.name)?;
        let protocol = or_tcp(offered.protocol.as_deref().unwrap_or_default()).to_string();
        Some((port, protocol, offered.port.unwrap_or_default()))
    });
    let found: Vec<_> = found.collect();
    let (port, protocol, number) = found.first()?;
    let wanted = or_tcp(&port.protocol);
    let names: Vec<&str> = found.iter().map(|(port, ..)| &*port.name).collect();
    let title = match (names.as_slice(), names.len()) {
        ([""], _) => "its port".to_string(),
        ([first, .., last], 4..) => format!("{} ports ({first} to {last})", names.len()),
        (names, _) => list(names),
    };
    let (source, whose) = source(scene, slice);
    let name = slice.name();
    let explanation = if protocol == wanted && *number == 0 {
        say::slice(
            Code::HiddenFromProxy,
            say::names(slice),
            format!("Slice {name} gives no number for {title}."),
        )
        .because("kube-proxy ignores ports without a number.")
        .fix(
            format!("set the port of the {source}"),
            "kube-proxy sends traffic there",
        )
    } else if protocol != wanted {
        say::slice(
            Code::HiddenFromProxy,
            say::names(slice),
            format!("Slice {name} offers {title} as {protocol}, and the Service asks for {wanted}."),
        )
        .because(format!("A port belongs to the Service's port of the same name and protocol, and the default of both is TCP.{whose}"))
        .fixes([say::fix(
            format!("set protocol: {wanted} for that port of the {source}"),
            "kube-proxy sends its traffic to the endpoints",
        )
        .by(with_protocol(scene, slice, &names, wanted))])
    } else {
        return None;
    };
    Some(explanation.figure("ports", names.as_slice()))
}

/// Ports with another protocol, of the slice or of the Endpoints that it is copied from.
fn with_protocol(
    scene: &Scene<'_>,
    slice: &EndpointSlice<'_>,
    names: &[&str],
    protocol: &str,
) -> Option<SuggestedChange> {
    let (namespace, name) = say::names(slice);
    let is_it = |name: Option<&str>| names.contains(&name.unwrap_or_default());
    if slicewise_sources::mirroring::mirrored_of(slice).is_none() {
        let mut change = SuggestedChange::patch("EndpointSlice", namespace, name);
        for (place, port) in slice.ports.iter().enumerate() {
            if is_it(port.name.as_deref()) {
                change.add(format!("/ports/{place}/protocol"), protocol);
            }
        }
        return Some(change);
    }
    let service = &scene.case.service;
    let endpoints = scene.case.details.endpoints(&service.key())?;
    let name = &service.metadata.name;
    let mut change = SuggestedChange::patch("Endpoints", namespace, name);
    for (place, subset) in endpoints.subsets.iter().enumerate() {
        for (at, port) in subset.ports.iter().enumerate() {
            if is_it(Some(&port.name)) {
                change.add(format!("/subsets/{place}/ports/{at}/protocol"), protocol);
            }
        }
    }
    Some(change)
}

/// Where a slice is written from, and a sentence about it.
fn source(scene: &Scene<'_>, slice: &EndpointSlice<'_>) -> (String, String) {
    // A mirrored slice is written again from its source.
    if slicewise_sources::mirroring::mirrored_of(slice).is_none() {
        return ("slice".to_string(), String::new());
    }
    let name = &scene.case.service.metadata.name;
    (
        format!("Endpoints {name}"),
        format!(" The slice is a copy of the Endpoints {name}."),
    )
}

fn or_tcp(protocol: &str) -> &str {
    if protocol.is_empty() { "TCP" } else { protocol }
}

fn unknown_port(
    scene: &Scene<'_>,
    slice: &EndpointSlice<'_>,
    names: &[&str],
    known: &[&str],
) -> Explanation {
    let (written, _) = source(scene, slice);
    let quoted =
        |names: &[&str]| -> Vec<_> { names.iter().map(|name| format!("{name:?}")).collect() };
    let what = format!("No client reaches the endpoints of slice {}.", slice.name());
    say::slice(Code::HiddenFromProxy, say::names(slice), what)
        .because(format!(
            "Its ports are named {}, those of the Service {}.",
            list(&quoted(names)),
            list(&quoted(known))
        ))
        .details("A port of a slice belongs to the Service's port with the same name, whatever its number. An empty name only matches a Service port without a name.")
        .figure("ports", names)
        .fix(
            format!("name the port of the {written} {}", either(&quoted(known))),
            "kube-proxy sends the traffic of that port to its endpoints",
        )
}
