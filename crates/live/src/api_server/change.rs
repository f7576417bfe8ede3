//! Changes that the server reports to watches.

use slicewise::plan::writing::StoredSlice;

/// A change, as a watch reports it.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a slice, and what became of it")]
pub struct StoredChange {
    /// Was the slice deleted? If so, this is its last state.
    pub is_deletion: bool,
    /// The slice.
    pub slice: StoredSlice,
}
