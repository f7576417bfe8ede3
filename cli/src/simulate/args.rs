//! Arguments of `slicewise simulate`, and the format of its lines.

use std::path::PathBuf;

use crate::print::ReportOutput;
use crate::usage::exit_codes;

macro_rules! ndjson {
    () => {
        "\
A scenario describes a cluster, and what happens to it and when; docs/simulation.md has every field.

With --ndjson, the first line may hold a configuration, with the options of plans and every delay and limit of the controller; docs/state-machine.md describes it:
  {\"config\": {\"endpointUpdatesBatchPeriod\": \"500ms\", \"apply\": \"auto|manual\", \"watchLag\": \"0s\"}}
Every other line has a time in milliseconds and an event:
  {\"at\": 0, \"list\": {\"kind\": \"List\", \"items\": […]}}
      all there is, as `kubectl … -o json` prints it
  {\"at\": 1500, \"event\": {\"type\": \"ADDED|MODIFIED|DELETED\", \"object\": {…}}}
      a watch event, or an array of them
  {\"at\": 2000}
      time passes
  {\"at\": 2000, \"resync\": true}
      all objects are delivered again
  {\"at\": 2000, \"metrics\": true}
      requests all metrics; with \"text\" as Prometheus text
  {\"at\": 2500, \"refuse\": {\"error\": \"Conflict\", \"times\": 2}}
      writes that will be refused (apply: auto)
  {\"at\": 2500, \"result\": {\"service\": \"ns/name\", \"error\": null}}
      the result of writing a plan (apply: manual)"
    };
}

/// A scenario, or with `--ndjson` a stream.
#[derive(clap::Args)]
#[command(after_help = exit_codes!(), after_long_help = concat!(ndjson!(), "\n\n", exit_codes!()))]
pub(crate) struct SimulateArgs {
    /// Scenario as YAML or JSON, or with --ndjson JSON lines; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["bundled", "list"])]
    pub(crate) file: Option<PathBuf>,

    /// Run a bundled scenario
    #[arg(long, value_name = "NAME", conflicts_with = "list")]
    pub(crate) bundled: Option<String>,

    /// List the bundled scenarios
    #[arg(long)]
    pub(crate) list: bool,

    /// How to print the report of a scenario
    #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
    pub(crate) output: ReportOutput,

    /// Also print everything that happened, in order
    #[arg(long)]
    pub(crate) timeline: bool,

    /// Exit with 3 if a scenario has not converged, or was cut off by its `until`
    #[arg(long, conflicts_with = "list")]
    pub(crate) exit_code: bool,

    /// Read and write JSON lines as a stream
    #[arg(long, conflicts_with_all = ["bundled", "list", "output", "timeline", "exit_code"])]
    pub(crate) ndjson: bool,

    /// Refuse larger scenarios (with --ndjson: longer lines)
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    pub(crate) max_input_bytes: usize,
}
