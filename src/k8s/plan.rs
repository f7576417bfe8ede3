//! The plan of one Service as an owned object, over `k8s_openapi` slices.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;

use super::originals::Originals;
use super::{Operation, Writing, slice};
use crate::model::{self, SortedMap, Text};
use crate::plan::patches::{Patches, PatchesByName};
use crate::plan::writing::{PlanWrites, families};
use crate::plan::{
    self, Figures, HintsReport, PlanError, Reason, ServiceRef, SliceRef, State, Stats,
};
use crate::topology::events::Event;

/// What to do for one Service. It owns all its data, so it may be kept, changed, sent elsewhere and applied later.
///
/// As JSON it is the plan that every other interface returns, except fields that `k8s_openapi` does not know.
///
/// # Changing a plan
///
/// All lists may be changed before the plan is applied, most simply through [`Plan::slices_mut`] and [`Plan::retain`].
/// The next plan starts from the result:
///
/// * **Annotations** stay: slices keep annotations that the planner does not know.
/// * **Labels** follow the Service's. A label that only the slice has is removed when the slice is next
///   written, and is itself a reason to write it. To label slices permanently, label the given Service.
/// * **Vetoed** writes are planned again, because the reasons still hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Plan {
    /// The Service.
    pub service: ServiceRef<'static>,
    /// New slices, IPv4 first, then by ports. They have a `generateName` and no name.
    pub create: Vec<EndpointSlice>,
    /// Changed slices by name, in full, with the `uid` and `resourceVersion` of the original.
    pub update: Vec<EndpointSlice>,
    /// Slices to delete, by name.
    pub delete: Vec<SliceRef<'static>>,
    /// Names of the Service's slices that stay as they are.
    pub unchanged: Vec<Text<'static>>,
    /// Events to publish on the Service.
    pub events: Vec<Event>,
    /// What could not be done; the rest of the plan is valid.
    pub errors: Vec<PlanError<'static>>,
    /// Must the Service be planned again later, because of the errors?
    pub requeue: bool,
    /// Hints, by family.
    pub hints: Vec<HintsReport<'static>>,
    /// Why each slice is created (by its index: `create/0`), updated or deleted (by its name).
    pub reasons: SortedMap<String, Vec<Reason>>,
    /// Figures.
    pub stats: Stats,
    /// The state to pass to the Service's next plan.
    pub state: State,
    /// The updates as patches, by the name of the slice, if the options request them; later changes of the plan do not
    /// affect them.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub patches: PatchesByName,
    /// What the metrics count; not part of the JSON.
    #[serde(skip)]
    pub figures: Figures,
}

impl Plan {
    /// Is there nothing to write?
    pub const fn is_empty(&self) -> bool {
        self.create.is_empty() && self.update.is_empty() && self.delete.is_empty()
    }

    /// The slices that will be written in full, for changing them: those created, then those updated.
    pub fn slices_mut(&mut self) -> impl Iterator<Item = &mut EndpointSlice> {
        self.create.iter_mut().chain(&mut self.update)
    }

