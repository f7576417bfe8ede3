//! A Service at a glance: a plan request or a snapshot in, figures and sentences out.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde::Serialize;

use crate::glance::{
    CountRange, Glance, GlanceRequest, HintsState, ServiceContext, glance as glance_at,
};
use slicewise::api::options::check_explained_options;
use slicewise::api::prepared::Prepared;
use slicewise::api::{Given, InputShape, Limits, Snapshot, detect, encode, input};
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, EndpointSlice, Node, Pod, Service, Text, keys};
use slicewise::plan::request::Options;
use slicewise::plan::{HintsMode, Plan};
use slicewise::reconcile::desired::StaticEndpoint;
use slicewise::slim_object;
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;
use slicewise::{Code, Error};

slim_object! {
    /// What to look at.
    #[derive(Clone, Debug, Default)]
    pub struct GlanceQuestion<'a>("question") refuse {
        /// The Service, as `namespace/name`. Default: the only one in the input.
        "service" pub service: Option<Text<'a>>;
        /// `IPv4` or `IPv6`. Default: the first family of the plan.
        "addressType" pub address_type: Option<Text<'a>> as AddressType;
        /// What if the Service requested hints in this way? `None`, `Auto`, `PreferClose`, `PreferSameZone` or
        /// `PreferSameNode`.
        "hints" pub hints: Option<Text<'a>> as HintsMode;
        /// What if there were this many ready endpoints? It may differ by at most 1000 from the number of pods in the
        /// namespace.
        "endpoints" pub endpoints: Option<u32>;
        /// The lowest endpoint count to report. Default: 11 below the current count; 1 if `to` is given.
        "from" pub from: Option<u32>;
        /// The highest endpoint count to report, at most 1000 above `from`. Default: 11 above the current count; 22 above
        /// `from` if that is given.
        "to" pub to: Option<u32>;
        /// How many endpoint counts to report, 1 to 1000, instead of `from` and `to`: the block of this width that contains
        /// the current count. Blocks start at three.
        "width" pub width: Option<u32>;
        /// Options of the plan; they take precedence over those of a request.
        "options" pub options: Options<'a>;
    }
}

/// The maximum number of counts.
const MOST_COUNTS: u32 = 1000;

/// Views a Service of a plan request or a snapshot at a glance; `question` is JSON, or empty.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
pub fn glance<'q>(input: &[u8], question: impl Into<Given<'q>>) -> Result<Vec<u8>, Error> {
    with_question(question.into(), |question, asked, located| {
        let text = input::text(input, Limits::default())?;
        match detect(input) {
            InputShape::Request => of_request(text, question, asked, located),
            InputShape::Snapshot => of_snapshot(text, question, asked, located),
        }
    })
}

/// Plans an input and views one of its Services, reading the input once. The result is a line of JSON with the output
/// of [`glance`], or `null`, and the state of each plan's hints, followed by the plan or plans as returned by
/// [`plan`](super::plan()) and [`plan_snapshot`](super::plan_snapshot). The options of the question apply to the plan.
/// If the question names no Service, or one without a plan, the first Service with writes is used, or else the first.
///
/// # Errors
/// Same as for these three.
pub fn look<'q>(input: &[u8], question: impl Into<Given<'q>>) -> Result<Vec<u8>, Error> {
    with_question(question.into(), |question, asked, located| {
        let text = input::text(input, Limits::default())?;
        match detect(input) {
            InputShape::Request => look_at_request(text, question, asked, located),
            InputShape::Snapshot => look_at_snapshot(text, question, asked, located),
        }
    })
}

fn look_at_request(
    text: &str,
    question: &GlanceQuestion<'_>,
    asked: &GlanceRequest,
    located: Locate<'_>,
) -> Result<Vec<u8>, Error> {
    let prepared = Prepared::read(text, &question.options, check_explained_options)?;
    at_request(text, &prepared, asked, located, |glance, plan| {
        both(Some(glance), core::iter::once(plan), plan)
    })
}

fn look_at_snapshot(
    text: &str,
    question: &GlanceQuestion<'_>,
    asked: &GlanceRequest,
    located: Locate<'_>,
) -> Result<Vec<u8>, Error> {
    let snapshot = Snapshot::read(text)?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    let plans = snapshot.plan(&nodes, &question.options);
    let named = |plan: &&Plan<'_>| {
        let name = question.service.as_deref();
        name.is_some_and(|name| plan.service.to_string() == name)
    };
    let planned = plans.plans.iter().find(named);
    let planned = planned.or_else(|| plans.plans.iter().find(|plan| !plan.is_empty()));
    let Some(planned) = planned.or_else(|| plans.plans.first()) else {
        return both(None, plans.plans.iter(), &plans);
    };
    let is_it = |service: &&Service<'_>| {
        let metadata = &service.metadata;
        *metadata.namespace == *planned.service.namespace && *metadata.name == *planned.service.name
    };
    let Some(service) = snapshot.services.iter().find(is_it) else {
        return both(None, plans.plans.iter(), &plans);
    };
    let hints = ServiceHints::default();
    let given = snapshot_given(text, &snapshot, service, question, &hints, &nodes);
    let glance = given.look(Some(planned), asked, located)?;
    both(Some(glance), plans.plans.iter(), &plans)
}

