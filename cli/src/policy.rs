//! `slicewise policy`: the rules of a configuration in a form that API servers evaluate themselves.

use std::io::Write;
use std::path::PathBuf;

use slicewise_admission::policies::expression::export;

use crate::failure::CommandFailure;
use crate::input::ReadableInput;
use crate::reviewer::read_config;
use crate::{notes, print, source};

/// The exit code if rules are left out.
const LEFT_OUT: u8 = 1;

macro_rules! policy_exit_codes {
    () => {
        "\
Exit codes:
  0  all rules are written
  1  rules are left out, each with its reason on standard error; the others are written
  2  bad input or usage, or a file that cannot be read"
    };
}

/// Each rule of `policies.expression` becomes a ValidatingAdmissionPolicy, with a binding for each mode that namespaces give
/// it. Rules that use `plan` or `context` need slicewise and are left out.
#[derive(clap::Args)]
#[command(after_help = policy_exit_codes!())]
pub(crate) struct PolicyArgs {
    /// What to do: write the rules for API servers
    #[arg(value_enum, value_name = "TASK")]
    task: PolicyTask,

    /// The webhook's configuration, JSON or YAML; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE")]
    config: Option<PathBuf>,

    /// As ValidatingAdmissionPolicies and their bindings
    #[arg(long, required = true)]
    vap: bool,

    /// How to print the objects
    #[arg(short, long, value_enum, default_value_t = PolicyOutput::Yaml)]
    output: PolicyOutput,

    /// Refuse larger inputs
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

/// What is done with the rules.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PolicyTask {
    /// Write them as objects of the API
    Export,
}

/// How the objects are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PolicyOutput {
    /// YAML, one document for each object
    Yaml,
    /// One line of JSON: a List
    Json,
}

pub(crate) fn run(arguments: &PolicyArgs) -> Result<u8, CommandFailure> {
    let PolicyTask::Export = arguments.task;
    let file = arguments.config.as_deref();
    let input = ReadableInput::open_own(
        file,
        "policy",
        arguments.max_input_bytes,
        "give a configuration",
    );
    let input = input.map_err(|failure| match file {
        Some(file) => source::within(failure, file),
        None => failure,
    })?;
    let (_, reviewer) = read_config(&input, file)?;
    let exported = export(&reviewer.config().policies.expression);
    let left_out = exported.left_out.iter();
    let left_out = left_out.map(|(name, why)| format!("rule `{name}` is left out: {why}"));
    notes::tell(&left_out.collect::<Vec<_>>());
    print::to_stdout("the policies", |output| match arguments.output {
        PolicyOutput::Yaml => exported.objects.iter().try_for_each(|object| {
            output.write_all(b"---\n")?;
            print::yaml(object, output)
        }),
        PolicyOutput::Json => {
            let list =
                serde_json::json!({"apiVersion": "v1", "kind": "List", "items": exported.objects});
            print::json(&list, output)
        }
    })?;
    Ok(if exported.left_out.is_empty() {
        0
    } else {
        LEFT_OUT
    })
}
