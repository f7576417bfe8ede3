//! Objects that kube-proxy excludes from its watches, so that it never sees them (reference: the informers of
//! `cmd/kube-proxy/app/server.go`). It also excludes Services without a cluster IP, which the [`ProxiedService`]s show
//! themselves.

use slicewise::model::{EndpointSlice, Text, keys};

use super::service::ProxiedService;

/// The proxy other than kube-proxy that a Service is assigned to; any value of the label counts.
pub fn other_proxy<'s>(service: &'s ProxiedService<'_>) -> Option<&'s str> {
    let labels = &service.metadata.labels;
    labels.get(keys::SERVICE_PROXY_NAME_LABEL).map(Text::as_str)
}

/// Is a slice marked as belonging to a headless Service? Any value of the label counts.
pub fn is_marked_headless(slice: &EndpointSlice<'_>) -> bool {
    slice.metadata.labels.get(keys::HEADLESS_LABEL).is_some()
}
