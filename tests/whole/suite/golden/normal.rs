//! The normal form of a plan, as `pkg-tests/differential/README.md` describes it.
//!
//! The reference chooses randomly among equals; the form drops those choices and keeps everything else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::slice::{
    describe, has_endpoints, identity, is_owned, known_endpoint, list, name_of, ports_text, text,
};

const SERVICE_NAME: &str = "kubernetes.io/service-name";
const MANAGED_BY: &str = "endpointslice.kubernetes.io/managed-by";
const TOPOLOGY_MODE: &str = "service.kubernetes.io/topology-mode";
const TOPOLOGY_HINTS: &str = "service.kubernetes.io/topology-aware-hints";
const CONTROLLER: &str = "endpointslice-controller.k8s.io";

/// Converts a plan to normal form. Fails if it mentions a slice that does not belong to the Service.
pub(super) fn normalise(request: &Value, plan: &Value) -> Result<Value, String> {
    let mut normaliser = Normaliser::new(request, plan);
    for slice in list(&plan["create"]) {
        normaliser.add("create", slice, None);
    }
    for slice in list(&plan["update"]) {
        let before = normaliser.original(name_of(slice))?;
        normaliser.add("update", slice, Some(before));
    }
    for reference in list(&plan["delete"]) {
        let before = normaliser.original(text(&reference["name"]))?;
        normaliser.remove(before);
    }
    for name in list(&plan["unchanged"]) {
        let before = normaliser.original(text(name))?;
        normaliser.add("unchanged", before, Some(before));
    }
    Ok(normaliser.finish(plan))
}

/// Sorts the lists whose order has no meaning, so that forms can be compared.
pub(super) fn sort(form: &mut Value) {
    let Some(types) = form["types"].as_object_mut() else {
        return;
    };
    for part in types.values_mut() {
        for group in part["groups"].as_array_mut().into_iter().flatten() {
            for unordered in ["slices", "endpoints"] {
                let items = group[unordered].as_array_mut();
                items
                    .into_iter()
                    .for_each(|items| items.sort_by_key(Value::to_string));
            }
        }
    }
}

struct Normaliser<'a> {
    service: &'a Value,
    /// The slices that the controller considers, by name.
    considered: BTreeMap<&'a str, &'a Value>,
    /// The number of owned slices of a family and ports that had an endpoint.
    homes: BTreeMap<Home, usize>,
    /// Zone hints were chosen by topology mode `Auto`.
    auto: bool,
    /// Creates were left out, and with them some random endpoints.
    lossy: bool,
    types: BTreeMap<&'a str, Part<'a>>,
}

/// Family, ports and identity of an endpoint.
type Home = (String, String, String);

#[derive(Default)]
struct Part<'a> {
    create: usize,
    update: usize,
    delete: usize,
    foreign: BTreeSet<&'a str>,
    emptied: BTreeSet<&'a str>,
    groups: BTreeMap<String, Group<'a>>,
    hints: Option<[BTreeMap<String, usize>; 3]>,
}

