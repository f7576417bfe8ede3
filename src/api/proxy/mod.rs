//! The reader's side as a stream: what a watch tells on lines in, what a proxy makes of it out, when it is asked.
//!
//! A line is `{"type": "ADDED|MODIFIED|DELETED", "object": {…}}` for a Service, an EndpointSlice or a Node, which has no
//! answer; or `{"sync": …}`, which has one. A line that cannot be read is answered with its error, and changes nothing.

pub(super) mod answer;
#[cfg(feature = "schema")]
pub(crate) mod describe;
pub(super) mod record;
pub(super) mod settings;

use alloc::format;
use alloc::vec::Vec;

use super::events::{Part, kind_of, named, read_head, read_object};
use super::input::{self, Limits};
use super::{fast_event, place};
use crate::controller::{Event, Kind, Object};
use crate::model::EndpointSlice;
use crate::model::text::shorten;
use crate::proxy::{Proxier, Service, Settings};
use crate::{Code, Error};
use answer::Answer;
use record::{Ask, Record};

/// A proxy, fed line by line.
#[derive(Clone, Debug)]
pub struct ProxyStream(Proxier);

impl ProxyStream {
    /// A proxy that knows nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self(Proxier::new(settings))
    }

    /// The proxy itself.
    pub const fn proxier(&self) -> &Proxier {
        &self.0
    }

    /// Takes a line, and writes its answer with its end to `output`, if it has one.
    ///
    /// # Errors
    /// When the line cannot be read; its answer is [`Error::to_json`].
    pub fn feed(&mut self, line: &[u8], limits: Limits, output: &mut Vec<u8>) -> Result<(), Error> {
        let text = input::text(line, limits)?;
        if let Some(Event::Set(versioned)) = fast_event::read(text) {
            match versioned.object {
                Object::EndpointSlice(slice) => {
                    let located = |error: Error| place::locate(error.at("/object/ports"), text);
                    check_size(&slice).map_err(located)?;
                    self.0.set_slice(&slice);
                    return Ok(());
                }
                Object::Node(node) => {
                    self.0.set_node(&node);
                    return Ok(());
                }
                // Of Services the controller reads other fields; Pods are none of ours.
                Object::Service(_) | Object::Pod(_) => {}
            }
        }
        let record: Record<'_> = input::decode(text)?;
        match record.ask().map_err(|error| place::locate(error, text))? {
            Ask::Take { event, object } => {
                let part = Part {
                    whole: text,
                    text: object.get(),
                    path: "/object",
                };
                self.take(event, part)
            }
            Ask::Sync(sync) => {
                let update = self.0.sync();
                Answer::new(&self.0, &update, &sync).write(output);
                Ok(())
            }
        }
    }

    /// Takes an object that has come, changed or gone.
    fn take(&mut self, event: &str, object: Part<'_, '_>) -> Result<(), Error> {
        let is_removed = match event {
            "ADDED" | "MODIFIED" => false,
            "DELETED" => true,
            // How far a watch has come is nothing to us.
            "BOOKMARK" => return Ok(()),
            other => {
                let message = format!(
                    "`{}` is no type of a watch event; it must be ADDED, MODIFIED or DELETED",
                    shorten(other)
                );
                let error = Error::new(Code::InvalidValue, message).at("/type");
                return Err(place::locate(error, object.whole));
            }
        };
        let head = read_head(object)?;
        let kind = kind_of(object, &head, "")?.filter(|kind| *kind != Kind::Pod);
        let Some(kind) = kind else {
            let message = format!(
                "a proxy reads Services, EndpointSlices and Nodes, and this is a `{}`; leave it out",
                shorten(&head.kind)
            );
            return Err(object.wrong(Code::Unsupported, "/kind", message));
        };
        if kind == Kind::Service {
            let service = read_service(object)?;
            if is_removed {
                self.0.remove_service(&service.key());
            } else {
                self.0.set_service(&service);
            }
            return Ok(());
        }
        match read_object(object, kind, &head)?.object {
            Object::EndpointSlice(slice) => {
                let located = |error: Error| object.wrong(error.code(), "/ports", error.message());
                check_size(&slice).map_err(located)?;
                if is_removed {
                    self.0.remove_slice(&slice);
                } else {
                    self.0.set_slice(&slice);
                }
            }
            Object::Node(node) if !is_removed => {
                self.0.set_node(&node);
            }
            // A node that goes takes the proxy with it.
            _ => {}
        }
        Ok(())
    }
}

/// Every port of a slice is a list of all its endpoints, so that what fits into an input may not fit into memory.
pub(super) fn check_size(slice: &EndpointSlice<'_>) -> Result<(), Error> {
    let (ports, endpoints) = (slice.ports.len(), slice.endpoints.len());
    if ports.saturating_mul(endpoints) <= MOST {
        return Ok(());
    }
    let message = format!(
        "the slice has {ports} ports and {endpoints} endpoints, which makes more than {MOST} entries of its Service's lists; no more are taken"
    );
    Err(Error::new(Code::TooLarge, message))
}

/// A thousand endpoints, as many as the API allows in a slice, with a thousand ports.
const MOST: usize = 1_000_000;

/// Reads a Service as a proxy sees it.
pub(super) fn read_service<'a>(object: Part<'a, '_>) -> Result<Service<'a>, Error> {
    let service: Service<'a> = input::decode(object.text).map_err(|error| object.placed(&error))?;
    named(object, service)
}
