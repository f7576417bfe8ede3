//! Builders for explanations.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::model::{AddressType, EndpointSlice, Node, Pod, Service, SortedMap};
use crate::plan::explanation::{
    Explanation, ExplanationCode, Figure, Fix, Severity, Subject, SubjectKind, ZoneFigures,
};

impl Explanation {
    fn new(
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
        }
    }

    /// The cause: the numbers that decide.
    pub(super) fn because(mut self, because: impl Into<String>) -> Self {
        self.because = because.into();
        self
    }

    /// The full reason in prose.
    pub(super) fn details(mut self, details: impl Into<String>) -> Self {
        self.details = details.into();
        self
    }

    /// Sets a severity other than the default.
    pub(super) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Limits it to one family.
    pub(super) fn family(mut self, family: AddressType) -> Self {
        self.address_type = Some(family);
        self
    }

    /// Adds a number or name as data.
    pub(super) fn figure(mut self, key: &'static str, figure: impl Into<Figure>) -> Self {
        self.figures.insert(key, figure.into());
        self
    }

    /// Adds a change that would help.
    pub(super) fn fix(self, change: impl Into<String>, effect: impl Into<String>) -> Self {
        self.fixes([fix(change, effect)])
    }

    /// Adds several of them.
    pub(super) fn fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        if let Some(first) = self.fixes.first() {
            self.to_do.clone_from(&first.change);
        }
        self
    }
}

/// A change and its effect.
pub(super) fn fix(change: impl Into<String>, effect: impl Into<String>) -> Fix {
    Fix {
        change: change.into(),
        effect: effect.into(),
    }
}

/// An explanation about a Service.
pub(super) fn service(
    code: ExplanationCode,
    service: &Service<'_>,
    what: impl Into<String>,
) -> Explanation {
    let names = (&*service.metadata.namespace, &*service.metadata.name);
    Explanation::new(code, SubjectKind::Service, names, what.into())
}

/// An explanation about a Pod.
pub(super) fn pod(code: ExplanationCode, pod: &Pod<'_>, what: impl Into<String>) -> Explanation {
    let names = (&*pod.metadata.namespace, &*pod.metadata.name);
    Explanation::new(code, SubjectKind::Pod, names, what.into())
}

/// An explanation about a Node.
pub(super) fn node(code: ExplanationCode, node: &Node<'_>, what: impl Into<String>) -> Explanation {
    Explanation::new(
        code,
        SubjectKind::Node,
        ("", &*node.metadata.name),
        what.into(),
    )
}

/// An explanation about a slice.
pub(super) fn slice(
    code: ExplanationCode,
    (namespace, name): (&str, &str),
    what: impl Into<String>,
) -> Explanation {
    Explanation::new(
        code,
        SubjectKind::EndpointSlice,
        (namespace, name),
        what.into(),
    )
}

/// Namespace and name of a slice.
pub(super) fn names<'s>(slice: &'s EndpointSlice<'_>) -> (&'s str, &'s str) {
    (&slice.metadata.namespace, slice.name())
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
