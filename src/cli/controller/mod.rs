//! `slicewise controller`: the state machine of [`slicewise::controller`] against a Kubernetes API server.
//!
//! ```text
//! watches ─▶ drive (owns the state) ─▶ write ─▶ API server
//!              ▲        │                  elect: the Lease, which bounds every write
//!       serve ─┘        └─▶ publish
//! ```

pub(super) mod args;
mod counts;
mod drive;
mod elect;
mod lease;
mod publish;
mod serve;
mod shard;
mod write;

use std::io::{self, Write};
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use k8s_openapi::jiff::Timestamp;
use kube::{Api, Client};
use slicewise::controller::Controller;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::{error, info};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use super::cluster::connect::{Patience, connect};
use super::cluster::signals::told_to_end;
use super::cluster::watches;
use super::screen::{self, Data, Screen};
use super::{Failure, IO_FAILED};
use args::{ControllerArgs, LogFormat, LogLevel, NAME};
use counts::Counts;
use drive::{Driver, End};
use elect::{Elector, Leadership};
use lease::Candidate;
use publish::Publisher;
use write::Writer;

/// The last word about the Lease may take so long.
const RELEASE_LIMIT: Duration = Duration::from_secs(5);
/// Questions that may wait for an answer.
const ASKS: usize = 64;

/// Runs until it is told to end.
pub(super) fn run(arguments: &ControllerArgs) -> Result<u8, Failure> {
    log_to_stderr(arguments);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(Failure::io("cannot start"))?;
    runtime.block_on(control(arguments))
}

/// What kube's client says of a request that has failed. Whoever made the request is told as well, and knows what it was.
const FAILED_REQUESTS: &str = "kube_client::client::builder";

/// What is logged of whom.
fn levels(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // What libraries tell of their insides is not for operators.
    Targets::new()
        .with_target(env!("CARGO_CRATE_NAME"), level)
        .with_target(FAILED_REQUESTS, LevelFilter::OFF)
        .with_default(level.min(LevelFilter::WARN))
}

