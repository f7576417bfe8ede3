//! Containers that restarted, and why they had ended.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::events::times;
use super::pod_detail::{ContainerStatus, PodDetail};
use super::say;
use super::scene::Scene;
use super::words::list;
use slicewise::model::Pod;
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code};

/// Explains the restarts of a pod; how it last ended is the best available hint at the cause.
pub(super) fn explain(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<Explanation> {
    let detail = scene.detail(pod)?;
    let ended: Vec<&ContainerStatus<'_>> = containers(detail)
        .filter(|container| container.last_state.terminated.is_some())
        .collect();
    if ended.is_empty() {
        return None;
    }
    let words: Vec<String> = ended
        .iter()
        .filter_map(|container| in_words(container))
        .collect();
    let is_out_of_memory = ended.iter().any(|container| {
        let last = container.last_state.terminated.as_ref();
        last.is_some_and(|last| last.reason == "OOMKilled")
    });
    let restarts: i32 = ended.iter().map(|container| container.restart_count).sum();
    let what = format!(
        "Pod {} was restarted {}.",
        pod.metadata.name,
        times(restarts.max(1))
    );
    let explanation = say::pod(Code::PodRestarted, pod, what)
        .because(format!("{}.", list(&words)))
        .details("While a container restarts, the pod is not ready: its endpoint has ready: false and gets no new traffic, and existing connections are lost. A pod whose readiness changes causes a write of its slice each time, and may turn `Auto` hints off and on.")
        .figure("restarts", i64::from(restarts));
    Some(if is_out_of_memory {
        explanation.fix(
            "give the container more memory (resources.limits.memory)",
            "the kernel no longer kills it",
        )
    } else {
        let name = ended.first().map(|container| container.name.to_string());
        explanation.look(
            format!(
                "kubectl logs {} -n {} -c {} --previous",
                pod.metadata.name,
                pod.metadata.namespace,
                name.unwrap_or_default()
            ),
            "the container's last output before it ended",
        )
    })
}

fn containers<'d, 'a>(detail: &'d PodDetail<'a>) -> impl Iterator<Item = &'d ContainerStatus<'a>> {
    let status = &detail.status;
    status.init_containers.iter().chain(&status.containers)
}

/// `container app ended with OOMKilled, exit code 137, at …`.
fn in_words(container: &ContainerStatus<'_>) -> Option<String> {
    let last = container.last_state.terminated.as_ref()?;
    let reason = match &*last.reason {
        "" => String::new(),
        reason => format!(" {reason},"),
    };
    let at = match &*last.finished_at {
        "" => String::new(),
        time => format!(", at {time}"),
    };
    Some(format!(
        "Container {} ended before:{reason} exit code {}{at}",
        container.name, last.exit_code
    ))
}
