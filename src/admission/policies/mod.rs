//! One file, one policy: `check(&Request, &Context, &Settings) -> Verdict`, its tests below it.
//!
//! A policy judges what concerns it and is silent about the rest. Whether a finding refuses the change, warns or is
//! only noted is the mode's business, not the policy's.

pub mod service_blast_radius;
mod service_hints;
mod slice_service;
pub mod slice_shape;
mod slice_siblings;

use alloc::format;

use super::settings::WhenStale;
use super::verdict::{Cause, Finding};

/// What is found where the cluster would have to be known and is not.
fn stale(when: WhenStale, why: &str, what: &str) -> Option<Finding> {
    let message = format!("{why}, so {what}");
    match when {
        WhenStale::Allow => None,
        WhenStale::Warn => Some(Finding::warn(
            "not-checked",
            Cause::FieldValueForbidden,
            "metadata",
            message,
        )),
        WhenStale::Deny => Some(Finding::deny(
            "not-checked",
            Cause::FieldValueForbidden,
            "metadata",
            message,
        )),
    }
}
