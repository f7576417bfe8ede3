//! The `slicewise` command: arguments, input and output. The library makes all decisions.
//!
//! Exit codes: 0 success, 1 an I/O error, 2 bad input or usage, 3 with `--exit-code` if there is something to write,
//! something differs, or a scenario did not converge. A file that cannot be read is bad input.

mod arena;
mod audit;
mod clock;
mod cluster;
mod color;
mod command;
#[cfg(not(target_family = "wasm"))]
mod controller;
mod diff;
mod examples;
mod explain;
mod failure;
mod input;
mod kubernetes_service;
mod lint_config;
mod man;
mod mirror;
mod ndjson;
mod notes;
mod options;
mod origin;
mod pager;
mod plan;
mod policy;
mod print;
mod proxy;
mod report;
mod review;
mod reviewer;
mod route;
mod screen;
mod selection;
#[cfg(not(target_family = "wasm"))]
mod serve;
mod simulate;
mod source;
mod stream;
mod summary;
mod threads;
mod traffic;
mod unified;
mod upgrade;
mod usage;
#[cfg(not(target_family = "wasm"))]
mod watch;

use std::io::Write;
use std::process::ExitCode;

use command::CliCommand;
use failure::CommandFailure;
use print::ReportOutput;
use slicewise::kubernetes::KubernetesVersion;

fn main() -> ExitCode {
    let (arguments, is_for_people) = command::parse();
    let result = match arguments.command {
        CliCommand::Plan(arguments) => plan::run(&arguments),
        CliCommand::Explain(arguments) => explain::run(&arguments),
        CliCommand::Diff(arguments) => diff::run(&arguments),
        CliCommand::Mirror(arguments) => mirror::run(&arguments),
        CliCommand::KubernetesService(arguments) => kubernetes_service::run(&arguments),
        CliCommand::Simulate(arguments) => simulate::run(&arguments),
        CliCommand::Proxy(arguments) => proxy::run(&arguments),
        CliCommand::Review(arguments) => review::run(&arguments),
        CliCommand::Audit(arguments) => audit::run(&arguments),
        CliCommand::Policy(arguments) => policy::run(&arguments),
        CliCommand::LintConfig(arguments) => lint_config::run(&arguments),
        CliCommand::Route(arguments) => route::run(&arguments),
        CliCommand::Traffic(arguments) => traffic::run(&arguments),
        CliCommand::Upgrade(arguments) => upgrade::run(&arguments),
        #[cfg(not(target_family = "wasm"))]
        CliCommand::Controller(arguments) => controller::run(&arguments),
        #[cfg(target_family = "wasm")]
        CliCommand::Controller { .. } => report::refuse(&usage::native_only("controller")),
        #[cfg(not(target_family = "wasm"))]
        CliCommand::Watch(arguments) => watch::run(&arguments),
        #[cfg(target_family = "wasm")]
        CliCommand::Watch { .. } => report::refuse(&usage::native_only("watch")),
        #[cfg(not(target_family = "wasm"))]
        CliCommand::Serve(arguments) => serve::run(&arguments),
        #[cfg(target_family = "wasm")]
        CliCommand::Serve { .. } => report::refuse(&usage::native_only("serve")),
        CliCommand::Version { output } => version(output),
        CliCommand::Completions { shell } => man::completions(shell),
        CliCommand::Man { command } => man::page(command.as_deref()),
    };
    let code = result.unwrap_or_else(|failure| report::report(&failure, is_for_people));
    ExitCode::from(code)
}

/// The version of the command, and the Kubernetes version whose decisions it matches.
#[derive(serde::Serialize)]
struct Version {
    version: &'static str,
    /// The Kubernetes version.
    reference: String,
}

fn version(form: ReportOutput) -> Result<u8, CommandFailure> {
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        reference: format!("v{}", KubernetesVersion::default().name()),
    };
    print::to_stdout("the version", |output| {
        let table = |version: &Version, output: &mut screen::Stdout| {
            writeln!(
                output,
                "slicewise {}, as Kubernetes {}",
                version.version, version.reference
            )
        };
        print::report(&version, form, table, output)
    })?;
    Ok(0)
}