    /// All writes in their order: per family creates, updates, deletes, then deletes of unwanted families.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        self.writes().in_order().into_iter()
    }

    /// Starts to write the plan step by step.
    pub fn writing<E>(&self) -> Writing<'_, E> {
        Writing::new(&self.writes())
    }

    fn writes(&self) -> PlanWrites<'_, EndpointSlice> {
        PlanWrites {
            namespace: &self.service.namespace,
            families: families(&self.hints),
            create: &self.create,
            update: &self.update,
            delete: &self.delete,
        }
    }

    /// The reasons for a write of this plan.
    pub fn reasons_for(&self, operation: &Operation<'_>) -> &[Reason] {
        let reasons = match operation {
            Operation::Create(slice) => {
                let number = self
                    .create
                    .iter()
                    .position(|own| core::ptr::eq(own, *slice));
                number.and_then(|number| self.reasons.get(format!("create/{number}").as_str()))
            }
            named => self.reasons.get(named.name()),
        };
        reasons.map(Vec::as_slice).unwrap_or_default()
    }

    /// An update as patches; `None` for other writes, and if the options do not request patches.
    pub fn patches_for(&self, operation: &Operation<'_>) -> Option<&Patches> {
        match operation {
            Operation::Update(_) => self.patches.get(operation.name()),
            Operation::Create(_) | Operation::Delete { .. } => None,
        }
    }

    /// Vetoes writes: drops those for which `keep` returns false. Returns how many were dropped.
    ///
    /// Dropped writes are not listed anywhere, not even under `unchanged`.
    pub fn retain(&mut self, mut keep: impl FnMut(Operation<'_>) -> bool) -> usize {
        let before = self.create.len() + self.update.len() + self.delete.len();
        let namespace = self.service.namespace.clone();
        let old = core::mem::take(&mut self.reasons);
        let mut reasons = Vec::new();
        let (mut number, mut kept) = (0_usize, 0_usize);
        self.create.retain(|slice| {
            let why = old.get(format!("create/{number}").as_str());
            number += 1;
            let keep = keep(Operation::Create(slice));
            if keep {
                reasons.extend(why.map(|why| (format!("create/{kept}"), why.clone())));
                kept += 1;
            }
            keep
        });
        let mut keep_named = |name: &str, keep: bool| {
            let why = old.get(name).filter(|_| keep);
            reasons.extend(why.map(|why| (name.to_owned(), why.clone())));
            keep
        };
        self.update.retain(|slice| {
            let name = slice.metadata.name.as_deref().unwrap_or_default();
            keep_named(name, keep(Operation::Update(slice)))
        });
        self.delete.retain(|slice| {
            let operation = Operation::Delete {
                namespace: &namespace,
                slice,
            };
            keep_named(&slice.name, keep(operation))
        });
        self.reasons = reasons.into_iter().collect();
        {
            let update = &self.update;
            let is_kept = |name: &String| {
                update
                    .iter()
                    .any(|slice| slice.metadata.name.as_ref() == Some(name))
            };
            self.patches.retain(is_kept);
        }
        before - self.create.len() - self.update.len() - self.delete.len()
    }

    /// An owned copy of the model's plan.
    pub(super) fn own(plan: plan::Plan<'_>, originals: &Originals<'_>) -> Self {
        let none = ObjectMeta::default();
        let original = |slice: &model::EndpointSlice<'_>| originals.get(slice).unwrap_or(&none);
        Self::with_updates(plan, |changed| slice::write(changed, original(changed)))
    }

    /// From a plan whose slices hold everything that was read of them.
    pub fn of_model(plan: plan::Plan<'_>) -> Self {
        Self::with_updates(plan, |changed| {
            // What was read from `k8s_openapi` can be converted back.
            slice::write(changed, &slice::base(&changed.metadata).unwrap_or_default())
        })
    }

    fn with_updates(
        plan: plan::Plan<'_>,
        update: impl Fn(&model::EndpointSlice<'_>) -> EndpointSlice,
    ) -> Self {
        let none = ObjectMeta::default();
        Self {
            service: plan.service.into_owned(),
            create: plan
                .create
                .iter()
                .map(|new| slice::write(new, &none))
                .collect(),
            update: plan.update.iter().map(update).collect(),
            delete: plan.delete.into_iter().map(SliceRef::into_owned).collect(),
            unchanged: plan.unchanged.into_texts(),
            events: plan.events,
            errors: plan.errors.into_iter().map(PlanError::into_owned).collect(),
            requeue: plan.requeue,
            hints: plan
                .hints
                .into_iter()
                .map(HintsReport::into_owned)
                .collect(),
            reasons: plan.reasons,
            stats: plan.stats,
            state: plan.state,
            patches: plan.patches,
            figures: plan.figures,
        }
    }
}
