//! A scenario: a cluster, and what happens to it and when.

mod action;
mod check;
mod names;
mod parts;
mod settings;
pub mod value;

use alloc::vec::Vec;

pub use action::{
    Act, Action, AddNodes, Edit, EditSlices, NodeChoice, PodChoice, Refuse, Relabel, RollingUpdate,
    Scale, ServiceChange, ServiceChoice,
};
pub(crate) use parts::refusal;
pub use settings::{ApiServerSettings, ControllerSettings, Watch};

use slicewise::model::object::slim_object;
use slicewise::model::{StringMap, TargetPort, Text};

use value::{Cpu, Span};

slim_object! {
    /// A cluster, what happens to it and when, and how its API server and watches behave.
    #[derive(Clone, Debug, Default)]
    pub struct Scenario<'a>("scenario") kept {
        /// The title.
        "title" pub title: Option<Text<'a>>;
        /// What the scenario teaches, as a sentence.
        "lesson" pub lesson: Option<Text<'a>>;
        /// A description of what the scenario shows.
        "description" pub description: Option<Text<'a>>;
        /// The seed of everything that is random. Default 1.
        "seed" pub seed: Option<u32>;
        /// The zones with their nodes.
        "zones" pub zones: Vec<Zone<'a>> = required;
        /// The Services with their pods.
        "services" pub services: Vec<Workload<'a>>;
        /// The settings of the controller.
        "controller" pub controller: ControllerSettings<'a>;
        /// The settings of the API server.
        "apiServer" pub api_server: ApiServerSettings;
        /// How watch events reach the controller.
        "watches" pub watches: Vec<Watch<'a>>;
        /// The number of watchers of slices, usually one kube-proxy per node. Default: the number of nodes.
        "watchers" pub watchers: Option<u32>;
        /// The actions: what happens, and when.
        "actions" pub actions: Vec<Action<'a>>;
        /// The interval at which gauges are sampled. Default: only at the end of each phase.
        "sampleEvery" pub sample_every: Option<Span>;
        /// When the run is cut off at the latest, at most `8784h`. Default `24h`.
        "until" pub until: Option<Span>;
    }
}

slim_object! {
    /// A zone with its nodes.
    #[derive(Clone, Debug, Default)]
    pub struct Zone<'a>("zone") kept {
        /// The name of the zone and the prefix of its nodes' names: `a-1`, `a-2` and so on. If empty, the nodes have no
        /// zone and are named `node-1` and so on.
        "name" pub name: Text<'a> = required;
        /// The initial number of nodes.
        "nodes" pub nodes: u32 = required;
        /// The names of its first nodes. Default: all are numbered.
        "nodeNames" pub node_names: Vec<Text<'a>>;
        /// The allocatable CPU of each node. Default `4`.
        "cpu" pub cpu: Option<Cpu>;
    }
}

slim_object! {
    /// A Service and its pods, which are managed as by a Deployment.
    #[derive(Clone, Debug, Default)]
    pub struct Workload<'a>("Service") kept {
        /// The Service, as `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Creates this many copies, named `name-1`, `name-2` and so on. Default: one Service with the name as given.
        "copies" pub copies: Option<u32>;
        /// The number of pods.
        "replicas" pub replicas: u32 = required;
        /// The name of the Deployment, with which the names of the pods begin. Default: that of the Service.
        "deployment" pub deployment: Option<Text<'a>>;
        /// The families: `IPv4`, `IPv6`. Default `IPv4`.
        "families" pub families: Vec<Text<'a>>;
        /// The ports. Default: one port `http` to 8080.
        "ports" pub ports: Option<Vec<Port<'a>>>;
        /// Whether it is headless. Default false.
        "headless" pub headless: bool;
        /// The labels of the Service.
        "labels" pub labels: StringMap<'a>;
        /// The value of `spec.trafficDistribution`.
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The value of the annotation `service.kubernetes.io/topology-mode`.
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// The value of `spec.publishNotReadyAddresses`. Default false.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: bool;
        /// The time until a new pod has its address. Default `1s`.
        "addressAfter" pub address_after: Option<Span>;
        /// The time until a new pod is ready, at least `addressAfter`. Default `3s`.
        "readyAfter" pub ready_after: Option<Span>;
        /// The time until a deleted pod is gone. Default `5s`; until then it is terminating and not ready.
        "goneAfter" pub gone_after: Option<Span>;
        /// The maximum random time that is added to `addressAfter` and `readyAfter`. Default none.
        "jitter" pub jitter: Option<Span>;
    }
}

slim_object! {
    /// A port of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Port<'a>("port") kept {
        /// The name of the port.
        "name" pub name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`. Default `TCP`.
        "protocol" pub protocol: Option<Text<'a>>;
        /// The port number of the pods.
        "targetPort" pub target_port: TargetPort<'a> as i32 = required;
    }
}
