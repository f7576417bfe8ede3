//! `slicewise explain`.

pub(crate) mod args;

use std::io::Write;

use slicewise::plan::explanation::Severity;
use slicewise_diagnosis::{Question, explained};

use crate::arena::Arena;
use crate::color::is_colored;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, OBJECTS};
use crate::origin::CommandInput;
use crate::print;
use crate::stream::{self, Begun};
use args::{ExplainArgs, ExplainOutput, FailOn};
use slicewise_cluster::resource::{BESIDE_PLANS, OF_PLANS};

const WANTED: CommandInput = CommandInput {
    command: "explain",
    what_to_give: OBJECTS,
    resources: OF_PLANS,
    besides: BESIDE_PLANS,
};

pub(crate) fn run(arguments: &ExplainArgs) -> Result<u8, CommandFailure> {
    let (begun, service) = stream::open_services(&arguments.of, WANTED)?;
    let mut question = Question::default();
    question.service = service.map(Into::into);
    question.pod = arguments.pod.as_deref().map(Into::into);
    question.about = arguments.about.as_deref().map(Into::into);
    question.options = arguments.options.options();
    let explained = match begun {
        Begun::Whole(input) => {
            let explained = explained(input.json(), &question, CHECKED);
            explained.map_err(|error| input.placed(arguments.of.for_names(error)))?
        }
        Begun::Objects(pieces) => {
            let arena = Arena::default();
            let objects = pieces.read(&arena, true)?;
            objects
                .explained(&question)
                .map_err(|error| arguments.of.for_names(error))?
        }
    };
    print::to_stdout("the explanations", |output| match arguments.output {
        ExplainOutput::Text => {
            let text = explained.to_text(is_colored(arguments.color), arguments.verbose);
            output.write_all(text.as_bytes())
        }
        ExplainOutput::Json => print::json(&explained, output),
        ExplainOutput::Yaml => print::yaml(&explained, output),
    })?;
    let level = arguments.fail_on.map(FailOn::severity);
    let is_as_bad = |level| explained.worst().is_some_and(|worst| worst <= level);
    let level = level.or_else(|| arguments.exit_code.then_some(Severity::Degraded));
    Ok(u8::from(level.is_some_and(is_as_bad)))
}
