//! Turns the text of an AdmissionReview into the request to judge.

use alloc::format;
use alloc::string::String;

use super::MAX_REVIEW_BYTES;
use super::envelope::{
    Claims, ENVELOPE, EnvelopeRequest, GroupVersionKind, JudgedKind, RequestOptions,
    ReviewEnvelope, Reviewed, SentRequest,
};
use crate::response::{API_VERSION, KIND};
use crate::workloads::WORKLOADS;
use crate::{
    AdmissionOperation, ObjectChange, Request, RequestText, ReviewSubject, ReviewedService,
};
use slicewise::api::{Limits, input, place};
use slicewise::model::Text;
use slicewise::model::read::{Object, ObjectReader};
use slicewise::{Code, Error};
use slicewise_json::{LayoutMemory, Raw, find_ambiguity};

mod at_rest;

pub(crate) use at_rest::read_object;

/// Reads a review: envelope and objects at once, in place.
///
/// If that fails, it is read in steps, and the first step that fails says what is wrong: not JSON, ambiguous, not a
/// request that can be judged, no such object. Reviews whose objects are needed as written are read in steps as well.
///
/// # Errors
/// When it cannot be read or is inconsistent.
pub(super) fn read_request<'a>(
    review: &'a [u8],
    is_whole: bool,
    memory: &mut LayoutMemory,
) -> Result<Request<'a>, Error> {
    let text = read_text(review)?;
    let request = match is_whole {
        true => None,
        false => read_at_once(text, memory),
    };
    request.map_or_else(|| read_in_steps(text), Ok)
}

fn read_in_steps(text: &str) -> Result<Request<'_>, Error> {
    let envelope = input::decode(text)?;
    refuse_ambiguity(text)?;
    RequestReading::review(text, envelope).request()
}

fn refuse_ambiguity(text: &str) -> Result<(), Error> {
    match find_ambiguity(text) {
        Some(fault) => Err(input::place_fault(text, &fault)),
        None => Ok(()),
    }
}

fn read_at_once<'a>(text: &'a str, memory: &mut LayoutMemory) -> Option<Request<'a>> {
    let mut reader = ObjectReader::unambiguous(text, core::mem::take(memory));
    let mut envelope = ReviewEnvelope::default();
    envelope.request.is_at_once = true;
    let node = reader.memory.root(ENVELOPE);
    let read = reader.object(&mut envelope, Some(node));
    let read = read.and_then(|()| reader.end());
    *memory = reader.into_memory();
    read.ok()?;
    RequestReading::review(text, envelope).request().ok()
}

fn read_text(review: &[u8]) -> Result<&str, Error> {
    if review.len() > MAX_REVIEW_BYTES {
        return Err(too_large(review.len()));
    }
    input::text(review, Limits::default())
}

/// The error of a review with so many bytes.
pub(super) fn too_large(count: usize) -> Error {
    let message = format!(
        "the review has {count} bytes, more than the limit of {MAX_REVIEW_BYTES}; no legal object is that large"
    );
    Error::new(Code::TooLarge, message)
}

struct RequestReading<'a> {
    text: &'a str,
    envelope: ReviewEnvelope<'a>,
    /// The text is only the object, from which a request was made.
    is_object: bool,
}

impl<'a> RequestReading<'a> {
    const fn review(text: &'a str, envelope: ReviewEnvelope<'a>) -> Self {
        Self {
            text,
            envelope,
            is_object: false,
        }
    }

