//! Actions on a cluster.

use alloc::vec::Vec;

use slicewise::model::object::slim_object;
use slicewise::model::{StringMap, Text};

use super::value::{Amount, Cpu, Share, Span};
use super::{Port, Watch, Workload};

slim_object! {
    /// One thing that happens at a given time, or only the beginning of a phase.
    #[derive(Clone, Debug, Default)]
    pub struct Action<'a>("action") kept {
        /// The time since the start.
        "at" pub at: Option<Span> as Span = required;
        /// Begins a phase with this name; figures are counted in it from now on.
        "phase" pub phase: Option<Text<'a>>;
        /// How often the action happens, 1 to 10,000. Default 1.
        "times" pub times: Option<u32>;
        /// The interval between repetitions. Default `1s`.
        "every" pub every: Option<Span>;
        /// Changes the number of replicas.
        "scale" pub scale: Option<Scale<'a>>;
        /// Replaces all pods of a Service, like a rolling update of a Deployment.
        "rollingUpdate" pub rolling_update: Option<RollingUpdate<'a>>;
        /// Makes some pods fail their readiness probe.
        "unreadyPods" pub unready_pods: Option<PodChoice<'a>>;
        /// Deletes some pods, which are then replaced.
        "deletePods" pub delete_pods: Option<PodChoice<'a>>;
        /// Changes the labels of some pods. If the Service no longer selects them, they are replaced.
        "relabelPods" pub relabel_pods: Option<Relabel<'a>>;
        /// Changes a Service.
        "changeService" pub change_service: Option<ServiceChange<'a>>;
        /// Creates a Service with its pods.
        "createService" pub create_service: Option<Workload<'a>>;
        /// Deletes a Service with its pods.
        "deleteService" pub delete_service: Option<ServiceChoice<'a>>;
        /// Cordons nodes, and evicts their pods one after the other.
        "drainNodes" pub drain_nodes: Option<NodeChoice<'a>>;
        /// Stops nodes abruptly: they are noticed as failed later, and their pods are evicted later still.
        "failNodes" pub fail_nodes: Option<NodeChoice<'a>>;
        /// Lets failed or drained nodes run pods again.
        "recoverNodes" pub recover_nodes: Option<NodeChoice<'a>>;
        /// Changes the CPU of nodes.
        "changeNodes" pub change_nodes: Option<NodeChoice<'a>>;
        /// Adds nodes.
        "addNodes" pub add_nodes: Option<AddNodes<'a>>;
        /// Removes nodes together with their pods.
        "removeNodes" pub remove_nodes: Option<NodeChoice<'a>>;
        /// Edits slices manually.
        "editSlices" pub edit_slices: Option<EditSlices<'a>>;
        /// Makes the API server refuse writes.
        "refuseWrites" pub refuse_writes: Option<Refuse<'a>>;
        /// Changes how watches behave from now on; settings that are left out return to their defaults.
        "setWatch" pub set_watch: Option<Watch<'a>>;
        /// Restarts the controller, which loses its state.
        "restartController" pub restart_controller: bool;
        /// Delivers all objects to the controller again.
        "resync" pub resync: bool;
        /// Deletes all Services, pods and nodes.
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
    /// The number of replicas of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Scale<'a>("scaling") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The desired number of pods.
        "replicas" pub replicas: u32 = required;
    }
}

slim_object! {
    /// The parameters of a rolling update.
    #[derive(Clone, Debug, Default)]
    pub struct RollingUpdate<'a>("rolling update") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The maximum number of pods above the number of replicas; a percentage is rounded up. Default `25%`.
        "maxSurge" pub max_surge: Option<Amount>;
        /// The maximum number of unavailable replicas; a percentage is rounded down. Default `25%`.
        "maxUnavailable" pub max_unavailable: Option<Amount>;
        /// The minimum time between two steps. Default none.
        "pace" pub pace: Option<Span>;
    }
}

