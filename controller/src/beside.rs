//! The cluster's own EndpointSlice controller, in kube-controller-manager, which may write for the same Services.

use std::time::Duration;

use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::ListParams;
use kube::{Api, Client};
use slicewise::model::keys;
use slicewise_cluster::place::NamespaceScope;
use tokio::time::timeout;
use tracing::warn;

/// The time limit for the answer, for which the first write waits.
const LIMIT: Duration = Duration::from_secs(10);

/// Logs what the cluster's own controller and this one are to each other; `is_dry` if this one writes nothing.
pub(super) async fn tell(client: Client, scope: NamespaceScope, managed_by: String, is_dry: bool) {
    if managed_by == keys::DEFAULT_MANAGED_BY {
        if is_dry {
            return;
        }
        warn!(
            managed_by,
            "these are the slices of the cluster's own controller: unless kube-controller-manager runs with \
             --controllers=*,-endpointslice-controller, both write them, and undo each other's writes"
        );
        return;
    }
    match timeout(LIMIT, one_of_its_slices(client, &scope)).await {
        Ok(Ok(None)) => {}
        Ok(Ok(Some(slice))) => warn!(
            slice,
            "the cluster's own controller writes slices here too; neither touches the other's, and kube-proxy reads both"
        ),
        Ok(Err(error)) => warn!(%error, "{UNKNOWN}"),
        Err(error) => warn!(%error, "{UNKNOWN}"),
    }
}

const UNKNOWN: &str = "it is not known whether the cluster's own controller writes slices here too";

/// The namespace and name of a slice that it manages, if there is any.
async fn one_of_its_slices(
    client: Client,
    scope: &NamespaceScope,
) -> Result<Option<String>, kube::Error> {
    let api: Api<EndpointSlice> = match scope {
        NamespaceScope::All => Api::all(client),
        NamespaceScope::Namespace(namespace) => Api::namespaced(client, namespace),
    };
    let label = format!("{}={}", keys::MANAGED_BY_LABEL, keys::DEFAULT_MANAGED_BY);
    let wanted = ListParams::default().labels(&label).limit(1);
    let found = api.list_metadata(&wanted).await?.items;
    Ok(found.into_iter().next().map(|slice| {
        let metadata = slice.metadata;
        let namespace = metadata.namespace.unwrap_or_default();
        format!("{namespace}/{}", metadata.name.unwrap_or_default())
    }))
}
