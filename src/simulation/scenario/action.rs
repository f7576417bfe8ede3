//! Actions on a cluster.

use alloc::vec::Vec;

use super::value::{Amount, Cpu, Share, Span};
use super::{Port, Watch, Workload};
use crate::model::object::slim_object;
use crate::model::{StringMap, Text};

slim_object! {
    /// When, and one thing that happens then; or none, where a phase begins.
    #[derive(Clone, Debug, Default)]
    pub struct Action<'a>("action") kept {
        /// Since the start.
        "at" pub at: Option<Span> as Span = required;
        /// Begins a phase of this name: what is counted from here on is counted in it.
        "phase" pub phase: Option<Text<'a>>;
        /// It happens so many times. Default 1.
        "times" pub times: Option<u32>;
        /// So long apart. Default `1s`.
        "every" pub every: Option<Span>;
        /// Changes the number of replicas.
        "scale" pub scale: Option<Scale<'a>>;
        /// Replaces all pods of a Service by new ones, as a Deployment does.
        "rollingUpdate" pub rolling_update: Option<RollingUpdate<'a>>;
        /// Some pods fail their readiness probe.
        "unreadyPods" pub unready_pods: Option<PodChoice<'a>>;
        /// Some pods are deleted, and replaced.
        "deletePods" pub delete_pods: Option<PodChoice<'a>>;
        /// Some pods get labels that their Service may not select; the Deployment replaces them then.
        "relabelPods" pub relabel_pods: Option<Relabel<'a>>;
        /// A Service is changed.
        "changeService" pub change_service: Option<ServiceChange<'a>>;
        /// A Service is made, with its pods.
        "createService" pub create_service: Option<Workload<'a>>;
        /// A Service is deleted, with its pods.
        "deleteService" pub delete_service: Option<ServiceChoice<'a>>;
        /// Nodes are cordoned, and their pods evicted one after the other.
        "drainNodes" pub drain_nodes: Option<NodeChoice<'a>>;
        /// Nodes stop dead: that is noticed later, and their pods are evicted later still.
        "failNodes" pub fail_nodes: Option<NodeChoice<'a>>;
        /// Nodes that failed or were drained take pods again.
        "recoverNodes" pub recover_nodes: Option<NodeChoice<'a>>;
        /// Nodes get another CPU.
        "changeNodes" pub change_nodes: Option<NodeChoice<'a>>;
        /// Nodes join.
        "addNodes" pub add_nodes: Option<AddNodes<'a>>;
        /// Nodes are deleted, and their pods with them.
        "removeNodes" pub remove_nodes: Option<NodeChoice<'a>>;
        /// Someone changes slices by hand.
        "editSlices" pub edit_slices: Option<EditSlices<'a>>;
        /// The API server refuses writes.
        "refuseWrites" pub refuse_writes: Option<Refuse<'a>>;
        /// Watches behave otherwise from now on; what is left out has its default again.
        "setWatch" pub set_watch: Option<Watch<'a>>;
        /// The controller restarts, and remembers nothing.
        "restartController" pub restart_controller: bool;
        /// All objects are given to the controller again.
        "resync" pub resync: bool;
        /// All Services, pods and nodes are deleted.
        "deleteEverything" pub delete_everything: bool;
    }
}

/// The single thing that an action does.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are those of the fields of `Action`")]
#[non_exhaustive]
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
    ChangeNodes(&'s NodeChoice<'a>),
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
    /// Everything that the action specifies; a valid action specifies one thing.
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
            "changeNodes" change_nodes ChangeNodes;
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
    pub struct Scale<'a>("scaling") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Pods there should be.
        "replicas" pub replicas: u32 = required;
    }
}

slim_object! {
    /// How a rolling update goes.
    #[derive(Clone, Debug, Default)]
    pub struct RollingUpdate<'a>("rolling update") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Pods above the number of replicas, rounded up. Default `25%`.
        "maxSurge" pub max_surge: Option<Amount>;
        /// Replicas that may be unavailable, rounded down. Default `25%`.
        "maxUnavailable" pub max_unavailable: Option<Amount>;
        /// The next step comes so long after the last at the earliest. Default none.
        "pace" pub pace: Option<Span>;
    }
}

