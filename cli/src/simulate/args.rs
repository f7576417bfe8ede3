//! Arguments of `slicewise simulate`, and what its lines are like.

use std::path::PathBuf;

use crate::print::ReportOutput;
use crate::usage::exit_codes;

macro_rules! ndjson {
    () => {
        "\
A scenario says what a cluster is like, and what happens to it and when; docs/simulation.md has every field.

With --ndjson, the first line may hold a configuration, which also takes the options of plans, and every delay and
limit of the controller; docs/state-machine.md has all of it:
  {\"config\": {\"endpointUpdatesBatchPeriod\": \"500ms\", \"apply\": \"auto|manual\", \"watchLag\": \"0s\"}}
Each other line says when, in milliseconds, and what:
  {\"at\": 0, \"list\": {\"kind\": \"List\", \"items\": […]}}
      all there is, as `kubectl … -o json` prints it
  {\"at\": 1500, \"event\": {\"type\": \"ADDED|MODIFIED|DELETED\", \"object\": {…}}}
      a watch event, or an array of them
  {\"at\": 2000}
      time passes
  {\"at\": 2000, \"resync\": true}
      all objects are given again
  {\"at\": 2000, \"metrics\": true}
      asks for all metrics; with \"text\" for what Prometheus reads
  {\"at\": 2500, \"refuse\": {\"error\": \"Conflict\", \"times\": 2}}
      writes that will be refused (apply: auto)
  {\"at\": 2500, \"result\": {\"service\": \"ns/name\", \"error\": null}}
      what came of a plan (apply: manual)"
    };
}

/// A scenario, or with `--ndjson` a stream.
#[derive(clap::Args)]
#[command(after_help = exit_codes!(), after_long_help = concat!(ndjson!(), "\n\n", exit_codes!()))]
pub(crate) struct SimulateArgs {
    /// Scenario as YAML or JSON, or with --ndjson JSON lines; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["bundled", "list"])]
    pub(crate) file: Option<PathBuf>,

    /// Run a scenario that comes with the command
    #[arg(long, value_name = "NAME", conflicts_with = "list")]
    pub(crate) bundled: Option<String>,

    /// Name the scenarios that come with the command
    #[arg(long)]
    pub(crate) list: bool,

    /// How to print what came of a scenario
    #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
    pub(crate) output: ReportOutput,

    /// And all that happened, in order
    #[arg(long)]
    pub(crate) timeline: bool,

    /// Exit with 3 when a scenario has not converged, or was cut off by its `until`
    #[arg(long, conflicts_with = "list")]
    pub(crate) exit_code: bool,

    /// Lines of JSON in and out, as they come
    #[arg(long, conflicts_with_all = ["bundled", "list", "output", "timeline", "exit_code"])]
    pub(crate) ndjson: bool,

    /// Refuse larger scenarios (with --ndjson: longer lines)
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    pub(crate) max_input_bytes: usize,
}
