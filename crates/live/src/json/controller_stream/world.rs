//! `apply: auto`: the in-memory API server, and what other clients do to it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::api_server::{ApiServer, StoredChange};
use slicewise::model::NamespacedName;

use super::ControllerStream;
use super::answer::AnswerLines;
use crate::controller::{ClusterEvent, Kind, PlanObject, Reception, Versioned};

impl ControllerStream {
    /// Delivers a change of the server to the controller.
    pub(super) fn deliver(&mut self, change: &StoredChange, lines: &mut AnswerLines) {
        let reception = self.controller.handle_change(change, self.now);
        if reception != Reception::Taken {
            let key = NamespacedName::of(&*change.slice);
            self.ignore_object(reception, Kind::EndpointSlice, key, lines);
        }
    }

    /// Applies what other clients do to slices to the in-memory server as well, which assigns its own versions.
    pub(super) fn admitted<'a>(&mut self, event: ClusterEvent<'a>) -> ClusterEvent<'a> {
        let Some(server) = &mut self.server else {
            return event;
        };
        match event {
            ClusterEvent::Set(object) => ClusterEvent::Set(Box::new(admit(server, *object))),
            ClusterEvent::Listed {
                kind,
                objects,
                mut resource_version,
            } => {
                if kind == Kind::EndpointSlice {
                    let all: Vec<_> = server.slices().map(NamespacedName::of).collect();
                    for key in all {
                        server.take(&key);
                    }
                }
                let objects = objects.into_iter().map(|object| admit(server, object));
                let objects = objects.collect();
                if kind == Kind::EndpointSlice {
                    resource_version = server.resource_version();
                }
                ClusterEvent::Listed {
                    kind,
                    objects,
                    resource_version,
                }
            }
            ClusterEvent::Removed {
                kind,
                key,
                resource_version,
            } => {
                if kind == Kind::Service {
                    server.collect_garbage(&key);
                }
                let gone = (kind == Kind::EndpointSlice)
                    .then(|| server.take(&key))
                    .flatten();
                ClusterEvent::Removed {
                    kind,
                    key,
                    resource_version: gone
                        .map_or(resource_version, |slice| slice.metadata.resource_version),
                }
            }
            other => other,
        }
    }

    /// Sends out the server's changes.
    pub(super) fn send_changes(&mut self, lines: &mut AnswerLines) {
        let at = self.now.saturating_add(self.watch_lag);
        while let Some(change) = self.server.as_mut().and_then(ApiServer::next_change) {
            if self.watch_lag.is_zero() {
                self.deliver(&change, lines);
            } else {
                self.arriving.push_back((at, change));
            }
        }
    }
}

fn admit<'a>(server: &mut ApiServer, versioned: Versioned<'a>) -> Versioned<'a> {
    match &versioned.object {
        PlanObject::EndpointSlice(slice) => Versioned::slice(server.put(slice).clone()),
        _ => versioned,
    }
}
