//! Arguments of `slicewise explain`.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use slicewise::plan::explanation::{Severity, Topic};

use crate::color::Color;
use crate::options::OptionArgs;
use crate::origin::ServicesArgs;

macro_rules! explain_exit_codes {
    () => {
        "\
Exit codes:
  0  done
  1  a finding of the severity of --fail-on or worse (only with --exit-code or --fail-on), or an I/O error while writing
  2  bad input or usage, or a file that cannot be read"
    };
}

/// The input is recognized by its content, as in `slicewise plan`. For each Service it prints the verdict in one line, then what is the case, why,
/// and what to do; the most severe comes first.
#[derive(clap::Args)]
#[command(after_help = explain_exit_codes!())]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) of: ServicesArgs,

    /// Only this pod
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub(crate) pod: Option<String>,

    /// Only this topic
    #[arg(long, value_parser = topics())]
    pub(crate) about: Option<String>,

    /// Also print detailed reasons, and every change that would help with its effect
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Exit with 1 if something is degraded or broken
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Exit with 1 if something is of this severity or worse
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailOn>,

    /// How to print the reasons
    #[arg(short, long, value_enum, default_value_t = ExplainOutput::Text)]
    pub(crate) output: ExplainOutput,

    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) options: OptionArgs,
}

/// The severity that makes the command fail.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Clients get no answer
    Broken,
    /// A requested feature does not take effect, or part of the traffic suffers
    Degraded,
    /// Everything works now, but may not stay that way
    Risk,
    /// Any explanation
    Note,
}

impl FailOn {
    /// The core's equivalent.
    pub(crate) const fn severity(self) -> Severity {
        match self {
            Self::Broken => Severity::Broken,
            Self::Degraded => Severity::Degraded,
            Self::Risk => Severity::Risk,
            Self::Note => Severity::Note,
        }
    }
}

fn topics() -> PossibleValuesParser {
    let value = |topic: Topic| PossibleValue::new(topic.as_str()).help(topic.meaning());
    Topic::ALL.map(value).into()
}

/// How reasons are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainOutput {
    /// Human-readable text
    Text,
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
}
