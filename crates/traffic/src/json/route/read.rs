//! The input: a request, or objects as printed by `kubectl`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::api::names::check_names;
use slicewise::api::objects::numbers::{NODES, PODS, SERVICES, SLICES};
use slicewise::api::objects::{
    CheckedObject, Gather, Halt, PendingObject, Unique, WantedObjects, is_version, marked,
    read_objects, removed,
};
use slicewise::api::slice_check::check_slices;
use slicewise::api::{InputShape, NamedObject, Received, asked, detect, input, place};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::object::slim_object;
use slicewise::model::own::Keep;
use slicewise::model::service::{DEFAULT_NAMESPACE, or_in};
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointSlice, Named, Node, Pod, StringMap, Text, ip};
use slicewise::{Code, Error};

use super::RouteOptions;
use super::nodes::{NodePlace, RouteNode};
use super::plan_request::is_of_plan;
use crate::json::proxy::check_size;
use crate::json::proxy::settings::{address_type, node_hints};
use crate::proxy::ProxiedService;
use crate::routing::clients::ClientPod;
use crate::routing::{Client, ClientSelector, named_nodes};

slim_object! {
    /// One Service, its slices, and the node that the traffic comes from.
    #[derive(Debug, Default)]
    pub struct RouteRequest<'a>("route request") refuse {
        /// The Service.
        "service" pub service: ProxiedService<'a> = required;
        /// Its slices; those of other Services are ignored.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
        /// The node: a `v1` Node, or its name and labels.
        "node" pub node: RouteNode<'a> = required;
        /// `IPv4` or `IPv6`. Default: the first family of the Service.
        "addressType" pub address_type: Option<Text<'a>> as AddressType;
        /// The version of Kubernetes whose kube-proxy reads them. Default `1.37`, the newest release.
        "kubernetes" pub kubernetes: Option<KubernetesVersion> as Option<Text<'a>> where KubernetesVersion::ALL.map(|version| version.name());
        /// Whether hints for nodes are used. Default true; Kubernetes 1.38 always does, and refuses false.
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
    }
}

/// All that is needed for an answer.
pub(super) struct RouteInput<'a> {
    pub(super) services: Vec<ProxiedService<'a>>,
    pub(super) slices: Vec<EndpointSlice<'a>>,
    pub(super) node_name: String,
    pub(super) zone: String,
    pub(super) address_type: AddressType,
    pub(super) follows_node_hints: bool,
    pub(super) received: Received,
    /// What follows from it if Nodes are needed and not there.
    pub(super) without_nodes: Option<String>,
}

impl<'a> RouteInput<'a> {
    pub(super) fn read(text: &'a str, bytes: &[u8], options: &RouteOptions) -> Result<Self, Error> {
        match detect(bytes) {
            InputShape::Request => Self::of_request(text, options),
            InputShape::Snapshot => {
                options.node_of_objects()?;
                Self::of_objects(TrafficObjects::read(text, None)?, options)
            }
        }
    }

