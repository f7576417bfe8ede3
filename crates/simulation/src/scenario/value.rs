//! Values that a scenario writes as text: durations, shares, and numbers that may be shares.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use slicewise::model::Quantity;
use slicewise::model::duration;
use slicewise::model::own::own_themselves;
use slicewise::model::read::{Optional, OptionalScalar, Slot};
use slicewise::model::text::{Text, shorten};

/// A duration, or a time since the start: `500ms`, `2s`, `1m30s`; a bare number is in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a duration")]
pub struct Span(pub Duration);

impl<'a> OptionalScalar<'a> for Span {
    const WHAT: &'static str =
        "a duration such as \"500ms\" or \"1m30s\", or a number of milliseconds";
    const TAKES_NUMBERS: bool = true;

    fn read(text: Text<'a>, is_number: bool) -> Result<Self, String> {
        let duration = if is_number {
            text.parse()
                .map(Duration::from_millis)
                .map_err(|_| format!("{} is not a whole number of milliseconds", shorten(&text)))
        } else {
            duration::parse(&text)
        };
        Ok(Self(duration?))
    }
}

/// How often something happens: `0%` to `100%`, with a resolution of a ten-thousandth of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Share {
    /// In millionths.
    pub per_million: u32,
}

impl<'a> OptionalScalar<'a> for Share {
    const WHAT: &'static str = "a share such as \"5%\"";

    fn read(text: Text<'a>, _: bool) -> Result<Self, String> {
        let per_million = text.strip_suffix('%').and_then(millionths);
        let per_million = per_million.filter(|share| *share <= 1_000_000);
        let per_million = per_million.ok_or_else(|| {
            format!(
                "`{}` is not a share; write it like `5%` or `0.1%`, at most `100%`",
                shorten(&text)
            )
        })?;
        Ok(Self { per_million })
    }
}

