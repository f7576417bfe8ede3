//! Arguments of `slicewise explain`.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use slicewise::plan::explanation::{Severity, Topic};

use crate::color::Color;
use crate::options::OptionArgs;
use crate::origin::ServicesArgs;
use crate::pager::PagerArgs;

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
/// and what to do; the most severe comes first. Of several Services, those that are well are only counted.
///
/// On a terminal, lines are wrapped, and a text longer than the screen goes through `$PAGER` (`less -FRX` by default).
#[derive(clap::Args)]
#[command(after_help = explain_exit_codes!())]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) of: ServicesArgs,

    /// Only this pod
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub(crate) pod: Option<String>,

    /// Client pods, whose requests are looked at [default: requests from nodes, by CPU]
    #[arg(long, value_name = "[NAMESPACE/]SELECTOR")]
    pub(crate) clients: Option<String>,

    /// Only this topic
    #[arg(long, value_parser = topics())]
    pub(crate) about: Option<String>,

    /// Print everything: also detailed reasons, every change that would help with its effect, and
    /// the Services that are well
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Only what is of this severity or worse; the totals and the exit code still count the rest
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) severity: Option<SeverityLevel>,

    /// Exit with 1 if something is degraded or broken
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Exit with 1 if something is of this severity or worse
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<SeverityLevel>,

    /// How to print the reasons
    #[arg(short, long, value_enum, default_value_t = ExplainOutput::Text)]
    pub(crate) output: ExplainOutput,

    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) pager: PagerArgs,

    #[command(flatten)]
    pub(crate) options: OptionArgs,
}

impl ExplainArgs {
    /// Whether nothing but the verdicts of Services that are well is printed.
    pub(crate) fn is_overview(&self) -> bool {
        let is_short = matches!(self.output, ExplainOutput::Text | ExplainOutput::Wide);
        // A note can be all that makes the exit code 1.
        let counts_notes = self.fail_on == Some(SeverityLevel::Note);
        let is_of_all = self.pod.is_none() && self.about.is_none();
        is_short && is_of_all && !self.verbose && !counts_notes
    }
}

/// A severity, and what is worse.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityLevel {
    /// Clients get no answer
    Broken,
    /// A requested feature does not take effect, or part of the traffic suffers
    Degraded,
    /// Everything works now, but may not stay that way
    Risk,
    /// Any explanation
    Note,
}

impl SeverityLevel {
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
    /// Human-readable text, at most 40 lines without --verbose
    Text,
    /// A table with a line per Service
    Wide,
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
    /// Test results in XML, for CI: a test per Service, which fails if it is broken or degraded
    Junit,
}
