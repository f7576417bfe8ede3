//! The reports in a cluster: written if they differ, deleted if there is nothing to report any more.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use kube::api::{DeleteParams, ListParams, PostParams, Preconditions};
use kube::core::{ObjectList, Request, Status};
use kube::{Client, Error};
use serde::de::DeserializeOwned;
use serde_json::Value;
use slicewise_admission::reports::{MANAGED_BY, Report, ReportApi, SOURCE};
use slicewise_cluster::connect::{ClusterChoice, Connection};
use slicewise_cluster::place::NamespaceScope;
use tokio::time::timeout;

use crate::failure::CommandFailure;

/// The number of requests at a time.
const AT_A_TIME: usize = 8;
/// The number of reports per page of a list.
const PAGE: u32 = 500;

/// The reports of `slicewise` in a cluster, or in one of its namespaces.
pub(super) struct ReportStore {
    client: Client,
    scope: NamespaceScope,
    limit: Option<Duration>,
    /// The APIs of reports that the cluster has, best first.
    apis: Vec<ReportApi>,
}

/// The number of reports by what was done to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenReports {
    pub(super) created: usize,
    pub(super) updated: usize,
    pub(super) unchanged: usize,
    pub(super) deleted: usize,
}

/// What has to be done about one report.
enum ReportChange {
    Create(Box<Report>),
    /// The stored object, with what it is to say.
    Update(Box<Value>),
    Delete(Box<Value>),
}

/// One of the numbers to count a change in.
type Counter = fn(&mut WrittenReports) -> &mut usize;

/// Stored reports by namespace and name.
type Stored = BTreeMap<(String, String), Value>;

impl ReportStore {
    /// Finds out which APIs of reports the cluster has.
    ///
    /// # Errors
    /// If it has none, or cannot be asked.
    pub(super) async fn open(
        choice: ClusterChoice<'_>,
        limit: Option<Duration>,
    ) -> Result<Self, CommandFailure> {
        let Connection { client, scope, .. } = Connection::open(choice, None).await?;
        let mut store = Self {
            client,
            scope,
            limit,
            apis: Vec::new(),
        };
        for api in ReportApi::ALL {
            let path = format!("/apis/{}/{}", api.group(), api.version());
            match store.send::<Value>(request(&path)?).await {
                Ok(_) => store.apis.push(api),
                Err(RefusedReport { code: 404, .. }) => {}
                Err(refusal) => return Err(refusal.told("find out which reports it keeps")),
            }
        }
        if store.apis.is_empty() {
            let message = "the cluster keeps no reports: install the CustomResourceDefinitions of openreports.io/v1alpha1, or print the reports with -o openreports";
            return Err(CommandFailure::Cluster(message.to_owned()));
        }
        Ok(store)
    }

    /// The API to write reports of.
    pub(super) fn preferred(&self) -> ReportApi {
        self.apis.first().copied().unwrap_or(ReportApi::OpenReports)
    }

    /// Makes the stored reports say what these do. Those on other objects are deleted, and so are those of the other API,
    /// from before the cluster had the preferred one.
    ///
    /// # Errors
    /// If the reports cannot be listed, or some cannot be written; the others are.
    pub(super) async fn keep(
        &self,
        reports: Vec<Report>,
    ) -> Result<WrittenReports, CommandFailure> {
        let mut written = WrittenReports::default();
        let mut reports = Some(reports);
        let mut changes = Vec::new();
        for api in &self.apis {
            let mut stored = self.stored(*api).await?;
            for report in reports.take().into_iter().flatten() {
                match change(report, &mut stored) {
                    Some(change) => changes.push((*api, change)),
                    None => written.unchanged += 1,
                }
            }
            let rest = stored.into_values().map(Box::new).map(ReportChange::Delete);
            changes.extend(rest.map(|change| (*api, change)));
        }
        let all = changes.len();
        let done = stream::iter(changes).map(|(api, change)| self.make(api, change));
        let done: Vec<_> = done.buffered(AT_A_TIME).collect().await;
        let mut refused = Vec::new();
        for one in done {
            match one {
                Ok(Some(count)) => *count(&mut written) += 1,
                Ok(None) => {}
                Err(refusal) => refused.push(refusal),
            }
        }
        match refused.first() {
            None => Ok(written),
            Some(first) => {
                let what = format!("write {} of {all} reports that have changed", refused.len());
                Err(first.told(&what))
            }
        }
    }

