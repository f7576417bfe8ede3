//! A plan request that has been read and checked: the basis of plans and their explanations.

use alloc::format;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::detect::not_a_request;
use super::names::check_names;
use super::slice_check::check_slices;
use super::snapshot::complete_request;
use super::{input, place};
use crate::model::text::shorten;
use crate::model::{EndpointConditions, ip};
use crate::plan::request::{Options, PlanRequest, RequestEndpoint};
use crate::plan::{Plan, plan_own_service};
use crate::reconcile::desired::StaticEndpoint;
use crate::topology::nodes::NodeIndex;
use crate::{Code, Error};

/// A request that has been read and checked.
#[non_exhaustive]
pub struct Prepared<'a> {
    /// The request.
    pub request: PlanRequest<'a>,
}

impl<'a> Prepared<'a> {
    /// Reads a request; options in `overrides` take precedence over its own. `check_options` gets both, and their path.
    ///
    /// # Errors
    /// When it cannot be read, or holds a value that cannot be used.
    pub fn read<'o: 'a>(
        text: &'a str,
        overrides: &Options<'o>,
        check_options: impl FnOnce(&Options<'_>, &str) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let request = input::decode(text).map_err(|error| not_a_request(text.as_bytes(), error))?;
        Self::of(request, text, overrides, check_options)
    }

    /// The same, for a request that has been read from the text.
    pub(super) fn of<'o: 'a>(
        mut request: PlanRequest<'a>,
        text: &str,
        overrides: &Options<'o>,
        check_options: impl FnOnce(&Options<'_>, &str) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let PlanRequest {
            service,
            pods,
            slices,
            ..
        } = &mut request;
        complete_request(service, pods, slices);
        request.options = request.options.overridden_by(overrides);
        check_options(&request.options, "/options")
            .and_then(|()| check_request(&request))
            .map_err(|error| place::locate(error, text))?;
        Ok(Self { request })
    }

    /// Plans it; `then` also gets its endpoints that are not pods, and its nodes.
    pub fn plan<'p>(
        &'p self,
        endpoints: &'p [StaticEndpoint<'p>],
        nodes: &'p NodeIndex<'p>,
    ) -> Plan<'p> {
        self.plan_with(&self.request.options, endpoints, nodes)
    }

    /// Like [`Prepared::plan`], with other options than its own.
    pub fn plan_with<'p>(
        &'p self,
        options: &'p Options<'p>,
        endpoints: &'p [StaticEndpoint<'p>],
        nodes: &'p NodeIndex<'p>,
    ) -> Plan<'p> {
        let request = &self.request;
        let hints = request.state.hints.clone();
        if request.endpoints.is_none() && !request.service.is_reconciled() {
            return Plan::nothing(&request.service, hints);
        }
        plan_own_service(
            &request.service,
            request.pods.iter().collect(),
            request.slices.iter().collect(),
            endpoints,
            nodes,
            options,
            hints,
            request.trigger_time,
        )
    }

    /// Its endpoints that are not pods.
    ///
    /// # Errors
    /// When one has no address, or one that is not an IP address.
    pub fn endpoints(&self, text: &str) -> Result<Vec<StaticEndpoint<'_>>, Error> {
        let given = self.request.endpoints.as_deref();
        static_endpoints(given.unwrap_or_default()).map_err(|error| place::locate(error, text))
    }
}

fn check_request(request: &PlanRequest<'_>) -> Result<(), Error> {
    check_names("/pods", &request.pods)?;
    check_names("/nodes", &request.nodes)?;
    check_names("/slices", &request.slices)?;
    check_slices("/slices", &request.slices)?;
    if request.service.metadata.name.is_empty() {
        return Err(
            Error::new(Code::InvalidValue, "a Service needs a name").at("/service/metadata/name")
        );
    }
    Ok(())
}

fn static_endpoints<'a>(
    endpoints: &'a [RequestEndpoint<'a>],
) -> Result<Vec<StaticEndpoint<'a>>, Error> {
    let mut read = Vec::with_capacity(endpoints.len());
    for (index, endpoint) in endpoints.iter().enumerate() {
        let path = format!("/endpoints/{index}/addresses");
        if endpoint.addresses.is_empty() {
            return Err(
                Error::new(Code::InvalidValue, "an endpoint needs at least one address").at(path),
            );
        }
        read.push(StaticEndpoint {
            addresses: addresses(endpoint, &path)?,
            conditions: endpoint
                .conditions
                .clone()
                .unwrap_or_else(|| EndpointConditions {
                    ready: Some(true),
                    serving: Some(true),
                    terminating: Some(false),
                    ..EndpointConditions::default()
                }),
            node_name: endpoint.node_name.as_deref(),
            zone: endpoint.zone.as_deref(),
            hostname: endpoint.hostname.as_deref(),
            target_ref: endpoint.target_ref.as_ref(),
            ports: endpoint.ports.as_deref(),
        });
    }
    Ok(read)
}

fn addresses(endpoint: &RequestEndpoint<'_>, path: &str) -> Result<Vec<IpAddr>, Error> {
    let read = |(index, address): (usize, &crate::model::Text<'_>)| {
        ip::parse(address).ok_or_else(|| {
            let message = format!(
                "`{}` is not an IP address; write it like `10.0.0.1` or `fd00::1`",
                shorten(address)
            );
            Error::new(Code::InvalidValue, message).at(format!("{path}/{index}"))
        })
    };
    endpoint.addresses.iter().enumerate().map(read).collect()
}
