//! The reader's side as a stream: watch events come in as lines, and the proxy's view goes out on request.
//!
//! A line is `{"type": "ADDED|MODIFIED|DELETED", "object": {…}}` for a Service, an EndpointSlice or a Node, which has
//! no answer; or `{"sync": …}`, which has one. A line that cannot be read is answered with its error and changes
//! nothing.

pub mod answer;
#[allow(clippy::exhaustive_enums, reason = "only their schemas are used")]
pub mod describe;
pub mod record;
pub(super) mod settings;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use answer::ProxyUpdate;
use record::{ProxyLine, ProxyRequest};
use slicewise::api::input::{self, Limits};
use slicewise::api::objects::numbers::{NODES, SERVICES, SLICES};
use slicewise::api::objects::{
    Halt, InputPart, NO_KIND, ObjectWalk, PendingObject, Taker, WantedObjects, is_version,
    read_event_as, read_named,
};
use slicewise::api::place;
use slicewise::json::LayoutMemory;
use slicewise::model::kind::Kind;
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, NamespacedName, Node, keys};
use slicewise::{Code, Error};

use crate::proxy::{ProxiedService, Proxier, ProxierSettings, is_marked_headless, other_proxy};

/// A proxy, fed line by line.
#[derive(Clone, Debug)]
pub struct ProxyStream {
    proxier: Proxier,
    /// The layout of recent objects, which speeds up reading.
    memory: LayoutMemory,
    /// Objects since the last question that the proxy ignores: kind and name, and the label that is the reason.
    unread: BTreeMap<(Kind, NamespacedName), &'static str>,
}

impl ProxyStream {
    /// A proxy that knows nothing yet.
    pub fn new(settings: ProxierSettings) -> Self {
        Self {
            proxier: Proxier::new(settings),
            memory: LayoutMemory::default(),
            unread: BTreeMap::new(),
        }
    }

    /// The proxy itself.
    pub const fn proxier(&self) -> &Proxier {
        &self.proxier
    }

    /// Takes a line, and appends its answer with a line end to `output`, if it has one.
    ///
    /// # Errors
    /// When the line cannot be read; its answer is [`Error::to_json`].
    pub fn feed(&mut self, line: &[u8], limits: Limits, output: &mut Vec<u8>) -> Result<(), Error> {
        let text = input::text(line, limits)?;
        // Nearly all lines are events; errors in any other line are found below.
        if let Ok(change) = InputPart::all(text).read(&mut self.memory, |walk| {
            read_event_as(walk, false, read_change)
        }) {
            self.take(change);
            return Ok(());
        }
        let record: ProxyLine<'_> = input::decode(text)?;
        match record.ask().map_err(|error| place::locate(error, text))? {
            ProxyRequest::Take { event, object } => {
                let part = InputPart {
                    whole: text,
                    text: object.get(),
                    path: "/object",
                };
                is_removal(event).map_err(|error| place::locate(error.at("/type"), text))?;
                let change = part.read(&mut self.memory, |walk| read_change(walk, event))?;
                self.take(change);
                Ok(())
            }
            ProxyRequest::Sync(sync) => {
                let update = self.proxier.sync();
                let unread = core::mem::take(&mut self.unread);
                ProxyUpdate::new(&self.proxier, &update, &sync, unread).write(output);
                Ok(())
            }
        }
    }

    /// Takes an object that was added, changed or deleted.
    fn take(&mut self, change: ProxyChange<'_>) {
        self.note(&change);
        // The next sync finds out whether anything has changed.
        let _ = match change {
            ProxyChange::Service(service, false) => self.proxier.set_service(&service),
            ProxyChange::Service(service, true) => self.proxier.remove_service(&service.key()),
            ProxyChange::Slice(slice, false) => self.proxier.set_slice(&slice),
            ProxyChange::Slice(slice, true) => self.proxier.remove_slice(&slice),
            ProxyChange::Node(node) => self.proxier.set_node(&node),
            ProxyChange::Nothing => false,
        };
    }

