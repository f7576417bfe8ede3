//! A Service at a glance: a plan request or a snapshot in, figures and sentences out.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::detect::{Shape, detect};
use super::input::{self, Limits};
use super::plan::{Prepared, check_plan_options};
use super::snapshot::Snapshot;
use super::{encode, place};
use crate::glance::{Asked, Glance, View, glance as look};
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{AddressType, EndpointSlice, Node, Pod, Service, Text, keys};
use crate::plan::request::Options;
use crate::reconcile::desired::StaticEndpoint;
use crate::topology::cache::ServiceHints;
use crate::{Code, Error};

slim_object! {
    /// What is to be looked at.
    #[derive(Clone, Debug, Default)]
    pub struct GlanceQuestion<'a>("question") refuse {
        /// The Service, as `namespace/name`; the only one of the input if nothing is said.
        "service" pub service: Option<Text<'a>>;
        /// `IPv4` or `IPv6`; the first family of the plan if nothing is said.
        "addressType" pub address_type: Option<Text<'a>> as AddressType;
        /// What if there were so many ready endpoints? At most 1000 more or fewer than there are.
        "endpoints" pub endpoints: Option<u32>;
        /// Counts of endpoints are told from this one on. Default: 11 fewer than there are.
        "from" pub from: Option<u32>;
        /// Counts of endpoints are told up to this one, 1000 at most. Default: 11 more than there are.
        "to" pub to: Option<u32>;
        /// Options of the plan; they win over those of a request.
        "options" pub options: Options<'a>;
    }
}

/// More counts than these nobody reads.
const MOST_COUNTS: u32 = 1000;

/// Looks at a Service of a plan request or a snapshot; `question` is JSON, or empty.
///
/// # Errors
/// When either cannot be read, or asks about something that is not there.
pub fn glance(input: &[u8], question: &[u8]) -> Result<Vec<u8>, Error> {
    let text = input::text(question, Limits::default())?;
    let question = if text.trim().is_empty() {
        GlanceQuestion::default()
    } else {
        input::decode::<GlanceQuestion<'_>>(text)?
    };
    let asked = asked(&question).map_err(|error| place::locate(error, text))?;
    let located = |error: Error| place::locate(error, text);
    let glance = match detect(input) {
        Shape::Request => of_request(input, &question, &asked, &located)?,
        Shape::Snapshot => of_snapshot(input, &question, &asked, &located)?,
    };
    encode(&glance)
}

fn asked(question: &GlanceQuestion<'_>) -> Result<Asked, Error> {
    check_plan_options(&question.options, "/options")?;
    let family = match question.address_type.as_deref() {
        None => None,
        Some("IPv4") => Some(AddressType::IPv4),
        Some("IPv6") => Some(AddressType::IPv6),
        Some(other) => {
            let message = format!("addressType can be IPv4 or IPv6, got `{}`", shorten(other));
            return Err(Error::new(Code::InvalidValue, message).at("/addressType"));
        }
    };
    let counts = match (question.from, question.to) {
        (None, None) => None,
        (from, to) => {
            let from = from.unwrap_or(1);
            let to = to.unwrap_or_else(|| from.saturating_add(22));
            if to < from || to - from > MOST_COUNTS {
                let message =
                    format!("`to` must be `from` or up to {MOST_COUNTS} more, got {from} to {to}");
                return Err(Error::new(Code::InvalidValue, message).at("/to"));
            }
            Some((from.into(), to.into()))
        }
    };
    Ok(Asked {
        family,
        endpoints: question.endpoints.map(i64::from),
        counts,
    })
}

/// Places an error of the question.
type Locate<'l> = &'l dyn Fn(Error) -> Error;

fn of_request(
    input: &[u8],
    question: &GlanceQuestion<'_>,
    asked: &Asked,
    located: Locate<'_>,
) -> Result<Glance, Error> {
    let text = input::text(input, Limits::default())?;
    let prepared = Prepared::read(text, &question.options)?;
    let request = &prepared.request;
    let service = core::slice::from_ref(&request.service);
    let service = chosen(question, service).map_err(located)?;
    Given {
        text,
        service,
        pods: &request.pods,
        slices: &request.slices,
        endpoints: &prepared.endpoints(text)?,
        nodes: &request.nodes,
        options: &request.options,
        hints: &request.state.hints,
    }
    .look(asked, located)
}

fn of_snapshot(
    input: &[u8],
    question: &GlanceQuestion<'_>,
    asked: &Asked,
    located: Locate<'_>,
) -> Result<Glance, Error> {
    let text = input::text(input, Limits::default())?;
    let snapshot = Snapshot::read(text)?;
    let service = chosen(question, &snapshot.services).map_err(located)?;
    Given {
        text,
        service,
        pods: &snapshot.pods,
        slices: &snapshot.slices,
        endpoints: &[],
        nodes: &snapshot.nodes,
        options: &question.options,
        hints: &ServiceHints::default(),
    }
    .look(asked, located)
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

/// An input, and the Service that is looked at.
struct Given<'g, 'a> {
    #[cfg_attr(
        not(feature = "explain"),
        expect(dead_code, reason = "read again for traffic")
    )]
    text: &'g str,
    service: &'g Service<'a>,
    pods: &'g [Pod<'a>],
    slices: &'g [EndpointSlice<'a>],
    endpoints: &'g [StaticEndpoint<'g>],
    nodes: &'g [Node<'a>],
    options: &'g Options<'a>,
    hints: &'g ServiceHints,
}

/// More pods than these nobody adds by hand.
const MOST_STEPS: i64 = 1000;

impl Given<'_, '_> {
    fn look(&self, asked: &Asked, located: Locate<'_>) -> Result<Glance, Error> {
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
                "{count} endpoints are more than {MOST_STEPS} away from the pods there are"
            );
            return Err(located(
                Error::new(Code::TooLarge, message).at("/endpoints"),
            ));
        }
        let is_its = |slice: &&EndpointSlice<'_>| {
            is_near(&slice.metadata.namespace)
                && slice.metadata.labels.get(keys::SERVICE_NAME_LABEL) == Some(&metadata.name)
        };
        #[cfg(feature = "explain")]
        let details = super::explain::details(self.text)?;
        let view = View {
            service: self.service,
            pods,
            slices: self.slices.iter().filter(is_its).collect(),
            endpoints: self.endpoints,
            nodes: self.nodes,
            options: self.options,
            hints: self.hints,
            #[cfg(feature = "explain")]
            proxied: details.service(&self.service.key()),
        };
        Ok(look(&view, asked))
    }
}
