//! Virtual time in the formats of the API and of reports.

use core::time::Duration;

use slicewise::model::Timestamp;

/// The start of virtual time, in 2026.
pub(super) const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// A virtual time in the API's format, in whole seconds.
pub(super) fn timestamp(now: Duration) -> Option<Timestamp> {
    let seconds = i64::try_from((EPOCH + now).as_secs()).ok()?;
    Timestamp::from_unix(seconds, 0)
}

/// Whole milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
