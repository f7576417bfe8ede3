//! Verdicts after any history of events equal those over the remaining objects.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::session::objects::{Dice, new_node, new_pod, service, vary_pod, vary_slice};
use crate::admission::Asking;
use crate::api::{Limits, Reviewer};

const KINDS: [(&str, &str); 4] = [
    ("Service", "v1"),
    ("Pod", "v1"),
    ("Node", "v1"),
    ("EndpointSlice", "discovery.k8s.io/v1"),
];
const SERVICES: [&str; 3] = ["cart", "web", "headless"];

/// Rules about everything that expressions can name, some of which are true for some of the objects.
const CONFIG: &str = r#"{"policies": {"expression": {
    "variables": [{"name": "slices", "expression": "context.slices.map(s, s.name + '/' + string(s.endpoints))"}],
    "validations": [
        {"name": "plan", "expression": "plan.lost == 0 && plan.hints.all(h, h.ready == 0)",
         "messageExpression": "plan.service + ': ' + string(plan.lost) + plan.hints.map(h, h.reason).join(';')",
         "on": {"kinds": ["Service", "EndpointSlice"], "operations": ["CREATE", "UPDATE", "DELETE"]}},
        {"name": "context", "expression": "context.zones.size() < 2 && context.nodes.size() < 3 && variables.slices == []",
         "messageExpression": "context.zones.join() + context.nodes.map(n, n).join() + variables.slices.join()",
         "on": {"kinds": ["Service", "EndpointSlice", "Node"], "operations": ["CREATE", "UPDATE", "DELETE"]}},
        {"name": "objects", "expression": "object == oldObject || request.operation == 'CREATE'",
         "on": {"kinds": ["Service", "EndpointSlice", "Node"], "operations": ["CREATE", "UPDATE", "DELETE"]}}
    ]}}}"#;

struct History {
    dice: Dice,
    reviewer: Reviewer,
    /// By kind, namespace and name.
    held: BTreeMap<(String, String, String), Value>,
    version: u64,
    /// How many verdicts of each kind were compared.
    seen: BTreeMap<String, usize>,
}

fn apply(reviewer: &mut Reviewer, text: &str) {
    let answer = reviewer.apply(text.as_bytes(), Limits::default()).unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!(answer["errors"], json!([]), "{text}");
}

fn list(kind: &str, version: &str, items: &[&Value]) -> String {
    json!({"kind": format!("{kind}List"), "apiVersion": version, "items": items}).to_string()
}

impl History {
    fn new(seed: u64) -> Self {
        let mut reviewer = Reviewer::new(CONFIG.as_bytes()).unwrap();
        for (kind, version) in KINDS {
            apply(&mut reviewer, &list(kind, version, &[]));
        }
        Self {
            dice: Dice(seed),
            reviewer,
            held: BTreeMap::new(),
            version: 0,
            seen: BTreeMap::new(),
        }
    }

    /// The next version of an object: a new object, or another version of an existing one.
    fn object(&mut self) -> Value {
        let dice = &mut self.dice;
        let namespace = dice.of(&["shop", "shop", "bank"]);
        match dice.roll(10) {
            0..=3 => {
                let number = dice.roll(8);
                let key = ("Pod".into(), namespace.to_owned(), format!("pod-{number}"));
                let mut pod = self
                    .held
                    .get(&key)
                    .cloned()
                    .unwrap_or_else(|| new_pod(namespace, number));
                vary_pod(dice, &mut pod, number);
                self.said("Pod", pod)
            }
            4 | 5 => {
                let name = format!("node-{}", dice.roll(5));
                let node = new_node(dice, &name);
                self.said("Node", node)
            }
            6 => {
                let name = dice.of(&SERVICES);
                let mut service = service(dice, name);
                service["metadata"]["namespace"] = namespace.into();
                self.said("Service", service)
            }
            _ => self.slice(namespace),
        }
    }

    fn slice(&mut self, namespace: &str) -> Value {
        let dice = &mut self.dice;
        let name = format!("slice-{}", dice.roll(6));
        let endpoint = |number: usize| {
            json!({
                "addresses": [format!("10.0.0.{number}")], "conditions": {"ready": true},
                "targetRef": {"kind": "Pod", "namespace": namespace, "name": format!("pod-{number}"), "uid": format!("uid-{number}")},
            })
        };
        let numbers: Vec<usize> = (0..dice.roll(4)).map(|_| dice.roll(8)).collect();
        let other = json!({"endpoints": [endpoint(dice.roll(8))]});
        let key = ("EndpointSlice".into(), namespace.to_owned(), name.clone());
        let mut slice = self.held.get(&key).cloned().unwrap_or_else(|| {
            json!({
                "metadata": {"namespace": namespace, "name": name, "labels": {
                    "kubernetes.io/service-name": "cart",
                    "endpointslice.kubernetes.io/managed-by": "staff",
                }},
                "addressType": "IPv4",
                "endpoints": numbers.into_iter().map(endpoint).collect::<Vec<_>>(),
                "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
            })
        });
        vary_slice(dice, &mut slice, &other, &SERVICES);
        self.said("EndpointSlice", slice)
    }

    fn said(&mut self, kind: &str, mut object: Value) -> Value {
        self.version += 1;
        let (_, version) = KINDS.into_iter().find(|(known, _)| *known == kind).unwrap();
        object["kind"] = kind.into();
        object["apiVersion"] = version.into();
        object["metadata"]["resourceVersion"] = self.version.to_string().into();
        object
    }