    fn of_request(text: &'a str, options: &RouteOptions) -> Result<Self, Error> {
        let mut request: RouteRequest<'a> = match input::decode(text) {
            Err(error) if is_of_plan(&error) => {
                options.node_of_objects()?;
                let asked = (options.kubernetes, options.prefer_same_traffic_distribution);
                let (objects, asked) = TrafficObjects::of_plan_request(text, None, asked)?;
                let mut options = options.clone();
                (options.kubernetes, options.prefer_same_traffic_distribution) = asked;
                return Self::of_objects(objects, &options);
            }
            read => read?,
        };
        fill_in(&mut request.service, &mut request.slices);
        let located = |error| place::locate(error, text);
        check_asked(options.service.as_deref(), &request.service)?;
        check_names("/slices", &request.slices).map_err(located)?;
        check_slices("/slices", &request.slices).map_err(located)?;
        check_sizes(&request.slices).map_err(located)?;
        if request.service.metadata.name.is_empty() {
            let error = Error::new(Code::InvalidValue, "a Service needs a name");
            return Err(located(error.at("/service/metadata/name")));
        }
        let node = NodePlace::of(request.node);
        if node.name.is_empty() && options.node.is_none() {
            let message = "the node needs a name; give a Node, or `{\"name\": …, \"labels\": {…}}`";
            return Err(located(Error::new(Code::MissingField, message).at("/node")));
        }
        let family = address_type(request.address_type.as_deref()).map_err(located)?;
        let family = options.address_type.or(family);
        let asked = options.prefer_same_traffic_distribution;
        let asked = asked.or(request.prefer_same_traffic_distribution);
        let follows_node_hints = node_hints(options.kubernetes.or(request.kubernetes), asked);
        Ok(Self {
            address_type: family.unwrap_or_else(|| first_family(&request.service)),
            node_name: options.node.clone().unwrap_or(node.name),
            zone: options.zone.clone().unwrap_or(node.zone),
            follows_node_hints: follows_node_hints.map_err(located)?,
            services: [request.service].into(),
            slices: request.slices,
            received: Received::default(),
            without_nodes: None,
        })
    }

    pub(super) fn of_objects(
        mut objects: TrafficObjects<'a>,
        options: &RouteOptions,
    ) -> Result<Self, Error> {
        let node_name = options.node_of_objects()?.to_owned();
        let asked = options.prefer_same_traffic_distribution;
        let follows_node_hints = node_hints(options.kubernetes, asked)?;
        objects.keep_only(options.service.as_deref())?;
        let mut nodes = objects.nodes.items.iter();
        let zone = nodes.find(|node| node.name == node_name);
        let zone = zone.map(|node| node.zone.clone());
        let named = objects.named_nodes();
        let named = named.iter().find(|client| client.node == node_name);
        let zone = zone.or_else(|| named.map(|client| client.zone.to_owned()));
        let zone = options.zone.clone().or(zone);
        let is_unknown = zone.is_none() && !objects.knows_nodes();
        let without_nodes = is_unknown.then(|| {
            format!(
                "the zone of node `{}` is unknown, so hints for zones count as for a node without a zone (its labels can be given beside the input)",
                shorten(&node_name)
            )
        });
        let Some(zone) = zone.or_else(|| is_unknown.then(String::new)) else {
            let message = format!(
                "there is no Node `{}` in the input, so its zone is unknown; include `nodes` in the input, or give the node's labels",
                shorten(&node_name)
            );
            return Err(Error::new(Code::InvalidValue, message));
        };
        Ok(Self {
            zone,
            node_name,
            address_type: options
                .address_type
                .unwrap_or_else(|| objects.first_family()),
            services: objects.services.items,
            slices: objects.slices.items,
            follows_node_hints,
            received: objects.received,
            without_nodes,
        })
    }
}

/// The objects that traffic depends on, as printed by `kubectl`.
#[derive(Default)]
pub struct TrafficObjects<'k> {
    pub(in crate::json) services: Unique<ProxiedService<'k>>,
    pub(in crate::json) slices: Unique<EndpointSlice<'k>>,
    pub(in crate::json) nodes: Unique<NodePlace>,
    /// The pods, if requests come from some of them.
    pub(in crate::json) pods: Unique<ClientPod>,
    pub(in crate::json) clients: Option<ClientSelector>,
    pub(in crate::json) received: Received,
}

impl<'a> TrafficObjects<'a> {
    /// # Errors
    /// When an object cannot be read, has no name, or is given twice.
    pub(in crate::json) fn read(
        text: &'a str,
        clients: Option<ClientSelector>,
    ) -> Result<Self, Error> {
        let mut objects = Self {
            clients,
            ..Self::default()
        };
        read_objects(text, &mut objects)?;
        Ok(objects)
    }

    /// Are the nodes of the cluster known? If not, slices name some of them.
    pub(in crate::json) fn knows_nodes(&self) -> bool {
        !self.nodes.items.is_empty() || self.received.has_all(NodePlace::KIND)
    }

    /// The nodes that slices name, if no others are known.
    pub(in crate::json) fn named_nodes(&self) -> Vec<Client<'_>> {
        match self.knows_nodes() {
            true => Vec::new(),
            false => named_nodes(&self.slices.items),
        }
    }

    /// Records that a list was left out although it would have been useful, and why.
    pub fn leave_out(&mut self, why: String) {
        self.received.leave_out(why);
    }

    /// Keeps only the Services that are selected by their names and labels.
    pub fn retain_services(
        &mut self,
        mut is_selected: impl FnMut((&str, &str), &StringMap<'_>) -> bool,
    ) {
        let services = &mut self.services.items;
        services.retain(|service| is_selected(service.full_name(), &service.metadata.labels));
    }

    /// Keeps only this Service, if one is given.
    ///
    /// # Errors
    /// When there is no such Service.
    pub(in crate::json) fn keep_only(&mut self, service: Option<&str>) -> Result<(), Error> {
        let Some(wanted) = service else {
            return Ok(());
        };
        let services = &mut self.services.items;
        let found = asked(
            NamedObject::Service(""),
            wanted,
            services.iter().map(Named::full_name),
        )?;
        services.retain(|service| service.key() == found);
        Ok(())
    }

    /// The first family of the Service if there is only one Service, otherwise IPv4.
    pub(in crate::json) fn first_family(&self) -> AddressType {
        match self.services.items.as_slice() {
            [only] => first_family(only),
            _ => AddressType::IPv4,
        }
    }
}

