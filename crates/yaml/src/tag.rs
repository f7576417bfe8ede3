//! What scalars stand for, and the tags that say so.

use granit_parser::Tag;
use slicewise::{Code, Error};
use slicewise_json::yaml::{PlainScalar, resolve};

use crate::places::InputPosition;
use crate::refusal::{refused, short};

/// What the names of YAML's own tags begin with.
const TAGS: &str = "tag:yaml.org,2002:";

/// What unquoted words like `yes` and `off` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the words of YAML 1.1 and 1.2")]
pub enum Words {
    /// Booleans, as `kubectl` takes those of manifests.
    Booleans,
    /// Texts, as in YAML 1.2: in files of our own, whose settings have such names.
    Texts,
}

impl Words {
    fn resolve(self, text: &str) -> PlainScalar {
        match resolve(text) {
            // `true` and `false` are booleans in both.
            PlainScalar::Bool(_)
                if self == Self::Texts && !text.starts_with(['t', 'T', 'f', 'F']) =>
            {
                PlainScalar::Text
            }
            scalar => scalar,
        }
    }
}

/// Whether it marks a merge key.
pub(crate) fn is_merge_tag(tag: &Tag) -> bool {
    tag.suffix_in_namespace(TAGS).as_deref() == Some("merge")
}

/// Whether the value of a list or map may have the tag.
pub(crate) fn check_tag(tag: Option<&Tag>, expected: &str, at: InputPosition) -> Result<(), Error> {
    match tag.is_none_or(|tag| tag.is_yaml_core_schema_tag(expected)) {
        true => Ok(()),
        false => Err(bad_tag(tag, at)),
    }
}

/// What a scalar stands for.
pub(crate) fn plain(
    value: &str,
    is_plain: bool,
    tag: Option<&Tag>,
    words: Words,
    at: InputPosition,
) -> Result<PlainScalar, Error> {
    let wanted = tag.map(|tag| tag.core_suffix().unwrap_or("unknown"));
    let plain = if wanted == Some("str") || (wanted.is_none() && !is_plain) {
        PlainScalar::Text
    } else {
        words.resolve(value)
    };
    let fits = match (wanted, &plain) {
        (None | Some("float"), PlainScalar::Unspeakable) => {
            let message = format!(
                "JSON cannot represent the number `{}`; write a finite one",
                short(value)
            );
            return Err(refused(Code::InvalidValue, message, at));
        }
        (None | Some("str"), _)
        | (Some("null"), PlainScalar::Null)
        | (Some("bool"), PlainScalar::Bool(_))
        | (Some("int"), PlainScalar::Int(_))
        | (Some("float"), PlainScalar::Int(_) | PlainScalar::Float(_)) => true,
        _ => false,
    };
    match fits {
        true => Ok(plain),
        false => Err(bad_tag(tag, at)),
    }
}

/// The text that a scalar is as a key.
pub(crate) fn key_of<'t>(
    text: &'t str,
    is_plain: bool,
    tag: Option<&Tag>,
    words: Words,
    at: InputPosition,
) -> Result<&'t str, Error> {
    let scalar = match tag {
        Some(_) => plain(text, is_plain, tag, words, at)?,
        None if is_plain => words.resolve(text),
        None => PlainScalar::Text,
    };
    scalar.key(text).ok_or_else(|| {
        let message = "a key must be a text, and this one is null; write it in quotes";
        refused(Code::InvalidJson, message, at)
    })
}

fn bad_tag(tag: Option<&Tag>, at: InputPosition) -> Error {
    let tag = tag.map_or_else(String::new, |tag| {
        format!("{}{}", tag.original_handle(), tag.suffix())
    });
    let message = format!(
        "the tag `{}` is unknown, or does not match its value; remove it",
        short(&tag)
    );
    refused(Code::Unsupported, message, at)
}
