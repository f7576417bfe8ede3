//! Long histories of two namespaces as the bytes of a watch: one by one, in arrays, lines and lists, late, twice,
//! without versions, and with meaningless lines in between.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::events::*;
use super::objects::{Dice, new_node, new_pod, service, vary_pod, vary_slice};
use crate::api::{self, Limits, Session};
use crate::model::{NamespacedName, Pod, Service};
use crate::plan::is_selected;
use crate::tracker::TriggerTimeTracker;

struct History {
    dice: Dice,
    session: Session,
    options: Value,
    /// The objects that the session should have.
    held: BTreeMap<Key, Value>,
    /// The versions in which deleted objects were deleted.
    gone: BTreeMap<Key, u64>,
    /// Events that have not been sent yet, and some that have.
    unsent: Vec<Value>,
    sent: Vec<Value>,
    /// State and trigger times for the plans from scratch.
    states: BTreeMap<NamespacedName, Value>,
    triggers: TriggerTimeTracker,
    version: u64,
    log: Vec<String>,
    /// What the answers must count, and what they have counted.
    late: u64,
    counted_late: u64,
    writes: usize,
}

impl History {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let options = json!({"maxEndpointsPerSlice": 1 + dice.roll(4), "packing": dice.of(&["upstream", "upstream", "compact"])});
        Self {
            dice,
            session: Session::new(options.to_string().as_bytes()).unwrap(),
            options,
            held: BTreeMap::new(),
            gone: BTreeMap::new(),
            unsent: Vec::new(),
            sent: Vec::new(),
            states: BTreeMap::new(),
            triggers: TriggerTimeTracker::default(),
            version: 0,
            log: Vec::new(),
            late: 0,
            counted_late: 0,
            writes: 0,
        }
    }

    fn step(&mut self) {
        // Slices given to others would stay forever, and slow the plans from scratch down.
        if self.of_kind("EndpointSlice").len() > 25 {
            self.list_without_some_slices();
        }
        let namespace = self.dice.of(&NAMESPACES);
        match self.dice.roll(22) {
            0..=6 => {
                let number = self.dice.roll(12);
                let key = ("Pod", namespace.into(), format!("pod-{number}"));
                let held = self.held.get(&key).cloned();
                let mut pod = held.unwrap_or_else(|| new_pod(namespace, number));
                vary_pod(&mut self.dice, &mut pod, number);
                self.set("Pod", pod);
            }
            7 | 8 => {
                let node = format!("node-{}", self.dice.roll(6));
                let node = new_node(&mut self.dice, &node);
                self.set("Node", node);
            }
            9 => {
                let name = self.dice.of(&SERVICES);
                let mut service = service(&mut self.dice, name);
                service["metadata"]["namespace"] = namespace.into();
                self.set("Service", service);
            }
            10 | 11 => self.change_slice(),
            12 | 13 => self.delete(),
            14 => self.list(),
            15 => self.repeat(),
            16 => self.restart(),
            _ => {
                let name = self.dice.of(&SERVICES);
                self.sync(namespace, name);
            }
        }
        if self.dice.one_in(3) {
            self.send();
        }
    }

    /// Sets the current state of an object, usually with a new version.
    fn set(&mut self, kind: &'static str, mut object: Value) {
        self.version += 1;
        match self.dice.roll(12) {
            0 => drop(
                object["metadata"]
                    .as_object_mut()
                    .unwrap()
                    .remove("resourceVersion"),
            ),
            // The same version as before.
            1 if version_of(&object).is_some() => {}
            _ => object["metadata"]["resourceVersion"] = self.version.to_string().into(),
        }
        object["kind"] = kind.into();
        let event = self.dice.of(&["ADDED", "MODIFIED"]);
        self.unsent.push(json!({"type": event, "object": object}));
    }

    fn some(&mut self, kinds: &[&'static str]) -> Option<(Key, Value)> {
        let kind = self.dice.of(kinds);
        let of_kind: Vec<_> = self.held.iter().filter(|(key, _)| key.0 == kind).collect();
        let (key, object) = of_kind.get(self.dice.roll(of_kind.len().max(1)))?;
        Some(((*key).clone(), (*object).clone()))
    }

    fn change_slice(&mut self) {
        let (slice, other) = (self.some(&["EndpointSlice"]), self.some(&["EndpointSlice"]));
        if let (Some((_, mut slice)), Some((_, other))) = (slice, other) {
            vary_slice(&mut self.dice, &mut slice, &other, &SERVICES);
            self.set("EndpointSlice", slice);
        }
    }

    /// A deletion: with the whole object, with a name only, or late.
    fn delete(&mut self) {
        let kinds = ["Pod", "Pod", "Node", "EndpointSlice", "Service"];
        let Some((key, mut object)) = self.some(&kinds) else {
            return;
        };
        self.version += 1;
        let version = match self.dice.roll(4) {
            0 => self.version.saturating_sub(500),
            _ => self.version,
        };
        object["metadata"]["resourceVersion"] = version.to_string().into();
        object["kind"] = key.0.into();
        if self.dice.one_in(3) {
            object = json!({"kind": key.0, "metadata": {"namespace": key.1, "name": key.2}});
        }
        self.unsent
            .push(json!({"type": "DELETED", "object": object}));
    }

    /// Sends an event again.
    fn repeat(&mut self) {
        let count = self.sent.len().min(20);
        if count > 0 {
            let place = self.sent.len() - 1 - self.dice.roll(count);
            self.unsent.push(self.sent[place].clone());
        }
    }

    /// What the session should do with an event.
    fn hear(&mut self, event: &Value) {
        let object = &event["object"];
        let kind = kind_of(object);
        let key = key_of(kind, object);
        let known = match self.held.get(&key) {
            Some(held) => version_of(held),
            None => self.gone.get(&key).copied(),
        };
        if matches!((known, version_of(object)), (Some(known), Some(new)) if new < known) {
            self.late += 1;
        } else if event["type"] == "DELETED" {
            if let Some(version) = version_of(object) {
                let gone = self.gone.entry(key.clone()).or_default();
                *gone = version.max(*gone);
            }
            self.lose(&key);
        } else {
            self.held.insert(key, object.clone());
        }
    }

    fn lose(&mut self, key: &Key) {
        if self.held.remove(key).is_some() && key.0 == "Service" {
            let service = named(&key.1, &key.2);
            self.states.remove(&service);
            self.triggers.delete_service(&service);
        }
    }

    /// Sends the unsent events, in some form.
    fn send(&mut self) {
        let events = core::mem::take(&mut self.unsent);
        let mut texts: Vec<String> = events
            .iter()
            .map(|event| text(event, self.dice.one_in(3)))
            .collect();
        if self.dice.one_in(4) {
            let place = self.dice.roll(texts.len() + 1);
            texts.insert(place, self.dice.of(&MEANINGLESS).into());
        }
        match self.dice.roll(3) {
            0 => texts.iter().for_each(|text| self.take(text)),
            1 => {
                if self.dice.one_in(4) {
                    let refused = format!("[{}]", [&texts[..], &["{}".into()]].concat().join(","));
                    let before = self.session.dump().unwrap();
                    let result = self.session.apply(refused.as_bytes(), Limits::default());
                    assert!(result.is_err() && self.session.dump().unwrap() == before);
                }
                self.take(&format!("[{}]", texts.join(",")));
            }
            _ => {
                let between = self.dice.of(&["\n", "\n\n", "\r\n", "\nnonsense\n"]);
                if !texts.is_empty() {
                    self.take(&texts.join(between));
                }
            }
        }
        for event in events {
            self.hear(&event);
            self.sent.push(event);
        }
        assert_eq!(self.late, self.counted_late);
    }

    fn take(&mut self, events: &str) {
        self.log.push(events.into());
        let applied = self.session.apply(events.as_bytes(), Limits::default());
        let applied: Value = serde_json::from_slice(&applied.unwrap()).unwrap();
        self.counted_late += applied["late"].as_u64().unwrap_or_default();
    }

    /// All objects of a kind or of all kinds, which may differ from what the session has received.
    fn list(&mut self) {
        self.send();
        let kind = self
            .dice
            .of(&["Service", "Pod", "Node", "EndpointSlice", ""]);
        let (mut items, mut lost) = (Vec::new(), Vec::new());
        for (key, object) in &self.held {
            if !kind.is_empty() && key.0 != kind {
                continue;
            }
            // A list of all kinds must have some of each known kind.
            if !kind.is_empty() && self.dice.one_in(12) {
                lost.push(key.clone());
                continue;
            }
            let mut object = object.clone();
            if key.0 == "Pod" && self.dice.one_in(6) {
                vary_pod(&mut self.dice, &mut object, 1);
                // As after restoring a backup: older than what was known.
                object["metadata"]["resourceVersion"] = self.dice.of(&["1", "2", "999999"]).into();
            }
            object["kind"] = key.0.into();
            items.push(object);
        }
        // Only a list of all kinds may have objects of unknown kinds.
        if kind.is_empty() {
            items.push(json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "c"}}));
        }
        let list = json!({"kind": format!("{kind}List"), "metadata": {"resourceVersion": "7"}, "items": items});
        self.take(&list.to_string());
        self.gone.retain(|key, _| !kind.is_empty() && key.0 != kind);
        for key in lost {
            self.lose(&key);
        }
        for item in items.into_iter().filter(|item| item["kind"] != "ConfigMap") {
            self.held.insert(key_of(kind_of(&item), &item), item);
        }
    }

    fn list_without_some_slices(&mut self) {
        self.send();
        let slices = self.held.keys().filter(|key| key.0 == "EndpointSlice");
        let lost: Vec<Key> = slices.step_by(2).cloned().collect();
        for key in &lost {
            self.lose(key);
        }
        self.gone.retain(|key, _| key.0 != "EndpointSlice");
        let list = json!({"kind": "EndpointSliceList", "items": self.of_kind("EndpointSlice")});
        self.take(&list.to_string());
    }

    /// Dumps the session, and continues with a restored one.
    fn restart(&mut self) {
        let dump = self.session.dump().unwrap();
        self.session = Session::restore(&dump, Limits::default()).unwrap();
        assert!(
            self.session.dump().unwrap() == dump,
            "a dump lost something"
        );
        // Dumps do not include deletions.
        self.gone.clear();
        self.log.push("restart".into());
    }

    fn sync(&mut self, namespace: &str, name: &str) {
        self.send();
        let service = format!("{namespace}/{name}");
        let found = String::from_utf8(self.session.sync(&service).unwrap()).unwrap();
        let fresh = self.fresh(namespace, name);
        self.log.push(format!("sync {service}: {found}"));
        if found != fresh {
            let log = &self.log[self.log.len().saturating_sub(12)..];
            panic!("{}\n\nfresh: {fresh}", log.join("\n"));
        }
        let plan: Value = serde_json::from_str(&found).unwrap();
        for slice in ["create", "update"]
            .iter()
            .flat_map(|list| plan[list].as_array().into_iter().flatten())
        {
            self.write(slice.clone());
        }
        for slice in plan["delete"].as_array().into_iter().flatten() {
            let object = json!({"kind": "EndpointSlice", "metadata": {"namespace": namespace, "name": slice["name"]}});
            self.unsent
                .push(json!({"type": "DELETED", "object": object}));
        }
    }

    /// The server stores a slice, or refuses it.
    fn write(&mut self, mut slice: Value) {
        if self.dice.one_in(8) {
            return;
        }
        self.writes += 1;
        if slice["metadata"]["name"].is_null() {
            let prefix = slice["metadata"]["generateName"].as_str().unwrap();
            let name = format!("{prefix}{}", self.writes);
            slice["metadata"]["uid"] = format!("uid-of-{name}").into();
            slice["metadata"]["name"] = name.into();
        }
        self.set("EndpointSlice", slice);
    }

    fn of_kind(&self, kind: &str) -> Vec<&Value> {
        let held = self.held.iter();
        held.filter(|(key, _)| key.0 == kind)
            .map(|(_, object)| object)
            .collect()
    }

    /// The plan from scratch over all objects that the session should have.
    fn fresh(&mut self, namespace: &str, name: &str) -> String {
        let key = ("Service", namespace.to_owned(), name.to_owned());
        let Some(service) = self.held.get(&key).cloned() else {
            return "null".into();
        };
        let text = service.to_string();
        let typed: Service<'_> = serde_json::from_str(&text).unwrap();
        let texts: Vec<String> = self
            .of_kind("Pod")
            .into_iter()
            .map(Value::to_string)
            .collect();
        let pods: Vec<Pod<'_>> = texts
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        let pods = pods.iter().filter(|pod| is_selected(pod, &typed));
        let triggers = &mut self.triggers;
        let trigger_time = typed
            .is_reconciled()
            .then(|| triggers.compute(&typed, pods))
            .flatten();
        let service_key = named(namespace, name);
        let request = json!({
            "service": service, "pods": self.of_kind("Pod"), "nodes": self.of_kind("Node"), "slices": self.of_kind("EndpointSlice"),
            "options": self.options, "state": self.states.get(&service_key).unwrap_or(&Value::Null),
            "triggerTime": trigger_time.map(|time| time.to_string()),
        });
        let plan = String::from_utf8(api::plan(request.to_string().as_bytes()).unwrap()).unwrap();
        let state = serde_json::from_str::<Value>(&plan).unwrap()["state"].clone();
        self.states.insert(service_key, state);
        plan
    }
}

#[test]
fn long_histories_in_bytes_plan_what_a_fresh_request_would() {
    for seed in 0..2 {
        let mut history = History::new(seed);
        for _ in 0..5000 {
            history.step();
        }
        history.send();
        assert!(history.writes > 500, "{} writes only", history.writes);
        assert!(history.late > 100, "{} late events only", history.late);
        let keys: Vec<_> = history.held.keys().cloned().collect();
        for (kind, namespace, name) in keys {
            let object = json!({"kind": kind, "metadata": {"namespace": namespace, "name": name}});
            history.take(&json!({"type": "DELETED", "object": object}).to_string());
        }
        assert!(history.session.session().is_empty(), "something is left");
    }
}
