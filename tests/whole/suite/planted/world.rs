//! Random clusters in which everything works: one Service that is asked about, and others beside it.

use serde_json::{Value, json};

use super::super::session::objects::Dice;
use super::super::wanted::list;
use crate::api;

/// Who writes the slices of the Service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Writer {
    /// The EndpointSlice controller: the Service has a selector.
    Controller,
    /// Someone by hand: neither a selector nor Endpoints.
    Hand,
    /// The mirroring controller, from Endpoints.
    Mirror,
}

/// What a fault needs to be planted; everything else is random.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    pub(super) writer: Writer,
    pub(super) headless: Option<bool>,
    /// Two families, the first of them at random?
    pub(super) dual: Option<bool>,
    /// Do target ports have names?
    pub(super) named: Option<bool>,
    /// The fewest zones.
    pub(super) zones: usize,
    /// `PreferClose` and others, or `Auto`; at random if `None`.
    pub(super) hints: Option<&'static str>,
    pub(super) kind: Option<&'static str>,
}

/// No needs.
pub(super) const ANY: Needs = Needs {
    writer: Writer::Controller,
    headless: None,
    dual: None,
    named: None,
    zones: 1,
    hints: None,
    kind: None,
};
/// A Service with a cluster IP.
pub(super) const PROXIED: Needs = Needs {
    headless: Some(false),
    ..ANY
};

#[derive(Clone)]
pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) items: Vec<Value>,
    pub(super) options: Value,
    pub(super) name: &'static str,
    made: usize,
}

pub(super) const NAMESPACE: &str = "shop";
const NAMES: [&str; 6] = ["cart", "till", "ledger", "search", "mail", "stock"];
pub(super) const SERVICE_NAME: &str = "kubernetes.io/service-name";
pub(super) const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";

