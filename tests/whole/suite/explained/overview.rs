//! An overview of many Services does less work than their explanations, and is the same text.

use serde_json::{Value, json};

use crate::api::{self, InTurn, Question, TextForm};
use crate::model::Text;
use crate::model::own::Keeper;

/// Keeps strings as they are.
struct Keeping;

impl Keeper<'static> for Keeping {
    fn keep(&self, text: Text<'_>) -> Text<'static> {
        text.into_owned()
    }
}

/// So many Services; of each four the first is well, and the last has no live slice.
fn items(services: usize) -> Vec<Value> {
    let node = |zone: &str| {
        json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": zone, "labels": {"topology.kubernetes.io/zone": zone}},
            "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]}})
    };
    let mut items = vec![node("a"), node("b")];
    for number in 0..services {
        let name = format!("cart-{number}");
        let service = json!({"apiVersion": "v1", "kind": "Service", "name": name, "uid": name, "controller": true, "blockOwnerDeletion": true});
        items.push(json!({"kind": "Service", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": name, "uid": name},
            "spec": {"selector": {"app": name}, "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ipFamilies": ["IPv4"],
                "ports": [{"port": 80, "targetPort": 80, "protocol": "TCP"}]}}));
        let mut endpoints = Vec::new();
        for (place, zone) in ["a", "b"].into_iter().enumerate() {
            let (pod, ip) = (format!("{name}-{zone}"), format!("10.1.{number}.{place}"));
            // Of some, a pod is not ready.
            let ready = number % 4 != 1 || place == 0;
            let status = if ready { "True" } else { "False" };
            items.push(json!({"kind": "Pod", "apiVersion": "v1",
                "metadata": {"namespace": "shop", "name": pod, "uid": pod, "labels": {"app": name}}, "spec": {"nodeName": zone},
                "status": {"phase": "Running", "podIPs": [{"ip": ip}], "conditions": [{"type": "Ready", "status": status}]}}));
            endpoints.push(json!({"addresses": [ip], "nodeName": zone, "zone": zone,
                "conditions": {"ready": ready, "serving": ready, "terminating": false},
                "targetRef": {"kind": "Pod", "namespace": "shop", "name": pod, "uid": pod}}));
        }
        if number % 4 == 2 {
            endpoints.pop();
        }
        if number % 4 != 3 {
            items.push(json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
                "metadata": {"namespace": "shop", "name": format!("{name}-x"), "uid": format!("{name}-x"), "ownerReferences": [service],
                    "labels": {"kubernetes.io/service-name": name, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
                "addressType": "IPv4", "ports": [{"name": "", "port": 80, "protocol": "TCP"}], "endpoints": endpoints}));
        }
    }
    items
}

#[test]
fn an_overview_leaves_out_only_what_it_does_not_show() {
    for services in [1, 2, 30, 100] {
        let input =
            json!({"kind": "List", "apiVersion": "v1", "items": items(services)}).to_string();
        let mut stream = api::SnapshotStream::new(&Keeping).with_details();
        stream.push(input.as_bytes()).unwrap();
        let read = stream.finish().unwrap();
        let question = Question::default();
        let (all, overview) = (
            read.explained(&question, &InTurn).unwrap(),
            read.overview(&question, &InTurn).unwrap(),
        );
        for (lines, counts_well, width) in [
            (Some(40), true, None),
            (Some(40), false, Some(80)),
            (Some(7), true, None),
            (None, true, None),
        ] {
            let mut form = TextForm::default();
            form.is_overview = true;
            (form.lines, form.counts_well, form.width) = (lines, counts_well, width);
            let text = overview.formatted(form);
            assert_eq!(text, all.formatted(form), "{services} Services");
            assert!(
                lines.is_none_or(|most| text.lines().count() <= most.max(12)),
                "{text}"
            );
        }
        assert_eq!(overview.worst(), all.worst());
        // Else it would not be worth it.
        let told = |explained: &api::Explained| {
            let first = &explained.services[0].explanations;
            let fixes = first.iter().map(|one| one.fixes.len());
            (first.len(), fixes.sum::<usize>())
        };
        let (least, most) = (told(&overview), told(&all));
        assert_eq!(least < most, services > 1, "{least:?} {most:?}");
    }
}
