//! One sync: what happens before its plan, and after its writes.
//!
//! Reference: `syncService` and `handleErr`.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use slicewise::kubernetes::Behavior;
use slicewise::model::NamespacedName;
use slicewise::plan::apply::{Applied, ApplyError, FailedWrite};
use slicewise::plan::writing::Slice;
use slicewise::plan::{Figures, HintsReport, Plan, ServiceRef};
use slicewise::topology::events::{Event, EventType};

use super::Controller;
use super::command::{ListError, Notice};
use crate::metrics::{Planned, SyncOutcome};

/// The state of a plan that is being written.
#[derive(Debug)]
pub(super) struct PlanUnderWay {
    service: ServiceRef<'static>,
    hints: Vec<HintsReport<'static>>,
    figures: Figures,
    events: Vec<Event>,
    /// Errors from planning.
    errors: Vec<String>,
    /// Slices to delete because the Service no longer has their family.
    unwanted: BTreeSet<String>,
}

impl PlanUnderWay {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let is_wanted = |family: &str| {
            plan.hints
                .iter()
                .any(|report| report.address_type.as_str() == family)
        };
        let unwanted = plan
            .delete
            .iter()
            .filter(|slice| !is_wanted(&slice.address_type));
        Self {
            service: plan.service.clone().into_owned(),
            hints: plan
                .hints
                .iter()
                .map(|report| report.clone().into_owned())
                .collect(),
            figures: plan.figures.clone(),
            events: plan.events.clone(),
            errors: plan
                .errors
                .iter()
                .map(|error| error.message.clone())
                .collect(),
            unwanted: unwanted.map(|slice| slice.name.to_string()).collect(),
        }
    }

    const fn planned(&self) -> Planned<'_> {
        Planned::new(&self.service, self.hints.as_slice(), &self.figures)
    }

    /// The reference's message for a failed write.
    fn failure<E: Display>(&self, service: &NamespacedName, failure: &FailedWrite<E>) -> String {
        let FailedWrite {
            operation,
            slice,
            error,
            ..
        } = failure;
        match *operation {
            "create" => format!("failed to create EndpointSlice for Service {service}: {error}"),
            "delete" if self.unwanted.contains(slice) => {
                format!("error deleting {slice} EndpointSlice for Service {service}: {error}")
            }
            _ => format!(
                "failed to {operation} {slice} EndpointSlice for Service {service}: {error}"
            ),
        }
    }
}

/// Several errors as one message, without duplicates (reference: `utilerrors.NewAggregate`).
fn aggregate(mut errors: Vec<String>) -> String {
    let mut seen = BTreeSet::new();
    errors.retain(|error| seen.insert(error.clone()));
    match errors.as_slice() {
        [only] => only.clone(),
        _ => format!("[{}]", errors.join(", ")),
    }
}

impl Controller {
    /// Must the Service be planned? If not, this ends its sync.
    pub(super) fn needs_plan(&mut self, service: &NamespacedName) -> bool {
        let is_deleted = self.deleted.remove(service);
        let is_reconciled = self.session.is_reconciled(service);
        let result = match is_reconciled {
            Some(reconciled) if !is_deleted => {
                if reconciled && !self.is_stale(service) {
                    return true;
                }
                if reconciled {
                    SyncOutcome::Stale
                } else {
                    SyncOutcome::Success
                }
            }
            _ => {
                self.forget(service);
                SyncOutcome::Success
            }
        };
        self.end(service, result, Vec::new());
        false
    }

    fn is_stale(&mut self, service: &NamespacedName) -> bool {
        let settings = self.session.options().settings();
        if settings.kubernetes.has(Behavior::ServiceUid)
            && let Some(found) = self.session.service(service)
        {
            self.tracker.follow(service, &found.metadata.uid);
        }
        let is_stale = self.tracker.is_stale(service);
        #[cfg(test)]
        {
            let slices = self.session.tracked_slices(service);
            assert_eq!(is_stale, self.tracker.stale_slices(service, slices));
        }
        is_stale
    }

