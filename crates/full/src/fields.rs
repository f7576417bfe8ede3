//! The fields that the API functions read of their inputs, for callers that convert objects to JSON.
//!
//! Everything here comes from the tables that read the JSON. This file adds which tables look at the same value, and
//! what is dispatched later by its kind.

use alloc::collections::BTreeMap;

use serde::Serialize;

use slicewise::api::objects::{self, ObjectHeader};
use slicewise::api::received::ListMeta;
use slicewise::model::read::tree::{Kinds, Tree};
use slicewise::model::{EndpointSlice, Endpoints, Node, Pod, Service};
use slicewise::plan::request::PlanRequest;
use slicewise_admission::fields_of_review;
use slicewise_diagnosis::explain::extras::{
    ElectionLease, NodeDetail, RecordedEvent, ServiceDetail,
};
use slicewise_diagnosis::explain::pod_detail::PodDetail;
use slicewise_live::json::controller_stream::record::Record as ControllerRecord;
use slicewise_live::session::dump::Dump;
use slicewise_sources::kubernetes_service::request::KubernetesServiceRequest;
use slicewise_sources::mirroring::request::MirrorRequest;
use slicewise_traffic::RouteRequest;
use slicewise_traffic::TrafficRequest;
use slicewise_traffic::json::proxy::record::ProxyLine;
use slicewise_traffic::proxy;

/// A module of the npm package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Module {
    /// What every user and the page load.
    Main,
    /// Everything.
    Full,
}

/// What the functions of a module read.
#[derive(Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ModuleFields {
    /// By function.
    pub doors: BTreeMap<&'static str, Tree>,
    /// Tables that functions or fields refer to by name.
    pub kinds: BTreeMap<&'static str, Kinds>,
}

/// What the functions of a module read.
pub fn fields(module: Module) -> ModuleFields {
    let is_explained = module == Module::Full;
    let mut fields = ModuleFields {
        doors: BTreeMap::new(),
        kinds: BTreeMap::new(),
    };
    fields.doors.extend([
        ("plan", plan(is_explained)),
        ("snapshot", Tree::Kinds("objects")),
        ("glance", Tree::Kinds("planned")),
    ]);
    fields.kinds.extend([
        ("objects", objects(is_explained)),
        ("planned", planned(is_explained)),
    ]);
    if module == Module::Full {
        fields.add_session();
        fields.add_tools();
        fields.doors.insert("review", fields_of_review());
    }
    fields
}

