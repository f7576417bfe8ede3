//! The shapes of a proxy's stream, for their schemas alone: lines are read in parts, and answers are written from what
//! the proxy holds.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;

use super::answer::Route;
use super::record::Flows;
use crate::Error;

#[derive(JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "WatchEventType")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum EventType {
    Added,
    Modified,
    Deleted,
    Bookmark,
}

#[derive(JsonSchema)]
#[schemars(rename = "ProxyQuestion")]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum Question {
    /// All of it.
    #[schemars(with = "bool")]
    All,
    /// `endpoints`: without routes.
    Endpoints(String),
    /// And which flows are stale.
    Flows(Flows<'static>),
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum Protocol {
    Name(String),
    Number(u8),
}

/// The answer to a line: to a question, or the error of one that cannot be read.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ProxyAnswer {
    /// What has changed, and what there is.
    Update(Update),
    /// The line cannot be read.
    Failure {
        /// What is wrong, where, and how to mend it.
        error: Error,
    },
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Update {
    /// Services of which a slice has come, changed or gone.
    updated_services: Vec<String>,
    /// Services whose ports have come, changed or gone.
    updated_service_ports: Vec<String>,
    /// When changes were triggered, by Service.
    trigger_times: BTreeMap<String, Vec<String>>,
    /// By `namespace/name:port/PROTOCOL`.
    endpoints: BTreeMap<String, Vec<ProxyEndpoint>>,
    /// Likewise.
    routes: Option<BTreeMap<String, Route>>,
    /// What has changed of UDP ports.
    stale_udp: StaleUdp,
    /// A Service with a UDP port has changed endpoints.
    conntrack_cleanup_required: bool,
    /// The places of stale flows in the question's list.
    stale_conntrack: Option<Vec<usize>>,
    /// Where load balancers ask for ready endpoints, by Service.
    health_check_node_ports: Option<BTreeMap<String, u16>>,
    /// How many there are on the node, by Service.
    local_ready_endpoints: Option<BTreeMap<String, usize>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct ProxyEndpoint {
    /// Address and port.
    endpoint: String,
    ready: bool,
    serving: bool,
    terminating: bool,
    /// Is it on the proxy's node?
    local: bool,
    zone_hints: Vec<String>,
    node_hints: Vec<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct StaleUdp {
    /// Endpoints that answered before and do so no more.
    deleted_endpoints: Vec<DeletedEndpoint>,
    /// Ports none of whose endpoints answered before, and one does now.
    gained_endpoints: Vec<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct DeletedEndpoint {
    endpoint: String,
    service_port: String,
}
