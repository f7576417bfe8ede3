//! A Service, its slices and nodes in; who serves whom out.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde::Serialize;

use super::detect::{Shape, detect};
use super::input::{self, Limits};
use super::plan::{check_names, check_slices};
use super::proxy::check_size;
use super::proxy::settings::address_type;
use super::route::RouteNode;
use super::route::read::{NodePlace, Objects, fill_in, first_family};
use super::{encode, place};
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{AddressType, EndpointSlice, Text};
use crate::proxy::Service;
use crate::routing::{Client, PortTraffic, Reader, Situation, matrix};
use crate::{Code, Error};

slim_object! {
    /// What the traffic of a Service depends on.
    #[derive(Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct TrafficRequest<'a>("traffic request") refuse {
        /// The Service.
        "service" pub service: Service<'a> = required;
        /// Its slices; those of others are ignored.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<EndpointSlice<'static>>>", default))]
        "slices" pub slices: Vec<EndpointSlice<'a>>;
        /// The nodes that clients are on: `v1` Nodes, or names and labels.
        "nodes" pub nodes: Vec<RouteNode<'a>>;
        /// How much of the traffic comes from nodes; those that are not among them weigh 1.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<ClientWeight<'static>>>", default))]
        "clients" pub clients: Vec<ClientWeight<'a>>;
        /// Who reads the slices: `kube-proxy`, the default, `cilium`, `istio`, `linkerd` or `envoy-gateway`.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Reader>", default))]
        "reader" pub reader: Option<Text<'a>>;
        /// `IPv4` or `IPv6`; the Service's first family if nothing is said.
        #[cfg_attr(feature = "schema", schemars(with = "Option<AddressType>", default))]
        "addressType" pub address_type: Option<Text<'a>>;
        /// Does kube-proxy look at hints for nodes? It does if nothing is said.
        #[cfg_attr(feature = "schema", schemars(default))]
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
    }
}

slim_object! {
    /// How much of the traffic comes from a node, next to the others.
    #[derive(Debug, Default)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct ClientWeight<'a>("client") refuse {
        /// The node.
        "node" pub node: Text<'a> = required;
        /// Its weight; 1 if nothing is said.
        #[cfg_attr(feature = "schema", schemars(default))]
        "weight" pub weight: Option<u32>;
    }
}

/// What the caller of [`with_traffic`] says that an input need not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrafficOptions {
    /// Who reads the slices.
    pub reader: Option<Reader>,
    /// The address family that is wanted.
    pub address_type: Option<AddressType>,
    /// Does kube-proxy look at hints for nodes?
    pub prefer_same_traffic_distribution: Option<bool>,
}

/// Who serves whom.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrafficAnswer {
    /// Who reads the slices.
    pub reader: Reader,
    /// The family.
    pub address_type: AddressType,
    /// The ports of the Services, by name.
    pub ports: Vec<PortTraffic>,
}

/// Answers a request: a [`TrafficRequest`] in, a [`TrafficAnswer`] out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn traffic(request: &[u8]) -> Result<Vec<u8>, Error> {
    let answer = with_traffic(request, TrafficOptions::default(), Limits::default())?;
    encode(&answer)
}

/// As [`traffic`], for callers that want more than JSON. The input may as well be what
/// `kubectl get services,endpointslices,nodes -A -o json` prints; the options win over what it says.
///
/// # Errors
/// As [`traffic`].
pub fn with_traffic(
    input: &[u8],
    options: TrafficOptions,
    limits: Limits,
) -> Result<TrafficAnswer, Error> {
    let text = input::text(input, limits)?;
    match detect(input) {
        Shape::Request => of_request(text, options),
        Shape::Snapshot => of_objects(text, options),
    }
}

