//! Findings as lines, and as reports to apply.

use std::io::{self, Write};

use slicewise::model::text::printable;
use slicewise::words::counted;
use slicewise_admission::reports::{Report, ReportResult, ResultKind};

use super::args::AuditOutput;
use super::judge::Audit;
use crate::failure::CommandFailure;
use crate::print;

/// Prints an audit.
pub(super) fn print(audit: &Audit, form: AuditOutput) -> Result<(), CommandFailure> {
    print::to_stdout("the findings", |output| match form {
        AuditOutput::Text => text(audit, output),
        AuditOutput::Openreports => audit.reports.iter().try_for_each(|report| {
            writeln!(output, "---")?;
            print::yaml(report, output)
        }),
        AuditOutput::OpenreportsJson => {
            let mut reports = audit.reports.iter();
            reports.try_for_each(|report| print::json(report, output))
        }
    })
}

fn text(audit: &Audit, output: &mut impl Write) -> io::Result<()> {
    for report in &audit.reports {
        for found in report.findings() {
            writeln!(output, "{}", line(report, found))?;
        }
        let counts = report.summary;
        let all = counts.fail + counts.error + counts.warn;
        let left = all - report.findings().count();
        if left > 0 {
            writeln!(output, "and {} of it", counted(left, "more finding"))?;
        }
    }
    writeln!(output, "{}", summary(audit))
}

/// `deny   Service shop/cart: policy/rule: what is wrong and how to fix it (field)`
fn line(report: &Report, found: &ReportResult) -> String {
    let verdict = match found.result {
        ResultKind::Fail => "deny",
        ResultKind::Error => "error",
        _ => "warn",
    };
    let rule = found.rule.as_deref().unwrap_or_default();
    let field = found
        .properties
        .get("field")
        .filter(|field| !field.is_empty());
    let field = field.map_or_else(String::new, |field| format!(" ({field})"));
    let (title, policy, message) = (report.scope.title(), &found.policy, &found.message);
    printable(format!(
        "{verdict:<6} {title}: {policy}/{rule}: {message}{field}"
    ))
}

/// `5 objects audited: 3 allowed, 1 with warnings, 1 denied, 0 not readable`
pub(super) fn summary(audit: &Audit) -> String {
    let [allowed, warned, denied, broken] = audit.verdicts;
    let objects = counted(audit.objects(), "object");
    format!(
        "{objects} audited: {allowed} allowed, {warned} with warnings, {denied} denied, {broken} not readable"
    )
}
