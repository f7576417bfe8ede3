//! Refused writes, and the error messages of an API server.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::Serialize;
use slicewise::kubernetes::KubernetesVersion;

use super::ApiServer;

/// Why a write is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever names refusals names all of them"
)]
pub enum Refusal {
    /// The object has a different version or uid than the write expects.
    Conflict,
    /// An object with that name already exists.
    AlreadyExists,
    /// There is no object with that name.
    NotFound,
    /// The namespace is being deleted, so nothing can be created in it.
    NamespaceTerminating,
    /// An immutable field has changed.
    Invalid,
    /// The server failed.
    ServerError,
}

impl ApiServer {
    /// The version of Kubernetes that the writing controller is of: it decides what a delete that finds nothing is.
    pub fn set_kubernetes(&mut self, version: KubernetesVersion) {
        self.kubernetes = version;
    }

    /// Refuses another write, whatever it is, after those that will already be refused.
    pub fn refuse(&mut self, refusal: Refusal) {
        self.refusals.push_back(refusal);
    }

    /// Clears the pending refusals.
    #[doc(hidden)]
    pub fn refuse_nothing(&mut self) {
        self.refusals.clear();
    }
}

/// A refused write; `Display` is the server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever stands before the server refuses as it does"
)]
pub struct ApiError {
    /// Why.
    pub refusal: Refusal,
    /// Namespace of the slice.
    pub namespace: String,
    /// Name of the slice, or its prefix for a create.
    pub name: String,
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            refusal,
            namespace,
            name,
        } = self;
        let slice = format!("endpointslices.discovery.k8s.io \"{name}\"");
        match refusal {
            Refusal::Conflict => write!(
                formatter,
                "Operation cannot be fulfilled on {slice}: the object has been modified; please apply your changes to the latest version and try again"
            ),
            Refusal::AlreadyExists => write!(formatter, "{slice} already exists"),
            Refusal::NotFound => write!(formatter, "{slice} not found"),
            Refusal::NamespaceTerminating => write!(
                formatter,
                "{slice} is forbidden: unable to create new content in namespace {namespace} because it is being terminated"
            ),
            Refusal::Invalid => write!(
                formatter,
                "EndpointSlice.discovery.k8s.io \"{name}\" is invalid: addressType: field is immutable"
            ),
            Refusal::ServerError => formatter.write_str(
                "Internal error occurred: the server was unable to complete the request",
            ),
        }
    }
}
