//! The implementations of the functions.

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::addresses::with_address;
use super::formats::NamedFormat;
use super::functions::Function;
use super::lists::{index_of, with_lists};
use super::meter::{Fail, Meter};
use super::quantities::with_quantity;
use super::strings::{formatted, join, place, replace, text_of};
use super::times::with_time;
use super::urls::with_url;
use super::value::{Value, whole};

pub(super) type CallResult<'v> = Result<Value<'v>, Fail>;

/// Calls a function with its arguments; a method's receiver comes first.
pub(super) fn call<'v>(
    function: Function,
    arguments: &[Value<'v>],
    meter: &mut Meter,
) -> CallResult<'v> {
    for argument in arguments {
        // No function does more with a text than scan it, or search it for another.
        if let Value::String(text) = argument {
            meter.pay_bytes(text.len())?;
        }
    }
    if let Some(value) = with_kind(function, arguments, meter)? {
        return Ok(value);
    }
    let value = match arguments {
        [] => Some(Value::Optional(None)),
        [value] => with_one(function, value)?,
        [Value::Optional(value), other] => with_optional(function, value.as_deref(), other),
        [Value::List(items), other] => match function {
            Function::Join => match other {
                Value::String(separator) => Some(join(items, separator, meter)?),
                _ => None,
            },
            Function::IndexOf => Some(index_of(items.iter().enumerate(), other, meter)?),
            Function::LastIndexOf => Some(index_of(items.iter().enumerate().rev(), other, meter)?),
            _ => None,
        },
        [Value::String(text), rest @ ..] => match (function, rest) {
            (Function::Contains, [Value::String(part)]) => {
                Some(Value::Bool(text.contains(&**part)))
            }
            (Function::StartsWith, [Value::String(part)]) => {
                Some(Value::Bool(text.starts_with(&**part)))
            }
            (Function::EndsWith, [Value::String(part)]) => {
                Some(Value::Bool(text.ends_with(&**part)))
            }
            (Function::IndexOf, [Value::String(part)]) => Some(place(text, text.find(&**part))),
            (Function::LastIndexOf, [Value::String(part)]) => {
                Some(place(text, text.rfind(&**part)))
            }
            (Function::IndexOf, [Value::String(part), Value::Int(start)]) => {
                let start = text.offset(*start)?;
                let found = text.get(start..).and_then(|rest| rest.find(&**part));
                Some(place(text, found.map(|found| start + found)))
            }
            (Function::LastIndexOf, [Value::String(part), Value::Int(last)]) => {
                let end = text
                    .offset(*last)?
                    .saturating_add(part.len())
                    .min(text.len());
                let found = text.get(..end).and_then(|start| start.rfind(&**part));
                Some(place(text, found))
            }
            (Function::FormatText, [Value::List(values)]) => Some(formatted(text, values, meter)?),
            (Function::Split, [Value::String(separator)]) => {
                Some(text.split(separator, None, meter)?)
            }
            (Function::Split, [Value::String(separator), Value::Int(most)]) => {
                Some(text.split(separator, Some(*most), meter)?)
            }
            (Function::Replace, [Value::String(from), Value::String(to)]) => {
                Some(replace(text, (from, to), None, meter)?)
            }
            (Function::Replace, [Value::String(from), Value::String(to), Value::Int(most)]) => {
                Some(replace(text, (from, to), Some(*most), meter)?)
            }
            (Function::Substring, [Value::Int(start)]) => Some(text.substring(*start, None)?),
            (Function::Substring, [Value::Int(start), Value::Int(end)]) => {
                Some(text.substring(*start, Some(*end))?)
            }
            (Function::CharAt, [Value::Int(start)]) => {
                let is_end =
                    usize::try_from(*start).is_ok_and(|start| start == text.chars().count());
                let end = if is_end {
                    *start
                } else {
                    start.saturating_add(1)
                };
                Some(text.substring(*start, Some(end))?)
            }
            _ => None,
        },
        _ => None,
    };
    value.ok_or_else(|| refused(function, arguments))
}

/// Functions of one argument: those for its kind, and those for any kind.
fn with_one<'v>(function: Function, value: &Value<'v>) -> Result<Option<Value<'v>>, Fail> {
    let of_kind = match value {
        Value::String(text) => with_text(function, text),
        _ => None,
    };
    match of_kind {
        Some(value) => Ok(Some(value)),
        None => with_any(function, value),
    }
}

/// The functions of lists, addresses, times, quantities, URLs and formats; `None` for others.
fn with_kind<'v>(
    function: Function,
    arguments: &[Value<'v>],
    meter: &mut Meter,
) -> Result<Option<Value<'v>>, Fail> {
    if let Some(value) = with_lists(function, arguments, meter)? {
        return Ok(Some(value));
    }
    if let Some(value) = with_address(function, arguments)? {
        return Ok(Some(value));
    }
    if let Some(value) = with_time(function, arguments)? {
        return Ok(Some(value));
    }
    if let Some(value) = with_quantity(function, arguments)? {
        return Ok(Some(value));
    }
    match (function, arguments) {
        (_, [value]) => with_url(function, value, meter),
        (Function::Validate, [Value::Format(format), Value::String(text)]) => {
            Ok(Some(format.validate(text)))
        }
        _ => Ok(None),
    }
}

