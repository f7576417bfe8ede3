//! `slicewise plan`.

use std::io::{self, BufRead, IsTerminal as _, Write};

use clap::ValueEnum;

use slicewise::api::options::check_explained_options;
use slicewise::api::request_stream::RequestStream;
use slicewise::api::{self, Limits, NamedObject, SnapshotPlans, Warning};
use slicewise::model::{EndpointSlice, NamespacedName};
use slicewise::plan::Plan;
use slicewise::plan::commands;
use slicewise::plan::patches::PatchKind;
use slicewise::plan::request::Options;
use slicewise::{Code, Error};

use crate::arena::Arena;
use crate::color::{Color, is_colored};
use crate::failure::{CHANGES, CommandFailure};
use crate::input::{CHECKED, OBJECTS};
use crate::notes::Notes;
use crate::options::OptionArgs;
use crate::origin::{CommandInput, ServicesArgs};
use crate::pager::PagerArgs;
use crate::stream::{self, Begun, RequestInput};
use crate::unified::LineLook;
use crate::usage::{Misuse, check_ndjson, exit_codes, or_ndjson};
use crate::{ndjson, print, screen, source, summary, unified};
use slicewise_cluster::resource::OF_PLANS;

/// The input is recognized by its content: a plan request (`{"service": …, "pods": […], …}`), or Kubernetes objects as
/// `kubectl get services,pods,nodes,endpointslices -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) of: ServicesArgs,

    /// How to print the plan [default: summary at a terminal, json otherwise]
    #[arg(short, long, value_enum)]
    output: Option<Output>,

    /// Read one plan request per line, and print one plan or error per line, in order, as a stream;
    /// --max-input-bytes limits each line
    #[arg(long, conflicts_with_all = ["service", "exit_code", "FileArgs", "ClusterArgs", "selector"])]
    pub(crate) ndjson: bool,

    /// Exit with 3 if there is something to write
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Print commands even if the input is incomplete
    #[arg(long)]
    pub(crate) assume_complete: bool,

    /// Also explain the plan: `explanations` in JSON and YAML, paragraphs in a summary
    #[arg(long)]
    pub(crate) explain: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    #[command(flatten)]
    pager: PagerArgs,

    #[command(flatten)]
    pub(crate) options: OptionArgs,

    /// Also print updates as patches: json, merge, apply; --output patch uses the first of these
    /// [default there: json]
    #[arg(long, value_name = "TYPE", value_delimiter = ',', value_parser = PatchKind::ALL.map(PatchKind::name))]
    patches: Vec<String>,
}

impl PlanArgs {
    /// The maximum length of a line.
    pub(crate) fn limits(&self) -> Limits {
        stream::limits(self.of.max_input_bytes())
    }

    /// The options of the plan.
    pub(crate) fn plan_options(&self) -> Options<'_> {
        let mut options = self.options.options();
        options.explain = self.explain.then_some(true);
        let patches = self.patches.iter();
        options.patches = patches.map(|kind| kind.as_str().into()).collect();
        options
    }

    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        check_ndjson(
            self.ndjson,
            matches!(self.output, None | Some(Output::Json)),
        )
    }
}

/// How a plan is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// One line of JSON
    Json,
    /// YAML
    Yaml,
    /// The changes in the style of `kubectl diff`
    Diff,
    /// A line per Service and slice
    Summary,
    /// `kubectl` commands that apply it
    Patch,
}

impl Output {
    /// What is asked for; by default a summary for people at a terminal, and JSON for programs.
    pub(crate) fn or_default(asked: Option<Self>) -> Self {
        asked.unwrap_or_else(|| match io::stdout().is_terminal() {
            true => Self::Summary,
            false => Self::Json,
        })
    }
}

const WANTED: CommandInput = CommandInput {
    command: "plan",
    what_to_give: OBJECTS,
    resources: OF_PLANS,
    besides: &[],
};