    /// The reports that are ours.
    async fn stored(&self, api: ReportApi) -> Result<Stored, CommandFailure> {
        let mut stored = Stored::new();
        let cluster = matches!(self.scope, NamespaceScope::All).then_some(false);
        for is_namespaced in [true].into_iter().chain(cluster) {
            let namespace = match &self.scope {
                NamespaceScope::Namespace(name) => Some(name.as_str()),
                NamespaceScope::All => None,
            };
            let requests = Request::new(path(api, is_namespaced, namespace));
            let mut parameters = ListParams::default()
                .labels(&format!("{MANAGED_BY}={SOURCE}"))
                .limit(PAGE);
            loop {
                let request = requests.list(&parameters);
                let page: Result<ObjectList<Value>, _> = match request {
                    Ok(request) => self.send(request).await,
                    Err(error) => Err(RefusedReport::unsendable(&error)),
                };
                let told = |refusal: RefusedReport| {
                    refusal.told(&format!("list {}", api.plural(is_namespaced)))
                };
                let page = page.map_err(told)?;
                let items = page.items.into_iter();
                stored.extend(items.map(|item| (key(&item), item)));
                let next = page.metadata.continue_.filter(|next| !next.is_empty());
                let Some(next) = next else { break };
                parameters = parameters.continue_token(&next);
            }
        }
        Ok(stored)
    }

    async fn make(
        &self,
        api: ReportApi,
        change: ReportChange,
    ) -> Result<Option<Counter>, RefusedReport> {
        match change {
            ReportChange::Create(report) => {
                let (is_namespaced, namespace) = place(&report.metadata.namespace);
                let body = serde_json::to_vec(&report)
                    .map_err(|error| RefusedReport::unsendable(&error))?;
                let requests = Request::new(path(api, is_namespaced, namespace));
                let request = requests.create(&written_by(), body);
                let created = self.send_any(request).await;
                match created {
                    Err(refusal) if refusal.is_of_gone_namespace => return Ok(None),
                    Err(RefusedReport { code: 409, .. }) => {
                        let Report { kind, metadata, .. } = *report;
                        let name = metadata.name;
                        let message = format!(
                            "there is a {kind} {name} without the label {MANAGED_BY}={SOURCE}; rename or delete it"
                        );
                        return Err(RefusedReport::new(409, message));
                    }
                    other => other?,
                }
                Ok(Some(|written| &mut written.created))
            }
            ReportChange::Update(object) => {
                let (namespace, name) = key(&object);
                let (is_namespaced, namespace) = place(&namespace);
                let body = serde_json::to_vec(&object)
                    .map_err(|error| RefusedReport::unsendable(&error))?;
                let requests = Request::new(path(api, is_namespaced, namespace));
                self.send_any(requests.replace(&name, &written_by(), body))
                    .await?;
                Ok(Some(|written| &mut written.updated))
            }
            ReportChange::Delete(object) => {
                let (namespace, name) = key(&object);
                let (is_namespaced, namespace) = place(&namespace);
                let requests = Request::new(path(api, is_namespaced, namespace));
                let parameters = DeleteParams {
                    preconditions: Some(Preconditions {
                        uid: text(&object, "/metadata/uid"),
                        resource_version: text(&object, "/metadata/resourceVersion"),
                    }),
                    ..DeleteParams::default()
                };
                match self.send_any(requests.delete(&name, &parameters)).await {
                    // The garbage collector was faster.
                    Err(RefusedReport { code: 404, .. }) => {}
                    other => other?,
                }
                Ok(Some(|written| &mut written.deleted))
            }
        }
    }

    async fn send_any(
        &self,
        request: Result<hyper::Request<Vec<u8>>, kube::core::request::Error>,
    ) -> Result<(), RefusedReport> {
        let request = request.map_err(|error| RefusedReport::unsendable(&error))?;
        self.send::<Value>(request).await.map(drop)
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: hyper::Request<Vec<u8>>,
    ) -> Result<T, RefusedReport> {
        let answer = self.client.request::<T>(request);
        let answer = match self.limit {
            None => answer.await,
            Some(limit) => timeout(limit, answer).await.map_err(|_| {
                RefusedReport::new(0, "the API server has not answered in time; try again later, or give it more time with --request-timeout")
            })?,
        };
        answer.map_err(|error| match error {
            Error::Api(status) => RefusedReport {
                is_of_gone_namespace: is_of_gone_namespace(&status),
                ..RefusedReport::new(status.code, status.message)
            },
            error => RefusedReport::new(0, error.to_string()),
        })
    }
}

