//! The figures of a plan behind the metrics, by family.

use alloc::vec::Vec;

use super::HintsMode;
use crate::model::AddressType;
use crate::reconcile::Efficiency;

/// Figures of a plan for [`crate::metrics::Metrics`]. Empty if the Service's slices are not managed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    families: Vec<FamilyFigures>,
}

/// Figures of one family, as the reference's `reconcileByAddressType` counts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FamilyFigures {
    pub(crate) address_type: AddressType,
    /// The rule for hints that was requested.
    pub(crate) mode: HintsMode,
    /// Endpoints that were in no slice.
    pub(crate) added: usize,
    /// Endpoints that were removed from their slice.
    pub(crate) removed: usize,
    /// New slices that are not in the plan because the Service is being deleted.
    pub(crate) held_back: usize,
    /// Endpoints and slices by port group.
    pub(crate) groups: Vec<Efficiency>,
}

impl Figures {
    pub(super) fn add(&mut self, family: FamilyFigures) {
        self.families.push(family);
    }

    /// The families that were planned, in the order of the plan.
    pub(crate) fn families(&self) -> &[FamilyFigures] {
        &self.families
    }
}
