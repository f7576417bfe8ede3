//! Leader election against the API server; the rules are in [`super::lease`].

use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::jiff::Timestamp;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Error};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::{info, warn};

use super::lease::LeaseCandidate;

/// The time limit for a leader to release the Lease.
const RELEASE_LIMIT: Duration = Duration::from_secs(3);

/// Whether this process may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leadership {
    /// Yes: no Lease is needed.
    Unasked,
    /// No: another instance leads, or may lead.
    Standby,
    /// Until this time, unless the Lease is renewed first.
    Until(Instant),
    /// Not any more.
    Lost,
}

impl Leadership {
    /// If a write may be sent now, the time by which its response must arrive: `latest`, or earlier.
    pub(super) fn deadline(self, now: Instant, latest: Instant) -> Option<Instant> {
        match self {
            Self::Unasked => Some(latest),
            Self::Until(until) if now < until => Some(latest.min(until)),
            Self::Until(_) | Self::Standby | Self::Lost => None,
        }
    }

    /// Whether writes may start.
    pub(super) fn leads(self, now: Instant) -> bool {
        self.deadline(now, now).is_some()
    }
}

/// The result of one attempt to acquire or renew the Lease.
enum Claim {
    Held,
    Anothers,
    /// A concurrent write won; the next attempt will show who holds it.
    Crossed,
}

/// One candidate's way to the Lease.
pub(super) struct Elector {
    pub(super) api: Api<Lease>,
    pub(super) name: String,
    pub(super) candidate: LeaseCandidate,
}

impl Elector {
    /// Acquires and renews the Lease until it is lost, or releases it on request.
    pub(super) async fn run(
        mut self,
        leadership: watch::Sender<Leadership>,
        mut release: oneshot::Receiver<()>,
    ) {
        loop {
            let asked = Instant::now();
            let timing = self.candidate.timing();
            let lead = *leadership.borrow();
            let limit = match lead {
                Leadership::Until(until) => until,
                _ => asked + timing.renew_deadline,
            };
            let claimed = tokio::select! {
                claimed = timeout_at(limit, self.claim()) => claimed,
                _ = &mut release => return self.release().await,
            };
            match claimed {
                Ok(Ok(Claim::Held)) => {
                    if !matches!(lead, Leadership::Until(_)) {
                        info!(
                            lease = self.name,
                            identity = self.candidate.identity(),
                            "leading"
                        );
                    }
                    leadership.send_replace(Leadership::Until(asked + timing.renew_deadline));
                }
                Ok(Ok(Claim::Anothers)) if matches!(lead, Leadership::Until(_)) => {
                    leadership.send_replace(Leadership::Lost);
                    return;
                }
                Ok(Ok(Claim::Anothers | Claim::Crossed)) => {}
                Ok(Err(error)) => warn!(lease = self.name, %error, "cannot acquire the Lease"),
                Err(_) => warn!(lease = self.name, "no response about the Lease"),
            }
            let next = Instant::now() + timing.retry_period;
            // Copied: nothing can be sent while it is borrowed.
            let lead = *leadership.borrow();
            let wake = match lead {
                Leadership::Until(until) if until <= Instant::now() => {
                    leadership.send_replace(Leadership::Lost);
                    return;
                }
                Leadership::Until(until) => next.min(until),
                _ => next,
            };
            tokio::select! {
                () = sleep_until(wake) => {}
                _ = &mut release => return self.release().await,
            }
        }
    }

    /// One read of the Lease, and one write if it is free. A concurrent write makes ours fail, because it requires the
    /// version that was read.
    async fn claim(&mut self) -> Result<Claim, Error> {
        let now = Instant::now();
        let Some(mut lease) = self.api.get_opt(&self.name).await? else {
            let lease = self.lease(self.candidate.first(Timestamp::now()));
            return claimed(self.api.create(&PostParams::default(), &lease).await);
        };
        let found = lease.spec.take().unwrap_or_default();
        let Some(spec) = self.candidate.claim(&found, now, Timestamp::now()) else {
            return Ok(Claim::Anothers);
        };
        lease.spec = Some(spec);
        let params = PostParams::default();
        claimed(self.api.replace(&self.name, &params, &lease).await)
    }

    /// Releases the Lease, so that a standby need not wait for it to expire.
    async fn release(&self) {
        let released = tokio::time::timeout(RELEASE_LIMIT, self.give_away()).await;
        match released {
            Ok(Ok(true)) => info!(lease = self.name, "the Lease is released"),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => warn!(lease = self.name, %error, "cannot release the Lease"),
            Err(_) => warn!(lease = self.name, "no response to the release of the Lease"),
        }
    }

    async fn give_away(&self) -> Result<bool, Error> {
        let Some(mut lease) = self.api.get_opt(&self.name).await? else {
            return Ok(false);
        };
        let found = lease.spec.take().unwrap_or_default();
        let Some(spec) = self.candidate.release(&found, Timestamp::now()) else {
            return Ok(false);
        };
        lease.spec = Some(spec);
        let params = PostParams::default();
        match claimed(self.api.replace(&self.name, &params, &lease).await)? {
            Claim::Held => Ok(true),
            Claim::Anothers | Claim::Crossed => Ok(false),
        }
    }

    fn lease(&self, spec: LeaseSpec) -> Lease {
        Lease {
            metadata: ObjectMeta {
                name: Some(self.name.clone()),
                ..ObjectMeta::default()
            },
            spec: Some(spec),
        }
    }
}

fn claimed(written: Result<Lease, Error>) -> Result<Claim, Error> {
    match written {
        Ok(_) => Ok(Claim::Held),
        Err(Error::Api(status)) if status.code == 409 => Ok(Claim::Crossed),
        Err(error) => Err(error),
    }
}
