//! Resource quantities (`k8s.io/apiserver/pkg/cel/library`).

use super::functions::Function;
use super::meter::Fail;
use super::value::Value;
use slicewise::model::Quantity;

const NANOS: i128 = 1_000_000_000;

/// An amount of a resource. Larger amounts than an `int` of whole units are not quantities here.
#[derive(Clone, Copy, Debug)]
pub struct CelQuantity {
    nanos: i128,
    /// Would the API server give it as an integer? It does not look whether the decimals of `1.0` and `1000m` are zeros.
    is_whole: bool,
}

impl CelQuantity {
    fn parse(text: &str) -> Option<Self> {
        Some(Self {
            nanos: Quantity::parse(text)?.nanos(),
            is_whole: is_whole(text),
        })
    }

    fn plus(self, other: Self) -> Self {
        let nanos = self.nanos.saturating_add(other.nanos);
        let is_whole = match (self.nanos, other.nanos) {
            (_, 0) => self.is_whole,
            (0, _) => other.is_whole,
            _ => self.is_whole && other.is_whole && i64::try_from(nanos / NANOS).is_ok(),
        };
        Self { nanos, is_whole }
    }

    pub(super) const fn nanos(self) -> i128 {
        self.nanos
    }

    fn integer(self) -> Option<i64> {
        i64::try_from(self.nanos / NANOS)
            .ok()
            .filter(|_| self.is_whole)
    }
}

/// Does the reference's parser keep it as an integer? It counts digits before it multiplies.
fn is_whole(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    let suffix = digits.trim_start_matches(|digit: char| digit.is_ascii_digit() || digit == '.');
    let number = digits.strip_suffix(suffix).unwrap_or(digits);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let count = whole.trim_start_matches('0').len().max(1);
    let place = |units: &str| {
        let mut units = units.bytes().zip(1_usize..);
        let unit = suffix.bytes().next();
        units
            .find(|(known, _)| Some(*known) == unit)
            .map(|(_, place)| place)
    };
    if suffix.ends_with('i') {
        return fraction.is_empty() && place("KMGTPE").is_some_and(|place| count + place * 3 <= 14);
    }
    let exponent = match suffix {
        "" => Some(0),
        "k" | "M" | "G" | "T" | "P" | "E" => place("kMGTPE").map(|place| place * 3),
        _ => suffix
            .strip_prefix(['e', 'E'])
            .and_then(|exponent| exponent.parse().ok()),
    };
    exponent.is_some_and(|exponent| exponent >= fraction.len() && count + fraction.len() <= 18)
}

/// Functions of quantities; `None` for others.
pub(super) fn with_quantity<'v>(
    function: Function,
    arguments: &[Value<'v>],
) -> Result<Option<Value<'v>>, Fail> {
    Ok(Some(match (function, arguments) {
        (Function::IsQuantity, [Value::String(text)]) => {
            Value::Bool(CelQuantity::parse(text).is_some())
        }
        (Function::Quantity, [Value::String(text)]) => Value::Quantity(
            CelQuantity::parse(text)
                .ok_or_else(|| Fail::error("the string is not a quantity such as `1.5Gi`"))?,
        ),
        (_, [Value::Quantity(one)]) => match function {
            Function::Sign => Value::Int(one.nanos.signum() as i64),
            Function::IsInteger => Value::Bool(one.integer().is_some()),
            Function::AsInteger => Value::Int(
                one.integer()
                    .ok_or_else(|| Fail::error("the quantity is not an integer"))?,
            ),
            Function::AsApproximateFloat => Value::Double(one.nanos as f64 / NANOS as f64),
            _ => return Ok(None),
        },
        (_, [Value::Quantity(one), Value::Quantity(other)]) => {
            let order = one.nanos.cmp(&other.nanos);
            match function {
                Function::IsGreaterThan => Value::Bool(order.is_gt()),
                Function::IsLessThan => Value::Bool(order.is_lt()),
                Function::CompareTo => Value::Int(order as i64),
                Function::AddTo => Value::Quantity(one.plus(*other)),
                Function::Sub => Value::Quantity(one.plus(negative(*other))),
                _ => return Ok(None),
            }
        }
        (_, [Value::Quantity(one), Value::Int(units)]) => {
            let other = CelQuantity {
                nanos: i128::from(*units) * NANOS,
                is_whole: true,
            };
            match function {
                Function::AddTo => Value::Quantity(one.plus(other)),
                Function::Sub => Value::Quantity(one.plus(negative(other))),
                _ => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}

const fn negative(amount: CelQuantity) -> CelQuantity {
    CelQuantity {
        nanos: -amount.nanos,
        is_whole: amount.is_whole,
    }
}