impl ModuleFields {
    /// Watch events and lists.
    fn add_events(&mut self) {
        let in_watch = Tree::Kinds("watched");
        let event = Tree::Object {
            fields: [("type", Tree::Whole), ("object", in_watch.clone())].into(),
            others: false,
        };
        let event_or_list = event.and(watched()).with("items", in_watch);
        self.doors.insert("events", Tree::Kinds("events"));
        let watched = by_kind(
            &watched(),
            "watched",
            [
                ("Pod", Tree::of::<Pod<'_>>()),
                ("Service", Tree::of::<Service<'_>>()),
                ("Node", Tree::of::<Node<'_>>()),
                ("EndpointSlice", Tree::of::<EndpointSlice<'_>>()),
            ],
        );
        // Its annotations say what it marks.
        let bookmark = event_or_list
            .clone()
            .with("object", Tree::of::<objects::PartialObject<'_>>());
        let error = event_or_list
            .clone()
            .with("object", Tree::of::<objects::ErrorStatus<'_>>());
        let events = Kinds {
            by: "type",
            of: [
                ("", event_or_list),
                ("BOOKMARK", bookmark),
                ("ERROR", error),
            ]
            .into(),
        };
        self.kinds
            .extend([("events", events), ("watched", watched)]);
    }

    fn add_session(&mut self) {
        self.add_events();
        let line = Tree::of::<ControllerRecord<'_>>()
            .with("event", Tree::Kinds("events"))
            .with("list", Tree::Kinds("watched"));
        let proxy_line = Tree::of::<ProxyLine<'_>>().with("object", Tree::Kinds("proxied"));
        self.doors.extend([
            ("dump", Tree::of::<Dump<'_>>()),
            ("line", line),
            ("proxyLine", proxy_line),
        ]);
        self.kinds.insert("proxied", proxied());
    }

    fn add_tools(&mut self) {
        self.doors.extend([
            ("explain", Tree::Kinds("planned")),
            ("exported", Tree::Kinds("planned")),
            ("upgrade", Tree::Kinds("planned")),
            ("route", Tree::Kinds("routed")),
            ("traffic", Tree::Kinds("served")),
            ("mirror", Tree::of::<MirrorRequest<'_>>()),
            ("mirrorSnapshot", Tree::Kinds("mirrored")),
            (
                "kubernetesService",
                Tree::of::<KubernetesServiceRequest<'_>>(),
            ),
        ]);
        let (mut routed, mut served) = (proxied(), proxied());
        let request = Tree::of::<RouteRequest<'_>>();
        routed
            .of
            .extend([request_or_list(request, &watched(), "proxied")]);
        let request = Tree::of::<TrafficRequest<'_>>();
        served
            .of
            .extend([request_or_list(request, &watched(), "proxied")]);
        let mirrored = by_kind(
            &listed(),
            "mirrored",
            [
                ("Endpoints", Tree::of::<Endpoints<'_>>()),
                ("Service", Tree::of::<Service<'_>>()),
                ("EndpointSlice", Tree::of::<EndpointSlice<'_>>()),
            ],
        );
        self.kinds.extend([
            ("routed", routed),
            ("served", served),
            ("proxied", proxied()),
            ("mirrored", mirrored),
        ]);
    }
}

/// A request, or a list whose items are objects of a table.
fn request_or_list(request: Tree, head: &Tree, items: &'static str) -> (&'static str, Tree) {
    ("", request.and(list(head, items)))
}

/// A plan request, or the objects of a snapshot.
fn planned(is_explained: bool) -> Kinds {
    let mut planned = objects(is_explained);
    let request = plan(is_explained);
    planned
        .of
        .extend([request_or_list(request, &listed(), "objects")]);
    planned
}

/// A plan request; explanations read more of its pods and its Service.
fn plan(is_explained: bool) -> Tree {
    let request = Tree::of::<PlanRequest<'_>>();
    if !is_explained {
        return request;
    }
    let details = Tree::Object {
        fields: [
            ("pods", Tree::of::<PodDetail<'_>>().in_list()),
            ("nodes", Tree::of::<NodeDetail<'_>>().in_list()),
            (
                "service",
                Tree::of::<proxy::ProxiedService<'_>>().and(Tree::of::<ServiceDetail<'_>>()),
            ),
        ]
        .into(),
        others: false,
    };
    request.and(details)
}

/// The objects of a snapshot.
fn objects(is_explained: bool) -> Kinds {
    let (mut pod, mut service) = (Tree::of::<Pod<'_>>(), Tree::of::<Service<'_>>());
    let mut node = Tree::of::<Node<'_>>();
    if is_explained {
        pod = pod.and(Tree::of::<PodDetail<'_>>());
        service = service.and(Tree::of::<proxy::ProxiedService<'_>>());
        service = service.and(Tree::of::<ServiceDetail<'_>>());
        node = node.and(Tree::of::<NodeDetail<'_>>());
    }
    let items = |tree: &Tree| tree.clone().and(listed()).in_list();
    let slice = Tree::of::<EndpointSlice<'_>>();
    let caches = [
        ("services", items(&service)),
        ("pods", items(&pod)),
        ("nodes", items(&node)),
        ("slices", items(&slice)),
        // Which a cache does not have, but a request.
        ("service", Tree::Texts),
    ];
    let mut kinds = by_kind(
        &listed(),
        "objects",
        [
            ("Pod", pod),
            ("Service", service),
            ("Node", node),
            ("EndpointSlice", slice),
        ],
    );
    if let Some(list) = kinds.of.get_mut("") {
        let of_caches = Tree::Object {
            fields: caches.into(),
            others: false,
        };
        *list = list.clone().and(of_caches);
    }
    if is_explained {
        let head = listed();
        let more = [
            ("Endpoints", Tree::of::<Endpoints<'_>>()),
            ("Event", Tree::of::<RecordedEvent<'_>>()),
            ("Lease", Tree::of::<ElectionLease<'_>>()),
        ];
        let more = more.map(|(kind, tree)| (kind, tree.and(head.clone())));
        kinds.of.extend(more);
    }
    kinds
}

/// What proxies read, which excludes pods.
fn proxied() -> Kinds {
    by_kind(
        &watched(),
        "proxied",
        [
            ("Service", Tree::of::<proxy::ProxiedService<'_>>()),
            ("Node", Tree::of::<Node<'_>>()),
            ("EndpointSlice", Tree::of::<EndpointSlice<'_>>()),
        ],
    )
}

/// The head of every object is read, to tell its kind. Objects of other kinds may be lists, whose items are objects of
/// the table `items`; for the kinds listed here, `items` is an unknown field like any other.
fn by_kind<const N: usize>(
    head: &Tree,
    items: &'static str,
    kinds: [(&'static str, Tree); N],
) -> Kinds {
    let named = |(kind, tree): (_, Tree)| (kind, tree.and(head.clone()));
    let list = ("", list(head, items));
    Kinds {
        by: "kind",
        of: kinds.into_iter().map(named).chain([list]).collect(),
    }
}

/// A list, whose metadata says whether it continues elsewhere.
fn list(head: &Tree, items: &'static str) -> Tree {
    let metadata = Tree::Object {
        fields: [("metadata", Tree::of::<ListMeta<'_>>())].into(),
        others: false,
    };
    let head = head.clone().and(metadata);
    head.with("items", Tree::Kinds(items))
}

/// What a snapshot reads to tell an object's kind.
fn listed() -> Tree {
    Tree::of::<ObjectHeader<'_>>()
}

/// What a watch reads to tell an object's kind. Annotations only matter in bookmarks.
fn watched() -> Tree {
    let metadata = Tree::of::<objects::PartialMeta<'_>>().with("annotations", Tree::Texts);
    let metadata = metadata.and(Tree::of::<ListMeta<'_>>());
    Tree::of::<objects::PartialObject<'_>>().with("metadata", metadata)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn named_tables(value: &Value, names: &mut Vec<String>) {
        match value {
            Value::String(name) => names.push(name.clone()),
            Value::Object(fields) => fields.values().for_each(|field| named_tables(field, names)),
            Value::Array(parts) => {
                if let Some(item) = parts.first() {
                    named_tables(item, names);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn tables_that_are_named_are_there() {
        for module in [Module::Main, Module::Full] {
            let fields = serde_json::to_value(fields(module)).unwrap();
            let mut names = Vec::new();
            named_tables(&fields["doors"], &mut names);
            for table in fields["kinds"].as_object().unwrap().values() {
                named_tables(&table["of"], &mut names);
            }
            assert!(!names.is_empty());
            for name in names {
                assert!(fields["kinds"][&name]["of"].is_object(), "{name}");
            }
        }
    }
}
