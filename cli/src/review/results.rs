//! The results of tests, in every format of verdicts.

use std::io::{self, Write};

use serde::Serialize;
use slicewise::model::text::printable;

use super::output::{SarifPlace, VerdictFormat, sarif_log, sarif_result};
use crate::failure::CommandFailure;
use crate::print::{self, xml};

/// What came of one test.
#[derive(Serialize)]
pub(super) struct TestResult {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) passed: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// Prints results; as text, in the Test Anything Protocol.
pub(super) fn print(results: &[TestResult], format: VerdictFormat) -> Result<(), CommandFailure> {
    print::to_stdout("the results", |output| match format {
        VerdictFormat::Json => results
            .iter()
            .try_for_each(|result| print::json(result, output)),
        VerdictFormat::Text => tap(results, output),
        VerdictFormat::Junit => junit(results, output),
        VerdictFormat::Sarif => {
            let failed = results.iter().filter_map(|result| {
                let message = format!("{}: {}", result.name, result.why.as_ref()?);
                let place = SarifPlace {
                    file: Some(result.file.clone()),
                    ..SarifPlace::default()
                };
                Some(sarif_result("review/test", "error", &message, place))
            });
            print::json(&sarif_log(&failed.collect::<Vec<_>>()), output)
        }
    })
}

fn tap(results: &[TestResult], output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "1..{}", results.len())?;
    for (
        number,
        TestResult {
            file, name, why, ..
        },
    ) in (1..).zip(results)
    {
        let verdict = if why.is_some() { "not ok" } else { "ok" };
        writeln!(
            output,
            "{verdict} {number} - {}",
            printable(format!("{file}: {name}"))
        )?;
        let lines = why.iter().flat_map(|why| why.lines());
        lines
            .into_iter()
            .try_for_each(|line| writeln!(output, "  {}", printable(line.to_owned())))?;
    }
    Ok(())
}

fn junit(results: &[TestResult], output: &mut impl Write) -> io::Result<()> {
    let failures = results.iter().filter(|result| !result.passed).count();
    print::junit(
        "slicewise review --test",
        [results.len(), failures, 0],
        output,
        |output| {
            for TestResult {
                file, name, why, ..
            } in results
            {
                write!(
                    output,
                    "    <testcase classname=\"{}\" name=\"{}\"",
                    xml(file),
                    xml(name)
                )?;
                match why {
                    None => writeln!(output, "/>")?,
                    Some(why) => {
                        writeln!(output, ">")?;
                        writeln!(output, "      <failure message=\"{}\"/>", xml(why))?;
                        writeln!(output, "    </testcase>")?;
                    }
                }
            }
            Ok(())
        },
    )
}
