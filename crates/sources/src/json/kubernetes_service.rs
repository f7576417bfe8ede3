//! An API server's leases and addresses → the writes to its own Service.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use slicewise::api::endpoints_check::check_endpoints;
use slicewise::api::input::{self, Limits};
use slicewise::api::names::check_names;
use slicewise::api::slice_check::check_slices;
use slicewise::api::{encode, place};
use slicewise::model::endpoints::SubsetPort;
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, Endpoints, Text, ip};
use slicewise::{Code, Error};

use crate::kubernetes_service::request::KubernetesServiceRequest;
use crate::kubernetes_service::{
    ApiServerAction, ApiServerLease, DEFAULT_LEASE_SECONDS, KubernetesServiceInput,
    KubernetesServicePlan, Leases, NAME, NAMESPACE, Reconciler, plan,
};

/// Decides what an API server writes for its own Service: a request in, the writes out, both JSON.
///
/// # Errors
/// When the request cannot be read or holds a value that cannot be used.
pub fn kubernetes_service(request: &[u8]) -> Result<Vec<u8>, Error> {
    with_kubernetes_service(request, Limits::default(), |plan, _, _| encode(plan))?
}

/// Like [`kubernetes_service`], but passes the plan and the existing objects to `then`.
///
/// # Errors
/// Same as [`kubernetes_service`].
pub fn with_kubernetes_service<T>(
    request: &[u8],
    limits: Limits,
    then: impl FnOnce(
        &KubernetesServicePlan<'_>,
        Option<&Endpoints<'_>>,
        Option<&EndpointSlice<'_>>,
    ) -> T,
) -> Result<T, Error> {
    let text = input::text(request, limits)?;
    let request: KubernetesServiceRequest<'_> = input::decode(text)?;
    let read = read(&request).map_err(|error| place::locate(error, text))?;
    Ok(then(&plan(&read), read.endpoints, read.slice))
}

fn read<'a>(
    request: &'a KubernetesServiceRequest<'a>,
) -> Result<KubernetesServiceInput<'a>, Error> {
    let name = request.service_name.clone().unwrap_or_else(|| NAME.into());
    if name.is_empty() {
        return Err(invalid("a Service needs a name", "/serviceName"));
    }
    check_names("/slices", &request.slices)?;
    check_slices("/slices", &request.slices)?;
    if let Some(endpoints) = &request.endpoints {
        check_endpoints(endpoints, "/endpoints")?;
        let metadata = &endpoints.metadata;
        if metadata.name != *name || !is_here(&metadata.namespace) {
            let message = format!(
                "these must be the Endpoints `{NAMESPACE}/{}`",
                shorten(&name)
            );
            return Err(invalid(message, "/endpoints/metadata/name"));
        }
    }
    let reconciler = reconciler(request)?;
    if reconciler == Reconciler::Lease && request.now.is_none() {
        let message = "leases need the time, e.g. `2026-01-02T03:04:05Z`";
        return Err(Error::new(Code::MissingField, message).at("/now"));
    }
    let slices = request.slices.iter();
    let mut own = slices.filter(|slice| slice.name() == &*name);
    Ok(KubernetesServiceInput {
        reconciler,
        operation: operation(request)?,
        stopped: request.stopped.unwrap_or_default(),
        address: address(request, reconciler)?,
        ports: ports(request)?,
        leases: leases(request)?,
        now: request.now,
        lease_seconds: lease_seconds(request)?,
        endpoints: request.endpoints.as_ref(),
        slice: own.find(|slice| is_here(&slice.metadata.namespace)),
        name,
    })
}

fn invalid(message: impl Into<String>, path: &str) -> Error {
    Error::new(Code::InvalidValue, message).at(path)
}

/// An object without a namespace counts as being in the Service's.
fn is_here(namespace: &str) -> bool {
    namespace.is_empty() || namespace == NAMESPACE
}

