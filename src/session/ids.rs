//! Numbers of what the session keeps.

/// A pod by number.
pub(super) type PodNumber = u32;

/// A Service by number.
pub(super) type ServiceNumber = u32;

/// A slice by number.
pub(super) type SliceNumber = u32;
