//! What a list says of an object beyond its fields: readiness, zone, cordoned, terminating.

use alloc::vec::Vec;

use serde::Serialize;

use super::edit::{Edited, READY};
use slicewise::model::keys::ZONE_LABEL;

/// What a list says of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedFacts<'o> {
    /// Whether it is ready; `null` if no condition says so.
    pub ready: Option<bool>,
    /// The rest, in a few words each.
    pub words: Vec<&'o str>,
}

/// Returns what a list says of an object.
pub fn facts<'o>(object: &'o Edited<'_>) -> ListedFacts<'o> {
    let mut conditions = object.status.conditions.iter().flatten();
    let ready = conditions.find(|condition| condition.condition_type == READY);
    let mut words = Vec::new();
    if object.kind == "Node" {
        words.push(match object.metadata.labels.get(ZONE_LABEL) {
            Some(zone) if !zone.is_empty() => zone.as_str(),
            _ => "no zone label",
        });
    }
    if object.spec.unschedulable == Some(true) {
        words.push("cordoned");
    }
    if object.metadata.deletion_timestamp.is_some() {
        words.push("terminating");
    }
    ListedFacts {
        ready: ready.map(|condition| condition.status == "True"),
        words,
    }
}
