//! Command line: arguments, input and output. All decisions are the library's.
//!
//! Exit codes: 0 done, 1 the machine failed us (I/O), 2 bad input or usage, 3 with `--exit-code` when there is
//! something to write, something differs, or a scenario has not converged. A file that cannot be read is bad input.

mod args;
mod cluster;
#[cfg(feature = "cluster")]
mod controller;
mod diff;
mod explain;
mod input;
mod kubernetes_service;
mod lint_config;
mod man;
mod mirror;
mod ndjson;
mod notes;
mod origin;
mod plan;
mod print;
mod proxy;
mod report;
mod review;
mod route;
mod screen;
#[cfg(feature = "cluster")]
mod serve;
mod simulate;
mod source;
mod stream;
mod summary;
mod traffic;
mod unified;
mod usage;
mod values;
#[cfg(feature = "cluster")]
mod watch;
mod watched;
mod yaml;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use args::{Command, ReportOutput};

/// Whose decisions are made.
const REFERENCE: &str = "v1.37";
const CHANGES: u8 = 3;
const BAD_INPUT: u8 = 2;
const IO_FAILED: u8 = 1;

/// Why the command could not do its work.
enum Failure {
    /// The input is bad.
    Input(slicewise::Error),
    /// The file that was named cannot be read; says so.
    File(String, io::Error),
    /// The cluster cannot be read; says why, and what to do.
    #[cfg(feature = "cluster")]
    Cluster(String),
    /// Reading or writing failed; says what.
    Io(String, io::Error),
}

impl Failure {
    fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io(what.into(), error)
    }

    /// The same, of one of several files.
    fn within(self, file: &Path) -> Self {
        match self {
            Self::Input(error) => {
                let file = source::named(Some(file))
                    .map_or_else(|| "standard input".into(), Path::to_string_lossy);
                Self::Input(error.told_of(&file))
            }
            other => other,
        }
    }
}

impl From<slicewise::Error> for Failure {
    fn from(error: slicewise::Error) -> Self {
        Self::Input(error)
    }
}

/// Runs the command with the process's arguments, input and output.
pub(super) fn run() -> ExitCode {
    let (arguments, is_for_people) = usage::parse();
    let result = match arguments.command {
        Command::Plan(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            plan::run(&arguments)
        }
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Diff(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            diff::run(&arguments)
        }
        Command::Mirror(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            mirror::run(&arguments)
        }
        Command::KubernetesService(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            kubernetes_service::run(&arguments)
        }
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Proxy(arguments) => proxy::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::LintConfig(arguments) => lint_config::run(&arguments),
        Command::Route(arguments) => route::run(&arguments),
        Command::Traffic(arguments) => traffic::run(&arguments),
        #[cfg(feature = "cluster")]
        Command::Controller(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            controller::run(&arguments)
        }
        #[cfg(not(feature = "cluster"))]
        Command::Controller { .. } => usage::native_only("controller").exit(),
        #[cfg(feature = "cluster")]
        Command::Watch(arguments) => {
            if let Err(error) = arguments.check() {
                error.exit();
            }
            watch::run(&arguments)
        }
        #[cfg(not(feature = "cluster"))]
        Command::Watch { .. } => usage::native_only("watch").exit(),
        #[cfg(feature = "cluster")]
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(not(feature = "cluster"))]
        Command::Serve { .. } => usage::native_only("serve").exit(),
        Command::Version { output } => version(output),
        Command::Completions { shell } => man::completions(shell),
        Command::Man { command } => man::page(command.as_deref()),
    };
    let code = result.unwrap_or_else(|failure| report::report(&failure, is_for_people));
    ExitCode::from(code)
}

/// Which version this is, and whose decisions it makes.
#[derive(serde::Serialize)]
struct Version {
    version: &'static str,
    /// Of Kubernetes.
    reference: &'static str,
}

fn version(form: ReportOutput) -> Result<u8, Failure> {
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        reference: REFERENCE,
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
