//! Why a pod is not ready: the condition, readiness gate or container behind it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::lost_nodes::is_lost;
use super::pod_detail::{ContainerStatus, DetailCondition, PodDetail};
use super::say::{fix, look};
use super::scene::Scene;
use super::words::list;
use slicewise::model::Pod;
use slicewise::plan::explanation::{Explanation, Fix, Look};

/// Messages from the cluster may be of any length.
const LONGEST: usize = 240;

/// What can be done about a pod that is not ready.
#[derive(Default)]
pub(super) struct NextSteps {
    fixes: Vec<Fix>,
    look: Vec<Look>,
}

impl NextSteps {
    pub(super) fn told_by(self, mut explanation: Explanation) -> Explanation {
        explanation.look.extend(self.look);
        explanation.fixes(self.fixes)
    }

    fn only(look: Look) -> Self {
        Self {
            fixes: Vec::new(),
            look: [look].into(),
        }
    }
}

/// The reason, worded to continue a sentence, and what can be done. The state of the node comes before what its kubelet
/// last said about the containers.
pub(super) fn why(scene: &Scene<'_>, pod: &Pod<'_>) -> (String, NextSteps) {
    let (name, detail) = (&pod.spec.node_name, scene.detail(pod));
    let look_at_node = |shows| {
        let at = format!("kubectl describe node {name}");
        NextSteps::only(look(at, shows))
    };
    let is_unknown = |detail: &PodDetail<'_>| {
        let ready = detail.condition("Ready");
        detail.status.reason == "NodeLost" || ready.is_some_and(|ready| ready.status == "Unknown")
    };
    if detail.is_some_and(is_unknown) {
        let what = format!(
            "its Ready condition is Unknown: the kubelet of its node {name} no longer reports"
        );
        let shows =
            "why; the pod is ready again once the node reports, or replaced once it is evicted";
        return (what, look_at_node(shows));
    }
    let mut nodes = scene.case.cluster.nodes.iter();
    let node = nodes.find(|node| node.metadata.name == *name);
    if node.is_some_and(is_lost) {
        let shows = "why the node is not ready; its pods are ready again when it is";
        return (format!("its node {name} is not ready"), look_at_node(shows));
    }
    let Some(detail) = detail else {
        return bare(pod);
    };
    let mut reasons = Vec::new();
    let mut steps = NextSteps::default();
    containers(pod, detail, &mut reasons, &mut steps);
    gates(detail, &mut reasons, &mut steps);
    if reasons.is_empty() {
        let Some(ready) = detail.condition("Ready") else {
            let why = "its status has no Ready condition yet: the kubelet has not reported it";
            let at = format!("kubectl get node {}", pod.spec.node_name);
            let shows = "whether its kubelet reports; the pod is a ready endpoint as soon as the condition is True";
            return (why.to_string(), NextSteps::only(look(at, shows)));
        };
        if ready.status != "True" {
            reasons.push(format!("its Ready condition is {}", condition(ready)));
            steps.look.push(describe(pod));
        }
    }
    (list(&reasons), steps)
}

/// The reason, judged only by what plans read.
fn bare(pod: &Pod<'_>) -> (String, NextSteps) {
    let what = match pod.status.ready {
        None => "it has no Ready condition",
        Some(_) => "its Ready condition is not True",
    };
    (what.to_string(), NextSteps::only(describe(pod)))
}

/// A message from the cluster without its full stop. A long one is shortened in its middle: the reason is at its end.
pub(super) fn quoted(message: &str) -> String {
    let message = message.trim_end_matches('.');
    let count = message.chars().count();
    if count <= LONGEST {
        return message.to_string();
    }
    let head: String = message.chars().take(LONGEST / 4).collect();
    let tail: String = message.chars().skip(count - LONGEST * 3 / 4).collect();
    format!("{} … {}", head.trim_end(), tail.trim_start())
}

fn describe(pod: &Pod<'_>) -> Look {
    look(described(pod), "its conditions and events")
}

fn described(pod: &Pod<'_>) -> String {
    let (name, namespace) = (&pod.metadata.name, &pod.metadata.namespace);
    format!("kubectl describe pod {name} -n {namespace}")
}

