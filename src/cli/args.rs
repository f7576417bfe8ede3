//! Arguments, and the help a person can learn from.

use clap::{Parser, Subcommand, ValueEnum};
use slicewise::api::Limits;
use slicewise::plan::patches::PatchKind;
use slicewise::plan::request::Options;
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::{EndpointsPerSlice, ManagedBy};

use super::origin::ServicesArgs;
pub(super) use super::print::ReportOutput;
use super::stream;
use super::usage::check_ndjson;
use super::values::{endpoints_per_slice, managed_by, packing};

macro_rules! examples {
    () => {
        "\
Examples:
  What would the EndpointSlice controller change in this cluster?
    slicewise plan -A -o summary

  The same from a dump; as a diff, for one Service:
    kubectl get services,pods,nodes,endpointslices -A -o json > cluster.json
    slicewise plan cluster.json --service shop/cart -o diff

  Why does this pod get no traffic, and why are there no hints?
    slicewise explain -n shop cart --pod cart-7d4b9
    slicewise explain cluster.json --about hints

  What has changed between two dumps of a cluster, endpoint by endpoint?
    slicewise diff before.json after.json -o summary

  Many plans in one process, one request per line in, one plan or error per line out:
    slicewise plan --ndjson < requests.ndjson

  What does a rolling update cost, and who gets traffic meanwhile?
    slicewise simulate --bundled rolling-update

  What does the controller do when, as events come in?
    slicewise simulate --ndjson < events.ndjson

  May these manifests be applied, as the admission webhook sees it?
    slicewise review manifests.yaml --snapshot cluster.json -o text

  Could a webhook outage deadlock this cluster?
    kubectl get validatingwebhookconfigurations -o yaml | slicewise lint-config

  Which endpoints does kube-proxy on a node use, and why?
    slicewise route -n shop cart --node node-1

  The same as events come in:
    slicewise proxy --node node-1 --ndjson < events.ndjson

  What happens to the traffic of a Service, as it happens? And as pictures?
    slicewise watch -n shop cart
    slicewise serve -n shop"
    };
}

macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0  done
  1  the machine failed: reading standard input, or writing
  2  bad input or usage, or a file that cannot be read
  3  something to write, a difference, or a scenario not converged (with --exit-code only)"
    };
}

pub(super) use exit_codes;

