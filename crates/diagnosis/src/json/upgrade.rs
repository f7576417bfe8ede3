//! What another version of Kubernetes changes for a request or a snapshot.

use alloc::vec::Vec;

use super::explain::details;
use crate::explain::details::ExplanationDetails;
use crate::upgrade::{Upgrade, UpgradeInput, both, refused, services};
use slicewise::api::options::check_explained_options;
use slicewise::api::prepared::Prepared;
use slicewise::api::{
    Given, InputShape, Limits, NamedObject, Snapshot, asked, detect, encode, input,
    slices_by_service,
};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::{Named as _, NamespacedName, Node, Service, Text};
use slicewise::plan::request::Options;
use slicewise::slim_object;
use slicewise::topology::nodes::{NodeFacts, NodeIndex};
use slicewise::{Code, Error};
use slicewise_traffic::routing::{Client, named_nodes, node_clients};

slim_object! {
    /// Which versions of Kubernetes to compare.
    #[derive(Clone, Debug, Default)]
    pub struct UpgradeQuestion<'a>("question") refuse {
        /// The version to go to.
        "to" pub to: Option<KubernetesVersion> as Text<'a> = required where KubernetesVersion::ALL.map(|version| version.name());
        /// Only this Service, as `namespace/name`, or by its name alone if that is unique.
        "service" pub service: Option<Text<'a>>;
        /// Options of the plans; they take precedence over those of a request. Their `kubernetes` is the version to come
        /// from.
        "options" pub options: Options<'a>;
    }
}

/// Compares what two versions of Kubernetes do with a request or a snapshot; `question` is JSON.
///
/// # Errors
/// When either cannot be read, or the question names something that does not exist.
pub fn upgrade<'q>(input: &[u8], question: impl Into<Given<'q>>) -> Result<Vec<u8>, Error> {
    let given = question.into();
    let question: UpgradeQuestion<'_> = given.read(Limits::default())?;
    check_explained_options(&question.options, "/options").map_err(|error| given.locate(error))?;
    with_upgrade(input, &question, Limits::default(), |upgrade| {
        encode(upgrade)
    })?
}

/// Like [`upgrade`], for callers that want more than JSON.
///
/// # Errors
/// Same as [`upgrade`].
pub fn with_upgrade<T>(
    input: &[u8],
    question: &UpgradeQuestion<'_>,
    limits: Limits,
    then: impl FnOnce(&Upgrade<'_>) -> T,
) -> Result<T, Error> {
    let text = input::text(input, limits)?;
    match detect(input) {
        InputShape::Request => of_request(text, question, then),
        InputShape::Snapshot => {
            let snapshot = Snapshot::read(text)?;
            of_snapshot(&snapshot, &details(text)?, question, then)
        }
    }
}

fn of_request<T>(
    text: &str,
    question: &UpgradeQuestion<'_>,
    then: impl FnOnce(&Upgrade<'_>) -> T,
) -> Result<T, Error> {
    let to = wanted(question)?;
    let prepared = Prepared::read(text, &question.options, check_explained_options)?;
    let request = &prepared.request;
    let options = both(&request.options, to);
    let nodes = NodeIndex::new(&request.nodes);
    let endpoints = prepared.endpoints(text)?;
    let plans = options.each_ref();
    let plans = plans.map(|options| [prepared.plan_with(options, &endpoints, &nodes)]);
    let is_managed = request.endpoints.is_some() || request.service.is_reconciled();
    let plans: [&[_]; 2] = match &plans {
        [before, after] if is_managed => [before, after],
        _ => [&[], &[]],
    };
    let wanted = named(question, core::iter::once(&request.service))?;
    let details = details(text)?;
    let input = UpgradeInput {
        options: &options,
        plans,
        slices: &slices_by_service(request.slices.iter()),
        details: &details,
        clients: &clients(&request.nodes, &request.slices),
    };
    Ok(then(&answer(&wanted, &input, Vec::new())))
}

/// Compares the versions over objects that were already read.
pub(super) fn of_snapshot<T>(
    snapshot: &Snapshot<'_>,
    details: &ExplanationDetails<'_>,
    question: &UpgradeQuestion<'_>,
    then: impl FnOnce(&Upgrade<'_>) -> T,
) -> Result<T, Error> {
    check_explained_options(&question.options, "/options")?;
    let options = both(&question.options, wanted(question)?);
    let wanted = named(question, snapshot.services.iter())?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    let [before, after] = options
        .each_ref()
        .map(|options| snapshot.plan(&nodes, options));
    let input = UpgradeInput {
        options: &options,
        plans: [&before.plans, &after.plans],
        slices: &slices_by_service(snapshot.slices.iter()),
        details,
        clients: &clients(&snapshot.nodes, &snapshot.slices),
    };
    Ok(then(&answer(&wanted, &input, before.warnings.clone())))
}

fn wanted(question: &UpgradeQuestion<'_>) -> Result<KubernetesVersion, Error> {
    question.to.ok_or_else(|| {
        let message = "a question needs the version of Kubernetes to go to, such as `1.38`";
        Error::new(Code::MissingField, message).at("/to")
    })
}

/// The Services that are asked for.
fn named<'s>(
    question: &UpgradeQuestion<'_>,
    services: impl Iterator<Item = &'s Service<'s>> + Clone,
) -> Result<Vec<&'s Service<'s>>, Error> {
    let Some(name) = question.service.as_deref() else {
        return Ok(services.collect());
    };
    let names = services.clone().map(|service| service.full_name());
    let found = asked(NamedObject::Service(""), name, names);
    let found: NamespacedName = found.map_err(|error| error.at("/service"))?;
    Ok(services.filter(|service| service.key() == found).collect())
}

/// The nodes that requests come from; those that slices name if no others are known.
fn clients<'n>(
    nodes: &'n [Node<'n>],
    slices: &'n [slicewise::model::EndpointSlice<'n>],
) -> Vec<Client<'n>> {
    if nodes.is_empty() {
        return named_nodes(slices);
    }
    let places = nodes.iter();
    node_clients(places.map(|node| (node.metadata.name.as_str(), NodeFacts::of(node))))
}

fn answer<'s>(
    wanted: &[&'s Service<'s>],
    input: &UpgradeInput<'s, '_>,
    warnings: Vec<slicewise::api::Warning>,
) -> Upgrade<'s> {
    let services = services(wanted.iter().copied(), input);
    let keys = || wanted.iter().map(|service| service.key());
    let proxied = keys().filter_map(|key| input.details.service(&key));
    let slices = wanted.iter();
    let slices = slices.flat_map(|service| input.slices.of(&service.full_name()));
    let versions = input.options.each_ref();
    let versions = versions.map(|options| options.kubernetes.unwrap_or_default());
    let refused = refused(proxied, slices.map(|(_, slice)| *slice), versions);
    Upgrade::new(input.options, services, refused, warnings)
}
