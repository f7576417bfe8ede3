//! The path of a write to the API server, where it may be refused.

use core::time::Duration;

use slicewise::model::EndpointSlice;
use slicewise::plan::SliceRef;
use slicewise::plan::apply::Writer;
use slicewise::plan::writing::StoredSlice;
use slicewise_live::api_server::{ApiError, ApiServer, Refusal};

use super::random::Random;
use super::report::Writes;
use super::scenario::Refuse;
use super::scenario::{refusal, value::Share};

/// The writes to refuse.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trouble {
    /// `None`: the write is made, but its answer is an error.
    refusal: Option<Refusal>,
    /// The number of next writes to refuse.
    next: u32,
    /// The share of later writes to refuse, in millionths, until `until`.
    share: u32,
    until: Duration,
}

impl Trouble {
    pub(super) fn new(refuse: &Refuse<'_>, now: Duration) -> Self {
        let always = Share {
            per_million: 1_000_000,
        };
        let lasting = refuse.lasting.map(|span| span.0);
        Self {
            refusal: refusal(&refuse.error),
            next: refuse.next.unwrap_or_default(),
            share: lasting.map_or(0, |_| refuse.share.unwrap_or(always).per_million),
            until: now.saturating_add(lasting.unwrap_or_default()),
        }
    }

    fn strikes(&mut self, now: Duration, random: &mut Random) -> bool {
        if self.next > 0 {
            self.next -= 1;
            return true;
        }
        now < self.until && random.happens(self.share)
    }
}

/// Writes for one sync.
pub(super) struct Front<'w> {
    pub(super) server: &'w mut ApiServer,
    pub(super) trouble: &'w mut Trouble,
    pub(super) random: &'w mut Random,
    pub(super) writes: Writes,
    pub(super) now: Duration,
}

impl Front<'_> {
    /// Makes a write, unless it is refused.
    fn make<T>(
        &mut self,
        namespace: &str,
        name: &str,
        write: impl FnOnce(&mut ApiServer) -> Result<T, ApiError>,
        count: impl FnOnce(&mut Writes) -> &mut u64,
    ) -> Result<T, ApiError> {
        let strikes = self.trouble.strikes(self.now, self.random);
        let result = match (strikes, self.trouble.refusal) {
            (true, Some(refusal)) => Err(refusal),
            _ => Ok(write(self.server)),
        };
        let result = match result {
            Ok(result) => result,
            Err(refusal) => Err(refused(refusal, namespace, name)),
        };
        if result.is_err() {
            self.writes.refused += 1;
            return result;
        }
        *count(&mut self.writes) += 1;
        if strikes {
            self.writes.refused += 1;
            return Err(refused(Refusal::ServerError, namespace, name));
        }
        result
    }
}

fn refused(refusal: Refusal, namespace: &str, name: &str) -> ApiError {
    ApiError {
        refusal,
        namespace: namespace.into(),
        name: name.into(),
    }
}

impl Writer for Front<'_> {
    type Error = ApiError;

    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, ApiError> {
        let metadata = &slice.metadata;
        let write = |server: &mut ApiServer| server.create(slice);
        self.make(
            &metadata.namespace,
            &metadata.generate_name,
            write,
            |writes| &mut writes.create,
        )
    }

    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, ApiError> {
        let metadata = &slice.metadata;
        let write = |server: &mut ApiServer| server.update(slice);
        self.make(&metadata.namespace, &metadata.name, write, |writes| {
            &mut writes.update
        })
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), ApiError> {
        let write = |server: &mut ApiServer| server.delete(namespace, slice);
        self.make(namespace, &slice.name, write, |writes| &mut writes.delete)
    }

    fn is_namespace_terminating(&self, error: &ApiError) -> bool {
        error.refusal == Refusal::NamespaceTerminating
    }

    fn is_gone(&self, error: &ApiError) -> bool {
        self.server.is_gone(error)
    }
}
