//! `slicewise mirror`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use slicewise::api::{self, NamedObject};
use slicewise::model::{EndpointSlice, NamespacedName};
use slicewise::plan::Plan;
use slicewise::plan::commands;
use slicewise::plan::patches::PatchKind;
use slicewise::reconcile::EndpointsPerSlice;
use slicewise::{Code, Error};
use slicewise_sources::mirroring::MirrorPlan;
use slicewise_sources::mirroring::request::MirrorOptions;
use slicewise_sources::{MirrorPlans, with_mirror_plan};

use crate::arena::Arena;
use crate::color::{Color, is_colored};
use crate::failure::{CHANGES, CommandFailure};
use crate::input::{CHECKED, ReadableInput};
use crate::notes::Notes;
use crate::origin::{CommandInput, ServicesArgs};
use crate::pager::PagerArgs;
use crate::plan::{OnePlan, Output, PLAN, WRITING, check_complete, comment};
use crate::stream::{self, Begun};
use crate::unified::LineLook;
use crate::usage::{Misuse, check_ndjson, exit_codes, or_ndjson};
use crate::{ndjson, print, screen, source, summary, unified};
use slicewise_cluster::resource::OF_MIRRORS;

const OBJECTS: &str = "give a mirror request, or the output of `kubectl get endpoints,services,endpointslices -A -o json`";

const WANTED: CommandInput = CommandInput {
    command: "mirror",
    what_to_give: OBJECTS,
    resources: OF_MIRRORS,
    besides: &[],
};

/// The input is recognized by its content: a mirror request (`{"endpoints": …, "service": …, "slices": […]}`), or Kubernetes
/// objects as `kubectl get endpoints,services,endpointslices -A -o json` (or yaml) prints them.
#[derive(clap::Args)]
#[command(after_help = exit_codes!())]
pub(crate) struct MirrorArgs {
    #[command(flatten)]
    of: ServicesArgs,

    /// How to print the plan [default: summary at a terminal, json otherwise]
    #[arg(short, long, value_enum)]
    output: Option<Output>,

    /// Read one mirror request per line, and print one plan or error per line, in order, as a
    /// stream; --max-input-bytes limits each line
    #[arg(long, conflicts_with_all = ["service", "exit_code", "FileArgs", "ClusterArgs", "selector"])]
    ndjson: bool,

    /// Exit with 3 if there is something to write
    #[arg(long)]
    exit_code: bool,

    /// Print commands even if the input is incomplete
    #[arg(long)]
    assume_complete: bool,

    /// Colours in a diff
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    #[command(flatten)]
    pager: PagerArgs,

    /// Maximum number of mirrored addresses per subset, 1 to 1000 [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(EndpointsPerSlice::MAX)))]
    max_endpoints_per_subset: Option<u32>,
}

impl MirrorArgs {
    /// Checks combinations of arguments.
    pub(crate) fn check(&self) -> Result<(), Misuse> {
        check_ndjson(
            self.ndjson,
            matches!(self.output, None | Some(Output::Json)),
        )
    }

    fn options(&self) -> MirrorOptions {
        let mut options = MirrorOptions::default();
        options.max_endpoints_per_subset = self.max_endpoints_per_subset;
        options
    }
}

pub(crate) fn run(arguments: &MirrorArgs) -> Result<u8, CommandFailure> {
    let mut output = screen::stdout();
    let code = if arguments.ndjson {
        let source = source::open(arguments.of.file(), WANTED.command)?;
        let mut lines = io::BufReader::new(source);
        let limits = stream::limits(arguments.of.max_input_bytes());
        ndjson::run(&mut lines, &mut output, limits, |line, output| {
            let options = arguments.options();
            let answer =
                with_mirror_plan(line, options, limits, |plan, _| serde_json::to_vec(plan))?;
            output.extend(answer.map_err(no_json)?);
            output.push(b'\n');
            Ok(())
        })?
    } else {
        let (begun, service) = stream::open_services(&arguments.of, WANTED)?;
        let has_changes = match begun {
            Begun::Request(input) => mirror_request(&input, arguments, service, &mut output)?,
            Begun::Objects(pieces) => {
                let arena = Arena::default();
                let objects = pieces.read_mirrored(&arena)?;
                objects.with_plans(arguments.options(), |plans, slices| {
                    write_plans(plans, slices, arguments, service, &mut output)
                })??
            }
        };
        match has_changes && arguments.exit_code {
            true => CHANGES,
            false => 0,
        }
    };
    output.flush().map_err(CommandFailure::io(WRITING))?;
    Ok(code)
}

/// Our own values always serialise.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
pub(crate) fn no_json(error: serde_json::Error) -> Error {
    Error::new(Code::InvalidValue, error.to_string())
}

