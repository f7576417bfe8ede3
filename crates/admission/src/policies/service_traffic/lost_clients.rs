//! Changes that leave the endpoints as they are, and lead clients elsewhere or nowhere.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use super::super::not_checked;
use super::super::service_labels::port_key;
use super::{Settings, warn};
use crate::context::ClusterView;
use crate::objects::{ADDRESS_ANNOTATIONS, ReviewedService};
use crate::reach::{MAX_PORTS, Reach, protocol};
use crate::request::ObjectChange;
use crate::verdict::{CauseType, Finding};
use slicewise::model::kind::Kind;
use slicewise::model::order::{gathered, sorted_unique};
use slicewise::model::service::{ServicePort, TargetPort};
use slicewise::model::text::shorten;
use slicewise::model::{Service, keys};
use slicewise::words::counted;

/// More ports than these are not listed.
const MOST_NAMES: usize = 5;

/// Judges a Service that is created or changed.
pub(super) fn check(
    change: &ObjectChange<ReviewedService<'_>>,
    cluster: &ClusterView<'_>,
    settings: &Settings,
) -> Vec<Finding> {
    let Some(new) = change.after() else {
        return Vec::new();
    };
    let old = change.before();
    let mut findings = moved_ports(old.map(|old| &old.service), &new.service);
    findings.extend(requested_addresses(old, new, settings));
    if !new.service.is_reconciled() || new.service.spec.ports.len() > MAX_PORTS {
        return findings;
    }
    let local = local_anew(old, new);
    let proxy = proxy(new).filter(|_| old.and_then(proxy).is_none());
    if proxy.is_some() || local.contains(&true) {
        match cluster.knows(&[Kind::Pod, Kind::Node]) {
            Ok(()) => {
                findings.extend(proxy.and_then(|name| other_proxy(name, new, cluster)));
                findings.extend(local_policies(local, new, cluster));
            }
            Err(why) => {
                let what = "who reaches its endpoints was not checked";
                findings.extend(not_checked(settings.when_stale, &why, what));
            }
        }
    }
    findings.extend(undeclared_ports(old, new, cluster));
    findings
}

fn proxy<'s>(service: &'s ReviewedService<'_>) -> Option<&'s str> {
    let labels = &service.service.metadata.labels;
    let name = labels.get(keys::SERVICE_PROXY_NAME_LABEL);
    name.map(|name| name.as_str())
}

fn policies<'s>(service: &'s ReviewedService<'_>) -> [&'s str; 2] {
    let spec = &service.exposure.spec;
    [
        &spec.internal_traffic_policy,
        &spec.external_traffic_policy,
    ]
}

/// The numbers that its ports lead to, each with its place and protocol.
fn numbers<'s>(service: &'s Service<'_>) -> impl Iterator<Item = (usize, (&'s str, i32))> {
    let ports = service.spec.ports.iter().enumerate();
    ports.filter_map(|(place, port)| match port.target_port {
        TargetPort::Number(number) => Some((place, (protocol(&port.protocol), number))),
        TargetPort::Name(_) => None,
    })
}

/// Ports that keep their names and get other numbers, which endpoints do not have. A headless Service translates none.
fn moved_ports(old: Option<&Service<'_>>, new: &Service<'_>) -> Vec<Finding> {
    let Some(old) = old.filter(|old| !old.is_headless() && old.is_reconciled()) else {
        return Vec::new();
    };
    let ports = || new.spec.ports.iter().enumerate();
    let numbers: BTreeSet<_> = gathered(ports().map(|(_, port)| number_key(port)));
    // If names are equal, the first one counts.
    let named: BTreeMap<_, _> = gathered(ports().rev().map(|(place, port)| (port_key(port), (place, port))));
    let left = old.spec.ports.iter().filter(|port| !numbers.contains(&number_key(port)));
    let moved = left.filter_map(|port| {
        let (place, other) = named.get(&port_key(port))?;
        let (from, to, protocol) = (port.port.0, other.port.0, protocol(&port.protocol));
        let message = format!(
            "clients that use port {from}/{protocol} find nothing there any more: it becomes {to}; keep {from} as a port of its own until none does"
        );
        Some(warn("port-moved", &format!("spec.ports[{place}].port"), message))
    });
    moved.collect()
}

/// What clients use of a port: its number and protocol.
fn number_key<'p>(port: &'p ServicePort<'_>) -> (u16, &'p str) {
    (port.port.0, protocol(&port.protocol))
}

/// Addresses that the Service asks a load balancer for.
fn requested_addresses(
    old: Option<&ReviewedService<'_>>,
    new: &ReviewedService<'_>,
    settings: &Settings,
) -> Vec<Finding> {
    let before: BTreeSet<_> = gathered(old.into_iter().flat_map(requests));
    let is_allowed = settings.allowed_addresses();
    let refused = requests(new).filter(|asked| !before.contains(asked) && !is_allowed(asked.1));
    let finding = |(annotation, text): (Option<&str>, &str)| {
        let field = match annotation {
            Some(key) => format!("metadata.annotations[{key}]"),
            None => "spec.loadBalancerIP".into(),
        };
        let message = format!(
            "the Service asks for the address {}, whoever uses it; leave the choice to the load balancer, or have the range allowed by `allowedExternalIPs`",
            shorten(text)
        );
        Finding::warn("load-balancer-address", CauseType::FieldValueForbidden, field, message)
    };
    refused.map(finding).collect()
}

