//! Patches for a plan whose slices are stored elsewhere.

use alloc::vec::Vec;

use super::Plan;
use super::request::Options;
use crate::IS_SMALL;
use crate::model::EndpointSlice;

/// Adds the updates as patches to a plan, if the options request them. `befores` provides the current state of the
/// slices that it updates, sorted by name.
#[doc(hidden)]
pub fn with_patches<'p, 'b>(
    mut plan: Plan<'p>,
    befores: impl FnOnce(&Plan<'p>) -> Vec<EndpointSlice<'b>>,
    options: &Options<'_>,
) -> Plan<'p> {
    if !IS_SMALL && !options.patches.is_empty() {
        let befores = befores(&plan);
        let befores: Vec<_> = befores.iter().collect();
        plan.patches = super::patches::of(&plan, &befores, &options.patch_kinds());
    }
    plan
}
