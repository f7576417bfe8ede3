//! Timestamps in the API's format: RFC 3339, UTC. Nothing here reads a clock.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::ser::{Serialize, Serializer};

use super::text::shorten;

/// A timestamp in the years 0 to 9999, with nanosecond precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since 1970, rounded down.
    seconds: i64,
    nanoseconds: u32,
}

/// The Julian day of 1 January 1970.
const UNIX_EPOCH: i64 = 2_440_588;
const SECONDS_PER_DAY: i64 = 86_400;

impl Timestamp {
    /// Parses an RFC 3339 time with any offset, like Go's `time.RFC3339`: digits beyond nanoseconds are dropped, there
    /// are no leap seconds, an hour may have one digit, and the fraction may follow a comma.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.as_bytes().split_at_checked(11)?;
        let hour = if rest.get(1) == Some(&b':') { 1 } else { 2 };
        let (hour, rest) = rest.split_at_checked(hour)?;
        let (time, rest) = rest.split_at_checked(6)?;
        let at = |text: &[u8], at: usize| text.get(at).copied().unwrap_or_default();
        if [
            at(date, 4),
            at(date, 7),
            at(date, 10),
            at(time, 0),
            at(time, 3),
        ] != *b"--T::"
        {
            return None;
        }
        let number = |from: usize, to: usize| digits(date.get(from..to)?);
        let month = time::Month::try_from(u8::try_from(number(5, 7)?).ok()?).ok()?;
        let day = u8::try_from(number(8, 10)?).ok()?;
        let date = time::Date::from_calendar_date(i32::try_from(number(0, 4)?).ok()?, month, day);
        let (hour, minute) = (digits(hour)?, digits(time.get(1..3)?)?);
        let second = digits(time.get(4..)?)?;
        let (nanoseconds, offset) = fraction(rest)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let day = i64::from(date.ok()?.to_julian_day()) - UNIX_EPOCH;
        let seconds = day * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
        Self::from_unix(seconds - offset_seconds(offset)?, nanoseconds)
    }

    /// Go's zero time, which the API uses for "not set".
    pub const fn is_zero(self) -> bool {
        const YEAR_ONE: i64 = -62_135_596_800;
        self.seconds == YEAR_ONE && self.nanoseconds == 0
    }

    /// The start of 1970.
    pub const EPOCH: Self = Self {
        seconds: 0,
        nanoseconds: 0,
    };

    /// Like [`Timestamp::parse`], with a message for text that is not a time.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).ok_or_else(|| {
            format!(
                "`{}` is not an RFC 3339 time; write it like `2026-01-02T03:04:05Z`",
                shorten(text)
            )
        })
    }

    /// From seconds since 1970 and nanoseconds, which may both be negative; `None` out of range.
    pub fn from_unix(seconds: i64, nanoseconds: i32) -> Option<Self> {
        const NANOSECONDS: i32 = 1_000_000_000;
        let carry = i64::from(nanoseconds.div_euclid(NANOSECONDS));
        let time = Self {
            seconds: seconds.checked_add(carry)?,
            nanoseconds: u32::try_from(nanoseconds.rem_euclid(NANOSECONDS)).ok()?,
        };
        (0..=9999).contains(&time.date()?.year()).then_some(time)
    }

    /// Seconds since 1970, rounded down, and the nanoseconds after them.
    pub const fn unix(self) -> (i64, u32) {
        (self.seconds, self.nanoseconds)
    }

    /// The time `seconds` later; `None` if out of range.
    pub fn after(self, seconds: u32) -> Option<Self> {
        Self::from_unix(
            self.seconds.checked_add(seconds.into())?,
            i32::try_from(self.nanoseconds).ok()?,
        )
    }

    fn date(self) -> Option<time::Date> {
        let day = self.seconds.div_euclid(SECONDS_PER_DAY) + UNIX_EPOCH;
        time::Date::from_julian_day(i32::try_from(day).ok()?).ok()
    }
}

/// A text that consists of digits, as a number.
fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number: i64, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        Some(number * 10 + i64::from(digit))
    })
}

