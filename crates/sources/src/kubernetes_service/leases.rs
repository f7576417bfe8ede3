//! The leases of API servers: which of them are alive.

use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model::{SortedMap, Text, Timestamp};

use super::{ApiServerAction, KubernetesServiceInput};

/// The lease of one API server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename = "ApiServerLease")]
#[non_exhaustive]
pub struct ApiServerLease<'a> {
    /// The address of the API server.
    pub address: Text<'a>,
    /// When the lease expires; `null` if it never does.
    pub expires: Option<Timestamp>,
}

/// Leases by address, in the order in which storage lists them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leases<'a>(SortedMap<Text<'a>, Option<Timestamp>>);

impl<'a> Leases<'a> {
    /// The leases; of several of one address the last counts.
    pub fn new(leases: impl IntoIterator<Item = ApiServerLease<'a>>) -> Self {
        let pairs = leases
            .into_iter()
            .map(|lease| (lease.address, lease.expires));
        Self(pairs.collect())
    }

    /// How many there are, live or not.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The leases that have not expired.
    pub(super) fn live(&self, now: Option<Timestamp>) -> Vec<ApiServerLease<'a>> {
        let live = self.0.iter().filter(|(_, expires)| is_live(**expires, now));
        let lease = |(address, expires): (&Text<'a>, &Option<Timestamp>)| ApiServerLease {
            address: address.clone(),
            expires: *expires,
        };
        live.map(lease).collect()
    }
}

fn is_live(expires: Option<Timestamp>, now: Option<Timestamp>) -> bool {
    expires.zip(now).is_none_or(|(expires, now)| expires > now)
}

/// The leases after the API server has refreshed or removed its own. A server that is stopping no longer refreshes it.
///
/// # Errors
/// If there is no lease to remove.
pub(super) fn after<'a>(input: &KubernetesServiceInput<'a>) -> Result<Leases<'a>, ()> {
    let mut leases = input.leases.clone();
    match input.operation {
        ApiServerAction::Reconcile { .. } if input.stopped => {}
        ApiServerAction::Reconcile { .. } => {
            let until = input.now.and_then(|now| now.after(input.lease_seconds));
            leases.0.insert(input.address.clone(), until);
        }
        ApiServerAction::Remove => match leases.0.remove(&*input.address) {
            Some(expires) if is_live(expires, input.now) => {}
            _ => return Err(()),
        },
    }
    Ok(leases)
}
