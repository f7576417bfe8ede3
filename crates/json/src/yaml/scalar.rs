//! Plain scalars: what `kubectl` takes them for. Its reader resolves the words and numbers of YAML 1.1 (`go.yaml.in/yaml/v2`,
//! `resolve.go`), besides the octal numbers of YAML 1.2.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;

/// The meaning of a plain scalar, as JSON unless it is text.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the scalars that JSON has, and those that it lacks"
)]
pub enum PlainScalar {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, `yes` or `on`; `false`, `no` or `off`.
    Bool(bool),
    /// An integer of at most 64 bits in JSON's notation.
    Int(String),
    /// Any other number in JSON's notation, with all digits kept.
    Float(String),
    /// A number that JSON cannot represent: infinite, or not a number.
    Unspeakable,
    /// Anything else, dates and times included.
    Text,
}

/// Resolves a plain scalar.
pub fn resolve(text: &str) -> PlainScalar {
    match text.as_bytes() {
        [b'.', ..] => match text {
            ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN" => PlainScalar::Unspeakable,
            _ => fraction(text),
        },
        [b'+' | b'-' | b'0'..=b'9', ..] => number(text),
        []
        | [
            b'~' | b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O',
            ..,
        ] => word(text),
        _ => PlainScalar::Text,
    }
}

impl PlainScalar {
    /// The text that it is as a key, written as `text`; `None` for null, which cannot be one.
    pub fn key(self, text: &str) -> Option<&str> {
        match self {
            Self::Null => None,
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            _ => Some(text),
        }
    }
}

fn word(text: &str) -> PlainScalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => PlainScalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            PlainScalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            PlainScalar::Bool(false)
        }
        _ => PlainScalar::Text,
    }
}

/// What begins with a point; a `_` may be between two digits.
fn fraction(text: &str) -> PlainScalar {
    let is_digit = |part: Option<char>| part.is_none_or(|last| last.is_ascii_digit());
    let parts = || text.split('_');
    let is_apart = parts()
        .skip(1)
        .all(|part| !part.is_empty() && is_digit(part.chars().next()))
        && parts()
            .rev()
            .skip(1)
            .all(|part| is_digit(part.chars().next_back()));
    let digits: String = parts().collect();
    let number = is_apart.then(|| decimal("", &digits)).flatten();
    number.unwrap_or(PlainScalar::Text)
}

/// What begins with a digit or a sign; `_` may be between the digits.
fn number(text: &str) -> PlainScalar {
    if matches!(text.get(1..), Some(".inf" | ".Inf" | ".INF")) && !text.starts_with('0') {
        return PlainScalar::Unspeakable;
    }
    let text: Cow<'_, str> = match text.contains('_') {
        true => text.replace('_', "").into(),
        false => text.into(),
    };
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => ("-", text.get(1..).unwrap_or_default()),
        Some(b'+') => ("", text.get(1..).unwrap_or_default()),
        _ => ("", &*text),
    };
    let based = with_base(sign, rest).or_else(|| decimal(sign, rest));
    based.unwrap_or(PlainScalar::Text)
}

/// `0x1F`, `0o17`, `017` and `0b101`.
fn with_base(sign: &str, text: &str) -> Option<PlainScalar> {
    let rest = text.strip_prefix('0')?;
    let (digits, base) = match rest.as_bytes().first()? {
        b'x' | b'X' => (rest.get(1..)?, 16),
        b'o' | b'O' => (rest.get(1..)?, 8),
        b'b' | b'B' => (rest.get(1..)?, 2),
        _ => (rest, 8),
    };
    if !digits.bytes().all(|digit| char::from(digit).is_digit(base)) {
        return None;
    }
    let value = u64::from_str_radix(digits, base).ok()?;
    integer(sign, value)
}

/// An integer that fits 64 bits with its sign.
fn integer(sign: &str, value: u64) -> Option<PlainScalar> {
    let is_fitting = sign.is_empty() || value <= i64::MIN.unsigned_abs();
    is_fitting.then(|| PlainScalar::Int(format!("{sign}{value}")))
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
        let of_64_bits = whole.parse().ok().and_then(|value| integer(sign, value));
        return of_64_bits.or_else(|| Some(PlainScalar::Float(format!("{sign}{whole}"))));
    }
    let fraction = match (has_point, fraction) {
        (false, _) => String::new(),
        (true, "") => ".0".to_owned(),
        (true, fraction) => format!(".{fraction}"),
    };
    let number = format!("{sign}{whole}{fraction}{exponent}");
    let is_finite = number.parse().is_ok_and(f64::is_finite);
    is_finite.then_some(PlainScalar::Float(number))
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

    #[track_caller]
    fn check_all(texts: &[&str], expected: &str) {
        for text in texts {
            check(text, expected);
        }
    }

    #[test]
    fn words() {
        check_all(&["", "~", "null", "NULL"], "null");
        check_all(&["true", "y", "Y", "yes", "On"], "true");
        check_all(&["FALSE", "n", "no", "NO", "off"], "false");
        check_all(
            &["nULL", "tRue", "oN", "none", "yeah", "inf", "=", "<<"],
            "text",
        );
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0", "0"),
            ("-0", "-0"),
            ("+12", "12"),
            ("017", "15"),
            ("018", "18"),
            ("000", "0"),
            ("0o17", "15"),
            ("0x1F", "31"),
            ("-0X1f", "-31"),
            ("0b101", "5"),
            ("12_000", "12000"),
            ("1__0_", "10"),
            ("1_0.5", "10.5"),
            ("1.", "1.0"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            (".5_0", "0.50"),
            ("+1.50", "1.50"),
            ("1e3", "1e3"),
            ("01.e+3", "1.0e+3"),
            ("0777777777777777777777777", "777777777777777777777777"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
        ] {
            check(text, expected);
        }
        check_all(&[".inf", "-.INF", "+.Inf", ".nan"], "refused");
        let texts = [
            "1:30",
            "0x",
            "0o8",
            "0b2",
            "0b",
            "0o",
            "1e",
            "e3",
            ".",
            "-",
            "+",
            "_1",
            "1.2.3",
            "2026-01-02",
            "--1",
            "1e+",
            ".e3",
            "._5",
            ".5_",
            ".5__0",
            ".5_e1",
            "10m",
            "1e400",
            "0.inf",
            "-.nan",
            "+-1",
            "0x-1",
            "0x10000000000000000",
            "-0xffffffffffffffff",
        ];
        check_all(&texts, "text");
    }

    #[test]
    fn keys() {
        for (text, expected) in [
            ("a", "a"),
            ("yes", "true"),
            ("Off", "false"),
            ("1.10", "1.10"),
        ] {
            assert_eq!(resolve(text).key(text), Some(expected), "{text}");
        }
        assert_eq!(resolve("~").key("~"), None);
    }
}
