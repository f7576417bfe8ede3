//! What a person should know about an input.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

/// What a person should know about an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Warning {
    /// A stable code.
    pub code: WarningCode,
    /// The sentence.
    pub message: String,
    /// The namespaces it is about; left out if it is about all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
    /// Would writes rest on what is missing? They are not printed as commands then. Left out if not.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub blocks_writes: bool,
}

impl Warning {
    /// A warning about the whole input that blocks no writes.
    pub(super) fn new(code: WarningCode, message: impl Into<String>) -> Self {
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

/// Kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum WarningCode {
    /// A list continues elsewhere: it was got in pieces, and this is not the last.
    CutList,
    /// An API server's answer that something cannot be got is among the objects.
    Status,
    /// There is no Node, though pods are left out without theirs, and traffic comes from nodes.
    NoNodes,
    /// There are Services with selectors and slices of theirs with endpoints, but no pods: all of them would go.
    NoPods,
    /// There is no Service.
    NoServices,
    /// There is no slice.
    NoSlices,
    /// There are mirrored slices, but no Endpoints: all of them would go.
    NoEndpoints,
    /// There are workloads, but no pods, of which plans are made.
    OnlyWorkloads,
    /// A list that answers can do without could not be got.
    LeftOut,
}
