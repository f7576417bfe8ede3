//! Request → plan.

use alloc::format;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::input::{self, Limits};
use super::names::Names;
use super::{encode, place};
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::read::wrong_claim;
use crate::model::text::shorten;
use crate::model::{EndpointConditions, EndpointSlice, Named, ip};
#[cfg(feature = "patches")]
use crate::plan::patches::PatchKind;
use crate::plan::request::{Options, PlanRequest, RequestEndpoint};
use crate::plan::{Plan, plan_own_service};
use crate::reconcile::desired::StaticEndpoint;
use crate::topology::nodes::NodeIndex;
use crate::{Code, Error};

/// Plans one Service: a plan request in, a plan out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn plan(request: &[u8]) -> Result<Vec<u8>, Error> {
    with_plan(
        request,
        &Options::default(),
        Limits::default(),
        |plan, _| encode(plan),
    )?
}

/// Plans one Service and hands the plan and the request's slices to `then`, for callers that want more than JSON.
/// Options in `overrides` win over those of the request.
///
/// # Errors
/// As [`plan`].
pub fn with_plan<T>(
    request: &[u8],
    overrides: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&Plan<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let text = input::text(request, limits)?;
    let prepared = Prepared::read(text, overrides)?;
    let request = &prepared.request;
    let endpoints = prepared.endpoints(text)?;
    let nodes = NodeIndex::new(&request.nodes);
    #[cfg_attr(
        not(feature = "explain"),
        expect(unused_mut, reason = "explained in place")
    )]
    let mut planned = prepared.plan(&endpoints, &nodes);
    #[cfg(feature = "explain")]
    super::explain::explain_plan(text, &prepared, &endpoints, &nodes, &mut planned)?;
    Ok(then(&planned, &request.slices))
}

/// A request that has been read and checked.
pub(super) struct Prepared<'a> {
    pub(super) request: PlanRequest<'a>,
}

impl<'a> Prepared<'a> {
    /// Reads a request; options in `overrides` win over its own.
    pub(super) fn read<'o: 'a>(text: &'a str, overrides: &Options<'o>) -> Result<Self, Error> {
        let mut request: PlanRequest<'a> = input::decode(text)?;
        request.options = request.options.overridden_by(overrides);
        check_request(&request).map_err(|error| place::locate(error, text))?;
        Ok(Self { request })
    }

    /// Plans it, with its endpoints that are no pods, and its nodes.
    pub(super) fn plan<'p>(
        &'p self,
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
            &request.options,
            hints,
            request.trigger_time,
        )
    }

    /// Its endpoints that are no pods.
    pub(super) fn endpoints(&self, text: &str) -> Result<Vec<StaticEndpoint<'_>>, Error> {
        let given = self.request.endpoints.as_deref();
        static_endpoints(given.unwrap_or_default()).map_err(|error| place::locate(error, text))
    }
}

fn check_request(request: &PlanRequest<'_>) -> Result<(), Error> {
    check_plan_options(&request.options, "/options")?;
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

/// Checks option values for whoever plans again and again: there are neither explanations nor patches to be had.
///
/// # Errors
/// `Unsupported` for what this build cannot do.
pub fn check_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    refuse_explain(options, path)?;
    refuse_patches(options, path)
}

/// Checks the options of plans over typed objects, which may be given as patches.
///
/// # Errors
/// As [`check_options`].
#[cfg(feature = "k8s-openapi")]
pub(crate) fn check_typed_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if options.explain == Some(true) {
        let message = "typed objects are explained by `k8s::Objects`; leave `explain` out here";
        return Err(Error::new(Code::Unsupported, message).at(format!("{path}/explain")));
    }
    check_or_refuse_patches(options, path)
}

/// Checks the options of a plan from scratch, which may be explained and given as patches.
pub(super) fn check_plan_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if !cfg!(feature = "explain") {
        refuse_explain(options, path)?;
    }
    check_or_refuse_patches(options, path)
}

fn check_or_refuse_patches(options: &Options<'_>, path: &str) -> Result<(), Error> {
    #[cfg(feature = "patches")]
    let checked = check_patches(options, path);
    #[cfg(not(feature = "patches"))]
    let checked = refuse_patches(options, path);
    checked
}

fn refuse_explain(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if options.explain == Some(true) {
        return Err(not_here("explanations", "explain").at(format!("{path}/explain")));
    }
    Ok(())
}

fn refuse_patches(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if !options.patches.is_empty() {
        return Err(not_here("patches", "patches").at(format!("{path}/patches")));
    }
    Ok(())
}

fn not_here(what: &str, option: &str) -> Error {
    let message =
        format!("{what} are in `slicewise/tools` and the command; leave `{option}` out here");
    Error::new(Code::Unsupported, message)
}

#[cfg(feature = "patches")]
fn check_patches(options: &Options<'_>, path: &str) -> Result<(), Error> {
    for (index, name) in options.patches.iter().enumerate() {
        if name.parse::<PatchKind>().is_err() {
            let message = format!(
                "`{}` is not a kind of patch; use `json`, `merge` or `apply`",
                shorten(name)
            );
            return Err(
                Error::new(Code::InvalidValue, message).at(format!("{path}/patches/{index}"))
            );
        }
    }
    Ok(())
}

/// Checks that objects of one kind have names, each its own.
pub(crate) fn check_names<T: Named>(path: &str, objects: &[T]) -> Result<(), Error> {
    let mut names = Names::default();
    for (index, object) in objects.iter().enumerate() {
        let earlier = objects.get(..index).unwrap_or_default();
        names.add(earlier, object).map_err(|(code, message)| {
            Error::new(code, message).at(format!("{path}/{index}/metadata/name"))
        })?;
    }
    Ok(())
}

/// Checks that slices are slices, and say of which address type they are.
pub(crate) fn check_slices(path: &str, slices: &[EndpointSlice<'_>]) -> Result<(), Error> {
    for (index, slice) in slices.iter().enumerate() {
        check_one_slice(slice).map_err(|error| error.below(&format!("{path}/{index}")))?;
    }
    Ok(())
}

/// The same of one slice.
pub(crate) fn check_one_slice(slice: &EndpointSlice<'_>) -> Result<(), Error> {
    let claims = [
        ("/kind", &slice.kind, KIND),
        ("/apiVersion", &slice.api_version, API_VERSION),
    ];
    for (path, claimed, expected) in claims {
        if let Some(message) = wrong_claim(claimed, expected) {
            return Err(Error::new(Code::InvalidValue, message).at(path));
        }
    }
    if slice.address_type.is_empty() {
        let message = "a slice needs `addressType`: IPv4, IPv6 or FQDN";
        return Err(Error::new(Code::MissingField, message).at("/addressType"));
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