/// The nanoseconds of an optional fraction, and the offset after it.
fn fraction(text: &[u8]) -> Option<(i32, &[u8])> {
    let Some((b'.' | b',', text)) = text.split_first() else {
        return Some((0, text));
    };
    let end = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let (fraction, offset) = text.split_at_checked(end)?;
    let kept = fraction.get(..9).unwrap_or(fraction);
    let scale = 10_i64.pow(9 - u32::try_from(kept.len()).ok()?);
    let nanoseconds = i32::try_from(digits(kept)? * scale).ok()?;
    (end > 0).then_some((nanoseconds, offset))
}

/// `Z`, `+hh:mm` or `-hh:mm`.
fn offset_seconds(text: &[u8]) -> Option<i64> {
    let (sign, hour, minute) = match text {
        b"Z" => return Some(0),
        [b'+', a, b, b':', c, d] => (1, [*a, *b], [*c, *d]),
        [b'-', a, b, b':', c, d] => (-1, [*a, *b], [*c, *d]),
        _ => return None,
    };
    let (hour, minute) = (digits(&hour)?, digits(&minute)?);
    // Go's own limits.
    (hour <= 24 && minute <= 60).then_some(sign * (hour * 3600 + minute * 60))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date().unwrap_or(time::Date::MIN);
        let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
        let second = self.seconds.rem_euclid(SECONDS_PER_DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            formatter,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if self.nanoseconds > 0 {
            let fraction = format!("{:09}", self.nanoseconds);
            write!(formatter, ".{}", fraction.trim_end_matches('0'))?;
        }
        formatter.write_str("Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(
            Timestamp::parse(text)
                .map(|time| time.to_string())
                .as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn unix_seconds() {
        let text = |seconds, nanoseconds| {
            Timestamp::from_unix(seconds, nanoseconds).map(|time| time.to_string())
        };
        assert_eq!(text(0, 0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(
            text(0, -1).as_deref(),
            Some("1969-12-31T23:59:59.999999999Z")
        );
        assert_eq!(text(i64::MAX, 0), None);
        assert_eq!(text(i64::MIN, -1), None);
    }

    #[test]
    fn reading_and_writing() {
        check("2026-01-02T03:04:05Z", Some("2026-01-02T03:04:05Z"));
        check("2026-01-02T03:04:05.5Z", Some("2026-01-02T03:04:05.5Z"));
        check(
            "2026-01-02T03:04:05.123456789+02:00",
            Some("2026-01-02T01:04:05.123456789Z"),
        );
        check("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z"));
        check("2026-01-02 03:04:05Z", None);
        check("2026-01-02", None);
        check("2026-13-02T03:04:05Z", None);
        check("2026-02-29T03:04:05Z", None);
        check("2024-02-29T23:59:59-00:30", Some("2024-03-01T00:29:59Z"));
        check("1969-12-31T23:59:59.25Z", Some("1969-12-31T23:59:59.25Z"));
        check(
            "2026-01-02T03:04:05.1234567899Z",
            Some("2026-01-02T03:04:05.123456789Z"),
        );
        check("2026-01-02T3:04:05Z", Some("2026-01-02T03:04:05Z"));
        check("2026-01-02T03:04:05,5Z", Some("2026-01-02T03:04:05.5Z"));
        check("2026-01-02T003:04:05Z", None);
        check("2026-01-02T:04:05Z", None);
        check("2026-01-02T03:04:05.Z", None);
        check("2026-01-02T03:04:05", None);
        check("2026-01-02T03:04:60Z", None);
        check("2026-01-02T24:00:00Z", None);
        check("2026-01-02T03:04:05+2:00", None);
        check("2026-01-02T03:04:05+25:00", None);
        check("2026-01-02T03:04:+5Z", None);
        check("0000-01-01T00:00:00+01:00", None);
        check("9999-12-31T23:59:59-01:00", None);
        check("２026-01-02T03:04:05Z", None);
        check("yesterday", None);
        assert!(Timestamp::parse("0001-01-01T00:00:00Z").unwrap().is_zero());
        assert!(!Timestamp::parse("2026-01-02T03:04:05Z").unwrap().is_zero());
    }
}
