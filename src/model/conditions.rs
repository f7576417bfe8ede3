//! The `Ready` condition of Pods and Nodes; all other conditions are skipped.

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
