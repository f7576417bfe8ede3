//! The implementations of the functions.

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::net::IpAddr;

use super::functions::Function;
use super::meter::{Fail, Meter};
use super::operators::{compare, equal};
use super::program::Operator;
use super::strings::{join, place, replace, text_of};
use super::value::{Value, whole};
use slicewise::model::Cidr;
use slicewise::model::ip;

type CallResult<'v> = Result<Value<'v>, Fail>;

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
    let value = match arguments {
        [] => Some(Value::Optional(None)),
        [value] => with_one(function, value, meter)?,
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
        [Value::Cidr(range), other] => in_range(function, *range, other),
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
fn with_one<'v>(
    function: Function,
    value: &Value<'v>,
    meter: &mut Meter,
) -> Result<Option<Value<'v>>, Fail> {
    let of_kind = match value {
        Value::String(text) => with_text(function, text),
        Value::List(items) => with_list(function, items, meter).transpose()?,
        _ => None,
    };
    match of_kind.or_else(|| with_address(function, value)) {
        Some(value) => Ok(Some(value)),
        None => with_any(function, value),
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
        Function::IsIp => Value::Bool(ip::parse_canonical(text).is_some()),
        Function::IsCidr => Value::Bool(read_range(text).is_some()),
        Function::Ip => Value::Ip(ip::parse_canonical(text)?),
        Function::Cidr => Value::Cidr(read_range(text)?),
        _ => return None,
    })
}

/// An address range with its prefix length, in the API's spelling.
fn read_range(text: &str) -> Option<Cidr> {
    Cidr::parse(text).filter(|_| text.contains('/'))
}

fn with_list<'v>(
    function: Function,
    items: &[Value<'v>],
    meter: &mut Meter,
) -> Option<CallResult<'v>> {
    Some(match function {
        Function::SizeOf | Function::Size => Ok(Value::count(items.len())),
        Function::Join => join(items, "", meter),
        Function::Sum => sum(items, meter),
        Function::Min => extreme(items, Ordering::Less, meter),
        Function::Max => extreme(items, Ordering::Greater, meter),
        Function::IsSorted => is_sorted(items, meter),
        _ => return None,
    })
}

fn sum<'v>(items: &[Value<'v>], meter: &mut Meter) -> CallResult<'v> {
    let Some((first, rest)) = items.split_first() else {
        return Ok(Value::Int(0));
    };
    if !first.kind().is_number() {
        return Err(Fail::error("only numbers can be summed"));
    }
    let mut sum = first.clone();
    for item in rest {
        meter.pay(1)?;
        sum = Operator::Add.apply(sum, item.clone(), meter)?;
    }
    Ok(sum)
}

fn order(one: &Value<'_>, other: &Value<'_>, meter: &mut Meter) -> Result<Ordering, Fail> {
    meter.pay(1)?;
    let order = compare(one, other, meter)?.flatten();
    order.ok_or_else(|| Fail::error("the items of the list have no order"))
}

fn extreme<'v>(items: &[Value<'v>], wanted: Ordering, meter: &mut Meter) -> CallResult<'v> {
    let Some((mut found, rest)) = items.split_first() else {
        return Err(Fail::error("the list is empty"));
    };
    for item in rest {
        if order(item, found, meter)? == wanted {
            found = item;
        }
    }
    Ok(found.clone())
}

fn is_sorted<'v>(items: &[Value<'v>], meter: &mut Meter) -> CallResult<'v> {
    for (one, other) in items.iter().zip(items.iter().skip(1)) {
        if order(one, other, meter)?.is_gt() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn index_of<'v, 'i>(
    items: impl Iterator<Item = (usize, &'i Value<'v>)>,
    wanted: &Value<'_>,
    meter: &mut Meter,
) -> CallResult<'v>
where
    'v: 'i,
{
    for (place, item) in items {
        if equal(item, wanted, meter)? {
            return Ok(Value::count(place));
        }
    }
    Ok(Value::Int(-1))
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
        (Function::Ip, Value::String(_)) => {
            return Err(Fail::error("the string is not an IP address"));
        }
        (Function::Cidr, Value::String(_)) => {
            return Err(Fail::error("the string is not a CIDR range"));
        }
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

fn with_address<'v>(function: Function, value: &Value<'v>) -> Option<Value<'v>> {
    Some(match (function, value) {
        (Function::Ip, Value::Ip(_)) | (Function::Cidr, Value::Cidr(_)) => value.clone(),
        (Function::Family, Value::Ip(address)) => Value::Int(if address.is_ipv4() { 4 } else { 6 }),
        (Function::IsLoopback, Value::Ip(address)) => Value::Bool(address.is_loopback()),
        (Function::IsUnspecified, Value::Ip(address)) => Value::Bool(address.is_unspecified()),
        (Function::IsLinkLocalUnicast, Value::Ip(address)) => Value::Bool(match address {
            IpAddr::V4(address) => address.is_link_local(),
            IpAddr::V6(address) => address.is_unicast_link_local(),
        }),
        (Function::FirstIp, Value::Cidr(range)) => Value::Ip(range.first()),
        (Function::PrefixLength, Value::Cidr(range)) => Value::Int(range.prefix_length().into()),
        _ => return None,
    })
}

fn in_range<'v>(function: Function, range: Cidr, other: &Value<'v>) -> Option<Value<'v>> {
    let is_in = match (function, other) {
        (Function::ContainsIp, Value::Ip(address)) => range.contains(*address),
        (Function::ContainsIp, Value::String(text)) => range.contains(ip::parse_canonical(text)?),
        (Function::ContainsCidr, Value::Cidr(other)) => {
            range.prefix_length() <= other.prefix_length() && range.contains(other.first())
        }
        (Function::ContainsCidr, Value::String(text)) => {
            let other = read_range(text)?;
            range.prefix_length() <= other.prefix_length() && range.contains(other.first())
        }
        _ => return None,
    };
    Some(Value::Bool(is_in))
}
