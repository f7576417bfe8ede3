//! Formats numbers with the same bytes as Go.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

/// Like Go's `strconv.FormatFloat(value, 'g', -1, 64)`: the fewest digits that restore the number, with an exponent
/// below 0.0001 and from a million on. Zero has no sign.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts come from Go.
    #[track_caller]
    fn check(value: f64, expected: &str) {
        assert_eq!(float(value), expected);
    }

    #[test]
    fn numbers_are_printed_as_by_go() {
        check(0.0, "0");
        check(-0.0, "0");
        check(1.0, "1");
        check(-1.25, "-1.25");
        check(32_768.0, "32768");
        check(999_999.0, "999999");
        check(100_000.5, "100000.5");
        check(1e6, "1e+06");
        check(1_234_567.5, "1.2345675e+06");
        check(2_097_152.0, "2.097152e+06");
        check(9_007_199_254_740_993.0, "9.007199254740992e+15");
        check(1e21, "1e+21");
        check(1e300, "1e+300");
        check(0.0001, "0.0001");
        check(0.00001, "1e-05");
        check(5e-324, "5e-324");
        check(0.1 + 0.2, "0.30000000000000004");
        check(f64::INFINITY, "+Inf");
        check(f64::NEG_INFINITY, "-Inf");
        check(f64::NAN, "NaN");
    }
}
