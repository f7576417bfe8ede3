//! The functions by name: those of the npm package, with the same answers, and `lintConfig` of the command.
//!
//! Invariant: no rule is implemented here. Each is a function of one of the libraries, with the same bytes.

use serde_json::value::RawValue;

use slicewise::api::{detect, encode};
use slicewise::json::Raw;
use slicewise::model::Timestamp;
use slicewise::model::object::slim_object;
use slicewise::{Code, Error};

use crate::Instance;
use crate::arguments::{at, read, text, with_both};

/// How a function is called.
pub(crate) enum AbiFunction {
    /// By its input alone.
    Stateless(fn(&[u8]) -> Result<Vec<u8>, Error>),
    /// With what the instance holds.
    Stateful(fn(&mut Instance, &[u8]) -> Result<Vec<u8>, Error>),
}

use AbiFunction::{Stateful, Stateless};

/// All functions.
pub(crate) const FUNCTIONS: [(&str, AbiFunction); 33] = [
    ("version", Stateless(version)),
    ("detect", Stateless(detected)),
    ("plan", Stateless(slicewise_diagnosis::plan)),
    ("planSnapshot", Stateless(plan_snapshot)),
    ("explain", Stateless(explain)),
    ("glance", Stateless(glance)),
    ("exported", Stateless(exported)),
    ("upgrade", Stateless(upgrade)),
    ("diff", Stateless(diff)),
    ("apply", Stateless(apply)),
    ("route", Stateless(slicewise_traffic::route)),
    ("traffic", Stateless(slicewise_traffic::traffic)),
    ("mirror", Stateless(slicewise_sources::mirror)),
    (
        "mirrorSnapshot",
        Stateless(slicewise_sources::mirror_snapshot),
    ),
    (
        "kubernetesService",
        Stateless(slicewise_sources::kubernetes_service),
    ),
    ("lintConfig", Stateless(lint_config)),
    ("reviewer.open", Stateful(Instance::open_reviewer)),
    ("reviewer.configure", Stateful(Instance::configure_reviewer)),
    ("reviewer.load", Stateful(Instance::load_reviewer)),
    ("reviewer.apply", Stateful(Instance::apply_to_reviewer)),
    ("reviewer.review", Stateful(Instance::review)),
    ("reviewer.judge", Stateful(Instance::judge)),
    ("reviewer.audit", Stateful(Instance::audit)),
    ("reviewer.explain", Stateful(Instance::explain_verdict)),
    ("reviewer.status", Stateful(Instance::reviewer_status)),
    ("reviewer.close", Stateful(Instance::close_reviewer)),
    ("session.open", Stateful(Instance::open_session)),
    ("session.restore", Stateful(Instance::restore_session)),
    ("session.apply", Stateful(Instance::apply_to_session)),
    ("session.sync", Stateful(Instance::sync)),
    ("session.services", Stateful(Instance::services)),
    ("session.dump", Stateful(Instance::dump)),
    ("session.close", Stateful(Instance::close_session)),
];

slim_object! {
    /// Of `planSnapshot`.
    #[derive(Default)]
    struct SnapshotArguments<'a>("input of planSnapshot") refuse {
        "snapshot" snapshot: Option<Raw<'a>> = required;
        "options" options: Option<Raw<'a>>;
    }
}

slim_object! {
    /// Of what answers questions about an input.
    #[derive(Default)]
    struct QuestionArguments<'a>("input with a question") refuse {
        "input" input: Option<Raw<'a>> = required;
        "question" question: Option<Raw<'a>>;
    }
}

slim_object! {
    /// Of `diff`.
    #[derive(Default)]
    struct DiffArguments<'a>("input of diff") refuse {
        "before" before: Option<Raw<'a>> = required;
        "after" after: Option<Raw<'a>> = required;
    }
}

slim_object! {
    /// Of `apply`.
    #[derive(Default)]
    struct ApplyArguments<'a>("input of apply") refuse {
        "plan" plan: Option<Raw<'a>> = required;
        "slices" slices: Option<Raw<'a>> = required;
    }
}

slim_object! {
    /// Of `lintConfig`.
    #[derive(Default)]
    struct LintArguments<'a>("input of lintConfig") refuse {
        "objects" objects: Option<Raw<'a>> = required;
        "now" now: Option<Timestamp>;
    }
}

fn version(input: &[u8]) -> Result<Vec<u8>, Error> {
    if !input.trim_ascii().is_empty() {
        let message = "version takes no input; pass an empty one";
        return Err(Error::new(Code::InvalidValue, message));
    }
    encode(&env!("CARGO_PKG_VERSION"))
}

fn detected(input: &[u8]) -> Result<Vec<u8>, Error> {
    encode(&detect(input).as_str())
}

fn plan_snapshot(input: &[u8]) -> Result<Vec<u8>, Error> {
    let SnapshotArguments { snapshot, options } = read(input)?;
    with_both(
        [("/snapshot", snapshot), ("/options", options)],
        |snapshot, options| slicewise_diagnosis::plan_snapshot(snapshot, options),
    )
}

fn explain(input: &[u8]) -> Result<Vec<u8>, Error> {
    asked(input, |input, question| {
        slicewise_diagnosis::explain(input, question)
    })
}

fn glance(input: &[u8]) -> Result<Vec<u8>, Error> {
    asked(input, |input, question| {
        slicewise_diagnosis::glance(input, question)
    })
}

/// The text is a JSON string.
fn exported(input: &[u8]) -> Result<Vec<u8>, Error> {
    asked(input, |input, question| {
        let text = slicewise_diagnosis::exported(input, question)?;
        encode(&String::from_utf8_lossy(&text))
    })
}

fn upgrade(input: &[u8]) -> Result<Vec<u8>, Error> {
    asked(input, |input, question| {
        slicewise_diagnosis::upgrade(input, question)
    })
}

fn asked(
    input: &[u8],
    answer: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let QuestionArguments { input, question } = read(input)?;
    with_both([("/input", input), ("/question", question)], answer)
}

fn diff(input: &[u8]) -> Result<Vec<u8>, Error> {
    let DiffArguments { before, after } = read(input)?;
    slicewise::api::diff(text(before), text(after)).map_err(at(""))
}

fn apply(input: &[u8]) -> Result<Vec<u8>, Error> {
    let ApplyArguments { plan, slices } = read(input)?;
    slicewise_live::json::apply(text(plan), text(slices)).map_err(at(""))
}

/// An array of configurations, and of namespaces with their labels.
fn lint_config(input: &[u8]) -> Result<Vec<u8>, Error> {
    let LintArguments { objects, now } = read(input)?;
    let wrong = |_| {
        let message =
            "`objects` must be an array of Kubernetes objects; of a List, take its `items`";
        Error::new(Code::InvalidType, message).at("/objects")
    };
    let objects: Vec<&RawValue> = serde_json::from_slice(text(objects)).map_err(wrong)?;
    let objects: Vec<_> = objects.into_iter().map(RawValue::get).collect();
    let linted = slicewise_lint::check(&objects, now).map_err(at("/objects"))?;
    encode(&linted)
}
