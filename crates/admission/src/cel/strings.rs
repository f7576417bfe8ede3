//! String functions. Positions in a string are counted in characters.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::meter::{Fail, Meter};
use super::times::duration_text;
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

    /// Where the character of that number begins, in bytes; the end comes after the last one.
    pub(super) fn offset(&self, count: i64) -> Result<usize, Fail> {
        let places = self.char_indices().map(|(place, _)| place);
        let count = usize::try_from(count).ok();
        let place = count.and_then(|count| places.chain([self.len()]).nth(count));
        place.ok_or_else(outside)
    }

    /// The characters from `start` up to `end`.
    pub(super) fn substring(&self, start: i64, end: Option<i64>) -> Result<Value<'v>, Fail> {
        let (start, end) = (
            self.offset(start)?,
            end.map_or(Ok(self.len()), |end| self.offset(end))?,
        );
        if start > end {
            return Err(outside());
        }
        Ok(Value::String(self.part(start, end)))
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

fn outside() -> Fail {
    Fail::error("the position is outside the string")
}

/// Fills in values: `%s` as text, `%d` numbers in decimal, `%x`, `%X`, `%o` and `%b` integers.
pub(super) fn formatted<'v>(
    template: &str,
    values: &[Value<'v>],
    meter: &mut Meter,
) -> Result<Value<'v>, Fail> {
    let mut text = String::new();
    let mut values = values.iter();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let mut characters = after.chars();
        let verb = characters.next();
        rest = characters.as_str();
        if verb == Some('%') {
            text.push('%');
            continue;
        }
        let value = values
            .next()
            .ok_or_else(|| Fail::error("`format` has too few values"))?;
        match verb {
            Some('s') => push_text(&mut text, value, false, meter)?,
            Some('d') if value.kind().is_number() => push_text(&mut text, value, false, meter)?,
            Some(verb) => push_digits(&mut text, verb, value)?,
            None => return Err(Fail::error("`format` ends within a `%`")),
        }
        meter.pay_bytes(text.len())?;
    }
    text.push_str(rest);
    Ok(Value::owned(text))
}

fn push_text(
    text: &mut String,
    value: &Value<'_>,
    is_inner: bool,
    meter: &mut Meter,
) -> Result<(), Fail> {
    meter.pay(1)?;
    match value {
        Value::Null => text.push_str("null"),
        Value::String(value) if is_inner => {
            text.push('"');
            text.push_str(value);
            text.push('"');
        }
        Value::List(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { ", " });
                push_text(text, item, true, meter)?;
            }
            text.push(']');
        }
        value => match text_of(value) {
            Some(Value::String(value)) => text.push_str(&value),
            _ => {
                let kind = value.kind().as_str();
                return Err(Fail::error(["`%s` does not take ", kind].concat()));
            }
        },
    }
    meter.pay_bytes(text.len())
}

fn push_digits(text: &mut String, verb: char, value: &Value<'_>) -> Result<(), Fail> {
    let base = match verb {
        'x' | 'X' => 16,
        'o' => 8,
        'b' => 2,
        _ => {
            return Err(Fail::error(
                "`format` takes `%s`, `%d`, `%x`, `%X`, `%o`, `%b` and `%%`",
            ));
        }
    };
    let (is_negative, mut number) = match value {
        Value::Int(number) => (*number < 0, number.unsigned_abs()),
        Value::Uint(number) => (false, *number),
        Value::Bool(is) if base == 2 => (false, (*is).into()),
        value => {
            let kind = value.kind().as_str();
            return Err(Fail::error(
                ["`format` does not write digits of ", kind].concat(),
            ));
        }
    };
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        let digit = u32::try_from(number % base).ok();
        let digit = digit
            .and_then(|digit| char::from_digit(digit, 16))
            .unwrap_or('0');
        digits.push(if verb == 'X' {
            digit.to_ascii_uppercase()
        } else {
            digit
        });
        number /= base;
    }
    text.push_str(if is_negative { "-" } else { "" });
    text.extend(digits.into_iter().rev());
    Ok(())
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
        Value::Cidr(address, range) => {
            let length = range.prefix_length().to_string();
            Value::owned([&slicewise::model::ip::to_text(address), "/", &length].concat())
        }
        Value::Timestamp(time) => Value::owned(time.text()),
        Value::Duration(nanos) => Value::owned(duration_text(*nanos)),
        _ => return None,
    })
}
