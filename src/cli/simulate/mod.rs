//! The controller in virtual time: over a scenario, or line by line over what happens and when.

mod bundled;
mod table;

use std::io::{self, Write};

use slicewise::api::{self, ControllerStream, Limits};
use slicewise::simulation::Report;
use slicewise::{Code, Error};

use super::args::{ReportOutput, SimulateArgs};
use super::input::Input;
use super::{Failure, ndjson, source, yaml};

const SCENARIO: &str =
    "give a scenario as docs/simulation.md says, or see slicewise simulate --list";

pub(super) fn run(arguments: &SimulateArgs) -> Result<u8, Failure> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    let code = if arguments.list {
        bundled::list(&mut output).map_err(Failure::io("cannot write the list"))?;
        0
    } else if arguments.ndjson {
        stream(arguments, &mut output)?
    } else {
        scenario(arguments, &mut output)?
    };
    output
        .flush()
        .map_err(Failure::io("cannot write the answer"))?;
    Ok(code)
}

const fn limits(arguments: &SimulateArgs) -> Limits {
    Limits {
        max_input_bytes: arguments.max_input_bytes,
    }
}

fn stream(arguments: &SimulateArgs, output: &mut impl Write) -> Result<u8, Failure> {
    let source = source::open(arguments.file.as_deref(), "simulate")?;
    let mut stream = ControllerStream::default();
    let mut lines = io::BufReader::new(source);
    let limits = limits(arguments);
    ndjson::run(&mut lines, output, limits, |line, output| {
        stream.feed(line, limits, output)
    })
}

fn scenario(arguments: &SimulateArgs, output: &mut impl Write) -> Result<u8, Failure> {
    let input = read(arguments)?;
    // Its size was checked as it came; made JSON, it may have another.
    let limits = Limits {
        max_input_bytes: usize::MAX,
    };
    let report = api::simulate(input.json(), arguments.timeline, limits);
    let report = report.map_err(|error| input.placed(error))?;
    print(&report, arguments.output, output).map_err(Failure::io("cannot write the report"))?;
    Ok(0)
}

fn read(arguments: &SimulateArgs) -> Result<Input, Failure> {
    let limits = limits(arguments);
    let (bytes, is_piped) = match &arguments.bundled {
        Some(name) => {
            let scenario = bundled::find(name).ok_or_else(|| unknown(name))?;
            (scenario.as_bytes().to_vec(), false)
        }
        None => {
            let file = arguments.file.as_deref();
            let source = source::open(file, "simulate")?;
            let bytes = source::read_all(source, file, limits)?;
            (bytes, source::named(file).is_none())
        }
    };
    Ok(Input::read(bytes, is_piped, limits, SCENARIO)?)
}

fn unknown(name: &str) -> Error {
    let message = format!(
        "--bundled: there is no scenario `{name}`; `slicewise simulate --list` names those there are"
    );
    Error::new(Code::InvalidValue, message)
}

fn print(report: &Report, form: ReportOutput, output: &mut impl Write) -> io::Result<()> {
    match form {
        ReportOutput::Table => table::write(report, output),
        ReportOutput::Json => {
            serde_json::to_writer(&mut *output, report)?;
            writeln!(output)
        }
        ReportOutput::Yaml => output.write_all(yaml::to_yaml(report)?.as_bytes()),
    }
}
