//! Builders for explanations.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{
    Explanation, ExplanationCode, Figure, Fix, Look, Severity, Subject, SubjectKind, ZoneFigures,
};
use crate::model::{AddressType, SortedMap};
use crate::plan::change::SuggestedChange;

#[doc(hidden)]
impl Explanation {
    /// An explanation with the topic and severity of its code, and nothing but what is the case.
    #[must_use]
    #[doc(hidden)]
    pub fn new(
        code: ExplanationCode,
        kind: SubjectKind,
        (namespace, name): (&str, &str),
        what: String,
    ) -> Self {
        Self {
            code,
            topic: code.topic(),
            severity: code.severity(),
            subject: Subject {
                kind,
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            },
            address_type: None,
            what,
            because: String::new(),
            to_do: String::new(),
            details: String::new(),
            figures: SortedMap::default(),
            fixes: Vec::new(),
            look: Vec::new(),
        }
    }

    /// The cause: the numbers that decide.
    #[doc(hidden)]
    #[must_use]
    pub fn because(mut self, because: impl Into<String>) -> Self {
        self.because = because.into();
        self
    }

    /// The full reason in prose.
    #[doc(hidden)]
    #[must_use]
    pub fn details(mut self, details: impl Into<String>) -> Self {
        self.details = details.into();
        self
    }

    /// Sets a severity other than the default.
    #[must_use]
    #[doc(hidden)]
    pub const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Limits it to one family.
    #[doc(hidden)]
    #[must_use]
    pub fn family(mut self, family: AddressType) -> Self {
        self.address_type = Some(family);
        self
    }

    /// Adds a number or name as data.
    #[doc(hidden)]
    #[must_use]
    pub fn figure(mut self, key: &'static str, figure: impl Into<Figure>) -> Self {
        self.figures.insert(key, figure.into());
        self
    }

    /// Adds a change that would help.
    #[doc(hidden)]
    #[must_use]
    pub fn fix(self, change: impl Into<String>, effect: impl Into<String>) -> Self {
        self.fixes([Fix::new(change, effect)])
    }

    /// Adds several of them.
    #[doc(hidden)]
    #[must_use]
    pub fn fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        if let Some(first) = self.fixes.first() {
            self.to_do.clone_from(&first.change);
        }
        self
    }

    /// Adds a place to look at.
    #[doc(hidden)]
    #[must_use]
    pub fn look(mut self, at: impl Into<String>, shows: impl Into<String>) -> Self {
        self.look.push(Look {
            at: at.into(),
            shows: shows.into(),
        });
        self
    }
}

#[doc(hidden)]
impl Fix {
    /// A change in words.
    #[doc(hidden)]
    #[must_use]
    pub fn new(change: impl Into<String>, effect: impl Into<String>) -> Self {
        Self {
            change: change.into(),
            effect: effect.into(),
            changes: Vec::new(),
            resync: false,
        }
    }

    /// The same as changes of the input.
    #[doc(hidden)]
    #[must_use]
    pub fn by(mut self, changes: impl IntoIterator<Item = SuggestedChange>) -> Self {
        let changes = changes.into_iter();
        self.changes
            .extend(changes.filter(|change| !change.is_nothing()));
        self
    }

    /// It makes a controller write what the plan writes.
    #[doc(hidden)]
    #[must_use]
    pub const fn resync(mut self) -> Self {
        self.resync = true;
        self
    }
}

impl From<i64> for Figure {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Figure {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Figure {
    fn from(ratio: f64) -> Self {
        Self::Ratio(ratio)
    }
}

impl From<&str> for Figure {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<Vec<i64>> for Figure {
    fn from(numbers: Vec<i64>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<Vec<ZoneFigures>> for Figure {
    fn from(zones: Vec<ZoneFigures>) -> Self {
        Self::Zones(zones)
    }
}

impl From<&[&str]> for Figure {
    fn from(names: &[&str]) -> Self {
        Self::Names(names.iter().map(ToString::to_string).collect())
    }
}
