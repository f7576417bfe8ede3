//! Explanations: a plan request or a snapshot in, the reasons out.

mod answer;
mod details;
mod explained_input;
mod incomplete;
mod workers;

use alloc::format;
use alloc::vec::Vec;

use crate::explain::assumed_nodes::AssumedNodes;
use crate::explain::clients::ClientPods;
use crate::explain::cluster::ClusterNodes;
use crate::explain::details::ExplanationDetails;
use crate::explain::is_pod;
pub use answer::{Explained, ServiceExplained, TextForm};
pub(super) use details::{DetailsTaker, details};
use explained_input::{
    ExplainedInput, ExplainedPods, by_service, is_meant, known_of, known_slices,
};
use slicewise::api::options::check_explained_options;
use slicewise::api::prepared::Prepared;
use slicewise::api::{
    Given, InputShape, Limits, NamedObject, Snapshot, WarningCode, asked, detect, encode, input,
};
use slicewise::model::order::{Grouped, sort_by};
use slicewise::model::text::shorten;
use slicewise::model::{Named as _, NamespacedName, Pod, Service, Text};
use slicewise::plan::explanation::{Explanation, ExplanationCode, SubjectKind, Topic};
use slicewise::plan::request::Options;
use slicewise::plan::{Plan, ServiceRef};
use slicewise::reconcile::desired::StaticEndpoint;
use slicewise::slim_object;
use slicewise::topology::cache::ServiceHints;
use slicewise::topology::nodes::NodeIndex;
use slicewise::{Code, Error};
use slicewise_traffic::routing::Client;
pub use workers::{InTurn, Workers};

slim_object! {
    /// What to explain; an empty question asks about everything.
    #[derive(Clone, Debug, Default)]
    pub struct Question<'a>("question") refuse {
        /// Only this Service, as `namespace/name`, or by its name alone if that is unique.
        "service" pub service: Option<Text<'a>>;
        /// Only this pod, by its name or as `namespace/name`; all its explanations are returned.
        "pod" pub pod: Option<Text<'a>>;
        /// Only this topic: `service`, `pods`, `nodes`, `hints`, `slices` or `cost`.
        "about" pub about: Option<Text<'a>> where Topic::ALL.map(Topic::as_str);
        /// The pods of the input that requests come from: a label selector, with `namespace/` before it for those of a
        /// namespace. Default: requests come from the nodes, in proportion to their CPU.
        "clients" pub clients: Option<Text<'a>>;
        /// Options of the plan; they take precedence over those of a request.
        "options" pub options: Options<'a>;
    }
}

/// Explains a plan request or a snapshot; `question` is JSON, or empty to ask about everything.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
pub fn explain<'q>(input: &[u8], question: impl Into<Given<'q>>) -> Result<Vec<u8>, Error> {
    let given = question.into();
    let question: Question<'_> = given.read_or_default(Limits::default())?;
    topic(&question).map_err(|error| given.locate(error))?;
    encode(&explained(input, &question, Limits::default())?)
}

/// Like [`explain`], for callers that want more than JSON.
///
/// # Errors
/// Same as [`explain`].
pub fn explained(
    input: &[u8],
    question: &Question<'_>,
    limits: Limits,
) -> Result<Explained, Error> {
    let topic = topic(question)?;
    let mut explained = match detect(input) {
        InputShape::Request => of_request(input, question, limits)?,
        InputShape::Snapshot => of_snapshot(input, question, limits)?,
    };
    filter(&mut explained, question, topic);
    Ok(explained)
}

fn topic(question: &Question<'_>) -> Result<Option<Topic>, Error> {
    let Some(about) = question.about.as_deref() else {
        return Ok(None);
    };
    let found = Topic::ALL.into_iter().find(|topic| topic.as_str() == about);
    let unknown = || {
        let known = Topic::ALL.map(Topic::as_str).join(", ");
        let message = format!("about can be {known}, got `{}`", shorten(about));
        Error::new(Code::InvalidValue, message).at("/about")
    };
    found.map(Some).ok_or_else(unknown)
}

fn is_asked(question: &Question<'_>, service: &NamespacedName) -> bool {
    let names = (service.namespace.as_str(), service.name.as_str());
    let asked = question.service.as_deref();
    asked.is_none_or(|asked| asked.split_once('/') == Some(names))
}

/// The question with the Service's full name, if it gave only part of it.
fn resolved<'q>(
    question: &Question<'q>,
    services: &[NamespacedName],
    pods: &[&Pod<'_>],
) -> Result<Question<'q>, Error> {
    let mut resolved = question.clone();
    if let Some(wanted) = question.service.as_deref() {
        let names = services
            .iter()
            .map(|service| (service.namespace.as_str(), service.name.as_str()));
        let found =
            asked(NamedObject::Service(""), wanted, names).map_err(|error| error.at("/service"))?;
        resolved.service = Some(format!("{}/{}", found.namespace, found.name).into());
    }
    if let Some(wanted) = question.pod.as_deref() {
        let mut names = pods.iter().map(|pod| pod.full_name());
        // Several pods may have the same bare name: each Service looks at those in its namespace.
        if !names.any(|name| is_pod(wanted, name)) {
            let names = pods.iter().map(|pod| pod.full_name());
            asked(NamedObject::Pod, wanted, names).map_err(|error| error.at("/pod"))?;
        }
    }
    Ok(resolved)
}

