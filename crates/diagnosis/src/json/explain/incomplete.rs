//! What it means for explanations that an input lacks objects.

use alloc::format;
use alloc::vec::Vec;

use slicewise::api::incomplete::of_snapshot;
use slicewise::api::{Snapshot, Warning, WarningCode};

/// What it means for explanations that there are no slices.
const ABOUT_THE_PLAN: &str = "the answers describe what would be written, not the live slices";

/// What it means for explanations that there are no nodes.
const NODES_ASSUMED: &str = "the input has no Node, so each pod counts as on a node that exists, in the zone that slices name";

/// What the input lacks.
pub(super) fn warnings_of(snapshot: &Snapshot<'_>) -> Vec<Warning> {
    let mut warnings = of_snapshot(snapshot, ABOUT_THE_PLAN);
    if !snapshot.services.is_empty() {
        // Explanations read the templates of workloads.
        warnings.retain(|warning| warning.code != WarningCode::OnlyWorkloads);
    }
    for warning in &mut warnings {
        if warning.code == WarningCode::NoNodes {
            // Why they were left out is told beside this.
            warning.message = match snapshot.received.has_left_out() {
                true => NODES_ASSUMED.into(),
                false => format!("{NODES_ASSUMED}; include `nodes` in the input"),
            };
        }
    }
    warnings
}
