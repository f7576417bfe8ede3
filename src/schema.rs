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
    RouteAnswer, RouteRequest, SnapshotPlans, TimelineSettings, TrafficAnswer, TrafficRequest,
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
use crate::simulation::scenario::value::{Amount, Cpu, Share, Span};
use crate::simulation::{Report, Scenario, ScenarioSummary, TimelineStep};
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
        ("scenario", read::<Scenario<'static>>()),
        ("report", written::<Report>()),
        ("timeline-settings", read::<TimelineSettings<'static>>()),
        ("scenario-summary", written::<ScenarioSummary>()),
        ("timeline-step", written::<TimelineStep>()),
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

/// The schema of a type that is written as a text, or possibly as a number.
macro_rules! schema_is {
    ($($Type:ty, $name:literal, $schema:tt;)*) => {$(
        impl JsonSchema for $Type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}

schema_is! {
    Span, "Span", {
        "description": "A span of time such as `500ms`, `2s` or `1m30s`; a bare number is milliseconds.",
        "anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}],
    };
    Share, "Share", {
        "description": "How often something happens, `0%` to `100%`.",
        "type": "string",
        "pattern": "^[0-9]+([.][0-9]{1,4})?%$",
    };
    Amount, "Amount", {
        "description": "A number, or a share of the replicas such as `25%`.",
        "anyOf": [{"type": "string", "pattern": "^[0-9]+%$"}, {"type": "integer", "minimum": 0}],
    };
    Cpu, "Cpu", {
        "description": "An amount of CPU such as `4` or `500m`.",
        "anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}],
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_timeline_are_told_apart_by_what_they_are() {
        let report = schema_for!(Report).to_value();
        let kinds = report["$defs"]["Entry"]["oneOf"].as_array().unwrap().iter();
        let kinds = kinds.map(|kind| {
            let properties = kind["properties"].as_object().unwrap();
            assert!(kind["$ref"].is_null(), "all fields are here");
            (
                properties["what"]["const"].as_str().unwrap(),
                properties.len(),
            )
        });
        let expected = [
            ("action", 7),
            ("sync", 10),
            ("retry", 4),
            ("event", 5),
            ("list", 3),
            ("edit", 4),
        ];
        assert_eq!(kinds.collect::<Vec<_>>(), expected);
    }
}
