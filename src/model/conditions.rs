//! The `Ready` condition of Pods and Nodes; all other conditions are skipped.

use super::time::Timestamp;

/// The `Ready` condition of a Pod or Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "all that is read of it")]
pub struct ReadyCondition {
    /// Is its status `True`?
    pub status: bool,
    /// When the status last changed.
    pub last_transition_time: Option<Timestamp>,
}

impl ReadyCondition {
    /// The trigger time of a pod: when it last became ready or unready, if that is known.
    pub fn trigger_time(self) -> Option<Timestamp> {
        self.last_transition_time.filter(|time| !time.is_zero())
    }
}
