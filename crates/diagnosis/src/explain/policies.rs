//! The effect of the Service's policies on traffic: `Local`, session affinity, and one that is no longer supported.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::scene::Scene;
use super::traffic::{From, of as traffic_of};
use super::words::list;
use super::{ip_targets, say, whatif};
use crate::edited::with_fields;
use slicewise::model::{AddressType, EndpointSlice, Text};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;
use slicewise_traffic::proxy::ProxiedService;

const LOCAL: &str = "Local";
const CLUSTER: &str = "Cluster";
const INTERNAL: &str = "internalTrafficPolicy";
const EXTERNAL: &str = "externalTrafficPolicy";
/// The default (reference: `DefaultClientIPServiceAffinitySeconds`).
const AFFINITY_SECONDS: i32 = 10_800;

/// Explains the effect of the policies.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    answers.extend(topology_keys(scene));
    let Some(service) = scene.proxied() else {
        return;
    };
    for family in AddressType::ALL {
        if service.spec.internal_traffic_policy == LOCAL {
            answers.extend(internal(scene, service, family));
        }
        if service.spec.external_traffic_policy == LOCAL && !ip_targets::pass_no_node(scene) {
            answers.extend(external(scene, service, family));
        }
    }
    answers.extend(affinity(scene, service));
}

/// The Service with another policy for internal traffic.
fn with_policy<'s>(service: &ProxiedService<'s>, policy: &'s str) -> ProxiedService<'s> {
    let mut changed = service.clone();
    changed.spec.internal_traffic_policy = Text::from(policy);
    changed
}

/// The nodes that only lack an endpoint because of the policy `Local`.
fn unserved_nodes<'a>(
    scene: &Scene<'a>,
    service: &ProxiedService<'_>,
    slices: &[&EndpointSlice<'_>],
    family: AddressType,
    from: From,
) -> Vec<&'a str> {
    let unserved = |policy| {
        let service = with_policy(service, policy);
        traffic_of(scene, &service, slices, family, from).unserved()
    };
    // If no node is served, the policy is not the reason.
    let anyway = unserved("");
    let mut nodes = unserved(LOCAL);
    nodes.retain(|node| !anyway.contains(node));
    nodes
}

fn internal(
    scene: &Scene<'_>,
    service: &ProxiedService<'_>,
    family: AddressType,
) -> Option<Explanation> {
    let names = unserved_nodes(scene, service, &scene.seen(), family, From::Clients);
    if names.is_empty() {
        return None;
    }
    let nodes = scene.case.cluster.nodes.len() + scene.case.named_nodes.len();
    let details = format!(
        "internalTrafficPolicy of Service {} is Local, so traffic to its cluster IP{} stays on the node where it originates. Traffic from clients on a node without an endpoint is dropped, although there are endpoints elsewhere.",
        service.metadata.name,
        scene.of_family(family),
    );
    let what = format!(
        "Traffic from {} of {} is dropped.",
        names.len(),
        counted(nodes, "node")
    );
    let explanation = say::service(Code::LocalTrafficUnserved, scene.case.service, what)
        .because(format!(
            "internalTrafficPolicy is Local, and there is no endpoint on {}.",
            list(&names)
        ))
        .details(details)
        .family(family)
        .figure("nodes", nodes)
        .figure("unservedNodes", names.as_slice());
    let change = "set spec.internalTrafficPolicy: Cluster";
    let elsewhere = "clients on those nodes use endpoints elsewhere";
    let (mut fields, mut fix) = (
        alloc::vec![(INTERNAL, CLUSTER)],
        say::fix(change, elsewhere),
    );
    if whatif::gives_node_hints(scene, family) {
        fields.push(("trafficDistribution", "PreferSameNode"));
        fix = say::fix(
            format!("{change} and spec.trafficDistribution: PreferSameNode"),
            "traffic stays on its node if that has an endpoint, and otherwise goes to another node",
        );
    }
    let change = with_fields(scene.case.service, &fields);
    Some(explanation.fixes([fix.by([change])]).fix(
        "or run a pod on every node that has clients (a DaemonSet)",
        "every node has its own endpoint, except during a rollout",
    ))
}

