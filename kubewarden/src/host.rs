//! What a host provides about the cluster: lists, through its Kubernetes capabilities.

use std::fmt::Display;

use serde::Serialize;
use slicewise::model::kind::Kind;
use slicewise_admission::{Wanted, WantedObjectsOfKind};

/// Calls the host with binding, namespace, operation and payload.
pub type HostCall<'h> = dyn FnMut(&str, &str, &str, &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>>
    + 'h;

/// The payload of both operations; without a namespace it lists the whole cluster.
#[derive(Serialize)]
struct ListRequest<'w> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'w str>,
    label_selector: Option<&'static str>,
    field_selector: Option<&'static str>,
    /// The fields that are read. A host that supports this keeps no others; one that does not returns all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    field_masks: Vec<String>,
}

/// Finished pods are not endpoints, so they do not affect hints, the only reason for listing all pods of a cluster.
const UNFINISHED: &str = "status.phase!=Succeeded,status.phase!=Failed";

/// The payload of the operation that gets one object.
#[derive(Serialize)]
struct GetRequest<'w> {
    api_version: &'static str,
    kind: &'static str,
    name: &'w str,
    namespace: Option<&'static str>,
    disable_cache: bool,
}

/// What a policy wants to know, as the host has it.
pub(crate) fn supply(wanted: Wanted<'_>, host: &mut HostCall<'_>) -> Result<Vec<u8>, String> {
    match wanted {
        Wanted::All(wanted) => list(wanted, host),
        Wanted::Namespace(name) => {
            let request = GetRequest {
                api_version: "v1",
                kind: "Namespace",
                name,
                namespace: None,
                disable_cache: false,
            };
            let payload = serde_json::to_vec(&request).map_err(told)?;
            host("kubewarden", "kubernetes", "get_resource", &payload).map_err(told)
        }
    }
}

/// All required objects, as the host lists them.
fn list(wanted: WantedObjectsOfKind<'_>, host: &mut HostCall<'_>) -> Result<Vec<u8>, String> {
    let is_of_cluster = wanted.kind == Kind::Pod && wanted.namespace.is_none();
    let request = ListRequest {
        api_version: match wanted.kind {
            Kind::EndpointSlice => "discovery.k8s.io/v1",
            Kind::Service | Kind::Pod | Kind::Node => "v1",
        },
        kind: wanted.kind.as_str(),
        namespace: wanted.namespace,
        label_selector: None,
        field_selector: is_of_cluster.then_some(UNFINISHED),
        field_masks: wanted.fields(),
    };
    let operation = match wanted.namespace {
        Some(_) => "list_resources_by_namespace",
        None => "list_resources_all",
    };
    let payload = serde_json::to_vec(&request).map_err(told)?;
    host("kubewarden", "kubernetes", operation, &payload).map_err(told)
}

fn told(error: impl Display) -> String {
    error.to_string()
}