/// The first line, and the plans that follow it.
fn both<'p>(
    glance: Option<Glance>,
    plans: impl Iterator<Item = &'p Plan<'p>>,
    answer: &impl Serialize,
) -> Result<Vec<u8>, Error> {
    let hints = plans.map(|plan| HintsState::of(&plan.hints)).collect();
    let mut line = encode(&Looked { glance, hints })?;
    line.push(b'\n');
    line.extend(encode(answer)?);
    Ok(line)
}

/// The line before the plans.
#[derive(Serialize)]
struct Looked {
    glance: Option<Glance>,
    hints: Vec<HintsState>,
}

/// The legend of the picture of endpoints; see [`Legend`](crate::glance::Legend).
///
/// # Errors
/// When the answer refuses to be serialized, which none of its types does.
pub fn legend() -> Result<Vec<u8>, Error> {
    encode(&crate::glance::legend())
}

fn with_question<T>(
    given: Given<'_>,
    then: impl FnOnce(&GlanceQuestion<'_>, &GlanceRequest, Locate<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let question: GlanceQuestion<'_> = given.read_or_default(Limits::default())?;
    let located = |error: Error| given.locate(error);
    let asked = asked(&question).map_err(located)?;
    then(&question, &asked, &located)
}

fn asked(question: &GlanceQuestion<'_>) -> Result<GlanceRequest, Error> {
    check_explained_options(&question.options, "/options")?;
    let family = match question.address_type.as_deref() {
        None => None,
        Some(name) => Some(AddressType::named(name).ok_or_else(|| {
            let message = format!("addressType can be IPv4 or IPv6, got `{}`", shorten(name));
            Error::new(Code::InvalidValue, message).at("/addressType")
        })?),
    };
    let hints = match question.hints.as_deref() {
        None => None,
        Some(name) => Some(HintsMode::named(name).ok_or_else(|| {
            let message = format!(
                "`{}` is not a way to ask for hints; use one of `{}`",
                shorten(name),
                HintsMode::ALL.map(HintsMode::as_str).join("`, `")
            );
            Error::new(Code::InvalidValue, message).at("/hints")
        })?),
    };
    let counts = match (question.width, question.from, question.to) {
        (None, None, None) => CountRange::Around,
        (Some(width @ 1..=MOST_COUNTS), None, None) => CountRange::Block(width.into()),
        (Some(_), ..) => {
            let message = format!("`width` must be 1 to {MOST_COUNTS}, without `from` and `to`");
            return Err(Error::new(Code::InvalidValue, message).at("/width"));
        }
        (None, from, to) => {
            let from = from.unwrap_or(1);
            let to = to.unwrap_or_else(|| from.saturating_add(22));
            if to < from || to - from > MOST_COUNTS {
                let message =
                    format!("`to` must be `from` or up to {MOST_COUNTS} more, got {from} to {to}");
                return Err(Error::new(Code::InvalidValue, message).at("/to"));
            }
            CountRange::Between(from.into(), to.into())
        }
    };
    Ok(GlanceRequest {
        family,
        hints,
        endpoints: question.endpoints.map(i64::from),
        counts,
    })
}

/// Adds the position in the question to an error.
type Locate<'l> = &'l dyn Fn(Error) -> Error;

fn of_request(
    text: &str,
    question: &GlanceQuestion<'_>,
    asked: &GlanceRequest,
    located: Locate<'_>,
) -> Result<Vec<u8>, Error> {
    let prepared = Prepared::read(text, &question.options, check_explained_options)?;
    chosen(question, core::slice::from_ref(&prepared.request.service)).map_err(located)?;
    at_request(text, &prepared, asked, located, |glance, _| encode(&glance))
}

/// Plans a request and views its Service.
fn at_request(
    text: &str,
    prepared: &Prepared<'_>,
    asked: &GlanceRequest,
    located: Locate<'_>,
    then: impl FnOnce(Glance, &Plan<'_>) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let endpoints = prepared.endpoints(text)?;
    let request = &prepared.request;
    let nodes = NodeIndex::new(&request.nodes);
    let plan = prepared.plan(&endpoints, &nodes);
    let given = GlanceInput {
        text,
        service: &request.service,
        pods: &request.pods,
        slices: &request.slices,
        endpoints: &endpoints,
        nodes: &request.nodes,
        index: &nodes,
        options: &request.options,
        hints: &request.state.hints,
    };
    then(given.look(Some(&plan), asked, located)?, &plan)
}

fn of_snapshot(
    text: &str,
    question: &GlanceQuestion<'_>,
    asked: &GlanceRequest,
    located: Locate<'_>,
) -> Result<Vec<u8>, Error> {
    let snapshot = Snapshot::read(text)?;
    let service = chosen(question, &snapshot.services).map_err(located)?;
    let (hints, nodes) = (ServiceHints::default(), NodeIndex::new(&snapshot.nodes));
    let given = snapshot_given(text, &snapshot, service, question, &hints, &nodes);
    encode(&given.look(None, asked, located)?)
}

fn snapshot_given<'g, 'a>(
    text: &'g str,
    snapshot: &'g Snapshot<'a>,
    service: &'g Service<'a>,
    question: &'g GlanceQuestion<'a>,
    hints: &'g ServiceHints,
    index: &'g NodeIndex<'g>,
) -> GlanceInput<'g, 'a> {
    GlanceInput {
        text,
        service,
        pods: &snapshot.pods,
        slices: &snapshot.slices,
        endpoints: &[],
        nodes: &snapshot.nodes,
        index,
        options: &question.options,
        hints,
    }
}

fn chosen<'s, 'a>(
    question: &GlanceQuestion<'_>,
    services: &'s [Service<'a>],
) -> Result<&'s Service<'a>, Error> {
    let wrong = |message| Err(Error::new(Code::InvalidValue, message).at("/service"));
    match (question.service.as_deref(), services) {
        (None, [only]) => Ok(only),
        (None, []) => wrong("there is no Service in the input".into()),
        (None, _) => wrong("the input has several Services; name one as `namespace/name`".into()),
        (Some(name), _) => {
            let is_it = |service: &&Service<'_>| service.key().to_string() == *name;
            match services.iter().find(is_it) {
                Some(service) => Ok(service),
                None => wrong(format!(
                    "there is no Service `{}` in the input",
                    shorten(name)
                )),
            }
        }
    }
}

/// An input, and the Service to view.
struct GlanceInput<'g, 'a> {
    text: &'g str,
    service: &'g Service<'a>,
    pods: &'g [Pod<'a>],
    slices: &'g [EndpointSlice<'a>],
    endpoints: &'g [StaticEndpoint<'g>],
    nodes: &'g [Node<'a>],
    index: &'g NodeIndex<'g>,
    options: &'g Options<'a>,
    hints: &'g ServiceHints,
}