    /// Drops all state of a deleted Service.
    fn forget(&mut self, service: &NamespacedName) {
        self.session.remove_service(service);
        self.tracker.delete_service(service);
        self.metrics.forget_service(service);
    }

    /// Takes the result of writing the plan of a Service, from [`Plan::apply`] or
    /// [`slicewise::plan::writing::Writing::finish`]. Returns false, and changes nothing, if no plan of the Service is
    /// being written.
    pub fn complete<S: Slice, E: Display>(
        &mut self,
        service: &NamespacedName,
        outcome: Result<Applied<S>, ApplyError<S, E>>,
        now: core::time::Duration,
    ) -> bool {
        self.advance(now);
        let Some(under_way) = self.under_way.remove(service) else {
            return false;
        };
        let (applied, failures) = match outcome {
            Ok(applied) => (applied, Vec::new()),
            Err(error) => (error.applied, error.failures),
        };
        self.expect(&under_way.service, &applied);
        // Only now, because abandoned plans are not counted.
        self.metrics.observe_plan(under_way.planned());
        self.metrics.observe_writes(under_way.planned(), &applied);
        let failures = failures
            .iter()
            .map(|failure| under_way.failure(service, failure));
        let mut errors = under_way.errors.clone();
        errors.extend(failures);
        let mut events = under_way.events;
        let result = if errors.is_empty() {
            SyncOutcome::Success
        } else {
            let errors = aggregate(errors);
            let message = format!("Error updating Endpoint Slices for Service {service}: {errors}");
            events.push(warning("FailedToUpdateEndpointSlices", message));
            SyncOutcome::Error
        };
        self.end(service, result, events);
        true
    }

    /// Remembers the writes, and which of them events have shown already: an event may arrive before the answer.
    fn expect<S: Slice>(&mut self, service: &ServiceRef<'_>, applied: &Applied<S>) {
        applied.record(service, &mut self.tracker);
        let written = applied.created.iter().chain(&applied.updated);
        let deleted = applied.deleted.iter().map(|slice| slice.name.as_str());
        for name in written.map(Slice::name).chain(deleted) {
            if let Some(slice) = self.session.tracked_slice(&service.namespace, name) {
                self.tracker.see(slice);
            }
        }
    }

    /// The caller could not write the plan of a Service, because its own store could not list the objects. Returns
    /// false, and changes nothing, if no plan of the Service is being written.
    pub fn abandon(
        &mut self,
        service: &NamespacedName,
        error: &ListError,
        now: core::time::Duration,
    ) -> bool {
        self.advance(now);
        if self.under_way.remove(service).is_none() {
            return false;
        }
        let (reason, what, error) = match error {
            ListError::Pods(error) => ("FailedToListPods", "Pods", error),
            ListError::EndpointSlices(error) => {
                ("FailedToListEndpointSlices", "Endpoint Slices", error)
            }
        };
        let message = format!("Error listing {what} for Service {service}: {error}");
        self.end(
            service,
            SyncOutcome::Error,
            [warning(reason, message)].into(),
        );
        true
    }

    fn end(&mut self, service: &NamespacedName, result: SyncOutcome, events: Vec<Event>) {
        self.metrics.observe_sync(result);
        let has_failed = result != SyncOutcome::Success;
        let may_retry = self.queue.retries(service) < self.config.retry.retries;
        self.told.push_back(Notice::Ended {
            service: service.clone(),
            result,
            is_dropped: has_failed && !may_retry,
        });
        let publish = |event| Notice::Publish {
            service: service.clone(),
            event,
        };
        self.told.extend(events.into_iter().map(publish));
        if has_failed && may_retry {
            let after = self.queue.add_rate_limited(service.clone(), self.now);
            self.told.push_back(Notice::Retry {
                service: service.clone(),
                after,
                retries: self.queue.retries(service),
            });
        } else {
            self.queue.forget(service);
        }
        self.queue.done(service);
    }
}

const fn warning(reason: &'static str, message: String) -> Event {
    Event {
        event_type: EventType::Warning,
        reason,
        message,
    }
}