fn reconciler(request: &KubernetesServiceRequest<'_>) -> Result<Reconciler, Error> {
    let count = request.api_server_count.unwrap_or(1);
    if count == 0 {
        let message = "apiServerCount must be at least 1, got 0";
        return Err(invalid(message, "/apiServerCount"));
    }
    match request.reconciler.as_deref().unwrap_or("lease") {
        "lease" => Ok(Reconciler::Lease),
        "master-count" => Ok(Reconciler::MasterCount(count as usize)),
        "none" => Ok(Reconciler::None),
        other => {
            let other = shorten(other);
            let message = format!("`{other}` is not one of `lease`, `master-count` and `none`");
            Err(invalid(message, "/reconciler"))
        }
    }
}

fn operation(request: &KubernetesServiceRequest<'_>) -> Result<ApiServerAction, Error> {
    match request.operation.as_deref().unwrap_or("reconcile") {
        "reconcile" => Ok(ApiServerAction::Reconcile {
            ports: request.reconcile_ports.unwrap_or_default(),
        }),
        "remove" => Ok(ApiServerAction::Remove),
        other => {
            let message = format!("`{}` is neither `reconcile` nor `remove`", shorten(other));
            Err(invalid(message, "/operation"))
        }
    }
}

fn address<'a>(
    request: &KubernetesServiceRequest<'_>,
    reconciler: Reconciler,
) -> Result<Text<'a>, Error> {
    let text = shorten(&request.address);
    let address = ip::parse(&request.address).ok_or_else(|| {
        let message =
            format!("`{text}` is not an IP address; write it like `10.0.0.1` or `fd00::1`");
        invalid(message, "/address")
    })?;
    match unusable(&address).filter(|_| reconciler != Reconciler::None) {
        Some(why) => Err(invalid(format!("`{text}` {why}"), "/address")),
        None => Ok(ip::to_text(&address).into()),
    }
}

/// Why an API server refuses to publish an address (reference: `ValidateEndpointIP`).
fn unusable(address: &IpAddr) -> Option<&'static str> {
    let (is_link_local, is_link_local_multicast) = match address {
        IpAddr::V4(address) => {
            let octets = address.octets();
            (address.is_link_local(), octets.starts_with(&[224, 0, 0]))
        }
        IpAddr::V6(address) => {
            let first = address.segments().first().copied().unwrap_or_default();
            (address.is_unicast_link_local(), first & 0xff0f == 0xff02)
        }
    };
    [
        (address.is_unspecified(), "may not be unspecified"),
        (address.is_loopback(), "may not be a loopback address"),
        (is_link_local, "may not be a link-local address"),
        (
            is_link_local_multicast,
            "may not be a link-local multicast address",
        ),
    ]
    .into_iter()
    .find_map(|(holds, why)| holds.then_some(why))
}

fn ports<'a>(request: &KubernetesServiceRequest<'a>) -> Result<Vec<SubsetPort<'a>>, Error> {
    let mut ports = request.ports.clone();
    for (index, port) in ports.iter_mut().enumerate() {
        if !(1..=65_535).contains(&port.port) {
            let message = format!("a port is a number from 1 to 65535, got {}", port.port);
            return Err(invalid(message, &format!("/ports/{index}/port")));
        }
        if port.protocol.is_empty() {
            port.protocol = "TCP".into();
        }
    }
    Ok(ports)
}

fn leases<'a>(request: &KubernetesServiceRequest<'a>) -> Result<Leases<'a>, Error> {
    let empty = request
        .leases
        .iter()
        .position(|lease| lease.address.is_empty());
    if let Some(index) = empty {
        let message = "a lease needs an address";
        return Err(invalid(message, &format!("/leases/{index}/address")));
    }
    let leases = request.leases.iter().map(|lease| ApiServerLease {
        address: lease.address.clone(),
        expires: lease.expires,
    });
    let read = Leases::new(leases);
    if read.len() < request.leases.len() {
        let message = "an API server has only one lease; an address appears twice";
        return Err(Error::new(Code::DuplicateName, message).at("/leases"));
    }
    Ok(read)
}

fn lease_seconds(request: &KubernetesServiceRequest<'_>) -> Result<u32, Error> {
    match request.lease_duration_seconds {
        Some(0) => Err(invalid(
            "leaseDurationSeconds must be at least 1, got 0",
            "/leaseDurationSeconds",
        )),
        seconds => Ok(seconds.unwrap_or(DEFAULT_LEASE_SECONDS)),
    }
}
