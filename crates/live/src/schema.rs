//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;
use slicewise::schema::{read, written};

use crate::json::{AppliedEvents, AppliedPlan, ControllerAnswer, ControllerConfig, ControllerLine};
use crate::watching::Line;

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("applied", written::<AppliedEvents>()),
        ("applied-plan", written::<AppliedPlan>()),
        ("controller-config", read::<ControllerConfig<'static>>()),
        ("controller-line", read::<ControllerLine>()),
        ("controller-answer", written::<ControllerAnswer>()),
        ("watch-line", written::<Line>()),
    ]
}
