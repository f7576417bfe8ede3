//! What the API server fills in before it asks for admission (reference: `pkg/apis/core/v1/defaults.go` and
//! `pkg/registry/core/service/storage`), so that a rule finds the same fields in a manifest as in the cluster.

use serde_json::{Map, Value, json};

type Fields = Map<String, Value>;

/// Stands for the port that the API server takes from its range, which begins here by default.
const NODE_PORT: u16 = 30_000;

fn fields<'v>(object: &'v mut Value, field: &str) -> Option<&'v mut Fields> {
    object.get_mut(field)?.as_object_mut()
}

fn items(list: Option<&mut Value>) -> impl Iterator<Item = &mut Fields> {
    let list = list.and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// `null` is the same as nothing.
fn set(fields: &mut Fields, field: &str, value: impl Into<Value>) {
    let place = fields.entry(field).or_insert(Value::Null);
    if place.is_null() {
        *place = value.into();
    }
}

pub(super) fn of_slice(object: &mut Value) {
    // These two are written even if they are empty.
    for list in ["endpoints", "ports"] {
        if let Some(object) = object.as_object_mut() {
            object.entry(list).or_insert(Value::Null);
        }
    }
    for port in items(object.get_mut("ports")) {
        set(port, "name", "");
        set(port, "protocol", "TCP");
    }
}

pub(super) fn of_endpoints(object: &mut Value) {
    for subset in items(object.get_mut("subsets")) {
        items(subset.get_mut("ports")).for_each(|port| set(port, "protocol", "TCP"));
    }
}

/// Addresses, families and node ports are allocated once; an update that leaves them out keeps them.
pub(super) fn of_service(object: &mut Value, old: Option<&Value>) {
    let Some(spec) = fields(object, "spec") else {
        return;
    };
    let given: Option<&Fields> = old.and_then(|old| old.get("spec")?.as_object());
    set(spec, "type", "ClusterIP");
    set(spec, "sessionAffinity", "None");
    if is(spec, "sessionAffinity", "ClientIP") {
        let config = json!({"clientIP": {"timeoutSeconds": 10_800}});
        set(spec, "sessionAffinityConfig", config);
    }
    let is_balanced = is(spec, "type", "LoadBalancer");
    let is_external = is_balanced || is(spec, "type", "NodePort");
    if is_balanced {
        set(spec, "allocateLoadBalancerNodePorts", true);
    }
    if is_external {
        set(spec, "externalTrafficPolicy", "Cluster");
    }
    if !is(spec, "type", "ExternalName") {
        set(spec, "internalTrafficPolicy", "Cluster");
        addresses(spec, given);
    }
    let has_node_ports =
        is_external && spec.get("allocateLoadBalancerNodePorts") != Some(&false.into());
    for port in items(spec.get_mut("ports")) {
        set(port, "protocol", "TCP");
        if let Some(number) = port.get("port").cloned() {
            set(port, "targetPort", number);
        }
        if has_node_ports {
            let node_port = given.and_then(|given| node_port_of(given, port));
            set(
                port,
                "nodePort",
                node_port.unwrap_or_else(|| NODE_PORT.into()),
            );
        }
    }
    if let Some(object) = object.as_object_mut() {
        set(object, "status", json!({"loadBalancer": {}}));
    }
}

fn addresses(spec: &mut Fields, given: Option<&Fields>) {
    for field in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
        if let Some(value) = given.and_then(|given| given.get(field)) {
            set(spec, field, value.clone());
        }
    }
    let families = spec.get("ipFamilies").and_then(Value::as_array);
    let policy = match families.is_some_and(|families| families.len() > 1) {
        true => "RequireDualStack",
        false => "SingleStack",
    };
    set(spec, "ipFamilyPolicy", policy);
    // The API server would allocate some address of the cluster's family on creation.
    if given.is_none() {
        set(spec, "clusterIP", "given on creation");
    }
}

fn is(spec: &Fields, field: &str, value: &str) -> bool {
    spec.get(field).is_some_and(|given| given == value)
}

/// The port on nodes that a port of the Service had before.
fn node_port_of(given: &Fields, port: &Fields) -> Option<Value> {
    let known = given.get("ports")?.as_array()?.iter();
    let mut same = known.filter(|known| {
        let is_same = |field: &&str| known.get(field) == port.get(*field);
        ["port", "protocol"].iter().all(is_same)
    });
    same.next()?.get("nodePort").cloned()
}

/// The groups that the API server adds to those that a user's credentials name.
pub(super) fn groups(user: &str) -> Vec<String> {
    let account = user.strip_prefix("system:serviceaccount:");
    let namespace = account.and_then(|account| account.split_once(':'));
    let of_account = namespace.into_iter().flat_map(|(namespace, _)| {
        [
            "system:serviceaccounts".into(),
            format!("system:serviceaccounts:{namespace}"),
        ]
    });
    of_account.chain(["system:authenticated".into()]).collect()
}

/// The resource of a kind that is judged.
pub(super) fn resource(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "Service" => "services",
        "EndpointSlice" => "endpointslices",
        "Endpoints" => "endpoints",
        "Node" => "nodes",
        "Deployment" => "deployments",
        "StatefulSet" => "statefulsets",
        "DaemonSet" => "daemonsets",
        "ReplicaSet" => "replicasets",
        "Pod" => "pods",
        _ => return None,
    })
}
