//! A watched cluster: takes events and the time, and returns each change of a Service's traffic.
//!
//! Traffic is what consumers derive from slices: which endpoints a Service has, in what condition, and for whom they
//! are hinted. The slice of an endpoint does not matter, so slices are evaluated together: if two have the same
//! address, kube-proxy's choice counts. Slices that keep differing from the plan without being written are reported as
//! well.
//!
//! The previous state of an address is remembered when an event concerns it, and compared when changes are taken: the
//! cost of a change depends on the slices it is in, not on the size of the cluster. The initial state is not reported.

mod change;
mod endpoints;
mod line;
mod unwritten;
mod words;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;
use core::time::Duration;

pub use change::{
    EndpointField, SeenEndpoint, SeenPort, SeenTarget, TrafficChange, TrafficChangeKind,
};
pub use line::{Line, WatchLineContent, WatchStatus, WatchStatusKind};

use slicewise::diff::Count;
use slicewise::model::{AddressType, EndpointSlice, NamespacedName};
use slicewise::plan::ServiceRef;
use slicewise::plan::request::Options;

use crate::session::event::{ClusterEvent, Kind, ObjectRef, Reception, VersionedRef};
use crate::session::follow::{self, SessionFollower};
use crate::session::{Session, SliceSummary};
use endpoints::{EndpointCounts, EndpointsAtAddress};
use unwritten::UnwrittenPlan;

/// A watched cluster.
#[derive(Debug)]
pub struct Watching {
    session: Session,
    /// How long slices may differ from the plan before this is reported.
    unwritten_after: Duration,
    /// Kinds that have not been listed yet.
    unsynced: BTreeSet<Kind>,
    has_begun: bool,
    /// The Services as last reported.
    followed: BTreeMap<NamespacedName, Followed>,
    /// Addresses affected since changes were last taken, with their previous state.
    before: BTreeMap<NamespacedName, BTreeMap<IpAddr, EndpointsAtAddress>>,
    /// Services whose plans may have changed since changes were last taken.
    touched: BTreeSet<NamespacedName>,
    /// Services with a slice that has been written since.
    written: BTreeSet<NamespacedName>,
    nodes_changed: bool,
    /// Services with pods whose Node is unknown.
    waiting: BTreeSet<NamespacedName>,
    /// When to report that slices differ from the plan.
    due: BTreeSet<(Duration, NamespacedName)>,
    now: Duration,
}

/// The state of a Service between changes.
#[derive(Debug, Default)]
struct Followed {
    counts: BTreeMap<AddressType, EndpointCounts>,
    unwritten: Option<UnwrittenPlan>,
}

/// The size of what is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extent {
    /// Services.
    pub services: usize,
    /// Their endpoints, of both families.
    pub endpoints: usize,
    /// How many of these are ready.
    pub ready: usize,
}

impl Watching {
    /// A cluster that is still unknown.
    pub fn new(options: Options<'static>, unwritten_after: Duration) -> Self {
        Self {
            session: Session::observer(options),
            unwritten_after,
            unsynced: Kind::ALL.into_iter().collect(),
            has_begun: false,
            followed: BTreeMap::new(),
            before: BTreeMap::new(),
            touched: BTreeSet::new(),
            written: BTreeSet::new(),
            nodes_changed: false,
            waiting: BTreeSet::new(),
            due: BTreeSet::new(),
            now: Duration::ZERO,
        }
    }

    /// The cluster as last seen.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Kinds that have not been listed yet, in order. Nothing is reported before they are.
    pub fn unsynced(&self) -> impl Iterator<Item = Kind> {
        self.unsynced.iter().copied()
    }

    /// The size of what was watched when changes were last taken.
    pub fn extent(&self) -> Extent {
        let counts = self
            .followed
            .values()
            .flat_map(|followed| followed.counts.values());
        let mut extent = Extent {
            services: self.followed.len(),
            ..Extent::default()
        };
        for counts in counts {
            extent.endpoints += counts.all;
            extent.ready += counts.ready;
        }
        extent
    }

    /// Services affected since changes were last taken: what is displayed about them may be out of date.
    pub fn touched(&self) -> impl Iterator<Item = &NamespacedName> {
        self.touched.iter()
    }

    /// Have nodes changed since changes were last taken, in a way that may affect any Service?
    pub const fn has_other_nodes(&self) -> bool {
        self.nodes_changed
    }

    /// When to take changes next if nothing else happens; `None` if there is nothing to wait for.
    pub fn next_timer(&self) -> Option<Duration> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Takes an event and returns its effect; the state is consistent in any case.
    pub fn handle(&mut self, event: &ClusterEvent<'_>) -> Reception {
        follow::take(self, event)
    }

    fn touch_of(&mut self, summary: &SliceSummary) {
        if let Some(service) = summary.service_key() {
            if summary.is_ours {
                self.written.insert(service.clone());
            }
            self.touched.insert(service);
        }
    }

    /// Remembers the previous state of the addresses for which a slice changes.
    fn note(&mut self, key: &NamespacedName, after: Option<&EndpointSlice<'_>>) {
        if !self.has_begun {
            return;
        }
        let before = self.session.observed_slice(key);
        for (service, address) in endpoints::differing(before.as_ref(), after) {
            let places = self.before.entry(service.clone()).or_default();
            places
                .entry(address)
                .or_insert_with(|| endpoints::at(&self.session, &service, address));
        }
    }

