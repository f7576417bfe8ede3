//! What is known about the cluster: a session kept up to date by events, and the part of it that a policy may see.
//!
//! A policy is handed a [`ClusterView`], which shows the namespace of the request and the nodes, so that no message can
//! reveal an object of another namespace. Of a writer that leads traffic beyond the namespace, it also shows to whom.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use core::net::IpAddr;

use crate::namespaces::{NAMESPACE, Namespaces};
use crate::writers::Writers;
use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::{EndpointSlice, NamespacedName, Node, Pod, Service, StringMap};
use slicewise::plan::request::Options;
use slicewise::reconcile::Input;
use slicewise::topology::nodes::NodeIndex;
use slicewise_live::json::intake::ClusterState;
use slicewise_live::session::Session;
use slicewise_live::session::event::{ClusterEvent, Kind, Reception};
use slicewise_live::session::imagined::PodsToBe;
use slicewise_live::session::observer::{ObservedPod, ObservedSlice};

/// The cluster as last seen, or nothing at all.
#[derive(Debug)]
pub struct Context {
    session: Session,
    /// The kinds of which all objects are known.
    known: Vec<Kind>,
    /// Kept only if a rule reads them.
    pub(crate) namespaces: Namespaces,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            session: Session::observer(Options::default()),
            known: Vec::new(),
            namespaces: Namespaces::default(),
        }
    }
}

impl Context {
    /// The objects of a snapshot. A kind without objects in it counts as unknown.
    pub fn new(
        services: &[Service<'_>],
        pods: &[Pod<'_>],
        nodes: &[Node<'_>],
        slices: &[EndpointSlice<'_>],
    ) -> Self {
        let mut session = Session::observer(Options::default());
        for service in services {
            session.set_service(service);
        }
        for pod in pods {
            session.observe_pod(pod);
        }
        for node in nodes {
            session.set_node(node);
        }
        for slice in slices {
            session.set_slice(slice);
        }
        session.refresh_nodes();
        let known = Kind::ALL.into_iter().filter(|kind| session.knows(*kind));
        Self {
            known: known.collect(),
            session,
            namespaces: Namespaces::default(),
        }
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &ClusterEvent<'_>) -> Reception {
        self.session.apply(event)
    }

    /// Marks a kind as known: all of its objects have been received.
    pub fn note_synced(&mut self, kind: Kind) {
        if !self.knows(kind) {
            self.known.push(kind);
        }
    }

    /// Finishes a batch of related events.
    pub fn settle(&mut self) {
        self.session.refresh_nodes();
    }

    /// The session that holds the cluster as last seen.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Are all objects of the kind known?
    pub fn knows(&self, kind: Kind) -> bool {
        self.known.contains(&kind)
    }
}

impl ClusterState for Context {
    fn take(&mut self, event: &ClusterEvent<'_>) -> Reception {
        self.apply(event)
    }

    fn knows(&self, kind: Kind) -> bool {
        self.session().knows(kind)
    }

    fn is_listing(&self, kind: Kind) -> bool {
        self.session().is_listing(kind)
    }

    fn note_synced(&mut self, kind: Kind) {
        Self::note_synced(self, kind);
    }
}

/// How current the context is, as reported by the caller that updates it: the core has no clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Age {
    /// Seconds since the last update; `None` if it does not age, as with a file.
    pub seconds: Option<u32>,
    /// Older context counts as unknown.
    pub most: u32,
    /// Is there a cluster to watch or ask, rather than a file or nothing?
    pub is_watched: bool,
}

/// Why the cluster is not known well enough.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterUnknown {
    /// What is unknown, for messages.
    pub why: String,
    /// Is there a cluster to watch or ask, so that it should be known?
    pub is_watched: bool,
}

impl fmt::Display for ClusterUnknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.why)
    }
}

const fn bit(kind: Kind) -> u8 {
    1 << kind as u8
}

/// What a policy may see of the cluster: the request's namespace, and the nodes.
#[derive(Debug)]
pub struct ClusterView<'c> {
    context: &'c Context,
    namespace: &'c str,
    age: Age,
    is_asked: Cell<bool>,
    /// A bit for each kind that a policy has asked about.
    asked: Cell<u8>,
    /// The same, since [`ClusterView::take_looked_at`] was last called.
    looked_at: Cell<u8>,
    /// Has a rule asked for the namespace, and has one since [`ClusterView::take_looked_at`] was last called?
    pub(crate) namespace_asked: Cell<[bool; 2]>,
    writers: Cell<Writers>,
}

