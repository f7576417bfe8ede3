//! Lists of a cluster, read page by page.
//!
//! Lists reflect the state at the time of the request: they name no version, so no lagging cache answers them. A page is
//! read completely before it is passed on. All pages belong to one version of the list; if the API server no longer has
//! that version, everything read so far, of any list, is discarded, and reading starts over.

use std::time::Duration;

use http_body_util::BodyExt;
use kube::api::ListParams;
use kube::client::Body;
use kube::core::{Request, Status};
use slicewise::Code;
use tokio::runtime::Runtime;

use crate::Error;
use crate::connect::{ClusterChoice, Connection, Patience};
use crate::place::NamespaceScope;
use crate::refusal::{self, FailedRequest};
use crate::resource::Resource;

/// A server that sends nothing for this long is considered gone.
const SILENCE: Duration = Duration::from_secs(60);
/// The API server keeps a list's version for a few minutes. If this many lists took longer, the next will, too.
const ATTEMPTS: usize = 3;
/// How much to show of an answer that is not a list.
const MOST_SHOWN: usize = 200;

/// The lists to read from a cluster.
pub struct Lists {
    runtime: Runtime,
    connection: Connection,
    resources: &'static [Resource],
    /// Also listed, if permitted.
    besides: &'static [Resource],
    /// Only Services with these labels.
    selector: Option<String>,
    /// Objects per page; 0 means all.
    chunk_size: u32,
}

/// Why reading ended early.
pub enum ListStop {
    /// The API server no longer has the version that the pages so far belong to.
    Expired(Resource),
    /// The list was refused: it is forbidden, or the API server does not know the resource.
    Refused(Error),
    /// Any other failure.
    Failed(Error),
}

impl From<Error> for ListStop {
    fn from(failure: Error) -> Self {
        Self::Failed(failure)
    }
}

/// Consumes pages. Returns the token for the next page, empty after the last; `None` if the answer is not a list.
pub type Take<'t> = dyn FnMut(&[u8]) -> Result<Option<String>, slicewise::Error> + 't;

impl Lists {
    /// Prepares to list these resources of a cluster, and those in `besides` if permitted; only the Services that match
    /// `selector` (in the form of `kubectl --selector`); `chunk_size` objects per page, 0 for all.
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub fn open(
        wanted: ClusterChoice<'_>,
        selector: Option<&str>,
        chunk_size: u32,
        resources: &'static [Resource],
        besides: &'static [Resource],
    ) -> Result<Self, Error> {
        let runtime = crate::runtime()?;
        let patience = Patience {
            silence: Some(SILENCE),
            retry: true,
        };
        let connection = runtime.block_on(Connection::open(wanted, patience))?;
        Ok(Self {
            runtime,
            connection,
            resources,
            besides,
            selector: selector.map(ToOwned::to_owned),
            chunk_size,
        })
    }

    /// The namespace to read, unless it is all of them.
    pub const fn namespace(&self) -> Option<&str> {
        match &self.connection.scope {
            NamespaceScope::All => None,
            NamespaceScope::Namespace(namespace) => Some(namespace.as_str()),
        }
    }

    /// Whether a selector may leave out Services.
    pub const fn is_selected(&self) -> bool {
        self.selector.is_some()
    }

    /// Passes on each page in order. Returns why optional lists were left out.
    ///
    /// # Errors
    /// If a required list is refused, if one has expired, or if `take` rejects a page.
    pub fn read(&self, take: &mut Take<'_>) -> Result<Vec<String>, ListStop> {
        let mut left_out = Vec::new();
        self.runtime.block_on(async {
            for resource in self.resources {
                self.read_one(*resource, take).await?;
            }
            for resource in self.besides {
                match self.read_one(*resource, take).await {
                    Err(ListStop::Refused(error)) => left_out.push(error.to_string()),
                    other => other?,
                }
            }
            Ok(left_out)
        })
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
                Err(ListStop::Failed(failure) | ListStop::Refused(failure)) => return Err(failure),
                Err(ListStop::Expired(resource)) if attempts == ATTEMPTS => {
                    return Err(refusal::expired(self.asked(resource), attempts));
                }
                Err(ListStop::Expired(_)) => attempts += 1,
            }
        }
    }

    /// Errors about objects have no position in a file; they name the API server instead.
    pub fn readable<T>(&self, read: Result<T, slicewise::Error>) -> Result<T, Error> {
        read.map_err(|error| match error.code() {
            Code::TooLarge => error.into(),
            _ => refusal::unreadable_object(&error, &self.connection.place),
        })
    }

    async fn read_one(&self, resource: Resource, take: &mut Take<'_>) -> Result<(), ListStop> {
        let mut token = String::new();
        loop {
            let page = self.page(resource, &token).await?;
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
            token = next;
        }
    }

    async fn page(&self, resource: Resource, token: &str) -> Result<Vec<u8>, ListStop> {
        let asked = self.asked(resource);
        let failed = |error: kube::Error| refusal::told(&error, asked, &self.connection.place);
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
        let request = request.map_err(|error| failed(kube::Error::BuildRequest(error)))?;
        let client = &self.connection.client;
        let response = client.send(request.map(Body::from)).await.map_err(failed)?;
        let code = response.status().as_u16();
        let body = response.into_body().collect().await.map_err(failed)?;
        let body = body.to_bytes();
        if code == 200 {
            return Ok(body.into());
        }
        if code == 410 && !token.is_empty() {
            return Err(ListStop::Expired(resource));
        }
        let status = status(code, &body);
        Err(match &parameters.label_selector {
            Some(selector) if code == 400 => refusal::selector(selector, &status).into(),
            _ => {
                let error = failed(kube::Error::Api(Box::new(status)));
                match code {
                    403 | 404 => ListStop::Refused(error),
                    _ => ListStop::Failed(error),
                }
            }
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
        group => format!("/apis/{group}/v1"),
    };
    match asked.namespace() {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{plural}"),
        None => format!("{root}/{plural}"),
    }
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
