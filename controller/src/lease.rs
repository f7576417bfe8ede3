//! Who may write: the rules of the Lease, without I/O or a clock.
//!
//! Reference: client-go's `leaderelection`. A Lease counts as expired when it has not changed for its duration as seen
//! Each standby considers a Lease expired once it has seen no change for the Lease's duration, on its own monotonic
//! clock: clocks of different machines are never compared.
//! The leader in turn stops if it could not renew within the shorter renew deadline, counted from its last *request*.
//! The time in between is left for writes in flight.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::LeaseSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use tokio::time::Instant;

/// When to renew the Lease, and when it is lost.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long a standby waits for the Lease to change.
    pub lease_duration: Duration,
    /// How long the leader continues after its last renewal.
    pub renew_deadline: Duration,
    /// The interval between attempts.
    pub retry_period: Duration,
}

/// What a candidate knows about the Lease.
#[derive(Debug)]
pub(super) struct LeaseCandidate {
    identity: String,
    timing: Timing,
    /// The Lease as last seen, and when it was first seen in that state.
    observed: Option<(LeaseSpec, Instant)>,
}

impl LeaseCandidate {
    pub(super) const fn new(identity: String, timing: Timing) -> Self {
        Self {
            identity,
            timing,
            observed: None,
        }
    }

    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    pub(super) const fn timing(&self) -> Timing {
        self.timing
    }

    /// The update of the Lease; `None` while another holds it. `wall` is the time that people read in it.
    pub(super) fn claim(
        &mut self,
        found: &LeaseSpec,
        now: Instant,
        wall: Timestamp,
    ) -> Option<LeaseSpec> {
        if self
            .observed
            .as_ref()
            .is_none_or(|(known, _)| known != found)
        {
            self.observed = Some((found.clone(), now));
        }
        let is_ours = holder(found) == self.identity;
        if !is_ours && !holder(found).is_empty() && !self.is_expired(now) {
            return None;
        }
        let transitions = found.lease_transitions.unwrap_or_default();
        let acquired = found.acquire_time.clone().filter(|_| is_ours);
        Some(LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(self.seconds()),
            acquire_time: Some(acquired.unwrap_or(MicroTime(wall))),
            renew_time: Some(MicroTime(wall)),
            lease_transitions: Some(transitions.saturating_add(i32::from(!is_ours))),
            ..found.clone()
        })
    }

    /// The contents of a new Lease.
    pub(super) fn first(&self, wall: Timestamp) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(self.seconds()),
            acquire_time: Some(MicroTime(wall)),
            renew_time: Some(MicroTime(wall)),
            lease_transitions: Some(0),
            ..LeaseSpec::default()
        }
    }

    /// The update that releases the Lease; `None` if it is another's.
    pub(super) fn release(&self, found: &LeaseSpec, wall: Timestamp) -> Option<LeaseSpec> {
        (holder(found) == self.identity).then(|| LeaseSpec {
            holder_identity: Some(String::new()),
            lease_duration_seconds: Some(1),
            renew_time: Some(MicroTime(wall)),
            ..found.clone()
        })
    }

    /// The Lease's duration, as set by its holder.
    fn is_expired(&self, now: Instant) -> bool {
        self.observed.as_ref().is_none_or(|(known, since)| {
            let seconds = known.lease_duration_seconds;
            let seconds = seconds.and_then(|seconds| u64::try_from(seconds).ok());
            let duration = seconds.map_or(self.timing.lease_duration, Duration::from_secs);
            now.duration_since(*since) >= duration
        })
    }

    fn seconds(&self) -> i32 {
        i32::try_from(self.timing.lease_duration.as_secs()).unwrap_or(i32::MAX)
    }
}

fn holder(spec: &LeaseSpec) -> &str {
    spec.holder_identity.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMING: Timing = Timing {
        lease_duration: Duration::from_secs(15),
        renew_deadline: Duration::from_secs(10),
        retry_period: Duration::from_secs(2),
    };

    fn wall(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn held(holder: &str, renewed: i64) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(holder.into()),
            lease_duration_seconds: Some(15),
            acquire_time: Some(MicroTime(wall(1))),
            renew_time: Some(MicroTime(wall(renewed))),
            lease_transitions: Some(3),
            ..LeaseSpec::default()
        }
    }

    fn brief(spec: &LeaseSpec) -> String {
        let second = |time: &Option<MicroTime>| time.as_ref().unwrap().0.as_second();
        format!(
            "{} {}s acquired {} renewed {} transitions {}",
            holder(spec),
            spec.lease_duration_seconds.unwrap(),
            second(&spec.acquire_time),
            second(&spec.renew_time),
            spec.lease_transitions.unwrap()
        )
    }

    /// What the candidate `a` writes after seeing each of these Leases, given with seconds since its start.
    #[track_caller]
    fn check(seen: &[(u64, LeaseSpec)], expected: Option<&str>) {
        let mut candidate = LeaseCandidate::new("a".into(), TIMING);
        let start = Instant::now();
        let mut claim = None;
        for (second, spec) in seen {
            claim = candidate.claim(spec, start + Duration::from_secs(*second), wall(100));
        }
        assert_eq!(claim.as_ref().map(brief).as_deref(), expected);
    }

    #[test]
    fn a_lease_that_is_free_or_released_is_taken() {
        check(
            &[(0, LeaseSpec::default())],
            Some("a 15s acquired 100 renewed 100 transitions 1"),
        );
        check(
            &[(0, held("", 50))],
            Some("a 15s acquired 100 renewed 100 transitions 4"),
        );
    }

    #[test]
    fn our_own_is_renewed() {
        check(
            &[(0, held("a", 50))],
            Some("a 15s acquired 1 renewed 100 transitions 3"),
        );
    }

    #[test]
    fn anothers_is_waited_for_by_our_own_clock() {
        // Whatever time it states.
        check(&[(0, held("b", 0))], None);
        check(&[(0, held("b", 0)), (14, held("b", 0))], None);
        check(
            &[(0, held("b", 0)), (15, held("b", 0))],
            Some("a 15s acquired 100 renewed 100 transitions 4"),
        );
        // Each renewal restarts the wait, whatever time it states.
        check(
            &[(0, held("b", 9)), (14, held("b", 8)), (28, held("b", 8))],
            None,
        );
    }

    #[test]
    fn the_holder_says_how_long_its_lease_lasts() {
        let mut long = held("b", 0);
        long.lease_duration_seconds = Some(60);
        check(&[(0, long.clone()), (59, long.clone())], None);
        check(
            &[(0, long.clone()), (60, long)],
            Some("a 15s acquired 100 renewed 100 transitions 4"),
        );
    }

    #[test]
    fn only_our_own_is_released() {
        let candidate = LeaseCandidate::new("a".into(), TIMING);
        let released = candidate.release(&held("a", 50), wall(100));
        assert_eq!(
            released.as_ref().map(brief).as_deref(),
            Some(" 1s acquired 1 renewed 100 transitions 3")
        );
        assert_eq!(candidate.release(&held("b", 50), wall(100)), None);
    }

    #[test]
    fn a_new_lease_is_ours_from_the_start() {
        let candidate = LeaseCandidate::new("a".into(), TIMING);
        assert_eq!(
            brief(&candidate.first(wall(100))),
            "a 15s acquired 100 renewed 100 transitions 0"
        );
    }
}
