//! The loop around [`slicewise_live::watching::Watching`]: watch events go in, changes come out. Both `watch` and `serve`
//! use this reader.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use k8s_openapi::jiff::Timestamp;
use kube::runtime::watcher::{self, Error as WatchError};
use serde_json::Value;
use slicewise::model::{NamespacedName, keys};
use slicewise::plan::ServiceRef;
use slicewise_live::controller::{ClusterEvent, Kind};
use slicewise_live::json::events::read_kind;
use slicewise_live::watching::{Line, TrafficChangeKind, WatchStatusKind, Watching};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::FollowArgs;
use crate::failure::CommandFailure;
use slicewise_cluster::connect::Connection;
use slicewise_cluster::place::{ApiServerAndUser, NamespaceScope};
use slicewise_cluster::raw::RawObject;
use slicewise_cluster::refusal::{self, FailedRequest};
use slicewise_cluster::resource::Resource;
use slicewise_cluster::watches::{self, WatchReport, WatchTargets, heard, is_expired};

/// Changes within this time are reported together, so that an update of several slices is one change.
const SETTLE: Duration = Duration::from_millis(100);

/// Follows a cluster.
pub(crate) struct ClusterFollower {
    watching: Watching,
    watches: BoxStream<'static, Vec<WatchReport>>,
    agreed: mpsc::UnboundedReceiver<Kind>,
    place: ApiServerAndUser,
    scope: NamespaceScope,
    selector: Option<String>,
    started: Instant,
    /// How long to wait for the state to begin with, since the server was last heard.
    silence: Option<Duration>,
    heard_at: Instant,
    /// Kinds whose watch the server has not accepted yet.
    unheard: BTreeSet<Kind>,
    is_following: bool,
    /// Kinds whose watch has failed; `lost_since` is the time of the first failure.
    lost: BTreeSet<Kind>,
    lost_since: Instant,
    /// When to report changes.
    tell_at: Option<Instant>,
    lines: Vec<Line>,
    /// Services as JSON, if wanted.
    services: Option<BTreeMap<NamespacedName, String>>,
}

/// The changes to report.
#[derive(Default)]
pub(crate) struct ReportedChanges {
    /// As lines.
    pub(crate) lines: Vec<Line>,
    /// Services that may have changed.
    pub(crate) touched: BTreeSet<NamespacedName>,
    /// Nodes have changed, which may affect every Service.
    pub(crate) nodes_changed: bool,
}

impl ClusterFollower {
    /// Starts following what the arguments name.
    pub(crate) async fn start(
        arguments: &FollowArgs,
        service: Option<&str>,
    ) -> Result<Self, CommandFailure> {
        let scope = arguments.cluster.scope(service);
        let wanted = arguments.cluster.wanted(scope.as_ref());
        let connection = Connection::open(wanted, None).await?;
        let Connection {
            client,
            place,
            scope,
        } = connection;
        let (client, agreed) = heard(client);
        let name = service.map(|service| service.rsplit('/').next().unwrap_or(service));
        let wanted = WatchTargets {
            scope: &scope,
            service: name,
            service_selector: arguments.selector.as_deref(),
            slice_selector: match name {
                Some(name) => format!("{}={name}", keys::SERVICE_NAME_LABEL),
                None => keys::SERVICE_NAME_LABEL.to_owned(),
            },
            chunk_size: arguments.cluster.chunk_size,
        };
        let watches = watches::all(&client, &wanted);
        let started = Instant::now();
        Ok(Self {
            watching: Watching::new(arguments.options(), arguments.unwritten_after),
            watches,
            agreed,
            place,
            scope,
            selector: arguments.selector.clone(),
            started,
            silence: arguments.cluster.request_timeout(),
            heard_at: started,
            unheard: Kind::ALL.into_iter().collect(),
            is_following: false,
            lost: BTreeSet::new(),
            lost_since: started,
            tell_at: None,
            lines: Vec::new(),
            services: None,
        })
    }

    /// Keeps complete Services, for callers that show them.
    pub(crate) fn with_services(mut self) -> Self {
        self.services = Some(BTreeMap::new());
        self
    }

