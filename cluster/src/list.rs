//! Lists of a cluster, read page by page.
//!
//! Lists reflect the state at the time of the request: they name no version, so no lagging cache answers them. A page is
//! read completely before it is passed on. All pages belong to one version of the list; if the API server no longer has
//! that version, everything read so far, of any list, is discarded, and reading starts over.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt;
use kube::api::{GetParams, ListParams};
use kube::client::Body;
use kube::core::{Request, Status};
use serde::Deserialize;
use serde::de::IgnoredAny;
use slicewise::Code;
use tokio::runtime::Runtime;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::Error;
use crate::connect::{ClusterChoice, Connection};
use crate::place::NamespaceScope;
use crate::refusal::{self, FailedRequest};
use crate::resource::Resource;

/// The API server keeps a list's version for a few minutes. If this many lists took longer, the next will, too.
const ATTEMPTS: usize = 3;
/// How much to show of an answer that is not a list.
const MOST_SHOWN: usize = 200;
/// People wonder after this long.
const WAIT: Duration = Duration::from_secs(2);
/// The delay before a request is repeated that a busy server refused, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(4)];
/// For how long such requests are repeated if there is no limit.
const LONGEST: Duration = Duration::from_secs(300);

/// The lists to read from a cluster.
pub struct ClusterLists {
    runtime: Runtime,
    requests: Arc<ListRequests>,
    resources: &'static [Resource],
    /// Also listed, if permitted.
    besides: &'static [Resource],
    /// The optional lists that ended early, and why: they are not requested again.
    given_up: RefCell<Vec<(Resource, String)>>,
    tell: Option<fn(&str)>,
}

/// How to ask for lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListOptions<'a> {
    /// Only Services with these labels, in the form of `kubectl --selector`.
    pub selector: Option<&'a str>,
    /// Objects per page; 0 means all.
    pub chunk_size: u32,
    /// The time limit of a page, with all repetitions of its request.
    pub request_timeout: Option<Duration>,
    /// Tells people what is waited for.
    pub tell: Option<fn(&str)>,
}

/// What all requests have in common.
struct ListRequests {
    connection: Connection,
    selector: Option<String>,
    chunk_size: u32,
    request_timeout: Option<Duration>,
}

/// A page, or why there is none.
type Page = Result<Vec<u8>, ListStop>;

/// Why reading ended early.
pub enum ListStop {
    /// The API server no longer has the version that the pages so far belong to.
    Expired(Resource),
    /// The list was refused: it is forbidden, or the API server does not know the resource.
    Refused(Resource, Box<Status>),
    /// There was no answer, or the API server failed; the text says so.
    Unanswered(Resource, String),
    /// An optional list ended after its first pages; everything is read again without it.
    Shortened,
    /// Any other failure.
    Failed(Error),
}

impl From<Error> for ListStop {
    fn from(failure: Error) -> Self {
        Self::Failed(failure)
    }
}

/// Why there is no page.
enum PageStop {
    /// The server asks to try again later.
    Busy(Box<Status>),
    Other(ListStop),
}

impl From<Error> for PageStop {
    fn from(failure: Error) -> Self {
        Self::Other(failure.into())
    }
}

/// Consumes pages. Returns the token for the next page, empty after the last; `None` if the answer is not a list.
pub type Take<'t> = dyn FnMut(&[u8]) -> Result<Option<String>, slicewise::Error> + 't;

impl ClusterLists {
    /// Prepares to list these resources of a cluster, and those in `besides` if permitted.
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub fn open(
        wanted: ClusterChoice<'_>,
        options: ListOptions<'_>,
        resources: &'static [Resource],
        besides: &'static [Resource],
    ) -> Result<Self, Error> {
        let runtime = crate::runtime()?;
        // Each page has a time limit, which silence does not have to end as well.
        let connection = runtime.block_on(Connection::open(wanted, None))?;
        let requests = ListRequests {
            connection,
            selector: options.selector.map(ToOwned::to_owned),
            chunk_size: options.chunk_size,
            request_timeout: options.request_timeout,
        };
        Ok(Self {
            runtime,
            requests: Arc::new(requests),
            resources,
            besides,
            given_up: RefCell::default(),
            tell: options.tell,
        })
    }

    /// The namespace to read, unless it is all of them.
    pub fn namespace(&self) -> Option<&str> {
        match &self.requests.connection.scope {
            NamespaceScope::All => None,
            NamespaceScope::Namespace(namespace) => Some(namespace.as_str()),
        }
    }

    /// Whether a selector may leave out Services.
    pub fn is_selected(&self) -> bool {
        self.requests.selector.is_some()
    }

