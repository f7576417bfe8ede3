//! The `Ready` condition of Pods and Nodes; all other conditions are passed over.

use std::fmt;

use serde::de::{SeqAccess, Visitor};

use super::object::slim_object;
use super::text::Text;
use super::time::Timestamp;

/// The `Ready` condition of a Pod or Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyCondition {
    /// Is its status `True`?
    pub status: bool,
    /// When that last changed.
    pub last_transition_time: Option<Timestamp>,
}

/// A list of conditions, of which the first `Ready` is kept.
pub(super) struct Conditions(pub(super) Option<ReadyCondition>);

impl<'de> serde::Deserialize<'de> for Conditions {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ConditionsVisitor).map(Self)
    }
}

struct ConditionsVisitor;

impl<'de> Visitor<'de> for ConditionsVisitor {
    type Value = Option<ReadyCondition>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of conditions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut conditions: A) -> Result<Self::Value, A::Error> {
        let mut ready = None;
        while let Some(condition) = conditions.next_element::<Condition<'de>>()? {
            if condition.condition_type == "Ready" && ready.is_none() {
                let last_transition_time = condition
                    .last_transition_time
                    .as_deref()
                    .map(read_time)
                    .transpose()?;
                ready = Some(ReadyCondition {
                    status: condition.status == "True",
                    last_transition_time,
                });
            }
        }
        Ok(ready)
    }
}

fn read_time<E: serde::de::Error>(text: &str) -> Result<Timestamp, E> {
    Timestamp::parse(text).ok_or_else(|| Timestamp::mistake(text))
}

slim_object! {
    #[derive(Default)]
    pub(super) struct Condition<'a>("condition") {
        "type" condition_type: Text<'a>;
        "status" status: Text<'a>;
        "lastTransitionTime" last_transition_time: Option<Text<'a>>;
    }
}
