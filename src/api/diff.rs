//! Slices before and after in; what differs out.

use alloc::vec::Vec;

use serde::Serialize;

use super::input::{self, Limits};
use super::snapshot::Snapshot;
use super::{Warning, WarningCode, encode};
use crate::Error;
use crate::diff::{ServiceDiff, diff as compare};
use crate::model::EndpointSlice;

/// What differs between two sets of slices.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Diff<'a> {
    /// The Services whose slices differ, by namespace, name and family.
    pub services: Vec<ServiceDiff<'a>>,
    /// What a person should know about the inputs.
    pub warnings: Vec<Warning>,
}

/// Compares the slices of two inputs, each an array of slices, or objects as `kubectl get endpointslices -A -o json`
/// prints them. Objects of other kinds are not compared.
///
/// # Errors
/// When either cannot be read; the path then begins with `/before` or `/after`.
pub fn diff(before: &[u8], after: &[u8]) -> Result<Vec<u8>, Error> {
    let limits = Limits::default();
    let before = slices(before, limits).map_err(|error| error.below("/before"))?;
    let after = slices(after, limits).map_err(|error| error.below("/after"))?;
    encode(&differing(&before, &after))
}

/// The slices of an input to [`differing`].
///
/// # Errors
/// When it cannot be read.
pub fn slices(input: &[u8], limits: Limits) -> Result<Vec<EndpointSlice<'_>>, Error> {
    Snapshot::read_slices(input::text(input, limits)?)
}

/// As [`diff`], of slices that were read.
pub fn differing<'a>(before: &[EndpointSlice<'a>], after: &[EndpointSlice<'a>]) -> Diff<'a> {
    let mut warnings = Vec::new();
    for (name, slices) in [("before", before), ("after", after)] {
        if slices.is_empty() {
            let message = "there are no EndpointSlices";
            warnings.push(Warning::new(
                WarningCode::NoSlices,
                [message, name].join(" "),
            ));
        }
    }
    Diff {
        services: compare(before, after),
        warnings,
    }
}
