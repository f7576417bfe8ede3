//! The settings of a controller.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use slicewise::model::keys;
use slicewise::plan::Plan;
use slicewise_cluster::place::NamespaceScope;
use slicewise_cluster::resource::CHUNK_SIZE;
use slicewise_cluster::watches::WatchTargets;
use slicewise_live::controller::Config;

use super::lease::Timing;
use super::shard::Shard;

/// The default value of the managed-by label; also the name of the Lease and of the reporting controller in events.
pub const NAME: &str = "slicewise-controller";

/// Shows a plan instead of writing it.
pub type ShowPlan = fn(&Plan<'_>) -> io::Result<()>;

/// The settings of a controller.
#[derive(Debug)]
pub struct RunSettings {
    /// How to plan, and at what pace.
    pub config: Config,
    /// The namespaces whose Services it handles.
    pub scope: NamespaceScope,
    /// Handle only Services with these labels, in the form of `kubectl --selector`.
    pub service_selector: Option<String>,
    /// The shard of Services to handle.
    pub shard: Shard,
    /// The interval at which all Services are synced again.
    pub resync_period: Duration,
    /// Show each plan to this and write nothing: no slices, events or Lease.
    pub dry_run: Option<ShowPlan>,
    /// The address for `/metrics`, `/healthz`, `/livez` and `/readyz`.
    pub listen: Option<SocketAddr>,
    /// Write only while holding this Lease; `None` if no other instance runs.
    pub election: Option<Election>,
    /// The identity that holds the Lease and reports events; `None` generates a unique one.
    pub identity: Option<String>,
    /// How long writes in flight may take to finish on shutdown.
    pub shutdown_grace_period: Duration,
}

/// The Lease of the leader election.
#[derive(Debug)]
pub struct Election {
    /// Its namespace; `None` means the Pod's, or that of the kubeconfig's context.
    pub namespace: Option<String>,
    /// Its name; `None` means [`NAME`], with the shard if there are several.
    pub name: Option<String>,
    /// When to renew it, and when it is lost.
    pub timing: Timing,
}

impl RunSettings {
    /// The value of the managed-by label: whose slices it watches and writes.
    pub(crate) fn managed_by(&self) -> &str {
        self.config.options.settings().managed_by()
    }

    /// What to watch. Only EndpointSlices with our managed-by label are requested; a slice whose label changes is
    /// reported as deleted or added.
    pub(crate) fn wanted(&self) -> WatchTargets<'_> {
        WatchTargets {
            scope: &self.scope,
            service: None,
            service_selector: self.service_selector.as_deref(),
            slice_selector: format!("{}={}", keys::MANAGED_BY_LABEL, self.managed_by()),
            chunk_size: CHUNK_SIZE,
        }
    }

    /// The name of the Lease; each shard has its own.
    pub(crate) fn lease_name(&self, election: &Election) -> String {
        let shard = self.shard;
        election.name.clone().unwrap_or_else(|| match shard {
            shard if shard.is_whole() => NAME.to_owned(),
            shard => format!("{NAME}-{}-of-{}", shard.index(), shard.count()),
        })
    }
}