    fn step(&mut self) {
        let object = self.object();
        let text = |field: &str| {
            object["metadata"][field]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let kind = object["kind"].as_str().unwrap().to_owned();
        let key = (kind.clone(), text("namespace"), text("name"));
        if self.dice.one_in(4) {
            self.held.remove(&key);
            self.tell(&json!({"type": "DELETED", "object": object}));
        } else {
            self.held.insert(key.clone(), object.clone());
            self.tell(&json!({"type": "MODIFIED", "object": object}));
        }
        if self.dice.one_in(15) {
            // The watch broke, and the object was deleted in the meantime.
            self.held.remove(&key);
            let list = self.list(&kind);
            apply(&mut self.reviewer, &list);
        }
    }

    fn tell(&mut self, event: &Value) {
        apply(&mut self.reviewer, &event.to_string());
        if self.dice.one_in(5) {
            apply(&mut self.reviewer, &event.to_string());
        }
    }

    fn list(&self, kind: &str) -> String {
        let (_, version) = KINDS.into_iter().find(|(known, _)| *known == kind).unwrap();
        let items = self.held.iter().filter(|((other, ..), _)| other == kind);
        list(
            kind,
            version,
            &items.map(|(_, object)| object).collect::<Vec<_>>(),
        )
    }

    /// A review of a write that someone might make.
    fn review(&mut self) -> String {
        let object = self.object();
        let kind = object["kind"].as_str().unwrap();
        let text = |field: &str| {
            object["metadata"][field]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let old = self
            .held
            .get(&(kind.to_owned(), text("namespace"), text("name")));
        let (operation, old) = match old {
            Some(old) if self.dice.one_in(5) => ("DELETE", Some(old)),
            Some(old) => ("UPDATE", Some(old)),
            None => ("CREATE", None),
        };
        let group = if kind == "EndpointSlice" {
            "discovery.k8s.io"
        } else {
            ""
        };
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "u", "kind": {"group": group, "version": "v1", "kind": kind}, "operation": operation,
            "namespace": text("namespace"), "name": text("name"), "userInfo": {"username": "jane"},
            "object": (operation != "DELETE").then_some(&object), "oldObject": old,
        }})
        .to_string()
    }

    /// A review of the end of some pods: of one, or of all that a workload has.
    fn review_of_pods(&mut self) -> String {
        let number = self.dice.roll(8);
        let mut request = match self.dice.roll(2) {
            0 => json!({
                "kind": {"group": "policy", "version": "v1", "kind": "Eviction"}, "subResource": "eviction", "operation": "CREATE",
                "name": format!("pod-{number}"), "object": {"metadata": {"name": format!("pod-{number}")}},
            }),
            _ => {
                let selector =
                    self.dice
                        .of(&["app=cart", "app=cart,tier=web", "app in (cart, till)"]);
                let scale = |replicas: u32| json!({"metadata": {"name": "x"}, "spec": {"replicas": replicas}, "status": {"selector": selector}});
                json!({
                    "kind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}, "subResource": "scale", "operation": "UPDATE",
                    "name": "x", "object": scale(0), "oldObject": scale(3),
                })
            }
        };
        request["uid"] = json!("u");
        request["namespace"] = json!("shop");
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
            .to_string()
    }

    fn compare(&mut self) {
        let mut fresh = Reviewer::new(CONFIG.as_bytes()).unwrap();
        for (kind, _) in KINDS {
            apply(&mut fresh, &self.list(kind));
        }
        for number in 0..5 {
            let review = match number {
                4 => self.review_of_pods(),
                _ => self.review(),
            };
            let answer = |reviewer: &mut Reviewer| {
                let answer = reviewer.review(review.as_bytes(), Asking::default());
                String::from_utf8(answer.unwrap()).unwrap()
            };
            let (kept, expected) = (answer(&mut self.reviewer), answer(&mut fresh));
            assert_eq!(kept, expected, "{review}\n{:#?}", self.held);
            let answer: Value = serde_json::from_str(&kept).unwrap();
            for (policy, said) in answer["response"]["auditAnnotations"]
                .as_object()
                .into_iter()
                .flatten()
            {
                let said = said.as_str().unwrap();
                for rule in said.split([',', ';', ':']).map(str::trim) {
                    *self.seen.entry(format!("{policy}/{rule}")).or_default() += 1;
                }
            }
        }
    }
}

#[test]
fn verdicts_depend_on_the_objects_that_are_left() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..60 {
        let mut history = History::new(seed);
        for step in 0..60 {
            history.step();
            if step % 3 == 0 {
                history.compare();
            }
        }
        for (rule, times) in history.seen {
            *seen.entry(rule).or_default() += times;
        }
    }
    for rule in [
        "slice-addresses/not-a-pod",
        "slice-addresses/target-missing",
        "slice-shape/duplicate-in-sibling",
        "slice-shape/orphan",
        "slice-hints/unknown-zone",
        "slice-hints/partial",
        "service-blast-radius/shrunk",
        "service-traffic/no-hints",
        "node-topology/zone-missing",
        "workload-traffic/last-endpoint",
        "workload-traffic/scaled-to-zero",
        "expression/plan",
        "expression/context",
        "expression/objects",
    ] {
        assert!(seen.contains_key(rule), "{rule} was never found: {seen:#?}");
    }
}
