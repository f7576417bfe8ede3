//! All commands and their help.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::print::ReportOutput;
use crate::report;
use crate::usage::{Misuse, NAME, exit_codes, program};

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

  What does the controller do as events arrive?
    slicewise simulate --ndjson < events.ndjson

  Would the admission webhook allow these manifests?
    slicewise review manifests.yaml --snapshot cluster.json -o text

  What would it say about what is there, as reports for dashboards?
    slicewise audit -A -o openreports

  Which of the webhook's rules can the API server evaluate itself?
    slicewise policy export --vap webhook.yaml

  Could a webhook outage deadlock this cluster?
    kubectl get validatingwebhookconfigurations -o yaml | slicewise lint-config

  Which endpoints does kube-proxy on a node use, and why?
    slicewise route -n shop cart --node node-1

  The same as events arrive:
    slicewise proxy --node node-1 --ndjson < events.ndjson

  What changes in this cluster with the next version of Kubernetes?
    slicewise upgrade -A --to 1.38

  How does the traffic of a Service change, live? And as pictures?
    slicewise watch -n shop cart
    slicewise serve -n shop"
    };
}

/// Plans Kubernetes EndpointSlices: turns pods, nodes, Services and their slices into a plan.
#[derive(Parser)]
#[command(name = "slicewise", version, arg_required_else_help = true, after_help = concat!(examples!(), "\n\n", exit_codes!()))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Subcommand)]
pub(crate) enum CliCommand {
    /// Plan the slices of one Service, or of every Service of a snapshot
    Plan(Box<crate::plan::PlanArgs>),
    /// Explain why a pod gets no traffic, why there are no hints, why slices are as they are, and
    /// what would help
    Explain(Box<crate::explain::args::ExplainArgs>),
    /// Compare two sets of slices, endpoint by endpoint
    Diff(crate::diff::DiffArgs),
    /// Plan the slices that mirror Endpoints objects
    Mirror(crate::mirror::MirrorArgs),
    /// Plan the Endpoints and the slice of the API servers' own Service, `default/kubernetes`
    KubernetesService(crate::kubernetes_service::KubernetesServiceArgs),
    /// Run the EndpointSlice controller in virtual time: over a scenario or a stream of events
    Simulate(crate::simulate::args::SimulateArgs),
    /// Follow a stream of Services and slices as kube-proxy on a node does
    Proxy(crate::proxy::ProxyArgs),
    /// Review changes before they are made: admission reviews or manifests
    Review(Box<crate::review::args::ReviewArgs>),
    /// Audit what is in a cluster by the admission policies: keep reports in it, or print the
    /// findings
    Audit(Box<crate::audit::args::AuditArgs>),
    /// Write the rules of a configuration as ValidatingAdmissionPolicies, which API servers evaluate themselves
    Policy(crate::policy::PolicyArgs),
    /// Lint webhook configurations: find possible deadlocks of a cluster and departures from good
    /// practice
    LintConfig(crate::lint_config::LintArgs),
    /// Show which endpoints of a Service kube-proxy on a node uses, and by which rule
    Route(crate::route::RouteArgs),
    /// Show who serves whom: each endpoint's share, and the traffic between zones
    Traffic(crate::traffic::TrafficArgs),
    /// Show what another version of Kubernetes changes: plans, traffic, settings and metrics
    Upgrade(Box<crate::upgrade::UpgradeArgs>),
    /// Run the EndpointSlice controller against a Kubernetes API server
    #[cfg(not(target_family = "wasm"))]
    Controller(Box<crate::controller::args::ControllerArgs>),
    /// Run the EndpointSlice controller against a real cluster (not in this build)
    #[cfg(target_family = "wasm")]
    #[command(disable_help_flag = true)]
    Controller {
        /// Any arguments, so that the error says what is missing and not which argument is unknown
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Follow a cluster, and print each change to a Service's traffic as it happens
    #[cfg(not(target_family = "wasm"))]
    Watch(Box<crate::watch::WatchArgs>),
    /// Follow a cluster (not in this build)
    #[cfg(target_family = "wasm")]
    #[command(disable_help_flag = true)]
    Watch {
        /// As of the controller
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Serve the page on this machine, with a live cluster
    #[cfg(not(target_family = "wasm"))]
    Serve(Box<crate::serve::ServeArgs>),
    /// Serve the page with a live cluster (not in this build)
    #[cfg(target_family = "wasm")]
    #[command(disable_help_flag = true)]
    Serve {
        /// As of the controller
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Print the version, and the Kubernetes version whose decisions it matches
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
        /// The command to describe; `slicewise` itself by default
        command: Option<String>,
    },
}

impl CliCommand {
    /// Checks combinations of arguments; an error names the subcommand it belongs to.
    fn check(&self) -> Result<(), (&'static str, Misuse)> {
        let of = |name| move |misuse| (name, misuse);
        match self {
            Self::Plan(arguments) => arguments.check().map_err(of("plan")),
            Self::Diff(arguments) => arguments.check().map_err(of("diff")),
            Self::Mirror(arguments) => arguments.check().map_err(of("mirror")),
            Self::KubernetesService(arguments) => {
                arguments.check().map_err(of("kubernetes-service"))
            }
            Self::Audit(arguments) => arguments.check().map_err(of("audit")),
            #[cfg(not(target_family = "wasm"))]
            Self::Controller(arguments) => arguments.check().map_err(of("controller")),
            #[cfg(not(target_family = "wasm"))]
            Self::Watch(arguments) => arguments.check().map_err(of("watch")),
            _ => Ok(()),
        }
    }
}

/// The command with its examples.
pub(crate) fn definition() -> clap::Command {
    crate::examples::added(Args::command())
}

/// The command, under that name.
fn command() -> clap::Command {
    match program() {
        NAME => definition(),
        name => renamed(definition(), name).bin_name(name),
    }
}

/// Replaces its name in all texts.
fn renamed(mut command: clap::Command, name: &'static str) -> clap::Command {
    let text = |text: &StyledStr| text.to_string().replace("slicewise ", &format!("{name} "));
    let about = [
        command.get_about(),
        command.get_long_about(),
        command.get_after_help(),
    ];
    let [about, long_about, after_help] = about.map(|old| old.map(text));
    for (text, set) in [
        (about, clap::Command::about as fn(_, String) -> _),
        (long_about, clap::Command::long_about),
        (after_help, clap::Command::after_help),
    ] {
        if let Some(text) = text {
            command = set(command, text);
        }
    }
    let command = command.mut_args(|argument| match argument.get_help().map(text) {
        Some(help) => argument.help(help),
        None => argument,
    });
    command.mut_subcommands(|subcommand| renamed(subcommand, name))
}

/// Exits with a usage error of the subcommand.
fn refuse(name: &str, misuse: &Misuse) -> ! {
    let mut command = command();
    // So that it shows the subcommand's usage.
    command.build();
    let error = match command.find_subcommand_mut(name) {
        Some(subcommand) => subcommand.error(misuse.kind, misuse.message),
        None => command.error(misuse.kind, misuse.message),
    };
    report::refuse(&error)
}

/// The error for a selector where `kubectl` takes one and this command must not. It is no argument, so that neither the
/// help nor completions offer it.
fn selected(error: &clap::Error) -> Option<(&'static str, Misuse)> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if error.kind() != ErrorKind::UnknownArgument || !["-l", "--selector"].contains(&&**argument) {
        return None;
    }
    match std::env::args_os().nth(1)?.to_str()? {
        "diff" => Some(("diff", Misuse::conflict(crate::diff::NO_SELECTOR))),
        "review" => Some(("review", Misuse::conflict(crate::review::args::NO_SELECTOR))),
        _ => None,
    }
}

/// The process's arguments, and whether errors are for people.
pub(crate) fn parse() -> (Args, bool) {
    let matches = command().try_get_matches();
    let matches = matches.unwrap_or_else(|error| match selected(&error) {
        Some((name, misuse)) => refuse(name, &misuse),
        None => report::refuse(&error),
    });
    let parsed = Args::from_arg_matches(&matches);
    let arguments = parsed.unwrap_or_else(|error| report::refuse(&error.format(&mut command())));
    if let Err((name, misuse)) = arguments.command.check() {
        refuse(name, &misuse);
    }
    (arguments, report::is_for_people(&matches))
}