fn mirror_request(
    input: &ReadableInput,
    arguments: &MirrorArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, CommandFailure> {
    let options = arguments.options();
    let written: Result<Result<bool, CommandFailure>, Error> =
        with_mirror_plan(input.json(), options, CHECKED, |plan, slices| {
            asked(&arguments.of, service, [plan])?;
            write(plan, &[plan], None, slices, arguments, output)
        });
    written.map_err(|error| or_ndjson(input.placed(error)))?
}

/// Prints the plans of a snapshot. Returns whether there is something to write.
fn write_plans(
    plans: &MirrorPlans<'_>,
    slices: &[EndpointSlice<'_>],
    arguments: &MirrorArgs,
    service: Option<&str>,
    output: &mut impl Write,
) -> Result<bool, CommandFailure> {
    let asked = asked(&arguments.of, service, &plans.plans)?;
    let is_asked = |plan: &&MirrorPlan<'_>| {
        let mut asked = asked.iter();
        asked.all(|name| {
            let service = &plan.plan.service;
            (&*service.namespace, &*service.name) == (&*name.namespace, &*name.name)
        })
    };
    let chosen: Vec<_> = plans.plans.iter().filter(is_asked).collect();
    match (&asked, chosen.as_slice()) {
        (Some(_), [only]) => {
            let whole = OnePlan {
                plan: *only,
                warnings: &plans.warnings,
            };
            write(&whole, &chosen, Some(plans), slices, arguments, output)
        }
        _ => write(plans, &chosen, Some(plans), slices, arguments, output),
    }
}

/// The Endpoints object to plan, if only one was asked for.
fn asked<'p>(
    of: &ServicesArgs,
    service: Option<&str>,
    plans: impl IntoIterator<Item = &'p MirrorPlan<'p>>,
) -> Result<Option<NamespacedName>, Error> {
    let Some(wanted) = service else {
        return Ok(None);
    };
    let plans = plans.into_iter().map(|plan| &plan.plan.service);
    let names = plans.map(|service| (&*service.namespace, &*service.name));
    let found = api::asked(NamedObject::Service("with Endpoints"), wanted, names);
    found.map(Some).map_err(|error| of.for_names(error))
}

/// Prints `whole` as data, or `plans` for people. Returns whether there is something to write.
fn write(
    whole: &impl serde::Serialize,
    plans: &[&MirrorPlan<'_>],
    of: Option<&MirrorPlans<'_>>,
    slices: &[EndpointSlice<'_>],
    arguments: &MirrorArgs,
    output: &mut impl Write,
) -> Result<bool, CommandFailure> {
    let notes = &notes(plans, of);
    let is_of_interest = |plan: &&&MirrorPlan<'_>| plan.skipped.is_none() || !plan.plan.is_empty();
    let shown: Vec<&Plan<'_>> = plans
        .iter()
        .filter(is_of_interest)
        .map(|plan| &plan.plan)
        .collect();
    let colored = is_colored(arguments.color);
    let result = match Output::or_default(arguments.output) {
        Output::Json => print::json(whole, output),
        Output::Yaml => print::yaml(whole, output),
        Output::Diff => {
            notes.tell(&shown);
            arguments.pager.show(PLAN, |output| {
                comment(notes.warnings(), output)?;
                unified::write(&shown, slices, LineLook::kubectl(colored), output)
            })?;
            Ok(())
        }
        Output::Summary => {
            arguments.pager.show_wrapped(PLAN, |output| {
                summary::write(&shown, notes, colored, output)
            })?;
            Ok(())
        }
        Output::Patch => {
            let warnings = of.map_or(&[][..], |plans| &plans.warnings);
            check_complete(shown.iter().copied(), warnings, arguments.assume_complete)?;
            notes.tell(&shown);
            print::lines(&commands::script(&shown, slices, PatchKind::Json)?, output)
        }
    };
    result.map_err(CommandFailure::io(WRITING))?;
    Ok(shown.iter().any(|plan| !plan.is_empty()))
}

/// The number of Endpoints that are not mirrored, by reason, and of ignored objects.
fn notes(plans: &[&MirrorPlan<'_>], whole: Option<&MirrorPlans<'_>>) -> Notes {
    let mut counts = BTreeMap::new();
    for reason in plans.iter().filter_map(|plan| plan.skipped) {
        *counts.entry(reason).or_insert(0) += 1;
    }
    let skipped = counts
        .iter()
        .map(|(reason, count)| format!("{count} {reason:?}"));
    let skipped: Vec<String> = skipped.collect();
    let ignored = whole.into_iter().flat_map(|plans| plans.ignored.iter());
    let ignored: Vec<String> = ignored
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    let line =
        |what: &str, of: &[String]| (!of.is_empty()).then(|| format!("{what}: {}", of.join(", ")));
    let lines = [line("not mirrored", &skipped), line("ignored", &ignored)];
    let warnings = whole.map_or(&[][..], |plans| &plans.warnings);
    Notes::new(warnings, lines.into_iter().flatten().collect())
}