#[cold]
fn refused(function: Function, arguments: &[Value<'_>]) -> Fail {
    let kinds: Vec<_> = arguments
        .iter()
        .map(|value| value.kind().as_str())
        .collect();
    Fail::Error(format!(
        "`{}` does not take {}",
        function.name(),
        kinds.join(", ")
    ))
}

fn with_text<'v>(function: Function, text: &super::Str<'v>) -> Option<Value<'v>> {
    Some(match function {
        Function::SizeOf | Function::Size => Value::count(text.chars().count()),
        Function::LowerAscii => Value::owned(text.to_ascii_lowercase()),
        Function::UpperAscii => Value::owned(text.to_ascii_uppercase()),
        Function::Trim => Value::String(text.trimmed()),
        Function::FormatNamed => {
            Value::Optional(NamedFormat::named(text).map(|format| Rc::new(Value::Format(format))))
        }
        _ => return None,
    })
}

fn with_any<'v>(function: Function, value: &Value<'v>) -> Result<Option<Value<'v>>, Fail> {
    let out_of_range = || Fail::error("the number is out of range");
    Ok(Some(match (function, value) {
        (Function::Dyn, value) => value.clone(),
        (Function::Type, value) => Value::Type(value.kind()),
        (Function::Text, value) => match text_of(value) {
            Some(text) => text,
            None => return Ok(None),
        },
        (Function::SizeOf | Function::Size, Value::Map(map)) => Value::count(map.entries().len()),
        (Function::Int, _) => Value::Int(match value {
            Value::Int(number) => *number,
            Value::Uint(number) => i64::try_from(*number).map_err(|_| out_of_range())?,
            Value::Double(number) => truncated(*number).ok_or_else(out_of_range)?,
            Value::String(text) => text.parse().map_err(|_| not_a_number())?,
            _ => return Ok(None),
        }),
        (Function::Uint, _) => Value::Uint(match value {
            Value::Uint(number) => *number,
            Value::Int(number) => u64::try_from(*number).map_err(|_| out_of_range())?,
            Value::Double(number) => {
                let number = truncated(*number).and_then(|number| u64::try_from(number).ok());
                number.ok_or_else(out_of_range)?
            }
            Value::String(text) => text.parse().map_err(|_| not_a_number())?,
            _ => return Ok(None),
        }),
        (Function::Double, _) => Value::Double(match value {
            Value::Double(number) => *number,
            Value::Int(number) => *number as f64,
            Value::Uint(number) => *number as f64,
            Value::String(text) => {
                let number: Option<serde_json::Number> = text.parse().ok();
                number
                    .and_then(|number| number.as_f64())
                    .ok_or_else(not_a_number)?
            }
            _ => return Ok(None),
        }),
        (Function::Bool, Value::Bool(value)) => Value::Bool(*value),
        (Function::Bool, Value::String(text)) => match &**text {
            "true" | "True" | "TRUE" | "t" | "1" => Value::Bool(true),
            "false" | "False" | "FALSE" | "f" | "0" => Value::Bool(false),
            _ => return Err(Fail::error("the string is neither true nor false")),
        },
        (Function::OptionalOf, value) => Value::Optional(Some(Rc::new(value.clone()))),
        (Function::OptionalOfNonZero, value) => {
            Value::Optional((!is_zero(value)).then(|| Rc::new(value.clone())))
        }
        (Function::HasValue, Value::Optional(value)) => Value::Bool(value.is_some()),
        (Function::ValueOf, Value::Optional(value)) => match value {
            Some(value) => (**value).clone(),
            None => return Err(Fail::error("the optional has no value")),
        },
        _ => return Ok(None),
    }))
}

fn not_a_number() -> Fail {
    Fail::error("the string is not such a number")
}

fn truncated(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let fits = number > -LIMIT && number < LIMIT;
    fits.then_some(number as i64)
}

fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Optional(None) => true,
        Value::Bool(value) => !value,
        Value::Int(number) => *number == 0,
        Value::Uint(number) => *number == 0,
        Value::Double(number) => whole(*number) == Some(0),
        Value::String(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.entries().is_empty(),
        _ => false,
    }
}

fn with_optional<'v>(
    function: Function,
    value: Option<&Value<'v>>,
    other: &Value<'v>,
) -> Option<Value<'v>> {
    match (function, other) {
        (Function::OrValue, other) => Some(value.unwrap_or(other).clone()),
        (Function::OrOptional, Value::Optional(_)) => Some(match value {
            Some(value) => Value::Optional(Some(Rc::new(value.clone()))),
            None => other.clone(),
        }),
        _ => None,
    }
}
