//! What can happen to a cluster.

use alloc::vec::Vec;

use super::value::{Amount, Share, Span};
use super::{Watch, Workload};
use crate::model::object::slim_object;
use crate::model::{StringMap, Text};

slim_object! {
    /// When, and one thing that happens then; or none, where a phase begins.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Action<'a>("action") refuse {
        /// Since the start.
        #[cfg_attr(feature = "schema", schemars(with = "Span"))]
        "at" pub at: Option<Span> = required;
        /// Begins a phase of this name: what is counted from here on is counted in it.
        #[cfg_attr(feature = "schema", schemars(default))]
        "phase" pub phase: Option<Text<'a>>;
        /// It happens so many times. Default 1.
        #[cfg_attr(feature = "schema", schemars(default))]
        "times" pub times: Option<u32>;
        /// So long apart. Default `1s`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "every" pub every: Option<Span>;
        /// Changes the number of replicas.
        #[cfg_attr(feature = "schema", schemars(default))]
        "scale" pub scale: Option<Scale<'a>>;
        /// Replaces all pods of a Service by new ones, as a Deployment does.
        #[cfg_attr(feature = "schema", schemars(default))]
        "rollingUpdate" pub rolling_update: Option<RollingUpdate<'a>>;
        /// Some pods fail their readiness probe.
        #[cfg_attr(feature = "schema", schemars(default))]
        "unreadyPods" pub unready_pods: Option<PodChoice<'a>>;
        /// Some pods are deleted, and replaced.
        #[cfg_attr(feature = "schema", schemars(default))]
        "deletePods" pub delete_pods: Option<PodChoice<'a>>;
        /// Some pods get labels that their Service may not select; the Deployment replaces them then.
        #[cfg_attr(feature = "schema", schemars(default))]
        "relabelPods" pub relabel_pods: Option<Relabel<'a>>;
        /// A Service is changed.
        #[cfg_attr(feature = "schema", schemars(default))]
        "changeService" pub change_service: Option<ServiceChange<'a>>;
        /// A Service is made, with its pods.
        #[cfg_attr(feature = "schema", schemars(default))]
        "createService" pub create_service: Option<Workload<'a>>;
        /// A Service is deleted, with its pods.
        #[cfg_attr(feature = "schema", schemars(default))]
        "deleteService" pub delete_service: Option<ServiceChoice<'a>>;
        /// Nodes are cordoned, and their pods evicted one after the other.
        #[cfg_attr(feature = "schema", schemars(default))]
        "drainNodes" pub drain_nodes: Option<NodeChoice<'a>>;
        /// Nodes stop dead: that is noticed later, and their pods are evicted later still.
        #[cfg_attr(feature = "schema", schemars(default))]
        "failNodes" pub fail_nodes: Option<NodeChoice<'a>>;
        /// Nodes that failed or were drained take pods again.
        #[cfg_attr(feature = "schema", schemars(default))]
        "recoverNodes" pub recover_nodes: Option<NodeChoice<'a>>;
        /// Nodes join.
        #[cfg_attr(feature = "schema", schemars(default))]
        "addNodes" pub add_nodes: Option<AddNodes<'a>>;
        /// Nodes are deleted, and their pods with them.
        #[cfg_attr(feature = "schema", schemars(default))]
        "removeNodes" pub remove_nodes: Option<NodeChoice<'a>>;
        /// Somebody changes slices by hand.
        #[cfg_attr(feature = "schema", schemars(default))]
        "editSlices" pub edit_slices: Option<EditSlices<'a>>;
        /// The API server refuses writes.
        #[cfg_attr(feature = "schema", schemars(default))]
        "refuseWrites" pub refuse_writes: Option<Refuse<'a>>;
        /// Watches behave otherwise from now on; what is left out has its default again.
        #[cfg_attr(feature = "schema", schemars(default))]
        "setWatch" pub set_watch: Option<Watch<'a>>;
        /// The controller starts anew, and remembers nothing.
        #[cfg_attr(feature = "schema", schemars(default))]
        "restartController" pub restart_controller: bool;
        /// All objects are given to the controller again.
        #[cfg_attr(feature = "schema", schemars(default))]
        "resync" pub resync: bool;
        /// All Services, pods and nodes are deleted.
        #[cfg_attr(feature = "schema", schemars(default))]
        "deleteEverything" pub delete_everything: bool;
    }
}

