//! Does a Service's selector match a pod's labels?

use crate::model::StringMap;

/// A pod matches when it has every pair of the selector; an empty selector matches every pod.
///
/// Reference: `labels.Set.AsSelectorPreValidated`, used by the controller's `syncService`.
pub fn matches(selector: &StringMap<'_>, labels: &StringMap<'_>) -> bool {
    selector
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}
