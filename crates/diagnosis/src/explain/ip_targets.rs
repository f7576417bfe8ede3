//! Load balancers that send to the addresses of pods: no node is on their path, and so nothing that kube-proxy does.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::extras::Beside;
use super::scene::Scene;
use super::scope::{LOCAL, note};
use super::words::list;
use slicewise::plan::explanation::Explanation;

/// An annotation with which a load balancer sends to the addresses of pods.
struct ToPods {
    key: &'static str,
    /// Part of its value.
    value: &'static str,
    /// Is it the load balancer of a Service of type LoadBalancer, and not that of an Ingress?
    is_of_service: bool,
}

const TO_PODS: [ToPods; 5] = [
    ToPods {
        key: "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type",
        value: "ip",
        is_of_service: true,
    },
    ToPods {
        key: "service.beta.kubernetes.io/aws-load-balancer-type",
        value: "nlb-ip",
        is_of_service: true,
    },
    ToPods {
        key: "alb.ingress.kubernetes.io/target-type",
        value: "ip",
        is_of_service: false,
    },
    // The load balancer of a Service on Google Cloud sends to nodes, whatever this says.
    ToPods {
        key: "cloud.google.com/neg",
        value: "true",
        is_of_service: false,
    },
    ToPods {
        key: "cloud.google.com/neg",
        value: "exposed_ports",
        is_of_service: false,
    },
];

fn find<'k, 'v>(
    mut annotations: impl Iterator<Item = (&'k str, &'v str)>,
) -> Option<&'static ToPods> {
    annotations.find_map(|(key, value)| {
        let mut known = TO_PODS.iter();
        known.find(|known| key == known.key && value.contains(known.value))
    })
}

/// The annotation with which the Service's own load balancer sends to pods.
fn own(scene: &Scene<'_>) -> Option<&'static ToPods> {
    let annotations = scene.case.service.metadata.annotations.iter();
    find(annotations.map(|(key, value)| (key.as_str(), value.as_str())))
}

/// Is the load balancer that external traffic comes from not led by what nodes answer?
pub(super) fn pass_no_node(scene: &Scene<'_>) -> bool {
    own(scene).is_some_and(|to_pods| to_pods.is_of_service)
        && scene.case.service.spec.service_type == "LoadBalancer"
}

/// Settings that have no effect on a load balancer that sends to pods.
pub(super) fn scope(scene: &Scene<'_>, hints: Option<&str>) -> Option<Explanation> {
    let service = &scene.case.service.metadata;
    let is_it = |one: &&Beside<'_>| {
        let annotations = one.metadata.annotations.iter();
        let annotations = annotations.map(|(key, value)| (key.as_str(), value.as_str()));
        one.leads_to(&service.name) && (one.spec.target_type == "ip" || find(annotations).is_some())
    };
    let own = own(scene);
    let mut beside = scene.case.details.beside(&service.namespace);
    let source = match (beside.find(is_it), own) {
        (Some(one), _) => format!("its target type is ip ({})", one.title()),
        (None, Some(_)) => "its annotation says so".to_string(),
        (None, None) => return None,
    };
    let spec = &scene.proxied()?.spec;
    let is_external = match &*spec.service_type {
        "LoadBalancer" => pass_no_node(scene),
        service_type => service_type == "NodePort",
    };
    let mut set: Vec<String> = Vec::new();
    let mut instead = Vec::new();
    if is_external && spec.external_traffic_policy == LOCAL {
        set.push("externalTrafficPolicy: Local".to_string());
        instead.push("to see the client's address, preserve it there (AWS: the target group attribute preserve_client_ip.enabled)");
    }
    if let Some(hints) = hints {
        set.push(hints.to_string());
        instead.push(
            "to stay in a zone, use its setting for zones (AWS: load_balancing.cross_zone.enabled)",
        );
    }
    if spec.session_affinity == "ClientIP" {
        set.push("sessionAffinity: ClientIP".to_string());
        instead.push("to keep clients on a pod, use its stickiness (AWS: stickiness.enabled)");
    }
    if set.is_empty() {
        return None;
    }
    let have = if set.len() == 1 { "has" } else { "have" };
    let what = format!(
        "{} {have} no effect on a load balancer that sends to the pods' addresses: {source}.",
        list(&set)
    );
    let because = format!(
        "Neither nodes nor kube-proxy are on that path: {}. Clients that use the cluster IP are not concerned.",
        instead.join("; ")
    );
    Some(note(scene, what, &because))
}