fn containers(
    pod: &Pod<'_>,
    detail: &PodDetail<'_>,
    reasons: &mut Vec<String>,
    steps: &mut NextSteps,
) {
    let is_initialized = detail
        .condition("Initialized")
        .is_none_or(|condition| condition.status == "True");
    // They run one after the other: the first unfinished one blocks all others.
    let mut init = detail.status.init_containers.iter();
    if let Some(container) = init.find(|container| !is_initialized && !container.ready) {
        reasons.push(format!(
            "its init container {} {}",
            container.name,
            place(container)
        ));
        ended(pod, container, steps);
        return;
    }
    // Of init containers, only sidecars still run then; they count like the others (KEP-753).
    let sidecars = detail.status.init_containers.iter();
    let sidecars =
        sidecars.filter(|container| !container.ready && container.state.terminated.is_none());
    let sidecars = sidecars.map(|container| {
        (
            "sidecar (an init container that always restarts)",
            container,
        )
    });
    let containers = detail.status.containers.iter();
    let containers = containers.filter(|container| !container.ready);
    let not_ready = sidecars.chain(containers.map(|container| ("container", container)));
    for (kind, container) in not_ready {
        reasons.push(format!(
            "its {kind} {} {}",
            container.name,
            place(container)
        ));
        let shows = match (&container.state.running, container.started) {
            (Some(_), Some(false)) => format!(
                "why the startup probe of container {} fails; the readiness probe starts once it has succeeded, for which failureThreshold times periodSeconds must be long enough",
                container.name
            ),
            (Some(_), _) => format!(
                "why the readiness probe of container {} fails; the pod is a ready endpoint as soon as it succeeds",
                container.name
            ),
            _ => {
                ended(pod, container, steps);
                continue;
            }
        };
        steps.look.push(look(described(pod), shows));
    }
}

/// A container that does not run.
fn ended(pod: &Pod<'_>, container: &ContainerStatus<'_>, steps: &mut NextSteps) {
    let waiting = container
        .state
        .waiting
        .as_ref()
        .map(|waiting| &*waiting.reason);
    if matches!(
        waiting,
        Some("ImagePullBackOff" | "ErrImagePull" | "InvalidImageName")
    ) {
        let change = format!(
            "fix the image of container {} or its pull secret",
            container.name
        );
        let effect = "the kubelet pulls it and starts the container";
        steps.fixes.push(fix(change, effect));
        return;
    }
    let at = format!(
        "kubectl logs {} -n {} -c {} --previous",
        pod.metadata.name, pod.metadata.namespace, container.name
    );
    let shows = "the container's last output before it ended";
    steps.look.push(look(at, shows));
}

fn place(container: &ContainerStatus<'_>) -> String {
    let state = &container.state;
    let because = |reason: &str, message: &str| match (reason, message) {
        ("", "") => String::new(),
        (reason, "") => format!(" ({reason})"),
        ("", message) => format!(" ({})", quoted(message)),
        (reason, message) => format!(" ({reason}: {})", quoted(message)),
    };
    match (&state.waiting, &state.terminated, &state.running) {
        (Some(waiting), _, _) => {
            format!("waits to run{}", because(&waiting.reason, &waiting.message))
        }
        (_, Some(ended), _) => format!("has ended{}", because(&ended.reason, &ended.message)),
        (_, _, Some(_)) if container.started == Some(false) => {
            "runs, but its startup probe has not succeeded yet".to_string()
        }
        (_, _, Some(_)) => "runs, but its readiness probe fails".to_string(),
        _ => "is not ready".to_string(),
    }
}

fn gates(detail: &PodDetail<'_>, reasons: &mut Vec<String>, steps: &mut NextSteps) {
    for gate in &detail.spec.readiness_gates {
        let wanted = &gate.condition_type;
        let found = detail.condition(wanted);
        if found.is_some_and(|condition| condition.status == "True") {
            continue;
        }
        reasons.push(match found {
            None => format!(
                "its readiness gate {wanted} has no condition: its controller has not set one"
            ),
            Some(found) => format!("its readiness gate {wanted} is {}", condition(found)),
        });
        steps.look.push(look(
            format!("the log of the controller that owns the condition {wanted}"),
            "why it does not set it to True in the pod's status; the pod is ready once all its readiness gates are True and its containers are ready",
        ));
    }
}

fn condition(condition: &DetailCondition<'_>) -> String {
    let (status, reason, message) = (&condition.status, &condition.reason, &condition.message);
    match (reason.is_empty(), message.is_empty()) {
        (true, true) => status.to_string(),
        (false, true) => format!("{status} ({reason})"),
        (true, false) => format!("{status} ({})", quoted(message)),
        (false, false) => format!("{status} ({reason}: {})", quoted(message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_keeps_its_end() {
        assert_eq!(quoted("short."), "short");
        let long = format!("{}the reason.", "words ".repeat(60));
        let quoted = quoted(&long);
        assert!(
            quoted.starts_with("words words") && quoted.ends_with("words the reason"),
            "{quoted}"
        );
        assert!(quoted.chars().count() <= LONGEST + 3, "{quoted}");
    }
}
