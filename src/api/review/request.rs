//! The text of an AdmissionReview into the request that is judged.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::super::input::{self, Limits};
use super::super::objects::Said;
use super::super::place;
use super::MAX_REVIEW_BYTES;
use crate::admission::objects::Exposure;
use crate::admission::repeated::{self, Ambiguity};
use crate::admission::response::{API_VERSION, KIND};
use crate::admission::{
    Change, Operation, Request, ReviewedEndpoints, ReviewedService, ReviewedSlice, Subject, Written,
};
use crate::json::Raw;
use crate::model::object::slim_object;
use crate::model::read::Object;
use crate::model::text::shorten;
use crate::model::{Named, Node, Service, Text};
use crate::{Code, Error};

mod at_rest;

pub(in crate::api) use at_rest::read_object;

/// Reads a review.
///
/// # Errors
/// When it cannot be read, or contradicts itself.
pub(super) fn read_request(review: &[u8]) -> Result<Request<'_>, Error> {
    let text = read_text(review)?;
    let envelope: Envelope<'_> = input::decode(text)?;
    refuse_ambiguity(text)?;
    let reading = Reading {
        text,
        envelope: &envelope,
        is_object: false,
    };
    reading.request()
}

fn read_text(review: &[u8]) -> Result<&str, Error> {
    if review.len() > MAX_REVIEW_BYTES {
        let message = format!(
            "the review has {} bytes, more than the {MAX_REVIEW_BYTES} that are taken; no legal object is that large",
            review.len()
        );
        return Err(Error::new(Code::TooLarge, message));
    }
    input::text(review, Limits::default())
}

fn refuse_ambiguity(text: &str) -> Result<(), Error> {
    let (message, offset) = match repeated::find(text) {
        None => return Ok(()),
        Some(Ambiguity::RepeatedKey(key, offset)) => (
            format!("the key `{}` is given twice in one object", shorten(&key)),
            offset,
        ),
        Some(Ambiguity::HalfSurrogate(offset)) => (
            "half a surrogate pair is no Unicode text".to_owned(),
            offset,
        ),
    };
    let (line, column) = place::position(text.as_bytes(), offset);
    Err(Error::new(Code::InvalidJson, message).on(line, column))
}

slim_object! {
    /// The review as it is written. Unknown fields are let pass: the API grows.
    #[derive(Default)]
    pub(in crate::api) struct Envelope<'a>("AdmissionReview") {
        "apiVersion" api_version: Text<'a> = required;
        "kind" kind: Text<'a> = required;
        "request" request: EnvelopeRequest<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    pub(in crate::api) struct EnvelopeRequest<'a>("AdmissionRequest") {
        "uid" uid: Text<'a> = required;
        "kind" kind: GroupVersionKind<'a> = required;
        "subResource" sub_resource: Option<Text<'a>>;
        "name" name: Option<Text<'a>>;
        "namespace" namespace: Option<Text<'a>>;
        "operation" operation: Text<'a> = required;
        "userInfo" user_info: Option<UserInfo<'a>>;
        "object" object: Option<Raw<'a>>;
        "oldObject" old_object: Option<Raw<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    struct GroupVersionKind<'a>("GroupVersionKind") {
        "group" group: Text<'a> = required;
        "version" version: Text<'a> = required;
        "kind" kind: Text<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    struct UserInfo<'a>("UserInfo") {
        "username" username: Option<Text<'a>>;
    }
}

/// An object that policies look at, and what it says of itself, which must be what the request says of it.
trait ReviewedObject<'a>: Object<'a> {
    fn kind(&self, raw: &'a str) -> Option<Text<'a>> {
        said_kind(raw)
    }

    /// Its namespace, empty if it has none, and its name.
    fn full_name(&self) -> (&str, &str);
}

impl<'a> ReviewedObject<'a> for ReviewedSlice<'a> {
    fn kind(&self, _: &'a str) -> Option<Text<'a>> {
        Some(self.kind.clone())
    }

    fn full_name(&self) -> (&str, &str) {
        self.metadata.full_name()
    }
}

impl<'a> ReviewedObject<'a> for ReviewedEndpoints<'a> {
    fn kind(&self, _: &'a str) -> Option<Text<'a>> {
        Some(self.kind.clone())
    }

    fn full_name(&self) -> (&str, &str) {
        self.metadata.full_name()
    }
}

impl<'a> ReviewedObject<'a> for Service<'a> {
    fn full_name(&self) -> (&str, &str) {
        Named::full_name(self)
    }
}