slim_object! {
    /// Some pods of a Service, drawn at random.
    #[derive(Clone, Debug, Default)]
    pub struct PodChoice<'a>("choice of pods") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// How many. Default 1.
        "count" pub count: Option<u32>;
        /// For so long, with `unreadyPods`. Default `10s`.
        "for" pub lasting: Option<Span>;
    }
}

slim_object! {
    /// New labels for some pods of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Relabel<'a>("new labels") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// How many. Default 1.
        "count" pub count: Option<u32>;
        /// Set on them; the label their Service selects is `app`.
        "labels" pub labels: StringMap<'a> = required;
    }
}

slim_object! {
    /// What changes about a Service; what is left out stays.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceChange<'a>("change of a Service") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Set on it.
        "labels" pub labels: StringMap<'a>;
        /// `spec.trafficDistribution`; empty for none.
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The annotation `service.kubernetes.io/topology-mode`; empty for none.
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// `spec.publishNotReadyAddresses`.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: Option<bool>;
        /// `IPv4`, `IPv6`: all that it has from now on; none to leave them.
        "families" pub families: Vec<Text<'a>>;
        /// All ports that it has from now on.
        "ports" pub ports: Option<Vec<Port<'a>>>;
    }
}

slim_object! {
    /// A Service.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceChoice<'a>("choice of a Service") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
    }
}

slim_object! {
    /// Some nodes: one by name, or those of a zone in the order of their numbers.
    #[derive(Clone, Debug, Default)]
    pub struct NodeChoice<'a>("choice of nodes") kept {
        /// One node.
        "node" pub node: Option<Text<'a>>;
        /// The nodes of a zone.
        "zone" pub zone: Option<Text<'a>>;
        /// At most so many of it, the first that are left. Default: all.
        "count" pub count: Option<u32>;
        /// Allocatable CPU of each from now on, with `changeNodes`, which needs it.
        "cpu" pub cpu: Option<Cpu>;
        /// Pods are evicted so long apart, with `drainNodes`. Default `1s`.
        "pace" pub pace: Option<Span>;
        /// With `failNodes`: nodes and their pods are marked not ready after this long. Default `50s`, the node
        /// controller's grace period.
        "noticedAfter" pub noticed_after: Option<Span>;
        /// With `failNodes`: their pods are deleted after so long; they terminate until the node recovers or is removed.
        /// Default `5m50s`, a toleration of five minutes after the failure is noticed.
        "evictAfter" pub evict_after: Option<Span>;
    }
}

slim_object! {
    /// New nodes of a zone.
    #[derive(Clone, Debug, Default)]
    pub struct AddNodes<'a>("new nodes") kept {
        /// The zone, one of the scenario's.
        "zone" pub zone: Text<'a> = required;
        /// How many. Default 1.
        "count" pub count: Option<u32>;
    }
}

slim_object! {
    /// What someone does to slices of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct EditSlices<'a>("edit of slices") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The first so many by name. Default: all.
        "count" pub count: Option<u32>;
        /// `empty` takes the endpoints out, `label` sets a label that the controller does not want, `annotate` sets an
        /// annotation, which it leaves alone, `delete` deletes the slice.
        "edit" pub edit: Text<'a> = required where EditSlices::EDITS;
    }
}

/// A manual edit of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the scenario's words, see `EditSlices`")]
#[non_exhaustive]
pub enum Edit {
    Empty,
    Label,
    Annotate,
    Delete,
}

impl EditSlices<'_> {
    /// The supported edits.
    pub(super) const EDITS: [&'static str; 4] = ["empty", "label", "annotate", "delete"];

    /// The edit, if it is known.
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
    pub struct Refuse<'a>("refusal of writes") kept {
        /// `Conflict`, `AlreadyExists`, `NotFound`, `NamespaceTerminating`, `ServerError`; or `Timeout`: the write is done,
        /// but its answer is an error.
        "error" pub error: Text<'a> = required where Refuse::ERRORS;
        /// The next so many writes.
        "next" pub next: Option<u32>;
        /// So many of all writes. Default `100%` where `for` is given.
        "share" pub share: Option<Share>;
        /// For so long.
        "for" pub lasting: Option<Span>;
    }
}

impl Refuse<'_> {
    /// The reasons for refusing writes.
    pub(super) const ERRORS: [&'static str; 6] = [
        "Conflict",
        "AlreadyExists",
        "NotFound",
        "NamespaceTerminating",
        "ServerError",
        "Timeout",
    ];
}
