//! Plans as texts to save or copy: data, patches, commands, a report.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::plan::{with_plan, with_snapshot_plans};
use crate::report;
use slicewise::api::options::check_explained_options;
use slicewise::api::{Given, InputShape, Limits, NamedObject, asked, detect, encode, refuse};
use slicewise::json;
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, Text};
use slicewise::plan::patches::{PatchKind, Patches, PatchesByName};
use slicewise::plan::request::Options;
use slicewise::plan::{Plan, ServiceRef, SliceRef, commands};
use slicewise::slim_object;
use slicewise::{Code, Error};

slim_object! {
    /// The format in which to export plans.
    #[derive(Clone, Debug, Default)]
    pub struct ExportQuestion<'a>("question") refuse {
        /// The format: `json` and `yaml` are the plan, `patches` its writes with updates as patches, `kubectl` a shell
        /// script, and `report` Markdown.
        "form" pub form: Text<'a> = required where FORMS;
        /// Only this Service, as `namespace/name`.
        "service" pub service: Option<Text<'a>>;
        /// Options of the plan; they take precedence over those of a request. Their `patches` select the kinds of
        /// patches; by default JSON Patch.
        "options" pub options: Options<'a>;
        /// Whether `kubectl` and `patches` are allowed even though the input lacks objects that their writes depend on.
        "assumeComplete" pub assume_complete: Option<bool>;
    }
}

const FORMS: [&str; 5] = ["json", "yaml", "patches", "kubectl", "report"];

/// The writes of a plan, with updates as patches.
#[derive(Serialize)]
struct PlanPatches<'p> {
    service: &'p ServiceRef<'p>,
    create: &'p [EndpointSlice<'p>],
    patch: PatchesByName,
    delete: &'p [SliceRef<'p>],
}

/// Plans a request or a snapshot, and returns the plans in the text format that `question` asks for.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
pub fn exported<'q>(input: &[u8], question: impl Into<Given<'q>>) -> Result<Vec<u8>, Error> {
    let given = question.into();
    let question: ExportQuestion<'_> = given.read(Limits::default())?;
    let located = |error: Error| given.locate(error);
    check(&question).map_err(located)?;
    let mut options = question.options.clone();
    options.explain = Some(question.form == "report");
    let limits = Limits::default();
    match detect(input) {
        InputShape::Request => with_plan(input, &options, limits, |plan, slices| {
            let plans = chosen(&question, core::slice::from_ref(plan)).map_err(located)?;
            form(plan, &plans, slices, &question)
        })?,
        InputShape::Snapshot => with_snapshot_plans(input, &options, limits, |answer, slices| {
            let plans = chosen(&question, &answer.plans).map_err(located)?;
            let has_writes = matches!(&*question.form, "kubectl" | "patches");
            if has_writes && question.assume_complete != Some(true) {
                refuse(plans.iter().copied(), &answer.warnings)?;
            }
            match (&question.service, plans.as_slice()) {
                (Some(_), [only]) => form(*only, &plans, slices, &question),
                _ => form(answer, &plans, slices, &question),
            }
        })?,
    }
}

fn check(question: &ExportQuestion<'_>) -> Result<(), Error> {
    check_explained_options(&question.options, "/options")?;
    if FORMS.contains(&question.form.as_str()) {
        return Ok(());
    }
    let message = format!(
        "`{}` is not an export format; use one of `{}`",
        shorten(&question.form),
        FORMS.join("`, `")
    );
    Err(Error::new(Code::InvalidValue, message).at("/form"))
}

fn chosen<'p, 'a>(
    question: &ExportQuestion<'_>,
    plans: &'p [Plan<'a>],
) -> Result<Vec<&'p Plan<'a>>, Error> {
    let Some(name) = question.service.as_deref() else {
        return Ok(plans.iter().collect());
    };
    let names = plans
        .iter()
        .map(|plan| (&*plan.service.namespace, &*plan.service.name));
    let found = asked(NamedObject::Service("with a selector"), name, names);
    let found = found.map_err(|error| error.at("/service"))?;
    let is_it = |plan: &&Plan<'_>| {
        *plan.service.namespace == *found.namespace && *plan.service.name == *found.name
    };
    Ok(plans.iter().filter(is_it).collect())
}

fn form(
    whole: &impl Serialize,
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    question: &ExportQuestion<'_>,
) -> Result<Vec<u8>, Error> {
    let kinds = question.options.patch_kinds();
    let kind = kinds.first().copied().unwrap_or(PatchKind::Json);
    let text = match question.form.as_str() {
        "yaml" => json::yaml::to_yaml(whole).unwrap_or_default(),
        "kubectl" => commands::script(plans, slices, kind)?,
        "report" => report::markdown(plans),
        "patches" => {
            let patches = plans.iter().map(|plan| PlanPatches {
                service: &plan.service,
                create: &plan.create,
                patch: patched(plan, slices, kind),
                delete: &plan.delete,
            });
            return encode(&patches.collect::<Vec<_>>());
        }
        _ => return encode(whole),
    };
    Ok(text.into_bytes())
}

fn patched(plan: &Plan<'_>, slices: &[EndpointSlice<'_>], kind: PatchKind) -> PatchesByName {
    let patched: Vec<(String, Patches)> = commands::updates(plan, slices, kind)
        .map(|(slice, patches)| (slice.name().to_owned(), patches))
        .collect();
    patched.into_iter().collect()
}
