//! The names that an expression may use, and the kinds of values as far as they are known at compile time.

use alloc::vec::Vec;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the language")]
#[non_exhaustive]
pub enum ValueKind {
    /// Only known at run time.
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    List,
    Map,
    Type,
    Optional,
    Ip,
    Cidr,
    Timestamp,
    Duration,
    Quantity,
    Url,
    Format,
}

impl ValueKind {
    /// The language's name of it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dyn => "dyn",
            Self::Null => "null_type",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::List => "list",
            Self::Map => "map",
            Self::Type => "type",
            Self::Optional => "optional_type",
            Self::Ip => "net.IP",
            Self::Cidr => "net.CIDR",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::Quantity => "kubernetes.Quantity",
            Self::Url => "kubernetes.URL",
            Self::Format => "kubernetes.NamedFormat",
        }
    }

    /// The kinds that an expression can name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let kinds = [
            Self::Bool,
            Self::Int,
            Self::Uint,
            Self::Double,
            Self::String,
            Self::List,
            Self::Map,
            Self::Type,
            Self::Null,
        ];
        kinds.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Can a value of this kind turn out to be of the other kind?
    pub fn may_be(self, other: Self) -> bool {
        self == Self::Dyn || self == other
    }

    pub(super) const fn is_time(self) -> bool {
        matches!(self, Self::Timestamp | Self::Duration)
    }

    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }
}

/// What is known about a value that the host provides.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HostFields {
    /// Nothing.
    Any,
    /// It has these fields, or some of them.
    Among(&'static [&'static str]),
    /// It has these fields, of these kinds, which are computed one by one: it cannot be used as a whole.
    Each(&'static [(&'static str, ValueKind)]),
}

impl HostFields {
    pub(super) fn names(self) -> Vec<&'static str> {
        match self {
            Self::Any => Vec::new(),
            Self::Among(names) => names.to_vec(),
            Self::Each(fields) => fields.iter().map(|(name, _)| *name).collect(),
        }
    }
}

/// A value that the host provides.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Name {
    /// How expressions name it.
    pub name: &'static str,
    /// Its fields.
    pub fields: HostFields,
}

/// Everything that an expression may name besides `variables`.
pub type DeclaredNames = [Name];