fn of_request(text: &str, options: TrafficOptions) -> Result<TrafficAnswer, Error> {
    let mut request: TrafficRequest<'_> = input::decode(text)?;
    fill_in(&mut request.service, &mut request.slices);
    let located = |error| place::locate(error, text);
    check(&request).map_err(located)?;
    let reader = match request.reader.as_deref() {
        None => Reader::default(),
        Some(name) => name.parse().map_err(|_| located(unknown_reader(name)))?,
    };
    let family = address_type(request.address_type.as_deref()).map_err(located)?;
    let family = family.unwrap_or_else(|| first_family(&request.service));
    let places: Vec<_> = request.nodes.iter().map(NodePlace::of).collect();
    let answer = TrafficAnswer {
        reader: options.reader.unwrap_or(reader),
        address_type: options.address_type.unwrap_or(family),
        ports: Vec::new(),
    };
    let with_node_hints = options
        .prefer_same_traffic_distribution
        .or(request.prefer_same_traffic_distribution);
    let weights: BTreeMap<&str, u32> = request
        .clients
        .iter()
        .map(|client| (client.node.as_str(), client.weight.unwrap_or(1)))
        .collect();
    let weight = |node: &str| weights.get(node).map_or(1.0, |weight| f64::from(*weight));
    let clients: Vec<_> = places
        .iter()
        .map(|place| client(place, weight(&place.name)))
        .collect();
    let services = core::slice::from_ref(&request.service);
    Ok(filled(
        answer,
        services,
        &request.slices,
        &clients,
        with_node_hints,
    ))
}

fn of_objects(text: &str, options: TrafficOptions) -> Result<TrafficAnswer, Error> {
    let objects = Objects::read(text)?;
    let answer = TrafficAnswer {
        reader: options.reader.unwrap_or_default(),
        address_type: options
            .address_type
            .unwrap_or_else(|| objects.first_family()),
        ports: Vec::new(),
    };
    let clients: Vec<_> = objects
        .nodes
        .iter()
        .map(|place| client(place, 1.0))
        .collect();
    let with_node_hints = options.prefer_same_traffic_distribution;
    Ok(filled(
        answer,
        &objects.services,
        &objects.slices,
        &clients,
        with_node_hints,
    ))
}

fn filled(
    mut answer: TrafficAnswer,
    services: &[Service<'_>],
    slices: &[EndpointSlice<'_>],
    clients: &[Client<'_>],
    with_node_hints: Option<bool>,
) -> TrafficAnswer {
    for service in services {
        let situation = Situation {
            service,
            slices,
            address_type: answer.address_type,
            reader: answer.reader,
            with_node_hints: with_node_hints.unwrap_or(true),
        };
        answer.ports.extend(matrix(&situation, clients));
    }
    answer
        .ports
        .sort_by(|one, other| one.service_port.cmp(&other.service_port));
    answer
}

fn client(place: &NodePlace, weight: f64) -> Client<'_> {
    Client {
        node: &place.name,
        zone: &place.zone,
        weight,
    }
}

fn check(request: &TrafficRequest<'_>) -> Result<(), Error> {
    check_names("/slices", &request.slices)?;
    check_slices("/slices", &request.slices)?;
    for (index, slice) in request.slices.iter().enumerate() {
        check_size(slice).map_err(|error| error.at(format!("/slices/{index}/ports")))?;
    }
    if request.service.metadata.name.is_empty() {
        let error = Error::new(Code::InvalidValue, "a Service needs a name");
        return Err(error.at("/service/metadata/name"));
    }
    for (index, node) in request.nodes.iter().enumerate() {
        if NodePlace::of(node).name.is_empty() {
            let message = "a node needs a name; give a Node, or `{\"name\": …, \"labels\": {…}}`";
            return Err(Error::new(Code::MissingField, message).at(format!("/nodes/{index}")));
        }
    }
    for (index, client) in request.clients.iter().enumerate() {
        let mut nodes = request.nodes.iter();
        if !nodes.any(|node| NodePlace::of(node).name == *client.node) {
            let message = format!("`{}` is not among the nodes", shorten(&client.node));
            let error = Error::new(Code::InvalidValue, message);
            return Err(error.at(format!("/clients/{index}/node")));
        }
    }
    Ok(())
}

fn unknown_reader(name: &str) -> Error {
    let names = Reader::ALL.map(Reader::name).join("`, `");
    let message = format!(
        "`{}` is no reader of slices that is known; there are `{names}`",
        shorten(name)
    );
    Error::new(Code::InvalidValue, message.to_string()).at("/reader")
}
