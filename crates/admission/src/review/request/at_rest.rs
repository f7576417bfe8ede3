//! Turns an existing object into the request that would be judged if it were written now.

use alloc::borrow::ToOwned as _;

use super::super::envelope::SentRequest;
use super::{
    EnvelopeRequest, GroupVersionKind, RequestReading, ReviewEnvelope, read_text, refuse_ambiguity,
};
use crate::Request;
use crate::response::{API_VERSION, KIND};
use slicewise::Error;
use slicewise::api::input;
use slicewise::model::Text;
use slicewise::model::object::slim_object;

slim_object! {
    /// The identity of an object.
    #[derive(Default)]
    struct PartialObject<'a>("Kubernetes object") {
        "apiVersion" api_version: Text<'a> = required;
        "kind" kind: Text<'a> = required;
        "metadata" metadata: PartialMeta<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct PartialMeta<'a>("ObjectMeta") {
        "name" name: Text<'a>;
        "namespace" namespace: Option<Text<'a>>;
        "uid" uid: Option<Text<'a>>;
    }
}

/// Reads an existing object as if it were being created; `None` if the input is a review.
///
/// # Errors
/// Same as [`read_request`](super::read_request).
pub(crate) fn read_object(given: &[u8]) -> Result<Option<Request<'_>>, Error> {
    let text = read_text(given)?;
    let head: PartialObject<'_> = input::decode(text)?;
    if head.kind == *KIND {
        return Ok(None);
    }
    refuse_ambiguity(text)?;
    let (group, version) = match head.api_version.split_once('/') {
        Some((group, version)) => (group.to_owned().into(), version.to_owned().into()),
        None => (Text::default(), head.api_version.clone()),
    };
    let PartialMeta {
        name,
        namespace,
        uid,
    } = head.metadata;
    let request = EnvelopeRequest {
        uid: uid
            .filter(|uid| !uid.is_empty())
            .unwrap_or_else(|| AT_REST.into()),
        kind: GroupVersionKind {
            group,
            version,
            kind: head.kind,
        },
        name: Some(name),
        namespace,
        operation: CREATE.into(),
        object: Some(input::decode_raw(text)?),
        ..EnvelopeRequest::default()
    };
    let envelope = ReviewEnvelope {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        request: SentRequest {
            request,
            ..SentRequest::default()
        },
    };
    let reading = RequestReading {
        text,
        envelope,
        is_object: true,
    };
    reading.request().map(Some)
}

/// The uid of a review that no API server has sent.
const AT_REST: &str = "at-rest";
const CREATE: &str = "CREATE";

impl RequestReading<'_> {
    /// A path in the request, as a path in the input.
    pub(super) fn place<'p>(&self, path: &'p str) -> &'p str {
        if !self.is_object {
            return path;
        }
        match path {
            "/request/namespace" => "/metadata/namespace",
            "/request/kind/version" => "/apiVersion",
            _ => path.strip_prefix("/request/object").unwrap_or(path),
        }
    }
}
