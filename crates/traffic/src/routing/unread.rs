//! What readers ignore: Services of other readers, slices and addresses that have no meaning for them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointSlice, keys};

use super::SliceReader;
use crate::proxy::{ProxiedService, is_marked_headless, other_proxy, service_port};

/// Why a proxy does not serve a Service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum NotProxied {
    /// It has no cluster IP: clients find its endpoints through DNS.
    Headless,
    /// It is an alias for another host.
    ExternalName,
    /// Its label `service.kubernetes.io/service-proxy-name` assigns it to another proxy.
    OtherProxy,
    /// It has no cluster IP of this family.
    OtherFamily,
    /// It has no ports.
    NoPorts,
}

/// A Service that a reader does not serve in a family.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotServed {
    /// Why.
    pub rule: NotProxied,
    /// The reason in words, to follow the Service's name.
    pub message: String,
}

/// Why a slice, or part of it, is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum UnreadRule {
    /// The slice has the label `service.kubernetes.io/headless`.
    HeadlessLabel,
    /// The Service has no address of the slice's type.
    OtherFamily,
    /// The slice contains names (`FQDN`), not addresses.
    NotAddresses,
    /// Endpoints have several addresses; only the first of each is used.
    LaterAddresses,
}

/// A slice that is not read, or not completely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
#[schemars(rename = "Unread")]
pub struct UnreadSlice {
    /// The Service, as `namespace/name`.
    pub service: String,
    /// The slice's name.
    pub slice: String,
    /// The reason.
    pub rule: UnreadRule,
    /// The reason in words, and what to do.
    pub message: String,
}

impl SliceReader {
    /// Does it exclude Services of other proxies, and slices of headless Services, from its watches? Reference:
    /// kube-proxy's `cmd/kube-proxy/app/server.go`, Cilium's `pkg/k8s/utils/utils.go`.
    pub const fn is_selective(self) -> bool {
        matches!(self, Self::KubeProxy | Self::Cilium)
    }
}

/// Why a reader does not serve a Service in a family; `None` if it does.
pub fn not_served(
    service: &ProxiedService<'_>,
    family: AddressType,
    reader: SliceReader,
) -> Option<NotServed> {
    let spec = &service.spec;
    let other = other_proxy(service).filter(|_| reader.is_selective());
    let (rule, message) = if spec.service_type == "ExternalName" {
        let message = "it is an alias for another host".to_owned();
        (NotProxied::ExternalName, message)
    } else if spec.cluster_ip.is_empty() || spec.cluster_ip == keys::CLUSTER_IP_NONE {
        let message = "it is headless: clients find its endpoints by DNS".to_owned();
        (NotProxied::Headless, message)
    } else if let Some(other) = other {
        let label = keys::SERVICE_PROXY_NAME_LABEL;
        let message = format!(
            "its label {label} assigns it to the proxy `{}`, so {} ignores it; without the label, {} serves it",
            shorten(other),
            reader.name(),
            reader.name()
        );
        (NotProxied::OtherProxy, message)
    } else if !service_port::is_served(service, family) {
        let message = format!("it has no {} address", family.as_str());
        (NotProxied::OtherFamily, message)
    } else if spec.ports.is_empty() {
        (NotProxied::NoPorts, "it has no ports".to_owned())
    } else {
        return None;
    };
    Some(NotServed { rule, message })
}

/// Does a slice belong to the Service?
pub(super) fn is_own(slice: &EndpointSlice<'_>, service: &ProxiedService<'_>) -> bool {
    let (of, own) = (&slice.metadata, &service.metadata);
    let name = of.labels.get(keys::SERVICE_NAME_LABEL);
    of.namespace == own.namespace && name.is_some_and(|name| *name == *own.name)
}

/// The parts of a Service's slices that a reader does not read, in the order of the slices; slices of others are
/// ignored. Nothing is reported about a Service that it serves in no family.
pub fn unread(
    service: &ProxiedService<'_>,
    slices: &[&EndpointSlice<'_>],
    reader: SliceReader,
) -> Vec<UnreadSlice> {
    let families = AddressType::ALL;
    let is_served = |family: &AddressType| not_served(service, *family, reader).is_none();
    if !families.iter().any(is_served) {
        return Vec::new();
    }
    let own = slices.iter().filter(|slice| is_own(slice, service));
    let found = own.filter_map(|slice| {
        let (rule, message) = why_unread(service, slice, reader)?;
        Some(UnreadSlice {
            service: service.key().to_string(),
            slice: slice.metadata.name.to_string(),
            rule,
            message,
        })
    });
    found.collect()
}

fn why_unread(
    service: &ProxiedService<'_>,
    slice: &EndpointSlice<'_>,
    reader: SliceReader,
) -> Option<(UnreadRule, String)> {
    let name = shorten(&slice.metadata.name);
    if reader.is_selective() && is_marked_headless(slice) {
        let message = format!(
            "{} does not read slice {name}: it has the label {}, which is for headless Services; remove the label",
            reader.name(),
            keys::HEADLESS_LABEL
        );
        return Some((UnreadRule::HeadlessLabel, message));
    }
    let Some(family) = family_of(slice) else {
        let message = format!(
            "slice {name} is of type {}: it contains names, and only addresses are read",
            shorten(&slice.address_type)
        );
        return Some((UnreadRule::NotAddresses, message));
    };
    if !service_port::is_served(service, family) {
        let family = family.as_str();
        let message = format!(
            "slice {name} is not read: it is {family}, and the Service has no {family} address"
        );
        return Some((UnreadRule::OtherFamily, message));
    }
    later_addresses(slice, &name).map(|message| (UnreadRule::LaterAddresses, message))
}

fn family_of(slice: &EndpointSlice<'_>) -> Option<AddressType> {
    let families = AddressType::ALL;
    let mut families = families.into_iter();
    families.find(|family| slice.address_type == family.as_str())
}

/// The API gives no meaning to addresses after the first.
fn later_addresses(slice: &EndpointSlice<'_>, name: &str) -> Option<String> {
    let endpoints = slice.endpoints.iter();
    let later = endpoints.filter_map(|endpoint| endpoint.addresses.get(1..));
    let later: Vec<_> = later.flatten().collect();
    let (first, rest) = later.split_first()?;
    let lost = match rest.len() {
        0 => "gets".to_owned(),
        more => format!("and {more} more get"),
    };
    Some(format!(
        "only the first address of each endpoint in slice {name} counts, so {} {lost} no traffic; write a separate endpoint for each address",
        shorten(first)
    ))
}

#[cfg(test)]
mod tests;