    /// Passes on each page in order. Returns why optional lists were left out.
    ///
    /// # Errors
    /// If required lists are refused or not answered, if one has expired, or if `take` rejects a page.
    pub fn read(&self, take: &mut Take<'_>) -> Result<Vec<String>, ListStop> {
        self.runtime.block_on(async {
            let awaited = Cell::new(None);
            let reading = self.read_all(take, &awaited);
            let mut reading = std::pin::pin!(reading);
            tokio::select! {
                biased;
                done = &mut reading => return done,
                () = sleep(WAIT) => {}
            }
            if let Some((tell, resource)) = self.tell.zip(awaited.get()) {
                let asked = self.requests.asked(resource);
                tell(&refusal::waiting(asked, &self.requests.connection.place));
            }
            reading.await
        })
    }

    async fn read_all(
        &self,
        take: &mut Take<'_>,
        awaited: &Cell<Option<Resource>>,
    ) -> Result<Vec<String>, ListStop> {
        let (_asking, firsts) = self.first_pages();
        let mut refused = Vec::new();
        let mut unanswered = self.given_up.borrow().clone();
        let mut is_required = false;
        let mut is_empty = false;
        for (number, (resource, first)) in firsts.into_iter().enumerate() {
            awaited.set(Some(resource));
            let is_optional = number >= self.resources.len();
            let first = first.await.unwrap_or_else(|_| Err(refusal::gone().into()));
            let read = match first {
                // Nothing is done without the others, and what else is refused is worth knowing.
                _ if is_required => first.map(drop),
                Err(ListStop::Unanswered(resource, why)) if is_optional => {
                    unanswered.push((resource, why));
                    Ok(())
                }
                Err(stop) => Err(stop),
                Ok(page) => {
                    is_empty |= number == 0 && has_no_items(&page);
                    match self.requests.read_rest(resource, page, take).await {
                        Err(ListStop::Unanswered(resource, why)) if is_optional => {
                            self.given_up.borrow_mut().push((resource, why));
                            Err(ListStop::Shortened)
                        }
                        read => read,
                    }
                }
            };
            match read {
                Err(ListStop::Refused(resource, status)) => {
                    refused.push((resource, status));
                    is_required |= !is_optional;
                }
                Err(_) if is_required => {}
                other => other?,
            }
        }
        let mut told = self.requests.refusals(&refused);
        if is_required {
            let first = told.swap_remove(0);
            return Err(Error::Cluster(first).into());
        }
        if is_empty {
            self.requests.check_there_may_be_any(self.resources).await?;
        }
        told.extend(self.requests.unanswered(&unanswered));
        Ok(told)
    }

    /// Requests the first page of each list, side by side: a list has the state at that time, however many pages
    /// follow. What determines slices is requested once they have been read, and so shows what is to be added to them
    /// rather than removed.
    fn first_pages(&self) -> (JoinSet<()>, Vec<(Resource, oneshot::Receiver<Page>)>) {
        let (slices_read, _) = watch::channel(false);
        let slices_read = Arc::new(slices_read);
        let mut asking = JoinSet::new();
        let mut firsts = Vec::new();
        let mut is_after_slices = false;
        let given_up = self.given_up.borrow();
        let is_given_up = |resource| given_up.iter().any(|(known, _)| *known == resource);
        let resources = self.resources.iter().chain(self.besides).copied();
        for (number, resource) in resources.enumerate() {
            if is_given_up(resource) {
                continue;
            }
            let is_required = number < self.resources.len();
            let waits = is_after_slices && (is_required || resource == Resource::Nodes);
            is_after_slices |= resource == Resource::EndpointSlices;
            let (told, first) = oneshot::channel();
            let (requests, slices_read) = (Arc::clone(&self.requests), Arc::clone(&slices_read));
            asking.spawn_on(
                async move {
                    if waits {
                        let _ = slices_read.subscribe().wait_for(|is_read| *is_read).await;
                    }
                    let page = requests.page(resource, "").await;
                    if resource == Resource::EndpointSlices {
                        slices_read.send_replace(true);
                    }
                    let _ = told.send(page);
                },
                self.runtime.handle(),
            );
            firsts.push((resource, first));
        }
        (asking, firsts)
    }

