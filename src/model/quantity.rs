//! Resource quantities (`100m`, `4`, `1.5Gi`, `2e3`), exact to a billionth.
//!
//! Only the amounts matter here, not their format. The grammar is that of the reference's parser
//! (`k8s.io/apimachinery/pkg/api/resource`), with its oddities: `1.` and a bare suffix are accepted, anything finer
//! than a billionth is rounded away from zero.

use alloc::format;
use alloc::string::String;

use super::own::own_themselves;
use super::read::{Scalar, scalar_fields};
use super::text::{Text, shorten};

const NANO_DIGITS: i32 = 9;
const NANOS_PER_MILLI: i128 = 1_000_000;
/// The largest accepted amount: what the reference can still represent in whole units.
const MAX_NANOS: i128 = i64::MAX as i128 * 1_000_000_000;

/// An amount of a resource, in billionths of its unit (for CPU: nanocores).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity(i128);

impl Quantity {
    /// Parses a quantity; `None` if the text is not a quantity or is too large.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        let (whole, rest) = split_digits(rest);
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => split_digits(rest),
            None => ("", rest),
        };
        let amount = match suffix_factor(suffix)? {
            Factor::Decimal(exponent) => scale(whole, fraction, exponent)?,
            Factor::Binary(shift) => {
                let unit = scale(whole, fraction, 0)?;
                unit.checked_mul(1_i128.checked_shl(shift)?)?
            }
        };
        (amount <= MAX_NANOS).then_some(Self(if negative { -amount } else { amount }))
    }

    /// Is it zero?
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Billionths.
    pub const fn nanos(self) -> i128 {
        self.0
    }

    /// Thousandths, rounded up (Go: `MilliValue`).
    pub const fn milli_value(self) -> i128 {
        let (whole, rest) = (self.0 / NANOS_PER_MILLI, self.0 % NANOS_PER_MILLI);
        if rest > 0 { whole + 1 } else { whole }
    }
}

impl core::fmt::Display for Quantity {
    /// In billionths, the only unit that can express every amount.
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(formatter, "{}n", self.0)
    }
}

impl core::ops::AddAssign for Quantity {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

enum Factor {
    Decimal(i32),
    Binary(u32),
}

fn suffix_factor(suffix: &str) -> Option<Factor> {
    Some(match suffix {
        "n" => Factor::Decimal(-9),
        "u" => Factor::Decimal(-6),
        "m" => Factor::Decimal(-3),
        "" => Factor::Decimal(0),
        "k" => Factor::Decimal(3),
        "M" => Factor::Decimal(6),
        "G" => Factor::Decimal(9),
        "T" => Factor::Decimal(12),
        "P" => Factor::Decimal(15),
        "E" => Factor::Decimal(18),
        "Ki" => Factor::Binary(10),
        "Mi" => Factor::Binary(20),
        "Gi" => Factor::Binary(30),
        "Ti" => Factor::Binary(40),
        "Pi" => Factor::Binary(50),
        "Ei" => Factor::Binary(60),
        _ => Factor::Decimal(suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    })
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// `whole.fraction × 10^exponent` in billionths, rounded away from zero.
fn scale(whole: &str, fraction: &str, exponent: i32) -> Option<i128> {
    let mut digits = 0_i128;
    let mut places = exponent.checked_add(NANO_DIGITS)?;
    let mut inexact = false;
    let significant = whole
        .trim_start_matches('0')
        .bytes()
        .map(|digit| (digit, true));
    for (digit, is_whole) in significant.chain(fraction.bytes().map(|digit| (digit, false))) {
        if !is_whole {
            places = places.checked_sub(1)?;
        }
        digits = digits
            .checked_mul(10)?
            .checked_add(i128::from(digit - b'0'))?;
    }
    if digits == 0 {
        return Some(0);
    }
    while places < 0 {
        inexact |= digits % 10 != 0;
        digits /= 10;
        places += 1;
        if digits == 0 {
            break;
        }
    }
    digits += i128::from(inexact);
    let factor = 10_i128.checked_pow(u32::try_from(places.max(0)).ok()?)?;
    digits.checked_mul(factor)
}

impl<'a> Scalar<'a> for Quantity {
    fn what(&self) -> &'static str {
        "a quantity such as \"4\" or \"500m\""
    }

    fn takes_numbers(&self) -> bool {
        true
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        *self = Self::parse(text.trim()).ok_or_else(|| {
            format!(
                "`{}` is not a quantity; write it like `4`, `500m` or `1.5`",
                shorten(&text)
            )
        })?;
        Ok(())
    }
}

scalar_fields!(Quantity);
own_themselves!(Quantity);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, nanos: Option<i128>) {
        assert_eq!(
            Quantity::parse(text).map(|quantity| quantity.0),
            nanos,
            "{text}"
        );
    }

    #[test]
    fn suffixes() {
        const ONE: i128 = 1_000_000_000;
        check("4", Some(4 * ONE));
        check("15890m", Some(15_890_000_000));
        check("1u", Some(1_000));
        check("100n", Some(100));
        check("1.5", Some(ONE + ONE / 2));
        check(".5", Some(ONE / 2));
        check("1.", Some(ONE));
        check("2k", Some(2_000 * ONE));
        check("1.5Ki", Some(1_536 * ONE));
        check("1Ei", Some((1 << 60) * ONE));
        check("2e3", Some(2_000 * ONE));
        check("2E-3", Some(ONE / 500));
        check("1E", Some(ONE * 1_000_000_000_000_000_000));
        check("0", Some(0));
        check("00", Some(0));
        check("-1", Some(-ONE));
        check("+1", Some(ONE));
        check("m", Some(0));
        check("0.1n", Some(1));
        check("1e-30", Some(1));
        check("0e99", Some(0));
    }

    #[test]
    fn not_quantities() {
        for text in [
            "",
            "abc",
            "1x",
            "1 ",
            "1mm",
            "1.2.3",
            "1e",
            "1e+",
            "--1",
            "1i",
            "0x10",
            "NaN",
            "1e400",
            "99999999999999999999999",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn milli_value_rounds_up() {
        let milli = |text| Quantity::parse(text).unwrap().milli_value();
        assert_eq!(milli("1"), 1000);
        assert_eq!(milli("100u"), 1);
        assert_eq!(milli("1n"), 1);
        assert_eq!(milli("-100u"), 0);
    }
}