/// A percentage with at most four decimals, in millionths.
fn millionths(percents: &str) -> Option<u32> {
    const DIGITS: usize = 4;
    let (whole, fraction) = percents.split_once('.').unwrap_or((percents, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > DIGITS {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let fraction: u32 = format!("{fraction:0<DIGITS$}").parse().ok()?;
    whole.checked_mul(10_000)?.checked_add(fraction)
}

/// A number, or an integer percentage of the replicas, like a Deployment's `maxSurge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Amount {
    /// A number.
    Number(u32),
    /// A percentage.
    Percent(u32),
}

impl Amount {
    /// The amount out of `whole`; fractions are rounded up if `rounds_up`, otherwise down.
    pub fn of(self, whole: u32, rounds_up: bool) -> u32 {
        match self {
            Self::Number(number) => number,
            Self::Percent(percent) => {
                let parts = u64::from(whole) * u64::from(percent);
                let number = if rounds_up {
                    parts.div_ceil(100)
                } else {
                    parts / 100
                };
                u32::try_from(number).unwrap_or(u32::MAX)
            }
        }
    }
}

impl<'a> OptionalScalar<'a> for Amount {
    const WHAT: &'static str = "a number, or a share such as \"25%\"";
    const TAKES_NUMBERS: bool = true;

    fn read(text: Text<'a>, is_number: bool) -> Result<Self, String> {
        let amount = if is_number {
            text.parse().ok().map(Self::Number)
        } else {
            let percent = text.strip_suffix('%').and_then(|text| text.parse().ok());
            percent.filter(|percent| *percent <= 100).map(Self::Percent)
        };
        amount.ok_or_else(|| {
            format!(
                "`{}` is neither a whole number nor a share; write it like `3` or `25%`",
                shorten(&text)
            )
        })
    }
}

/// An amount of CPU in Kubernetes' notation: `4` or `500m`, as text or as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a number")]
pub struct Cpu(pub Quantity);

impl Default for Cpu {
    /// The default CPU of a node.
    fn default() -> Self {
        Self(Quantity::parse("4").unwrap_or_default())
    }
}

impl<'a> OptionalScalar<'a> for Cpu {
    const WHAT: &'static str = "an amount of CPU such as 4 or \"500m\"";
    const TAKES_NUMBERS: bool = true;

    fn read(text: Text<'a>, _: bool) -> Result<Self, String> {
        let amount = Quantity::parse(&text).filter(|amount| amount.milli_value() >= 0);
        amount.map(Self).ok_or_else(|| {
            format!(
                "`{}` is not an amount of CPU; write it like `4` or `500m`",
                shorten(&text)
            )
        })
    }
}

macro_rules! optional_fields {
    ($($Type:ty),*) => {$(
        impl<'a> Optional<'a> for $Type {
            fn slot_of(place: &mut Option<Self>) -> Slot<'_, 'a> {
                Slot::Scalar(place)
            }
        }
    )*};
}

optional_fields!(Span, Share, Amount, Cpu);
own_themselves!(Span, Share, Amount, Cpu);

/// The schema of a type that is written as a text, or possibly as a number.
macro_rules! schema_is {
    ($($Type:ty, $name:literal, $schema:tt;)*) => {$(
        impl schemars::JsonSchema for $Type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    )*};
}

schema_is! {
    Span, "Span", {
        "description": "A span of time such as `500ms`, `2s` or `1m30s`; a bare number is milliseconds.",
        "anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}],
    };
    Share, "Share", {
        "description": "How often something happens, `0%` to `100%`.",
        "type": "string",
        "pattern": "^[0-9]+([.][0-9]{1,4})?%$",
    };
    Amount, "Amount", {
        "description": "A number, or a share of the replicas such as `25%`.",
        "anyOf": [{"type": "string", "pattern": "^[0-9]+%$"}, {"type": "integer", "minimum": 0}],
    };
    Cpu, "Cpu", {
        "description": "An amount of CPU such as `4` or `500m`.",
        "anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}],
    };
}

#[cfg(test)]
mod tests {
    use slicewise::model::read::Scalar as _;

    use super::*;

    #[test]
    fn spans() {
        let read = |text: &'static str, is_number| {
            let mut span: Option<Span> = None;
            let result = span.set(text.into(), is_number);
            result.ok().and(span).map(|span| span.0.as_millis())
        };
        assert_eq!(read("1m30s", false), Some(90_000));
        assert_eq!(read("1500", true), Some(1500));
        assert_eq!(read("1500", false), None);
        assert_eq!(read("-1", true), None);
    }

    #[test]
    fn shares() {
        let check = |text: &'static str, expected: Option<u32>| {
            let mut share: Option<Share> = None;
            let result = share.set(text.into(), false);
            assert_eq!(
                result.ok().and(share).map(|share| share.per_million),
                expected,
                "{text}"
            );
        };
        check("0%", Some(0));
        check("5%", Some(50_000));
        check("0.01%", Some(100));
        check("100%", Some(1_000_000));
        for text in [
            "100.0001%",
            "5",
            "%",
            "1.%",
            ".5%",
            "-1%",
            "0.00001%",
            "99999999999%",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn amounts_of_cpu() {
        let check = |text: &'static str, is_number, expected: Option<&str>| {
            let mut cpu: Option<Cpu> = None;
            let result = cpu.set(text.into(), is_number);
            let expected = expected.and_then(Quantity::parse).map(Cpu);
            assert_eq!(result.ok().and(cpu), expected, "{text}");
        };
        check("2", true, Some("2"));
        check("0.5", true, Some("500m"));
        check("500m", false, Some("500m"));
        check("0", true, Some("0"));
        check("much", false, None);
        check("-1", true, None);
        check("-500m", false, None);
        assert_eq!(Some(Cpu::default().0), Quantity::parse("4"));
    }

    #[test]
    fn amounts() {
        let check = |text: &'static str, is_number, expected: Option<(u32, u32)>| {
            let mut amount: Option<Amount> = None;
            let result = amount.set(text.into(), is_number);
            let amount = result.ok().and(amount);
            let found = amount.map(|amount| (amount.of(10, true), amount.of(10, false)));
            assert_eq!(found, expected, "{text}");
        };
        check("3", true, Some((3, 3)));
        check("25%", false, Some((3, 2)));
        check("0%", false, Some((0, 0)));
        check("3", false, None);
        check("101%", false, None);
        check("1.5", true, None);
    }
}
