//! Takes a Service, its slices and nodes; returns which endpoints serve which clients.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::api::input::{self, Limits};
use slicewise::api::{InputShape, Received, Warning, detect, encode, place};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::object::slim_object;
use slicewise::model::order::{gathered, sort_by};
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointSlice, Text};
use slicewise::{Code, Error, Mistake};

use super::incomplete::of_traffic;
use super::proxy::settings::{address_type, node_hints};
use super::route::nodes::NodePlace;
use super::route::plan_request::is_of_plan;
use super::route::read::{TrafficObjects, check_asked, fill_in};
use super::route::slices::RouteSlices;
use super::route::{NamedService, RouteNode};
use super::traffic_check::check;
use crate::proxy::ProxiedService;
use crate::routing::{
    ASSUMPTION, Budget, Client, ClientSelector, OF_CPU, OF_PODS, OF_SLICES, PortTraffic,
    ReaderBasis, Situation, SliceReader, UnreadSlice, WEIGHED, matrix_within, node_clients, unread,
};

slim_object! {
    /// One Service, and what its traffic depends on.
    #[derive(Debug, Default)]
    pub struct TrafficRequest<'a>("traffic request") refuse {
        /// The Service.
        "service" pub service: ProxiedService<'a> = required;
        /// Its slices; those of other Services are ignored.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
        /// The nodes that clients run on: `v1` Nodes, or objects with `name` and `labels`.
        "nodes" pub nodes: Vec<RouteNode<'a>>;
        /// The relative weight of the traffic from each node; nodes that are not listed have the weight 1.
        "clients" pub clients: Vec<ClientWeight<'a>>;
        /// The consumer of the slices: `kube-proxy`, `cilium`, `istio`, `linkerd` or `envoy-gateway`. Default
        /// `kube-proxy`.
        "reader" pub reader: Option<Text<'a>> as SliceReader;
        /// `IPv4` or `IPv6`. Default: the first family of the Service.
        "addressType" pub address_type: Option<Text<'a>> as AddressType;
        /// The version of Kubernetes whose kube-proxy reads them. Default `1.37`, the newest release.
        "kubernetes" pub kubernetes: Option<KubernetesVersion> as Option<Text<'a>> where KubernetesVersion::ALL.map(|version| version.name());
        /// Whether kube-proxy uses hints for nodes. Default true; Kubernetes 1.38 always does, and refuses false.
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
    }
}

slim_object! {
    /// The relative weight of the traffic from one node.
    #[derive(Debug, Default)]
    pub struct ClientWeight<'a>("client") refuse {
        /// The name of the node.
        "node" pub node: Text<'a> = required;
        /// The weight. Default 1.
        "weight" pub weight: Option<u32>;
    }
}

/// Options of [`with_traffic`] that the input may leave open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrafficOptions {
    /// Who reads the slices.
    pub reader: Option<SliceReader>,
    /// Only this Service, `namespace/name`; its family is then the default.
    pub service: Option<String>,
    /// The requested address family.
    pub address_type: Option<AddressType>,
    /// The version of Kubernetes whose kube-proxy reads the slices.
    pub kubernetes: Option<KubernetesVersion>,
    /// Does kube-proxy use hints for nodes?
    pub prefer_same_traffic_distribution: Option<bool>,
    /// The pods of the input that requests come from. By default they come from nodes, by their CPU.
    pub clients: Option<ClientSelector>,
}

/// How traffic flows from nodes to endpoints.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TrafficAnswer {
    /// The consumer of the slices.
    pub reader: SliceReader,
    /// What its rules here rest on.
    pub basis: ReaderBasis,
    /// The address family, `IPv4` or `IPv6`.
    pub address_type: AddressType,
    /// What is assumed about the traffic, as a sentence.
    pub assumption: &'static str,
    /// The nodes that the traffic comes from, in the given order; groups of nodes refer to them by index.
    pub nodes: Vec<TrafficNode>,
    /// The traffic of each port of the Services, sorted by name; empty if there are no nodes.
    pub ports: Vec<PortTraffic>,
    /// Services that the consumer does not serve in this family.
    pub not_proxied: Vec<NamedService>,
    /// Slices of the Services that are not read, or not completely.
    pub unread: Vec<UnreadSlice>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
}

/// A node that traffic comes from.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct TrafficNode {
    /// The node.
    pub node: String,
    /// Its zone; empty if it has none.
    pub zone: String,
    /// Its share of the traffic, 0 to 1.
    pub share: f64,
}

/// Answers a request: a [`TrafficRequest`] in, a [`TrafficAnswer`] out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn traffic(request: &[u8]) -> Result<Vec<u8>, Error> {
    let answer = with_traffic(request, &TrafficOptions::default(), Limits::default())?;
    encode(&answer)
}

