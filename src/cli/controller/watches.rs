//! The four watches, as one stream.
//!
//! Lists are those of the moment, page by page: a list that is answered from a cache that lags would take away what is
//! there already. Of EndpointSlices only those of our manager are asked for; one that is given to another, or comes from
//! another, is told as deleted and added.

use futures_util::StreamExt;
use futures_util::stream::{BoxStream, select_all};
use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::ApiResource;
use kube::runtime::WatchStreamExt;
use kube::runtime::watcher::{self, watcher};
use kube::{Api, Client};
use slicewise::controller::Kind;

use super::args::ControllerArgs;
use super::raw::Raw;

/// The server ends a watch after so many seconds, and it goes on where it was. A connection that is dead is noticed by
/// then, too.
const TIMEOUT: u32 = 60;
/// What is handed over at one time, at most.
const CHUNK: usize = 256;

/// What one watch has to tell.
pub(super) type Told = (Kind, Result<watcher::Event<Raw>, watcher::Error>);

/// All that is told, several at a time when they come fast.
pub(super) fn all(client: &Client, arguments: &ControllerArgs) -> BoxStream<'static, Vec<Told>> {
    let streams = Kind::ALL.map(|kind| one(client, arguments, kind));
    select_all(streams).ready_chunks(CHUNK).boxed()
}

fn one(client: &Client, arguments: &ControllerArgs, kind: Kind) -> BoxStream<'static, Told> {
    let resource = resource(kind);
    let api: Api<Raw> = match &arguments.namespace {
        Some(namespace) if kind != Kind::Node => {
            Api::namespaced_with(client.clone(), namespace, &resource)
        }
        _ => Api::all_with(client.clone(), &resource),
    };
    let mut config = watcher::Config::default().timeout(TIMEOUT);
    if let Some(labels) = selector(arguments, kind) {
        config = config.labels(&labels);
    }
    let watch = watcher(api, config).default_backoff();
    watch.map(move |told| (kind, told)).boxed()
}

fn selector(arguments: &ControllerArgs, kind: Kind) -> Option<String> {
    match kind {
        Kind::Service => arguments.service_selector.clone(),
        Kind::EndpointSlice => Some(format!(
            "{}={}",
            slicewise::model::keys::MANAGED_BY_LABEL,
            arguments.managed_by()
        )),
        Kind::Pod | Kind::Node => None,
    }
}

/// How a kind is addressed.
pub(super) fn resource(kind: Kind) -> ApiResource {
    match kind {
        Kind::Service => ApiResource::erase::<Service>(&()),
        Kind::Pod => ApiResource::erase::<Pod>(&()),
        Kind::Node => ApiResource::erase::<Node>(&()),
        Kind::EndpointSlice => ApiResource::erase::<EndpointSlice>(&()),
    }
}
