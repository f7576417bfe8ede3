//! `apply: manual`: results of plans that somebody else writes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::ControllerStream;
use super::record::{AppliedRecord, ResultRecord};
use crate::model::EndpointSlice;
use crate::plan::Plan;
use crate::plan::apply::{Applied, ApplyError};
use crate::plan::writing::{Answer, Operation};
use crate::simulation::api_server::{ApiError, Refusal};
use crate::{Code, Error};

type Outcome =
    Result<Applied<EndpointSlice<'static>>, ApplyError<EndpointSlice<'static>, ApiError>>;

impl ControllerStream {
    pub(super) fn take_result(&mut self, result: ResultRecord<'_>) -> Result<(), Error> {
        let (service, refusal) = (result.service()?, result.refusal()?);
        let wrong =
            |message: String, path: &str| Err(Error::new(Code::InvalidValue, message).at(path));
        let Some(plan) = self.pending.get(&service) else {
            let message = format!("no plan of `{service}` waits for a result");
            return wrong(message, "/result/service");
        };
        if refusal.is_some() && plan.is_empty() {
            let message = format!("the plan of `{service}` has no write that could be refused");
            return wrong(message, "/result/error");
        }
        let outcome = outcome(plan, refusal, result.applied);
        self.pending.remove(&service);
        self.controller.complete(&service, outcome, self.now);
        Ok(())
    }
}

/// What came of a plan. Without `applied`, all writes were made, or none if one was refused.
fn outcome(
    plan: &Plan<'_>,
    refusal: Option<Refusal>,
    applied: Option<AppliedRecord<'_>>,
) -> Outcome {
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
    // Of a slice whose uid nobody has told, no event can be expected.
    applied
        .created
        .retain(|slice| !slice.metadata.uid.is_empty());
    outcome
}

/// What is said to have been written.
struct Stored {
    created: Vec<EndpointSlice<'static>>,
    updated: Vec<EndpointSlice<'static>>,
    deleted: Vec<String>,
}

impl Stored {
    fn new(applied: AppliedRecord<'_>) -> Self {
        let own = |slices: Vec<EndpointSlice<'_>>| {
            slices.into_iter().map(EndpointSlice::into_owned).collect()
        };
        Self {
            created: own(applied.created),
            updated: own(applied.updated),
            deleted: applied.deleted.iter().map(ToString::to_string).collect(),
        }
    }

    /// What came of a write, if it is said; each is taken once.
    fn take(
        &mut self,
        operation: Operation<'_, EndpointSlice<'_>>,
    ) -> Option<Answer<EndpointSlice<'static>, ApiError>> {
        let done = |slices: &mut Vec<EndpointSlice<'static>>, place: Option<usize>| {
            place.map(|place| Answer::Done(Some(Box::new(slices.remove(place)))))
        };
        match operation {
            Operation::Create(slice) => {
                let is_it = |stored: &EndpointSlice<'_>| stored.address_type == slice.address_type;
                let place = self.created.iter().position(is_it);
                done(&mut self.created, place)
            }
            Operation::Update(slice) => {
                let is_it = |stored: &EndpointSlice<'_>| stored.name() == slice.name();
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
