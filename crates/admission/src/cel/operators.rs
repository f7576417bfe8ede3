//! The operators: the kinds they accept, and the values they produce.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use core::cmp::Ordering;

use cel::common::ast::operators as names;

use super::meter::{Fail, Meter};
use super::names::ValueKind;
use super::program::{ExpressionNode, Operator};
use super::times::out_of_range;
use super::typed::Typed;
use super::value::{MapKey, Str, Value};

impl Operator {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            names::ADD => Self::Add,
            names::SUBSTRACT => Self::Subtract,
            names::MULTIPLY => Self::Multiply,
            names::DIVIDE => Self::Divide,
            names::MODULO => Self::Modulo,
            names::EQUALS => Self::Equal,
            names::NOT_EQUALS => Self::Unequal,
            names::LESS => Self::Less,
            names::LESS_EQUALS => Self::LessEqual,
            names::GREATER => Self::Greater,
            names::GREATER_EQUALS => Self::GreaterEqual,
            names::IN => Self::In,
            _ => return None,
        })
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
        }
    }

    /// The typed operation on these operands.
    ///
    /// # Errors
    /// When no values of their kinds are accepted.
    pub(super) fn typed(self, one: Typed, other: Typed) -> Result<Typed, String> {
        let (left, right) = (one.kind, other.kind);
        let Some(kind) = self.kind(left, right) else {
            let (left, right) = (left.as_str(), right.as_str());
            return Err(format!(
                "`{}` does not take {left} and {right}",
                self.as_str()
            ));
        };
        let cost = one.cost.saturating_add(other.cost);
        let (cost, items) = match (self, kind) {
            (Self::In, _) => (cost.saturating_add(other.items), 0),
            (Self::Add, ValueKind::List) => {
                let items = one.items.saturating_add(other.items);
                (cost.saturating_add(items), items)
            }
            _ => (cost, 0),
        };
        let parts = Box::new([one.node, other.node]);
        Ok(Typed::new(ExpressionNode::Binary(self, parts), kind, cost).with_items(items))
    }

    /// The kind of its value; `None` if it does not accept such operands.
    fn kind(self, one: ValueKind, other: ValueKind) -> Option<ValueKind> {
        let is_known = one != ValueKind::Dyn && other != ValueKind::Dyn;
        let either = if one == ValueKind::Dyn { other } else { one };
        let are_numbers = one.is_number() && other.is_number();
        match self {
            Self::Equal | Self::Unequal => {
                let is_null = one == ValueKind::Null || other == ValueKind::Null;
                (!is_known || one == other || are_numbers || is_null).then_some(ValueKind::Bool)
            }
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => {
                let is_ordered = either.is_number()
                    || either.is_time()
                    || [ValueKind::Dyn, ValueKind::String, ValueKind::Bool].contains(&either);
                let fits = !is_known || one == other || are_numbers;
                (is_ordered && fits).then_some(ValueKind::Bool)
            }
            Self::In => [ValueKind::Dyn, ValueKind::List, ValueKind::Map]
                .contains(&other)
                .then_some(ValueKind::Bool),
            Self::Add | Self::Subtract if one.is_time() || other.is_time() => {
                self.kind_of_time(one, other)
            }
            _ => {
                let adds =
                    self == Self::Add && [ValueKind::String, ValueKind::List].contains(&either);
                let takes = either == ValueKind::Dyn || either.is_number() || adds;
                (takes && (!is_known || one == other)).then_some(either)
            }
        }
    }

    fn kind_of_time(self, one: ValueKind, other: ValueKind) -> Option<ValueKind> {
        use ValueKind::{Duration, Dyn, Timestamp};
        Some(match (self, one, other) {
            (_, Duration, Duration) | (Self::Subtract, Timestamp, Timestamp) => Duration,
            (_, Timestamp, Duration) | (Self::Add, Duration, Timestamp) => Timestamp,
            (_, Dyn, _) | (_, _, Dyn) => Dyn,
            _ => return None,
        })
    }

    /// Applies the operation to these values.
    pub(super) fn apply<'v>(
        self,
        one: Value<'v>,
        other: Value<'v>,
        meter: &mut Meter,
    ) -> Result<Value<'v>, Fail> {
        let is = |is: bool| Ok(Value::Bool(is));
        match self {
            Self::Equal => is(equal(&one, &other, meter)?),
            Self::Unequal => is(!equal(&one, &other, meter)?),
            Self::Less => is(self
                .order(&one, &other, meter)?
                .is_some_and(Ordering::is_lt)),
            Self::LessEqual => is(self
                .order(&one, &other, meter)?
                .is_some_and(Ordering::is_le)),
            Self::Greater => is(self
                .order(&one, &other, meter)?
                .is_some_and(Ordering::is_gt)),
            Self::GreaterEqual => is(self
                .order(&one, &other, meter)?
                .is_some_and(Ordering::is_ge)),
            Self::In => contains(&one, &other, meter).and_then(is),
            _ => self.calculate(one, other, meter),
        }
    }

    fn order(
        self,
        one: &Value<'_>,
        other: &Value<'_>,
        meter: &mut Meter,
    ) -> Result<Option<Ordering>, Fail> {
        compare(one, other, meter)?.ok_or_else(|| self.refuses(one, other))
    }

    #[cold]
    fn refuses(self, one: &Value<'_>, other: &Value<'_>) -> Fail {
        let (one, other) = (one.kind().as_str(), other.kind().as_str());
        Fail::Error(format!(
            "`{}` does not take {one} and {other}",
            self.as_str()
        ))
    }

    fn calculate<'v>(
        self,
        one: Value<'v>,
        other: Value<'v>,
        meter: &mut Meter,
    ) -> Result<Value<'v>, Fail> {
        let value = match (&one, &other) {
            (Value::Int(one), Value::Int(other)) => self.with_int(*one, *other).map(Value::Int),
            (Value::Uint(one), Value::Uint(other)) => self.with_uint(*one, *other).map(Value::Uint),
            (Value::Double(one), Value::Double(other)) => match self {
                Self::Add => Some(Value::Double(one + other)),
                Self::Subtract => Some(Value::Double(one - other)),
                Self::Multiply => Some(Value::Double(one * other)),
                Self::Divide => Some(Value::Double(one / other)),
                _ => return Err(self.refuses(&Value::Double(*one), &Value::Double(*other))),
            },
            (Value::Duration(_) | Value::Timestamp(_), _) => {
                return match self.with_time(&one, &other) {
                    Some(value) => value.ok_or_else(out_of_range),
                    None => Err(self.refuses(&one, &other)),
                };
            }
            (Value::String(one), Value::String(other)) if self == Self::Add => {
                return concatenated(one, other, meter);
            }
            (Value::List(_), Value::List(_)) if self == Self::Add => {
                return joined(one, other, meter);
            }
            _ => return Err(self.refuses(&one, &other)),
        };
        value.ok_or_else(|| {
            let is_zero = matches!(other, Value::Int(0) | Value::Uint(0));
            let divides = matches!(self, Self::Divide | Self::Modulo);
            Fail::error(if is_zero && divides {
                "division by zero"
            } else {
                "the number is too large"
            })
        })
    }

    /// Timestamps and durations; the outer `None` means that the operation does not take them, the inner that the result
    /// is out of range.
    #[expect(clippy::option_option, reason = "the two are told apart")]
    fn with_time<'v>(self, one: &Value<'v>, other: &Value<'v>) -> Option<Option<Value<'v>>> {
        Some(match (self, one, other) {
            (Self::Add, Value::Duration(one), Value::Duration(other)) => {
                one.checked_add(*other).map(Value::Duration)
            }
            (Self::Subtract, Value::Duration(one), Value::Duration(other)) => {
                one.checked_sub(*other).map(Value::Duration)
            }
            (Self::Add, Value::Timestamp(time), Value::Duration(nanos))
            | (Self::Add, Value::Duration(nanos), Value::Timestamp(time)) => {
                time.plus((*nanos).into()).map(Value::Timestamp)
            }
            (Self::Subtract, Value::Timestamp(time), Value::Duration(nanos)) => {
                time.plus(-i128::from(*nanos)).map(Value::Timestamp)
            }
            (Self::Subtract, Value::Timestamp(one), Value::Timestamp(other)) => {
                one.since(*other).map(Value::Duration)
            }
            _ => return None,
        })
    }

    const fn with_int(self, one: i64, other: i64) -> Option<i64> {
        match self {
            Self::Add => one.checked_add(other),
            Self::Subtract => one.checked_sub(other),
            Self::Multiply => one.checked_mul(other),
            Self::Divide => one.checked_div(other),
            _ => one.checked_rem(other),
        }
    }

    const fn with_uint(self, one: u64, other: u64) -> Option<u64> {
        match self {
            Self::Add => one.checked_add(other),
            Self::Subtract => one.checked_sub(other),
            Self::Multiply => one.checked_mul(other),
            Self::Divide => one.checked_div(other),
            _ => one.checked_rem(other),
        }
    }
}

