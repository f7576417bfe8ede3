//! Pods from the point of view of decisions.

use alloc::vec::Vec;

use crate::model::prefetch::Prefetch;
use crate::model::{AddressType, Families, Pod, PodFacts};

/// A pod that is compared with the open slices.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Candidate<'a> {
    /// As read; it is not settled in any slice.
    Read(&'a Pod<'a>),
    /// As stored by a session.
    Kept(&'a KeptCandidate<'a>),
}

/// A pod that a session stores, with what is known about it.
#[derive(Clone)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct KeptCandidate<'a> {
    /// The pod.
    pub pod: PodFacts<'a>,
    /// How it resolves the ports of the Service; empty if they do not depend on pods.
    pub ports: Vec<Option<i32>>,
    /// The families in which it is settled in a slice.
    pub settled: Families,
}

impl<'a> Candidate<'a> {
    /// The facts that endpoints depend on.
    #[inline(always)]
    pub fn facts(self) -> PodFacts<'a> {
        match self {
            Self::Read(pod) => pod.into(),
            Self::Kept(kept) => kept.pod,
        }
    }

    /// Is it settled in a slice of that family?
    pub(super) fn is_settled(self, address_type: AddressType) -> bool {
        match self {
            Self::Read(_) => false,
            Self::Kept(kept) => kept.settled.contains(address_type),
        }
    }
}

impl Prefetch for Candidate<'_> {
    #[inline]
    fn prefetch(&self) {
        // Kept ones were made for this decision.
        if let Self::Read(pod) = self {
            pod.prefetch();
        }
    }

    #[inline]
    fn prefetch_texts(&self) {
        if let Self::Read(pod) = self {
            pod.prefetch_texts();
        }
    }
}
