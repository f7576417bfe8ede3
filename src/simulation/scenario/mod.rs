//! A scenario: a cluster, and what happens to it and when.

mod action;
mod check;
mod names;
mod settings;
pub mod value;

use alloc::vec::Vec;

pub use action::{
    Act, Action, AddNodes, Edit, EditSlices, NodeChoice, PodChoice, Refuse, Relabel, RollingUpdate,
    Scale, ServiceChange, ServiceChoice,
};
pub(in crate::simulation) use check::refusal;
pub use settings::{ApiServerSettings, ControllerSettings, Watch};

use crate::model::object::slim_object;
use crate::model::{StringMap, TargetPort, Text};
use value::Span;

slim_object! {
    /// A cluster, what happens to it and when, and how its API server and watches behave meanwhile.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Scenario<'a>("scenario") refuse {
        /// What it shows, for people.
        #[cfg_attr(feature = "schema", schemars(default))]
        "description" pub description: Option<Text<'a>>;
        /// Another seed gives another run where something is random. Default 1.
        #[cfg_attr(feature = "schema", schemars(default))]
        "seed" pub seed: Option<u32>;
        /// Nodes, by zone.
        "zones" pub zones: Vec<Zone<'a>> = required;
        /// Services and their pods.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Workload<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "services" pub services: Vec<Workload<'a>>;
        /// How the controller is started.
        #[cfg_attr(feature = "schema", schemars(with = "Option<ControllerSettings<'static>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "controller" pub controller: ControllerSettings<'a>;
        /// How the API server takes writes.
        #[cfg_attr(feature = "schema", schemars(with = "Option<ApiServerSettings>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "apiServer" pub api_server: ApiServerSettings;
        /// How events come to the controller.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Watch<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "watches" pub watches: Vec<Watch<'a>>;
        /// Who watches slices, one kube-proxy on each node as a rule. Default: as many as there are nodes.
        #[cfg_attr(feature = "schema", schemars(default))]
        "watchers" pub watchers: Option<u32>;
        /// What happens, and when.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Action<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "actions" pub actions: Vec<Action<'a>>;
        /// Gauges are noted so often. Default: at the end of each phase only.
        #[cfg_attr(feature = "schema", schemars(default))]
        "sampleEvery" pub sample_every: Option<Span>;
        /// The run ends then at the latest. Default `24h`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "until" pub until: Option<Span>;
    }
}

slim_object! {
    /// A zone and its nodes.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Zone<'a>("zone") refuse {
        /// Its name; its nodes are called after it, `a-1`, `a-2` and so on. Empty: nodes without a zone, `node-1`.
        "name" pub name: Text<'a> = required;
        /// How many nodes it has at the start.
        "nodes" pub nodes: u32 = required;
        /// Allocatable CPU of each. Default `4`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "cpu" pub cpu: Option<Text<'a>>;
    }
}

slim_object! {
    /// A Service, and the pods behind it, which are kept as a Deployment keeps them.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Workload<'a>("Service") refuse {
        /// `namespace/name`.
        "service" pub service: Text<'a> = required;
        /// Makes that many of it, called `name-1`, `name-2` and so on. Default: one, called as it is.
        #[cfg_attr(feature = "schema", schemars(default))]
        "copies" pub copies: Option<u32>;
        /// Pods.
        "replicas" pub replicas: u32 = required;
        /// `IPv4`, `IPv6`. Default `IPv4`.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Text<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "families" pub families: Vec<Text<'a>>;
        /// Ports. Default: one, `http`, to 8080.
        #[cfg_attr(feature = "schema", schemars(default))]
        "ports" pub ports: Option<Vec<Port<'a>>>;
        /// Is it headless? Default false.
        #[cfg_attr(feature = "schema", schemars(default))]
        "headless" pub headless: bool;
        /// Labels of the Service.
        #[cfg_attr(feature = "schema", schemars(with = "Option<StringMap<'static>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "labels" pub labels: StringMap<'a>;
        /// `spec.trafficDistribution`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "trafficDistribution" pub traffic_distribution: Option<Text<'a>>;
        /// The annotation `service.kubernetes.io/topology-mode`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "topologyMode" pub topology_mode: Option<Text<'a>>;
        /// `spec.publishNotReadyAddresses`. Default false.
        #[cfg_attr(feature = "schema", schemars(default))]
        "publishNotReadyAddresses" pub publish_not_ready_addresses: bool;
        /// A pod has its address so long after it was made. Default `1s`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "addressAfter" pub address_after: Option<Span>;
        /// A pod is ready so long after it was made. Default `3s`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "readyAfter" pub ready_after: Option<Span>;
        /// A pod is gone so long after its deletion. Default `5s`; until then it terminates, and is not ready.
        #[cfg_attr(feature = "schema", schemars(default))]
        "goneAfter" pub gone_after: Option<Span>;
        /// Up to so much is added to each of these spans, at random. Default none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "jitter" pub jitter: Option<Span>;
    }
}

slim_object! {
    /// A port of a Service.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct Port<'a>("port") refuse {
        /// Its name.
        #[cfg_attr(feature = "schema", schemars(default))]
        "name" pub name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`. Default `TCP`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "protocol" pub protocol: Option<Text<'a>>;
        /// The port of the pods, by number.
        #[cfg_attr(feature = "schema", schemars(with = "i32"))]
        "targetPort" pub target_port: TargetPort<'a> = required;
    }
}