    /// The changes since the last call, Service by Service. Nothing is reported until all kinds are known.
    pub fn changes(&mut self, now: Duration) -> Vec<TrafficChange> {
        self.now = self.now.max(now);
        let mut changes = Vec::new();
        if !self.unsynced.is_empty() {
            return changes;
        }
        if core::mem::take(&mut self.nodes_changed) {
            self.touched.extend(self.session.overloaded_services());
            self.touched.append(&mut self.waiting);
        }
        for service in core::mem::take(&mut self.touched) {
            self.changes_of(service, &mut changes);
        }
        // The rest belongs to Services that do not exist.
        self.before.clear();
        self.written.clear();
        self.has_begun = true;
        self.tell_overdue(&mut changes);
        changes
    }

    fn changes_of(&mut self, service: NamespacedName, changes: &mut Vec<TrafficChange>) {
        let before = self.before.remove(&service);
        let is_there = self.session.service(&service).is_some();
        match (self.followed.remove(&service), is_there) {
            (None, false) => {}
            (Some(followed), false) => {
                self.waiting.remove(&service);
                self.forget_due(&service, followed.unwritten.as_ref());
                changes.push(change(&service, TrafficChangeKind::ServiceRemoved));
            }
            (None, true) => {
                let followed = Followed {
                    counts: endpoints::counts(&self.session, &service),
                    unwritten: None,
                };
                if self.has_begun {
                    let sum =
                        |of: fn(&EndpointCounts) -> usize| followed.counts.values().map(of).sum();
                    let what = TrafficChangeKind::ServiceAdded {
                        endpoints: sum(|counts| counts.all),
                        ready: sum(|counts| counts.ready),
                    };
                    changes.push(change(&service, what));
                }
                self.go_on(service, followed, changes);
            }
            (Some(mut followed), true) => {
                let before = before.unwrap_or_default();
                self.compare(&service, &mut followed, before, changes);
                self.go_on(service, followed, changes);
            }
        }
    }

    fn go_on(
        &mut self,
        service: NamespacedName,
        mut followed: Followed,
        changes: &mut Vec<TrafficChange>,
    ) {
        self.check_plan(&service, &mut followed, changes);
        self.followed.insert(service, followed);
    }

    /// Compares the affected addresses, and derives what that means for the Service as a whole.
    fn compare(
        &self,
        service: &NamespacedName,
        followed: &mut Followed,
        before: BTreeMap<IpAddr, EndpointsAtAddress>,
        changes: &mut Vec<TrafficChange>,
    ) {
        let counts_before = followed.counts.clone();
        for (address, mut before) in before {
            let family = endpoints::family(address);
            let counts = followed.counts.entry(family).or_default();
            let mut tell = |ends: (Option<SeenEndpoint>, Option<SeenEndpoint>)| {
                if let Some(what) = counts.step(family, ends) {
                    changes.push(change(service, what));
                }
            };
            let after = endpoints::at(&self.session, service, address);
            for (ports, after) in after {
                tell((before.remove(&ports), Some(after)));
            }
            before
                .into_values()
                .for_each(|before| tell((Some(before), None)));
        }
        for (family, counts) in &followed.counts {
            let before = counts_before.get(family).copied().unwrap_or_default();
            let whats = counts.whole(*family, before);
            changes.extend(whats.into_iter().map(|what| change(service, what)));
        }
    }
}

impl SessionFollower for Watching {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn set(&mut self, seen: VersionedRef<'_>) {
        let key = seen.object.key();
        match seen.object {
            ObjectRef::Service(service) => {
                self.session.set_service(service);
                self.touched.insert(key);
            }
            ObjectRef::Pod(pod) => {
                let services = self.session.set_pod(pod, seen.resource_version);
                self.touched.extend(services);
            }
            ObjectRef::Node(node) => self.nodes_changed |= self.session.set_node(node),
            ObjectRef::EndpointSlice(slice) => {
                self.note(&key, Some(slice));
                let before = self.session.set_slice(slice);
                let after = self.session.slice_summary(&key);
                for summary in before.into_iter().chain(after) {
                    self.touch_of(&summary);
                }
            }
        }
    }

    fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        if !self.session.has(kind, key) {
            return false;
        }
        match kind {
            Kind::Service => {
                self.session.remove_service(key);
                self.touched.insert(key.clone());
            }
            Kind::Pod => {
                let services = self.session.remove_pod(key);
                self.touched.extend(services);
            }
            Kind::Node => self.nodes_changed |= self.session.remove_node(&key.name),
            Kind::EndpointSlice => {
                self.note(key, None);
                if let Some(summary) = self.session.remove_slice(key) {
                    self.touch_of(&summary);
                }
            }
        }
        true
    }

    fn list_ends(&mut self, kind: Kind) {
        self.unsynced.remove(&kind);
    }
}

/// Changes that were taken at once as lines for people: those of the endpoints of a Service are one line.
pub fn folded<'c>(changes: &[&'c TrafficChange]) -> Vec<(&'c ServiceRef<'static>, String)> {
    words::folded(changes)
}

fn change(service: &NamespacedName, what: TrafficChangeKind) -> TrafficChange {
    TrafficChange {
        service: ServiceRef {
            namespace: service.namespace.to_string().into(),
            name: service.name.to_string().into(),
        },
        message: words::of(&what),
        what,
    }
}

const fn moved(before: usize, after: usize) -> Count {
    Count { before, after }
}

#[cfg(test)]
mod tests;
