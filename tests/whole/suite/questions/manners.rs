//! The layout of answers, and that their commands work.

use serde_json::{Value, json};

use super::samples;
use crate::api::{self, Limits, Question};

/// The verdict of the Service comes first, even if nothing is wrong, and of the nodes only what concerns it is
/// mentioned.
#[test]
fn a_service_that_is_named_gets_its_verdict_first() {
    let node = |number: usize| {
        json!({"kind": "Node", "apiVersion": "v1",
            "metadata": {"name": format!("n{number}"), "labels": {"topology.kubernetes.io/zone": if number.is_multiple_of(2) { "a" } else { "b" }}},
            "spec": {"taints": [{"key": "batch", "effect": "NoSchedule"}]},
            "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}}})
    };
    let service = |name: &str, annotations: &Value| {
        json!({"kind": "Service", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": name, "annotations": annotations},
            "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "ports": [{"port": 80}]}})
    };
    let pod = |number: usize| {
        let ip = format!("10.0.0.{number}");
        json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": format!("cart-{number}"), "labels": {"app": "cart"}},
            "spec": {"nodeName": format!("n{number}")},
            "status": {"podIP": ip, "podIPs": [{"ip": ip}], "conditions": [{"type": "Ready", "status": "True"}]}})
    };
    let mut items: Vec<Value> = (1..=6).map(node).collect();
    items.extend((1..=4).map(pod));
    items.push(service(
        "near",
        &json!({"service.kubernetes.io/topology-mode": "Auto"}),
    ));
    items.push(service("plain", &json!({})));
    let list = json!({"kind": "List", "items": items}).to_string();
    let text = |question: Value| {
        let question = question.to_string();
        let question: Question<'_> = serde_json::from_str(&question).unwrap();
        let explained = api::explained(list.as_bytes(), &question, Limits::default());
        explained.unwrap().to_text(false, false)
    };
    let near = text(json!({"service": "near"}));
    assert!(near.starts_with("shop/near: "), "{near}");
    assert!(
        near.contains("\n\nnodes\n  note: NodeTainted (Node n1)\n"),
        "{near}"
    );
    assert!(
        near.contains("  … and 3 more like it: n4, n5 and n6\n"),
        "{near}"
    );
    assert!(!text(json!({"service": "plain"})).contains("\nnodes\n"));
    assert!(text(json!({})).contains("\nnodes\n"));
    let quiet = text(json!({"service": "plain", "about": "service"}));
    assert!(
        quiet.starts_with("shop/plain: note: All clients will be served by 4 endpoints."),
        "{quiet}"
    );
}

/// Commands work from any namespace: they name the one they are about.
#[test]
fn commands_name_the_namespace() {
    let mut count = 0;
    for sample in samples() {
        for command in steps(&sample, &["fixes", "look"]) {
            let Some((_, command)) = command.split_once("kubectl ") else {
                continue;
            };
            let kind = command.split(' ').nth(1).unwrap_or_default();
            let kinds = [
                "pod",
                "replicaset",
                "endpointslice",
                "endpoints",
                "service",
                "lease",
            ];
            if kinds.contains(&kind) {
                count += 1;
                assert!(command.contains(" -n "), "{}: {command}", sample.name());
            }
        }
    }
    assert!(count > 20, "only {count} commands");
}

/// What only shows something is told as a place to look at, never as a change; and looking changes nothing.
#[test]
fn looking_is_not_a_change() {
    let reads = ["get", "describe", "logs", "exec"];
    let is_look = |step: &str| {
        step.starts_with("the log of ")
            || reads
                .iter()
                .any(|verb| step.starts_with(&format!("kubectl {verb} ")))
    };
    let mut looks = 0;
    for sample in samples() {
        for step in steps(&sample, &["fixes"]) {
            let words = step.trim_start_matches("or ");
            let is_search = ["find out", "check ", "compare ", "look "]
                .iter()
                .any(|lead| words.starts_with(lead));
            assert!(!is_look(words) && !is_search, "{}: {step}", sample.name());
        }
        for step in steps(&sample, &["look"]) {
            looks += 1;
            assert!(is_look(&step), "{}: {step}", sample.name());
        }
    }
    assert!(looks > 20, "only {looks} places to look at");
}

/// Changes, or places to look at, of all that is explained about a sample.
fn steps(sample: &super::Sample, lists: &[&str]) -> Vec<String> {
    let explained = sample.explained();
    let services = explained.services.iter();
    let told = services.flat_map(|service| &service.explanations);
    told.chain(&explained.cluster)
        .flat_map(|told| {
            let fixes = told.fixes.iter().map(|fix| ("fixes", &fix.change));
            fixes.chain(told.look.iter().map(|look| ("look", &look.at)))
        })
        .filter(|(list, _)| lists.contains(list))
        .map(|(_, step)| step.clone())
        .collect()
}
