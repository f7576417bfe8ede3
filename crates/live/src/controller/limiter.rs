//! How long a retry waits: the longer of the delay for the item's own failures and the delay for all retries together.
//!
//! Reference: client-go's `TypedMaxOfRateLimiter` over `TypedItemExponentialFailureRateLimiter` and
//! `TypedBucketRateLimiter` (`golang.org/x/time/rate`). Times are since the controller's start.

use alloc::collections::BTreeMap;
use core::time::Duration;

use super::config::RetryLimits;

/// The maximum of Go's `time.Duration`; longer waits are cut to the longest allowed.
const LONGEST_NANOSECONDS: u128 = i64::MAX as u128;

/// Delays before retries, per item and overall.
#[derive(Clone, Debug)]
pub(super) struct RetryLimiter<K> {
    limits: RetryLimits,
    failures: BTreeMap<K, u32>,
    bucket: TokenBucket,
}

impl<K: Ord + Clone> RetryLimiter<K> {
    /// A limiter that has seen no failure; its bucket is full.
    pub(super) fn new(limits: RetryLimits) -> Self {
        Self {
            limits,
            failures: BTreeMap::new(),
            bucket: TokenBucket {
                tokens: f64::from(limits.burst),
                last: Duration::ZERO,
            },
        }
    }

    /// Counts another failure of the item, and returns how long it has to wait.
    pub(super) fn when(&mut self, item: &K, now: Duration) -> Duration {
        let failures = self.failures.entry(item.clone()).or_default();
        let own = back_off(&self.limits, *failures);
        *failures = failures.saturating_add(1);
        own.max(self.bucket.reserve(&self.limits, now))
    }

    /// How often the item has failed since it was last forgotten.
    pub(super) fn failures(&self, item: &K) -> u32 {
        self.failures.get(item).copied().unwrap_or_default()
    }

    /// The item succeeded or was given up: forgets its failures.
    pub(super) fn forget(&mut self, item: &K) {
        self.failures.remove(item);
    }

    /// Has nothing failed?
    pub(super) fn is_empty(&self) -> bool {
        self.failures.is_empty()
    }
}

fn back_off(limits: &RetryLimits, failures: u32) -> Duration {
    let nanoseconds = limits.first.as_nanos().checked_shl(failures);
    // Shifted until nothing is left of it, or beyond what Go can represent.
    let is_lost = |nanoseconds: &u128| *nanoseconds >> failures.min(127) != limits.first.as_nanos();
    nanoseconds
        .filter(|nanoseconds| !is_lost(nanoseconds) && *nanoseconds <= LONGEST_NANOSECONDS)
        .and_then(|nanoseconds| u64::try_from(nanoseconds).ok())
        .map_or(limits.longest, |nanoseconds| {
            Duration::from_nanos(nanoseconds).min(limits.longest)
        })
}

/// A token bucket: if it is empty, callers wait for the next token.
#[derive(Clone, Debug)]
struct TokenBucket {
    /// Negative if tokens are reserved for waiting callers.
    tokens: f64,
    last: Duration,
}

impl TokenBucket {
    /// The reference computes in floats, in this order; its rounding affects the result.
    fn reserve(&mut self, limits: &RetryLimits, now: Duration) -> Duration {
        let rate = f64::from(limits.per_second);
        let elapsed = seconds(now.saturating_sub(self.last));
        let tokens = (self.tokens + elapsed * rate).min(f64::from(limits.burst)) - 1.0;
        self.tokens = tokens;
        self.last = now;
        if tokens >= 0.0 {
            return Duration::ZERO;
        }
        // Never negative, and `as` saturates.
        Duration::from_nanos((-tokens / rate * 1e9) as u64)
    }
}

/// Like Go's `Duration.Seconds`.
fn seconds(duration: Duration) -> f64 {
    duration.as_secs() as f64 + f64::from(duration.subsec_nanos()) / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let mut limiter = RetryLimiter::new(RetryLimits::default());
        let waits: Vec<u64> = (0..13)
            .map(|_| limiter.when(&"cart", Duration::ZERO).as_secs())
            .collect();
        assert_eq!(
            waits,
            [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000, 1000]
        );
        assert_eq!(limiter.failures(&"cart"), 13);
        limiter.forget(&"cart");
        assert!(limiter.is_empty());
        assert_eq!(limiter.when(&"cart", Duration::ZERO).as_secs(), 1);
    }

    #[test]
    fn all_retries_together_are_ten_in_a_second() {
        let mut limiter = RetryLimiter::new(RetryLimits::default());
        let mut waits = (0..130_u32).map(|item| limiter.when(&item, Duration::ZERO).as_millis());
        assert!(waits.by_ref().take(110).all(|wait| wait == 1000));
        assert_eq!(
            waits.by_ref().take(3).collect::<Vec<_>>(),
            [1100, 1200, 1300]
        );
    }

    #[test]
    fn a_wait_never_overflows() {
        let limits = RetryLimits {
            first: Duration::from_secs(u64::MAX / 2),
            longest: Duration::MAX,
            ..RetryLimits::default()
        };
        for failures in [0, 1, 63, 64, 127, 128, u32::MAX] {
            assert_eq!(back_off(&limits, failures), Duration::MAX);
        }
        let limits = RetryLimits::default();
        assert_eq!(back_off(&limits, u32::MAX), limits.longest);
    }
}
