//! The arguments of `slicewise controller`, named like kube-controller-manager's flags where it has them.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::TypedValueParser;
use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::plan::request::Options;
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::{EndpointsPerSlice, ManagedBy};
use slicewise_cluster::place::NamespaceScope;
use slicewise_controller::{Election, NAME, RunSettings, Shard, ShowPlan, Timing};
use slicewise_live::controller::{Config, RetryLimits};

use crate::options::{endpoints_per_slice, kubernetes, managed_by, packing};
use crate::usage::Misuse;

const EXIT_CODES: &str = "\
Exit codes:
  0  stopped by SIGINT or SIGTERM
  1  the Lease was lost, or the controller could not listen or connect
  2  bad usage, or a kubeconfig that cannot be read";

/// Runs the EndpointSlice controller against a Kubernetes API server: watches Services, Pods, Nodes and its own EndpointSlices,
/// and writes what is planned. It works next to the cluster's own controller, whose slices it neither reads nor writes unless
/// `--managed-by` is that controller's.
///
/// It exits on SIGTERM and SIGINT, once the writes in flight have finished.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ControllerArgs {
    /// How to reach the API server [default: $KUBECONFIG, ~/.kube/config, or the Pod's ServiceAccount]
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,

    /// Only this namespace [default: all]
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,

    /// Only Services with these labels, in the form of `kubectl --selector` [default: all]
    #[arg(long, value_name = "SELECTOR")]
    service_selector: Option<String>,

    /// Only the Services of this shard, given as INDEX/COUNT from 0; the name of a Service
    /// determines its shard
    #[arg(long, value_name = "INDEX/COUNT", default_value = "0/1")]
    shard: Shard,

    /// Print plans as `slicewise plan` does, one after another, and write nothing: no slices,
    /// events or Lease
    #[arg(long)]
    dry_run: bool,

    /// Serve /metrics, /healthz, /livez and /readyz on this address; port 0 picks a free port
    /// [default: do not serve]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// How to log, to standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(super) log_format: LogFormat,

    /// Log messages of this level and above
    #[arg(long, value_enum, default_value_t = LogLevel::Info)]
    pub(super) log_level: LogLevel,

    /// How long writes in flight may take to finish on shutdown
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    shutdown_grace_period: Duration,

    /// Sync all Services at this interval, even if nothing has changed
    #[arg(long, value_name = "DURATION", default_value = "12h", value_parser = positive)]
    resync_period: Duration,

    #[command(flatten)]
    plan: PlanOptions,

    #[command(flatten)]
    pace: Pace,

    #[command(flatten)]
    election: ElectionArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Options of the plans")]
struct PlanOptions {
    /// Value of the managed-by label: whose slices are planned
    #[arg(long, value_name = "NAME", default_value = NAME, value_parser = managed_by)]
    managed_by: ManagedBy<'static>,

    /// Endpoints per slice, 1 to 1000
    #[arg(long, value_name = "N", default_value = "100", value_parser = endpoints_per_slice())]
    max_endpoints_per_slice: EndpointsPerSlice,

    /// Set hints for the topology-mode annotation; false means a controller without a topology
    /// cache
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    topology_hints: bool,

    /// The version of Kubernetes whose controller decides
    #[arg(long, value_name = "VERSION", default_value = KubernetesVersion::default().name(), value_parser = kubernetes())]
    kubernetes: KubernetesVersion,

    /// Support trafficDistribution `PreferSameZone` and `PreferSameNode`
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    prefer_same_traffic_distribution: bool,

    /// How to distribute endpoints over slices
    #[arg(long, value_name = "NAME", default_value = Packing::Upstream.name(), value_parser = packing())]
    packing: Packing,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Pace")]
struct Pace {
    /// Batching delay for changes to Pods
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration)]
    endpointslice_updates_batch_period: Duration,

    /// Minimum delay for changes to EndpointSlices by others
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = duration)]
    endpointslice_change_min_sync_delay: Duration,

    /// How many Services are written concurrently
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=1000).try_map(NonZeroU32::try_from))]
    concurrent_service_endpoint_syncs: NonZeroU32,

    /// Delay after the first failure of a Service; it doubles with each further failure
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = positive)]
    sync_back_off: Duration,

    /// The maximum delay after failures of a Service
    #[arg(long, value_name = "DURATION", default_value = "1000s", value_parser = positive)]
    max_sync_back_off: Duration,

    /// Retries per second on average, for all Services together
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    retries_per_second: u32,

    /// Retries that may happen at once, for all Services together
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    retry_burst: u32,

    /// A Service is dropped when it fails more often than this, until it changes
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(0..=1000))]
    max_retries: u32,
}

/// Leader election.
#[derive(clap::Args)]
#[command(next_help_heading = "Leader election")]
struct ElectionArgs {
    /// Only write while holding a Lease, so that other instances can stand by
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    leader_elect: bool,

