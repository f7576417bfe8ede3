//! `slicewise explain`.

pub(crate) mod args;
mod output;

use std::mem::ManuallyDrop;

use slicewise::plan::explanation::Severity;
use slicewise_diagnosis::{Question, explained};

use crate::arena::Arena;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, OBJECTS};
use crate::origin::CommandInput;
use crate::stream::{self, Begun};
use crate::threads::Threads;
use args::{ExplainArgs, SeverityLevel};
use slicewise_cluster::resource::{BESIDE_EXPLANATIONS, OF_EXPLANATIONS};

const WANTED: CommandInput = CommandInput {
    command: "explain",
    what_to_give: OBJECTS,
    resources: OF_EXPLANATIONS,
    besides: BESIDE_EXPLANATIONS,
};

pub(crate) fn run(arguments: &ExplainArgs) -> Result<u8, CommandFailure> {
    let (begun, service) = stream::open_services(&arguments.of, WANTED)?;
    let mut question = Question::default();
    question.service = service.map(Into::into);
    question.pod = arguments.pod.as_deref().map(Into::into);
    question.about = arguments.about.as_deref().map(Into::into);
    question.clients = arguments.clients.as_deref().map(Into::into);
    question.options = arguments.options.options();
    let mut explained = match begun {
        Begun::Request(input) => {
            let explained = explained(input.json(), &question, CHECKED);
            explained.map_err(|error| input.placed(arguments.of.for_names(error)))?
        }
        Begun::Objects(pieces) => {
            let mut arenas = ManuallyDrop::new((Arena::default(), Arena::default()));
            let (arena, details) = &mut *arenas;
            // The process ends soon, which frees all of them at once.
            let objects = ManuallyDrop::new(pieces.read(arena, Some(details))?);
            let explained = match arguments.is_overview() {
                true => objects.overview(&question, &Threads),
                false => objects.explained(&question, &Threads),
            };
            explained.map_err(|error| arguments.of.for_names(error))?
        }
    };
    let worst = explained.worst();
    if let Some(level) = arguments.severity {
        explained.keep(level.severity(), question.service.is_some());
    }
    output::print(&explained, arguments, question.service.is_some())?;
    let level = arguments.fail_on.map(SeverityLevel::severity);
    let is_as_bad = |level| worst.is_some_and(|worst| worst <= level);
    let level = level.or_else(|| arguments.exit_code.then_some(Severity::Degraded));
    Ok(u8::from(level.is_some_and(is_as_bad)))
}
