//! Doors for what has no pods: Endpoints that are mirrored, and the API servers' own Service.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::super::thrown;
use crate::api;

/// `MirrorRequest` in, `MirrorPlan` out.
///
/// # Errors
/// When the request cannot be read; see [`Error`](crate::Error).
#[wasm_bindgen]
pub fn mirror(request: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::mirror(request).map_err(thrown)
}

/// Endpoints, Services and slices of a cluster in, the plans of all Endpoints out.
///
/// # Errors
/// When the snapshot cannot be read.
#[wasm_bindgen(js_name = mirrorSnapshot)]
pub fn mirror_snapshot(snapshot: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::mirror_snapshot(snapshot).map_err(thrown)
}

/// `KubernetesServiceRequest` in, `KubernetesServicePlan` out.
///
/// # Errors
/// When the request cannot be read.
#[wasm_bindgen(js_name = kubernetesService)]
pub fn kubernetes_service(request: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::kubernetes_service(request).map_err(thrown)
}
