//! `slicewise watch`: prints each change of a Service's traffic as it happens.

mod follow;

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use slicewise::plan::request::Options;
use slicewise::reconcile::ManagedBy;
use slicewise_live::watching::{Line, WatchLineContent, folded};

pub(crate) use follow::{ClusterFollower, key_of};

use crate::cluster::{ClusterArgs, HEADING, service_named};
use crate::failure::CommandFailure;
use crate::options::managed_by;
use crate::print;
use crate::screen::{self, Stdout};
use crate::usage::Misuse;
use slicewise_cluster::runtime;
use slicewise_cluster::signals::shutdown_requested;

const EXIT_CODES: &str = "\
Exit codes:
  0  stopped by SIGINT or SIGTERM, or because the reader of its output went away
  1  an I/O error while writing
  2  bad usage, an invalid kubeconfig, or a cluster that cannot be read";

/// Follows a cluster and prints each change of a Service's traffic as it happens: endpoints added, removed or changed, hints, and slices that keep
/// differing from the plan. The initial state does not count as a change. It lists and watches Services, Pods, Nodes and EndpointSlices, and writes
/// nothing.
///
/// A lost connection is reported and retried; missed changes are reported afterwards.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct WatchArgs {
    /// Only this Service, which need not exist yet
    #[arg(value_name = "SERVICE", value_parser = service_name)]
    service: Option<String>,

    #[command(flatten)]
    followed: FollowArgs,

    /// How to print changes
    #[arg(short, long, value_enum, default_value_t = WatchOutput::Text)]
    output: WatchOutput,
}

/// What is followed.
#[derive(clap::Args)]
pub(crate) struct FollowArgs {
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,

    /// Only Services with these labels, in the form of `kubectl --selector`
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = HEADING)]
    pub(crate) selector: Option<String>,

    /// Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]
    #[arg(long, value_name = "NAME", value_parser = managed_by)]
    managed_by: Option<ManagedBy<'static>>,

    /// Report when slices have differed from the plan for this long without being written
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub(crate) unwritten_after: Duration,
}

/// How changes are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WatchOutput {
    /// Human-readable lines; the state of the connection goes to standard error
    Text,
    /// A line of JSON for each change, and for changes in the state of the connection
    Json,
}

impl FollowArgs {
    /// The options of plans.
    pub(crate) fn options(&self) -> Options<'static> {
        let mut options = Options::default();
        options.managed_by = self.managed_by.clone();
        options
    }
}

impl WatchArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        let conflict = |message| Err(Misuse::conflict(message));
        let Some(service) = &self.service else {
            return Ok(());
        };
        if self.followed.selector.is_some() {
            return conflict("'--selector' chooses among Services, but one is already named");
        }
        let given = self.followed.cluster.namespace.as_deref();
        match (service.split_once('/'), given) {
            (Some((named, _)), Some(given)) if named != given => {
                conflict("the Service is named with another namespace than '--namespace'")
            }
            _ => Ok(()),
        }
    }
}

fn service_name(text: &str) -> Result<String, String> {
    let named = service_named(text).map(ToOwned::to_owned);
    named.ok_or_else(|| "write it NAME, NAMESPACE/NAME or svc/NAME".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    const MOST: u64 = 1_000_000;
    let seconds = text.parse().ok().filter(|seconds| *seconds <= MOST);
    let seconds =
        seconds.ok_or_else(|| format!("write a whole number of seconds, at most {MOST}"))?;
    Ok(Duration::from_secs(seconds))
}

/// Follows until it is stopped.
pub(crate) fn run(arguments: &WatchArgs) -> Result<u8, CommandFailure> {
    runtime()?.block_on(watch(arguments))
}

async fn watch(arguments: &WatchArgs) -> Result<u8, CommandFailure> {
    let end = shutdown_requested().map_err(CommandFailure::io("cannot wait for signals"))?;
    tokio::pin!(end);
    let mut follower = tokio::select! {
        follower = ClusterFollower::start(&arguments.followed, arguments.service.as_deref()) => follower?,
        () = &mut end => return Ok(0),
    };
    loop {
        tokio::select! {
            biased;
            () = &mut end => return Ok(0),
            step = follower.next() => write(&step?.lines, arguments.output)?,
        }
    }
}

fn write(lines: &[Line], form: WatchOutput) -> Result<(), CommandFailure> {
    print::to_stdout("what has changed", |output| match form {
        WatchOutput::Json => lines.iter().try_for_each(|line| print::json(line, output)),
        WatchOutput::Text => {
            let is_change = |line: &Line| matches!(line.what, WatchLineContent::Change(_));
            let mut together = lines.chunk_by(|one, other| {
                is_change(one) && is_change(other) && seconds_of(one) == seconds_of(other)
            });
            together.try_for_each(|lines| write_text(lines, output))
        }
    })
}

/// The time of a line, in seconds.
fn seconds_of(line: &Line) -> &str {
    let seconds = line.time.split('.').next().unwrap_or_default();
    seconds.trim_end_matches('Z')
}

/// Lines of the same time: changes, or one status.
fn write_text(lines: &[Line], output: &mut Stdout) -> io::Result<()> {
    let mut changes = Vec::new();
    for line in lines {
        match &line.what {
            WatchLineContent::Change(change) => changes.push(&**change),
            WatchLineContent::Status(said) => {
                writeln!(screen::stderr(), "slicewise: {}", said.message)?;
            }
            _ => {}
        }
    }
    let seconds = lines.first().map_or("", seconds_of);
    for (service, message) in folded(&changes) {
        writeln!(output, "{seconds}Z {service}: {message}")?;
    }
    Ok(())
}
