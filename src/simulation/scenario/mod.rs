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
pub(in crate::simulation) use parts::refusal;
pub use settings::{ApiServerSettings, ControllerSettings, Watch};

use crate::model::object::slim_object;
use crate::model::{StringMap, TargetPort, Text};
use value::{Cpu, Span};

slim_object! {
    /// A cluster, what happens to it and when, and how its API server and watches behave meanwhile.
    #[derive(Clone, Debug, Default)]
    pub struct Scenario<'a>("scenario") kept {
        /// What it is called.
        "title" pub title: Option<Text<'a>>;
        /// What one learns from it, in a sentence.
        "lesson" pub lesson: Option<Text<'a>>;
        /// What it shows, for people.
        "description" pub description: Option<Text<'a>>;
        /// Another seed gives another run where something is random. Default 1.
        "seed" pub seed: Option<u32>;
        /// Nodes, by zone.
        "zones" pub zones: Vec<Zone<'a>> = required;
        /// Services and their pods.
        "services" pub services: Vec<Workload<'a>>;
        /// How the controller is started.
        "controller" pub controller: ControllerSettings<'a>;
        /// How the API server takes writes.
        "apiServer" pub api_server: ApiServerSettings;
        /// How events come to the controller.
        "watches" pub watches: Vec<Watch<'a>>;
        /// Who watches slices, one kube-proxy on each node as a rule. Default: as many as there are nodes.
        "watchers" pub watchers: Option<u32>;
        /// What happens, and when.
        "actions" pub actions: Vec<Action<'a>>;
        /// Gauges are noted so often. Default: at the end of each phase only.
        "sampleEvery" pub sample_every: Option<Span>;
        /// The run ends then at the latest. Default `24h`.
        "until" pub until: Option<Span>;
    }
}

slim_object! {
    /// A zone and its nodes.
    #[derive(Clone, Debug, Default)]
    pub struct Zone<'a>("zone") kept {
        /// Its name; its nodes are called after it, `a-1`, `a-2` and so on. Empty: nodes without a zone, `node-1`.
        "name" pub name: Text<'a> = required;
        /// How many nodes it has at the start.
        "nodes" pub nodes: u32 = required;
        /// Allocatable CPU of each. Default `4`.
        "cpu" pub cpu: Option<Cpu>;
    }
}

slim_object! {
    /// A Service, and the pods behind it, which are kept as a Deployment keeps them.
    #[derive(Clone, Debug, Default)]
    pub struct Workload<'a>("Service") kept {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Makes that many of it, called `name-1`, `name-2` and so on. Default: one, called as it is.
        "copies" pub copies: Option<u32>;
        /// Pods.
        "replicas" pub replicas: u32 = required;
        /// `IPv4`, `IPv6`. Default `IPv4`.
        "families" pub families: Vec<Text<'a>>;
        /// Ports. Default: one, `http`, to 8080.
        "ports" pub ports: Option<Vec<Port<'a>>>;
        /// Is it headless? Default false.
        "headless" pub headless: bool;
        /// Labels of the Service.
        "labels" pub labels: StringMap<'a>;
        /// `spec.trafficDistribution`.
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The annotation `service.kubernetes.io/topology-mode`.
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// `spec.publishNotReadyAddresses`. Default false.
        "publishNotReadyAddresses" pub publish_not_ready_addresses: bool;
        /// A pod has its address so long after it was made. Default `1s`.
        "addressAfter" pub address_after: Option<Span>;
        /// A pod is ready so long after it was made. Default `3s`.
        "readyAfter" pub ready_after: Option<Span>;
        /// A pod is gone so long after its deletion. Default `5s`; until then it terminates, and is not ready.
        "goneAfter" pub gone_after: Option<Span>;
        /// Up to so much is added to each of these spans, at random. Default none.
        "jitter" pub jitter: Option<Span>;
    }
}

slim_object! {
    /// A port of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct Port<'a>("port") kept {
        /// Its name.
        "name" pub name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`. Default `TCP`.
        "protocol" pub protocol: Option<Text<'a>>;
        /// The port of the pods, by number.
        "targetPort" pub target_port: TargetPort<'a> as i32 = required;
    }
}