pub(crate) fn run(arguments: &PlanArgs) -> Result<u8, CommandFailure> {
    let mut output = screen::stdout();
    let code = if arguments.ndjson {
        let limits = arguments.limits();
        let source = source::open(arguments.of.file(), WANTED.command)?;
        let mut lines = io::BufReader::new(source);
        plans(&mut lines, &mut output, arguments, limits)?
    } else {
        let (begun, service) = stream::begin_services(&arguments.of, WANTED)?;
        let has_changes = match begun {
            Begun::Request(input) => plan_request(input, arguments, service, &mut output)?,
            Begun::Objects(pieces) => {
                let (arena, mut details) = (Arena::default(), Arena::default());
                let details = arguments.explain.then_some(&mut details);
                let snapshot = pieces.read(&arena, details)?;
                snapshot.with_plans(&arguments.plan_options(), |plans, slices| {
                    write_plans(plans, slices, arguments, service, &mut output)
                })??
            }
        };
        if has_changes && arguments.exit_code {
            CHANGES
        } else {
            0
        }
    };
    output.flush().map_err(CommandFailure::io(WRITING))?;
    Ok(code)
}

pub(crate) const WRITING: &str = "cannot write the plan";
/// What is written, for messages.
pub(crate) const PLAN: &str = "the plan";

/// Notes about an input, printed beside its plans.
struct InputNotes<'w> {
    notes: Notes,
    warnings: &'w [Warning],
}

/// One of several plans, with the notes about their input.
#[derive(serde::Serialize)]
pub(crate) struct OnePlan<'p, P> {
    #[serde(flatten)]
    pub(crate) plan: &'p P,
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    pub(crate) warnings: &'p [Warning],
}

/// Prints the plan of a request; returns whether there is anything to write.
fn plan_request(
    input: RequestInput,
    arguments: &PlanArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, CommandFailure> {
    let options = arguments.plan_options();
    let print = |plan: &Plan<'_>, slices: &[EndpointSlice<'_>]| {
        asked(&arguments.of, service, [plan])?;
        let about = InputNotes {
            notes: Notes::default().decided_by(options.kubernetes),
            warnings: &[],
        };
        write(plan, &[plan], &about, slices, arguments, output)?;
        Ok(!plan.is_empty())
    };
    let input = match input {
        RequestInput::Large(large) if !arguments.explain => {
            let arena = Arena::default();
            let keeper = arena.keeper();
            let mut stream = RequestStream::new(&keeper);
            large.push_to(&mut stream)?;
            let written = stream.with_plan(&options, check_large_request, print);
            return written.map_err(or_ndjson)?;
        }
        input => input.read()?,
    };
    slicewise_diagnosis::with_plan(input.json(), &options, CHECKED, print)
        .map_err(|error| or_ndjson(input.placed(error)))?
}

/// Of a large request, only what plans need is kept.
fn check_large_request(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if options.explain == Some(true) {
        let message = "the options of a request this large cannot ask for explanations; leave `explain` out, and give --explain";
        return Err(Error::new(Code::Unsupported, message).at(format!("{path}/explain")));
    }
    check_explained_options(options, path)
}

/// Prints the plans of a snapshot; returns whether there is anything to write.
fn write_plans(
    plans: &SnapshotPlans<'_>,
    slices: &[EndpointSlice<'_>],
    arguments: &PlanArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, CommandFailure> {
    let asked = asked(&arguments.of, service, &plans.plans)?;
    let is_chosen = |plan: &&Plan<'_>| {
        let (namespace, name) = (&*plan.service.namespace, &*plan.service.name);
        asked
            .as_ref()
            .is_none_or(|asked| asked.namespace == namespace && asked.name == name)
    };
    let chosen: Vec<_> = plans.plans.iter().filter(is_chosen).collect();
    let has_changes = chosen.iter().any(|plan| !plan.is_empty());
    let about = InputNotes {
        notes: Notes::of(plans).decided_by(arguments.plan_options().kubernetes),
        warnings: &plans.warnings,
    };
    match (service, chosen.as_slice()) {
        (Some(_), [only]) => {
            let only = OnePlan {
                plan: *only,
                warnings: &plans.warnings,
            };
            write(&only, &chosen, &about, slices, arguments, output)?;
        }
        _ => write(plans, &chosen, &about, slices, arguments, output)?,
    }
    Ok(has_changes)
}

/// The Service to plan, if only one was asked for.
fn asked<'p>(
    of: &ServicesArgs,
    wanted: Option<&str>,
    plans: impl IntoIterator<Item = &'p Plan<'p>>,
) -> Result<Option<NamespacedName>, Error> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let names = plans
        .into_iter()
        .map(|plan| (&*plan.service.namespace, &*plan.service.name));
    let found = api::asked(NamedObject::Service("with a selector"), wanted, names);
    found.map(Some).map_err(|error| of.for_names(error))
}

