//! Durations in Kubernetes' notation, which is Go's: `500ms`, `1m30s`, `16m40s`.

use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;

use crate::model::text::shorten;

/// Units from the longest, with their nanoseconds.
const UNITS: [(&str, u64); 7] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("ns", 1),
];

/// Parses a duration that is not negative (reference: `time.ParseDuration`).
///
/// # Errors
/// A message that says how to fix it.
pub fn parse(text: &str) -> Result<Duration, String> {
    parts(text).ok_or_else(|| {
        format!(
            "`{}` is not a duration; write it like `500ms`, `2s` or `1m30s`",
            shorten(text)
        )
    })
}

fn parts(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut rest = text;
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (number, after) = split(rest, |byte| byte.is_ascii_digit() || byte == b'.')?;
        let (unit, after) = split(after, |byte| !byte.is_ascii_digit() && byte != b'.')?;
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total = total.checked_add(amount(number, *nanoseconds)?)?;
        rest = after;
    }
    // Go uses an `int64`.
    let fits = !text.is_empty() && i64::try_from(total).is_ok();
    fits.then(|| Duration::from_nanos(total))
}

/// Splits off the longest non-empty prefix whose bytes all match.
fn split(text: &str, is_such: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !is_such(byte));
    let end = end.unwrap_or(text.len());
    (end > 0).then_some(text.split_at_checked(end)?)
}

/// A decimal number of units, in nanoseconds; smaller fractions are dropped.
fn amount(number: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = !(whole.is_empty() && fraction.is_empty())
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let whole: u64 = match whole {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let mut total = whole.checked_mul(unit)?;
    let mut digit_unit = unit;
    for digit in fraction.bytes() {
        // Units are not powers of ten from seconds up, but tenths of them are whole nanoseconds.
        digit_unit /= 10;
        total = total.checked_add(u64::from(digit.wrapping_sub(b'0')).checked_mul(digit_unit)?)?;
    }
    is_number.then_some(total)
}

/// Formats a duration (reference: `time.Duration.String`).
pub fn format(duration: Duration) -> String {
    let (seconds, nanoseconds) = (duration.as_secs(), duration.subsec_nanos());
    if seconds == 0 {
        return match nanoseconds {
            0 => "0s".to_string(),
            1..1_000 => format!("{nanoseconds}ns"),
            1_000..1_000_000 => decimal(nanoseconds.into(), 1_000, 3) + "µs",
            _ => decimal(nanoseconds.into(), 1_000_000, 6) + "ms",
        };
    }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let rest = u64::from(nanoseconds) + seconds % 60 * 1_000_000_000;
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}h");
    }
    if hours > 0 || minutes > 0 {
        text += &format!("{minutes}m");
    }
    text + &decimal(rest, 1_000_000_000, 9) + "s"
}

/// A number of units with a fraction of at most `digits` digits, without trailing zeros.
fn decimal(amount: u64, unit: u64, digits: usize) -> String {
    let (whole, fraction) = (amount / unit, amount % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let text = format!("{whole}.{fraction:0digits$}");
    text.trim_end_matches('0').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let read = parse(text).ok().map(format);
        assert_eq!(read.as_deref(), expected, "{text}");
    }

    #[test]
    fn durations_are_read_and_written_as_go_does() {
        for text in [
            "0s", "1ns", "1.5µs", "500ms", "2s", "1m30s", "16m40s", "1h0m0.5s",
        ] {
            check(text, Some(text));
        }
        check("0", Some("0s"));
        check("1.5s", Some("1.5s"));
        check(".5s", Some("500ms"));
        check("1500us", Some("1.5ms"));
        check("90s", Some("1m30s"));
        check("1h", Some("1h0m0s"));
        for text in [
            "",
            "1",
            "s",
            "-1s",
            "1x",
            "1s2",
            ".s",
            "1.2.3s",
            "999999999999h",
            "1 s",
        ] {
            check(text, None);
        }
    }
}
