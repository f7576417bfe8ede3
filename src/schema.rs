//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};

use crate::Error;
use crate::api::{Diff, SnapshotPlans};
use crate::model::describe::{KubernetesObject, present_or_left_out, schema_of};
use crate::model::{Few, NameRef, Node, Pod, Service, SortedMap, Text, Timestamp};
use crate::plan::Plan;
use crate::plan::request::{Options, PlanRequest};

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("plan-request", read::<PlanRequest<'static>>()),
        ("options", read::<Options<'static>>()),
        ("plan", written::<Plan<'static>>()),
        ("snapshot", read::<Snapshot>()),
        ("snapshot-plans", written::<SnapshotPlans<'static>>()),
        ("diff", written::<Diff<'static>>()),
        ("error", written::<ErrorAnswer>()),
    ]
}

/// The schema of an input.
pub fn read<T: JsonSchema>() -> Schema {
    schema_for!(T)
}

/// The schema of an output.
pub fn written<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(present_or_left_out));
    settings.into_generator().into_root_schema_for::<T>()
}

impl<K: JsonSchema, V: JsonSchema> JsonSchema for SortedMap<K, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<K, V>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<K, V>::json_schema(generator)
    }
}

schema_of! {
    Text<'_> => String;
    Timestamp => String;
    Few<Text<'_>> => Vec<String>;
    Few<NameRef<'_>> => Vec<NameRef<'static>>;
    Service<'_> => KubernetesObject;
    Pod<'_> => KubernetesObject;
    Node<'_> => KubernetesObject;
}

/// What a snapshot is read from.
pub(crate) struct Snapshot;

impl JsonSchema for Snapshot {
    fn schema_name() -> Cow<'static, str> {
        "Snapshot".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<KubernetesObject>();
        let reference = object.get("$ref");
        let items = json_schema!({"type": "array", "items": object});
        let list = json_schema!({"anyOf": [items, object]});
        let lists = json_schema!({"services": list, "pods": list, "nodes": list, "slices": list});
        json_schema!({
            "description": "A List, a list of one kind, an array of objects or of lists, one object, or the lists of an informer's cache, whose objects may omit their kind.",
            "anyOf": [
                {"$ref": reference, "properties": {"items": items}, "required": ["items"]},
                items,
                {"$ref": reference, "properties": {"kind": {"type": "string"}}, "required": ["kind"]},
                {"type": "object", "properties": lists, "required": ["services"]},
            ],
        })
    }
}

/// The answer to an invalid input.
#[derive(JsonSchema)]
#[schemars(rename = "ErrorAnswer")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct ErrorAnswer {
    /// What is wrong, where, and how to fix it.
    error: Error,
}