slim_object! {
    /// Randomly chosen pods of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct PodChoice<'a>("choice of pods") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The number of pods. Default 1.
        "count" pub count: Option<u32>;
        /// How long the pods are unready, for `unreadyPods`. Default `10s`.
        "for" pub lasting: Option<Span>;
    }
}

slim_object! {
    /// New labels for some pods of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Relabel<'a>("new labels") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The number of pods, chosen at random. Default 1.
        "count" pub count: Option<u32>;
        /// The labels to set; the Service selects its pods by the label `app`.
        "labels" pub labels: StringMap<'a> = required;
    }
}

slim_object! {
    /// Changes of a Service; what is left out stays unchanged.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceChange<'a>("change of a Service") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Labels to set on the Service.
        "labels" pub labels: StringMap<'a>;
        /// The new value of `spec.trafficDistribution`; empty to remove it.
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The new value of the annotation `service.kubernetes.io/topology-mode`; empty to remove it.
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// The new value of `spec.publishNotReadyAddresses`.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: Option<bool>;
        /// The new list of families: `IPv4`, `IPv6`; empty to leave it unchanged.
        "families" pub families: Vec<Text<'a>>;
        /// The new list of ports.
        "ports" pub ports: Option<Vec<Port<'a>>>;
    }
}

slim_object! {
    /// The Service to delete.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceChoice<'a>("choice of a Service") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
    }
}

slim_object! {
    /// One node by name, or the nodes of a zone in numerical order.
    #[derive(Clone, Debug, Default)]
    pub struct NodeChoice<'a>("choice of nodes") kept {
        /// The name of one node.
        "node" pub node: Option<Text<'a>>;
        /// The zone of the nodes.
        "zone" pub zone: Option<Text<'a>>;
        /// The maximum number of nodes, the first to which the action applies. Default: all.
        "count" pub count: Option<u32>;
        /// The new allocatable CPU of each node; required for `changeNodes`.
        "cpu" pub cpu: Option<Cpu>;
        /// The interval between evictions, for `drainNodes`. Default `1s`.
        "pace" pub pace: Option<Span>;
        /// The time until the nodes and their pods are marked not ready, for `failNodes`. Default `50s`, the node
        /// controller's grace period.
        "noticedAfter" pub noticed_after: Option<Span>;
        /// The time until their pods are deleted, for `failNodes`; the pods are terminating until the node recovers or
        /// is removed. Default `5m50s`: a toleration of five minutes after the failure is noticed.
        "evictAfter" pub evict_after: Option<Span>;
    }
}

slim_object! {
    /// New nodes in a zone.
    #[derive(Clone, Debug, Default)]
    pub struct AddNodes<'a>("new nodes") kept {
        /// One of the zones of the scenario.
        "zone" pub zone: Text<'a> = required;
        /// The number of nodes. Default 1.
        "count" pub count: Option<u32>;
    }
}

slim_object! {
    /// A manual edit of slices of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct EditSlices<'a>("edit of slices") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// The maximum number of slices, the first by name. Default: all.
        "count" pub count: Option<u32>;
        /// The edit: `empty` removes the endpoints, `label` sets a label that the controller removes, `annotate` sets
        /// an annotation, which it leaves alone, `delete` deletes the slice.
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
    /// The writes to refuse: either a number of next writes, or a share of all writes for some time.
    #[derive(Clone, Debug, Default)]
    pub struct Refuse<'a>("refusal of writes") kept {
        /// `Conflict`, `AlreadyExists`, `NotFound`, `NamespaceTerminating` or `ServerError`; with `Timeout`, the write
        /// is made but its answer is an error.
        "error" pub error: Text<'a> = required where Refuse::ERRORS;
        /// The number of next writes to refuse.
        "next" pub next: Option<u32>;
        /// The share of writes to refuse, with `for`. Default `100%`.
        "share" pub share: Option<Share>;
        /// How long writes are refused.
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