/// Keeps only what was requested.
fn filter(explained: &mut Explained, question: &Question<'_>, topic: Option<Topic>) {
    let keep = |explanation: &Explanation| {
        topic.is_none_or(|topic| explanation.code.topic() == topic)
            && question.pod.as_deref().is_none_or(|pod| {
                let subject = &explanation.subject;
                subject.kind == SubjectKind::Pod && is_pod(pod, (&subject.namespace, &subject.name))
            })
    };
    explained.has_topic = topic.is_some();
    explained.cluster.retain(keep);
    for service in &mut explained.services {
        service.explanations.retain(keep);
    }
    // A pod is asked about, not every Service of its namespace that has nothing to do with it.
    let has_it = |service: &ServiceExplained| {
        let mut codes = service
            .explanations
            .iter()
            .map(|explanation| explanation.code);
        codes.any(|code| {
            !matches!(
                code,
                ExplanationCode::PodNotSelected | ExplanationCode::PodInOtherNamespace
            )
        })
    };
    let is_about_pod = question.service.is_none() && question.pod.is_some();
    if is_about_pod && explained.services.iter().any(has_it) {
        explained.services.retain(has_it);
    }
    // A Service that was named always gets its verdict.
    if question.service.is_none() && (topic.is_some() || question.pod.is_some()) {
        explained
            .services
            .retain(|service| !service.explanations.is_empty());
    }
}

fn of_request(input: &[u8], question: &Question<'_>, limits: Limits) -> Result<Explained, Error> {
    let text = input::text(input, limits)?;
    let prepared = Prepared::read(text, &question.options, check_explained_options)?;
    let request = &prepared.request;
    let endpoints = prepared.endpoints(text)?;
    let nodes = NodeIndex::new(&request.nodes);
    let details = details(text)?;
    let pods = ExplainedPods::new(&request.pods, core::iter::once(&request.service));
    let world = ExplainedInput {
        clients: clients(question, &pods.all, &nodes, &[])?,
        pods,
        slices: by_service(&request.slices),
        known: known_slices(
            &request.slices,
            &[&request.service],
            !request.slices.is_empty(),
        ),
        endpoints: &endpoints,
        cluster: &ClusterNodes::new(&request.nodes, &nodes),
        assumed: None,
        options: &request.options,
        hints: &request.state.hints,
        details: &details,
        pod: question.pod.as_deref(),
        is_overview: false,
    };
    resolved(question, &[request.service.key()], &world.pods.all)?;
    let told = world.explain(&request.service);
    Ok(Explained {
        cluster: world.cluster.explain(&[&request.service], &details),
        services: [ServiceExplained::new(request.service.key(), told)].into(),
        warnings: Vec::new(),
        has_topic: false,
        kept_out: Vec::new(),
    })
}

/// The client pods that are asked for, if any.
fn clients<'p>(
    question: &Question<'_>,
    pods: &[&'p Pod<'p>],
    nodes: &'p NodeIndex<'p>,
    named: &[Client<'p>],
) -> Result<Option<ClientPods<'p>>, Error> {
    let asked = question.clients.as_deref();
    asked
        .map(|asked| ClientPods::find(asked, pods, nodes, named))
        .transpose()
}

fn of_snapshot(input: &[u8], question: &Question<'_>, limits: Limits) -> Result<Explained, Error> {
    let text = input::text(input, limits)?;
    let snapshot = Snapshot::read(text)?;
    let details = details(text)?;
    answer(&snapshot, &details, question, false, &InTurn)
}

/// Explains a snapshot whose text is no longer available; `is_overview` leaves out what no overview shows.
pub(super) fn explain_snapshot(
    snapshot: &Snapshot<'_>,
    details: &ExplanationDetails<'_>,
    question: &Question<'_>,
    is_overview: bool,
    workers: &impl Workers,
) -> Result<Explained, Error> {
    let topic = topic(question)?;
    let mut explained = answer(snapshot, details, question, is_overview, workers)?;
    filter(&mut explained, question, topic);
    Ok(explained)
}

