//! Watch events as values and as text.

use serde_json::Value;

use crate::model::NamespacedName;

pub(super) const NAMESPACES: [&str; 2] = ["shop", "bank"];
pub(super) const SERVICES: [&str; 3] = ["cart", "web", "headless"];
pub(super) const KINDS: [&str; 4] = ["Service", "Pod", "Node", "EndpointSlice"];

/// Kind, namespace, name.
pub(super) type Key = (&'static str, String, String);

pub(super) fn key_of(kind: &'static str, object: &Value) -> Key {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
    (kind, text("namespace").into(), text("name").into())
}

pub(super) fn version_of(object: &Value) -> Option<u64> {
    object["metadata"]["resourceVersion"].as_str()?.parse().ok()
}

pub(super) fn kind_of(object: &Value) -> &'static str {
    let kind = object["kind"].as_str().unwrap();
    KINDS.into_iter().find(|known| *known == kind).unwrap()
}

/// Events that a session only acknowledges.
pub(super) const MEANINGLESS: [&str; 4] = [
    r#"{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"}}}"#,
    r#"{"type":"BOOKMARK","object":{"kind":"Node","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}"#,
    r#"{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"}}}"#,
    r#"{"type":"DELETED","object":{"kind":"Pod","metadata":{"namespace":"shop","name":"nobody"}}}"#,
];

pub(super) fn named(namespace: &str, name: &str) -> NamespacedName {
    NamespacedName {
        namespace: namespace.into(),
        name: name.into(),
    }
}

/// An event as API servers send it, beginning with its type and its object's kind; or in any other JSON layout.
pub(super) fn text(event: &Value, is_sorted: bool) -> String {
    if is_sorted {
        return event.to_string();
    }
    let mut object = event["object"].as_object().unwrap().clone();
    let kind = object.remove("kind").unwrap();
    object.remove("apiVersion");
    let version = match kind.as_str() {
        Some("EndpointSlice") => "discovery.k8s.io/v1",
        _ => "v1",
    };
    let rest = Value::Object(object).to_string();
    let rest = rest.trim_start_matches('{');
    format!(
        r#"{{"type":{},"object":{{"kind":{kind},"apiVersion":"{version}",{rest}}}"#,
        event["type"]
    )
}
