//! Slices between two syncs.
//!
//! A shared slice is only stored. It is read when a sync applies it, so of many changes before one sync only the last
//! one is read; or when the same version comes again, to tell whether anything differs.

use alloc::sync::Arc;

use slicewise::model::EndpointSlice;

use super::fingerprint::version;
use super::slice::{ProxiedSlice, SliceView};

/// A slice as a proxy receives it.
pub(super) enum ReceivedSlice<'s> {
    /// It can be read now, but not stored.
    Borrowed(&'s EndpointSlice<'s>),
    /// It can be stored.
    Shared(Arc<EndpointSlice<'static>>),
}

impl ReceivedSlice<'_> {
    pub(super) fn slice(&self) -> &EndpointSlice<'_> {
        match self {
            Self::Borrowed(slice) => slice,
            Self::Shared(slice) => slice,
        }
    }

    fn version(&self) -> u64 {
        version(&self.slice().metadata.resource_version)
    }

    fn read(&self, view: &SliceView) -> ProxiedSlice {
        ProxiedSlice::new(self.slice(), view)
    }

    fn keep(self, view: &SliceView) -> Recorded {
        match self {
            Self::Borrowed(slice) => Recorded::Read(ProxiedSlice::new(slice, view)),
            Self::Shared(slice) => Recorded::Kept(slice),
        }
    }
}

/// A slice that waits for the next sync.
#[derive(Clone, Debug)]
enum Recorded {
    Kept(Arc<EndpointSlice<'static>>),
    Read(ProxiedSlice),
}

/// A slice that was set or removed. The contents of a removed one are kept, because a second removal is compared with
/// them.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    version: u64,
    slice: Recorded,
    is_removed: bool,
}

impl Pending {
    /// A slice that is new to the proxy, or was removed.
    pub(super) fn new(seen: ReceivedSlice<'_>, is_removed: bool, view: &SliceView) -> Self {
        Self {
            version: seen.version(),
            slice: seen.keep(view),
            is_removed,
        }
    }

    /// A slice that was set, unless it equals the applied one.
    pub(super) fn unless_applied(
        seen: ReceivedSlice<'_>,
        applied: &ProxiedSlice,
        view: &SliceView,
    ) -> Option<Self> {
        if seen.version() != applied.version() {
            return Some(Self::new(seen, false, view));
        }
        let slice = seen.read(view);
        let is_news = slice != *applied;
        is_news.then(|| Self {
            version: slice.version(),
            slice: Recorded::Read(slice),
            is_removed: false,
        })
    }

    /// Replaces the last version of a slice; returns false if it was the same.
    pub(super) fn replace(
        &mut self,
        seen: ReceivedSlice<'_>,
        is_removed: bool,
        view: &SliceView,
    ) -> bool {
        if self.is_removed != is_removed || self.version != seen.version() {
            *self = Self::new(seen, is_removed, view);
            return true;
        }
        let slice = seen.read(view);
        let is_news = match &self.slice {
            Recorded::Kept(known) => ProxiedSlice::new(known, view) != slice,
            Recorded::Read(known) => *known != slice,
        };
        self.slice = Recorded::Read(slice);
        is_news
    }

    /// Was the slice removed?
    pub(super) const fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// The slice to apply; `None` if it was removed.
    pub(super) fn into_slice(self, view: &SliceView) -> Option<ProxiedSlice> {
        match self.slice {
            _ if self.is_removed => None,
            Recorded::Kept(slice) => Some(ProxiedSlice::new(&slice, view)),
            Recorded::Read(slice) => Some(slice),
        }
    }
}