fn answer(
    snapshot: &Snapshot<'_>,
    details: &ExplanationDetails<'_>,
    question: &Question<'_>,
    is_overview: bool,
    workers: &impl Workers,
) -> Result<Explained, Error> {
    let is_blind = snapshot.nodes.is_empty() && !snapshot.received.has_all("Node");
    let assumed = is_blind.then(|| AssumedNodes::of(&snapshot.slices));
    let nodes = match &assumed {
        Some(assumed) => NodeIndex::kept(assumed, None),
        None => NodeIndex::new(&snapshot.nodes),
    };
    let none = ServiceHints::default();
    let pods = ExplainedPods::new(&snapshot.pods, snapshot.services.iter());
    let known = known_of(snapshot);
    let world = ExplainedInput {
        clients: clients(question, &pods.all, &nodes, &known.nodes)?,
        pods,
        slices: by_service(&snapshot.slices),
        known,
        endpoints: &[],
        cluster: &ClusterNodes::new(&snapshot.nodes, &nodes),
        assumed: assumed.as_ref(),
        options: &question.options,
        hints: &none,
        details,
        pod: question.pod.as_deref(),
        // One Service is not told in a line.
        is_overview: is_overview && snapshot.services.len() > 1,
    };
    let mut services: Vec<&Service<'_>> = snapshot.services.iter().collect();
    sort_by(&mut services, |a, b| a.key().cmp(&b.key()));
    let warnings = incomplete::warnings_of(snapshot);
    let is_cut = warnings
        .iter()
        .any(|warning| matches!(warning.code, WarningCode::CutList | WarningCode::Status));
    let orphans = if is_cut {
        Vec::new()
    } else {
        world.without_service(&services)
    };
    let keys = services.iter().map(|service| service.key());
    let keys = keys.chain(orphans.iter().map(|(service, _)| service.clone()));
    let question = &resolved(question, &keys.collect::<Vec<_>>(), &world.pods.all)?;
    // Nodes only matter to the hints of `Auto`.
    let is_concerned = |service: &Service<'_>| {
        is_asked(question, &service.key()) && service.wants_topology_hints()
    };
    let about_nodes =
        question.service.is_none() || services.iter().any(|service| is_concerned(service));
    let wanted = services.iter().copied();
    let wanted = wanted.filter(|service| is_asked(question, &service.key()));
    let wanted: Vec<&Service<'_>> = wanted.collect();
    let mut told = workers.map(&wanted, |service| (service.key(), world.explain(service)));
    let orphans = orphans.into_iter();
    let orphans = orphans.filter(|(key, said)| is_asked(question, key) && !is_meant(said, &told));
    let orphans: Vec<_> = orphans.collect();
    told.extend(orphans);
    sort_by(&mut told, |one, other| one.0.cmp(&other.0));
    let told = told.into_iter();
    Ok(Explained {
        services: told
            .map(|(service, told)| ServiceExplained::new(service, told))
            .collect(),
        cluster: if about_nodes {
            world.cluster.explain(&services, details)
        } else {
            Vec::new()
        },
        warnings,
        has_topic: false,
        kept_out: Vec::new(),
    })
}

/// Explains the plan of a request, if its options request it.
pub(super) fn explain_plan(
    text: &str,
    prepared: &Prepared<'_>,
    endpoints: &[StaticEndpoint<'_>],
    nodes: &NodeIndex<'_>,
    plan: &mut Plan<'_>,
) -> Result<(), Error> {
    let request = &prepared.request;
    if request.options.explain != Some(true) {
        return Ok(());
    }
    let world = ExplainedInput {
        pods: ExplainedPods::new(&request.pods, core::iter::once(&request.service)),
        slices: by_service(&request.slices),
        known: known_slices(
            &request.slices,
            &[&request.service],
            !request.slices.is_empty(),
        ),
        endpoints,
        cluster: &ClusterNodes::new(&request.nodes, nodes),
        assumed: None,
        options: &request.options,
        hints: &request.state.hints,
        details: &details(text)?,
        pod: None,
        is_overview: false,
        clients: None,
    };
    plan.explanations = Some(world.explain_plan(&request.service, plan).explanations);
    Ok(())
}

/// Explains the plans of a snapshot, if the options request it.
pub(super) fn explain_plans_of(
    text: &str,
    snapshot: &Snapshot<'_>,
    nodes: &NodeIndex<'_>,
    options: &Options<'_>,
    plans: &mut [Plan<'_>],
) -> Result<(), Error> {
    if options.explain == Some(true) {
        explain_plans(&details(text)?, snapshot, nodes, options, plans);
    }
    Ok(())
}

/// Explains the plans of a snapshot whose details are known, if the options request it.
pub(super) fn explain_plans(
    details: &ExplanationDetails<'_>,
    snapshot: &Snapshot<'_>,
    nodes: &NodeIndex<'_>,
    options: &Options<'_>,
    plans: &mut [Plan<'_>],
) {
    if options.explain != Some(true) {
        return;
    }
    let world = ExplainedInput {
        pods: ExplainedPods::new(&snapshot.pods, snapshot.services.iter()),
        slices: by_service(&snapshot.slices),
        known: known_of(snapshot),
        endpoints: &[],
        cluster: &ClusterNodes::new(&snapshot.nodes, nodes),
        assumed: None,
        options,
        hints: &ServiceHints::default(),
        details,
        pod: None,
        is_overview: false,
        clients: None,
    };
    let services = snapshot.services.iter();
    let services = Grouped::new(services.map(|service| (service.full_name(), service)));
    for plan in plans {
        let ServiceRef { namespace, name } = &plan.service;
        if let Some((_, service)) = services.of(&(namespace.as_str(), name.as_str())).first() {
            plan.explanations = Some(world.explain_plan(service, plan).explanations);
        }
    }
}
