//! The files of verdicts, for tools that show them there.

use std::path::Path;

use slicewise::Error;

use super::given::objects;
use super::output::Judged;
use crate::input::ReadableInput;
use crate::source;

/// What is from no file: standard input, and deletions.
pub(super) const NO_FILE: &str = "-";

/// The file of each verdict.
pub(super) struct JudgedFiles {
    /// Of the first verdicts, as far as that is known.
    each: Vec<String>,
    /// Of all others.
    rest: String,
}

impl JudgedFiles {
    /// The file of each object; of deletions, too, if there is only one.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn read(alone: Option<&Path>, input: &ReadableInput) -> Result<Self, Error> {
        let named = |file: &Path| file.display().to_string();
        let mut each = Vec::new();
        for (file, json) in input.files() {
            each.extend(std::iter::repeat_n(named(file), objects(json)?.len()));
        }
        let mut all = input.files().map(|(file, _)| file).chain(alone);
        let only = all.next().filter(|_| all.next().is_none());
        let rest = source::named(only).map_or_else(|| NO_FILE.to_owned(), named);
        Ok(Self { each, rest })
    }

    /// The verdicts, each with its file.
    pub(super) fn of<'j>(
        &'j self,
        judged: &'j [Judged],
    ) -> impl Iterator<Item = (&'j str, &'j Judged)> {
        let rest = std::iter::repeat(&self.rest);
        self.each.iter().chain(rest).map(String::as_str).zip(judged)
    }
}