/// The requested addresses, each with its annotation if it is in one.
fn requests<'s>(
    service: &'s ReviewedService<'_>,
) -> impl Iterator<Item = (Option<&'static str>, &'s str)> {
    let field = service.exposure.spec.load_balancer_ip.as_str();
    let annotations = &service.service.metadata.annotations;
    let asked = ADDRESS_ANNOTATIONS.into_iter().flat_map(|key| {
        let text = annotations.get(key).map_or("", |value| value.as_str());
        text.split(',').map(move |address| (Some(key), address.trim()))
    });
    let asked = core::iter::once((None, field)).chain(asked);
    asked.filter(|(_, address)| !address.is_empty())
}

/// kube-proxy leaves a Service to another proxy if its label says so.
fn other_proxy(
    name: &str,
    new: &ReviewedService<'_>,
    cluster: &ClusterView<'_>,
) -> Option<Finding> {
    let ready = Reach::of(&new.service, cluster).endpoints.len();
    let message = format!(
        "kube-proxy serves {} of the Service no longer: the label leaves them to the proxy {}; check that it runs on every node",
        counted(ready, "ready endpoint"),
        shorten(name)
    );
    let field = format!("metadata.labels[{}]", keys::SERVICE_PROXY_NAME_LABEL);
    (ready > 0).then(|| warn("other-proxy", &field, message))
}

/// Numbers that no selected pod declares, although all of them declare ports. If the pods are unknown,
/// `service-blast-radius` says so.
fn undeclared_ports(
    old: Option<&ReviewedService<'_>>,
    new: &ReviewedService<'_>,
    cluster: &ClusterView<'_>,
) -> Vec<Finding> {
    let spec = &new.service.spec;
    let before = old.filter(|old| old.service.spec.selector == spec.selector);
    let before = before.into_iter().flat_map(|old| numbers(&old.service));
    let before: BTreeSet<_> = gathered(before.map(|(_, target)| target));
    let asked = numbers(&new.service).filter(|(_, target)| !before.contains(target));
    let asked: Vec<_> = asked.collect();
    let Some(selector) = spec.selector.as_ref().filter(|_| !asked.is_empty()) else {
        return Vec::new();
    };
    if cluster.knows(&[Kind::Pod]).is_err() {
        return Vec::new();
    }
    let mut selected = cluster.select(selector);
    selected.retain(|pod| !pod.is_terminal());
    // A container that declares no ports may listen anywhere.
    if selected.iter().any(|pod| pod.ports().next().is_none()) || selected.is_empty() {
        return Vec::new();
    }
    let declared = selected.iter().flat_map(|pod| pod.ports());
    let declared = sorted_unique(declared.map(|port| (protocol(port.protocol), port.number)));
    let finding = |(place, (protocol, number)): (usize, (&str, i32))| {
        let declared = declared.iter().take(MOST_NAMES);
        let declared = declared.map(|(protocol, number)| format!("{number}/{protocol}"));
        let message = format!(
            "none of the {} that it selects declares {number}/{protocol}; they declare {}",
            counted(selected.len(), "pod"),
            declared.collect::<Vec<_>>().join(", ")
        );
        let field = format!("spec.ports[{place}].targetPort");
        Finding::warn("port-not-declared", CauseType::FieldValueNotFound, field, message)
    };
    let missing = asked.into_iter().filter(|(_, target)| declared.binary_search(target).is_err());
    missing.map(finding).collect()
}

/// Do the policies for internal and for external traffic keep it on the node, unless they did before?
fn local_anew(old: Option<&ReviewedService<'_>>, new: &ReviewedService<'_>) -> [bool; 2] {
    let [internal, external] = policies(new).map(|policy| policy == "Local");
    let selector = &new.service.spec.selector;
    let before = old.filter(|old| old.service.spec.selector == *selector);
    let before = before.map(|old| policies(old).map(|policy| policy == "Local"));
    let [was_internal, was_external] = before.unwrap_or_default();
    let has_outside = matches!(&*new.service.spec.service_type, "NodePort" | "LoadBalancer");
    [
        internal && !was_internal && !new.service.is_headless(),
        external && !was_external && has_outside,
    ]
}

/// Nodes without an endpoint, for policies that keep traffic on the node.
fn local_policies(
    is_asked: [bool; 2],
    new: &ReviewedService<'_>,
    cluster: &ClusterView<'_>,
) -> Vec<Finding> {
    let nodes = cluster.nodes_by_name();
    let reach = Reach::of(&new.service, cluster);
    let pods = reach.endpoints.iter().filter_map(|(_, pod)| cluster.pod(pod));
    let with = sorted_unique(pods.map(|pod| pod.node_name()));
    let without = nodes.iter().filter(|(name, _)| with.binary_search(name).is_err()).count();
    if reach.endpoints.is_empty() || without == 0 {
        return Vec::new();
    }
    let of = format!("{without} of {}", counted(nodes.len(), "node"));
    let messages = [
        (
            "spec.internalTrafficPolicy",
            format!(
                "with Local, pods on {of} reach nothing, because no ready endpoint is there; run one on each node (a DaemonSet), or use trafficDistribution: PreferSameNode"
            ),
        ),
        (
            "spec.externalTrafficPolicy",
            format!(
                "with Local, {of} drop external traffic, because no ready endpoint is there; check that the load balancer asks the healthCheckNodePort"
            ),
        ),
    ];
    let told = messages.into_iter().zip(is_asked).filter(|(_, is_asked)| *is_asked);
    told.map(|((field, message), _)| warn("local", field, message)).collect()
}