/// The same rule decides which nodes have local endpoints for external traffic.
fn external(
    scene: &Scene<'_>,
    service: &ProxiedService<'_>,
    family: AddressType,
) -> Option<Explanation> {
    if !matches!(&*service.spec.service_type, "LoadBalancer" | "NodePort")
        && service.spec.external_ips.is_empty()
    {
        return None;
    }
    let slices = scene.seen();
    let port = service.spec.health_check_node_port;
    let is_checked = port != 0 && service.spec.service_type == "LoadBalancer";
    let nodes = scene.case.cluster.nodes.len();
    let names = unserved_nodes(scene, service, &slices, family, From::Nodes);
    let mut endpoints = slices.iter().flat_map(|slice| &slice.endpoints);
    if !names.is_empty() && endpoints.all(|endpoint| endpoint.node_name.is_none()) {
        return Some(nowhere_local(scene, family, nodes));
    }
    if names.is_empty() {
        let anywhere = with_policy(service, "");
        let unserved = traffic_of(scene, &anywhere, &slices, family, From::Nodes).unserved();
        // Of slices that are not in the input, nothing is known.
        let is_known = scene.effect.is_some();
        let fails = is_checked && is_known && nodes > 0 && unserved.len() == nodes;
        return fails.then(|| nowhere(scene, family, nodes, port));
    }
    let what = if is_checked {
        format!(
            "{} of {} answer 503 to the load balancer's health check.",
            names.len(),
            counted(nodes, "node")
        )
    } else {
        format!(
            "External traffic to {} of {} is dropped.",
            names.len(),
            counted(nodes, "node")
        )
    };
    let details = if is_checked {
        format!(
            "externalTrafficPolicy of Service {} is Local: kube-proxy only sends external traffic to endpoints on the node where it arrives, and preserves the client's address. At healthCheckNodePort {port} (path /healthz) a node answers 200 while it has a ready endpoint, and 503 otherwise; a load balancer that checks it sends nothing to the other nodes, as intended. A load balancer that does not check it, or clients that use a node port of those nodes, time out. For pods and nodes of the cluster that use the load balancer's address, kube-proxy itself picks any endpoint, unless status.loadBalancer.ingress says ipMode: Proxy, or kube-proxy runs in IPVS mode.",
            service.metadata.name
        )
    } else {
        format!(
            "externalTrafficPolicy of Service {} is Local: kube-proxy only sends external traffic to endpoints on the node where it arrives. The Service has no healthCheckNodePort, so load balancers cannot detect which nodes have none.",
            service.metadata.name
        )
    };
    let severity = if is_checked && names.len() < nodes {
        Severity::Risk
    } else {
        Severity::Degraded
    };
    Some(
        say::service(Code::ExternalTrafficLocal, scene.case.service, what)
            .because(format!(
                "externalTrafficPolicy is Local, and there is no ready endpoint on {}.",
                list(&names)
            ))
            .details(details)
            .severity(severity)
            .family(family)
            .figure("nodes", nodes)
            .figure("unservedNodes", names.as_slice())
            .figure("healthCheckNodePort", i64::from(port))
            .fix(
                if is_checked {
                    "have the load balancer check the healthCheckNodePort, or run a pod on each node that it sends to (with a DaemonSet)"
                } else {
                    "send only to nodes that have an endpoint, health checks included, or run a pod on each node (a DaemonSet)"
                },
                "traffic only arrives at nodes with an endpoint",
            )
            .fixes([say::fix(
                "or set spec.externalTrafficPolicy: Cluster",
                "every node accepts traffic and forwards it; endpoints see the node's address instead of the client's",
            )
            .by([with_fields(scene.case.service, &[(EXTERNAL, CLUSTER)])])]),
    )
}

