//! Takes one Service, its slices and a node; returns which endpoints the node uses, and by which rule.

mod answer;
pub(in crate::json) mod nodes;
pub(in crate::json) mod plan_request;
pub(in crate::json) mod read;
mod rules;
pub(in crate::json) mod slices;

use alloc::string::String;
use alloc::vec::Vec;

use slicewise::api::encode;
use slicewise::api::input::{self, Limits};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::AddressType;
use slicewise::{Code, Error};

use crate::proxy::{Proxier, ProxierSettings};

pub use answer::{NamedService, RouteAnswer, ServiceRoute};
pub use nodes::RouteNode;
pub use read::{RouteRequest, TrafficObjects};
pub use rules::{AppliedRule, Rule};

use read::RouteInput;

/// Options of [`with_route`] that the input may leave open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RouteOptions {
    /// The node's name.
    pub node: Option<String>,
    /// Its zone.
    pub zone: Option<String>,
    /// Only this Service, `namespace/name`; its family is then the default.
    pub service: Option<String>,
    /// The requested address family.
    pub address_type: Option<AddressType>,
    /// The version of Kubernetes whose kube-proxy reads the slices.
    pub kubernetes: Option<KubernetesVersion>,
    /// Are hints for nodes used?
    pub prefer_same_traffic_distribution: Option<bool>,
}

impl RouteOptions {
    /// The node from whose point of view objects are routed.
    ///
    /// # Errors
    /// When it is not named.
    pub fn node_of_objects(&self) -> Result<&str, Error> {
        self.node.as_deref().ok_or_else(|| {
            let message = "objects do not say which node's view to compute; give a request, `{\"service\": …, \"slices\": […], \"node\": …}`";
            Error::new(Code::MissingField, message)
        })
    }
}

impl TrafficObjects<'_> {
    /// Like [`with_route`], for objects that were already read.
    ///
    /// # Errors
    /// When the options do not fit the objects.
    pub fn route(self, options: &RouteOptions) -> Result<RouteAnswer, Error> {
        RouteInput::of_objects(self, options).map(|given| answered(&given))
    }
}

/// Answers a request: a [`RouteRequest`] in, a [`RouteAnswer`] out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn route(request: &[u8]) -> Result<Vec<u8>, Error> {
    let answer = with_route(request, &RouteOptions::default(), Limits::default())?;
    encode(&answer)
}

/// Like [`route`], for callers that want more than JSON. The input may also be the output of `kubectl get
/// services,endpointslices,nodes -A -o json`, if the options name the node; options take precedence over the input.
///
/// # Errors
/// Same as [`route`].
pub fn with_route(
    input: &[u8],
    options: &RouteOptions,
    limits: Limits,
) -> Result<RouteAnswer, Error> {
    let text = input::text(input, limits)?;
    let given = RouteInput::read(text, input, options)?;
    Ok(answered(&given))
}

fn answered(given: &RouteInput<'_>) -> RouteAnswer {
    let defaults = ProxierSettings::on_node(given.node_name.clone());
    let settings = ProxierSettings {
        zone: given.zone.clone(),
        address_type: given.address_type,
        prefer_same_traffic_distribution: given.follows_node_hints,
        ..defaults
    };
    let mut proxier = Proxier::new(settings);
    for service in &given.services {
        proxier.set_service(service);
    }
    for slice in &given.slices {
        proxier.set_slice(slice);
    }
    proxier.sync();
    answer::answer(&proxier, given)
}
