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
use crate::admission::ReviewerConfig;
use crate::api::{
    Applied, AppliedPlan, ControllerAnswer, ControllerConfig, ControllerLine, Diff, Explained,
    ExportQuestion, GlanceQuestion, MirrorPlans, ProxyAnswer, ProxyLine, ProxySettings, Question,
    RouteAnswer, RouteRequest, SnapshotPlans, TrafficAnswer, TrafficRequest,
};
use crate::glance::Glance;
use crate::kubernetes_service::KubernetesServicePlan;
use crate::kubernetes_service::request::KubernetesServiceRequest;
use crate::mirroring::MirrorPlan;
use crate::mirroring::request::MirrorRequest;
use crate::model::describe::{KubernetesObject, present_or_left_out, schema_of};
use crate::model::{Few, NameRef, Node, Pod, Service, SortedMap, Text, Timestamp};
use crate::plan::Plan;
use crate::plan::request::{Options, PlanRequest};
use crate::watching::Line;

/// The schemas by name, in a fixed order.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("plan-request", read::<PlanRequest<'static>>()),
        ("options", read::<Options<'static>>()),
        ("plan", written::<Plan<'static>>()),
        ("snapshot", read::<Snapshot>()),
        ("snapshot-plans", written::<SnapshotPlans<'static>>()),
        ("diff", written::<Diff<'static>>()),
        ("applied-plan", written::<AppliedPlan>()),
        ("glance-question", read::<GlanceQuestion<'static>>()),
        ("glance", written::<Glance>()),
        ("export-question", read::<ExportQuestion<'static>>()),
        ("question", read::<Question<'static>>()),
        ("explained", written::<Explained>()),
        ("applied", written::<Applied>()),
        ("mirror-request", read::<MirrorRequest<'static>>()),
        ("mirror-plan", written::<MirrorPlan<'static>>()),
        ("mirror-plans", written::<MirrorPlans<'static>>()),
        (
            "kubernetes-service-request",
            read::<KubernetesServiceRequest<'static>>(),
        ),
        (
            "kubernetes-service-plan",
            written::<KubernetesServicePlan<'static>>(),
        ),
        ("route-request", read::<RouteRequest<'static>>()),
        ("route", written::<RouteAnswer>()),
        ("traffic-request", read::<TrafficRequest<'static>>()),
        ("traffic", written::<TrafficAnswer>()),
        ("proxy-settings", read::<ProxySettings<'static>>()),
        ("proxy-line", read::<ProxyLine>()),
        ("proxy-answer", written::<ProxyAnswer>()),
        ("controller-config", read::<ControllerConfig<'static>>()),
        ("controller-line", read::<ControllerLine>()),
        ("controller-answer", written::<ControllerAnswer>()),
        ("reviewer-config", read::<ReviewerConfig>()),
        ("watch-line", written::<Line>()),
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
    crate::proxy::Service<'_> => KubernetesObject;
    Pod<'_> => KubernetesObject;
    Node<'_> => KubernetesObject;
}

/// What a snapshot is read from: a List, a list of one kind, an array of objects, or one object.
pub(crate) struct Snapshot;

impl JsonSchema for Snapshot {
    fn schema_name() -> Cow<'static, str> {
        "Snapshot".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = generator.subschema_for::<KubernetesObject>();
        json_schema!({
            "description": "A List, a list of one kind, an array of objects, or one object.",
            "anyOf": [
                {"type": "object", "properties": {"items": {"type": "array", "items": object}}, "required": ["items"]},
                {"type": "array", "items": object},
                object,
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