/// Like [`traffic`], for callers that want more than JSON. The input may also be the output of `kubectl get
/// services,endpointslices,nodes -A -o json`; options take precedence over it.
///
/// # Errors
/// Same as [`traffic`].
pub fn with_traffic(
    input: &[u8],
    options: &TrafficOptions,
    limits: Limits,
) -> Result<TrafficAnswer, Error> {
    let text = input::text(input, limits)?;
    match detect(input) {
        InputShape::Request => of_request(text, options),
        InputShape::Snapshot => {
            TrafficObjects::read(text, options.clients.clone())?.traffic(options)
        }
    }
}

/// Everything that an answer depends on.
struct TrafficInput<'g> {
    services: &'g [ProxiedService<'g>],
    slices: &'g [EndpointSlice<'g>],
    clients: Vec<Client<'g>>,
    assumption: &'static str,
    reader: SliceReader,
    address_type: AddressType,
    with_node_hints: bool,
    /// What follows from it if Nodes are needed and not there.
    without_nodes: Option<&'g str>,
    received: &'g Received,
}

const NO_CLIENTS: &str = "there are no Nodes, from which traffic originates";
const NAMED_NODES: &str = "there are no Nodes, so only those that slices name are known";

fn of_request(text: &str, options: &TrafficOptions) -> Result<TrafficAnswer, Error> {
    let mut request: TrafficRequest<'_> = match input::decode(text) {
        Err(error) if is_of_plan(&error) => {
            let mut options = options.clone();
            let asked = (options.kubernetes, options.prefer_same_traffic_distribution);
            let clients = options.clients.clone();
            let (objects, asked) = TrafficObjects::of_plan_request(text, clients, asked)?;
            (options.kubernetes, options.prefer_same_traffic_distribution) = asked;
            return objects.traffic(&options);
        }
        read => read?,
    };
    fill_in(&mut request.service, &mut request.slices);
    let located = |error| place::locate(error, text);
    let nodes = core::mem::take(&mut request.nodes);
    let nodes: Vec<_> = nodes.into_iter().map(NodePlace::of).collect();
    check(&request, &nodes).map_err(located)?;
    check_asked(options.service.as_deref(), &request.service)?;
    if options.clients.is_some() {
        let message = "a request names the weights of its nodes itself, as `clients`; client pods are selected from objects, as `kubectl get services,endpointslices,nodes,pods` prints them";
        let error = Error::new(Code::InvalidValue, message);
        return Err(error.known_as(Mistake::Clients));
    }
    let reader = request.reader.as_deref();
    let reader = reader.map(|name| name.parse().map_err(|_| located(unknown_reader(name))));
    let family = address_type(request.address_type.as_deref()).map_err(located)?;
    let options = TrafficOptions {
        reader: options.reader.or(reader.transpose()?),
        address_type: options.address_type.or(family),
        kubernetes: options.kubernetes.or(request.kubernetes),
        prefer_same_traffic_distribution: options
            .prefer_same_traffic_distribution
            .or(request.prefer_same_traffic_distribution),
        ..TrafficOptions::default()
    };
    let weights = request.clients.iter();
    let weights = weights.map(|client| (client.node.as_str(), client.weight.unwrap_or(1)));
    let mut objects = TrafficObjects::default();
    objects.services.items.push(request.service);
    objects.slices.items = request.slices;
    objects.nodes.items = nodes;
    let answer = objects.answer(&options, &gathered(weights));
    answer.map_err(located)
}

