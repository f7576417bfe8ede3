//! Where the objects of verdicts are, for tools that show them there.

use std::borrow::Cow;
use std::path::Path;

use slicewise::api::place::{locate, within};
use slicewise::{Code, Error};

use super::given::{is_review, objects};
use super::output::Judged;
use crate::input::InputPart;
use crate::source;

/// The files and objects of verdicts.
pub(super) struct JudgedFiles<'i> {
    /// Of the first verdicts.
    each: Vec<JudgedObject<'i>>,
    /// Of deletions, which have no object.
    rest: JudgedObject<'i>,
}

/// The object of a verdict.
pub(super) struct JudgedObject<'i> {
    /// Its file; none if it is from standard input, or if that is not known.
    pub(super) file: Option<String>,
    /// Its part of the input, and its text there.
    text: Option<(&'i InputPart<'i>, Cow<'i, str>)>,
}

impl<'i> JudgedFiles<'i> {
    /// The place of each object. `alone` is the file, if there is only one.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn read(alone: Option<&Path>, parts: &'i [InputPart<'i>]) -> Result<Self, Error> {
        let alone = source::named(alone);
        let named = |file: Option<&Path>| file.map(|file| file.display().to_string());
        let mut each = Vec::new();
        for part in parts {
            let file = named(part.path.or(alone));
            each.extend(objects(part.json)?.into_iter().map(|object| JudgedObject {
                file: file.clone(),
                text: Some((part, object)),
            }));
        }
        let file = match parts {
            [only] => named(only.path.or(alone)),
            _ => None,
        };
        let rest = JudgedObject { file, text: None };
        Ok(Self { each, rest })
    }

    /// The verdicts, each with its object.
    pub(super) fn of<'j>(
        &'j self,
        judged: &'j [Judged],
    ) -> impl Iterator<Item = (&'j JudgedObject<'i>, &'j Judged)> {
        let rest = std::iter::repeat(&self.rest);
        self.each.iter().chain(rest).zip(judged)
    }
}

impl JudgedObject<'_> {
    /// Its file, for people.
    pub(super) fn name(&self) -> &str {
        self.file.as_deref().unwrap_or("-")
    }

    /// Line and column of a field, both from 1; of what should have it, if it is missing.
    pub(super) fn position(&self, field: &str) -> Option<(usize, usize)> {
        let (part, object) = self.text.as_ref()?;
        let Cow::Borrowed(object) = object else {
            return None;
        };
        let whole = std::str::from_utf8(part.json).ok()?;
        let envelope = if is_review(object) {
            "/request/object"
        } else {
            ""
        };
        let error = Error::new(Code::InvalidValue, "").at(format!("{envelope}{}", pointer(field)));
        let error = within(&locate(error, object), "", whole, object);
        let placed = part.placed(error);
        placed.line().zip(placed.column())
    }
}

/// The JSON pointer of a field as the API writes it: `metadata.labels[app.kubernetes.io/name]`, `endpoints[3].addresses[0]`.
fn pointer(field: &str) -> String {
    let mut pointer = String::new();
    let mut rest = field;
    while !rest.is_empty() {
        let (segment, after) = match rest.strip_prefix('[') {
            Some(inner) => inner.split_once(']').unwrap_or((inner, "")),
            None => {
                let name = rest.strip_prefix('.').unwrap_or(rest);
                name.split_at(name.find(['.', '[']).unwrap_or(name.len()))
            }
        };
        pointer.push('/');
        pointer.push_str(&segment.replace('~', "~0").replace('/', "~1"));
        rest = after;
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_as_pointers() {
        for (field, expected) in [
            ("spec.selector", "/spec/selector"),
            ("endpoints[3].addresses[0]", "/endpoints/3/addresses/0"),
            (
                "metadata.labels[topology.kubernetes.io/zone]",
                "/metadata/labels/topology.kubernetes.io~1zone",
            ),
            ("subsets[0].addresses[0].ip", "/subsets/0/addresses/0/ip"),
            ("metadata", "/metadata"),
            ("", ""),
            ("a[", "/a/"),
        ] {
            assert_eq!(pointer(field), expected);
        }
    }
}
