//! The input of a review: AdmissionReviews, or manifests to turn into them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use slicewise::api::is_watch_event;
use slicewise::{Code, Error};

use crate::failure::not_json;

/// The kind of a review.
const REVIEW: &str = "AdmissionReview";
/// Maximum nesting of lists.
const MOST_NESTED: usize = 8;

/// The kinds of input, recognized by content.
pub(super) enum ReviewInput<'i> {
    /// AdmissionReviews as they are given.
    Reviews(Vec<Cow<'i, str>>),
    /// The desired state of objects.
    Manifests(Vec<Cow<'i, str>>),
}

/// The fields that tell the two apart.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListHead<'i> {
    #[serde(borrow, default)]
    api_version: Option<Cow<'i, str>>,
    #[serde(borrow, default)]
    kind: Option<Cow<'i, str>>,
    #[serde(borrow, default)]
    items: Option<Vec<&'i RawValue>>,
}

impl<'i> ReviewInput<'i> {
    /// Reads one or more values, including lists.
    ///
    /// # Errors
    /// If the input is empty, or mixes reviews and manifests.
    pub(super) fn read(json: &'i [u8]) -> Result<Self, Error> {
        let text = text_of(json)?;
        let objects = match read_objects(text) {
            Ok(objects) => objects,
            // The reviewer's error message is better.
            Err((_, true)) => return Ok(Self::Reviews(vec![text.into()])),
            Err((error, false)) => return Err(error),
        };
        if objects.is_empty() {
            return Err(Error::new(
                Code::InvalidValue,
                "it contains nothing to review",
            ));
        }
        let reviews = objects.iter().filter(|object| is_review(object)).count();
        if reviews == objects.len() {
            return Ok(Self::Reviews(objects));
        }
        if reviews > 0 {
            let message = "reviews and manifests are mixed; give them separately";
            return Err(Error::new(Code::InvalidValue, message));
        }
        Ok(Self::Manifests(objects))
    }
}

/// The objects in a text, with lists expanded.
///
/// # Errors
/// If not all of it can be read.
pub(crate) fn objects(json: &[u8]) -> Result<Vec<Cow<'_, str>>, Error> {
    read_objects(text_of(json)?).map_err(|(error, _)| error)
}

/// Anything but an object has no envelope; the reviewer will refuse it.
pub(super) fn is_review(object: &str) -> bool {
    head(object).is_none_or(|head| head.kind.as_deref() == Some(REVIEW))
}

/// The namespace of a review's request; empty if it has none.
pub(super) fn namespace(review: &str) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct ReviewNamespace {
        request: RequestPart,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct RequestPart {
        namespace: String,
    }
    // The reviewer refuses what cannot be read here.
    serde_json::from_str::<ReviewNamespace>(review)
        .unwrap_or_default()
        .request
        .namespace
}

fn text_of(json: &[u8]) -> Result<&str, Error> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let not_text = |_| Error::new(Code::InvalidJson, "the input is not UTF-8");
    std::str::from_utf8(json).map_err(not_text)
}

/// On error, also returns whether it is in the first value.
fn read_objects(text: &str) -> Result<Vec<Cow<'_, str>>, (Error, bool)> {
    let mut objects = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    while let Some(value) = values.next() {
        let value = value.map_err(|error| (not_json(&error, "the input"), objects.is_empty()))?;
        if let Err(error) = flatten(value.get(), None, MOST_NESTED, &mut objects) {
            let (line, column) = end_of(text, values.byte_offset());
            return Err((error.on(line, column), objects.is_empty()));
        }
    }
    Ok(objects)
}

/// An object's kind and metadata; `None` if it is not an object or has duplicate keys.
fn head(object: &str) -> Option<ListHead<'_>> {
    serde_json::from_str(object).ok()
}

/// Expands lists. Items of a `ServiceList` need not state their kind; `listed` does.
fn flatten<'i>(
    value: &'i str,
    listed: Option<(&str, &str)>,
    depth: usize,
    objects: &mut Vec<Cow<'i, str>>,
) -> Result<(), Error> {
    let deeper = || {
        let message = format!("more than {MOST_NESTED} lists are nested");
        depth
            .checked_sub(1)
            .ok_or_else(|| Error::new(Code::TooDeep, message))
    };
    if value.starts_with('[') {
        let depth = deeper()?;
        let items = serde_json::from_str::<Vec<&'i RawValue>>(value);
        let items = items.map_err(|error| Error::new(Code::InvalidJson, error.to_string()))?;
        return items
            .iter()
            .try_for_each(|item| flatten(item.get(), None, depth, objects));
    }
    let Some(head) = head(value) else {
        objects.push(value.into());
        return Ok(());
    };
    let kind = head.kind.as_deref().unwrap_or_default();
    if kind.is_empty() && is_watch_event(value) {
        let message = "a watch event among objects would be ignored; give the objects as they are after it, as `kubectl get -o json` prints them";
        return Err(Error::new(Code::InvalidValue, message));
    }
    if let Some(items) = head.items.filter(|_| kind.ends_with("List")) {
        let depth = deeper()?;
        let of = kind.strip_suffix("List").filter(|kind| !kind.is_empty());
        let of = of.zip(head.api_version.as_deref());
        return items
            .iter()
            .try_for_each(|item| flatten(item.get(), of, depth, objects));
    }
    match listed.filter(|_| kind.is_empty()) {
        Some((kind, version)) => {
            let rest = value.trim_start().trim_start_matches('{').trim_start();
            let comma = if rest.starts_with('}') { "" } else { "," };
            let named = format!(r#"{{"apiVersion":"{version}","kind":"{kind}"{comma}{rest}"#);
            objects.push(named.into());
        }
        None => objects.push(value.into()),
    }
    Ok(())
}

fn end_of(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.lines().count().max(1);
    let column = before.lines().last().map_or(0, str::len) + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_in_the_json_has_its_own_place() {
        let text = "{\"kind\": \"Namespace\"}\n{\"kind\":\n  \"List\"";
        let error = objects(text.as_bytes()).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(3), Some(8)));
        assert_eq!(
            error.message(),
            "EOF while parsing an object: the input ends too early; was it truncated?"
        );
        let error = objects(b"{} }").unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(1), Some(4)));
        assert_eq!(error.message(), "expected value");
    }

    #[test]
    fn a_watch_event_among_objects_is_refused() {
        let event = r#"{"type": "DELETED", "object": {"kind": "Namespace"}}"#;
        let text = format!("{{\"kind\": \"Namespace\"}}\n{event}");
        let error = objects(text.as_bytes()).unwrap_err();
        assert_eq!(error.code(), Code::InvalidValue);
        assert!(error.message().starts_with("a watch event among objects"));
        // A Secret has a type, too.
        let secret = br#"{"type": "Opaque", "kind": "Secret"}"#;
        assert_eq!(objects(secret).unwrap().len(), 1);
    }
}