impl TrafficObjects<'_> {
    /// Like [`with_traffic`], for objects that were already read.
    ///
    /// # Errors
    /// When the options do not fit the objects.
    pub fn traffic(mut self, options: &TrafficOptions) -> Result<TrafficAnswer, Error> {
        self.keep_only(options.service.as_deref())?;
        self.answer(options, &BTreeMap::new())
    }

    /// The answer about these objects; `weights` are those of nodes, if any are given.
    fn answer(
        &self,
        options: &TrafficOptions,
        weights: &BTreeMap<&str, u32>,
    ) -> Result<TrafficAnswer, Error> {
        let asked = options.prefer_same_traffic_distribution;
        let with_node_hints = node_hints(options.kubernetes, asked)?;
        let named = self.named_nodes();
        let (clients, assumption) = self.sources(&named, weights)?;
        let is_guessed = !named.is_empty() && !self.received.has_left_out();
        let without_nodes = match clients.is_empty() {
            true => Some(NO_CLIENTS),
            false => is_guessed.then_some(NAMED_NODES),
        };
        answer(&TrafficInput {
            services: &self.services.items,
            slices: &self.slices.items,
            clients,
            assumption,
            reader: options.reader.unwrap_or_default(),
            address_type: options.address_type.unwrap_or_else(|| self.first_family()),
            with_node_hints,
            without_nodes,
            received: &self.received,
        })
    }

    /// Where requests come from, and what is assumed about them. Slices name some nodes if no others are known.
    fn sources<'s>(
        &'s self,
        named: &[Client<'s>],
        weights: &BTreeMap<&str, u32>,
    ) -> Result<(Vec<Client<'s>>, &'static str), Error> {
        let places = self.nodes.items.iter();
        let mut nodes = node_clients(places.map(|place| (&*place.name, place.facts())));
        nodes.extend(named);
        if !weights.is_empty() {
            for client in &mut nodes {
                client.weight = weights.get(client.node).copied().map_or(1.0, f64::from);
            }
            let is_even = are_even(&nodes);
            return Ok((nodes, if is_even { ASSUMPTION } else { WEIGHED }));
        }
        let Some(selector) = &self.clients else {
            let assumption = match named.is_empty() {
                true if are_even(&nodes) => ASSUMPTION,
                true => OF_CPU,
                false => OF_SLICES,
            };
            return Ok((nodes, assumption));
        };
        let zones: BTreeMap<&str, &str> =
            gathered(nodes.iter().map(|client| (client.node, client.zone)));
        let pods = self.pods.items.iter();
        let nodes = pods.filter_map(|pod| pod.node.as_deref());
        let zone = |node: &str| zones.get(node).copied().unwrap_or_default();
        let clients = selector.clients(nodes, self.pods.items.len(), zone)?;
        Ok((clients, OF_PODS))
    }
}

fn answer(given: &TrafficInput<'_>) -> Result<TrafficAnswer, Error> {
    let clients = &given.clients;
    let whole: f64 = clients.iter().map(|client| client.weight).sum();
    if whole <= 0.0 && !clients.is_empty() {
        let message =
            "all nodes have weight 0, so there is no traffic; give at least one of them a weight";
        return Err(Error::new(Code::InvalidValue, message).at("/clients"));
    }
    let node = |client: &Client<'_>| TrafficNode {
        node: client.node.to_string(),
        zone: client.zone.to_string(),
        share: client.weight / whole,
    };
    let by_service = RouteSlices::new(given.slices);
    let mut budget = Budget::default();
    let (mut ports, mut not_proxied, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
    for service in given.services {
        let situation = Situation {
            service,
            slices: by_service.of(service),
            address_type: given.address_type,
            reader: given.reader,
            with_node_hints: given.with_node_hints,
        };
        passed_over.extend(unread(service, situation.slices, given.reader));
        if let Some(other) = NamedService::unless_served(service, given.address_type, given.reader)
        {
            not_proxied.push(other);
        } else if !clients.is_empty() {
            let of_service = matrix_within(&situation, clients, &mut budget);
            ports.extend(of_service.map_err(|_| too_much(given))?);
        }
    }
    sort_by(&mut ports, |one: &PortTraffic, other| {
        one.service_port.cmp(&other.service_port)
    });
    Ok(TrafficAnswer {
        reader: given.reader,
        basis: given.reader.basis(),
        address_type: given.address_type,
        assumption: given.assumption,
        nodes: clients.iter().map(node).collect(),
        ports,
        not_proxied,
        unread: passed_over,
        warnings: of_traffic(
            given.services,
            given.slices,
            given.without_nodes,
            given.received,
        ),
    })
}

fn too_much(given: &TrafficInput<'_>) -> Error {
    let (services, nodes) = (given.services.len(), given.clients.len());
    let advice = if services > 1 {
        "ask for one Service"
    } else {
        "give one node of each kind, and set in `clients` how many nodes it represents"
    };
    let message = format!(
        "the traffic from {nodes} nodes to so many endpoints and ports ({services} Services) is too much for one answer; {advice}"
    );
    Error::new(Code::TooLarge, message)
}

/// Do all send alike?
fn are_even(clients: &[Client<'_>]) -> bool {
    let weights = clients.iter().map(|client| client.weight);
    weights
        .clone()
        .zip(weights.skip(1))
        .all(|(one, next)| (one - next).abs() < f64::EPSILON)
}

fn unknown_reader(name: &str) -> Error {
    let names = SliceReader::ALL.map(SliceReader::name).join("`, `");
    let message = format!(
        "`{}` is not a known consumer of slices; use one of `{names}`",
        shorten(name)
    );
    Error::new(Code::InvalidValue, message.to_string()).at("/reader")
}