    /// A Service as JSON, if it exists.
    pub(crate) fn service_text(&self, key: &NamespacedName) -> Option<&str> {
        self.watching.session().service(key)?;
        let text = self.services.as_ref()?.get(key)?;
        Some(text)
    }

    /// The cluster as last seen.
    pub(crate) const fn watching(&self) -> &Watching {
        &self.watching
    }

    /// Waits for the next changes to report.
    ///
    /// # Errors
    /// If the cluster cannot be followed at all.
    pub(crate) async fn next(&mut self) -> Result<ReportedChanges, CommandFailure> {
        loop {
            if !self.lines.is_empty() && self.tell_at.is_none() {
                return Ok(ReportedChanges {
                    lines: std::mem::take(&mut self.lines),
                    ..ReportedChanges::default()
                });
            }
            let due = self.watching.next_timer().filter(|_| self.is_following);
            let due = due.and_then(|due| self.started.checked_add(due));
            let silent = self.silence.filter(|_| !self.is_following);
            let silent = silent.and_then(|silence| self.heard_at.checked_add(silence));
            if silent.is_some_and(|silent| silent <= Instant::now()) {
                return Err(self.unanswered().into());
            }
            let wake = self.tell_at.into_iter().chain(due).chain(silent).min();
            let sleep = async {
                match wake {
                    Some(wake) => sleep_until(wake).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = sleep => {
                    if wake != silent {
                        return Ok(self.tell());
                    }
                }
                Some(kind) = self.agreed.recv() => {
                    self.heard_at = Instant::now();
                    self.agree(kind);
                }
                Some(told) = self.watches.next() => {
                    self.heard_at = Instant::now();
                    for (kind, told) in told {
                        self.take(kind, told)?;
                    }
                }
            }
        }
    }

    /// Reports the effect of all changes so far.
    fn tell(&mut self) -> ReportedChanges {
        self.tell_at = None;
        let touched = self.watching.touched().cloned().collect();
        let nodes_changed = self.watching.has_other_nodes();
        let time = now();
        for change in self.watching.changes(self.started.elapsed()) {
            if let (TrafficChangeKind::ServiceRemoved, Some(services)) =
                (&change.what, &mut self.services)
            {
                services.remove(&key_of(&change.service));
            }
            self.lines.push(Line::change(time.clone(), change));
        }
        if !self.is_following
            && self.watching.unsynced().next().is_none()
            && self.unheard.is_empty()
        {
            self.is_following = true;
            self.say(WatchStatusKind::following(self.watching.extent()));
        }
        ReportedChanges {
            lines: std::mem::take(&mut self.lines),
            touched,
            nodes_changed,
        }
    }

    /// The server sends nothing, and nothing is known yet.
    fn unanswered(&self) -> slicewise_cluster::Error {
        let kinds = self.watching.unsynced().chain(self.unheard.iter().copied());
        let asked = FailedRequest {
            verb: "watch",
            resource: Resource::of(kinds.min().unwrap_or(Kind::Service)),
            scope: &self.scope,
        };
        let silence = self.silence.unwrap_or_default();
        let why = refusal::late(&self.place, silence);
        slicewise_cluster::Error::Cluster(refusal::cannot(&[asked], &why))
    }

    fn say(&mut self, status: WatchStatusKind) {
        self.lines.push(Line::status(now(), status));
    }

    fn has_news(&mut self) {
        self.tell_at.get_or_insert_with(|| Instant::now() + SETTLE);
    }

    /// The server has accepted a watch.
    fn agree(&mut self, kind: Kind) {
        if self.unheard.remove(&kind) {
            self.has_news();
        }
        if self.lost.remove(&kind) && self.lost.is_empty() {
            let seconds = self.lost_since.elapsed().as_secs();
            self.say(WatchStatusKind::Resumed { seconds });
        }
    }

    fn take(
        &mut self,
        kind: Kind,
        told: Result<watcher::Event<RawObject>, WatchError>,
    ) -> Result<(), CommandFailure> {
        match told {
            Ok(event) => {
                self.feed(kind, &event);
                self.has_news();
                Ok(())
            }
            Err(error) if is_expired(&error) => {
                self.say(WatchStatusKind::expired(kind));
                Ok(())
            }
            Err(error) => self.fail(kind, error),
        }
    }

    fn feed(&mut self, kind: Kind, event: &watcher::Event<RawObject>) {
        let raw = match event {
            watcher::Event::Init => {
                self.watching.handle(&ClusterEvent::Listing(kind));
                return;
            }
            watcher::Event::InitDone => {
                self.watching.handle(&ClusterEvent::Synced(kind));
                return;
            }
            watcher::Event::Delete(raw) => {
                self.watching.handle(&raw.removal(kind));
                return;
            }
            watcher::Event::InitApply(raw) | watcher::Event::Apply(raw) => raw,
        };
        match read_kind(kind, raw.text(), || raw.key()) {
            Ok(object) => {
                if let (Kind::Service, Some(services)) = (kind, &mut self.services) {
                    services.insert(raw.key(), shown(raw.text()));
                }
                self.watching.handle(&ClusterEvent::Set(Box::new(object)));
            }
            Err(unreadable) => {
                let reason = unreadable.error.message().to_owned();
                if let (Kind::Service, Some(services)) = (kind, &mut self.services) {
                    services.remove(&raw.key());
                }
                self.watching.handle(&ClusterEvent::Unreadable(unreadable));
                self.say(WatchStatusKind::Unreadable {
                    kind: kind.as_str(),
                    object: raw.name(),
                    reason,
                });
            }
        }
    }

    /// A watch that is unavailable or forbidden from the start is fatal; any other failure is retried.
    fn fail(&mut self, kind: Kind, error: WatchError) -> Result<(), CommandFailure> {
        let (verb, error) = match error {
            WatchError::InitialListFailed(error) => ("list", error),
            WatchError::WatchStartFailed(error) | WatchError::WatchFailed(error) => {
                ("watch", error)
            }
            WatchError::WatchError(status) => ("watch", kube::Error::Api(status)),
            WatchError::NoResourceVersion => {
                let reason = "a list has no version";
                self.lose(kind, reason);
                return Ok(());
            }
        };
        if let (kube::Error::Api(status), Some(selector), Kind::Service) =
            (&error, &self.selector, kind)
            && status.code == 400
        {
            return Err(refusal::selector(selector, status).into());
        }
        let asked = FailedRequest {
            verb,
            resource: Resource::of(kind),
            scope: &self.scope,
        };
        let failure = refusal::told(&error, asked, &self.place);
        let is_refused = matches!(&error, kube::Error::Api(status) if (400..500).contains(&status.code) && status.code != 429);
        if !self.is_following && (verb == "list" || is_refused) {
            return Err(failure.into());
        }
        let slicewise_cluster::Error::Cluster(reason) = failure else {
            return Err(failure.into());
        };
        self.lose(kind, &reason);
        Ok(())
    }

    fn lose(&mut self, kind: Kind, reason: &str) {
        if self.lost.is_empty() {
            self.lost_since = Instant::now();
            self.say(WatchStatusKind::lost(kind, reason));
        }
        self.lost.insert(kind);
    }
}

/// The name of a Service as a map key.
pub(crate) fn key_of(service: &ServiceRef<'_>) -> NamespacedName {
    NamespacedName {
        namespace: service.namespace.to_string(),
        name: service.name.to_string(),
    }
}

/// A Service on one line, without fields that only its writers need.
fn shown(text: &str) -> String {
    let Ok(mut object) = serde_json::from_str::<Value>(text) else {
        return text.to_owned();
    };
    // Items of a list have no kind.
    if let Some(fields) = object.as_object_mut() {
        fields.insert("apiVersion".to_owned(), "v1".into());
        fields.insert("kind".to_owned(), "Service".into());
    }
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
        if let Some(annotations) = metadata
            .get_mut("annotations")
            .and_then(Value::as_object_mut)
        {
            annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        }
    }
    object.to_string()
}

/// As RFC 3339, with milliseconds.
fn now() -> String {
    let now = Timestamp::now();
    let rounded = Timestamp::from_millisecond(now.as_millisecond());
    rounded.unwrap_or(now).to_string()
}
