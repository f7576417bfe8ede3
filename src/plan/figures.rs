//! The figures of a plan behind the metrics, by family.

use alloc::vec::Vec;

use super::HintsMode;
use crate::model::AddressType;
use crate::reconcile::Efficiency;

/// Figures of a plan for metrics. Empty if the Service's slices are not managed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    families: Vec<FamilyFigures>,
}

/// Figures of one family, as the reference's `reconcileByAddressType` counts them.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "metrics count all of it")]
pub struct FamilyFigures {
    /// The family.
    pub address_type: AddressType,
    /// The rule for hints that was requested.
    pub mode: HintsMode,
    /// Endpoints that were in no slice.
    pub added: usize,
    /// Endpoints that were removed from their slice.
    pub removed: usize,
    /// New slices that are not in the plan because the Service is being deleted.
    pub held_back: usize,
    /// Endpoints and slices by port group.
    pub groups: Vec<Efficiency>,
}

impl Figures {
    pub(super) fn add(&mut self, family: FamilyFigures) {
        self.families.push(family);
    }

    /// The families that were planned, in the order of the plan.
    #[doc(hidden)]
    #[must_use]
    pub fn families(&self) -> &[FamilyFigures] {
        &self.families
    }
}
