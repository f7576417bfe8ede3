//! `slicewise explain`.

use std::io::{self, Write};

use slicewise::api::{self, Limits, Question};

use super::args::{ExplainArgs, ExplainOutput};
use super::input::{Input, OBJECTS};
use super::plan::is_colored;
use super::{Failure, source, yaml};

pub(super) fn run(arguments: &ExplainArgs) -> Result<u8, Failure> {
    let limits = Limits {
        max_input_bytes: arguments.max_input_bytes,
    };
    let file = arguments.file.as_deref();
    let bytes = source::read_all(source::open(file, "explain")?, file, limits)?;
    let input = Input::read(bytes, source::named(file).is_none(), limits, OBJECTS)?;
    let question = Question {
        service: arguments.service.as_deref().map(Into::into),
        pod: arguments.pod.as_deref().map(Into::into),
        about: arguments.about.map(|topic| topic.as_str().into()),
        options: arguments.options.options(),
    };
    // Its size was checked as it came; made JSON, it may have another.
    let unlimited = Limits {
        max_input_bytes: usize::MAX,
    };
    let explained =
        api::explained(input.json(), &question, unlimited).map_err(|error| input.placed(error))?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    let result = match arguments.output {
        ExplainOutput::Text => {
            let text = explained.to_text(is_colored(arguments.color));
            output.write_all(text.as_bytes())
        }
        ExplainOutput::Json => serde_json::to_writer(&mut output, &explained)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(output)),
        ExplainOutput::Yaml => {
            yaml::to_yaml(&explained).and_then(|yaml| output.write_all(yaml.as_bytes()))
        }
    };
    result
        .and_then(|()| output.flush())
        .map_err(Failure::io("cannot write the explanations"))?;
    Ok(0)
}
