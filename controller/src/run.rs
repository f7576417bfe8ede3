//! One run of the controller, from connecting to releasing the Lease.

use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use k8s_openapi::jiff::Timestamp;
use kube::{Api, Client};
use slicewise_cluster::{Error, watches};
use slicewise_live::controller::Controller;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::{error, info};

use super::beside;
use super::counts::ControllerCounts;
use super::drive::{Driver, LoopEnd, PlanWriter};
use super::elect::{Elector, Leadership};
use super::lease::LeaseCandidate;
use super::publish::Publisher;
use super::serve;
use super::settings::{NAME, RunSettings};
use super::write::SliceWriter;

/// The time limit for releasing the Lease.
const RELEASE_LIMIT: Duration = Duration::from_secs(5);
/// The number of queries that may wait for an answer.
const ASKS: usize = 64;

/// Runs until `end` resolves and the writes in flight have finished, or until the Lease is lost.
///
/// `client` must not retry requests itself: every failure has its own retry here, and a create that may have succeeded
/// must not be sent twice.
///
/// # Errors
/// If it cannot listen on the given address.
pub async fn run(
    client: Client,
    settings: RunSettings,
    end: impl Future<Output = ()>,
) -> Result<LoopEnd, Error> {
    let (asks, asked) = mpsc::channel(ASKS);
    if let Some(address) = settings.listen {
        let failed = || Error::io(format!("cannot listen on {address}"));
        let listener = TcpListener::bind(address).await.map_err(failed())?;
        let address = listener.local_addr().map_err(failed())?;
        info!(%address, "listening");
        tokio::spawn(serve::serve(listener, asks.clone()));
    }
    let identity = settings.identity.clone().unwrap_or_else(unique_name);
    let (leadership, election) = stand(&settings, &client, &identity);
    let (announcing, announcement) = watch::channel(());
    let beside = beside::tell(
        client.clone(),
        settings.scope.clone(),
        settings.managed_by().to_owned(),
        settings.dry_run.is_some(),
    );
    tokio::spawn(async move {
        beside.await;
        drop(announcing);
    });
    let watches = watches::all(&client, &settings.wanted());
    info!(
        version = env!("CARGO_PKG_VERSION"),
        managed_by = settings.managed_by(),
        shard = %settings.shard,
        "started"
    );
    let mut driver = Driver {
        shard: settings.shard,
        resync_period: settings.resync_period,
        writer: match settings.dry_run {
            Some(show) => PlanWriter::Dry(show),
            None => PlanWriter::Cluster(SliceWriter {
                client: client.clone(),
                leadership: leadership.clone(),
                kubernetes: settings.config.options.settings().kubernetes,
                announcement,
            }),
        },
        publisher: settings
            .dry_run
            .is_none()
            .then(|| Publisher::start(client, &identity)),
        leadership,
        counts: ControllerCounts::default(),
        started: Instant::now(),
        writes: FuturesUnordered::new(),
        stop_by: None,
        controller: Controller::new(settings.config),
    };
    let grace = settings.shutdown_grace_period;
    let ended = driver.run(watches, asked, end, grace).await;
    if ended == LoopEnd::LeaseLost {
        // What is still in flight is abandoned with the process.
        error!("the Lease was lost: shutting down so as not to write next to another instance");
        return Ok(ended);
    }
    drop(driver.writes);
    if let Some(publisher) = driver.publisher {
        publisher.end().await;
    }
    if let Some(BackgroundElection { release, task }) = election {
        // If the task has ended, there is nothing to release.
        let _ = release.send(());
        let _ = tokio::time::timeout(RELEASE_LIMIT, task).await;
    }
    info!("ended");
    Ok(ended)
}

/// An election that runs in the background until the Lease is to be released.
struct BackgroundElection {
    release: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Starts the election, if one is configured.
fn stand(
    settings: &RunSettings,
    client: &Client,
    identity: &str,
) -> (watch::Receiver<Leadership>, Option<BackgroundElection>) {
    let Some(election) = settings
        .election
        .as_ref()
        .filter(|_| settings.dry_run.is_none())
    else {
        return (watch::channel(Leadership::Unasked).1, None);
    };
    let namespace = election.namespace.as_deref();
    let namespace = namespace.unwrap_or_else(|| client.default_namespace());
    let elector = Elector {
        api: Api::namespaced(client.clone(), namespace),
        name: settings.lease_name(election),
        candidate: LeaseCandidate::new(identity.to_owned(), election.timing),
    };
    let (sender, leadership) = watch::channel(Leadership::Standby);
    let (release, released) = oneshot::channel();
    let task = tokio::spawn(elector.run(sender, released));
    (leadership, Some(BackgroundElection { release, task }))
}

/// Unique across all processes: a restarted process must not mistake its predecessor for itself, because the
/// predecessor's writes may still be in flight.
fn unique_name() -> String {
    let host = hostname::get()
        .ok()
        .and_then(|name| name.into_string().ok());
    let host = host.unwrap_or_else(|| NAME.to_owned());
    let start = Timestamp::now().as_microsecond();
    format!("{host}_{:x}_{start:x}", std::process::id())
}
