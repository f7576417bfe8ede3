//! The controller in virtual time: over a scenario, or over a stream of timed events.

pub(crate) mod args;
mod bundled;
mod table;
mod timeline;

use std::io::{self, Write};

use slicewise::api::Limits;
use slicewise::{Code, Error};
use slicewise_live::json::ControllerStream;
use slicewise_simulation::simulate;
use slicewise_yaml::Words;

use crate::failure::{CHANGES, CommandFailure};
use crate::input::{CHECKED, ReadableInput};
use crate::{ndjson, print, screen, source};
use args::SimulateArgs;

const SCENARIO: &str =
    "give a scenario as docs/simulation.md says, or see slicewise simulate --list";

pub(crate) fn run(arguments: &SimulateArgs) -> Result<u8, CommandFailure> {
    let mut output = screen::stdout();
    let code = if arguments.list {
        bundled::list(&mut output).map_err(CommandFailure::io("cannot write the list"))?;
        0
    } else if arguments.ndjson {
        stream(arguments, &mut output)?
    } else {
        scenario(arguments, &mut output)?
    };
    output
        .flush()
        .map_err(CommandFailure::io("cannot write the answer"))?;
    Ok(code)
}

const fn limits(arguments: &SimulateArgs) -> Limits {
    Limits::new(arguments.max_input_bytes)
}

fn stream(arguments: &SimulateArgs, output: &mut impl Write) -> Result<u8, CommandFailure> {
    let source = source::open(arguments.file.as_deref(), "simulate")?;
    let mut stream = ControllerStream::default();
    let mut lines = io::BufReader::new(source);
    let limits = limits(arguments);
    ndjson::run(&mut lines, output, limits, |line, output| {
        stream.feed(line, limits, output)
    })
}

fn scenario(arguments: &SimulateArgs, output: &mut impl Write) -> Result<u8, CommandFailure> {
    let input = read(arguments)?;
    let report = simulate(input.json(), arguments.timeline, CHECKED);
    let report = report.map_err(|error| input.placed(error))?;
    print::report(&report, arguments.output, table::write, output)
        .map_err(CommandFailure::io("cannot write the report"))?;
    let is_settled = report.end.is_converged && !report.was_cut_off;
    Ok(if arguments.exit_code && !is_settled {
        CHANGES
    } else {
        0
    })
}

fn read(arguments: &SimulateArgs) -> Result<ReadableInput, CommandFailure> {
    let Some(name) = &arguments.bundled else {
        let file = arguments.file.as_deref();
        return ReadableInput::open_own(file, "simulate", arguments.max_input_bytes, SCENARIO);
    };
    let scenario = bundled::find(name).ok_or_else(|| unknown(name))?;
    ReadableInput::read(
        Words::Texts,
        scenario.as_bytes().to_vec(),
        false,
        limits(arguments),
        SCENARIO,
    )
}

fn unknown(name: &str) -> Error {
    let message =
        format!("--bundled: there is no scenario `{name}`; `slicewise simulate --list` lists them");
    Error::new(Code::InvalidValue, message)
}
