//! Every delay and limit of the controller, with the reference's defaults.

use core::num::NonZeroU32;
use core::time::Duration;

use slicewise::plan::request::Options;

/// How fast and how often failed syncs are retried.
///
/// Reference: the rate limiter of `NewController`'s `serviceQueue`, and `maxRetries`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryLimits {
    /// Wait after the first failure of a Service; it doubles with each further one. Default 1 s.
    pub first: Duration,
    /// The longest wait of a Service for its own failures. Default 1000 s.
    pub longest: Duration,
    /// Retries of all Services in one second, in the long run. Default 10; with 0 there are none once the burst is used
    /// up.
    pub per_second: u32,
    /// Retries of all Services that may happen at once. Default 100.
    pub burst: u32,
    /// A Service that has failed this often is dropped at the next failure, until something about it changes. Default
    /// 15.
    pub retries: u32,
}

impl Default for RetryLimits {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(1000),
            per_second: 10,
            burst: 100,
            retries: 15,
        }
    }
}

/// The configuration of a controller.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// How plans are made.
    pub options: Options<'static>,
    /// How long a change of pods waits for more changes. Default none (reference:
    /// `--endpointslice-updates-batch-period`).
    pub endpoint_updates_batch_period: Duration,
    /// The minimum time that a change of a slice waits, unless the batch period is longer. Default 1 s (reference:
    /// `endpointSliceChangeMinSyncDelay`).
    pub slice_change_min_delay: Duration,
    /// The maximum number of Services synced at once. Default 5 (reference: `--concurrent-service-endpoint-syncs`).
    pub concurrent_syncs: NonZeroU32,
    /// Retries.
    pub retry: RetryLimits,
    /// Does work begin only once each kind of object has been listed ([`super::ClusterEvent::Listed`],
    /// [`super::ClusterEvent::Synced`])? Default true, as in the reference; otherwise each event takes effect at once.
    pub wait_for_sync: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            options: Options::default(),
            endpoint_updates_batch_period: Duration::ZERO,
            slice_change_min_delay: Duration::from_secs(1),
            concurrent_syncs: NonZeroU32::MIN.saturating_add(4),
            retry: RetryLimits::default(),
            wait_for_sync: true,
        }
    }
}

impl Config {
    /// May another plan be written while `under_way` are?
    pub(super) fn has_room(&self, under_way: usize) -> bool {
        under_way < self.concurrent_syncs.get() as usize
    }

    /// How long a change of a slice waits.
    pub(super) fn slice_delay(&self) -> Duration {
        self.slice_change_min_delay
            .max(self.endpoint_updates_batch_period)
    }
}