    fn request(mut self) -> Result<Request<'a>, Error> {
        let ReviewEnvelope {
            api_version, kind, ..
        } = &self.envelope;
        if *kind != KIND || *api_version != API_VERSION {
            let message = format!(
                "only {KIND} of {API_VERSION} is supported; list `v1` first in admissionReviewVersions"
            );
            let place = match *kind == KIND {
                true => "/apiVersion",
                false => "/kind",
            };
            return Err(self.error(Code::Unsupported, message, place));
        }
        let request = self.sent();
        if request.uid.is_empty() {
            let message = "the request needs a uid, which the response repeats";
            return Err(self.error(Code::InvalidValue, message, "/request/uid"));
        }
        let Some(operation) = AdmissionOperation::parse(&request.operation) else {
            let message = "the operation must be CREATE, UPDATE, DELETE or CONNECT";
            return Err(self.error(Code::InvalidValue, message, "/request/operation"));
        };
        let subject = self.subject(operation)?;
        let orphans = self.orphans(&subject)?;
        let request = self.envelope.request.request;
        let name = request.name.filter(|name| !name.is_empty());
        let by = request.user_info.unwrap_or_default();
        Ok(Request {
            uid: request.uid,
            group: request.kind.group,
            kind: request.kind.kind,
            name: name.unwrap_or_else(|| own_name(&subject)),
            namespace: request.namespace.unwrap_or_default(),
            user: by.username.unwrap_or_default(),
            groups: by.groups,
            operation: match self.is_object {
                true => Text::default(),
                false => request.operation,
            },
            dry_run: request.dry_run,
            orphans,
            subject,
            written: RequestText {
                review: (!self.is_object).then_some(self.text),
                object: request.object,
                old_object: request.old_object,
            },
        })
    }

    const fn sent(&self) -> &EnvelopeRequest<'a> {
        &self.envelope.request.request
    }

    fn subject(&mut self, operation: AdmissionOperation) -> Result<ReviewSubject<'a>, Error> {
        let request = self.sent();
        let kind = request.judged_kind();
        let kind = kind.filter(|_| operation != AdmissionOperation::Connect);
        let Some(kind) = kind else {
            return Ok(ReviewSubject::Other);
        };
        let GroupVersionKind {
            version,
            kind: said,
            ..
        } = &request.kind;
        if *version != "v1" {
            let message =
                format!("only version v1 of {said} is supported; set `matchPolicy: Equivalent`");
            return Err(self.error(Code::Unsupported, message, "/request/kind/version"));
        }
        Ok(match kind {
            JudgedKind::EndpointSlice => {
                ReviewSubject::EndpointSlice(self.change(operation, |of| &mut of.slice.read)?)
            }
            JudgedKind::Endpoints => {
                ReviewSubject::Endpoints(self.change(operation, |of| &mut of.endpoints)?)
            }
            JudgedKind::Node => ReviewSubject::Node(self.change(operation, |of| &mut of.node)?),
            JudgedKind::Service => ReviewSubject::Service(self.service_change(operation)?),
            JudgedKind::Workload => {
                let mut kinds = WORKLOADS.into_iter();
                let kind = kinds.find(|kind| *said == **kind).unwrap_or_default();
                ReviewSubject::Workload(kind, self.change(operation, |of| &mut of.workload)?)
            }
            JudgedKind::Scale => ReviewSubject::Scale(self.change(operation, |of| &mut of.scale)?),
            JudgedKind::Pod => ReviewSubject::Pod(self.change(operation, |of| &mut of.pod)?),
            JudgedKind::Eviction => {
                ReviewSubject::Eviction(self.change(operation, |of| &mut of.pod)?)
            }
        })
    }

    /// What a workload leaves behind; of other objects nobody asks.
    fn orphans(&self, subject: &ReviewSubject<'a>) -> Result<bool, Error> {
        let options = self.sent().options;
        if !matches!(subject, ReviewSubject::Workload(_, ObjectChange::Delete(_)))
            || options.is_none()
        {
            return Ok(false);
        }
        let mut read = RequestOptions::default();
        self.read_into(&mut read, options, "/request/options")?;
        Ok(read.orphan())
    }

    fn service_change(
        &mut self,
        operation: AdmissionOperation,
    ) -> Result<ObjectChange<ReviewedService<'a>>, Error> {
        let change = self.change(operation, |of| &mut of.service)?;
        let mut change = change.turned(ReviewedService::from);
        // The API server keeps either what is written to the status or everything else (reference: `svcStrategy`,
        // `serviceStatusStrategy`).
        match (&mut change, self.sent().sub_resource.as_deref()) {
            (ObjectChange::Update { old, new }, Some("status")) => {
                new.service = old.service.clone();
                new.exposure.spec = old.exposure.spec.clone();
            }
            (ObjectChange::Update { old, new }, _) => {
                new.exposure.status = old.exposure.status.clone();
            }
            (ObjectChange::Create(new), _) => new.exposure.status = Default::default(),
            (ObjectChange::Delete(_), _) => {}
        }
        Ok(change)
    }

    fn change<T: Claims<'a> + Default>(
        &mut self,
        operation: AdmissionOperation,
        place: for<'p> fn(&'p mut Reviewed<'a>) -> &'p mut Option<T>,
    ) -> Result<ObjectChange<T>, Error> {
        let request = self.sent();
        let is_namespaced = request.kind.kind != "Node";
        if is_namespaced && request.namespace.as_deref().is_none_or(str::is_empty) {
            let message = format!(
                "{} objects live in a namespace; the request must name it",
                request.kind.kind
            );
            return Err(self.error(Code::MissingField, message, "/request/namespace"));
        }
        let SentRequest {
            request,
            object,
            old_object,
            ..
        } = &mut self.envelope.request;
        let new = (place(object).take(), request.object, "/request/object");
        let old = (
            place(old_object).take(),
            request.old_object,
            "/request/oldObject",
        );
        Ok(match operation {
            AdmissionOperation::Update => ObjectChange::Update {
                new: self.object(new)?,
                old: self.object(old)?,
            },
            AdmissionOperation::Delete => ObjectChange::Delete(self.object(old)?),
            AdmissionOperation::Create | AdmissionOperation::Connect => {
                ObjectChange::Create(self.object(new)?)
            }
        })
    }

    /// An object that was read along with the request, or else is read from its text.
    fn object<T: Claims<'a> + Default>(
        &self,
        (object, raw, path): (Option<T>, Option<Raw<'a>>, &str),
    ) -> Result<T, Error> {
        let object = match object {
            Some(object) => object,
            None => {
                let mut object = T::default();
                self.read_into(&mut object, raw, path)?;
                object
            }
        };
        self.check(&object, path)?;
        Ok(object)
    }

    fn read_into(
        &self,
        object: &mut dyn Object<'a>,
        raw: Option<Raw<'a>>,
        path: &str,
    ) -> Result<(), Error> {
        let Some(raw) = raw else {
            let message = format!("a request to {} needs this object", self.sent().operation);
            return Err(self.error(Code::MissingField, message, path));
        };
        input::decode_into(object, raw.get())
            .map_err(|error| place::within(&error, self.place(path), self.text, raw.get()))
    }

    fn check(&self, object: &dyn Claims<'a>, path: &str) -> Result<(), Error> {
        let request = self.sent();
        let is_of_node = request.kind.kind == "Node";
        let namespace = request.namespace.as_deref().filter(|_| !is_of_node);
        let (own_namespace, own_name) = object.full_name();
        let claims = [
            (
                "kind",
                "/kind",
                object.kind(),
                Some(request.kind.kind.as_str()),
            ),
            ("namespace", "/metadata/namespace", own_namespace, namespace),
            ("name", "/metadata/name", own_name, request.name.as_deref()),
        ];
        for (what, place, claimed, said) in claims {
            let said = said.unwrap_or_default();
            if !claimed.is_empty() && !said.is_empty() && claimed != said {
                let message = format!("the {what} of the object differs from that of the request");
                return Err(self.error(Code::InvalidValue, message, &format!("{path}{place}")));
            }
        }
        Ok(())
    }

    fn error(&self, code: Code, message: impl Into<String>, path: &str) -> Error {
        place::locate(Error::new(code, message).at(self.place(path)), self.text)
    }
}

/// The API server may omit the name from the request while it generates one for the object.
fn own_name<'a>(subject: &ReviewSubject<'a>) -> Text<'a> {
    match subject {
        ReviewSubject::EndpointSlice(change) => change.object().metadata.name.clone(),
        ReviewSubject::Service(change) => change.object().service.metadata.name.clone(),
        ReviewSubject::Node(change) => change.object().metadata.name.clone(),
        ReviewSubject::Endpoints(change) => change.object().metadata.name.clone(),
        ReviewSubject::Workload(_, change) => change.object().metadata.name.clone(),
        ReviewSubject::Scale(change) => change.object().metadata.name.clone(),
        ReviewSubject::Pod(change) | ReviewSubject::Eviction(change) => {
            change.object().metadata.name.clone()
        }
        ReviewSubject::Other => Text::default(),
    }
}

#[cfg(test)]
mod tests;