/// The one thing that an action does.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are those of the fields of `Action`")]
pub enum Act<'s, 'a> {
    Scale(&'s Scale<'a>),
    RollingUpdate(&'s RollingUpdate<'a>),
    UnreadyPods(&'s PodChoice<'a>),
    DeletePods(&'s PodChoice<'a>),
    RelabelPods(&'s Relabel<'a>),
    ChangeService(&'s ServiceChange<'a>),
    CreateService(&'s Workload<'a>),
    DeleteService(&'s ServiceChoice<'a>),
    DrainNodes(&'s NodeChoice<'a>),
    FailNodes(&'s NodeChoice<'a>),
    RecoverNodes(&'s NodeChoice<'a>),
    AddNodes(&'s AddNodes<'a>),
    RemoveNodes(&'s NodeChoice<'a>),
    EditSlices(&'s EditSlices<'a>),
    RefuseWrites(&'s Refuse<'a>),
    SetWatch(&'s Watch<'a>),
    RestartController,
    Resync,
    DeleteEverything,
}

impl<'a> Action<'a> {
    /// Everything the action says it does; one thing, if it is right.
    pub fn acts(&self) -> Vec<(&'static str, Act<'_, 'a>)> {
        macro_rules! given {
            ($($name:literal $field:ident $Act:ident;)*) => {
                [$(self.$field.as_ref().map(|what| ($name, Act::$Act(what))),)*]
            };
        }
        let given = given! {
            "scale" scale Scale;
            "rollingUpdate" rolling_update RollingUpdate;
            "unreadyPods" unready_pods UnreadyPods;
            "deletePods" delete_pods DeletePods;
            "relabelPods" relabel_pods RelabelPods;
            "changeService" change_service ChangeService;
            "createService" create_service CreateService;
            "deleteService" delete_service DeleteService;
            "drainNodes" drain_nodes DrainNodes;
            "failNodes" fail_nodes FailNodes;
            "recoverNodes" recover_nodes RecoverNodes;
            "addNodes" add_nodes AddNodes;
            "removeNodes" remove_nodes RemoveNodes;
            "editSlices" edit_slices EditSlices;
            "refuseWrites" refuse_writes RefuseWrites;
            "setWatch" set_watch SetWatch;
        };
        let flags = [
            (
                self.restart_controller,
                ("restartController", Act::RestartController),
            ),
            (self.resync, ("resync", Act::Resync)),
            (
                self.delete_everything,
                ("deleteEverything", Act::DeleteEverything),
            ),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(is_set, act)| is_set.then_some(act));
        given.into_iter().flatten().chain(flags).collect()
    }
}

slim_object! {
    /// How many replicas a Service's pods have.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Scale<'a>("scaling") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Pods there should be.
        "replicas" pub replicas: u32 = required;
    }
}

slim_object! {
    /// How a rolling update goes.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct RollingUpdate<'a>("rolling update") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Pods above the number of replicas, rounded up. Default `25%`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "maxSurge" pub max_surge: Option<Amount>;
        /// Replicas that may be unavailable, rounded down. Default `25%`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "maxUnavailable" pub max_unavailable: Option<Amount>;
        /// The next step comes so long after the last at the earliest. Default none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "pace" pub pace: Option<Span>;
    }
}

slim_object! {
    /// Some pods of a Service, drawn at random.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct PodChoice<'a>("choice of pods") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// How many. Default 1.
        #[cfg_attr(feature = "schema", schemars(default))]
        "count" pub count: Option<u32>;
        /// For so long, with `unreadyPods`. Default `10s`.
        #[cfg_attr(feature = "schema", schemars(default, rename = "for"))]
        "for" pub lasting: Option<Span>;
    }
}

slim_object! {
    /// New labels for some pods of a Service.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Relabel<'a>("new labels") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// How many. Default 1.
        #[cfg_attr(feature = "schema", schemars(default))]
        "count" pub count: Option<u32>;
        /// Set on them; the label their Service selects is `app`.
        #[cfg_attr(feature = "schema", schemars(with = "StringMap<'static>"))]
        "labels" pub labels: StringMap<'a> = required;
    }
}

