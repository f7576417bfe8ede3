//! What a controller is started with.

use std::net::SocketAddr;
use std::time::Duration;

use slicewise::controller::Config;
use slicewise::model::keys;
use slicewise_cluster::place::Scope;
use slicewise_cluster::watches::Wanted;

use super::lease::Timing;
use super::shard::Shard;

/// Value of the managed-by label, unless another is given; name of the Lease and of who reports events.
pub const NAME: &str = "slicewise-controller";

/// What a controller is started with.
#[derive(Debug)]
pub struct Settings {
    /// How plans are made, and at what pace.
    pub config: Config,
    /// The namespaces in which Services are looked for.
    pub scope: Scope,
    /// Only Services with these labels, in the form of `kubectl --selector`.
    pub service_selector: Option<String>,
    /// The share of all Services.
    pub shard: Shard,
    /// All Services are checked again after this time.
    pub resync_period: Duration,
    /// Plans are logged, and nothing is written: no slices, events or Lease.
    pub dry_run: bool,
    /// Where `/metrics`, `/healthz`, `/livez` and `/readyz` are served.
    pub listen: Option<SocketAddr>,
    /// Writes wait for a Lease; `None` is a controller that is alone.
    pub election: Option<Election>,
    /// Who holds the Lease, and reports events; `None` makes up a unique name.
    pub identity: Option<String>,
    /// How long the writes under way may take at the end.
    pub shutdown_grace_period: Duration,
}

/// Which Lease bounds the writes.
#[derive(Debug)]
pub struct Election {
    /// Its namespace; `None` is that of the Pod, or of the kubeconfig's context.
    pub namespace: Option<String>,
    /// Its name; `None` is [`NAME`], with the shard where there are several.
    pub name: Option<String>,
    /// When it is renewed, and when it is lost.
    pub timing: Timing,
}

impl Settings {
    /// Whose slices are watched and written: the value of the managed-by label.
    pub(crate) fn managed_by(&self) -> &str {
        self.config.options.settings().managed_by()
    }

    /// What is watched. Of EndpointSlices only our manager's are asked for; one that is given to another, or comes from
    /// another, is reported as deleted and added.
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted {
            scope: &self.scope,
            service: None,
            service_selector: self.service_selector.as_deref(),
            slice_selector: format!("{}={}", keys::MANAGED_BY_LABEL, self.managed_by()),
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
