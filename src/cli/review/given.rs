//! What was given to be reviewed: reviews, or manifests of which reviews are made.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use slicewise::{Code, Error};

/// The kind of a review.
const REVIEW: &str = "AdmissionReview";

/// An input by its content.
pub(super) enum Given<'i> {
    /// AdmissionReviews as they stand.
    Reviews(Vec<Cow<'i, str>>),
    /// Objects as they should be.
    Manifests(Vec<&'i str>),
}

/// What tells one from the other.
#[derive(Deserialize)]
struct Head<'i> {
    #[serde(default)]
    kind: Option<Cow<'i, str>>,
    #[serde(borrow, default)]
    items: Option<Vec<&'i RawValue>>,
}

impl<'i> Given<'i> {
    /// Reads one value or several, lists of them included.
    ///
    /// # Errors
    /// When there is nothing, or reviews and manifests are mixed.
    pub(super) fn read(json: &'i [u8]) -> Result<Self, Error> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let Ok(text) = std::str::from_utf8(json) else {
            return Err(Error::new(Code::InvalidJson, "the input is not UTF-8"));
        };
        let mut objects = Vec::new();
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        while let Some(value) = values.next() {
            match value {
                Ok(value) => flatten(value.get(), &mut objects),
                // Whoever reviews says better what is wrong with one.
                Err(_) if objects.is_empty() => return Ok(Self::Reviews(vec![text.into()])),
                Err(error) => {
                    let error = Error::new(Code::InvalidJson, error.to_string());
                    let (line, column) = end_of(text, values.byte_offset());
                    return Err(error.on(line, column));
                }
            }
        }
        let is_review =
            |object: &&str| head(object).is_none_or(|head| head.kind.as_deref() == Some(REVIEW));
        let reviews = objects.iter().filter(|object| is_review(object)).count();
        if objects.is_empty() {
            return Err(Error::new(
                Code::InvalidValue,
                "there is nothing to review in it",
            ));
        }
        if reviews == objects.len() {
            return Ok(Self::Reviews(objects.into_iter().map(Into::into).collect()));
        }
        if reviews > 0 {
            let message = "reviews and manifests are mixed; give them apart";
            return Err(Error::new(Code::InvalidValue, message));
        }
        Ok(Self::Manifests(objects))
    }
}

/// The objects of a text, lists taken apart.
pub(super) fn objects(json: &[u8]) -> Vec<&str> {
    let text = std::str::from_utf8(json).unwrap_or_default();
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut objects = Vec::new();
    for value in values.flatten() {
        flatten(value.get(), &mut objects);
    }
    objects
}

/// What an object says of itself; `None` where it is no object, or says something twice.
fn head(object: &str) -> Option<Head<'_>> {
    serde_json::from_str(object).ok()
}

fn flatten<'i>(value: &'i str, objects: &mut Vec<&'i str>) {
    if value.starts_with('[') {
        match serde_json::from_str::<Vec<&'i RawValue>>(value) {
            Ok(items) => items.iter().for_each(|item| flatten(item.get(), objects)),
            Err(_) => objects.push(value),
        }
        return;
    }
    match head(value) {
        Some(Head {
            kind: Some(kind),
            items: Some(items),
        }) if kind.ends_with("List") => {
            items.iter().for_each(|item| flatten(item.get(), objects));
        }
        _ => objects.push(value),
    }
}

fn end_of(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.lines().count().max(1);
    let column = before.lines().last().map_or(0, str::len) + 1;
    (line, column)
}
