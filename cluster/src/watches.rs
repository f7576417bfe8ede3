//! The watches of the four kinds that plans depend on, as one stream.
//!
//! Lists reflect the current state, page by page: a list from a lagging cache would remove objects that already exist.
//! A slice that no longer has the requested labels is reported as deleted.

use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, select_all};
use hyper::{Request, Response};
use k8s_openapi::api::core::v1::{self as core, Node, Pod};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::ApiResource;
use kube::client::Body;
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, watcher};
use kube::{Api, Client};
use slicewise::model::kind::Kind;
use tokio::sync::mpsc;
use tower_service::Service;

use crate::place::NamespaceScope;
use crate::raw::RawObject;

/// The server ends a watch after this many seconds, and the client resumes it. This also bounds how long a dead
/// connection can go unnoticed.
const TIMEOUT: u32 = 60;
/// The maximum number of events to pass on at once.
const CHUNK: usize = 256;

/// What to watch in a cluster.
pub struct WatchTargets<'a> {
    /// The namespaces; Nodes have none.
    pub scope: &'a NamespaceScope,
    /// Only the Service of this name.
    pub service: Option<&'a str>,
    /// Only Services with these labels, in the form of `kubectl --selector`.
    pub service_selector: Option<&'a str>,
    /// Only slices with these labels.
    pub slice_selector: String,
    /// Objects per page of a list; 0 means all.
    pub chunk_size: u32,
}

/// What a watch reports.
pub type WatchReport = (Kind, Result<watcher::Event<RawObject>, watcher::Error>);

/// The events of all watches, batched when they arrive quickly.
pub fn all(client: &Client, wanted: &WatchTargets<'_>) -> BoxStream<'static, Vec<WatchReport>> {
    let streams = Kind::ALL.map(|kind| one(client, wanted, kind));
    select_all(streams).ready_chunks(CHUNK).boxed()
}

fn one(client: &Client, wanted: &WatchTargets<'_>, kind: Kind) -> BoxStream<'static, WatchReport> {
    let resource = resource(kind);
    let api: Api<RawObject> = match wanted.scope {
        NamespaceScope::Namespace(namespace) if kind != Kind::Node => {
            Api::namespaced_with(client.clone(), namespace, &resource)
        }
        _ => Api::all_with(client.clone(), &resource),
    };
    let mut config = watcher::Config::default().timeout(TIMEOUT);
    config.page_size = Some(wanted.chunk_size).filter(|size| *size > 0);
    match kind {
        Kind::Service => {
            if let Some(labels) = wanted.service_selector {
                config = config.labels(labels);
            }
            if let Some(name) = wanted.service {
                config = config.fields(&format!("metadata.name={name}"));
            }
        }
        Kind::EndpointSlice => config = config.labels(&wanted.slice_selector),
        Kind::Pod | Kind::Node => {}
    }
    let begin = move || {
        watcher(api.clone(), config.clone())
            .default_backoff()
            .boxed()
    };
    let first = begin();
    let watch = stream::unfold((first, begin), |(mut watch, begin)| async move {
        let told = watch.next().await?;
        // It would request the same version forever.
        if is_gone_at_start(&told) {
            watch = begin();
        }
        Some((told, (watch, begin)))
    });
    watch.map(move |told| (kind, told)).boxed()
}

/// Whether the server answers that it no longer has the version to watch from.
fn is_gone_at_start<T>(told: &Result<T, watcher::Error>) -> bool {
    matches!(told, Err(watcher::Error::WatchStartFailed(kube::Error::Api(status))) if status.code == GONE)
}

const GONE: u16 = 410;

/// Whether everything has to be listed again.
pub fn is_expired(error: &watcher::Error) -> bool {
    match error {
        watcher::Error::WatchError(status) => status.code == GONE,
        watcher::Error::WatchStartFailed(kube::Error::Api(status)) => status.code == GONE,
        _ => false,
    }
}

/// The API resource of a kind.
pub fn resource(kind: Kind) -> ApiResource {
    match kind {
        Kind::Service => ApiResource::erase::<core::Service>(&()),
        Kind::Pod => ApiResource::erase::<Pod>(&()),
        Kind::Node => ApiResource::erase::<Node>(&()),
        Kind::EndpointSlice => ApiResource::erase::<EndpointSlice>(&()),
    }
}

/// A client that reports each watch that the server has accepted; the watches themselves report only failures.
pub fn heard(client: Client) -> (Client, mpsc::UnboundedReceiver<Kind>) {
    let (tell, told) = mpsc::unbounded_channel();
    let namespace = client.default_namespace().to_owned();
    (Client::new(Heard { client, tell }, namespace), told)
}

#[derive(Clone)]
struct Heard {
    client: Client,
    tell: mpsc::UnboundedSender<Kind>,
}

impl Service<Request<Body>> for Heard {
    type Response = Response<Body>;
    type Error = kube::Error;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        // The client itself checks whether it can take a request.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self { client, tell } = self.clone();
        Box::pin(async move {
            let kind = watched(request.uri());
            let answer = client.send(request).await?;
            if let Some(kind) = kind.filter(|_| answer.status().is_success()) {
                // The receiver may be gone.
                let _ = tell.send(kind);
            }
            Ok(answer)
        })
    }
}

/// The kind that a request watches, if it is a watch.
fn watched(uri: &hyper::Uri) -> Option<Kind> {
    let is_watch = uri.query()?.split('&').any(|part| part == "watch=true");
    let last = uri.path().rsplit('/').next().filter(|_| is_watch)?;
    Kind::ALL
        .into_iter()
        .find(|kind| resource(*kind).plural == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(uri: &str, expected: Option<Kind>) {
        assert_eq!(watched(&uri.parse().unwrap()), expected);
    }

    #[test]
    fn watches_are_told_from_lists() {
        check("/api/v1/pods?&limit=500", None);
        check(
            "/api/v1/pods?&watch=true&timeoutSeconds=60",
            Some(Kind::Pod),
        );
        check(
            "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?labelSelector=a&watch=true",
            Some(Kind::EndpointSlice),
        );
        check("/api/v1/configmaps?watch=true", None);
    }
}
