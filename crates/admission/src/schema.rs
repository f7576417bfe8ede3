//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;
use slicewise::schema::read;

use crate::ReviewerConfig;

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![("reviewer-config", read::<ReviewerConfig>())]
}
