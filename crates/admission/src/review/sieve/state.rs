//! Where in the grammar of JSON a text has been read to.

/// What has been read last, and so what may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SieveState {
    /// A value comes next.
    Value,
    /// The bracket of an array; an item or its end comes next.
    ArrayBegins,
    /// The bracket of an object.
    ObjectBegins,
    /// The comma behind a member.
    NextKey,
    /// A key.
    Colon,
    /// A value.
    After,
    /// A part of a key or of another text.
    Text(bool),
    /// A backslash in it.
    Escape(bool),
    /// These digits of an escape: their number and value.
    Digits(bool, u8, u16),
    /// So many letters of a word.
    Word(&'static str, usize),
    Number(Digit),
    /// A fault: nothing else counts.
    Over,
}

impl SieveState {
    /// Is it in a key?
    pub(super) const fn is_in_key(self) -> bool {
        matches!(
            self,
            Self::Text(true) | Self::Escape(true) | Self::Digits(true, ..)
        )
    }

    /// Is it in a text, a word or a number?
    pub(super) const fn is_in_scalar(self) -> bool {
        self.is_in_key()
            || matches!(
                self,
                Self::Text(_)
                    | Self::Escape(_)
                    | Self::Digits(..)
                    | Self::Word(..)
                    | Self::Number(_)
            )
    }

    /// The shortest text that leads here, behind the brackets around it.
    pub(super) fn shortest(self) -> &'static str {
        match self {
            Self::Text(_) => "\"",
            Self::Escape(_) => "\"\\",
            Self::Digits(_, count, _) => {
                let most = r#""\u000"#;
                most.get(..3 + usize::from(count)).unwrap_or(most)
            }
            Self::Word(word, count) => word.get(..count).unwrap_or(word),
            Self::Number(digit) => digit.shortest(),
            _ => "",
        }
    }
}

/// What has been read last of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Digit {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

impl Digit {
    pub(super) const fn next(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Minus, b'0') => Self::Zero,
            (Self::Minus, b'1'..=b'9') | (Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Zero | Self::Whole, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::Sign,
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Self::Power,
            _ => return None,
        })
    }

    /// May a number end here? A zero has no digits behind it.
    pub(super) const fn may_end(self, byte: u8) -> bool {
        match self {
            Self::Zero => !byte.is_ascii_digit(),
            Self::Whole | Self::Fraction | Self::Power => true,
            _ => false,
        }
    }

    /// The shortest number that has come as far.
    pub(super) const fn shortest(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Zero => "0",
            Self::Whole => "1",
            Self::Point => "0.",
            Self::Fraction => "0.0",
            Self::Exponent => "0e",
            Self::Sign => "0e+",
            Self::Power => "0e0",
        }
    }
}
