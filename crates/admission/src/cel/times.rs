//! Timestamps and durations, as in CEL's specification and Go.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::cmp::Ordering;

use super::functions::Function;
use super::meter::Fail;
use super::value::Value;
use slicewise::model::duration;
use slicewise::model::time::Timestamp;

const NANOS: i64 = 1_000_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// A point in time in the years 1 to 9999.
#[derive(Clone, Copy, Debug)]
pub struct Instant {
    /// Since 1970, rounded down.
    seconds: i64,
    nanos: u32,
    /// The offset it was written with, in seconds; only its text shows it.
    offset: i64,
}

impl PartialEq for Instant {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Instant {}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Instant {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

impl Instant {
    fn parse(text: &str) -> Option<Self> {
        let (seconds, nanos) = Timestamp::parse(text)?.unix();
        let at = text.len().saturating_sub(6);
        let offset = text.get(at..).and_then(offset).unwrap_or(0);
        Self {
            seconds,
            nanos,
            offset,
        }
        .checked()
    }

    fn checked(self) -> Option<Self> {
        const YEAR_ONE: i64 = -62_135_596_800;
        const END: i64 = 253_402_300_800;
        (YEAR_ONE..END).contains(&self.seconds).then_some(self)
    }

    pub(super) fn plus(self, duration: i128) -> Option<Self> {
        let nanos = i128::from(self.nanos) + duration;
        let seconds = i128::from(self.seconds) + nanos.div_euclid(NANOS.into());
        Self {
            seconds: seconds.try_into().ok()?,
            nanos: nanos.rem_euclid(NANOS.into()).try_into().ok()?,
            offset: self.offset,
        }
        .checked()
    }

    pub(super) fn since(self, other: Self) -> Option<i64> {
        let seconds = i128::from(self.seconds) - i128::from(other.seconds);
        let nanos = seconds * i128::from(NANOS) + i128::from(self.nanos) - i128::from(other.nanos);
        nanos.try_into().ok()
    }

    pub(super) fn text(self) -> String {
        let nanos = i32::try_from(self.nanos).unwrap_or(0);
        let local = Timestamp::from_unix(self.seconds + self.offset, nanos);
        let text = local.map(|local| local.to_string()).unwrap_or_default();
        if self.offset == 0 {
            return text;
        }
        let (sign, minutes) = match self.offset {
            ..0 => ('-', -self.offset / 60),
            _ => ('+', self.offset / 60),
        };
        let text = text.trim_end_matches('Z');
        format!("{text}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }

    /// A part of the local time at this offset.
    fn part(self, function: Function, offset: i64) -> Option<i64> {
        let local = self.seconds + offset;
        let (days, second) = (
            local.div_euclid(SECONDS_PER_DAY),
            local.rem_euclid(SECONDS_PER_DAY),
        );
        let (year, month, day) = date_of(days);
        Some(match function {
            Function::GetFullYear => year,
            Function::GetMonth => month - 1,
            Function::GetDate => day,
            Function::GetDayOfMonth => day - 1,
            Function::GetDayOfYear => days - days_before(year),
            // 1 January 1970 was a Thursday.
            Function::GetDayOfWeek => (days + 4).rem_euclid(7),
            Function::GetHours => second / 3600,
            Function::GetMinutes => second / 60 % 60,
            Function::GetSeconds => second % 60,
            Function::GetMilliseconds => i64::from(self.nanos) / 1_000_000,
            _ => return None,
        })
    }
}

/// Days from 1970 to the start of a year.
const fn days_before(year: i64) -> i64 {
    let past = year - 1;
    past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400) - 719_162
}

/// Year, month and day of a day since 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let mut year = 1970 + days.div_euclid(366);
    while days_before(year + 1) <= days {
        year += 1;
    }
    let is_leap = days_before(year + 1) - days_before(year) == 366;
    let mut day = days - days_before(year);
    for (month, length) in (1..).zip([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        let length = length + i64::from(is_leap && month == 2);
        if day < length {
            return (year, month, day + 1);
        }
        day -= length;
    }
    (year, 12, 31)
}

/// `+hh:mm`, `-hh:mm` or `hh:mm`, in seconds.
fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (hours, minutes) = digits.split_once(':')?;
    let number = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| is_number)
    };
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

fn parse_duration(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let nanos = duration::parse(digits).ok()?.as_nanos();
    Some(sign * i64::try_from(nanos).ok()?)
}

/// A duration as text: seconds, with a fraction if there is one.
pub(super) fn duration_text(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let (whole, fraction) = (nanos / NANOS as u64, nanos % NANOS as u64);
    let text = format!("{sign}{whole}.{fraction:09}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}s")
}

/// Functions of timestamps and durations; `None` for others.
pub(super) fn with_time<'v>(
    function: Function,
    arguments: &[Value<'v>],
) -> Result<Option<Value<'v>>, Fail> {
    Ok(Some(match (function, arguments) {
        (Function::Timestamp, [Value::Timestamp(_)])
        | (Function::Duration, [Value::Duration(_)]) => {
            return Ok(arguments.first().cloned());
        }
        (Function::Timestamp, [Value::String(text)]) => Value::Timestamp(
            Instant::parse(text)
                .ok_or_else(|| Fail::error("the string is not an RFC 3339 time"))?,
        ),
        (Function::Timestamp, [Value::Int(seconds)]) => {
            let time = Instant {
                seconds: *seconds,
                nanos: 0,
                offset: 0,
            };
            Value::Timestamp(time.checked().ok_or_else(out_of_range)?)
        }
        (Function::Duration, [Value::String(text)]) => Value::Duration(
            parse_duration(text)
                .ok_or_else(|| Fail::error("the string is not a duration such as `1h30m`"))?,
        ),
        (Function::Int, [Value::Timestamp(time)]) => Value::Int(time.seconds),
        (Function::Int, [Value::Duration(nanos)]) => Value::Int(*nanos),
        (_, [Value::Duration(nanos)]) => Value::Int(match function {
            Function::GetHours => nanos / (3600 * NANOS),
            Function::GetMinutes => nanos / (60 * NANOS),
            Function::GetSeconds => nanos / NANOS,
            Function::GetMilliseconds => nanos / 1_000_000,
            _ => return Ok(None),
        }),
        (_, [Value::Timestamp(time)]) => return Ok(time.part(function, 0).map(Value::Int)),
        (_, [Value::Timestamp(time), Value::String(zone)]) => {
            let offset = match &**zone {
                "UTC" => 0,
                zone => offset(zone).ok_or_else(|| {
                    Fail::error("the time zone is neither `UTC` nor an offset such as `+02:00`")
                })?,
            };
            return Ok(time.part(function, offset).map(Value::Int));
        }
        _ => return Ok(None),
    }))
}

pub(super) fn out_of_range() -> Fail {
    Fail::error("the time is out of range")
}
