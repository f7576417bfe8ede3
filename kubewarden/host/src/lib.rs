//! The stack on which Kubewarden's policy server runs policies, for a single policy: waPC in wasmtime, and a cluster behind
//! the host's Kubernetes capabilities.

mod cluster;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wapc::WapcHost;
use wasmtime_provider::{WasmtimeEngineProviderBuilder, WasmtimeEngineProviderPre};

pub use cluster::{Cluster, Fault, Granted, Listing};

/// A compiled policy.
pub struct Policy {
    compiled: WasmtimeEngineProviderPre,
}

impl Policy {
    /// Compiles a module, and checks that it imports only what the server provides.
    ///
    /// # Errors
    /// If the module is not a policy.
    pub fn compile(module: &[u8]) -> Result<Self> {
        let builder = WasmtimeEngineProviderBuilder::new().module_bytes(module);
        Ok(Self {
            compiled: builder.build_pre()?,
        })
    }

    /// Calls a function of the policy in a new instance, as the server does. The cluster is available during the call.
    ///
    /// # Errors
    /// If the policy traps or returns an error.
    pub fn call(&self, function: &str, payload: &[u8], cluster: &Arc<Cluster>) -> Result<Vec<u8>> {
        let cluster = Arc::clone(cluster);
        let engine = Box::new(self.compiled.rehydrate(None)?);
        let answers =
            move |_: u64, binding: &str, namespace: &str, operation: &str, payload: &[u8]| {
                cluster
                    .answer(binding, namespace, operation, payload)
                    .map_err(Into::into)
            };
        let host = WapcHost::new(engine, Some(Box::new(answers)))?;
        Ok(host.call(function, payload)?)
    }

    /// The policy's answer to a request under these settings, both as JSON; neither need be valid.
    ///
    /// # Errors
    /// As for [`Policy::call`], or if the answer is invalid.
    pub fn validate(
        &self,
        request: &[u8],
        settings: &[u8],
        cluster: &Arc<Cluster>,
    ) -> Result<Answer> {
        let payload = [
            br#"{"request":"#,
            request,
            br#","settings":"#,
            settings,
            b"}",
        ]
        .concat();
        let answer = self.call("validate", &payload, cluster)?;
        serde_json::from_slice(&answer).context("the policy's answer is invalid")
    }
}

/// The answer of a policy to `validate`, as the server reads it.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Whether the change is allowed.
    pub accepted: bool,
    /// The message for users.
    pub message: Option<String>,
    /// An HTTP status code.
    pub code: Option<u16>,
    /// Warnings shown to the user.
    pub warnings: Option<Vec<String>>,
    /// Annotations for the audit log; sorted here.
    pub audit_annotations: Option<std::collections::BTreeMap<String, String>>,
}

/// An AdmissionReview, of which only the request is read.
#[derive(Deserialize)]
struct Review<'r> {
    #[serde(borrow)]
    request: &'r RawValue,
}

/// The request of an AdmissionReview, byte for byte.
///
/// # Errors
/// If there is none.
pub fn request_of(review: &str) -> Result<&str> {
    let review: Review<'_> = serde_json::from_str(review).context("this is no AdmissionReview")?;
    Ok(review.request.get())
}