    /// A standby takes over the Lease when it has not been renewed for this long; whole seconds
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = positive)]
    leader_elect_lease_duration: Duration,

    /// The leader gives up, and exits, when it could not renew the Lease for this long
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = positive)]
    leader_elect_renew_deadline: Duration,

    /// The interval at which the leader renews the Lease and standbys check it
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = positive)]
    leader_elect_retry_period: Duration,

    /// Name of the Lease [default: slicewise-controller, with the shard if there are several]
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_name: Option<String>,

    /// Namespace of the Lease [default: that of the Pod, or of the kubeconfig's context]
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_namespace: Option<String>,

    /// The identity that holds the Lease and reports events [default: the host name and a unique
    /// suffix]
    #[arg(long, value_name = "NAME")]
    identity: Option<String>,
}

/// How to log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// Human-readable lines
    Text,
    /// JSON lines
    Json,
}

/// What to log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    /// Permanent failures
    Error,
    /// Failures that are retried
    Warn,
    /// Writes
    Info,
    /// Every sync
    Debug,
}

impl ControllerArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        let wrong = |message| Err(Misuse::value(message));
        let PlanOptions {
            kubernetes,
            prefer_same_traffic_distribution: prefer_same,
            ..
        } = &self.plan;
        if !prefer_same && !kubernetes.has(Behavior::PreferSameGate) {
            return wrong(
                "'--prefer-same-traffic-distribution' cannot be false for that version of Kubernetes, which cannot turn it off",
            );
        }
        let Timing {
            lease_duration,
            renew_deadline,
            retry_period,
        } = self.election.timing();
        if lease_duration.subsec_nanos() > 0 {
            return wrong("'--leader-elect-lease-duration' must be whole seconds");
        }
        if renew_deadline >= lease_duration {
            return wrong(
                "'--leader-elect-renew-deadline' must be shorter than '--leader-elect-lease-duration', or two instances could write",
            );
        }
        if retry_period >= renew_deadline {
            return wrong(
                "'--leader-elect-retry-period' must be shorter than '--leader-elect-renew-deadline'",
            );
        }
        Ok(())
    }

    /// The options of plans.
    fn options(&self) -> Options<'static> {
        let plan = &self.plan;
        let mut options = Options::default();
        options.managed_by = Some(plan.managed_by.clone());
        options.max_endpoints_per_slice = Some(plan.max_endpoints_per_slice);
        options.topology_hints = Some(plan.topology_hints);
        options.kubernetes = Some(plan.kubernetes);
        options.prefer_same_traffic_distribution = Some(plan.prefer_same_traffic_distribution);
        options.packing = Some(plan.packing);
        options
    }

    /// The options of plans, and their pace.
    fn config(&self) -> Config {
        let pace = &self.pace;
        let mut retry = RetryLimits::default();
        retry.first = pace.sync_back_off;
        retry.longest = pace.max_sync_back_off;
        retry.per_second = pace.retries_per_second;
        retry.burst = pace.retry_burst;
        retry.retries = pace.max_retries;
        let mut config = Config::default();
        config.options = self.options();
        config.endpoint_updates_batch_period = pace.endpointslice_updates_batch_period;
        config.slice_change_min_delay = pace.endpointslice_change_min_sync_delay;
        config.concurrent_syncs = pace.concurrent_service_endpoint_syncs;
        config.retry = retry;
        config
    }

    /// The settings of the controller.
    pub(super) fn settings(&self) -> RunSettings {
        let election = &self.election;
        let namespace = self.namespace.clone();
        RunSettings {
            config: self.config(),
            scope: namespace.map_or(NamespaceScope::All, NamespaceScope::Namespace),
            service_selector: self.service_selector.clone(),
            shard: self.shard,
            resync_period: self.resync_period,
            dry_run: self.dry_run.then_some(super::print_plan as ShowPlan),
            listen: self.listen,
            election: election.leader_elect.then(|| Election {
                namespace: election.leader_elect_resource_namespace.clone(),
                name: election.leader_elect_resource_name.clone(),
                timing: election.timing(),
            }),
            identity: election.identity.clone(),
            shutdown_grace_period: self.shutdown_grace_period,
        }
    }
}

impl ElectionArgs {
    /// When to renew the Lease, and when it is lost.
    const fn timing(&self) -> Timing {
        Timing {
            lease_duration: self.leader_elect_lease_duration,
            renew_deadline: self.leader_elect_renew_deadline,
            retry_period: self.leader_elect_retry_period,
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    slicewise::api::read_duration(text)
}

fn positive(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|duration| match duration {
        Duration::ZERO => Err("it must be longer than zero".to_owned()),
        duration => Ok(duration),
    })
}
