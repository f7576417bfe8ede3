//! A compiled expression.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use regex_lite::Regex;

use super::formats::NamedFormat;
use super::functions::Function;
use super::names::ValueKind;

/// An expression, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) root: ExpressionNode,
    /// The kind of its value, as far as it is known.
    pub kind: ValueKind,
    /// The estimated cost if lists have a hundred items: see `estimate`.
    pub estimate: u64,
    /// The host's values that it names, without duplicates.
    pub(super) names: Vec<Used>,
    pub(super) variables: Vec<String>,
}

impl Program {
    /// The host's values that it names.
    pub fn names(&self) -> &[Used] {
        &self.names
    }

    /// The variables it names.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(String::as_str)
    }
}

/// A value of the host, by its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Used {
    /// Its index in [`DeclaredNames`](super::DeclaredNames).
    pub name: usize,
    /// The index of the field, if fields are computed one by one; otherwise 0.
    pub field: usize,
}

/// One operation.
#[derive(Clone, Debug)]
pub(super) enum ExpressionNode {
    Literal(Literal),
    /// A variable of a macro, counted from the outermost.
    Local(usize),
    /// A value of the host.
    Named(Used),
    /// `variables.NAME`.
    Variable(String),
    /// `a.b`, or `a.?b`.
    Select(Box<Self>, String, Access),
    /// `has(a.b)`.
    Has(Box<Self>, String),
    /// `a[b]`, or `a[?b]`.
    Index(Box<[Self; 2]>, Access),
    And(Box<[Self; 2]>),
    Or(Box<[Self; 2]>),
    Not(Box<Self>),
    Negate(Box<Self>),
    Choose(Box<[Self; 3]>),
    Binary(Operator, Box<[Self; 2]>),
    /// Items, and whether each is left out if it has no value.
    List(Vec<(Self, bool)>),
    Map(Vec<(Self, Self, bool)>),
    /// A method's receiver comes first.
    Call(Function, Vec<Self>),
    Search(Box<Search>),
    /// `a.optMap(x, b)`, or `a.optFlatMap(x, b)`.
    OptionalMap(Box<[Self; 2]>, bool),
    Fold(Box<Fold>),
}

/// What happens to a member that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It is an error.
    Strict,
    /// There is no value.
    Optional,
}

#[derive(Clone, Debug)]
pub(super) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(String),
    Kind(ValueKind),
    Format(NamedFormat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
}

/// A macro over the items of a list, or the keys of a map.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) what: FoldKind,
    pub(super) range: ExpressionNode,
    /// The condition on each item.
    pub(super) condition: Option<ExpressionNode>,
    /// What is computed for each item.
    pub(super) item: Option<ExpressionNode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldKind {
    All,
    Exists,
    ExistsOne,
    /// `map`, with or without a condition.
    Map,
    Filter,
}

/// Looks for a pattern in a text.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) what: SearchKind,
    pub(super) text: ExpressionNode,
    pub(super) pattern: Pattern,
    /// The maximum number of matches of `findAll`.
    pub(super) most: Option<ExpressionNode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchKind {
    Matches,
    Find,
    FindAll,
}

/// A regular expression.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) regex: Regex,
    /// The cost of matching one byte, in steps.
    pub(super) weight: usize,
}
