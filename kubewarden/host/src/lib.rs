//! The stack that Kubewarden's policy server runs policies on, around one policy: waPC by wasmtime, and a cluster behind the
//! host's Kubernetes capabilities.

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
    /// Compiles a module, and looks that it imports nothing but what the server offers.
    ///
    /// # Errors
    /// When it is no such module.
    pub fn compile(module: &[u8]) -> Result<Self> {
        let builder = WasmtimeEngineProviderBuilder::new().module_bytes(module);
        Ok(Self {
            compiled: builder.build_pre()?,
        })
    }

    /// Calls a function of the policy in an instance of its own, as the server does. The cluster is there for the call.
    ///
    /// # Errors
    /// When the policy traps, or answers with an error.
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

    /// What the policy says of a request under settings, both as JSON; either may be anything.
    ///
    /// # Errors
    /// As for [`Policy::call`], and if the answer is invalid.
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
    /// May the change be made?
    pub accepted: bool,
    /// For people.
    pub message: Option<String>,
    /// An HTTP status code.
    pub code: Option<u16>,
    /// Shown to the user.
    pub warnings: Option<Vec<String>>,
    /// For the audit log, in order here.
    pub audit_annotations: Option<std::collections::BTreeMap<String, String>>,
}

/// An AdmissionReview of which only the request is looked for.
#[derive(Deserialize)]
struct Review<'r> {
    #[serde(borrow)]
    request: &'r RawValue,
}

/// The request of an AdmissionReview, byte for byte.
///
/// # Errors
/// When there is none.
pub fn request_of(review: &str) -> Result<&str> {
    let review: Review<'_> = serde_json::from_str(review).context("this is no AdmissionReview")?;
    Ok(review.request.get())
}
