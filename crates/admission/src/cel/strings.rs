//! String functions. Positions in a string are counted in characters.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::meter::{Fail, Meter};
use super::value::{Str, Value};

impl<'v> Str<'v> {
    /// A part of the string, which shares the text of the input.
    fn part(&self, start: usize, end: usize) -> Self {
        match self {
            Self::Borrowed(text) => Self::Borrowed(text.get(start..end).unwrap_or_default()),
            Self::Owned(text) => Self::Owned(text.get(start..end).unwrap_or_default().into()),
        }
    }

    pub(super) fn trimmed(&self) -> Self {
        let start = self.len() - self.trim_start().len();
        self.part(start, start + self.trim().len())
    }

    /// The characters from `start` up to `end`.
    pub(super) fn substring(&self, start: i64, end: Option<i64>) -> Result<Value<'v>, Fail> {
        let place = |count: i64| {
            let count = usize::try_from(count).ok()?;
            let places = self.char_indices().map(|(place, _)| place);
            places.chain([self.len()]).nth(count)
        };
        let end = end.map_or(Some(self.len()), place);
        match (place(start), end) {
            (Some(start), Some(end)) if start <= end => Ok(Value::String(self.part(start, end))),
            _ => Err(Fail::error("the position is outside the string")),
        }
    }

    /// The parts between separators; between all characters if the separator is empty.
    pub(super) fn split(
        &self,
        separator: &str,
        most: Option<i64>,
        meter: &mut Meter,
    ) -> Result<Value<'v>, Fail> {
        let most = most.map_or(usize::MAX, |most| {
            usize::try_from(most).unwrap_or(usize::MAX)
        });
        let mut parts = Vec::new();
        let mut start = 0;
        while parts.len() < most {
            meter.pay(1)?;
            let rest = self.get(start..).unwrap_or_default();
            let is_last = parts.len() + 1 == most;
            let end = if separator.is_empty() {
                let first = rest.chars().next().map(char::len_utf8);
                first.filter(|first| *first < rest.len())
            } else {
                rest.find(separator)
            };
            match end.filter(|_| !is_last) {
                Some(end) => {
                    parts.push(Value::String(self.part(start, start + end)));
                    start += end + separator.len();
                }
                None => {
                    if !(rest.is_empty() && separator.is_empty()) {
                        parts.push(Value::String(self.part(start, self.len())));
                    }
                    break;
                }
            }
        }
        Ok(Value::list(parts))
    }
}

/// Joins texts.
pub(super) fn join<'v>(
    items: &[Value<'v>],
    separator: &str,
    meter: &mut Meter,
) -> Result<Value<'v>, Fail> {
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        let Value::String(item) = item else {
            return Err(Fail::error("only lists of strings can be joined"));
        };
        let separator = if place == 0 { "" } else { separator };
        meter.pay(1)?;
        meter.pay_bytes(separator.len() + item.len())?;
        text.push_str(separator);
        text.push_str(item);
    }
    Ok(Value::owned(text))
}

/// Replaces a text, up to a maximum number of times.
pub(super) fn replace<'v>(
    text: &str,
    (from, to): (&str, &str),
    most: Option<i64>,
    meter: &mut Meter,
) -> Result<Value<'v>, Fail> {
    let most = most.map_or(usize::MAX, |most| {
        usize::try_from(most).unwrap_or(usize::MAX)
    });
    let count = text.matches(from).take(most).count();
    meter.pay(count)?;
    meter.pay_bytes(text.len().saturating_add(count.saturating_mul(to.len())))?;
    Ok(Value::owned(text.replacen(from, to, most)))
}

/// The position of a match in a text, in characters; -1 if there is none.
pub(super) fn place(text: &str, found: Option<usize>) -> Value<'static> {
    let before = found.and_then(|found| text.get(..found));
    before.map_or(Value::Int(-1), |before| {
        Value::count(before.chars().count())
    })
}

/// A value as text.
pub(super) fn text_of<'v>(value: &Value<'v>) -> Option<Value<'v>> {
    Some(match value {
        Value::String(_) => value.clone(),
        Value::Bool(value) => Value::text(if *value { "true" } else { "false" }),
        Value::Int(value) => Value::owned(value.to_string()),
        Value::Uint(value) => Value::owned(value.to_string()),
        Value::Double(value) => {
            // The float formatting in `core` is large.
            let number = serde_json::Number::from_f64(*value)?.to_string();
            Value::owned(number.strip_suffix(".0").unwrap_or(&number).into())
        }
        Value::Type(kind) => Value::text(kind.as_str()),
        Value::Ip(address) => Value::owned(slicewise::model::ip::to_text(address)),
        Value::Cidr(range) => {
            let length = range.prefix_length().to_string();
            Value::owned([&slicewise::model::ip::to_text(&range.first()), "/", &length].concat())
        }
        _ => return None,
    })
}
