//! Snapshot → plans: what `kubectl get services,pods,nodes,endpointslices -A -o json` prints, planned whole.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::input::{self, Limits};
use super::plan::{check_names, check_plan_options, check_slices};
use super::{encode, place};
use crate::json::Raw;
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::object::slim_object;
use crate::model::order::{Grouped, sort_by};
use crate::model::read::Grow;
use crate::model::text::shorten;
use crate::model::{EndpointSlice, Node, Pod, Service, SortedMap, Text};
use crate::plan::request::Options;
use crate::plan::{Plan, plan_service};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;
use crate::{Code, Error};
use serde::Serialize;

/// Objects of other kinds, by kind.
pub type IgnoredKinds = SortedMap<String, usize>;

/// The objects of a snapshot that plans depend on.
#[derive(Debug, Default)]
pub struct Snapshot<'a> {
    /// Services by namespace and name.
    pub services: Vec<Service<'a>>,
    /// Pods.
    pub pods: Vec<Pod<'a>>,
    /// Nodes.
    pub nodes: Vec<Node<'a>>,
    /// EndpointSlices.
    pub slices: Vec<EndpointSlice<'a>>,
    /// What else there was.
    pub ignored: IgnoredKinds,
}

/// Plans of all Services that have a selector, by namespace and name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SnapshotPlans<'a> {
    /// The plans.
    pub plans: Vec<Plan<'a>>,
    /// What a person should know about the input.
    pub warnings: Vec<Warning>,
    /// Objects of kinds that plans do not depend on, counted.
    pub ignored: IgnoredKinds,
}

/// What a person should know about a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// A stable code.
    pub code: WarningCode,
    /// The sentence.
    pub message: String,
}

/// Kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum WarningCode {
    /// There is no Node, though pods are left out without theirs, and traffic comes from nodes.
    NoNodes,
    /// There are Services with selectors and slices with endpoints, but no pods: all of them would go.
    NoPods,
    /// There is no Service.
    NoServices,
    /// There is no slice.
    NoSlices,
}

/// Plans every Service of a snapshot; `options` is JSON, or empty for the defaults.
///
/// # Errors
/// When either cannot be read or holds a value that cannot be used.
pub fn plan_snapshot(snapshot: &[u8], options: &[u8]) -> Result<Vec<u8>, Error> {
    let options_text = input::text(options, Limits::default())?;
    let options = if options_text.trim().is_empty() {
        Options::default()
    } else {
        input::decode::<Options<'_>>(options_text)?
    };
    check_plan_options(&options, "").map_err(|error| place::locate(error, options_text))?;
    with_snapshot_plans(snapshot, &options, Limits::default(), |plans, _| {
        encode(plans)
    })?
}

/// Plans every Service of a snapshot and hands the plans and all its slices to `then`, for callers that want more
/// than JSON.
///
/// # Errors
/// As [`plan_snapshot`].
pub fn with_snapshot_plans<T>(
    snapshot: &[u8],
    options: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    check_plan_options(options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let snapshot = Snapshot::read(text)?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    #[cfg_attr(
        not(feature = "explain"),
        expect(unused_mut, reason = "explained in place")
    )]
    let mut plans = snapshot.plan(&nodes, options);
    #[cfg(feature = "explain")]
    super::explain::explain_plans(text, &snapshot, &nodes, options, &mut plans.plans)?;
    Ok(then(&plans, &snapshot.slices))
}