impl<'a> ReviewedObject<'a> for Node<'a> {
    fn full_name(&self) -> (&str, &str) {
        Named::full_name(self)
    }
}

fn said_kind(raw: &str) -> Option<Text<'_>> {
    input::decode::<Said<'_>>(raw).ok().map(|said| said.kind)
}

struct Reading<'e, 'a> {
    text: &'a str,
    envelope: &'e Envelope<'a>,
    /// The text is that of the object alone, of which a request was made.
    is_object: bool,
}

impl<'a> Reading<'_, 'a> {
    fn request(&self) -> Result<Request<'a>, Error> {
        let Envelope {
            api_version,
            kind,
            request,
        } = self.envelope;
        if *kind != KIND || *api_version != API_VERSION {
            let message = format!(
                "only {KIND} of {API_VERSION} is spoken; list `v1` first in admissionReviewVersions"
            );
            return Err(self.error(
                Code::Unsupported,
                message,
                if *kind == KIND {
                    "/apiVersion"
                } else {
                    "/kind"
                },
            ));
        }
        if request.uid.is_empty() {
            return Err(self.error(
                Code::InvalidValue,
                "the request needs a uid, which the response repeats",
                "/request/uid",
            ));
        }
        let Some(operation) = Operation::parse(&request.operation) else {
            let message = "the operation must be CREATE, UPDATE, DELETE or CONNECT";
            return Err(self.error(Code::InvalidValue, message, "/request/operation"));
        };
        let namespace = request.namespace.clone().unwrap_or_default();
        let subject = self.subject(operation, &namespace)?;
        Ok(Request {
            uid: request.uid.clone(),
            group: request.kind.group.clone(),
            kind: request.kind.kind.clone(),
            name: self.name(&subject),
            namespace,
            user: request
                .user_info
                .as_ref()
                .and_then(|user| user.username.clone())
                .unwrap_or_default(),
            subject,
            written: Written {
                review: Some(self.text),
                object: request.object,
                old_object: request.old_object,
            },
        })
    }

    /// The API server may leave the name out of the request while it makes one up for the object.
    fn name(&self, subject: &Subject<'a>) -> Text<'a> {
        let named = self
            .envelope
            .request
            .name
            .clone()
            .filter(|name| !name.is_empty());
        named.unwrap_or_else(|| match subject {
            Subject::EndpointSlice(change) => change.object().metadata.name.clone(),
            Subject::Service(change) => change.object().service.metadata.name.clone(),
            Subject::Node(change) => change.object().metadata.name.clone(),
            Subject::Endpoints(change) => change.object().metadata.name.clone(),
            Subject::Other => Text::default(),
        })
    }

    fn subject(&self, operation: Operation, namespace: &str) -> Result<Subject<'a>, Error> {
        let GroupVersionKind {
            group,
            version,
            kind,
        } = &self.envelope.request.kind;
        let judged = matches!(
            (group.as_str(), kind.as_str()),
            ("discovery.k8s.io", "EndpointSlice") | ("", "Service" | "Node" | "Endpoints")
        );
        let subresource = self
            .envelope
            .request
            .sub_resource
            .as_deref()
            .unwrap_or_default();
        // The status of a Service says where nodes take its traffic; that of a Node is written every few seconds, and what
        // matters of it stands in no hint until its zone does.
        let is_judged_part =
            subresource.is_empty() || (subresource == "status" && *kind == "Service");
        if !judged || !is_judged_part || operation == Operation::Connect {
            return Ok(Subject::Other);
        }
        if *version != "v1" {
            let message =
                format!("only version v1 of {kind} is read; set `matchPolicy: Equivalent`");
            return Err(self.error(Code::Unsupported, message, "/request/kind/version"));
        }
        Ok(match kind.as_str() {
            "EndpointSlice" => Subject::EndpointSlice(self.change(operation, namespace)?),
            "Endpoints" => Subject::Endpoints(self.change(operation, namespace)?),
            "Node" => Subject::Node(self.change(operation, "")?),
            _ => Subject::Service(self.service_change(operation, namespace)?),
        })
    }

    /// Where a Service takes traffic from is read beside what plans read of it.
    fn service_change(
        &self,
        operation: Operation,
        namespace: &str,
    ) -> Result<Change<ReviewedService<'a>>, Error> {
        let change: Change<Service<'a>> = self.change(operation, namespace)?;
        let request = &self.envelope.request;
        let exposed = |service: Service<'a>, raw: Option<Raw<'a>>, path: &str| {
            let mut exposure = Exposure::default();
            if let Some(raw) = raw {
                input::decode_into(&mut exposure, raw.get()).map_err(|error| {
                    place::within(&error, self.place(path), self.text, raw.get())
                })?;
            }
            Ok(ReviewedService { service, exposure })
        };
        let (object, old_object) = (request.object, request.old_object);
        Ok(match change {
            Change::Create(new) => Change::Create(exposed(new, object, "/request/object")?),
            Change::Update { old, new } => {
                let mut new = exposed(new, object, "/request/object")?;
                let old = exposed(old, old_object, "/request/oldObject")?;
                if request
                    .sub_resource
                    .as_deref()
                    .is_some_and(|part| part == "status")
                {
                    // Whatever else is written with a status does not count.
                    new.service = old.service.clone();
                    new.exposure.spec = old.exposure.spec.clone();
                }
                Change::Update { old, new }
            }
            Change::Delete(old) => Change::Delete(exposed(old, old_object, "/request/oldObject")?),
        })
    }

    fn change<T: ReviewedObject<'a> + Default>(
        &self,
        operation: Operation,
        namespace: &str,
    ) -> Result<Change<T>, Error> {
        let request = &self.envelope.request;
        if namespace.is_empty() && request.kind.kind != "Node" {
            let message = format!(
                "{} objects live in a namespace; the request must name it",
                request.kind.kind
            );
            return Err(self.error(Code::MissingField, message, "/request/namespace"));
        }
        let read = |raw: Option<Raw<'a>>, path: &str| self.object(raw, path, namespace);
        Ok(match operation {
            Operation::Update => Change::Update {
                new: read(request.object, "/request/object")?,
                old: read(request.old_object, "/request/oldObject")?,
            },
            Operation::Delete => Change::Delete(read(request.old_object, "/request/oldObject")?),
            Operation::Create | Operation::Connect => {
                Change::Create(read(request.object, "/request/object")?)
            }
        })
    }

    fn object<T: ReviewedObject<'a> + Default>(
        &self,
        raw: Option<Raw<'a>>,
        path: &str,
        namespace: &str,
    ) -> Result<T, Error> {
        let mut object = T::default();
        self.read_into(&mut object, raw, path, namespace)?;
        Ok(object)
    }

    fn read_into(
        &self,
        object: &mut dyn ReviewedObject<'a>,
        raw: Option<Raw<'a>>,
        path: &str,
        namespace: &str,
    ) -> Result<(), Error> {
        let Some(raw) = raw else {
            let message = format!(
                "a request to {} needs this object",
                self.envelope.request.operation
            );
            return Err(self.error(Code::MissingField, message, path));
        };
        input::decode_into(object, raw.get())
            .map_err(|error| place::within(&error, self.place(path), self.text, raw.get()))?;
        let request = &self.envelope.request;
        let kind = object.kind(raw.get()).unwrap_or_default();
        let (own_namespace, own_name) = object.full_name();
        let claims = [
            ("/kind", "kind", kind.as_str(), request.kind.kind.as_str()),
            ("/metadata/namespace", "namespace", own_namespace, namespace),
            (
                "/metadata/name",
                "name",
                own_name,
                request.name.as_deref().unwrap_or_default(),
            ),
        ];
        for (place, what, claimed, said) in claims {
            if !claimed.is_empty() && !said.is_empty() && claimed != said {
                let message = format!("the {what} of the object is not that of the request");
                return Err(self.error(Code::InvalidValue, message, &format!("{path}{place}")));
            }
        }
        Ok(())
    }

    fn error(&self, code: Code, message: impl Into<String>, path: &str) -> Error {
        place::locate(Error::new(code, message).at(self.place(path)), self.text)
    }
}
