//! Actionable reasons, as data. The crate `slicewise-diagnosis` creates them; a plan carries them on request.

mod build;
mod codes;

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::change::SuggestedChange;
use crate::model::{AddressType, SortedMap};
pub use codes::ExplanationCode;

/// Why something is as it is, and how to change it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Explanation {
    /// A stable code.
    pub code: ExplanationCode,
    /// The topic of the code.
    pub topic: Topic,
    /// The severity.
    pub severity: Severity,
    /// The object it is about.
    pub subject: Subject,
    /// The family it is about; left out if it is not about a single family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_type: Option<AddressType>,
    /// What is the case, in one short sentence.
    pub what: String,
    /// The cause, with the numbers that decide.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// What to do: the change of the first entry in `fixes`.
    #[serde(rename = "do", default, skip_serializing_if = "String::is_empty")]
    pub to_do: String,
    /// The full explanation in prose.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
    /// The numbers and names in the sentences, as data.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub figures: SortedMap<&'static str, Figure>,
    /// Changes that would help. Where possible, each was tried on the same input before it was proposed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// Where to look for what the input does not show. Looking changes nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<Look>,
}

/// The severity, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ExplanationSeverity")
)]
#[expect(clippy::exhaustive_enums, reason = "a scale, worst to best")]
pub enum Severity {
    /// Clients get no answer.
    Broken,
    /// Something that was requested does not happen, or part of the traffic suffers.
    Degraded,
    /// Everything works now, but may not continue to.
    Risk,
    /// Good to know.
    Note,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 4] = [Self::Broken, Self::Degraded, Self::Risk, Self::Note];

    /// The name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Degraded => "degraded",
            Self::Risk => "risk",
            Self::Note => "note",
        }
    }
}

/// A one-line summary of a Service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "a line and its severity")]
pub struct Verdict {
    /// The severity of the most severe explanation.
    pub severity: Severity,
    /// The summary as text.
    pub text: String,
}

/// An object that is explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Subject {
    /// Its kind.
    pub kind: SubjectKind,
    /// Its namespace; left out for a Node.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name. For a slice that is not created yet: the prefix of its name, and its number in the plan.
    pub name: String,
}

/// The kinds of objects that are explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are the API's")]
#[non_exhaustive]
pub enum SubjectKind {
    Service,
    Pod,
    Node,
    EndpointSlice,
}

impl SubjectKind {
    /// The API's name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Service => "Service",
            Self::Pod => "Pod",
            Self::Node => "Node",
            Self::EndpointSlice => "EndpointSlice",
        }
    }
}

/// A change and its effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Fix {
    /// What to do.
    pub change: String,
    /// The effect of the change.
    pub effect: String,
    /// The same as changes of the input, in order. Empty if it is no change of an object of the input, or if the input
    /// does not show which one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SuggestedChange>,
    /// Whether it only makes a controller write what the plan writes.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub resync: bool,
}

/// Where to look for a fact that the input does not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::exhaustive_structs, reason = "a place and what it shows")]
pub struct Look {
    /// A command that only reads, or the place in words.
    pub at: String,
    /// What is seen there, and what follows from it.
    pub shows: String,
}

/// A number or name in a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Figure {
    /// A count, or a number of bytes.
    Number(i64),
    /// A share, or a factor.
    Ratio(f64),
    /// A name or value.
    Name(String),
    /// Counts.
    Numbers(Vec<i64>),
    /// Names.
    Names(Vec<String>),
    /// Zones.
    Zones(Vec<ZoneFigures>),
}

/// The figures of one zone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ZoneFigures {
    /// The zone.
    pub zone: String,
    /// Its share of the CPU of all zones, 0 to 1.
    pub cpu_ratio: f64,
    /// That share of the ready endpoints.
    pub desired: f64,
    /// The minimum number of endpoints: with fewer, they would be overloaded.
    pub minimum: i64,
    /// The maximum number of endpoints: with more, another zone would not get its minimum.
    pub maximum: i64,
    /// The number of ready endpoints in the zone.
    pub endpoints: i64,
    /// The number of ready endpoints hinted to the zone.
    pub hinted: i64,
}

/// The topic of a question or an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ExplanationTopic")
)]
#[non_exhaustive]
pub enum Topic {
    /// The Service as a whole.
    Service,
    /// The pods of the Service.
    Pods,
    /// The nodes of the cluster.
    Nodes,
    /// Hints.
    Hints,
    /// Slices.
    Slices,
    /// The cost in objects, writes and bytes.
    Cost,
}

impl Topic {
    /// All topics, in the order of answers.
    pub const ALL: [Self; 6] = [
        Self::Service,
        Self::Pods,
        Self::Nodes,
        Self::Hints,
        Self::Slices,
        Self::Cost,
    ];

    /// The name used in questions.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Pods => "pods",
            Self::Nodes => "nodes",
            Self::Hints => "hints",
            Self::Slices => "slices",
            Self::Cost => "cost",
        }
    }

    /// The topic in words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Service => "The Service as a whole",
            Self::Pods => "Its pods",
            Self::Nodes => "The nodes of the cluster",
            Self::Hints => "Hints",
            Self::Slices => "Slices",
            Self::Cost => "The cost of writes",
        }
    }
}