impl<'c> ClusterView<'c> {
    /// What a request in the namespace may see.
    pub const fn new(context: &'c Context, namespace: &'c str, age: Age) -> Self {
        Self {
            context,
            namespace,
            age,
            is_asked: Cell::new(false),
            asked: Cell::new(0),
            looked_at: Cell::new(0),
            namespace_asked: Cell::new([false; 2]),
            writers: Cell::new(Writers::NONE),
        }
    }

    /// Lets the writers of the request see what they lead traffic to.
    pub(crate) fn note_writers(&self, writers: Writers) {
        self.writers.set(writers);
    }

    /// The programs besides the control plane that write in this cluster.
    pub(crate) const fn writers(&self) -> Writers {
        self.writers.get()
    }

    pub(super) const fn session(&self) -> &'c Session {
        &self.context.session
    }

    /// The visible namespace.
    pub const fn namespace(&self) -> &'c str {
        self.namespace
    }

    /// Are all of these kinds known and current?
    ///
    /// # Errors
    /// What is unknown.
    pub fn knows(&self, kinds: &[Kind]) -> Result<(), ClusterUnknown> {
        let bits = kinds.iter().fold(0, |bits, kind| bits | bit(*kind));
        self.is_asked.set(true);
        self.asked.set(self.asked.get() | bits);
        self.looked_at.set(self.looked_at.get() | bits);
        if self.context.known.is_empty() {
            return Err(self.unknown("nothing is known about the cluster".into()));
        }
        if let Some(kind) = kinds.iter().find(|kind| !self.context.knows(**kind)) {
            let why = format!("the cluster's {}s are unknown", kind.as_str());
            return Err(self.unknown(why));
        }
        self.is_current()
    }

    pub(crate) fn is_current(&self) -> Result<(), ClusterUnknown> {
        match self.age.seconds {
            Some(seconds) if self.is_stale() => Err(self.unknown(format!(
                "the last update from the cluster is {seconds} s old, more than the limit of {} s",
                self.age.most
            ))),
            _ => Ok(()),
        }
    }

    pub(crate) const fn namespaces(&self) -> &'c Namespaces {
        &self.context.namespaces
    }

    pub(crate) const fn unknown(&self, why: String) -> ClusterUnknown {
        ClusterUnknown {
            why,
            is_watched: self.age.is_watched,
        }
    }

    /// Is the last update older than the limit for current context?
    pub fn is_stale(&self) -> bool {
        self.is_asked.set(true);
        self.age
            .seconds
            .is_some_and(|seconds| seconds > self.age.most)
    }

    /// The kinds that were looked at since the last call.
    pub fn take_looked_at(&self) -> impl Iterator<Item = &'static str> + use<> {
        let looked_at = self.looked_at.take();
        let [is_asked, is_namespace] = self.namespace_asked.get();
        self.namespace_asked.set([is_asked, false]);
        Kind::ALL
            .into_iter()
            .filter(move |kind| looked_at & bit(*kind) != 0)
            .map(Kind::as_str)
            .chain(is_namespace.then_some(NAMESPACE))
    }

    /// The age of what was looked at; `None` if nothing was, or if it does not age.
    pub fn age_asked(&self) -> Option<u32> {
        self.age.seconds.filter(|_| self.is_asked.get())
    }

    /// The kinds that policies asked about and that are unknown.
    pub fn lacks(&self) -> impl Iterator<Item = Kind> {
        let is_lacking =
            |kind: &Kind| self.asked.get() & bit(*kind) != 0 && !self.context.knows(*kind);
        Kind::ALL.into_iter().filter(is_lacking)
    }

    /// A Service of the namespace.
    pub fn service(&self, name: &str) -> Option<&'c Service<'static>> {
        self.context.session.service(&self.key(name))
    }

    /// A pod of the namespace.
    pub(crate) fn pod(&self, name: &str) -> Option<ObservedPod<'c>> {
        self.context.session.observed_pod(self.namespace, name)
    }

    /// The pods of the namespace that have an address, by name.
    pub(crate) fn pods_at(&self, address: IpAddr) -> Vec<ObservedPod<'c>> {
        self.context.session.pods_at(self.namespace, address)
    }

    /// The pods of all namespaces that have an address, for what a writer leads traffic to. No message names them.
    pub(crate) fn pods_anywhere_at(&self, address: IpAddr) -> Vec<ObservedPod<'c>> {
        self.context.session.pods_anywhere_at(address)
    }

    /// The pods that a selector matches, by name.
    pub(crate) fn select(&self, selector: &StringMap<'_>) -> Vec<ObservedPod<'c>> {
        self.context.session.selected_pods(self.namespace, selector)
    }

    /// The pods that a workload's selector matches, by name.
    pub(crate) fn pods_matching(&self, selector: &LabelSelector) -> Vec<ObservedPod<'c>> {
        let session = &self.context.session;
        session.pods_matching(self.namespace, selector)
    }

    /// The Services that select any of these pods, by name.
    pub(crate) fn services_of_pods(&self, pods: &[ObservedPod<'c>]) -> Vec<&'c Service<'static>> {
        self.context.session.services_of_pods(pods)
    }

    /// The sets of labels that a selector matches, each with the number of its pods.
    pub(crate) fn labels(&self, selector: &StringMap<'_>) -> Vec<(StringMap<'c>, usize)> {
        self.context
            .session
            .selected_labels(self.namespace, selector)
    }

    /// The slices that are labelled with the Service's name, sorted by name.
    pub(crate) fn slices(&self, service: &str) -> Vec<ObservedSlice<'c>> {
        self.context.session.slices_labelled(&self.key(service))
    }

    /// Those of them that may hold one of these addresses, sorted by name.
    pub(crate) fn slices_holding<'a>(
        &self,
        service: &str,
        addresses: impl Iterator<Item = &'a IpAddr>,
    ) -> Vec<ObservedSlice<'c>> {
        let session = &self.context.session;
        session.slices_holding(&self.key(service), addresses)
    }

    /// The zone of a node, if it has one; `None` if the node does not exist.
    pub fn zone_of_node(&self, name: &str) -> Option<Option<&'c str>> {
        self.context.session.zone_of_node(name)
    }

    /// Is any node in that zone?
    pub fn has_zone(&self, zone: &str) -> bool {
        self.context.session.has_zone(zone)
    }

    /// All nodes by name, each with its zone if it has one.
    pub(crate) fn nodes_by_name(&self) -> Vec<(&'c str, Option<&'c str>)> {
        self.context.session.nodes_by_name()
    }

    /// The nodes as they are.
    pub(crate) fn with_nodes<T>(&self, then: impl FnOnce(&NodeIndex<'_>) -> T) -> T {
        self.context.session.with_nodes(None, then)
    }

    /// The nodes as they would be after this one is changed or deleted.
    pub(crate) fn with_node<T>(
        &self,
        name: &str,
        node: Option<&Node<'_>>,
        then: impl FnOnce(&NodeIndex<'_>) -> T,
    ) -> T {
        self.context.session.with_nodes(Some((name, node)), then)
    }

    /// A Service, which may not exist yet, ready to be planned over the pods that would be.
    pub(crate) fn imagine<T>(
        &self,
        service: &Service<'_>,
        nodes: &NodeIndex<'_>,
        to_be: &PodsToBe<'_>,
        then: impl FnOnce(&Input<'_>) -> T,
    ) -> T {
        let (session, options) = (&self.context.session, Options::default());
        session.imagine(service, nodes, options.settings(), to_be, then)
    }

    /// All Services whose slices a controller manages. They are counted, never named.
    pub(crate) fn all_services(&self) -> Vec<&'c Service<'static>> {
        self.context.session.reconciled_services()
    }

    /// The key of an object in the namespace.
    pub(crate) fn key(&self, name: &str) -> NamespacedName {
        NamespacedName {
            namespace: self.namespace.to_string(),
            name: name.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cluster;

    #[test]
    fn kinds_that_are_asked_about_again_are_still_asked_about() {
        let context = Context::default();
        let cluster = cluster(&context);
        for kinds in [
            &[Kind::Pod][..],
            &[Kind::Pod, Kind::Node, Kind::Node],
            &[Kind::Node],
        ] {
            assert!(cluster.knows(kinds).is_err());
        }
        let twice = ClusterView::new(&context, "shop", Age::default());
        assert!(twice.knows(&[Kind::Node, Kind::Node]).is_err());
        assert_eq!(twice.lacks().collect::<Vec<_>>(), [Kind::Node]);
        let asked = [Kind::Pod, Kind::Node];
        let looked_at = asked.map(Kind::as_str);
        assert_eq!(cluster.take_looked_at().collect::<Vec<_>>(), looked_at);
        assert_eq!(cluster.take_looked_at().next(), None);
        assert_eq!(cluster.lacks().collect::<Vec<_>>(), asked);
    }
}
