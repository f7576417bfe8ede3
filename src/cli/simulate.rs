//! The controller in virtual time: what happens and when, line by line in; what it does, line by line out.

use std::io::{self, Write};

use slicewise::api::{ControllerStream, Limits};

use super::args::SimulateArgs;
use super::{Failure, ndjson, source};

pub(super) fn run(arguments: &SimulateArgs) -> Result<u8, Failure> {
    let limits = Limits {
        max_input_bytes: arguments.max_input_bytes,
    };
    let source = source::open(arguments.file.as_deref(), "simulate")?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut stream = ControllerStream::default();
    let mut lines = io::BufReader::new(source);
    let code = ndjson::run(&mut lines, &mut output, limits, |line, output| {
        stream.feed(line, limits, output)
    })?;
    output
        .flush()
        .map_err(Failure::io("cannot write the answer"))?;
    Ok(code)
}