slim_object! {
    /// What changes about a Service; what is left out stays.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct ServiceChange<'a>("change of a Service") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Set on it.
        #[cfg_attr(feature = "schema", schemars(with = "Option<StringMap<'static>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "labels" pub labels: StringMap<'a>;
        /// `spec.trafficDistribution`; empty for none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The annotation `service.kubernetes.io/topology-mode`; empty for none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// `spec.publishNotReadyAddresses`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "publishNotReadyAddresses" pub publish_not_ready_addresses: Option<bool>;
    }
}

slim_object! {
    /// A Service.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct ServiceChoice<'a>("choice of a Service") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
    }
}

slim_object! {
    /// Some nodes: one by name, or those of a zone in the order of their numbers.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct NodeChoice<'a>("choice of nodes") refuse {
        /// One node.
        #[cfg_attr(feature = "schema", schemars(default))]
        "node" pub node: Option<Text<'a>>;
        /// The nodes of a zone.
        #[cfg_attr(feature = "schema", schemars(default))]
        "zone" pub zone: Option<Text<'a>>;
        /// At most so many of it, the first that are left. Default: all.
        #[cfg_attr(feature = "schema", schemars(default))]
        "count" pub count: Option<u32>;
        /// Pods are evicted so long apart, with `drainNodes`. Default `1s`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "pace" pub pace: Option<Span>;
        /// With `failNodes`: nodes and their pods are told to be not ready after so long. Default `50s`, the node
        /// controller's grace period.
        #[cfg_attr(feature = "schema", schemars(default))]
        "noticedAfter" pub noticed_after: Option<Span>;
        /// With `failNodes`: their pods are deleted after so long; they terminate until the node recovers or is removed.
        /// Default `5m50s`, a toleration of five minutes after the failure is noticed.
        #[cfg_attr(feature = "schema", schemars(default))]
        "evictAfter" pub evict_after: Option<Span>;
    }
}

slim_object! {
    /// New nodes of a zone.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct AddNodes<'a>("new nodes") refuse {
        /// The zone, one of the scenario's.
        "zone" pub zone: Text<'a> = required;
        /// How many. Default 1.
        #[cfg_attr(feature = "schema", schemars(default))]
        "count" pub count: Option<u32>;
    }
}

slim_object! {
    /// What somebody does to slices of a Service.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct EditSlices<'a>("edit of slices") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The first so many by name. Default: all.
        #[cfg_attr(feature = "schema", schemars(default))]
        "count" pub count: Option<u32>;
        /// `empty` takes the endpoints out, `label` sets a label that the controller does not want, `annotate` sets an
        /// annotation, which it leaves alone, `delete` deletes the slice.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = ["empty", "label", "annotate", "delete"])))]
        "edit" pub edit: Text<'a> = required;
    }
}

/// What somebody does to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the scenario's words, see `EditSlices`")]
pub enum Edit {
    Empty,
    Label,
    Annotate,
    Delete,
}

impl EditSlices<'_> {
    /// What is done, if it is known.
    pub fn kind(&self) -> Option<Edit> {
        Some(match self.edit.as_str() {
            "empty" => Edit::Empty,
            "label" => Edit::Label,
            "annotate" => Edit::Annotate,
            "delete" => Edit::Delete,
            _ => return None,
        })
    }
}

slim_object! {
    /// Which writes are refused: the next so many, or a share of all for a time.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Refuse<'a>("refusal of writes") refuse {
        /// `Conflict`, `AlreadyExists`, `NotFound`, `NamespaceTerminating`, `ServerError`; or `Timeout`: the write is done,
        /// but its answer is an error.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = ["Conflict", "AlreadyExists", "NotFound", "NamespaceTerminating", "ServerError", "Timeout"])))]
        "error" pub error: Text<'a> = required;
        /// The next so many writes.
        #[cfg_attr(feature = "schema", schemars(default))]
        "next" pub next: Option<u32>;
        /// So many of all writes. Default `100%` where `for` is given.
        #[cfg_attr(feature = "schema", schemars(default))]
        "share" pub share: Option<Share>;
        /// For so long.
        #[cfg_attr(feature = "schema", schemars(default, rename = "for"))]
        "for" pub lasting: Option<Span>;
    }
}