impl<'a> Snapshot<'a> {
    /// Reads a List, a list of one kind, an array, or one object.
    ///
    /// # Errors
    /// When an object cannot be read, has no name, or is given twice.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        Self::read_as(text, ItemType::default())
    }

    /// The slices of what [`Snapshot::read`] reads, or of an array of slices that do not say what they are.
    ///
    /// # Errors
    /// As [`Snapshot::read`].
    pub fn read_slices(text: &'a str) -> Result<Vec<EndpointSlice<'a>>, Error> {
        let of = ItemType {
            kind: KIND,
            api_version: API_VERSION,
        };
        Self::read_as(text, of).map(|snapshot| snapshot.slices)
    }

    /// The items of an array are of that type if they do not say otherwise.
    fn read_as(text: &'a str, of: ItemType<'_>) -> Result<Self, Error> {
        let mut reader = Reader {
            text,
            snapshot: Self::default(),
            paths: Paths::default(),
            ignored: Vec::new(),
        };
        let root = input::decode_raw(text)?;
        if root.get().starts_with('[') {
            reader.read_items(root, "", of)?;
        } else {
            reader.read_object(root, "", ItemType::default())?;
        }
        reader.finish()
    }

    /// Plans every Service that has a selector.
    pub fn plan<'s>(
        &'s self,
        nodes: &'s NodeIndex<'s>,
        options: &'s Options<'s>,
    ) -> SnapshotPlans<'s> {
        let pods = self.pods.iter().map(|pod| (&*pod.metadata.namespace, pod));
        let pods = Grouped::new(pods);
        let slices = self
            .slices
            .iter()
            .map(|slice| (&*slice.metadata.namespace, slice));
        let slices = Grouped::new(slices);
        let mut services: Vec<_> = self
            .services
            .iter()
            .filter(|service| service.is_reconciled())
            .collect();
        sort_by(&mut services, |a, b| a.key().cmp(&b.key()));
        let plans = services.into_iter().map(|service| {
            let namespace = service.metadata.namespace.as_str();
            plan_service(
                service,
                pods.of(namespace).iter().map(|(_, pod)| *pod).collect(),
                slices
                    .of(namespace)
                    .iter()
                    .map(|(_, slice)| *slice)
                    .collect(),
                &[],
                nodes,
                options,
                ServiceHints::default(),
                None,
            )
        });
        SnapshotPlans {
            plans: plans.collect(),
            warnings: self.warnings(),
            ignored: self.ignored.clone(),
        }
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |code, message: &str| {
            warnings.push(Warning {
                code,
                message: message.to_owned(),
            })
        };
        if self.services.is_empty() {
            warn(
                WarningCode::NoServices,
                "the input holds no Service; include `services` in what you get",
            );
        }
        let has_endpoints = self.slices.iter().any(|slice| !slice.endpoints.is_empty());
        if self.pods.is_empty() && has_endpoints && self.services.iter().any(Service::is_reconciled)
        {
            warn(
                WarningCode::NoPods,
                "the input holds no Pod, so every slice is emptied; include `pods` in what you get",
            );
        }
        if self.nodes.is_empty() && !self.pods.is_empty() {
            warn(
                WarningCode::NoNodes,
                "the input holds no Node, so every pod is left out; include `nodes` in what you get",
            );
        }
        warnings
    }
}

/// Where each object stood, for errors that show only when all are read.
#[derive(Default)]
struct Paths {
    services: Vec<String>,
    pods: Vec<String>,
    nodes: Vec<String>,
    slices: Vec<String>,
}

struct Reader<'a> {
    text: &'a str,
    snapshot: Snapshot<'a>,
    paths: Paths,
    ignored: Vec<(String, usize)>,
}

/// What the items of a list are, as far as the list says it.
#[derive(Clone, Copy, Default)]
struct ItemType<'k> {
    kind: &'k str,
    api_version: &'k str,
}

/// A kind that others have as well is named with its API group, as `kubectl` does.
pub(super) fn ignored_name(kind: &str, api_version: &str) -> String {
    match (kind, api_version.split_once('/')) {
        ("EndpointSlice" | "Node" | "Pod" | "Service", Some((group, _))) => {
            format!("{kind}.{group}")
        }
        _ => kind.to_owned(),
    }
}

slim_object! {
    /// What an object is, and its items if it is a list.
    #[derive(Default)]
    pub(super) struct Head<'a>("Kubernetes object") {
        "kind" pub(super) kind: Option<Text<'a>>;
        "apiVersion" api_version: Option<Text<'a>>;
        "items" items: Option<Raw<'a>>;
    }
}

