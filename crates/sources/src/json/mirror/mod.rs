//! Endpoints → the plans of their mirrored slices.

mod snapshot;

use alloc::format;
use alloc::vec::Vec;

use slicewise::api::endpoints_check::check_endpoints;
use slicewise::api::input::{self, Limits};
use slicewise::api::names::check_names;
use slicewise::api::slice_check::check_slices;
use slicewise::api::{encode, place};
use slicewise::model::{EndpointSlice, Endpoints, Service, Text};
use slicewise::{Code, Error};

use crate::mirroring::request::{MirrorOptions, MirrorRequest};
use crate::mirroring::{EndpointsPerSubset, MirrorInput, MirrorPlan, mirror as decide};

pub use snapshot::{MirrorObjects, MirrorPlans, mirror_snapshot, with_mirror_plans};

/// Plans the mirrored slices of one Endpoints object: a mirror request in, a plan out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn mirror(request: &[u8]) -> Result<Vec<u8>, Error> {
    let options = MirrorOptions::default();
    with_mirror_plan(request, options, Limits::default(), |plan, _| encode(plan))?
}

/// Like [`mirror`], but passes the plan and the request's slices to `then`. An option in `overrides` takes precedence
/// over the one in the request.
///
/// # Errors
/// Same as [`mirror`].
pub fn with_mirror_plan<T>(
    request: &[u8],
    overrides: MirrorOptions,
    limits: Limits,
    then: impl FnOnce(&MirrorPlan<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let text = input::text(request, limits)?;
    let request: MirrorRequest<'_> = input::decode(text)?;
    let located = |error| place::locate(error, text);
    let (namespace, name) = check_request(&request).map_err(located)?;
    let max = most(request.options, overrides, "/options").map_err(located)?;
    let plan = decide(&MirrorInput {
        namespace,
        name,
        endpoints: request.endpoints.as_ref(),
        service: request.service.as_ref(),
        slices: request.slices.iter().collect(),
        max_endpoints_per_subset: max,
    });
    Ok(then(&plan, &request.slices))
}

/// The limit that applies.
fn most(
    options: MirrorOptions,
    overrides: MirrorOptions,
    path: &str,
) -> Result<EndpointsPerSubset, Error> {
    let Some(max) = overrides
        .max_endpoints_per_subset
        .or(options.max_endpoints_per_subset)
    else {
        return Ok(EndpointsPerSubset::default());
    };
    EndpointsPerSubset::new(max).ok_or_else(|| {
        let message = format!(
            "maxEndpointsPerSubset must be between 1 and {}, got {max}",
            EndpointsPerSubset::MAX
        );
        Error::new(Code::InvalidValue, message).at(format!("{path}/maxEndpointsPerSubset"))
    })
}

/// Namespace and name of the mirrored object.
fn check_request<'a>(request: &MirrorRequest<'a>) -> Result<(Text<'a>, Text<'a>), Error> {
    check_names("/slices", &request.slices)?;
    check_slices("/slices", &request.slices)?;
    let of_endpoints = |endpoints: &Endpoints<'a>| {
        let metadata = &endpoints.metadata;
        (metadata.namespace.clone(), metadata.name.clone())
    };
    let of_service = |service: &Service<'a>| {
        let metadata = &service.metadata;
        (metadata.namespace.clone(), metadata.name.clone())
    };
    if let Some(endpoints) = &request.endpoints {
        check_endpoints(endpoints, "/endpoints")?;
    }
    let own = request.name.clone().map(|name| {
        let namespace = request.namespace.clone().unwrap_or_default();
        ((namespace, name), "")
    });
    let endpoints = request.endpoints.as_ref().map(of_endpoints);
    let service = request.service.as_ref().map(of_service);
    let all = [
        endpoints.map(|names| (names, "/endpoints/metadata")),
        service.map(|names| (names, "/service/metadata")),
        own,
    ];
    let mut all = all.into_iter().flatten();
    let Some((first, first_path)) = all.next() else {
        let message =
            "give `endpoints`, or `service`, or if both are deleted, their `namespace` and `name`";
        return Err(Error::new(Code::MissingField, message).at("/endpoints"));
    };
    if first.1.is_empty() {
        let message = "Endpoints and Services need a name";
        return Err(Error::new(Code::InvalidValue, message).at(format!("{first_path}/name")));
    }
    if let Some((_, path)) = all.find(|(names, _)| *names != first) {
        let (namespace, name) = first;
        let message = format!(
            "the Endpoints and their Service must have the same namespace and name, `{namespace}/{name}` here"
        );
        return Err(Error::new(Code::InvalidValue, message).at(format!("{path}/name")));
    }
    Ok(first)
}
