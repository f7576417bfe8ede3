//! Where the objects of verdicts are, for tools that show them there.

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;

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
    text: Option<(Rc<LinedPart<'i>>, Cow<'i, str>)>,
}

/// A part of the input, and where its lines begin: findings are many, and each has a position.
struct LinedPart<'i> {
    part: &'i InputPart<'i>,
    text: &'i str,
    starts: Vec<usize>,
}

impl<'i> LinedPart<'i> {
    fn of(part: &'i InputPart<'i>) -> Self {
        let text = std::str::from_utf8(part.json).unwrap_or_default();
        let starts = text.match_indices('\n').map(|(end, _)| end + 1);
        let starts = std::iter::once(0).chain(starts).collect();
        Self { part, text, starts }
    }

    /// The text from the line on in which an object begins, and the number of lines before it.
    fn text_at(&self, object: &str) -> Option<(&'i str, usize)> {
        let offset = (object.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let text = self.text.get(*self.starts.get(line)?..)?;
        Some((text, line))
    }
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
            let lined = Rc::new(LinedPart::of(part));
            each.extend(objects(part.json)?.into_iter().map(|object| JudgedObject {
                file: file.clone(),
                text: Some((Rc::clone(&lined), object)),
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
        let (text, before) = part.text_at(object)?;
        let envelope = if is_review(object) {
            "/request/object"
        } else {
            ""
        };
        let error = Error::new(Code::InvalidValue, "").at(format!("{envelope}{}", pointer(field)));
        let error = within(&locate(error, object), "", text, object);
        let (line, column) = error.line().zip(error.column())?;
        let placed = part.part.placed(error.on(before + line, column));
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
    use slicewise_yaml::Words;

    use super::*;
    use crate::input::{CHECKED, ReadableInput};

    #[test]
    fn a_field_has_its_line_wherever_its_object_begins() {
        let json = b"{\"kind\": \"A\"}\n{\"kind\": \"B\",\n \"spec\": 1} {\"kind\": \"C\", \"spec\":\n\n2}\n{\"spec\": 3}";
        let input = ReadableInput::read(Words::Booleans, json.to_vec(), true, CHECKED, "")
            .ok()
            .unwrap();
        let parts = input.parts();
        let files = JudgedFiles::read(None, &parts).unwrap();
        let positions = files.each.iter().map(|object| object.position("spec"));
        let expected = [(1, 1), (3, 10), (5, 1), (6, 10)];
        assert_eq!(positions.collect::<Vec<_>>(), expected.map(Some));
    }

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
