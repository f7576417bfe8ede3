//! `slicewise plan`.

use std::io::{self, IsTerminal, Write};

use slicewise::Error;
use slicewise::api::{self, Shape, SnapshotPlans, Warning};
use slicewise::model::{EndpointSlice, NamespacedName};
use slicewise::plan::Plan;
use slicewise::plan::commands;
use slicewise::plan::patches::PatchKind;

use super::args::{Color, Output, PlanArgs};
use super::cluster::resource::OF_PLANS;
use super::input::{CHECKED, Input, OBJECTS};
use super::notes::Notes;
use super::route::for_service;
use super::stream::{self, Arena, Begun, Wanted};
use super::unified::Look;
use super::usage::or_ndjson;
use super::{CHANGES, Failure, ndjson, print, screen, source, summary, unified};

const WANTED: Wanted = Wanted {
    command: "plan",
    what_to_give: OBJECTS,
    resources: OF_PLANS,
};

pub(super) fn run(arguments: &PlanArgs) -> Result<u8, Failure> {
    let (origin, service) = arguments.of.resolve()?;
    let mut output = screen::stdout();
    let code = if arguments.ndjson {
        let limits = arguments.limits();
        let source = source::open(arguments.of.file(), WANTED.command)?;
        let mut lines = io::BufReader::new(source);
        ndjson::plans(&mut lines, &mut output, arguments, limits)?
    } else {
        let has_changes = match stream::open(origin, WANTED, arguments.max_input_bytes)? {
            Begun::Whole(input) => plan_once(&input, arguments, service, &mut output)?,
            Begun::Objects(pieces) => {
                let arena = Arena::default();
                let snapshot = pieces.read(&arena, arguments.explain)?;
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
    output.flush().map_err(Failure::io(WRITING))?;
    Ok(code)
}

pub(super) const WRITING: &str = "cannot write the plan";

/// What is said of an input beside its plans.
#[derive(Default)]
struct About<'w> {
    notes: Notes,
    warnings: &'w [Warning],
}

/// One of several plans, with what is to be known of their input.
#[derive(serde::Serialize)]
pub(super) struct OnePlan<'p, P> {
    #[serde(flatten)]
    pub(super) plan: &'p P,
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    pub(super) warnings: &'p [Warning],
}

/// Prints the plans of an input; is there anything to write in them?
fn plan_once(
    input: &Input,
    arguments: &PlanArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    let options = arguments.plan_options();
    let written: Result<Result<bool, Failure>, Error> = match api::detect(input.json()) {
        Shape::Request => api::with_plan(input.json(), &options, CHECKED, |plan, slices| {
            asked(service, [plan])?;
            let about = About::default();
            write(plan, &[plan], &about, slices, arguments, output)?;
            Ok(!plan.is_empty())
        }),
        Shape::Snapshot => {
            api::with_snapshot_plans(input.json(), &options, CHECKED, |plans, slices| {
                write_plans(plans, slices, arguments, service, output)
            })
        }
    };
    written.map_err(|error| or_ndjson(input.placed(error)))?
}

/// Prints the plans of a snapshot; is there anything to write in them?
fn write_plans(
    plans: &SnapshotPlans<'_>,
    slices: &[EndpointSlice<'_>],
    arguments: &PlanArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    let asked = asked(service, &plans.plans)?;
    let is_chosen = |plan: &&Plan<'_>| {
        let (namespace, name) = (&*plan.service.namespace, &*plan.service.name);
        asked
            .as_ref()
            .is_none_or(|asked| asked.namespace == namespace && asked.name == name)
    };
    let chosen: Vec<_> = plans.plans.iter().filter(is_chosen).collect();
    let has_changes = chosen.iter().any(|plan| !plan.is_empty());
    let about = About {
        notes: Notes::of(plans),
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

/// The Service whose plan is wanted, if only one is.
fn asked<'p>(
    wanted: Option<&str>,
    plans: impl IntoIterator<Item = &'p Plan<'p>>,
) -> Result<Option<NamespacedName>, Error> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let names = plans
        .into_iter()
        .map(|plan| (&*plan.service.namespace, &*plan.service.name));
    let found = api::asked("Service with a selector", wanted, names);
    found.map(Some).map_err(for_service)
}

/// Prints `whole` as data, or `plans` for people.
fn write(
    whole: &impl serde::Serialize,
    plans: &[&Plan<'_>],
    About { notes, warnings }: &About<'_>,
    slices: &[EndpointSlice<'_>],
    arguments: &PlanArgs,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let result = match arguments.output {
        Output::Json => print::json(whole, output),
        Output::Yaml => print::yaml(whole, output),
        Output::Diff => {
            comment(notes.warnings(), output).map_err(Failure::io(WRITING))?;
            notes.tell(plans);
            notes.explain(plans);
            let look = Look::kubectl(is_colored(arguments.color));
            unified::write(plans, slices, look, output)
        }
        Output::Summary => summary::write(plans, notes, is_colored(arguments.color), output),
        Output::Patch => {
            notes.tell(plans);
            notes.explain(plans);
            check_complete(plans.iter().copied(), warnings, arguments.assume_complete)?;
            let kinds = arguments.plan_options().patch_kinds();
            let kind = kinds.first().copied().unwrap_or(PatchKind::Json);
            print::lines(&commands::script(plans, slices, kind), output)
        }
    };
    result.map_err(Failure::io(WRITING))
}

/// Writes lines as comments, which tools that apply a diff pass over.
pub(super) fn comment(lines: &[String], output: &mut impl Write) -> io::Result<()> {
    let mut lines = lines.iter();
    lines.try_for_each(|line| writeln!(output, "# {line}"))
}

/// Sees to it that writes rest on all there is, unless that is taken for granted.
pub(super) fn check_complete<'p>(
    plans: impl IntoIterator<Item = &'p Plan<'p>>,
    warnings: &[Warning],
    is_assumed: bool,
) -> Result<(), Error> {
    match api::refuse(plans, warnings) {
        Err(error) if !is_assumed => {
            let message = format!(
                "{}; --assume-complete prints it all the same",
                error.message()
            );
            Err(Error::new(error.code(), message))
        }
        _ => Ok(()),
    }
}

pub(super) fn is_colored(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
