//! What the clock shows. Only commands look at it: to the core, time comes in as data.

use std::time::UNIX_EPOCH;

/// Seconds since 1970.
pub(crate) fn seconds() -> i64 {
    let since = UNIX_EPOCH.elapsed().unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