/// Prints `whole` as data, or `plans` for people.
fn write(
    whole: &impl serde::Serialize,
    plans: &[&Plan<'_>],
    InputNotes { notes, warnings }: &InputNotes<'_>,
    slices: &[EndpointSlice<'_>],
    arguments: &PlanArgs,
    output: &mut impl Write,
) -> Result<(), CommandFailure> {
    let colored = is_colored(arguments.color);
    let result = match Output::or_default(arguments.output) {
        Output::Json => print::json(whole, output),
        Output::Yaml => print::yaml(whole, output),
        Output::Diff => {
            notes.tell(plans);
            notes.explain(plans);
            arguments.pager.show(PLAN, |output| {
                comment(notes.warnings(), output)?;
                unified::write(plans, slices, LineLook::kubectl(colored), output)
            })?;
            Ok(())
        }
        Output::Summary => {
            arguments
                .pager
                .show_wrapped(PLAN, |output| summary::write(plans, notes, colored, output))?;
            Ok(())
        }
        Output::Patch => {
            // The error says everything.
            check_complete(plans.iter().copied(), warnings, arguments.assume_complete)?;
            notes.tell(plans);
            notes.explain(plans);
            let kinds = arguments.plan_options().patch_kinds();
            let kind = kinds.first().copied().unwrap_or(PatchKind::Json);
            print::lines(&commands::script(plans, slices, kind)?, output)
        }
    };
    result.map_err(CommandFailure::io(WRITING))
}

/// Writes lines as comments, which tools that apply diffs skip.
pub(crate) fn comment(lines: &[String], output: &mut impl Write) -> io::Result<()> {
    let mut lines = lines.iter();
    lines.try_for_each(|line| writeln!(output, "# {line}"))
}

/// Refuses to write based on an incomplete input, unless it is assumed to be complete.
pub(crate) fn check_complete<'p>(
    plans: impl IntoIterator<Item = &'p Plan<'p>>,
    warnings: &[Warning],
    is_assumed: bool,
) -> Result<(), Error> {
    match api::refuse(plans, warnings) {
        Err(error) if !is_assumed => Err(insisting(&error, "prints them anyway")),
        _ => Ok(()),
    }
}

/// The same error, mentioning `--assume-complete` as the remedy.
pub(crate) fn insisting(error: &Error, instead: &str) -> Error {
    let message = format!("{}; --assume-complete {instead}", error.message());
    Error::new(error.code(), message)
}

/// One request per line in, one plan or error per line out.
fn plans(
    lines: &mut impl BufRead,
    output: &mut impl Write,
    arguments: &PlanArgs,
    limits: Limits,
) -> Result<u8, CommandFailure> {
    ndjson::run(lines, output, limits, |line, output| {
        output.extend(answer(line, arguments, limits)?);
        output.push(b'\n');
        Ok(())
    })
}

fn answer(line: &[u8], arguments: &PlanArgs, limits: Limits) -> Result<Vec<u8>, Error> {
    slicewise_diagnosis::with_plan(line, &arguments.plan_options(), limits, |plan, _| {
        serde_json::to_vec(plan)
    })?
    .map_err(|error| Error::new(Code::InvalidValue, error.to_string()))
}
