//! The parts of a slice and its endpoints in the normal form.

use serde_json::{Value, json};

const TRIGGER_TIME: &str = "endpoints.kubernetes.io/last-change-trigger-time";

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn name_of(object: &Value) -> &str {
    text(&object["metadata"]["name"])
}

pub(super) fn has_endpoints(slice: &Value) -> bool {
    !list(&slice["endpoints"]).is_empty()
}

pub(super) fn is_owned(slice: &Value, service: &Value) -> bool {
    list(&slice["metadata"]["ownerReferences"])
        .iter()
        .any(|owner| {
            owner["apiVersion"] == "v1"
                && owner["kind"] == "Service"
                && text(&owner["uid"]) == text(&service["metadata"]["uid"])
        })
}

/// `name/protocol/port/appProtocol` of each port, sorted; `-` is a missing field.
pub(super) fn ports_text(slice: &Value) -> String {
    let field = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let one = |port: &Value| {
        ["name", "protocol", "port", "appProtocol"]
            .map(|name| field(&port[name]))
            .join("/")
    };
    let mut ports: Vec<_> = list(&slice["ports"]).iter().map(one).collect();
    ports.sort();
    ports.join(",")
}

fn sorted_addresses(endpoint: &Value) -> Vec<&str> {
    let mut addresses: Vec<_> = list(&endpoint["addresses"]).iter().map(text).collect();
    addresses.sort_unstable();
    addresses
}

/// What identifies an endpoint: addresses, hostname and the name of the target.
pub(super) fn identity(endpoint: &Value) -> String {
    let target = &endpoint["targetRef"];
    let target = match target {
        Value::Null => String::new(),
        _ => format!("{}/{}", text(&target["namespace"]), text(&target["name"])),
    };
    let addresses = sorted_addresses(endpoint).join(",");
    format!("{addresses}|{}|{target}", text(&endpoint["hostname"]))
}

/// A slice without its name and endpoints.
pub(super) fn describe(op: &str, slice: &Value, kept: usize) -> Value {
    let metadata = &slice["metadata"];
    let or_empty = |value: &Value, empty: Value| {
        if value.is_null() {
            empty
        } else {
            value.clone()
        }
    };
    let mut form = json!({
        "op": op, "size": list(&slice["endpoints"]).len(), "kept": kept,
        "labels": or_empty(&metadata["labels"], json!({})),
        "owners": or_empty(&metadata["ownerReferences"], Value::Null),
    });
    if op == "create" && metadata["generateName"] != "" {
        form["generateName"] = metadata["generateName"].clone();
    }
    if let Some(time) = metadata["annotations"][TRIGGER_TIME].as_str() {
        form["triggerTime"] = time.into();
    }
    form
}

/// The fields of an endpoint that the reference knows, in its format.
pub(super) fn known_endpoint(endpoint: &Value) -> Value {
    const TARGET: [&str; 7] = [
        "kind",
        "namespace",
        "name",
        "uid",
        "apiVersion",
        "resourceVersion",
        "fieldPath",
    ];
    let mut known = json!({
        "addresses": sorted_addresses(endpoint),
        "conditions": pick(&endpoint["conditions"], &["ready", "serving", "terminating"]),
    });
    for field in ["hostname", "deprecatedTopology", "nodeName", "zone"] {
        if !endpoint[field].is_null() {
            known[field] = endpoint[field].clone();
        }
    }
    if !endpoint["targetRef"].is_null() {
        known["targetRef"] = pick(&endpoint["targetRef"], &TARGET);
    }
    if !endpoint["hints"].is_null() {
        known["hints"] = pick(&endpoint["hints"], &["forZones", "forNodes"]);
    }
    known
}

/// Some fields of an object, without those that Go omits: `null`, and empty texts and lists.
fn pick(object: &Value, fields: &[&str]) -> Value {
    let is_there = |value: &Value| !value.is_null() && *value != "" && *value != json!([]);
    let picked = fields.iter().filter(|field| is_there(&object[**field]));
    let picked = picked.map(|field| ((*field).to_owned(), object[*field].clone()));
    Value::Object(picked.collect())
}
