//! Explanations as text, tables, data and test results.

use std::io::{self, Write};

use slicewise::model::text::printable;
use slicewise::plan::ServiceRef;
use slicewise::plan::explanation::{Explanation, Severity};
use slicewise_diagnosis::explain::text::{self, TextStyle};
use slicewise_diagnosis::{Explained, ServiceExplained, TextForm};

use super::args::{ExplainArgs, ExplainOutput, SeverityLevel};
use crate::color::is_colored;
use crate::failure::CommandFailure;
use crate::pager;
use crate::print::{self, xml};

/// The lines of a short text.
const MOST_LINES: usize = 40;

pub(super) fn print(
    explained: &Explained,
    arguments: &ExplainArgs,
    is_named: bool,
) -> Result<(), CommandFailure> {
    const WHAT: &str = "the explanations";
    match arguments.output {
        ExplainOutput::Text => {
            let text = explained.formatted(form(arguments, is_named));
            arguments.pager.show_text(WHAT, text.as_bytes())
        }
        ExplainOutput::Wide => arguments.pager.show(WHAT, |table| wide(explained, table)),
        ExplainOutput::Json => print::to_stdout(WHAT, |output| print::json(explained, output)),
        ExplainOutput::Yaml => print::to_stdout(WHAT, |output| print::yaml(explained, output)),
        ExplainOutput::Junit => print::to_stdout(WHAT, |output| junit(explained, output)),
    }
}

fn form(arguments: &ExplainArgs, is_named: bool) -> TextForm {
    let mut form = TextForm::default();
    form.colored = is_colored(arguments.color);
    form.verbose = arguments.verbose;
    form.width = pager::columns();
    form.lines = (!arguments.verbose).then_some(MOST_LINES);
    form.is_overview = !is_named && arguments.pod.is_none() && arguments.about.is_none();
    form.counts_well = !arguments.verbose && arguments.severity != Some(SeverityLevel::Note);
    form
}

fn name(service: &ServiceRef<'_>) -> String {
    format!("{}/{}", service.namespace, service.name)
}

/// A line per Service, worst first.
fn wide(explained: &Explained, output: &mut impl Write) -> io::Result<()> {
    let mut services: Vec<&ServiceExplained> = explained.services.iter().collect();
    services.sort_by_key(|service| service.verdict.severity);
    let rows = services.into_iter().map(|service| {
        let cause = service.explanations.first();
        let cause = cause.filter(|cause| cause.severity < Severity::Note);
        [
            printable(name(&service.service)),
            service.verdict.severity.as_str().to_owned(),
            cause.map_or("-", |cause| cause.code.as_str()).to_owned(),
            service.verdict.text.clone(),
        ]
    });
    let head = ["SERVICE", "SEVERITY", "CAUSE", "VERDICT"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
    let width = |place: usize| {
        let cells = rows.iter().filter_map(|row| row.get(place));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let [first, second, third] = [0, 1, 2].map(width);
    for [service, severity, cause, verdict] in &rows {
        writeln!(
            output,
            "{service:first$}  {severity:second$}  {cause:third$}  {verdict}"
        )?;
    }
    Ok(())
}

/// One test per Service, and one for the nodes; it fails if something is broken or degraded.
fn junit(explained: &Explained, output: &mut impl Write) -> io::Result<()> {
    let services = explained.services.iter();
    let mut tests: Vec<JunitTest<'_>> = services
        .map(|service| JunitTest {
            class: &service.service.namespace,
            name: &service.service.name,
            severity: service.verdict.severity,
            message: &service.verdict.text,
            explanations: &service.explanations,
        })
        .collect();
    if let Some(worst) = explained.cluster.iter().min_by_key(|one| one.severity) {
        tests.push(JunitTest {
            class: "cluster",
            name: "nodes",
            severity: worst.severity,
            message: &worst.what,
            explanations: &explained.cluster,
        });
    }
    let failures = tests.iter().filter(|test| test.is_failure()).count();
    let counts = [tests.len(), failures, 0];
    print::junit("slicewise explain", counts, output, |output| {
        tests.iter().try_for_each(|test| test.write(output))?;
        if explained.warnings.is_empty() {
            return Ok(());
        }
        let messages = explained.warnings.iter().map(|warning| &*warning.message);
        let messages = xml(&messages.collect::<Vec<_>>().join("\n"));
        writeln!(output, "    <system-err>{messages}</system-err>")
    })
}

struct JunitTest<'e> {
    class: &'e str,
    name: &'e str,
    severity: Severity,
    message: &'e str,
    explanations: &'e [Explanation],
}

impl JunitTest<'_> {
    fn is_failure(&self) -> bool {
        self.severity <= Severity::Degraded
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let (class, name) = (xml(self.class), xml(self.name));
        writeln!(
            output,
            "    <testcase classname=\"{class}\" name=\"{name}\">"
        )?;
        let message = xml(self.message);
        if self.is_failure() {
            let mut told = String::new();
            text::write(self.explanations, TextStyle::default(), &mut told);
            let (severity, told) = (self.severity.as_str(), xml(told.trim_end()));
            writeln!(
                output,
                "      <failure type=\"{severity}\" message=\"{message}\">{told}</failure>"
            )?;
        } else {
            writeln!(output, "      <system-out>{message}</system-out>")?;
        }
        writeln!(output, "    </testcase>")
    }
}
