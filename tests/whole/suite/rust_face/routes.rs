//! The two routes from a plan request to a plan: as JSON, and through `k8s_openapi` objects.

use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::api::discovery::v1::{Endpoint, EndpointPort, EndpointSlice};
use serde::Deserialize;
use serde_json::Value;

use crate::Error;
use crate::k8s::{ExtraEndpoint, NodeIndex, Options, Plan, Planner, State, Timestamp, read_nodes};

/// A plan request, parsed by `k8s_openapi`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    service: Service,
    #[serde(default)]
    pods: Option<Vec<Pod>>,
    #[serde(default)]
    nodes: Option<Vec<Node>>,
    #[serde(default)]
    slices: Option<Vec<EndpointSlice>>,
    #[serde(default)]
    endpoints: Option<Vec<Value>>,
    #[serde(default)]
    trigger_time: Option<String>,
    #[serde(default)]
    state: Option<State>,
    #[serde(default)]
    options: Option<Value>,
}

impl Request {
    /// The plan from a view and an index of the nodes, as a controller makes it.
    pub(super) fn plan(&self) -> Result<Plan, Error> {
        let options = self.options.as_ref().map(Value::to_string);
        let options = options
            .as_deref()
            .map_or_else(Options::default, |text| serde_json::from_str(text).unwrap());
        let planner = Planner::new(options)?;
        let extras: Vec<_> = self.endpoints.iter().flatten().map(extra).collect();
        let extras = extras.iter().map(|(endpoint, ports)| {
            let mut made = ExtraEndpoint::new(endpoint);
            made.ports = ports.as_deref();
            made
        });
        let slices = self.slices.iter().flatten();
        let view = planner.read(&self.service, self.pods.iter().flatten(), slices.clone())?;
        let view = match &self.endpoints {
            Some(_) => view.with_endpoints(extras)?,
            None => view,
        };
        let nodes = read_nodes(self.nodes.iter().flatten())?;
        let state = self.state.clone().unwrap_or_default();
        let trigger_time = self.trigger_time.as_deref();
        let trigger_time = trigger_time.map(|text| Timestamp::parse(text).unwrap());
        let plan = view.plan(&NodeIndex::new(&nodes), trigger_time, state.clone());
        if self.endpoints.is_none() {
            let (pods, nodes) = (self.pods.iter().flatten(), self.nodes.iter().flatten());
            let at_once = planner.plan(&self.service, pods, nodes, slices, trigger_time, state)?;
            assert_eq!(at_once, plan, "the two ways to plan differ");
        }
        Ok(plan)
    }
}

fn extra(endpoint: &Value) -> (Endpoint, Option<Vec<EndpointPort>>) {
    (
        serde_json::from_value(endpoint.clone()).unwrap(),
        serde_json::from_value(endpoint["ports"].clone()).unwrap(),
    )
}

/// The plan through `k8s_openapi`, as an object and as JSON.
pub(super) fn typed(request: &str) -> Result<(Plan, Value), Error> {
    let request: Request =
        serde_json::from_str(request).expect("k8s_openapi cannot read the request");
    let plan = request.plan()?;
    let json = serde_json::to_string(&plan).unwrap();
    Ok((plan, serde_json::from_str(&json).unwrap()))
}

/// The plan through JSON, without fields that `k8s_openapi` does not know.
pub(super) fn json(request: &str) -> Result<Value, Error> {
    let bytes = crate::api::plan(request.as_bytes())?;
    Ok(known_plan(&serde_json::from_slice(&bytes).unwrap()))
}

/// The plan with its slices as `k8s_openapi` reads and writes them.
pub(super) fn known_plan(plan: &Value) -> Value {
    let mut plan = plan.clone();
    for list in ["create", "update"] {
        for slice in plan[list].as_array_mut().unwrap() {
            *slice = known(slice);
        }
    }
    plan
}

/// The plans of all Services of a List, through `k8s_openapi`.
pub(super) fn all_at_once(list: &Value, options: &str) -> Vec<Value> {
    fn of_kind<T: serde::de::DeserializeOwned>(list: &Value, kind: &str) -> Vec<T> {
        let items = list["items"].as_array().unwrap().iter();
        let items = items.filter(|item| item["kind"] == kind).cloned();
        items
            .map(|item| serde_json::from_value(item).unwrap())
            .collect()
    }
    let planner = Planner::new(serde_json::from_str(options).unwrap()).unwrap();
    let (services, pods) = (
        of_kind::<Service>(list, "Service"),
        of_kind::<Pod>(list, "Pod"),
    );
    let (nodes, slices) = (
        of_kind::<Node>(list, "Node"),
        of_kind::<EndpointSlice>(list, "EndpointSlice"),
    );
    let plans = planner.plan_all(&services, &pods, &nodes, &slices).unwrap();
    // Through text, like the other route: numbers are then parsed by the same rules.
    let value = |plan: &Plan| serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
    plans.iter().map(value).collect()
}

/// The slice as `k8s_openapi` reads and writes it.
pub(super) fn known(slice: &Value) -> Value {
    let slice: EndpointSlice = serde_json::from_value(slice.clone()).unwrap();
    serde_json::to_value(slice).unwrap()
}

/// Both routes give the same plan, which is returned.
#[track_caller]
pub(super) fn check(name: &str, request: &Value) -> (Plan, Value) {
    let text = request.to_string();
    let (plan, by_types) = typed(&text).unwrap();
    let by_json = json(&text).unwrap();
    assert_eq!(by_types, by_json, "{name}: the routes differ on {text}");
    (plan, by_json)
}