/// Shows what is written into it, a line at a time, such as the lines of a log.
struct Lines<W>(Screen<W>);

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        write!(self.0, "{}", String::from_utf8_lossy(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn log_to_stderr(arguments: &ControllerArgs) {
    let levels = levels(arguments.log_level);
    let log = fmt::layer().with_target(false).with_ansi(false);
    match arguments.log_format {
        LogFormat::Text => {
            let log = log.with_writer(|| Lines(screen::stderr()));
            registry().with(log.with_filter(levels)).init();
        }
        LogFormat::Json => {
            let log = log
                .with_writer(|| Data::new(io::stderr()))
                .json()
                .flatten_event(true)
                .with_current_span(false);
            let log = log.with_span_list(false);
            registry().with(log.with_filter(levels)).init();
        }
    }
}

async fn control(arguments: &ControllerArgs) -> Result<u8, Failure> {
    let end = told_to_end().map_err(Failure::io("cannot wait for signals"))?;
    // Whatever fails has its own way to be tried again; a create that may have been done must not be sent twice.
    let patience = Patience {
        silence: None,
        retry: false,
    };
    let (client, _) = connect(arguments.kubeconfig.as_deref(), None, patience).await?;
    let (asks, asked) = mpsc::channel(ASKS);
    if let Some(address) = arguments.listen {
        let failed = || Failure::io(format!("cannot listen on {address}"));
        let listener = TcpListener::bind(address).await.map_err(failed())?;
        let address = listener.local_addr().map_err(failed())?;
        info!(%address, "listening");
        tokio::spawn(serve::serve(listener, asks.clone()));
    }
    let identity = identity(arguments);
    let (leadership, election) = stand(arguments, &client, &identity);
    let mut driver = Driver {
        controller: Controller::new(arguments.config()),
        shard: arguments.shard,
        resync_period: arguments.resync_period,
        writer: (!arguments.dry_run).then(|| Writer {
            client: client.clone(),
            leadership: leadership.clone(),
        }),
        publisher: (!arguments.dry_run).then(|| Publisher::start(client.clone(), &identity)),
        leadership,
        counts: Counts::default(),
        started: Instant::now(),
        writes: FuturesUnordered::new(),
        stop_by: None,
    };
    info!(
        version = env!("CARGO_PKG_VERSION"),
        managed_by = arguments.managed_by(),
        shard = %arguments.shard,
        "started"
    );
    let scope = arguments.scope();
    let watches = watches::all(&client, &arguments.wanted(&scope));
    let grace = arguments.shutdown_grace_period;
    let ended = driver.run(watches, asked, end, grace).await;
    if ended == End::LeaseLost {
        // What is under way is given up with the process.
        error!("the Lease is lost: ending, so as not to write beside another");
        return Ok(IO_FAILED);
    }
    drop(driver.writes);
    if let Some(publisher) = driver.publisher {
        publisher.end().await;
    }
    if let Some(Standing { release, task }) = election {
        // Where the task has ended, there is nothing to release.
        let _ = release.send(());
        let _ = tokio::time::timeout(RELEASE_LIMIT, task).await;
    }
    info!("ended");
    Ok(0)
}

/// An election that goes on in the background, until it is told to release the Lease.
struct Standing {
    release: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Begins to stand for the Lease, if there is to be one.
fn stand(
    arguments: &ControllerArgs,
    client: &Client,
    identity: &str,
) -> (watch::Receiver<Leadership>, Option<Standing>) {
    let election = &arguments.election;
    if !election.leader_elect || arguments.dry_run {
        return (watch::channel(Leadership::Unasked).1, None);
    }
    let namespace = election.leader_elect_resource_namespace.as_deref();
    let namespace = namespace.unwrap_or_else(|| client.default_namespace());
    let elector = Elector {
        api: Api::namespaced(client.clone(), namespace),
        name: arguments.lease_name(),
        candidate: Candidate::new(identity.to_owned(), election.timing()),
    };
    let (sender, leadership) = watch::channel(Leadership::Standby);
    let (release, released) = oneshot::channel();
    let task = tokio::spawn(elector.run(sender, released));
    (leadership, Some(Standing { release, task }))
}

/// Unique among all that ever run: a process that is started again must not take itself for its predecessor, whose
/// writes may still be on their way.
fn identity(arguments: &ControllerArgs) -> String {
    let given = arguments.election.identity.clone();
    given.unwrap_or_else(|| {
        let host = hostname::get()
            .ok()
            .and_then(|name| name.into_string().ok());
        let host = host.unwrap_or_else(|| NAME.to_owned());
        let start = Timestamp::now().as_microsecond();
        format!("{host}_{:x}_{start:x}", std::process::id())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use k8s_openapi::api::core::v1::Node;
    use kube::Config;
    use kube::api::ListParams;

    use super::*;

    /// What has been logged.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            log.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A request to nobody, and what is logged of it.
    async fn log_of_a_failed_request(levels: Targets) -> String {
        let log = Log::default();
        let writer = log.clone();
        let layer = fmt::layer()
            .with_writer(move || writer.clone())
            .with_ansi(false);
        let _guard = registry().with(layer.with_filter(levels)).set_default();
        // Nobody listens where somebody has listened just now.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let mut config = Config::new(format!("http://{address}").parse().unwrap());
        config.default_retry = false;
        let nodes: Api<Node> = Api::all(Client::try_from(config).unwrap());
        assert!(nodes.list(&ListParams::default()).await.is_err());
        let bytes = log.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_failed_request_is_for_whoever_made_it_to_log() {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        runtime.block_on(async {
            let told = log_of_a_failed_request(Targets::new().with_default(LevelFilter::WARN));
            let told = told.await;
            assert!(told.contains(FAILED_REQUESTS), "kube says it: {told}");
            assert_eq!(log_of_a_failed_request(levels(LogLevel::Debug)).await, "");
        });
    }
}