/// The maximum number of pods that can be added by hand.
const MOST_STEPS: i64 = 1000;

impl GlanceInput<'_, '_> {
    /// Views the Service, based on the given plan or a new one.
    fn look(
        &self,
        plan: Option<&Plan<'_>>,
        asked: &GlanceRequest,
        located: Locate<'_>,
    ) -> Result<Glance, Error> {
        let metadata = &self.service.metadata;
        let is_near = |namespace: &Text<'_>| *namespace == metadata.namespace;
        let pods: Vec<&Pod<'_>> = self
            .pods
            .iter()
            .filter(|pod| is_near(&pod.metadata.namespace))
            .collect();
        if let Some(count) = asked
            .endpoints
            .filter(|count| (count - pods.len() as i64).abs() > MOST_STEPS)
        {
            let message = format!(
                "{count} endpoints are more than {MOST_STEPS} away from the current number of pods"
            );
            return Err(located(
                Error::new(Code::TooLarge, message).at("/endpoints"),
            ));
        }
        let is_its = |slice: &&EndpointSlice<'_>| {
            is_near(&slice.metadata.namespace)
                && slice.metadata.labels.get(keys::SERVICE_NAME_LABEL) == Some(&metadata.name)
        };
        let details = cfg!(feature = "traffic")
            .then(|| super::explain::details(self.text))
            .transpose()?;
        let proxied = details.as_ref();
        let view = ServiceContext {
            service: self.service,
            pods,
            slices: self.slices.iter().filter(is_its).collect(),
            endpoints: self.endpoints,
            nodes: self.nodes,
            index: self.index,
            options: self.options,
            hints: self.hints,
            proxied: proxied.and_then(|details| details.service(&self.service.key())),
        };
        Ok(glance_at(&view, plan, asked))
    }
}
