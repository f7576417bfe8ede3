//! Conditions of Pods and Nodes, of which only one type is read.

use alloc::string::String;

use super::{Object, Others, Shape, Shaped, Slot};
use crate::model::conditions::ReadyCondition;
use crate::model::text::Text;
use crate::model::time::Timestamp;

/// The type of condition that is read.
pub(super) const READY: &str = "Ready";

#[derive(Default)]
pub(super) struct Condition<'a> {
    condition_type: Text<'a>,
    status: Text<'a>,
    last_transition_time: Option<Text<'a>>,
}

impl Condition<'_> {
    /// Is it the `Ready` condition?
    pub(super) fn is_ready(&self) -> bool {
        self.condition_type == READY
    }

    /// The condition, if it is the `Ready` condition.
    pub(super) fn ready(&self) -> Result<Option<ReadyCondition>, String> {
        if !self.is_ready() {
            return Ok(None);
        }
        let time = self.last_transition_time.as_deref();
        Ok(Some(ReadyCondition {
            status: self.status == "True",
            last_transition_time: time.map(Timestamp::read).transpose()?,
        }))
    }
}

// Written by hand, because the macro that declares objects is above the readers.
impl<'a> Shaped<'a> for Condition<'a> {
    const SHAPE: Shape = Shape::new("condition", &["type", "status", "lastTransitionTime"], 0);
}

impl<'a> Object<'a> for Condition<'a> {
    fn shape(&self) -> &'static Shape {
        const { &Self::SHAPE }
    }

    fn slot(&mut self, field: usize) -> Slot<'_, 'a> {
        match field {
            0 => Slot::Text(&mut self.condition_type),
            1 => Slot::Text(&mut self.status),
            2 => Slot::OptionalText(&mut self.last_transition_time),
            _ => Slot::Nowhere,
        }
    }

    fn others(&mut self) -> Others<'_, 'a> {
        Others::Pass
    }
}