#[derive(Default)]
struct Group<'a> {
    slices: Vec<Value>,
    endpoints: Vec<Value>,
    stay: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Normaliser<'a> {
    fn new(request: &'a Value, plan: &'a Value) -> Self {
        let service = &request["service"];
        let metadata = &service["metadata"];
        let options = &request["options"];
        let asks_for_auto = || {
            let annotations = &metadata["annotations"];
            let mode = annotations.get(TOPOLOGY_HINTS);
            let mode = mode.unwrap_or_else(|| &annotations[TOPOLOGY_MODE]);
            mode == "Auto" || mode == "auto"
        };
        let considered = considered(request);
        Self {
            service,
            homes: homes(service, considered.values().copied()),
            considered,
            auto: options["topologyHints"] != false && asks_for_auto(),
            lossy: !metadata["deletionTimestamp"].is_null() && plan["stats"]["added"] != 0,
            types: BTreeMap::new(),
        }
    }

    fn original(&self, name: &str) -> Result<&'a Value, String> {
        let found = self.considered.get(name).copied();
        found.ok_or_else(|| format!("`{name}` is no slice of the Service"))
    }

    fn part(&mut self, slice: &'a Value) -> &mut Part<'a> {
        self.types.entry(text(&slice["addressType"])).or_default()
    }

    /// Records a slice that exists after the plan.
    fn add(&mut self, op: &'static str, slice: &'a Value, before: Option<&'a Value>) {
        let ports = ports_text(slice);
        let endpoints = list(&slice["endpoints"]);
        let kept = before.map_or_else(Vec::new, |before| self.kept(&ports, slice, before));
        let homes = &self.homes;
        let home = |id: &String| {
            (
                text(&slice["addressType"]).to_owned(),
                ports.clone(),
                id.clone(),
            )
        };
        let mut stay: Vec<_> = kept
            .iter()
            .map(|index| identity(&endpoints[*index]))
            .filter(|id| homes.get(&home(id)) == Some(&1))
            .collect();
        stay.sort();
        let mut shown = Vec::new();
        for (index, endpoint) in endpoints.iter().enumerate() {
            if !self.lossy || kept.contains(&index) {
                shown.push(self.endpoint(slice, endpoint));
            }
        }
        let part = self.part(slice);
        match op {
            "create" => part.create += 1,
            "update" => part.update += 1,
            _ => {}
        }
        if op == "update" && kept.is_empty() && before.is_some_and(has_endpoints) {
            part.emptied.insert(name_of(slice));
        }
        let group = part.groups.entry(ports).or_default();
        group.slices.push(describe(op, slice, kept.len()));
        group.endpoints.extend(shown);
        if !stay.is_empty() {
            group.stay.insert(name_of(slice), stay);
        }
    }

    /// The positions of endpoints in a slice that were in it before.
    fn kept(&self, ports: &str, slice: &Value, before: &Value) -> Vec<usize> {
        if ports_text(before) != ports || !is_owned(before, self.service) {
            return Vec::new();
        }
        let there: BTreeSet<_> = list(&before["endpoints"]).iter().map(identity).collect();
        let now = list(&slice["endpoints"]).iter().enumerate();
        now.filter(|(_, endpoint)| there.contains(&identity(endpoint)))
            .map(|(index, _)| index)
            .collect()
    }

    fn remove(&mut self, before: &'a Value) {
        let owned = is_owned(before, self.service);
        let part = self.part(before);
        part.delete += 1;
        if !owned {
            part.foreign.insert(name_of(before));
        } else if has_endpoints(before) {
            part.emptied.insert(name_of(before));
        }
    }

    /// The whole endpoint, except zone hints of `Auto`, which are counted instead.
    fn endpoint(&mut self, slice: &'a Value, endpoint: &Value) -> Value {
        let mut endpoint = known_endpoint(endpoint);
        let hinted: Vec<_> = list(&endpoint["hints"]["forZones"])
            .iter()
            .map(|zone| text(&zone["name"]).to_owned())
            .collect();
        let is_ready = endpoint["conditions"]["ready"] == true;
        if self.auto && is_ready && !hinted.is_empty() {
            if !self.lossy {
                let own = text(&endpoint["zone"]).to_owned();
                self.part(slice).count(own, hinted.join("+"));
            }
            if let Some(hints) = endpoint["hints"].as_object_mut() {
                hints.remove("forZones");
            }
        }
        endpoint
    }

    fn finish(self, plan: &Value) -> Value {
        let errors: BTreeSet<_> = list(&plan["errors"])
            .iter()
            .map(|error| format!("{} {}", text(&error["code"]), text(&error["pod"])))
            .collect();
        let mut events = list(&plan["events"]).to_vec();
        let order = |event: &Value| {
            ["message", "reason", "type"].map(|field| text(&event[field]).to_owned())
        };
        events.sort_by_key(order);
        let types: Map<_, _> = self
            .types
            .into_iter()
            .map(|(family, part)| (family.to_owned(), part.finish()))
            .collect();
        let mut form = json!({
            "types": types, "events": events, "errors": errors, "requeue": plan["requeue"], "stats": plan["stats"],
        });
        sort(&mut form);
        form
    }
}

impl Part<'_> {
    /// Counts the hint of an endpoint in the zone `own`.
    fn count(&mut self, own: String, hinted: String) {
        let [owns, given, received] = self.hints.get_or_insert_default();
        if hinted == own {
            *owns.entry(own).or_default() += 1;
        } else {
            *given.entry(own).or_default() += 1;
            *received.entry(hinted).or_default() += 1;
        }
    }

    fn finish(self) -> Value {
        let group = |(ports, group): (String, Group<'_>)| {
            let Group {
                slices,
                endpoints,
                stay,
            } = group;
            let mut form = json!({"ports": ports, "slices": slices, "endpoints": endpoints});
            if !stay.is_empty() {
                form["stay"] = json!(stay);
            }
            form
        };
        let groups: Vec<_> = self.groups.into_iter().map(group).collect();
        let mut form = json!({
            "create": self.create, "update": self.update, "delete": self.delete,
            "foreign": self.foreign, "emptied": self.emptied, "groups": groups,
        });
        if let Some([own, given, received]) = self.hints {
            form["hints"] = json!({"own": own, "given": given, "received": received});
        }
        form
    }
}

fn considered(request: &Value) -> BTreeMap<&str, &Value> {
    let service = &request["service"];
    let spec = &service["spec"];
    if spec["selector"].is_null() || spec["type"] == "ExternalName" {
        return BTreeMap::new();
    }
    let manager = request["options"]["managedBy"]
        .as_str()
        .unwrap_or(CONTROLLER);
    let is_considered = |slice: &&Value| {
        let metadata = &slice["metadata"];
        text(&metadata["namespace"]) == text(&service["metadata"]["namespace"])
            && metadata["deletionTimestamp"].is_null()
            && metadata["labels"][SERVICE_NAME] == name_of(service)
            && metadata["labels"][MANAGED_BY] == manager
    };
    let slices = list(&request["slices"]).iter().filter(is_considered);
    slices.map(|slice| (name_of(slice), slice)).collect()
}

fn homes<'a>(service: &Value, slices: impl Iterator<Item = &'a Value>) -> BTreeMap<Home, usize> {
    let mut homes = BTreeMap::new();
    for slice in slices.filter(|slice| is_owned(slice, service)) {
        let (family, ports) = (text(&slice["addressType"]), ports_text(slice));
        let there: BTreeSet<_> = list(&slice["endpoints"]).iter().map(identity).collect();
        for id in there {
            let home = (family.to_owned(), ports.clone(), id);
            *homes.entry(home).or_default() += 1;
        }
    }
    homes
}