/// Plans Kubernetes EndpointSlices: pods, nodes, Services and their slices in, a plan out.
#[derive(Parser)]
#[command(name = "slicewise", version, arg_required_else_help = true, after_help = concat!(examples!(), "\n\n", exit_codes!()))]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Plan the slices of one Service, or of every Service of a snapshot
    Plan(Box<PlanArgs>),
    /// Tell why: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help
    Explain(Box<super::explain::args::ExplainArgs>),
    /// Tell what differs between two sets of slices, endpoint by endpoint
    Diff(super::diff::DiffArgs),
    /// Plan the slices that mirror Endpoints objects
    Mirror(super::mirror::MirrorArgs),
    /// Plan the Endpoints and the slice of the API servers' own Service, `default/kubernetes`
    KubernetesService(super::kubernetes_service::KubernetesServiceArgs),
    /// Run the EndpointSlice controller in virtual time: over a scenario, or over events as they come
    Simulate(super::simulate::args::SimulateArgs),
    /// Tell what kube-proxy on a node makes of Services and their slices, as they come
    Proxy(super::proxy::ProxyArgs),
    /// Judge changes before they are made: admission reviews, or manifests
    Review(Box<super::review::ReviewArgs>),
    /// Lint webhook configurations: what could deadlock a cluster, and what is not good practice
    LintConfig(super::lint_config::LintArgs),
    /// Tell which endpoints of a Service kube-proxy on a node uses, and by which rule
    Route(super::route::RouteArgs),
    /// Tell who serves whom: each endpoint's share, and what goes from zone to zone
    Traffic(super::traffic::TrafficArgs),
    /// Run the EndpointSlice controller against a Kubernetes API server
    #[cfg(feature = "cluster")]
    Controller(Box<super::controller::args::ControllerArgs>),
    /// Run the EndpointSlice controller against a real cluster (not in this build)
    #[cfg(not(feature = "cluster"))]
    #[command(disable_help_flag = true)]
    Controller {
        /// Whatever is given, so that it is told what is missing and not which argument is unknown
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Follow a cluster: each change of a Service's traffic, as it happens
    #[cfg(feature = "cluster")]
    Watch(Box<super::watch::WatchArgs>),
    /// Follow a cluster (not in this build)
    #[cfg(not(feature = "cluster"))]
    #[command(disable_help_flag = true)]
    Watch {
        /// As of the controller
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Serve the page on this machine, with a cluster as it is
    #[cfg(feature = "cluster")]
    Serve(Box<super::serve::ServeArgs>),
    /// Serve the page with a cluster as it is (not in this build)
    #[cfg(not(feature = "cluster"))]
    #[command(disable_help_flag = true)]
    Serve {
        /// As of the controller
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Tell which version this is, and of which Kubernetes it makes the decisions
    Version {
        /// How to print it
        #[arg(short, long, value_enum, default_value_t = ReportOutput::Table)]
        output: ReportOutput,
    },
    /// Print a completion script, e.g. `slicewise completions bash > /etc/bash_completion.d/slicewise`
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print a man page, e.g. `slicewise man plan | man -l -`
    Man {
        /// The command it is of; without one, `slicewise` itself
        command: Option<String>,
    },
}

/// Input is told by its content: a plan request (`{"service": …, "pods": […], …}`), or Kubernetes objects as
/// `kubectl get services,pods,nodes,endpointslices -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(super) struct PlanArgs {
    #[command(flatten)]
    pub(super) of: ServicesArgs,

    /// How to print the plan
    #[arg(short, long, value_enum, default_value_t = Output::Json)]
    pub(super) output: Output,

    /// One plan request per line in, one plan or error per line out, in order, as they come
    #[arg(long, conflicts_with_all = ["service", "exit_code", "FileArgs", "ClusterArgs", "selector"])]
    pub(super) ndjson: bool,

    /// Exit with 3 when there is something to write
    #[arg(long)]
    pub(super) exit_code: bool,

    /// Print commands even though the input lacks what they rest on
    #[arg(long)]
    pub(super) assume_complete: bool,

    /// And tell why: `explanations` in JSON and YAML, paragraphs in a summary
    #[arg(long)]
    pub(super) explain: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,

    /// Refuse larger inputs (with --ndjson: longer lines) [default: 67108864; none for objects in JSON]
    #[arg(long, value_name = "BYTES")]
    pub(super) max_input_bytes: Option<usize>,

    #[command(flatten)]
    pub(super) options: OptionArgs,

    /// Give updates as patches, too: json, merge, apply; with --output patch the first of these [default there: json]
    #[arg(long, value_name = "TYPE", value_delimiter = ',', value_parser = PatchKind::ALL.map(PatchKind::name))]
    patches: Vec<String>,
}

impl PlanArgs {
    /// How much a line may hold.
    pub(super) fn limits(&self) -> Limits {
        stream::limits(self.max_input_bytes)
    }

    /// The options of the plan.
    pub(super) fn plan_options(&self) -> Options<'_> {
        let mut options = self.options.options();
        options.explain = self.explain.then_some(true);
        let patches = self.patches.iter();
        options.patches = patches.map(|kind| kind.as_str().into()).collect();
        options
    }

    /// Checks what the single arguments cannot know of each other.
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        check_ndjson("plan", self.ndjson, self.output == Output::Json)
    }
}

/// The options of a request; on the command line they win over those in the input.
#[derive(clap::Args)]
#[command(next_help_heading = "Options of the plan")]
pub(super) struct OptionArgs {
    /// Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]
    #[arg(long, value_name = "NAME", value_parser = managed_by)]
    managed_by: Option<ManagedBy<'static>>,

    /// Endpoints per slice, 1 to 1000 [default: 100]
    #[arg(long, value_name = "N", value_parser = endpoints_per_slice())]
    max_endpoints_per_slice: Option<EndpointsPerSlice>,

    /// Give hints for the topology-mode annotation; false is a controller without a topology cache [default: true]
    #[arg(long, value_name = "BOOL")]
    topology_hints: Option<bool>,

    /// Act on trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]
    #[arg(long, value_name = "BOOL")]
    prefer_same_traffic_distribution: Option<bool>,

    /// How endpoints are spread over slices [default: upstream]
    #[arg(long, value_name = "NAME", value_parser = packing())]
    packing: Option<Packing>,
}

impl OptionArgs {
    /// As options of a request.
    pub(super) fn options(&self) -> Options<'_> {
        let mut options = Options::default();
        options.managed_by = self.managed_by.clone();
        options.max_endpoints_per_slice = self.max_endpoints_per_slice;
        options.topology_hints = self.topology_hints;
        options.prefer_same_traffic_distribution = self.prefer_same_traffic_distribution;
        options.packing = self.packing;
        options
    }
}

/// How a plan is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
    /// The changes as `kubectl diff` shows them
    Diff,
    /// A line per Service and slice, for people
    Summary,
    /// Commands for `kubectl` that carry it out
    Patch,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
