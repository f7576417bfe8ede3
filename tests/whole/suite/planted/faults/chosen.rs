//! Faults in what the controller chooses: labels, addresses, families, ports and readiness of pods.

use serde_json::{Value, json};

use super::super::world::{ANY, NAMESPACE, Needs, PROXIED, World, not_ready};
use super::{Fault, Link, fault};

const DUAL: Needs = Needs {
    dual: Some(true),
    ..PROXIED
};
const SINGLE: Needs = Needs {
    dual: Some(false),
    ..ANY
};
const NAMED: Needs = Needs {
    named: Some(true),
    ..PROXIED
};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        Link::Chosen,
        "selector value",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            let slip = format!("{}s", world.name);
            world.spec()["selector"]["app"] = slip.into();
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "selector key",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            let name = world.name;
            world.spec()["selector"] = json!({"ap": name});
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "label missing from pods",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            world.spec()["selector"]["part"] = "api".into();
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "selector of one revision",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            world.spec()["selector"]["pod-template-hash"] = "5c6d8".into();
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "pods in another namespace",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            world
                .pods()
                .into_iter()
                .for_each(|pod| pod["metadata"]["namespace"] = "shop-2".into());
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "scaled to zero",
        ANY,
        &["SelectsNothing"],
        "broken",
        |world| {
            let (name, rs) = (world.name, format!("{}-7d9f4b", world.name));
            let labels = world.a_pod()["metadata"]["labels"].clone();
            world.items.retain(|item| {
                item["kind"] != "Pod"
                    || item["metadata"]["namespace"] != NAMESPACE
                    || item["metadata"]["ownerReferences"][0]["name"] != rs
            });
            world.items.push(json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"namespace": NAMESPACE, "name": name, "uid": "d", "resourceVersion": "4"},
            "spec": {"replicas": 0, "selector": {"matchLabels": {"app": name}}, "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main",
                "ports": [{"name": "http", "containerPort": 8080}, {"name": "admin", "containerPort": 8081}, {"name": "metrics", "containerPort": 8082}]}]}}}}));
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "no pod is ready",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            world.pods().into_iter().for_each(not_ready);
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "one pod is not ready",
        ANY,
        &["PodNotReady"],
        "degraded",
        |world| {
            not_ready(world.a_pod());
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "readiness gate never set",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            for pod in world.pods() {
                pod["spec"]["readinessGates"] =
                    json!([{"conditionType": "target-health.example.com/tg"}]);
                pod["status"]["conditions"] = json!([{"type": "Ready", "status": "False", "reason": "ReadinessGatesNotReady"}, {"type": "ContainersReady", "status": "True"}]);
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "crash loop",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            for pod in world.pods() {
                not_ready(pod);
                pod["status"]["containerStatuses"][0] = json!({"name": "main", "ready": false, "restartCount": 7,
                "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container"}},
                "lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}});
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "sidecar is not ready",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            for pod in world.pods() {
                pod["status"]["conditions"] = json!([{"type": "Ready", "status": "False"}]);
                pod["spec"]["initContainers"] =
                    json!([{"name": "tunnel", "restartPolicy": "Always"}]);
                pod["status"]["initContainerStatuses"] = json!([{"name": "tunnel", "ready": false, "started": true, "restartCount": 0, "state": {"running": {}}}]);
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "image cannot be pulled",
        ANY,
        &["PodNotReady"],
        "degraded",
        |world| {
            let pod = world.a_pod();
            not_ready(pod);
            pod["status"]["phase"] = "Pending".into();
            pod["status"]["containerStatuses"][0]["state"] = json!({"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}});
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "all pods have finished",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            let phase = world.dice.of(&["Failed", "Succeeded"]);
            for pod in world.pods() {
                pod["status"]["phase"] = phase.into();
                not_ready(pod);
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "no pod is scheduled",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            world.pods().into_iter().for_each(pending);
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "one pod is not scheduled",
        ANY,
        &["PodWithoutAddress"],
        "degraded",
        |world| {
            pending(world.a_pod());
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "all pods terminate and serve",
        PROXIED,
        &["NoReadyEndpoint"],
        "degraded",
        |world| {
            world.pods().into_iter().for_each(|pod| {
                pod["metadata"]["deletionTimestamp"] = "2026-03-02T10:20:00Z".into()
            });
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "all pods terminate and do not serve",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            for pod in world.pods() {
                not_ready(pod);
                pod["metadata"]["deletionTimestamp"] = "2026-03-02T10:20:00Z".into();
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "pods of the other family",
        SINGLE,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            let is_v4 = world.spec()["ipFamilies"][0] == "IPv4";
            world
                .pods()
                .into_iter()
                .for_each(|pod| keep_address(pod, usize::from(is_v4)));
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "no pod has the second family",
        DUAL,
        &["FamilyWithoutEndpoint"],
        "degraded",
        |world| {
            let is_v4 = world.spec()["ipFamilies"][0] == "IPv4";
            world
                .pods()
                .into_iter()
                .for_each(|pod| keep_address(pod, usize::from(!is_v4)));
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "one pod lacks a family",
        DUAL,
        &["PodOfOtherFamily"],
        "degraded",
        |world| {
            keep_address(world.a_pod(), 0);
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "port name",
        NAMED,
        &["PortNotFound"],
        "broken",
        |world| {
            let place = port(world);
            let found = world.spec()["ports"][place]["targetPort"]
                .as_str()
                .unwrap()
                .to_owned();
            world.spec()["ports"][place]["targetPort"] = format!("{found}s").into();
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "port protocol of the pods",
        NAMED,
        &["PortNotFound"],
        "broken",
        |world| {
            let place = port(world);
            world.pods().into_iter().for_each(|pod| {
                pod["spec"]["containers"][0]["ports"][place]["protocol"] = "UDP".into()
            });
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "port of an init container",
        NAMED,
        &["PortNotFound"],
        "broken",
        |world| {
            let place = port(world);
            for pod in world.pods() {
                let port = pod["spec"]["containers"][0]["ports"]
                    .as_array_mut()
                    .unwrap()
                    .remove(place);
                pod["spec"]["initContainers"] = json!([{"name": "setup", "ports": [port]}]);
            }
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "one pod lacks the port",
        NAMED,
        &["PodWithoutPort"],
        "degraded",
        |world| {
            let place = port(world);
            world.a_pod()["spec"]["containers"][0]["ports"]
                .as_array_mut()
                .unwrap()
                .remove(place);
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "a Job is selected",
        PROXIED,
        &["SelectsSeveralWorkloads"],
        "degraded",
        |world| {
            let labels = world.spec()["selector"].clone();
            world.pod(NAMESPACE, "migrate", &labels, 0);
            let pod = world.items.last_mut().unwrap();
            pod["metadata"]["ownerReferences"][0] = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "migrate", "uid": "j", "controller": true});
            pod["metadata"]["labels"]
                .as_object_mut()
                .unwrap()
                .remove("pod-template-hash");
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "the node of one pod is gone",
        ANY,
        &["PodNodeUnknown"],
        "degraded",
        |world| {
            world.a_pod()["spec"]["nodeName"] = "gone".into();
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "the nodes of all pods are gone",
        ANY,
        &["NoReadyEndpoint"],
        "broken",
        |world| {
            world
                .pods()
                .into_iter()
                .for_each(|pod| pod["spec"]["nodeName"] = "gone".into());
            world.settle();
        },
    ),
    fault(
        Link::Chosen,
        "node is not ready",
        Needs {
            hints: Some(""),
            ..ANY
        },
        &["PodNodeNotReady"],
        "risk",
        |world| {
            let node = world.a_pod()["spec"]["nodeName"].clone();
            let mut items = world.items.iter_mut();
            let node = items
                .find(|item| item["kind"] == "Node" && item["metadata"]["name"] == node)
                .unwrap();
            node["status"]["conditions"] =
                json!([{"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown"}]);
            world.settle();
        },
    ),
];

fn port(world: &mut World) -> usize {
    let number = world.ports();
    world.dice.roll(number)
}

fn pending(pod: &mut Value) {
    pod["spec"].as_object_mut().unwrap().remove("nodeName");
    pod["status"] = json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient cpu."}]});
}

fn keep_address(pod: &mut Value, place: usize) {
    let ip = pod["status"]["podIPs"][place].clone();
    pod["status"]["podIP"] = ip["ip"].clone();
    pod["status"]["podIPs"] = json!([ip]);
}