    /// Starts over if a list expires.
    ///
    /// # Errors
    /// As for `read`, or if lists keep expiring.
    pub fn attempt<T>(&self, mut read: impl FnMut() -> Result<T, ListStop>) -> Result<T, Error> {
        let mut attempts = 1;
        loop {
            match read() {
                Ok(value) => return Ok(value),
                Err(ListStop::Failed(failure)) => return Err(failure),
                Err(ListStop::Refused(resource, status)) => {
                    let told = self.requests.refusals(&[(resource, status)]);
                    return Err(Error::Cluster(told.concat()));
                }
                Err(ListStop::Unanswered(resource, why)) => {
                    let told = self.requests.unanswered(&[(resource, why)]);
                    return Err(Error::Cluster(told.concat()));
                }
                // It is not requested again, so this comes to an end.
                Err(ListStop::Shortened) => {}
                Err(ListStop::Expired(resource)) if attempts == ATTEMPTS => {
                    return Err(refusal::expired(self.requests.asked(resource), attempts));
                }
                Err(ListStop::Expired(_)) => attempts += 1,
            }
        }
    }

    /// Errors about objects have no position in a file; they name the API server instead.
    pub fn readable<T>(&self, read: Result<T, slicewise::Error>) -> Result<T, Error> {
        self.requests.readable(read)
    }
}

impl ListRequests {
    fn readable<T>(&self, read: Result<T, slicewise::Error>) -> Result<T, Error> {
        read.map_err(|error| match error.code() {
            Code::TooLarge => error.into(),
            _ => refusal::unreadable_object(&error, &self.connection.place),
        })
    }

    /// Why lists were refused: what is not allowed is told at once.
    fn refusals(&self, refused: &[(Resource, Box<Status>)]) -> Vec<String> {
        let (forbidden, others): (Vec<_>, Vec<_>) =
            refused.iter().partition(|(_, status)| status.code == 403);
        let place = &self.connection.place;
        let of_others = others.into_iter();
        let of_others = of_others
            .map(|(resource, status)| refusal::of_status(status, self.asked(*resource), place));
        let (resources, statuses): (Vec<_>, Vec<_>) = forbidden
            .into_iter()
            .map(|(resource, status)| (self.asked(*resource), status))
            .unzip();
        let first = statuses.first();
        let forbidden = first.map(|status| refusal::not_allowed(&resources, &status.message));
        forbidden.into_iter().chain(of_others).collect()
    }

