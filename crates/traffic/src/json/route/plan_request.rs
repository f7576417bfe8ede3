//! Plan requests: what their traffic is, now.

use slicewise::api::prepared::Prepared;
use slicewise::api::{check_options, input, place};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::object::slim_object;
use slicewise::model::read::Shaped as _;
use slicewise::model::service::DEFAULT_NAMESPACE;
use slicewise::plan::request::{Options, PlanRequest};
use slicewise::{Code, Error};

use super::TrafficObjects;
use super::nodes::NodePlace;
use super::read::check_sizes;
use crate::proxy::ProxiedService;
use crate::routing::ClientSelector;
use crate::routing::clients::ClientPod;

slim_object! {
    /// The part of a plan request that says more about a Service than plans depend on.
    #[derive(Default)]
    struct ProxiedHolder<'a>("plan request") {
        "service" service: ProxiedService<'a>;
    }
}

/// The options `kubernetes` and `preferSameTrafficDistribution`, on which it depends whether hints for nodes count.
type NodeHintOptions = (Option<KubernetesVersion>, Option<bool>);

/// Is what is wrong with a request a field that only plans read? Then it is a plan request.
pub(in crate::json) fn is_of_plan(error: &Error) -> bool {
    let field = error.path().and_then(|path| path.strip_prefix('/'));
    error.code() == Code::UnknownField
        && field.is_some_and(|field| PlanRequest::SHAPE.keys.contains(&field))
}

impl<'a> TrafficObjects<'a> {
    /// Those of a plan request, and its options, over which the given ones take precedence. What traffic does not depend
    /// on is checked as it is for a plan.
    ///
    /// # Errors
    /// When it cannot be planned.
    pub(in crate::json) fn of_plan_request(
        text: &'a str,
        clients: Option<ClientSelector>,
        options: NodeHintOptions,
    ) -> Result<(Self, NodeHintOptions), Error> {
        let mut overrides = Options::default();
        (
            overrides.kubernetes,
            overrides.prefer_same_traffic_distribution,
        ) = options;
        let request = Prepared::read(text, &overrides, check_options)?.request;
        let options = &request.options;
        let options = (options.kubernetes, options.prefer_same_traffic_distribution);
        let mut service = input::decode::<ProxiedHolder<'a>>(text)?.service;
        service.complete(DEFAULT_NAMESPACE);
        check_sizes(&request.slices).map_err(|error| place::locate(error, text))?;
        let mut objects = Self::default();
        objects.services.items.push(service);
        objects.slices.items = request.slices;
        objects.nodes.items = request.nodes.iter().map(NodePlace::of_cluster).collect();
        if let Some(selector) = &clients {
            let pods = request.pods.iter();
            objects.pods.items = pods.map(|pod| ClientPod::new(pod, selector)).collect();
        }
        objects.clients = clients;
        Ok((objects, options))
    }
}