    /// Records until the next question whether the proxy ignores the object.
    fn note(&mut self, change: &ProxyChange<'_>) {
        let (kind, name, label) = match change {
            ProxyChange::Service(service, is_removed) => {
                let is_unread = !is_removed && other_proxy(service).is_some();
                let label = is_unread.then_some(keys::SERVICE_PROXY_NAME_LABEL);
                (Kind::Service, service.key(), label)
            }
            ProxyChange::Slice(slice, is_removed) => {
                let is_unread = !is_removed && is_marked_headless(slice);
                let name = NamespacedName {
                    namespace: slice.metadata.namespace.to_string(),
                    name: slice.metadata.name.to_string(),
                };
                let label = is_unread.then_some(keys::HEADLESS_LABEL);
                (Kind::EndpointSlice, name, label)
            }
            ProxyChange::Node(_) | ProxyChange::Nothing => return,
        };
        match label {
            Some(label) => self.unread.insert((kind, name), label),
            None if self.unread.is_empty() => None,
            None => self.unread.remove(&(kind, name)),
        };
    }
}

/// An object, and whether it was deleted.
enum ProxyChange<'a> {
    Service(Box<ProxiedService<'a>>, bool),
    Slice(Box<EndpointSlice<'a>>, bool),
    /// Deleting the node also ends the proxy.
    Node(Box<Node<'a>>),
    Nothing,
}

/// Does an event of that type delete its object? `None` for a bookmark, which does not matter here.
fn is_removal(event: &str) -> Result<Option<bool>, Error> {
    match event {
        "ADDED" | "MODIFIED" => Ok(Some(false)),
        "DELETED" => Ok(Some(true)),
        "BOOKMARK" => Ok(None),
        other => {
            let message = format!(
                "`{}` is not a watch event type; it must be ADDED, MODIFIED or DELETED",
                shorten(other)
            );
            Err(Error::new(Code::InvalidValue, message))
        }
    }
}

/// Reads the object of an event of that type.
fn read_change<'a>(walk: &mut ObjectWalk<'_, 'a>, event: &str) -> Result<ProxyChange<'a>, Halt> {
    let Some(is_removed) = is_removal(event)? else {
        walk.reader().skip(None)?;
        return Ok(ProxyChange::Nothing);
    };
    let mut taken = ProxyTaker {
        change: ProxyChange::Nothing,
        is_removed,
        other: None,
    };
    let start = walk.standing().start();
    walk.object(&mut taken, None)?;
    if let Some(kind) = taken.other {
        let message = format!(
            "a proxy reads Services, EndpointSlices and Nodes, and this is a `{}`; remove it",
            shorten(&kind)
        );
        return Err(walk.wrong_in(start, Code::Unsupported, "/kind", &message));
    }
    Ok(taken.change)
}

/// Takes the kinds that a proxy reads.
struct ProxyTaker<'a> {
    change: ProxyChange<'a>,
    is_removed: bool,
    /// The kind of anything else.
    other: Option<String>,
}

impl WantedObjects for ProxyTaker<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        matches!(kind, "Service" | "EndpointSlice" | "Node") && is_version(kind, version)
    }

    fn ignore(&mut self, kind: &str, _: &str) {
        self.other = Some(kind.into());
    }

    fn no_kind(&self) -> &'static str {
        NO_KIND
    }
}

impl<'a> Taker<'a> for ProxyTaker<'a> {
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        let is_removed = self.is_removed;
        self.change = match kind {
            "Service" => ProxyChange::Service(Box::new(read_named(object, SERVICES)?), is_removed),
            "Node" => match (read_named(object, NODES)?, is_removed) {
                (node, false) => ProxyChange::Node(Box::new(node)),
                (_, true) => ProxyChange::Nothing,
            },
            _ => {
                let slice: EndpointSlice<'a> = read_named(object, SLICES)?;
                check_size(&slice)
                    .map_err(|error| object.wrong(error.code(), "/ports", error.message()))?;
                ProxyChange::Slice(Box::new(slice), is_removed)
            }
        };
        Ok(())
    }
}

/// Every port of a slice lists all its endpoints, so what fits into an input may not fit into memory.
pub(super) fn check_size(slice: &EndpointSlice<'_>) -> Result<(), Error> {
    let (ports, endpoints) = (slice.ports.len(), slice.endpoints.len());
    if ports.saturating_mul(endpoints) <= MOST {
        return Ok(());
    }
    let message = format!(
        "the slice has {ports} ports and {endpoints} endpoints, which gives more than the limit of {MOST} entries in its Service's lists"
    );
    Err(Error::new(Code::TooLarge, message))
}

/// A thousand endpoints, as many as the API allows in a slice, with a thousand ports.
const MOST: usize = 1_000_000;