/// Endpoints outside the cluster are local to no node.
fn nowhere_local(scene: &Scene<'_>, family: AddressType, nodes: usize) -> Explanation {
    let what = "External traffic is dropped on every node: the endpoints have no nodeName, so they are local to none.";
    say::service(Code::ExternalTrafficLocal, scene.case.service, what)
        .because("externalTrafficPolicy is Local; every node answers 503 to a load balancer's health check, and an announcer that chooses nodes by nodeName (MetalLB in layer 2) finds none.")
        .severity(Severity::Degraded)
        .family(family)
        .figure("nodes", nodes)
        .fixes([say::fix("set spec.externalTrafficPolicy: Cluster", "every node accepts traffic and forwards it to the endpoints")
            .by([with_fields(scene.case.service, &[(EXTERNAL, CLUSTER)])])])
        .fix("or, if they run on nodes of the cluster, write the nodeName of each into its slice or Endpoints", "those nodes take external traffic")
}

/// No node has an endpoint, whatever the policy: what the load balancer sees.
fn nowhere(scene: &Scene<'_>, family: AddressType, nodes: usize, port: i32) -> Explanation {
    let what = match nodes {
        1 => "The only node answers 503 to the load balancer's health check.".to_string(),
        _ => format!("All {nodes} nodes answer 503 to the load balancer's health check."),
    };
    say::service(Code::ExternalTrafficLocal, scene.case.service, what)
        .because("externalTrafficPolicy is Local, and no node has a ready endpoint.")
        .details(format!("At healthCheckNodePort {port} (path /healthz) a node answers 200 while it has a ready endpoint, and 503 otherwise. A load balancer that checks it has no node left to send to. One that announces the address by other means, such as BGP, may keep doing so: whether it withdraws the address is its own setting, and kube-proxy rejects the traffic that still arrives."))
        .family(family)
        .figure("nodes", nodes)
        .figure("healthCheckNodePort", i64::from(port))
}

fn affinity(scene: &Scene<'_>, service: &ProxiedService<'_>) -> Option<Explanation> {
    if service.spec.session_affinity != "ClientIP" {
        return None;
    }
    let seconds = service
        .spec
        .session_affinity_config
        .client_ip
        .timeout_seconds;
    let seconds = seconds.unwrap_or(AFFINITY_SECONDS);
    Some(
        say::service(
            Code::SessionAffinity,
            scene.case.service,
            "Each client stays on one endpoint.",
        )
        .because(format!(
            "sessionAffinity is ClientIP, for {seconds} seconds after its last connection."
        ))
        .details("Traffic shares apply to many clients: a single client uses one endpoint, as long as it keeps connecting and the endpoint exists. Clients behind one address (a NAT, a proxy) count as one, so one endpoint may get all of them. A new endpoint only gets new clients.")
        .figure("timeoutSeconds", i64::from(seconds))
        .fixes([say::fix(
            "if load is uneven: set spec.sessionAffinity: None",
            "each connection chooses among all endpoints again",
        )
        .by([with_fields(scene.case.service, &[("sessionAffinity", "None")])])]),
    )
}

fn topology_keys(scene: &Scene<'_>) -> Option<Explanation> {
    let service = scene.case.service;
    let keys = scene.case.details.topology_keys(&service.key());
    if keys.is_empty() {
        return None;
    }
    let names: Vec<&str> = keys.iter().map(Text::as_str).collect();
    let explanation = say::service(
        Code::TopologyKeysIgnored,
        service,
        "spec.topologyKeys has no effect.",
    )
    .because("Kubernetes 1.22 removed the field; nothing reads it.")
    .details(format!(
        "The Service requests {}. API servers since 1.22 drop the field when the Service is written, and kube-proxy ignores it. Its successors are hints (spec.trafficDistribution, or the annotation service.kubernetes.io/topology-mode) and internalTrafficPolicy.",
        list(&names)
    ))
    .figure("topologyKeys", names.as_slice());
    let fix = AddressType::ALL
        .into_iter()
        .find_map(|family| whatif::traffic_fix(scene, family));
    let host = names.first().is_some_and(|key| key.ends_with("hostname"));
    let explanation = explanation.fixes(fix);
    Some(if host && names.len() == 1 {
        explanation.fixes([say::fix(
            "or set spec.internalTrafficPolicy: Local",
            "clients only use endpoints on their own node, as with the single key kubernetes.io/hostname",
        )
        .by([with_fields(service, &[(INTERNAL, LOCAL)])])])
    } else {
        explanation
    })
}