impl World {
    /// A cluster whose controllers have written everything.
    pub(super) fn new(seed: u64, needs: &Needs) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635);
        (0..4).for_each(|_| _ = dice.roll(2));
        let start = dice.roll(NAMES.len());
        let options = json!({"maxEndpointsPerSlice": dice.of(&[2, 3, 100, 100, 100])});
        let mut world = Self {
            dice,
            items: Vec::new(),
            options,
            name: NAMES[start],
            made: 0,
        };
        world.nodes(needs);
        world.service(needs);
        for number in 1..=world.dice.roll(3) {
            world.neighbour(NAMESPACE, NAMES[(start + number) % NAMES.len()]);
        }
        if world.dice.one_in(2) {
            world.neighbour("bank", NAMES[start]);
        }
        world.settle();
        world
    }

    fn nodes(&mut self, needs: &Needs) {
        let zones = needs.zones + self.dice.roll(4 - needs.zones);
        // `Auto` needs zones of equal size.
        let most = if needs.hints == Some("Auto") { 1 } else { 2 };
        for zone in 0..zones {
            for number in 0..=self.dice.roll(most) {
                let name = format!("n{zone}{number}");
                let zone = ["a", "b", "c"][zone];
                self.items.push(json!({"kind": "Node", "apiVersion": "v1",
                    "metadata": {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone}},
                    "spec": {},
                    "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "4"}, "nodeInfo": {"kubeletVersion": "v1.37.0"}}}));
            }
        }
    }

    fn service(&mut self, needs: &Needs) {
        let dice = &mut self.dice;
        let name = self.name;
        let is_headless = needs.headless.unwrap_or_else(|| dice.one_in(6));
        let is_dual = needs.dual.unwrap_or_else(|| dice.one_in(4));
        let is_named = needs.named.unwrap_or_else(|| dice.one_in(2));
        let mut families = if dice.one_in(4) {
            ["IPv6", "IPv4"]
        } else {
            ["IPv4", "IPv6"]
        }
        .to_vec();
        families.truncate(1 + usize::from(is_dual));
        let ips: Vec<&str> = families
            .iter()
            .map(|family| match (is_headless, *family) {
                (true, _) => "None",
                (false, "IPv4") => "10.96.0.10",
                _ => "fd00:96::10",
            })
            .collect();
        let ips = if is_headless { vec!["None"] } else { ips };
        let number = 1 + dice.roll(3);
        let is_single = number == 1 && dice.one_in(2);
        let ports: Vec<Value> = ["http", "admin", "metrics"].iter().take(number).enumerate().map(|(place, port)| {
            let target = 8080 + place;
            let mut made = json!({"port": if is_headless { target } else { 80 + place }, "protocol": "TCP",
                "targetPort": if is_named { json!(port) } else { json!(target) }});
            if !is_single {
                made["name"] = (*port).into();
            }
            made
        }).collect();
        let kind = needs.kind.unwrap_or_else(|| {
            if is_headless {
                "ClusterIP"
            } else {
                dice.of(&["ClusterIP", "ClusterIP", "ClusterIP", "NodePort"])
            }
        });
        let mut selector = json!({"app": name});
        if dice.one_in(3) {
            selector["tier"] = "front".into();
        }
        let hints = needs
            .hints
            .unwrap_or_else(|| dice.of(&["", "", "", "PreferClose"]));
        let hints = if is_headless || needs.writer != Writer::Controller {
            ""
        } else {
            hints
        };
        let mut service = json!({"kind": "Service", "apiVersion": "v1",
            "metadata": {"namespace": NAMESPACE, "name": name, "uid": format!("{name}-uid"), "resourceVersion": "7", "labels": {"app": name}, "annotations": {}},
            "spec": {"type": kind, "clusterIP": ips[0], "clusterIPs": ips, "ipFamilies": families,
                "ipFamilyPolicy": if is_dual { "RequireDualStack" } else { "SingleStack" },
                "internalTrafficPolicy": "Cluster", "sessionAffinity": "None", "ports": ports}});
        if kind == "NodePort" || kind == "LoadBalancer" {
            service["spec"]["externalTrafficPolicy"] = "Cluster".into();
        }
        match hints {
            "" => {}
            "Auto" => {
                service["metadata"]["annotations"]["service.kubernetes.io/topology-mode"] =
                    "Auto".into()
            }
            value => service["spec"]["trafficDistribution"] = value.into(),
        }
        if needs.writer == Writer::Controller {
            service["spec"]["selector"] = selector.clone();
            selector["version"] = "v2".into();
            self.items.push(service);
            self.replicas(&selector, hints);
        } else {
            self.items.push(service);
            self.by_others(needs.writer, &families);
        }
    }

    /// The pods of the Service; hints need as many in each zone.
    fn replicas(&mut self, labels: &Value, hints: &str) {
        let each = if hints == "Auto" { 3 } else { 1 };
        let nodes = self.names("Node");
        let zones: std::collections::BTreeSet<&str> =
            nodes.iter().map(|name| &name[1..2]).collect();
        let number = match hints {
            "" => 2 + self.dice.roll(5),
            _ => zones.len().max(2) * each,
        };
        for place in 0..number {
            self.pod(NAMESPACE, self.name, labels, place);
        }
    }

    /// The slices or the Endpoints that someone writes for the Service.
    fn by_others(&mut self, writer: Writer, families: &[&str]) {
        let name = self.name;
        let ports: Vec<Value> = list(&self.spec()["ports"]).iter().enumerate().map(|(place, port)| {
            json!({"name": port["name"].as_str().unwrap_or_default(), "port": 5432 + place, "protocol": "TCP"})
        }).collect();
        let number = 1 + self.dice.roll(3);
        let addresses = |family: &str| -> Vec<String> {
            (1..=number)
                .map(|place| {
                    if family == "IPv4" {
                        format!("192.0.2.{place}")
                    } else {
                        format!("2001:db8::{place}")
                    }
                })
                .collect()
        };
        if writer == Writer::Mirror {
            let addresses: Vec<Value> = families
                .iter()
                .flat_map(|family| addresses(family))
                .map(|ip| json!({"ip": ip}))
                .collect();
            self.items.push(json!({"kind": "Endpoints", "apiVersion": "v1",
                "metadata": {"namespace": NAMESPACE, "name": name, "uid": format!("{name}-endpoints"), "resourceVersion": "3"},
                "subsets": [{"addresses": addresses, "ports": ports}]}));
            return;
        }
        for family in families {
            let endpoints: Vec<Value> = addresses(family)
                .iter()
                .map(|address| json!({"addresses": [address], "conditions": {"ready": true}}))
                .collect();
            self.items.push(json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "addressType": family,
                "metadata": {"namespace": NAMESPACE, "name": format!("{name}-{}", family.to_lowercase()), "uid": format!("{name}-{family}"), "resourceVersion": "3",
                    "labels": {SERVICE_NAME: name, MANAGED_BY: "staff"}},
                "endpoints": endpoints, "ports": ports}));
        }
    }

    /// Another Service with its pods, some of which may not be ready.
    fn neighbour(&mut self, namespace: &str, name: &str) {
        self.items.push(json!({"kind": "Service", "apiVersion": "v1",
            "metadata": {"namespace": namespace, "name": name, "uid": format!("{namespace}-{name}-uid"), "resourceVersion": "9", "labels": {}},
            "spec": {"type": "ClusterIP", "clusterIP": "10.96.0.77", "clusterIPs": ["10.96.0.77"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack",
                "internalTrafficPolicy": "Cluster", "sessionAffinity": "None", "selector": {"app": name},
                "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}]}}));
        for place in 0..self.dice.roll(4) {
            self.pod(
                namespace,
                name,
                &json!({"app": name, "tier": "back"}),
                place,
            );
            if self.dice.one_in(4) {
                let pod = self.items.last_mut().unwrap();
                not_ready(pod);
            }
        }
    }

    /// A ready pod of the Deployment of that name.
    pub(super) fn pod(&mut self, namespace: &str, app: &str, labels: &Value, place: usize) {
        let nodes = self.names("Node");
        // One zone after the other.
        let mut zones: Vec<&str> = nodes.iter().map(|name| &name[..2]).collect();
        zones.dedup();
        let zone = zones[place % zones.len()];
        let of_zone: Vec<&String> = nodes.iter().filter(|name| name.starts_with(zone)).collect();
        let node = self.dice.of(&of_zone).clone();
        self.made += 1;
        let (made, hash) = (self.made, "7d9f4b");
        let mut labels = labels.clone();
        labels["pod-template-hash"] = hash.into();
        let ips = json!([{"ip": format!("10.1.0.{made}")}, {"ip": format!("fd00:1::{made:x}")}]);
        let ports: Vec<Value> = ["http", "admin", "metrics"].iter().enumerate().map(|(place, port)| json!({"name": port, "containerPort": 8080 + place, "protocol": "TCP"})).collect();
        self.items.push(json!({"kind": "Pod", "apiVersion": "v1",
            "metadata": {"namespace": namespace, "name": format!("{app}-{hash}-{place}"), "uid": format!("{namespace}-{app}-{place}"), "resourceVersion": "5", "labels": labels,
                "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": format!("{app}-{hash}"), "uid": format!("{app}-rs"), "controller": true}]},
            "spec": {"nodeName": node, "containers": [{"name": "main", "image": "x", "ports": ports}]},
            "status": {"phase": "Running", "podIP": ips[0]["ip"], "podIPs": ips,
                "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-03-02T10:00:00Z"}],
                "containerStatuses": [{"name": "main", "ready": true, "restartCount": 0, "state": {"running": {}}}]}}));
    }

    fn names(&self, kind: &str) -> Vec<String> {
        let of_kind = self.items.iter().filter(|item| item["kind"] == kind);
        of_kind
            .map(|item| item["metadata"]["name"].as_str().unwrap().to_owned())
            .collect()
    }

    pub(super) fn object(&mut self, kind: &str) -> &mut Value {
        let name = self.name;
        let mut items = self.items.iter_mut();
        items
            .find(|item| {
                item["kind"] == kind
                    && item["metadata"]["name"] == name
                    && item["metadata"]["namespace"] == NAMESPACE
            })
            .unwrap()
    }

    pub(super) fn spec(&mut self) -> &mut Value {
        &mut self.object("Service")["spec"]
    }

    /// The number of ports.
    pub(super) fn ports(&mut self) -> usize {
        list(&self.spec()["ports"]).len()
    }

    /// The pods of the Service.
    pub(super) fn pods(&mut self) -> Vec<&mut Value> {
        let name = self.name;
        let is_own = |item: &&mut Value| {
            item["kind"] == "Pod"
                && item["metadata"]["namespace"] == NAMESPACE
                && item["metadata"]["ownerReferences"][0]["name"] == format!("{name}-7d9f4b")
        };
        self.items.iter_mut().filter(is_own).collect()
    }

    /// One of them.
    pub(super) fn a_pod(&mut self) -> &mut Value {
        let number = self.pods().len();
        let place = self.dice.roll(number);
        self.pods().remove(place)
    }

    /// The live slices of the Service.
    pub(super) fn slices(&mut self) -> Vec<&mut Value> {
        let name = self.name;
        let is_own = |item: &&mut Value| {
            item["kind"] == "EndpointSlice"
                && item["metadata"]["namespace"] == NAMESPACE
                && item["metadata"]["labels"][SERVICE_NAME] == name
        };
        self.items.iter_mut().filter(is_own).collect()
    }

    /// All endpoints in them.
    pub(super) fn endpoints(&mut self) -> Vec<&mut Value> {
        self.slices()
            .into_iter()
            .flat_map(|slice| slice["endpoints"].as_array_mut().unwrap())
            .collect()
    }

    /// The endpoints that are a pod.
    pub(super) fn endpoints_of(&mut self, pod: &str) -> Vec<&mut Value> {
        let mut endpoints = self.endpoints();
        endpoints.retain(|endpoint| endpoint["targetRef"]["name"] == pod);
        endpoints
    }

    /// Removes endpoints from the live slices.
    pub(super) fn remove_endpoints(&mut self, is_it: impl Fn(&Value) -> bool) {
        for slice in self.slices() {
            slice["endpoints"]
                .as_array_mut()
                .unwrap()
                .retain(|endpoint| !is_it(endpoint));
        }
    }

    pub(super) fn remove_slices(&mut self) {
        let name = self.name;
        self.items.retain(|item| {
            item["kind"] != "EndpointSlice"
                || item["metadata"]["namespace"] != NAMESPACE
                || item["metadata"]["labels"][SERVICE_NAME] != name
        });
    }

    /// Removes the slices; another one in the namespace shows that the input has slices.
    pub(super) fn lose_slices(&mut self) {
        self.remove_slices();
        self.another_slice();
    }

    pub(super) fn another_slice(&mut self) {
        self.items.push(json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "addressType": "IPv4",
            "metadata": {"namespace": NAMESPACE, "name": "another-1", "uid": "another-1", "labels": {SERVICE_NAME: "another", MANAGED_BY: "staff"}}, "endpoints": [], "ports": []}));
    }

    /// A name of a pod.
    pub(super) fn pod_name(&mut self) -> String {
        self.a_pod()["metadata"]["name"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Lets the controllers write until nothing is left to do.
    pub(super) fn settle(&mut self) {
        settle(&mut self.items, &self.options);
    }

    pub(super) fn list(&self) -> String {
        json!({"kind": "List", "items": self.items}).to_string()
    }

    /// The answer about the Service.
    pub(super) fn explained(&self) -> Value {
        explained(&self.items, self.name, &self.options)
    }
}

/// The answer of `explain` about one Service.
pub(super) fn explained(items: &[Value], name: &str, options: &Value) -> Value {
    let ask = json!({"service": format!("{NAMESPACE}/{name}"), "options": options}).to_string();
    let items = json!({"kind": "List", "items": items}).to_string();
    let answer = api::explain(items.as_bytes(), ask.as_bytes())
        .unwrap_or_else(|error| panic!("{error}: {items}"));
    let mut answer: Value = serde_json::from_slice(&answer).unwrap();
    answer["services"][0].take()
}

/// Marks a pod as not ready, because of its probe.
pub(super) fn not_ready(pod: &mut Value) {
    pod["status"]["conditions"] = json!([{"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "containers with unready status: [main]", "lastTransitionTime": "2026-03-02T10:10:00Z"},
        {"type": "ContainersReady", "status": "False", "reason": "ContainersNotReady", "message": "containers with unready status: [main]"}]);
    pod["status"]["containerStatuses"][0]["ready"] = false.into();
}

/// Writes what both controllers plan, three times: `Auto` may move hints once more.
pub(super) fn settle(items: &mut Vec<Value>, options: &Value) {
    for _ in 0..3 {
        let text = json!({"kind": "List", "items": items}).to_string();
        let answers = [
            api::plan_snapshot(text.as_bytes(), options.to_string().as_bytes()),
            api::mirror_snapshot(text.as_bytes()),
        ];
        let mut is_changed = false;
        for answer in answers {
            let answer: Value =
                serde_json::from_slice(&answer.unwrap_or_else(|error| panic!("{error}: {text}")))
                    .unwrap();
            for plan in list(&answer["plans"]) {
                is_changed |= apply(items, plan);
            }
        }
        if !is_changed {
            return;
        }
    }
}

fn apply(items: &mut Vec<Value>, plan: &Value) -> bool {
    let is_slice = |item: &Value, name: &Value| {
        item["kind"] == "EndpointSlice" && item["metadata"]["name"] == *name
    };
    for slice in list(&plan["delete"]) {
        items.retain(|item| !is_slice(item, &slice["name"]));
    }
    for slice in list(&plan["update"]) {
        let item = items
            .iter_mut()
            .find(|item| is_slice(item, &slice["metadata"]["name"]))
            .unwrap();
        *item = slice.clone();
        item["kind"] = "EndpointSlice".into();
    }
    for slice in list(&plan["create"]) {
        let mut slice = slice.clone();
        let number = items
            .iter()
            .filter(|item| item["kind"] == "EndpointSlice")
            .count();
        let start = slice["metadata"]["generateName"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut names = (number..).map(|number| format!("{start}x{number}"));
        let name = names
            .find(|name| !items.iter().any(|item| is_slice(item, &json!(name))))
            .unwrap();
        slice["kind"] = "EndpointSlice".into();
        slice["apiVersion"] = "discovery.k8s.io/v1".into();
        slice["metadata"]["uid"] = name.clone().into();
        slice["metadata"]["resourceVersion"] = "11".into();
        slice["metadata"]["name"] = name.into();
        items.push(slice);
    }
    ["delete", "update", "create"]
        .iter()
        .any(|writes| !list(&plan[*writes]).is_empty())
}