    /// Which lists were not answered: those with the same reason are told at once.
    fn unanswered(&self, lists: &[(Resource, String)]) -> Vec<String> {
        let mut by_reason: Vec<(&str, Vec<FailedRequest<'_>>)> = Vec::new();
        for (resource, why) in lists {
            let asked = self.asked(*resource);
            match by_reason.iter_mut().find(|(known, _)| known == why) {
                Some((_, others)) => others.push(asked),
                None => by_reason.push((why, vec![asked])),
            }
        }
        let told = by_reason.iter();
        told.map(|(why, asked)| refusal::cannot(asked, why))
            .collect()
    }

    /// Reads the pages after the first one.
    async fn read_rest(
        &self,
        resource: Resource,
        first: Vec<u8>,
        take: &mut Take<'_>,
    ) -> Result<(), ListStop> {
        let mut page = first;
        loop {
            let taken = match take(&page) {
                Err(error) if error.code() == Code::InvalidJson => None,
                taken => self.readable(taken)?,
            };
            let Some(next) = taken else {
                let asked = self.asked(resource);
                let begins = beginning(&page);
                return Err(refusal::no_list(&begins, asked, &self.connection.place).into());
            };
            if next.is_empty() {
                return Ok(());
            }
            page = self.page(resource, &next).await?;
        }
    }

    /// Refuses a namespace that does not exist, if the account may know, and labels that no Service has.
    async fn check_there_may_be_any(&self, resources: &[Resource]) -> Result<(), Error> {
        if let NamespaceScope::Namespace(namespace) = &self.connection.scope {
            let request = Request::new("/api/v1/namespaces").get(namespace, &GetParams::default());
            let request = request.map(|request| request.map(Body::from));
            let answered = match request {
                Ok(request) => self.connection.client.send(request).await.ok(),
                Err(_) => None,
            };
            if answered.is_some_and(|response| response.status() == 404) {
                return Err(refusal::no_such_namespace(
                    namespace,
                    &self.connection.place,
                ));
            }
        }
        let is_selected = resources.first() == Some(&Resource::Services);
        match &self.selector {
            Some(selector) if is_selected => {
                let asked = self.asked(Resource::Services);
                Err(refusal::none_selected(selector, asked))
            }
            _ => Ok(()),
        }
    }

    /// A page, requested again while the server is busy, within the time limit.
    async fn page(&self, resource: Resource, token: &str) -> Page {
        let place = &self.connection.place;
        let limit = self.request_timeout.unwrap_or(LONGEST);
        let ends = Instant::now() + limit;
        let [mut pause, most] = PAUSES;
        let mut busy: Option<Box<Status>> = None;
        let unanswered = |why| Err(ListStop::Unanswered(resource, why));
        loop {
            let request = self.request(resource, token);
            let answered = match self.request_timeout {
                None => Ok(request.await),
                Some(_) => timeout_at(ends, request).await,
            };
            let status = match answered {
                Ok(Err(PageStop::Busy(status))) => status,
                Ok(Err(PageStop::Other(stop))) => return Err(stop),
                Ok(Ok(page)) => return Ok(page),
                Err(_) => {
                    let late = || refusal::late(place, limit);
                    let told = busy.map(|status| refusal::busy(&status, place));
                    return unanswered(told.unwrap_or_else(late));
                }
            };
            if Instant::now() + pause >= ends {
                return unanswered(refusal::busy(&status, place));
            }
            busy = Some(status);
            sleep(pause).await;
            pause = most.min(pause * 2);
        }
    }

    async fn request(&self, resource: Resource, token: &str) -> Result<Vec<u8>, PageStop> {
        let asked = self.asked(resource);
        let place = &self.connection.place;
        let failed = |error: kube::Error| match &error {
            kube::Error::Api(_) | kube::Error::Auth(_) | kube::Error::BuildRequest(_) => {
                ListStop::Failed(refusal::told(&error, asked, place))
            }
            _ => ListStop::Unanswered(resource, refusal::unreachable(&error, place)),
        };
        let stopped = |error| PageStop::Other(failed(error));
        let parameters = ListParams {
            label_selector: self
                .selector
                .clone()
                .filter(|_| resource == Resource::Services),
            limit: Some(self.chunk_size).filter(|size| *size > 0),
            continue_token: Some(token.to_owned()).filter(|token| !token.is_empty()),
            field_selector: resource.field_selector().map(ToOwned::to_owned),
            ..ListParams::default()
        };
        let request = Request::new(path(asked)).list(&parameters);
        let request = request.map_err(|error| stopped(kube::Error::BuildRequest(error)))?;
        let client = &self.connection.client;
        let response = client
            .send(request.map(Body::from))
            .await
            .map_err(stopped)?;
        let code = response.status().as_u16();
        let body = response.into_body().collect().await.map_err(stopped)?;
        let body = body.to_bytes();
        if code == 200 {
            return Ok(body.into());
        }
        if code == 410 && !token.is_empty() {
            return Err(PageStop::Other(ListStop::Expired(resource)));
        }
        let status = status(code, &body);
        Err(match &parameters.label_selector {
            Some(selector) if code == 400 => refusal::selector(selector, &status).into(),
            _ => match code {
                403 | 404 => PageStop::Other(ListStop::Refused(resource, Box::new(status))),
                429 | 503 | 504 => PageStop::Busy(Box::new(status)),
                500.. => PageStop::Other(ListStop::Unanswered(
                    resource,
                    refusal::answers(&status, place),
                )),
                _ => stopped(kube::Error::Api(Box::new(status))),
            },
        })
    }

    const fn asked(&self, resource: Resource) -> FailedRequest<'_> {
        FailedRequest {
            verb: "list",
            resource,
            scope: &self.connection.scope,
        }
    }
}

fn path(asked: FailedRequest<'_>) -> String {
    let (group, plural) = (asked.resource.group(), asked.resource.plural());
    let root = match group {
        "" => "/api/v1".to_owned(),
        group => format!("/apis/{group}/{}", asked.resource.version()),
    };
    match asked.namespace() {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{plural}"),
        None => format!("{root}/{plural}"),
    }
}

/// Whether a page is that of a list without objects.
fn has_no_items(page: &[u8]) -> bool {
    /// Longer than what an API server says about an empty list.
    const LONG: usize = 4096;
    #[derive(Deserialize)]
    struct Items {
        items: Vec<IgnoredAny>,
    }
    let read = |page| serde_json::from_slice(page).is_ok_and(|list: Items| list.items.is_empty());
    page.len() < LONG && read(page)
}

/// The error for an answer that is not a list.
fn status(code: u16, body: &[u8]) -> Status {
    let said = serde_json::from_slice(body).unwrap_or_else(|_| Status {
        message: beginning(body),
        ..Status::default()
    });
    Status { code, ..said }
}

/// The beginning of an answer, on one line.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body.get(..MOST_SHOWN).unwrap_or(body));
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("`{}`", words.join(" "))
}
