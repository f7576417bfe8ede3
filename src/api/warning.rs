//! What a person should know about an input.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

/// A warning about an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Warning {
    /// A stable code.
    pub code: WarningCode,
    /// The warning as a sentence.
    pub message: String,
    /// The affected namespaces; left out if all are affected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
    /// Whether writes would depend on what is missing; they are then not printed as commands. Left out if false.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub blocks_writes: bool,
}

impl Warning {
    /// A warning about the whole input that blocks no writes.
    #[doc(hidden)]
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            namespaces: Vec::new(),
            blocks_writes: false,
        }
    }

    pub(super) const fn blocking(mut self, blocks: bool) -> Self {
        self.blocks_writes = blocks;
        self
    }
}

/// The kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum WarningCode {
    /// A list is incomplete: it was fetched in pages, and this is not the last one.
    CutList,
    /// The objects include an API server's response that something could not be read.
    Status,
    /// There are no Nodes, but pods on unknown nodes are left out, and traffic originates from nodes.
    NoNodes,
    /// There are Services with selectors and slices with endpoints, but no pods: all endpoints would be removed.
    NoPods,
    /// There are no Services.
    NoServices,
    /// There are no slices.
    NoSlices,
    /// There are mirrored slices, but no Endpoints: all endpoints would be removed.
    NoEndpoints,
    /// There are workloads, but not their pods, which plans depend on.
    OnlyWorkloads,
    /// An optional list could not be read.
    LeftOut,
    /// An object is there in different versions, of which the newest counts.
    SeveralVersions,
}
