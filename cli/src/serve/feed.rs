//! What clients receive: the names of all Services, and the latest objects of the chosen Service.
//!
//! Each is a state, not a history: a slow reader gets only the newest one. States that nobody reads are not computed.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use hyper::body::Bytes;
use serde::Serialize;
use slicewise::model::NamespacedName;
use slicewise::model::kind::Kind;
use slicewise_live::watching::{Line, TrafficChangeKind, WatchLineContent, WatchStatusKind};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::failure::CommandFailure;
use crate::watch::{ClusterFollower, key_of};

/// The minimum interval between updates of a state.
const INTERVAL: Duration = Duration::from_millis(250);
/// Maximum number of Service names in an event.
const MOST_SERVICES: usize = 5000;
/// Maximum size of a Service's objects.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of a Service's changes.
const MOST_CHANGES: usize = 50;
/// Maximum number of Services chosen at the same time.
const MOST_CHOSEN: usize = 64;

/// A connected client.
pub(super) struct FeedClient {
    /// The Service it has chosen.
    pub(super) service: Option<NamespacedName>,
    /// The channel for the answer.
    pub(super) answer: oneshot::Sender<Option<FeedChannels>>,
}

/// The channels that a client reads.
pub(super) struct FeedChannels {
    pub(super) all: watch::Receiver<Bytes>,
    pub(super) chosen: Option<watch::Receiver<Bytes>>,
}

/// Follows the cluster, and updates the states.
pub(super) struct Feed {
    follower: ClusterFollower,
    all: watch::Sender<Bytes>,
    chosen: BTreeMap<NamespacedName, Chosen>,
    /// The state of the connection.
    connection: FeedState,
    /// When to update states; `is_stale` says whether that includes the list of all Services.
    stale_at: Option<Instant>,
    is_stale: bool,
}

/// A Service that a client has chosen.
struct Chosen {
    state: watch::Sender<Bytes>,
    is_stale: bool,
    changes: VecDeque<Line>,
}

/// Whether the states are current.
#[derive(Serialize)]
struct FeedState {
    connected: bool,
    /// Since when.
    since: String,
    message: String,
}

#[derive(Serialize)]
struct All<'a> {
    services: Vec<String>,
    /// The number of Services left out.
    more: usize,
    connection: &'a FeedState,
}

#[derive(Serialize)]
struct FeedChanges<'a> {
    service: String,
    changes: &'a VecDeque<Line>,
}

#[derive(Serialize)]
struct Absent {
    service: String,
    message: String,
}

/// The objects of a Service exceed [`MOST_BYTES`].
struct TooLarge;

impl Feed {
    /// Follows until everything has been listed.
    pub(super) async fn start(mut follower: ClusterFollower) -> Result<Self, CommandFailure> {
        loop {
            let step = follower.next().await?;
            let following = step.lines.into_iter().find(|line| {
                matches!(&line.what, WatchLineContent::Status(said) if matches!(said.status, WatchStatusKind::Following { .. }))
            });
            let Some(line) = following else {
                continue;
            };
            let mut feed = Self {
                follower,
                all: watch::channel(Bytes::new()).0,
                chosen: BTreeMap::new(),
                connection: FeedState {
                    connected: true,
                    since: line.time.clone(),
                    message: String::new(),
                },
                stale_at: None,
                is_stale: false,
            };
            feed.note(&line);
            feed.make_all();
            return Ok(feed);
        }
    }

    /// What is being followed, as a message.
    pub(super) fn message(&self) -> &str {
        &self.connection.message
    }

