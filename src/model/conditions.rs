//! The `Ready` condition of Pods and Nodes; all other conditions are skipped.

use alloc::string::String;

use super::object::slim_object;
use super::text::Text;
use super::time::Timestamp;

/// The `Ready` condition of a Pod or Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadyCondition {
    /// Is its status `True`?
    pub status: bool,
    /// When that last changed.
    pub last_transition_time: Option<Timestamp>,
}

/// The type of the condition that is read.
pub(super) const READY: &str = "Ready";

slim_object! {
    #[derive(Default)]
    pub(super) struct Condition<'a>("condition") {
        "type" condition_type: Text<'a>;
        "status" status: Text<'a>;
        "lastTransitionTime" last_transition_time: Option<Text<'a>>;
    }
}

impl Condition<'_> {
    /// What it says if it is the `Ready` condition.
    pub(super) fn ready(&self) -> Result<Option<ReadyCondition>, String> {
        if self.condition_type != READY {
            return Ok(None);
        }
        let time = self.last_transition_time.as_deref();
        Ok(Some(ReadyCondition {
            status: self.status == "True",
            last_transition_time: time.map(Timestamp::read).transpose()?,
        }))
    }
}
