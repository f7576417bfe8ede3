//! List functions: those of Kubernetes, of CEL's extension for lists, and sets.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::calls::CallResult;
use super::functions::Function;
use super::meter::{Fail, Meter};
use super::operators::{compare, equal};
use super::program::Operator;
use super::strings::join;
use super::value::Value;
use slicewise::model::order::sort_by;

/// Functions of lists; `None` for others.
pub(super) fn with_lists<'v>(
    function: Function,
    arguments: &[Value<'v>],
    meter: &mut Meter,
) -> Result<Option<Value<'v>>, Fail> {
    let value = match (function, arguments) {
        (_, [Value::List(items)]) => with_list(function, items, meter).transpose()?,
        (Function::Range, [Value::Int(count)]) => {
            let count = (*count).max(0);
            meter.pay(usize::try_from(count).unwrap_or(usize::MAX))?;
            Some(Value::list((0..count).map(Value::Int)))
        }
        (Function::Flatten, [Value::List(items), Value::Int(depth)]) => {
            if *depth < 0 {
                return Err(Fail::error("the depth is negative"));
            }
            Some(Value::list(flat(items, *depth, meter)?))
        }
        (Function::Slice, [Value::List(items), Value::Int(start), Value::Int(end)]) => {
            let part = usize::try_from(*start).ok().zip(usize::try_from(*end).ok());
            let part = part.and_then(|(start, end)| items.get(start..end));
            let part = part.ok_or_else(|| Fail::error("the position is outside the list"))?;
            meter.pay(part.len())?;
            Some(Value::list(part.iter().cloned()))
        }
        (_, [Value::List(one), Value::List(other)]) => match function {
            Function::SetsContain => Some(Value::Bool(are_in(other, one, meter)?)),
            Function::SetsEquivalent => Some(Value::Bool(
                are_in(other, one, meter)? && are_in(one, other, meter)?,
            )),
            Function::SetsIntersect => {
                let mut intersect = false;
                for item in &**one {
                    intersect = intersect || is_in(item, other, meter)?;
                }
                Some(Value::Bool(intersect))
            }
            _ => None,
        },
        _ => None,
    };
    Ok(value)
}

fn is_in(item: &Value<'_>, items: &[Value<'_>], meter: &mut Meter) -> Result<bool, Fail> {
    for other in items {
        if equal(item, other, meter)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn are_in(some: &[Value<'_>], items: &[Value<'_>], meter: &mut Meter) -> Result<bool, Fail> {
    for item in some {
        if !is_in(item, items, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
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
        Function::Sort => sorted(items, meter),
        Function::Distinct => distinct(items, meter),
        Function::Flatten => flat(items, 1, meter).map(Value::list),
        Function::Reverse => meter
            .pay(items.len())
            .map(|()| Value::list(items.iter().rev().cloned())),
        Function::First => Ok(optional(items.first())),
        Function::Last => Ok(optional(items.last())),
        _ => return None,
    })
}

fn optional<'v>(item: Option<&Value<'v>>) -> Value<'v> {
    Value::Optional(item.map(|item| Rc::new(item.clone())))
}

fn sorted<'v>(items: &[Value<'v>], meter: &mut Meter) -> CallResult<'v> {
    let rounds = items.len().checked_ilog2().unwrap_or(0) as usize + 1;
    for (one, other) in items.iter().zip(items.iter().skip(1)) {
        order(one, other, meter)?;
    }
    for item in items {
        meter.pay(rounds)?;
        if let Value::String(text) = item {
            meter.pay_bytes(text.len().saturating_mul(rounds))?;
        }
    }
    let mut sorted = items.to_vec();
    // Neighbours have an order, so all have one, and it has been paid for.
    sort_by(&mut sorted, |one, other| {
        order(one, other, &mut Meter::new(u64::MAX)).unwrap_or(Ordering::Equal)
    });
    Ok(Value::list(sorted))
}

fn distinct<'v>(items: &[Value<'v>], meter: &mut Meter) -> CallResult<'v> {
    let mut found: Vec<Value<'v>> = Vec::new();
    for item in items {
        meter.pay(1)?;
        if !is_in(item, &found, meter)? {
            found.push(item.clone());
        }
    }
    Ok(Value::list(found))
}

/// The items, with those of lists in place of the lists, down to a depth.
fn flat<'v>(items: &[Value<'v>], depth: i64, meter: &mut Meter) -> Result<Vec<Value<'v>>, Fail> {
    let mut found = Vec::new();
    for item in items {
        meter.pay(1)?;
        match item {
            Value::List(inner) if depth > 0 => found.extend(flat(inner, depth - 1, meter)?),
            item => found.push(item.clone()),
        }
    }
    Ok(found)
}

fn sum<'v>(items: &[Value<'v>], meter: &mut Meter) -> CallResult<'v> {
    let Some((first, rest)) = items.split_first() else {
        return Ok(Value::Int(0));
    };
    if !first.kind().is_number() && !matches!(first, Value::Duration(_)) {
        return Err(Fail::error("only numbers and durations can be summed"));
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

pub(super) fn index_of<'v, 'i>(
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