    /// Follows on, and answers clients.
    pub(super) async fn run(mut self, mut asks: mpsc::Receiver<FeedClient>) -> CommandFailure {
        loop {
            let stale_at = self.stale_at;
            let stale = async {
                match stale_at {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = stale => self.make(),
                Some(ask) = asks.recv() => self.answer(ask),
                step = self.follower.next() => match step {
                    Ok(step) => {
                        for line in step.lines {
                            self.take(line);
                        }
                        for service in &step.touched {
                            if let Some(chosen) = self.chosen.get_mut(service) {
                                chosen.is_stale = true;
                            }
                        }
                        if step.nodes_changed {
                            self.chosen.values_mut().for_each(|chosen| chosen.is_stale = true);
                        }
                        self.stale_at.get_or_insert_with(|| Instant::now() + INTERVAL);
                    }
                    Err(failure) => return failure,
                },
            }
        }
    }

    fn take(&mut self, line: Line) {
        if let WatchLineContent::Change(change) = &line.what {
            let key = key_of(&change.service);
            self.is_stale |= matches!(
                change.what,
                TrafficChangeKind::ServiceAdded { .. } | TrafficChangeKind::ServiceRemoved
            );
            if let Some(chosen) = self.chosen.get_mut(&key) {
                chosen.is_stale = true;
                chosen.changes.truncate(MOST_CHANGES - 1);
                chosen.changes.push_front(line);
            }
            return;
        }
        self.note(&line);
    }

    fn note(&mut self, line: &Line) {
        let WatchLineContent::Status(said) = &line.what else {
            return;
        };
        self.is_stale = true;
        let connected = match said.status {
            WatchStatusKind::Lost { .. } => false,
            WatchStatusKind::Resumed { .. } | WatchStatusKind::Following { .. } => true,
            _ => return,
        };
        self.connection = FeedState {
            connected,
            since: line.time.clone(),
            message: said.message.clone(),
        };
    }

    fn answer(&mut self, ask: FeedClient) {
        let chosen = match ask.service {
            None => None,
            Some(service) => {
                self.forget_unread();
                if self.chosen.len() >= MOST_CHOSEN && !self.chosen.contains_key(&service) {
                    // The caller may be gone.
                    let _ = ask.answer.send(None);
                    return;
                }
                if !self.chosen.contains_key(&service) {
                    let chosen = Chosen {
                        state: watch::channel(Bytes::new()).0,
                        is_stale: false,
                        changes: VecDeque::new(),
                    };
                    chosen.state.send_replace(self.state_of(&service, &chosen));
                    self.chosen.insert(service.clone(), chosen);
                }
                let chosen = self.chosen.get(&service);
                chosen.map(|chosen| chosen.state.subscribe())
            }
        };
        let all = self.all.subscribe();
        let _ = ask.answer.send(Some(FeedChannels { all, chosen }));
    }

    fn forget_unread(&mut self) {
        self.chosen
            .retain(|_, chosen| chosen.state.receiver_count() > 0);
    }

    /// Updates the states that are out of date and have readers.
    fn make(&mut self) {
        self.stale_at = None;
        self.forget_unread();
        if std::mem::take(&mut self.is_stale) {
            self.make_all();
        }
        for (service, chosen) in &self.chosen {
            if !chosen.is_stale {
                continue;
            }
            let state = self.state_of(service, chosen);
            chosen.state.send_if_modified(|known| {
                let differs = *known != state;
                *known = state;
                differs
            });
        }
        for chosen in self.chosen.values_mut() {
            chosen.is_stale = false;
        }
    }

    fn make_all(&self) {
        let session = self.follower.watching().session();
        let keys = session.keys(Kind::Service);
        let services: Vec<String> = keys
            .iter()
            .take(MOST_SERVICES)
            .map(ToString::to_string)
            .collect();
        let all = All {
            more: keys.len() - services.len(),
            services,
            connection: &self.connection,
        };
        self.all.send_replace(event("all", &[json(&all)]));
    }

    fn state_of(&self, service: &NamespacedName, chosen: &Chosen) -> Bytes {
        let name = service.to_string();
        let objects = match self.objects(service) {
            Ok(Some(objects)) => objects,
            Ok(None) => {
                let message = "the Service does not exist, or no longer exists".to_owned();
                let service = name;
                return event("absent", &[json(&Absent { service, message })]);
            }
            Err(TooLarge) => {
                let message = format!(
                    "the objects of the Service exceed {} MiB, which is too much for the page",
                    MOST_BYTES >> 20
                );
                let service = name;
                return event("absent", &[json(&Absent { service, message })]);
            }
        };
        let changes = FeedChanges {
            service: name,
            changes: &chosen.changes,
        };
        let mut state = event("changes", &[json(&changes)]).to_vec();
        state.extend(event("objects", &objects));
        state.into()
    }

    /// A List with the Service and its objects, one per line.
    fn objects(&self, service: &NamespacedName) -> Result<Option<Vec<String>>, TooLarge> {
        let Some(text) = self.follower.service_text(service) else {
            return Ok(None);
        };
        let mut lines = vec![
            "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[".to_owned(),
            text.to_owned(),
        ];
        let mut length = text.len();
        let session = self.follower.watching().session();
        session.excerpt(service, |object| {
            length += object.len();
            if length > MOST_BYTES {
                return Err(TooLarge);
            }
            if let Some(before) = lines.last_mut() {
                before.push(',');
            }
            lines.push(object.to_owned());
            Ok(())
        })?;
        lines.push("]}".to_owned());
        Ok(Some(lines))
    }
}

/// A server-sent event.
fn event(name: &str, lines: &[String]) -> Bytes {
    let mut text = format!("event: {name}\n");
    for line in lines {
        text.push_str("data: ");
        text.push_str(line);
        text.push('\n');
    }
    text.push('\n');
    text.into()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