impl WantedObjects for TrafficObjects<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        let is_wanted = match kind {
            "Pod" => self.clients.is_some(),
            _ => matches!(kind, "Service" | "Node" | "EndpointSlice"),
        };
        is_wanted && is_version(kind, version)
    }

    fn ignore(&mut self, kind: &str, _: &str) {
        self.received.other(kind);
    }

    fn received(&mut self) -> Option<&mut Received> {
        Some(&mut self.received)
    }

    marked!(services, slices, nodes, pods);
    removed!("Service": services, "Node": nodes, "EndpointSlice": slices, "Pod": pods);
}

impl<'a, 'k, K> Gather<'a, K> for TrafficObjects<'k>
where
    K: Keep<ProxiedService<'a>, Kept = ProxiedService<'k>>
        + Keep<EndpointSlice<'a>, Kept = EndpointSlice<'k>>,
{
    fn gather(
        &mut self,
        object: &mut PendingObject<'_, '_, 'a>,
        kind: &str,
        keep: &K,
    ) -> Result<(), Halt> {
        match kind {
            "Service" => self
                .services
                .read::<ProxiedService<'a>, _>(object, SERVICES, keep),
            "Node" => {
                let node: Node<'_> = object.read(NODES)?;
                self.nodes.push(object, NodePlace::of_cluster(&node))
            }
            "Pod" => {
                let mut pod: Pod<'_> = object.read(PODS)?;
                or_in(&mut pod.metadata.namespace, object.namespace());
                match &self.clients {
                    Some(selector) => self.pods.push(object, ClientPod::new(&pod, selector)),
                    None => Ok(()),
                }
            }
            _ => {
                self.slices
                    .read::<EndpointSlice<'a>, _>(object, SLICES, keep)?;
                let checked = self.slices.latest().map_or(Ok(()), check_size);
                checked.map_err(|error| object.wrong(error.code(), "/ports", error.message()))
            }
        }
    }
}

impl<'a> CheckedObject<'a> for ProxiedService<'a> {
    fn complete(&mut self, namespace: &str) {
        self.complete(namespace);
    }
}

/// Checks that no slice of a request has too many ports for its endpoints.
pub(in crate::json) fn check_sizes(slices: &[EndpointSlice<'_>]) -> Result<(), Error> {
    for (index, slice) in slices.iter().enumerate() {
        check_size(slice).map_err(|error| error.at(format!("/slices/{index}/ports")))?;
    }
    Ok(())
}

/// Checks that a Service is the one that was asked for, if any.
pub(in crate::json) fn check_asked(
    wanted: Option<&str>,
    service: &ProxiedService<'_>,
) -> Result<(), Error> {
    wanted.map_or(Ok(()), |wanted| {
        asked(NamedObject::Service(""), wanted, [service.full_name()]).map(|_| ())
    })
}

/// Fills in what an API server or `kubectl` would have, and hand-written objects may lack. Slices that name no namespace
/// are in that of the Service.
pub(in crate::json) fn fill_in<'a>(
    service: &mut ProxiedService<'a>,
    slices: &mut [EndpointSlice<'a>],
) {
    service.complete(DEFAULT_NAMESPACE);
    for slice in slices {
        or_in(&mut slice.metadata.namespace, &service.metadata.namespace);
    }
}

/// The first family that a Service lists, or that of its address; IPv4 if it has neither.
pub(in crate::json) fn first_family(service: &ProxiedService<'_>) -> AddressType {
    let spec = &service.spec;
    match spec.ip_families.first().map(Text::as_str) {
        Some("IPv6") => AddressType::IPv6,
        Some(_) => AddressType::IPv4,
        None => {
            let address = ip::parse(&spec.cluster_ip);
            address.as_ref().map_or(AddressType::IPv4, ip::address_type)
        }
    }
}
