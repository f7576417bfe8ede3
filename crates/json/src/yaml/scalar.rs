//! Plain scalars: their meaning in the core schema (YAML 1.2.2, 10.3.2).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

/// The meaning of a plain scalar, as JSON unless it is text.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the scalars of YAML's core schema")]
pub enum PlainScalar {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer in JSON's notation.
    Int(String),
    /// Any other number in JSON's notation, with all digits kept.
    Float(String),
    /// A number that JSON cannot represent: infinite, not a number, or too long in base 8 or 16.
    Unspeakable,
    /// Anything else.
    Text,
}

/// Resolves a plain scalar.
pub fn resolve(text: &str) -> PlainScalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return PlainScalar::Null,
        "true" | "True" | "TRUE" => return PlainScalar::Bool(true),
        "false" | "False" | "FALSE" => return PlainScalar::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return PlainScalar::Unspeakable,
        _ => {}
    }
    if let Some(number) = with_base(text) {
        return number;
    }
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => ("-", text.get(1..).unwrap_or_default()),
        Some(b'+') => ("", text.get(1..).unwrap_or_default()),
        _ => ("", text),
    };
    if matches!(rest, ".inf" | ".Inf" | ".INF") {
        return PlainScalar::Unspeakable;
    }
    decimal(sign, rest).unwrap_or(PlainScalar::Text)
}

/// `0o17` and `0x1F`; neither takes a sign.
fn with_base(text: &str) -> Option<PlainScalar> {
    let (digits, base) = text
        .strip_prefix("0x")
        .map(|digits| (digits, 16))
        .or_else(|| text.strip_prefix("0o").map(|digits| (digits, 8)))?;
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let value = u128::from_str_radix(digits, base);
    Some(value.map_or(PlainScalar::Unspeakable, |value| {
        PlainScalar::Int(value.to_string())
    }))
}

/// `[0-9]+`, or `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, in JSON's spelling.
fn decimal(sign: &str, text: &str) -> Option<PlainScalar> {
    let (whole, rest) = digits(text);
    let (fraction, rest, has_point) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = digits(rest);
            (fraction, rest, true)
        }
        None => ("", rest, false),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent = match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let (power, end) = digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
            if power.is_empty() || !end.is_empty() {
                return None;
            }
            rest
        }
        None if rest.is_empty() => "",
        None => return None,
    };
    let significant = whole.trim_start_matches('0');
    let whole = if significant.is_empty() {
        "0"
    } else {
        significant
    };
    if !has_point && exponent.is_empty() {
        return Some(PlainScalar::Int(format!("{sign}{whole}")));
    }
    let fraction = match (has_point, fraction) {
        (false, _) => String::new(),
        (true, "") => ".0".to_owned(),
        (true, fraction) => format!(".{fraction}"),
    };
    Some(PlainScalar::Float(format!(
        "{sign}{whole}{fraction}{exponent}"
    )))
}

/// The leading digits, and what follows them.
fn digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = match resolve(text) {
            PlainScalar::Null => "null".to_owned(),
            PlainScalar::Bool(value) => value.to_string(),
            PlainScalar::Int(number) | PlainScalar::Float(number) => {
                let read: Result<serde_json::Value, _> = serde_json::from_str(&number);
                assert!(read.is_ok(), "{number} is no JSON");
                number
            }
            PlainScalar::Unspeakable => "refused".to_owned(),
            PlainScalar::Text => "text".to_owned(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn the_core_schema() {
        for text in ["", "~", "null", "NULL"] {
            check(text, "null");
        }
        check("true", "true");
        check("FALSE", "false");
        for text in [
            "yes",
            "no",
            "on",
            "y",
            "nULL",
            "tRue",
            "12_000",
            "1:30",
            "0b1",
            "0x",
            "0o8",
            "-0x1",
            "1e",
            "e3",
            ".",
            "-",
            "+",
            "1.2.3",
            "2026-01-02",
            "--1",
            "1e+",
            ".e3",
            "inf",
            "10m",
        ] {
            check(text, "text");
        }
        for (text, expected) in [
            ("0", "0"),
            ("-0", "-0"),
            ("+12", "12"),
            ("017", "17"),
            ("000", "0"),
            ("0o17", "15"),
            ("0x1F", "31"),
            ("1.", "1.0"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("+1.50", "1.50"),
            ("1e3", "1e3"),
            ("01.e+3", "1.0e+3"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
        ] {
            check(text, expected);
        }
        for text in [
            ".inf",
            "-.INF",
            "+.Inf",
            ".nan",
            "0x123456789012345678901234567890123",
        ] {
            check(text, "refused");
        }
    }
}
