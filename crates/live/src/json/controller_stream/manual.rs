//! `apply: manual`: results of plans that the caller writes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api_server::{ApiError, Refusal, StoreOutcome};
use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, keys};
use slicewise::plan::Plan;
use slicewise::plan::writing::{Answer, Operation, StoredSlice};
use slicewise::tracker::TrackedSlice as _;
use slicewise::{Code, Error};

use super::ControllerStream;
use super::record::{SyncResult, Written};

impl ControllerStream {
    pub(super) fn take_result(&mut self, result: SyncResult<'_>) -> Result<(), Error> {
        let (service, refusal) = (result.service()?, result.refusal()?);
        let wrong =
            |message: String, path: &str| Err(Error::new(Code::InvalidValue, message).at(path));
        let Some(plan) = self.pending.get(&service) else {
            let message = format!("no plan of `{service}` is waiting for a result");
            return wrong(message, "/result/service");
        };
        if refusal.is_some() && plan.is_empty() {
            let message = format!("the plan of `{service}` has no write that could be refused");
            return wrong(message, "/result/error");
        }
        if let Some(applied) = &result.applied {
            check_applied(plan, applied)?;
        }
        let settings = self.controller.session().options().settings();
        let outcome = outcome(plan, refusal, result.applied, settings.kubernetes);
        self.pending.remove(&service);
        self.controller.complete(&service, outcome, self.now);
        Ok(())
    }
}

/// Only planned writes can be reported as made: otherwise the controller would wait for events that never come.
fn check_applied(plan: &Plan<'_>, applied: &Written<'_>) -> Result<(), Error> {
    let mut families: Vec<&str> = list(&plan.create, |slice| &slice.address_type);
    for (index, slice) in applied.created.iter().enumerate() {
        let place = format!("created/{index}");
        check_owner(plan, slice, &place)?;
        let family = slice.address_type.as_str();
        let message = || format!("no more `{}` slices were planned", shorten(family));
        take_planned(
            &mut families,
            family,
            &format!("{place}/addressType"),
            message,
        )?;
    }
    let not_planned = |what: &'static str, name: &str| {
        let name = shorten(name).to_string();
        move || format!("no {what} of a slice `{name}` was planned, or it is reported twice")
    };
    let mut updates: Vec<&str> = list(&plan.update, EndpointSlice::name);
    for (index, slice) in applied.updated.iter().enumerate() {
        let place = format!("updated/{index}");
        check_owner(plan, slice, &place)?;
        let (name, at) = (slice.name(), format!("{place}/metadata/name"));
        take_planned(&mut updates, name, &at, not_planned("update", name))?;
    }
    let mut deletes: Vec<&str> = list(&plan.delete, |slice| &slice.name);
    for (index, name) in applied.deleted.iter().enumerate() {
        let at = format!("deleted/{index}");
        take_planned(&mut deletes, name, &at, not_planned("deletion", name))?;
    }
    Ok(())
}

fn list<T>(planned: &[T], text: impl Fn(&T) -> &str) -> Vec<&str> {
    planned.iter().map(text).collect()
}

/// A slice that was written must belong to the planned Service.
fn check_owner(plan: &Plan<'_>, slice: &EndpointSlice<'_>, place: &str) -> Result<(), Error> {
    let (service, metadata) = (&plan.service, &slice.metadata);
    if metadata.namespace != service.namespace {
        let message = format!(
            "the slice is in namespace `{}`, its Service in `{}`",
            shorten(&metadata.namespace),
            service.namespace
        );
        return Err(wrong_applied(
            &format!("{place}/metadata/namespace"),
            message,
        ));
    }
    if slice.service_name() != service.name.as_str() {
        let message = format!(
            "the slice must have the label `{}: {}`",
            keys::SERVICE_NAME_LABEL,
            service.name
        );
        return Err(wrong_applied(&format!("{place}/metadata/labels"), message));
    }
    Ok(())
}

/// Removes one from the planned writes.
fn take_planned(
    planned: &mut Vec<&str>,
    told: &str,
    place: &str,
    message: impl FnOnce() -> String,
) -> Result<(), Error> {
    let found = planned.iter().position(|planned| *planned == told);
    let Some(found) = found else {
        return Err(wrong_applied(place, message()));
    };
    planned.swap_remove(found);
    Ok(())
}

fn wrong_applied(place: &str, message: String) -> Error {
    Error::new(Code::InvalidValue, message).at(format!("/result/applied/{place}"))
}

/// The outcome of a plan. Without `applied`, all writes were made, or none if one was refused.
fn outcome(
    plan: &Plan<'_>,
    refusal: Option<Refusal>,
    applied: Option<Written<'_>>,
    kubernetes: KubernetesVersion,
) -> StoreOutcome {
    let mut stored = Stored::new(applied.unwrap_or_default());
    let mut writing = plan.writing();
    while let Some(operation) = writing.operation() {
        let answer = match (stored.take(operation), refusal) {
            (Some(answer), _) => answer,
            (None, None) => Answer::Done(None),
            (None, Some(Refusal::NamespaceTerminating))
                if matches!(operation, Operation::Create(_)) =>
            {
                Answer::NamespaceTerminating
            }
            (None, Some(Refusal::NotFound))
                if matches!(operation, Operation::Delete { .. })
                    && kubernetes.has(Behavior::MissingDeletes) =>
            {
                Answer::Gone
            }
            (None, Some(refusal)) => Answer::Refused(ApiError {
                refusal,
                namespace: plan.service.namespace.to_string(),
                name: operation.name().to_string(),
            }),
        };
        writing.record(answer);
    }
    let mut outcome = writing.finish();
    let applied = match &mut outcome {
        Ok(applied) => applied,
        Err(error) => &mut error.applied,
    };
    // A slice whose uid is not reported cannot be matched to an event, so none is expected.
    applied
        .created
        .retain(|slice| !slice.metadata.uid.is_empty());
    outcome
}

/// The writes that were reported as made.
struct Stored {
    created: Vec<StoredSlice>,
    updated: Vec<StoredSlice>,
    deleted: Vec<String>,
}

impl Stored {
    fn new(applied: Written<'_>) -> Self {
        let own = |slices: Vec<EndpointSlice<'_>>| {
            let owned = slices.into_iter().map(EndpointSlice::into_owned);
            owned.map(StoredSlice::new).collect()
        };
        Self {
            created: own(applied.created),
            updated: own(applied.updated),
            deleted: applied.deleted.iter().map(ToString::to_string).collect(),
        }
    }

    /// The outcome of a write, if it was reported; each report is used once.
    fn take(
        &mut self,
        operation: Operation<'_, EndpointSlice<'_>>,
    ) -> Option<Answer<StoredSlice, ApiError>> {
        let done = |slices: &mut Vec<StoredSlice>, place: Option<usize>| {
            place.map(|place| Answer::Done(Some(Box::new(slices.remove(place)))))
        };
        match operation {
            Operation::Create(slice) => {
                let is_it = |stored: &StoredSlice| stored.address_type == slice.address_type;
                let place = self.created.iter().position(is_it);
                done(&mut self.created, place)
            }
            Operation::Update(slice) => {
                let is_it = |stored: &StoredSlice| stored.metadata.name == slice.metadata.name;
                let place = self.updated.iter().position(is_it);
                done(&mut self.updated, place)
            }
            Operation::Delete { slice, .. } => {
                let place = self.deleted.iter().position(|name| *slice.name == **name)?;
                self.deleted.remove(place);
                Some(Answer::Done(None))
            }
        }
    }
}
