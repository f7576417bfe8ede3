//! The arguments of `slicewise review`, and the reviewer they describe.

use std::path::{Path, PathBuf};

use serde_json::Value;
use slicewise::api::Limits;
use slicewise_admission::Reviewer;
use slicewise_cluster::resource::{OF_PLANS, Resource};

use super::output::{FailOn, VerdictFormat};
use crate::cluster::ClusterArgs;
use crate::color::Color;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, OBJECTS, ReadableInput};
use crate::origin::{CommandInput, FileArgs, FromCluster, Origin};
use crate::reviewer::{ReviewerArgs, configured};
use crate::source;

/// What is judged.
pub(super) const WANTED: CommandInput = CommandInput {
    command: "review",
    what_to_give: "give an AdmissionReview, several of them, or manifests",
    resources: &[],
    besides: &[],
};

/// Why it takes no `--selector`, and what to do instead.
pub(crate) const NO_SELECTOR: &str = "'--selector' would pass what nobody has reviewed: a change that it leaves out looks allowed, and of the cluster every verdict needs all Services; leave it out, and give the manifests to review with '-f', each file or folder by itself";

macro_rules! review_exit_codes {
    () => {
        "\
Exit codes:
  0  all allowed, with warnings or without (--fail-on)
  1  a change was denied, or warned about with --fail-on warn, or a test failed
  2  bad input or usage, or a file that cannot be read"
    };
}

/// The input is recognized by its content: AdmissionReviews (one, a list, or a sequence), or manifests as for `kubectl apply -f`, which are turned
/// into reviews. Verdicts are those of the webhook, byte for byte.
#[derive(clap::Args)]
#[command(after_help = review_exit_codes!())]
pub(crate) struct ReviewArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,

    #[command(flatten)]
    pub(super) files: FileArgs,

    /// The cluster, as printed by `kubectl get services,pods,nodes,endpointslices -A -o json`
    #[arg(long, value_name = "CLUSTER", conflicts_with_all = ["all_namespaces", "context", "kubeconfig", "chunk_size", "request_timeout"])]
    pub(super) snapshot: Option<PathBuf>,

    #[command(flatten)]
    pub(super) cluster: ClusterArgs,

    #[command(flatten)]
    pub(super) reviewer: ReviewerArgs,

    /// The old manifests, to distinguish changes and deletions from new objects
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    pub(super) from: Option<PathBuf>,

    /// The user who makes the changes in manifests
    #[arg(long, value_name = "NAME", default_value = "kubernetes-admin")]
    pub(super) user: String,

    /// Run the test files in this folder: reviews with their expected verdicts
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "FileArgs", "from", "ClusterArgs"])]
    pub(super) test: Option<PathBuf>,

    /// The mildest verdict that fails
    #[arg(long, value_enum, value_name = "VERDICT", default_value_t = FailOn::Deny, conflicts_with = "test")]
    pub(super) fail_on: FailOn,

    /// Verdicts that are known, as `-o json` printed them: changes with no other findings pass
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    pub(super) baseline: Option<PathBuf>,

    /// How to print the verdicts
    #[arg(
        short,
        long,
        value_enum,
        default_value = "json",
        default_value_if("test", clap::builder::ArgPredicate::IsPresent, "text")
    )]
    pub(super) output: VerdictFormat,

    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,

    /// Refuse larger inputs
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    pub(super) max_input_bytes: usize,
}

impl ReviewArgs {
    /// Opens a named file.
    pub(super) fn open(&self, file: &Path, what: &str) -> Result<ReadableInput, CommandFailure> {
        let input = ReadableInput::open(Some(file), "review", self.max_input_bytes, what);
        input.map_err(|failure| source::within(failure, file))
    }

    /// What is known of the cluster, if anything.
    pub(super) fn known(
        &self,
        besides: &'static [Resource],
    ) -> Result<Option<ReadableInput>, CommandFailure> {
        match &self.snapshot {
            Some(file) => self.cluster(Some(file)),
            None if self.cluster.is_given() => Ok(Some(self.of_cluster(besides)?)),
            None => Ok(None),
        }
    }

    /// The cluster, from a file.
    pub(super) fn cluster(
        &self,
        file: Option<&Path>,
    ) -> Result<Option<ReadableInput>, CommandFailure> {
        file.map(|file| self.open(file, OBJECTS)).transpose()
    }

    /// The cluster, from the cluster itself.
    fn of_cluster(&self, besides: &'static [Resource]) -> Result<ReadableInput, CommandFailure> {
        let origin = Origin::Cluster(FromCluster::all(&self.cluster));
        let wanted = CommandInput {
            resources: OF_PLANS,
            besides,
            ..WANTED
        };
        ReadableInput::open_from(origin, wanted, self.max_input_bytes)
    }
}

/// A reviewer with the given configuration and cluster, if any. The file is the one of the cluster.
pub(super) fn reviewer(
    config: Option<&Value>,
    cluster: Option<&ReadableInput>,
    file: Option<&Path>,
) -> Result<Reviewer, CommandFailure> {
    let mut reviewer = configured(config)?;
    if let Some(cluster) = cluster {
        let limits: Limits = CHECKED;
        let loaded = reviewer.load(cluster.json(), limits);
        // A file can be mended, unlike a cluster that is followed.
        let loaded = loaded.and_then(|applied| match applied.left_out.into_iter().next() {
            Some(left_out) => Err(left_out.error),
            None => Ok(()),
        });
        loaded.map_err(|error| {
            let failure = CommandFailure::Input(cluster.placed(error));
            match file {
                Some(file) => source::within(failure, file),
                None => failure,
            }
        })?;
    }
    Ok(reviewer)
}