impl<'a> Reader<'a> {
    fn read_items(&mut self, items: Raw<'a>, path: &str, of: ItemType<'_>) -> Result<(), Error> {
        let placed = |error| place::within(&error, path, self.text, items.get());
        let items = input::decode_items(items.get()).map_err(placed)?;
        for (index, item) in items.into_iter().enumerate() {
            self.read_object(item, &format!("{path}/{index}"), of)?;
        }
        Ok(())
    }

    /// Reads one object, which is of this type if it does not say otherwise itself.
    fn read_object(&mut self, object: Raw<'a>, path: &str, of: ItemType<'_>) -> Result<(), Error> {
        let placed = |error| place::within(&error, path, self.text, object.get());
        let head: Head<'a> = input::decode(object.get()).map_err(placed)?;
        let said = |text: &'_ Option<Text<'a>>| text.clone().filter(|text| !text.is_empty());
        let (own_kind, own_version) = (said(&head.kind), said(&head.api_version));
        let kind = own_kind.as_deref().unwrap_or(of.kind);
        let api_version = own_version.as_deref().unwrap_or(of.api_version);
        let Self {
            snapshot, paths, ..
        } = self;
        let list: Option<(&mut dyn Grow<'a>, &mut Vec<String>)> = match (kind, api_version) {
            ("Service", "v1" | "") => Some((&mut snapshot.services, &mut paths.services)),
            ("Pod", "v1" | "") => Some((&mut snapshot.pods, &mut paths.pods)),
            ("Node", "v1" | "") => Some((&mut snapshot.nodes, &mut paths.nodes)),
            ("EndpointSlice", API_VERSION | "") => Some((&mut snapshot.slices, &mut paths.slices)),
            ("EndpointSlice", other) if other.starts_with("discovery.k8s.io/") => {
                let message = format!(
                    "EndpointSlices of `{}` are not read; get them as {API_VERSION}",
                    shorten(other)
                );
                let error = Error::new(Code::Unsupported, message).at(format!("{path}/apiVersion"));
                return Err(place::locate(error, self.text));
            }
            _ => None,
        };
        if let Some((objects, paths)) = list {
            paths.push(path.to_owned());
            return input::decode_into(objects.grow(), object.get())
                .map_err(|error| place::within(&error, path, self.text, object.get()));
        }
        match (head.items, kind.strip_suffix("List")) {
            (None, _) if kind.is_empty() => {
                let message = "this object has no `kind`; take objects as `kubectl get … -o json` prints them";
                let error = Error::new(Code::MissingField, message).at(format!("{path}/kind"));
                return Err(place::locate(error, self.text));
            }
            (Some(items), Some(item_kind)) => {
                // `List` holds objects of any type, which say theirs; others leave it out.
                let api_version = if item_kind.is_empty() {
                    ""
                } else {
                    api_version
                };
                let of = ItemType {
                    kind: item_kind,
                    api_version,
                };
                self.read_items(items, &format!("{path}/items"), of)?
            }
            (Some(items), None) if kind.is_empty() => {
                self.read_items(items, &format!("{path}/items"), ItemType::default())?
            }
            _ => self.ignored.push((ignored_name(kind, api_version), 1)),
        }
        Ok(())
    }

    fn finish(self) -> Result<Snapshot<'a>, Error> {
        let Self {
            text,
            mut snapshot,
            paths,
            ignored,
        } = self;
        snapshot.ignored = IgnoredKinds::merged(ignored, |sum, more| *sum += *more);
        let placed =
            |error: Error, paths: &[String]| place::locate(place::relocate(error, paths), text);
        let Snapshot {
            services,
            pods,
            nodes,
            slices,
            ..
        } = &snapshot;
        check_names("", services).map_err(|error| placed(error, &paths.services))?;
        check_names("", pods).map_err(|error| placed(error, &paths.pods))?;
        check_names("", nodes).map_err(|error| placed(error, &paths.nodes))?;
        check_names("", slices)
            .and_then(|()| check_slices("", slices))
            .map_err(|error| placed(error, &paths.slices))?;
        Ok(snapshot)
    }
}
