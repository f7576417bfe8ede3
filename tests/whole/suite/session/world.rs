//! A cluster with random changes, twice: as plain objects, and as a session.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::objects::{Dice, new_node, new_pod, service, vary_pod, vary_slice};

use crate::api;
use crate::kubernetes::KubernetesVersion;
use crate::model::{EndpointSlice, NamespacedName, Node, Pod, Service, Timestamp};
use crate::plan::is_selected;
use crate::plan::request::Options;
use crate::session::Session;
use crate::session::dump::Dump;
use crate::suite::versions;
use crate::tracker::TriggerTimeTracker;

/// The same cluster twice: as plain objects, and as a session.
pub(super) struct World {
    dice: Dice,
    pub(super) session: Session,
    options: Value,
    services: BTreeMap<String, Value>,
    pods: BTreeMap<String, Value>,
    nodes: BTreeMap<String, Value>,
    slices: BTreeMap<String, Value>,
    /// State and trigger times for the plans from scratch.
    states: BTreeMap<String, Value>,
    triggers: TriggerTimeTracker,
    version: u64,
    log: Vec<String>,
}

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut options = json!({
            "maxEndpointsPerSlice": 1 + dice.roll(4), "topologyHints": !dice.one_in(4),
            "preferSameTrafficDistribution": !dice.one_in(4),
            "packing": dice.of(&["upstream", "upstream", "compact", "balanced"]),
        });
        let versions = KubernetesVersion::ALL;
        versions::adapt(&mut options, versions[seed as usize % versions.len()]);
        let text: &'static str = Box::leak(options.to_string().into_boxed_str());
        Self {
            dice,
            session: Session::new(serde_json::from_str::<Options<'static>>(text).unwrap()),
            options,
            services: BTreeMap::new(),
            pods: BTreeMap::new(),
            nodes: BTreeMap::new(),
            slices: BTreeMap::new(),
            states: BTreeMap::new(),
            triggers: TriggerTimeTracker::default(),
            version: 0,
            log: Vec::new(),
        }
    }

    fn next_version(&mut self) -> String {
        self.version += 1;
        self.version.to_string()
    }

    pub(super) fn step(&mut self) {
        match self.dice.roll(20) {
            0..=6 => self.change_pod(),
            7 => self.delete_pod(),
            8 => self.change_node(),
            9 => self.delete_node(),
            10 => self.change_service(),
            11 if self.dice.one_in(3) => self.delete_service(),
            11 => self.restart(),
            12 => self.change_slice(),
            13 => self.delete_slice(),
            _ => {
                let name = self.dice.of(&SERVICES);
                self.sync(name);
            }
        }
    }

    fn change_pod(&mut self) {
        let number = self.dice.roll(12);
        let name = format!("pod-{number}");
        let mut pod = self
            .pods
            .get(&name)
            .cloned()
            .unwrap_or_else(|| new_pod("shop", number));
        for _ in 0..=self.dice.roll(2) {
            vary_pod(&mut self.dice, &mut pod, number);
        }
        if !self.dice.one_in(10) {
            pod["metadata"]["resourceVersion"] = self.next_version().into();
        }
        self.log.push(format!("pod {pod}"));
        let version = pod["metadata"]["resourceVersion"]
            .as_str()
            .unwrap_or_default();
        let text = pod.to_string();
        let typed: Pod<'_> = serde_json::from_str(&text).unwrap();
        self.session.set_pod(&typed, version);
        self.pods.insert(name, pod);
    }

    fn delete_pod(&mut self) {
        let name = format!("pod-{}", self.dice.roll(12));
        self.log.push(format!("delete {name}"));
        self.pods.remove(&name);
        self.session.remove_pod(&key(&name));
    }

    pub(super) fn change_node(&mut self) {
        let name = format!("node-{}", self.dice.roll(6));
        let node = new_node(&mut self.dice, &name);
        self.log.push(format!("node {node}"));
        let text = node.to_string();
        let typed: Node<'_> = serde_json::from_str(&text).unwrap();
        self.session.set_node(&typed);
        self.nodes.insert(name, node);
    }

    fn delete_node(&mut self) {
        if self.dice.one_in(2) {
            let name = format!("node-{}", self.dice.roll(6));
            self.log.push(format!("delete {name}"));
            self.nodes.remove(&name);
            self.session.remove_node(&name);
        }
    }

    pub(super) fn change_service(&mut self) {
        let name = self.dice.of(&SERVICES);
        let service = service(&mut self.dice, name);
        self.log.push(format!("service {service}"));
        let text = service.to_string();
        let typed: Service<'_> = serde_json::from_str(&text).unwrap();
        self.session.set_service(&typed);
        self.services.insert(name.into(), service);
    }

    fn delete_service(&mut self) {
        let name = self.dice.of(&SERVICES);
        self.log.push(format!("delete {name}"));
        self.services.remove(name);
        self.states.remove(name);
        self.triggers.delete_service(&key(name));
        self.session.remove_service(&key(name));
    }

    fn set_slice(&mut self, mut slice: Value) {
        slice["metadata"]["resourceVersion"] = self.next_version().into();
        self.log.push(format!("slice {slice}"));
        let text = slice.to_string();
        let typed: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
        self.session.set_slice(&typed);
        self.slices
            .insert(slice["metadata"]["name"].as_str().unwrap().into(), slice);
    }

    fn change_slice(&mut self) {
        let names: Vec<String> = self.slices.keys().cloned().collect();
        if names.is_empty() {
            return;
        }
        let mut slice = self.slices[&self.dice.of(&names)].clone();
        let other = self.slices[&self.dice.of(&names)].clone();
        vary_slice(&mut self.dice, &mut slice, &other, &SERVICES);
        self.set_slice(slice);
    }

    fn delete_slice(&mut self) {
        let names: Vec<String> = self.slices.keys().cloned().collect();
        if !names.is_empty() && self.dice.one_in(2) {
            let name = self.dice.of(&names);
            self.remove_slice(&name);
        }
    }

    fn remove_slice(&mut self, name: &str) {
        self.log.push(format!("delete {name}"));
        self.slices.remove(name);
        self.session.remove_slice(&key(name));
    }

    fn sync(&mut self, name: &str) {
        let text = self
            .session
            .sync_with(&key(name), |plan| serde_json::to_string(&plan).unwrap());
        let fresh = self.fresh(name);
        self.log.push(format!(
            "sync {name}: {}",
            text.as_deref().unwrap_or_default()
        ));
        if text != fresh {
            let log = &self.log[self.log.len().saturating_sub(12)..];
            panic!("{}\n\nfresh: {}", log.join("\n"), fresh.unwrap_or_default());
        }
        if let Some(text) = text {
            self.apply(&serde_json::from_str(&text).unwrap());
        }
    }

    /// The plan from scratch.
    fn fresh(&mut self, name: &str) -> Option<String> {
        let service = self.services.get(name)?;
        let text = service.to_string();
        let typed: Service<'_> = serde_json::from_str(&text).unwrap();
        let texts: Vec<String> = self.pods.values().map(Value::to_string).collect();
        let pods: Vec<Pod<'_>> = texts
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        let pods = pods.iter().filter(|pod| is_selected(pod, &typed));
        let trigger_time = typed
            .is_reconciled()
            .then(|| self.triggers.compute(&typed, pods))
            .flatten();
        let request = json!({
            "service": service, "pods": self.pods.values().collect::<Vec<_>>(), "nodes": self.nodes.values().collect::<Vec<_>>(),
            "slices": self.slices.values().collect::<Vec<_>>(), "options": self.options,
            "state": self.states.get(name).unwrap_or(&Value::Null), "triggerTime": trigger_time.map(|time: Timestamp| time.to_string()),
        });
        let plan = api::plan(&serde_json::to_vec(&request).unwrap()).unwrap();
        let plan = String::from_utf8(plan).unwrap();
        let state = serde_json::from_str::<Value>(&plan).unwrap()["state"].clone();
        self.states.insert(name.into(), state);
        Some(plan)
    }

    /// Writes a plan, or a part of it.
    fn apply(&mut self, plan: &Value) {
        let loses = self.dice.one_in(4);
        let list = |field: &str| plan[field].as_array().unwrap().clone();
        for mut slice in list("create") {
            if loses && self.dice.one_in(2) {
                continue;
            }
            let name = format!(
                "{}{}",
                slice["metadata"]["generateName"].as_str().unwrap(),
                self.next_version()
            );
            slice["metadata"]["uid"] = format!("uid-of-{name}").into();
            slice["metadata"]["name"] = name.into();
            self.set_slice(slice);
        }
        for slice in list("update") {
            if !(loses && self.dice.one_in(2)) {
                self.set_slice(slice);
            }
        }
        for slice in list("delete") {
            if !(loses && self.dice.one_in(2)) {
                self.remove_slice(slice["name"].as_str().unwrap());
            }
        }
    }

    /// Dumps the session, and continues with a restored one.
    fn restart(&mut self) {
        let text = serde_json::to_string(&self.session).unwrap();
        let dump: Dump<'_> = serde_json::from_str(&text).unwrap();
        self.session = Session::restored(dump);
        assert_eq!(serde_json::to_string(&self.session).unwrap(), text);
        self.log.push("restart".into());
    }

    /// Deletes every object.
    pub(super) fn clear(&mut self) {
        for name in SERVICES {
            self.session.remove_service(&key(name));
        }
        for name in self.pods.keys() {
            self.session.remove_pod(&key(name));
        }
        for name in self.nodes.keys() {
            self.session.remove_node(name);
        }
        for name in self.slices.keys() {
            self.session.remove_slice(&key(name));
        }
    }
}

const SERVICES: [&str; 3] = ["cart", "web", "headless"];
