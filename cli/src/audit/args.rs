//! The arguments of `slicewise audit`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::Value;
use slicewise_cluster::resource::OF_AUDITS;

use crate::clock;
use crate::cluster::{ClusterArgs, HEADING};
use crate::failure::CommandFailure;
use crate::origin::{CommandInput, FileArgs, FromCluster, Origin};
use crate::reviewer::ReviewerArgs;
use crate::usage::Misuse;

/// What is audited.
pub(super) const WANTED: CommandInput = CommandInput {
    command: "audit",
    what_to_give: "give the output of `kubectl get services,pods,nodes,endpointslices,endpoints -A -o json`",
    resources: OF_AUDITS,
    besides: &[],
};

const EXIT_CODES: &str = "\
Exit codes:
  0  done, whatever was found
  1  an I/O error: reading standard input, or writing
  2  bad input or usage, or a cluster that cannot be read or written";

/// Judges each object as if it were created now, by the policies of the webhook's configuration. Findings about a cluster are
/// written to it, as one Report of openreports.io for each object with findings, or as a PolicyReport of wgpolicyk8s.io where only that
/// API is installed; reports without findings are deleted. Findings about files are printed.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct AuditArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE", conflicts_with = "ClusterArgs")]
    file: Option<PathBuf>,

    #[command(flatten)]
    files: FileArgs,

    #[command(flatten)]
    pub(super) cluster: ClusterArgs,

    #[command(flatten)]
    pub(super) reviewer: ReviewerArgs,

    /// Print the findings, and write nothing [default: text for files]
    #[arg(short, long, value_enum)]
    pub(super) output: Option<AuditOutput>,

    /// Audit again at this interval, such as 10m, until it is stopped
    #[arg(long, value_name = "TIME", value_parser = interval, conflicts_with_all = ["output", "now"], help_heading = HEADING)]
    pub(super) every: Option<Duration>,

    /// Serve /metrics on this address of this machine, such as 127.0.0.1:9090
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = loopback, requires = "every", help_heading = HEADING)]
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "such a build refuses to read a cluster")
    )]
    pub(super) metrics: Option<SocketAddr>,

    /// The time of new results, in seconds: `--now "$(date +%s)"` [default: the clock's]
    #[arg(long, value_name = "SECONDS")]
    now: Option<i64>,

    /// Refuse larger inputs [default: none]
    #[arg(long, value_name = "BYTES")]
    max_input_bytes: Option<usize>,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditOutput {
    /// One line per finding
    Text,
    /// Reports of openreports.io, YAML
    Openreports,
    /// Reports of openreports.io, one line of JSON each
    OpenreportsJson,
}

/// As in Go; an audit reads the whole cluster, so not all the time.
fn interval(text: &str) -> Result<Duration, String> {
    let least = Duration::from_secs(1);
    let read = slicewise::api::read_duration(text).ok();
    let wrong = || "write it like 30s, 10m or 1h; at least 1s".to_owned();
    read.filter(|time| *time >= least).ok_or_else(wrong)
}

/// Nobody is authenticated there.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: Option<SocketAddr> = text.parse().ok();
    let address = address.filter(|address| address.ip().is_loopback());
    address.ok_or_else(|| "write an address of this machine, like 127.0.0.1:9090".to_owned())
}

impl AuditArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        if !self.cluster.is_given() {
            return match self.every {
                Some(_) => Err(Misuse::conflict(
                    "'--every' audits a cluster again; name one with -A, --namespace, --context or --kubeconfig",
                )),
                None => Ok(()),
            };
        }
        if self.files.is_given() {
            return Err(Misuse::conflict(
                "files and a cluster are given; audit one of them",
            ));
        }
        match (self.reviewer.is_of_one(), self.output) {
            (true, None) => Err(Misuse::conflict(
                "'--policy' would delete what other policies have reported; print the findings with --output, or set the mode of the others to `off`",
            )),
            _ => Ok(()),
        }
    }

    /// Where objects come from.
    pub(super) fn origin(&self) -> Result<Origin<'_>, CommandFailure> {
        match self.cluster.is_given() {
            true => Ok(Origin::Cluster(FromCluster::all(&self.cluster))),
            false => Ok(self.files.origin(self.file.as_deref())?),
        }
    }

    pub(super) fn max_input_bytes(&self) -> usize {
        self.max_input_bytes.unwrap_or(usize::MAX)
    }

    /// The policies of the configuration, if it is given.
    pub(super) fn config(&self) -> Result<Option<Value>, CommandFailure> {
        self.reviewer.config("audit", self.max_input_bytes())
    }

    /// The time of results that were not found before, and of exceptions: in seconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.now.unwrap_or_else(clock::seconds)
    }
}
