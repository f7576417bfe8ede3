//! `slicewise lint-config`: checks webhook configurations for possible deadlocks and departures from good practice.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use slicewise::model::Timestamp;
use slicewise_lint::{LintFinding, LintSeverity, Linted};

use crate::cluster::ClusterArgs;
use crate::color::Color;
use crate::color::is_colored;
use crate::failure::CommandFailure;
use crate::input::ReadableInput;
use crate::origin::CommandInput;
use crate::origin::{FileArgs, FromCluster, Origin};
use crate::print;
use crate::review::given::objects;
use crate::screen::painted;
use slicewise_cluster::resource::Resource;

/// The exit code if a finding reaches the threshold.
const FOUND: u8 = 1;

const WANTED: CommandInput = CommandInput {
    command: "lint-config",
    what_to_give: "give the output of `kubectl get validatingwebhookconfigurations -o yaml`, or manifests",
    resources: &[
        Resource::ValidatingWebhookConfigurations,
        Resource::MutatingWebhookConfigurations,
        Resource::Namespaces,
    ],
    besides: &[],
};

macro_rules! lint_exit_codes {
    () => {
        "\
Exit codes:
  0  no finding at or above --fail-on, or no webhook configurations
  1  a finding at or above --fail-on
  2  bad input or usage, or a file that cannot be read"
    };
}

/// The input is YAML or JSON: configurations, Lists, or any manifests that contain configurations.
/// Namespaces in the input provide their labels.
#[derive(clap::Args)]
#[command(after_help = lint_exit_codes!())]
pub(crate) struct LintArgs {
    /// JSON or YAML file; `-`, or nothing, reads standard input
    #[arg(value_name = "FILE", conflicts_with = "ClusterArgs")]
    file: Option<PathBuf>,

    #[command(flatten)]
    files: FileArgs,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Exit with 1 if there is a finding of this severity or worse
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = FailOn::Warning)]
    fail_on: FailOn,

    /// The current time, to check certificates for expiry: `--now "$(date -u +%FT%TZ)"`
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<Timestamp>,

    /// How to print the findings
    #[arg(short, long, value_enum, default_value_t = LintOutput::Text)]
    output: LintOutput,

    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    /// Refuse larger inputs
    #[arg(long, value_name = "BYTES", default_value_t = slicewise::api::MAX_INPUT_BYTES)]
    max_input_bytes: usize,
}

/// The severity that fails.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// All findings
    Info,
}

impl FailOn {
    const fn severity(self) -> LintSeverity {
        match self {
            Self::Error => LintSeverity::Error,
            Self::Warning => LintSeverity::Warning,
            Self::Info => LintSeverity::Info,
        }
    }
}

fn time(text: &str) -> Result<Timestamp, String> {
    let wrong = || "not a time; write it like 2026-01-02T03:04:05Z".to_owned();
    Timestamp::parse(text).ok_or_else(wrong)
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LintOutput {
    /// Human-readable text
    Text,
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
}

pub(crate) fn run(arguments: &LintArgs) -> Result<u8, CommandFailure> {
    let origin = match arguments.cluster.is_given() {
        true => Origin::Cluster(FromCluster::all(&arguments.cluster)),
        false => arguments.files.origin(arguments.file.as_deref())?,
    };
    let input = ReadableInput::open_from(origin, WANTED, arguments.max_input_bytes)?;
    let objects = objects(input.json()).map_err(|error| input.placed(error))?;
    let objects: Vec<&str> = objects.iter().map(AsRef::as_ref).collect();
    let linted = slicewise_lint::check(&objects, arguments.now)?;
    print::to_stdout("the findings", |output| match arguments.output {
        LintOutput::Text => text(&linted, is_colored(arguments.color), output),
        LintOutput::Json => print::json(&linted, output),
        LintOutput::Yaml => print::yaml(&linted, output),
    })?;
    let counts = linted.has(arguments.fail_on.severity());
    Ok(if counts { FOUND } else { 0 })
}

fn text(linted: &Linted, is_colored: bool, output: &mut impl Write) -> io::Result<()> {
    if linted.configurations.is_empty() {
        return writeln!(
            output,
            "no webhook configurations: no write waits for a webhook"
        );
    }
    for (number, configuration) in linted.configurations.iter().enumerate() {
        if number > 0 {
            writeln!(output)?;
        }
        let (name, kind, followed, rules) = (
            &configuration.name,
            &configuration.kind,
            configuration.followed,
            configuration.rules,
        );
        writeln!(
            output,
            "{kind} {name}: follows {followed} of {rules} good practices"
        )?;
        let mut webhook = None;
        for finding in &configuration.findings {
            if webhook != Some(&finding.webhook) {
                webhook = Some(&finding.webhook);
                writeln!(output)?;
                if !finding.webhook.is_empty() {
                    writeln!(output, "webhook {}", finding.webhook)?;
                }
            }
            write_finding(finding, is_colored, output)?;
        }
    }
    Ok(())
}

fn write_finding(
    finding: &LintFinding,
    is_colored: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let severity = finding.severity.as_str();
    let color = match finding.severity {
        LintSeverity::Error => "\u{1b}[31m",
        LintSeverity::Warning => "\u{1b}[33m",
        _ => "\u{1b}[36m",
    };
    write!(output, "  ")?;
    painted(
        output,
        is_colored.then_some(color),
        format_args!("{severity}"),
    )?;
    writeln!(output, " {} ({})", finding.rule, finding.path)?;
    writeln!(output, "    {}", finding.message)?;
    writeln!(output, "    fix: {}", finding.mend)?;
    for line in finding.yaml.lines() {
        writeln!(output, "      {line}")?;
    }
    Ok(())
}
