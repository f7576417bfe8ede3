//! Points in time as the API writes them: RFC 3339, UTC. Nothing here reads a clock.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::quantity::shorten;

/// A point in time, exact to the nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// Reads an RFC 3339 time with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        // The library also takes other ISO 8601 spellings; Go's RFC 3339 wants exactly `T` and a numeric offset or `Z`.
        let bytes = text.as_bytes();
        let offset_is_plain = text.ends_with('Z')
            || bytes
                .len()
                .checked_sub(6)
                .and_then(|at| bytes.get(at))
                .is_some_and(|sign| matches!(sign, b'+' | b'-'));
        let has_t = bytes.get(10) == Some(&b'T');
        (has_t && offset_is_plain && bytes.len() >= 20)
            .then(|| text.parse().ok().map(Self))
            .flatten()
    }

    /// Go's zero time, which the API uses for "not set".
    pub fn is_zero(self) -> bool {
        const YEAR_ONE: i64 = -62_135_596_800;
        self.0.as_second() == YEAR_ONE && self.0.subsec_nanosecond() == 0
    }

    /// The error for text that is no time.
    pub(super) fn mistake<E: serde::de::Error>(text: &str) -> E {
        E::custom(format_args!(
            "`{}` is not an RFC 3339 time; write it like `2026-01-02T03:04:05Z`",
            shorten(text)
        ))
    }

    /// From seconds since 1970 and nanoseconds; `None` out of range.
    pub fn from_unix(seconds: i64, nanoseconds: i32) -> Option<Self> {
        jiff::Timestamp::new(seconds, nanoseconds).ok().map(Self)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimestampVisitor;

        impl Visitor<'_> for TimestampVisitor {
            type Value = Timestamp;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an RFC 3339 time such as \"2026-01-02T03:04:05Z\"")
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Timestamp, E> {
                Timestamp::parse(value).ok_or_else(|| Timestamp::mistake(value))
            }
        }

        deserializer.deserialize_str(TimestampVisitor)
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
        check("yesterday", None);
        assert!(Timestamp::parse("0001-01-01T00:00:00Z").unwrap().is_zero());
        assert!(!Timestamp::parse("2026-01-02T03:04:05Z").unwrap().is_zero());
    }
}
