//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;
use slicewise::schema::{read, written};

use crate::glance::Glance;
use crate::upgrade::Upgrade;
use crate::{Explained, ExportQuestion, GlanceQuestion, Question, UpgradeQuestion};

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("glance-question", read::<GlanceQuestion<'static>>()),
        ("glance", written::<Glance>()),
        ("export-question", read::<ExportQuestion<'static>>()),
        ("question", read::<Question<'static>>()),
        ("explained", written::<Explained>()),
        ("upgrade-question", read::<UpgradeQuestion<'static>>()),
        ("upgrade", written::<Upgrade<'static>>()),
    ]
}