fn concatenated<'v>(one: &Str<'v>, other: &Str<'v>, meter: &mut Meter) -> Result<Value<'v>, Fail> {
    meter.pay_bytes(one.len() + other.len())?;
    Ok(Value::owned([&**one, &**other].concat()))
}

fn joined<'v>(one: Value<'v>, other: Value<'v>, meter: &mut Meter) -> Result<Value<'v>, Fail> {
    let (Value::List(one), Value::List(other)) = (one, other) else {
        return Ok(Value::Null);
    };
    meter.pay(one.len() + other.len())?;
    let mut items = Rc::unwrap_or_clone(one);
    items.extend(other.iter().cloned());
    Ok(Value::List(Rc::new(items)))
}

/// Are two values equal? Values of different kinds are not, except numbers.
pub(super) fn equal(one: &Value<'_>, other: &Value<'_>, meter: &mut Meter) -> Result<bool, Fail> {
    meter.pay(1)?;
    Ok(match (one, other) {
        (Value::List(one), Value::List(other)) => {
            if one.len() != other.len() {
                return Ok(false);
            }
            for (one, other) in one.iter().zip(&**other) {
                if !equal(one, other, meter)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Map(one), Value::Map(other)) => {
            let (one, other) = (one.entries(), other.entries());
            if one.len() != other.len() {
                return Ok(false);
            }
            for ((one_key, one), (other_key, other)) in one.iter().zip(other) {
                let is_key = equal(&one_key.value(), &other_key.value(), meter)?;
                if !is_key || !equal(one, other, meter)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Null, Value::Null) | (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Optional(Some(one)), Value::Optional(Some(other))) => equal(one, other, meter)?,
        (Value::Type(one), Value::Type(other)) => one == other,
        (Value::Ip(one), Value::Ip(other)) => one == other,
        (Value::Cidr(one, one_range), Value::Cidr(other, other_range)) => {
            one == other && one_range == other_range
        }
        (Value::Quantity(one), Value::Quantity(other)) => one.nanos() == other.nanos(),
        (Value::Format(one), Value::Format(other)) => one == other,
        (Value::Url(one), Value::Url(other)) => **one == **other,
        _ => compare(one, other, meter)? == Some(Some(Ordering::Equal)),
    })
}

/// Compares two values. The outer `None` means that they have no order, the inner one that a number is NaN.
#[expect(clippy::option_option, reason = "the two are told apart")]
pub(super) fn compare(
    one: &Value<'_>,
    other: &Value<'_>,
    meter: &mut Meter,
) -> Result<Option<Option<Ordering>>, Fail> {
    let order = match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => Some(one.cmp(other)),
        (Value::String(one), Value::String(other)) => {
            meter.pay_bytes(one.len().min(other.len()))?;
            Some((**one).cmp(&**other))
        }
        (Value::Timestamp(one), Value::Timestamp(other)) => Some(one.cmp(other)),
        (Value::Duration(one), Value::Duration(other)) => Some(one.cmp(other)),
        (Value::Double(one), Value::Double(other)) => one.partial_cmp(other),
        (Value::Double(double), other) => match integer(other) {
            Some(other) => compare_mixed(*double, other),
            None => return Ok(None),
        },
        (one, Value::Double(double)) => match integer(one) {
            Some(one) => compare_mixed(*double, one).map(Ordering::reverse),
            None => return Ok(None),
        },
        (one, other) => match (integer(one), integer(other)) {
            (Some(one), Some(other)) => Some(one.cmp(&other)),
            _ => return Ok(None),
        },
    };
    Ok(Some(order))
}

const fn integer(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Int(number) => Some(*number as i128),
        Value::Uint(number) => Some(*number as i128),
        _ => None,
    }
}

/// Compares without rounding the integer.
fn compare_mixed(one: f64, other: i128) -> Option<Ordering> {
    if one.is_nan() {
        return None;
    }
    // Saturates, which preserves the order: the integer fits into 65 bits.
    let whole = one as i128;
    let fraction = one - whole as f64;
    let by_fraction = || fraction.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    Some(whole.cmp(&other).then_with(by_fraction))
}

fn contains(item: &Value<'_>, container: &Value<'_>, meter: &mut Meter) -> Result<bool, Fail> {
    match container {
        Value::List(items) => {
            for other in &**items {
                if equal(item, other, meter)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Map(map) => {
            let Some(key) = item.key() else {
                return Ok(false);
            };
            pay_search(&key, map.entries().len(), meter)?;
            Ok(map.get(&key).is_some())
        }
        _ => Err(Operator::In.refuses(item, container)),
    }
}

/// Pays for looking up a key among `count` entries.
pub(super) fn pay_search(key: &MapKey<'_>, count: usize, meter: &mut Meter) -> Result<(), Fail> {
    match key {
        MapKey::String(text) => meter.pay_bytes(
            text.len()
                .saturating_mul(count.checked_ilog2().unwrap_or(0) as usize + 1),
        ),
        _ => Ok(()),
    }
}