/// Why a request failed.
struct RefusedReport {
    /// The HTTP status; 0 if there is no answer.
    code: u16,
    message: String,
    /// The namespace has gone, or goes, since it was read; with it go its reports.
    is_of_gone_namespace: bool,
}

impl RefusedReport {
    fn new(code: u16, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            is_of_gone_namespace: false,
        }
    }

    fn unsendable(error: &dyn std::fmt::Display) -> Self {
        Self::new(0, error.to_string())
    }

    fn told(&self, what: &str) -> CommandFailure {
        let remedy = match self.code {
            403 => {
                "; allow get, list, create, update, patch and delete of reports, as the chart's ClusterRole for audits does"
            }
            409 if self.message.contains("modified") => {
                "; another audit writes the same reports: run one at a time"
            }
            _ => "",
        };
        CommandFailure::Cluster(format!("cannot {what}: {}{remedy}", self.message))
    }
}

fn is_of_gone_namespace(status: &Status) -> bool {
    let details = status.details.iter();
    let mut causes = details.clone().flat_map(|details| &details.causes);
    let mut kinds = details.map(|details| details.kind.as_str());
    match status.code {
        403 => causes.any(|cause| cause.reason == "NamespaceTerminating"),
        404 => kinds.any(|kind| kind == "namespaces"),
        _ => false,
    }
}

/// What is to be done so that the stored reports say what this one does; it is taken from them.
fn change(mut report: Report, stored: &mut Stored) -> Option<ReportChange> {
    let key = (
        report.metadata.namespace.clone(),
        report.metadata.name.clone(),
    );
    let Some(mut object) = stored.remove(&key) else {
        return Some(ReportChange::Create(Box::new(report)));
    };
    // What cannot be read is replaced.
    if let Ok(known) = serde_json::from_value::<Report>(object.clone()) {
        report.keep_times(&known);
        if report.is_stored_as(&known) {
            return None;
        }
    }
    let wanted = serde_json::to_value(&report).unwrap_or_default();
    put(&mut object, wanted);
    Some(ReportChange::Update(Box::new(object)))
}

/// Replaces the fields that a report decides on; in the metadata, others stay.
fn put(object: &mut Value, wanted: Value) {
    let (Value::Object(object), Value::Object(wanted)) = (object, wanted) else {
        return;
    };
    for (field, value) in wanted {
        match object.get_mut(&field) {
            Some(known) if field == "metadata" || field == "labels" => put(known, value),
            _ => {
                object.insert(field, value);
            }
        }
    }
}

fn written_by() -> PostParams {
    PostParams {
        field_manager: Some(SOURCE.to_owned()),
        ..PostParams::default()
    }
}

/// Whether reports in that namespace are namespaced, and where they are.
fn place(namespace: &str) -> (bool, Option<&str>) {
    let namespace = Some(namespace).filter(|namespace| !namespace.is_empty());
    (namespace.is_some(), namespace)
}

fn path(api: ReportApi, is_namespaced: bool, namespace: Option<&str>) -> String {
    let root = format!("/apis/{}/{}", api.group(), api.version());
    let plural = api.plural(is_namespaced);
    match namespace.filter(|_| is_namespaced) {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{plural}"),
        None => format!("{root}/{plural}"),
    }
}

fn request(path: &str) -> Result<hyper::Request<Vec<u8>>, CommandFailure> {
    let request = hyper::Request::get(path).body(Vec::new());
    request.map_err(|error| CommandFailure::Cluster(error.to_string()))
}

fn key(object: &Value) -> (String, String) {
    let text = |path| text(object, path).unwrap_or_default();
    (text("/metadata/namespace"), text("/metadata/name"))
}

fn text(object: &Value, path: &str) -> Option<String> {
    Some(object.pointer(path)?.as_str()?.to_owned())
}
