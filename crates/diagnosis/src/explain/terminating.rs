//! Terminating pods: what traffic they still get, and what delays them.

use alloc::format;

use super::say;
use super::scene::Scene;
use super::words::{either, sentence};
use slicewise::model::Pod;
use slicewise::model::endpoint_set::DesiredEndpoint;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains a pod that is being deleted but still an endpoint.
pub(super) fn explain(
    scene: &Scene<'_>,
    pod: &Pod<'_>,
    endpoint: &DesiredEndpoint<'_>,
) -> Explanation {
    let name = &pod.metadata.name;
    let since = pod
        .metadata
        .deletion_timestamp
        .as_deref()
        .unwrap_or_default();
    let traffic = match (endpoint.ready == Some(true), endpoint.serving == Some(true)) {
        (true, _) => {
            "publishNotReadyAddresses keeps it ready anyway, so it gets new traffic until it is deleted"
        }
        (false, true) => {
            "it still serves (serving: true), so kube-proxy only sends it new traffic if no ready endpoint is left"
        }
        (false, false) => "it no longer serves (serving: false), so it gets no new traffic",
    };
    let details = format!(
        "Pod {name} is being deleted (its grace period ends {since}): it stays in its slice with terminating: true until it is deleted, and {traffic}. Its existing TCP connections are not closed."
    );
    let what = format!("Pod {name} is being deleted.");
    let explanation = say::pod(Code::PodTerminating, pod, what).details(details);
    let finalizers = scene.detail(pod).map(|detail| &detail.metadata.finalizers);
    let because = sentence(traffic);
    if is_on_lost_node(scene, pod) {
        let node = &pod.spec.node_name;
        return explanation
            .because(format!("{because}. Node {node} is not ready, so the pod is not terminated."))
            .look(
                format!("kubectl describe node {node}"),
                "why the node is not ready: the kubelet terminates the pod once the node is back; if it is gone for good and deleted, the pod garbage collector removes the pod, and with it the endpoint",
            );
    }
    let explanation = explanation.because(format!("{because}."));
    match finalizers.filter(|finalizers| !finalizers.is_empty()) {
        Some(finalizers) => explanation.look(
            format!("the log of what owns the finalizer {}", either(finalizers)),
            "why it does not remove it; the pod, and with it the endpoint, is deleted once it has no finalizers",
        ),
        None => explanation
            .fix(
                "if clients see errors meanwhile: let the process keep serving for a few seconds after SIGTERM (a preStop sleep), and close connections itself",
                "every kube-proxy has removed the endpoint before it stops",
            )
            .look(
                format!("kubectl describe pod {name} -n {}", pod.metadata.namespace),
                "if it stays longer than its grace period, what the kubelet waits for: a volume, or a process that does not exit",
            ),
    }
}

/// Has the kubelet of its node stopped reporting?
fn is_on_lost_node(scene: &Scene<'_>, pod: &Pod<'_>) -> bool {
    let mut nodes = scene.case.cluster.nodes.iter();
    nodes.any(|node| {
        node.metadata.name == pod.spec.node_name
            && node.status.ready.is_some_and(|ready| !ready.status)
    })
}
