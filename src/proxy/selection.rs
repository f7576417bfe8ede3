//! What kube-proxy asks the API server to leave out, so that it never sees it (reference: the informers of
//! `cmd/kube-proxy/app/server.go`). Services without a cluster IP are left out as well, which [`Service`]s say themselves.

use super::service::Service;
use crate::model::{EndpointSlice, Text, keys};

/// The proxy that a Service is handed to, which is another than kube-proxy; any value of the label will do.
pub fn other_proxy<'s>(service: &'s Service<'_>) -> Option<&'s str> {
    let labels = &service.metadata.labels;
    labels.get(keys::SERVICE_PROXY_NAME_LABEL).map(Text::as_str)
}

/// Does a slice say that its Service is headless? Any value of the label will do.
pub fn is_marked_headless(slice: &EndpointSlice<'_>) -> bool {
    slice.metadata.labels.get(keys::HEADLESS_LABEL).is_some()
}
