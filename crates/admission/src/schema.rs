//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::borrow::ToOwned as _;
use alloc::vec;
use alloc::vec::Vec;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};
use slicewise::model::kind::Kind;
use slicewise::schema::{read, written};

use crate::explanation::VerdictExplanation;
use crate::record::ReviewRecord;
use crate::response::ReviewAnswer;
use crate::{KindStatus, ReviewerConfig, ReviewerStatus};

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("reviewer-config", read::<ReviewerConfig>()),
        ("reviewer-status", written::<ReviewerStatus>()),
        ("review-answer", written::<ReviewAnswer<'static>>()),
        ("review-record", written::<ReviewRecord<'static>>()),
        (
            "review-explanation",
            written::<VerdictExplanation<'static>>(),
        ),
    ]
}

/// An object with the status of each kind; Namespaces may be among them.
pub(crate) fn each_kind(generator: &mut SchemaGenerator) -> Schema {
    let status = generator.subschema_for::<KindStatus>().to_value();
    let names = Kind::ALL.map(Kind::as_str);
    let each = names.iter().chain(&["Namespace"]);
    let properties: Map<_, Value> = each
        .map(|name| ((*name).to_owned(), status.clone()))
        .collect();
    json_schema!({"type": "object", "properties": properties, "required": names})
}
