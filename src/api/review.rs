//! Admission reviews: `AdmissionReview` with a request in, `AdmissionReview` with a response out.
//!
//! Strict on bytes: a review that two decoders could read differently (a key twice, half a surrogate pair), that is
//! truncated, too large, or contradicts itself is an error, never a verdict.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::input::{self, Limits};
use super::objects::Said;
use super::snapshot::Snapshot;
use super::{encode, place};
use crate::admission::repeated::{self, Ambiguity};
use crate::admission::review::{API_VERSION, KIND, ReviewAnswer};
use crate::admission::settings::ReviewerConfig;
use crate::admission::{
    Change, Context, Operation, Policies, Request, ReviewedSlice, Subject, decide,
};
use crate::json::Raw;
use crate::model::object::slim_object;
use crate::model::read::Object;
use crate::model::{Service, Text};
use crate::{Code, Error};

/// Reviews larger than this are refused: an object and its predecessor of the largest legal size, and the envelope.
pub const MAX_REVIEW_BYTES: usize = 9 << 20;

/// Answers reviews over one snapshot, which is read once.
#[derive(Debug)]
pub struct Reviewer {
    context: Context,
    policies: Policies,
}

impl Reviewer {
    /// Reads the snapshot and the configuration. Both may be empty: nothing is known of the cluster then, and every
    /// policy has its defaults.
    ///
    /// # Errors
    /// When one of them cannot be read or holds a value that cannot be used.
    pub fn new(snapshot: &[u8], config: &[u8]) -> Result<Self, Error> {
        let config_text = input::text(config, Limits::default())?;
        let config = if config_text.trim().is_empty() {
            ReviewerConfig::default()
        } else {
            input::decode::<ReviewerConfig>(config_text)?
        };
        config
            .policies
            .check()
            .map_err(|error| place::locate(error, config_text))?;
        let text = input::text(snapshot, Limits::default())?;
        let context = if text.trim().is_empty() {
            Context::missing()
        } else {
            let snapshot = Snapshot::read(text)?;
            Context::new(
                &snapshot.services,
                &snapshot.pods,
                &snapshot.nodes,
                &snapshot.slices,
            )
        };
        Ok(Self {
            context,
            policies: config.policies,
        })
    }

    /// Answers one review.
    ///
    /// # Errors
    /// When the review cannot be read, or contradicts itself. No verdict can be given then.
    pub fn review(&self, review: &[u8]) -> Result<Vec<u8>, Error> {
        let text = read_text(review)?;
        let envelope: Envelope<'_> = input::decode(text)?;
        refuse_ambiguity(text)?;
        let request = Reading {
            text,
            envelope: &envelope,
        }
        .request()?;
        encode(&ReviewAnswer::new(decide(
            &request,
            &self.context,
            &self.policies,
        )))
    }
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
            format!(
                "the key `{}` is given twice in one object",
                crate::model::text::shorten(&key)
            ),
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
    pub(super) struct Envelope<'a>("AdmissionReview") {
        "apiVersion" api_version: Text<'a> = required;
        "kind" kind: Text<'a> = required;
        "request" request: EnvelopeRequest<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    pub(super) struct EnvelopeRequest<'a>("AdmissionRequest") {
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
    fn kind(&self, raw: &'a str) -> Option<Text<'a>>;
    fn namespace(&self) -> &str;
    fn name(&self) -> &str;
}

impl<'a> ReviewedObject<'a> for ReviewedSlice<'a> {
    fn kind(&self, _: &'a str) -> Option<Text<'a>> {
        Some(self.kind.clone())
    }

    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn name(&self) -> &str {
        &self.metadata.name
    }
}

impl<'a> ReviewedObject<'a> for Service<'a> {
    fn kind(&self, raw: &'a str) -> Option<Text<'a>> {
        input::decode::<Said<'a>>(raw).ok().map(|said| said.kind)
    }

    fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    fn name(&self) -> &str {
        &self.metadata.name
    }
}

struct Reading<'e, 'a> {
    text: &'a str,
    envelope: &'e Envelope<'a>,
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
            Subject::Service(change) => change.object().metadata.name.clone(),
            Subject::Other => Text::default(),
        })
    }

    fn subject(&self, operation: Operation, namespace: &str) -> Result<Subject<'a>, Error> {
        let request = &self.envelope.request;
        let is_subresource = request
            .sub_resource
            .as_ref()
            .is_some_and(|name| !name.is_empty());
        if is_subresource || operation == Operation::Connect {
            return Ok(Subject::Other);
        }
        match (
            request.kind.group.as_str(),
            request.kind.version.as_str(),
            request.kind.kind.as_str(),
        ) {
            ("discovery.k8s.io", "v1", "EndpointSlice") => {
                Ok(Subject::EndpointSlice(self.change(operation, namespace)?))
            }
            ("", "v1", "Service") => Ok(Subject::Service(self.change(operation, namespace)?)),
            ("discovery.k8s.io", _, "EndpointSlice") | ("", _, "Service") => {
                let message = format!(
                    "only version v1 of {} is read; set `matchPolicy: Equivalent`",
                    request.kind.kind
                );
                Err(self.error(Code::Unsupported, message, "/request/kind/version"))
            }
            _ => Ok(Subject::Other),
        }
    }

    fn change<T: ReviewedObject<'a> + Default>(
        &self,
        operation: Operation,
        namespace: &str,
    ) -> Result<Change<T>, Error> {
        let request = &self.envelope.request;
        if namespace.is_empty() {
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
            .map_err(|error| place::within(&error, path, self.text, raw.get()))?;
        let request = &self.envelope.request;
        let kind = object.kind(raw.get()).unwrap_or_default();
        let claims = [
            ("/kind", "kind", kind.as_str(), request.kind.kind.as_str()),
            (
                "/metadata/namespace",
                "namespace",
                object.namespace(),
                namespace,
            ),
            (
                "/metadata/name",
                "name",
                object.name(),
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
        place::locate(Error::new(code, message).at(path), self.text)
    }
}

#[cfg(test)]
mod tests;
