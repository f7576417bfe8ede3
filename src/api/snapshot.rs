//! A snapshot: the output of `kubectl get services,pods,nodes,endpointslices -A -o json`.

use alloc::string::String;
use alloc::vec::Vec;

use super::endpoints_check::check_endpoints;
use super::objects::{CheckedObject, Documents, Unique, gathered, read_from, read_readable};
use super::received::Received;
use super::slice_check::check_one_slice;
use crate::Error;
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::service::{DEFAULT_NAMESPACE, is_stored, or_in, or_tcp};
use crate::model::{EndpointSlice, Endpoints, Node, Pod, Service, SortedMap};

/// The number of objects of other kinds, by kind.
pub type IgnoredKinds = SortedMap<String, usize>;

/// The objects of a snapshot that plans depend on.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Snapshot<'a> {
    /// Services by namespace and name.
    pub services: Vec<Service<'a>>,
    /// Pods.
    pub pods: Vec<Pod<'a>>,
    /// Nodes.
    pub nodes: Vec<Node<'a>>,
    /// EndpointSlices.
    pub slices: Vec<EndpointSlice<'a>>,
    /// Objects of other kinds.
    pub ignored: IgnoredKinds,
    /// Whether its lists are complete.
    pub received: Received,
}

impl<'a> Snapshot<'a> {
    /// Reads a List, a list of one kind, an array, or objects one after another.
    ///
    /// # Errors
    /// When an object cannot be read, has no name, or is given twice.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        Self::read_as(text, Documents::default())
    }

    /// Like [`Snapshot::read`], but also reads an array of slices that do not state their kind.
    ///
    /// # Errors
    /// Same as [`Snapshot::read`].
    pub fn read_slices(text: &'a str) -> Result<Self, Error> {
        Self::read_as(text, Documents::of(KIND, API_VERSION))
    }

    /// Like [`Snapshot::read`], but leaves out objects that cannot be read if they can be named.
    #[doc(hidden)]
    pub fn read_readable(text: &'a str) -> Result<Self, Error> {
        let mut reading = SnapshotReading::default();
        read_readable(text, &mut reading)?;
        Ok(reading.finish())
    }

    fn read_as(text: &'a str, mut documents: Documents) -> Result<Self, Error> {
        let mut reading = SnapshotReading::default();
        read_from(&mut documents, text, &mut reading)?;
        Ok(reading.finish())
    }
}

/// Takes the objects of a snapshot.
#[derive(Debug, Default)]
pub struct SnapshotReading<'k> {
    services: Unique<Service<'k>>,
    pods: Unique<Pod<'k>>,
    nodes: Unique<Node<'k>>,
    slices: Unique<EndpointSlice<'k>>,
    ignored: Vec<(String, usize)>,
    received: Received,
}

impl<'k> SnapshotReading<'k> {
    pub fn finish(self) -> Snapshot<'k> {
        Snapshot {
            services: self.services.items,
            pods: self.pods.items,
            nodes: self.nodes.items,
            slices: self.slices.items,
            ignored: IgnoredKinds::merged(self.ignored, |sum, more| *sum += *more),
            received: self.received,
        }
    }
}

gathered!(SnapshotReading {
    "Service" => services: Service, SERVICES;
    "Pod" => pods: Pod, PODS;
    "Node" => nodes: Node, NODES;
    "EndpointSlice" => slices: EndpointSlice, SLICES;
});

impl<'a> CheckedObject<'a> for Service<'a> {
    fn complete(&mut self, namespace: &str) {
        self.complete(namespace);
    }
}

impl<'a> CheckedObject<'a> for Pod<'a> {
    fn complete(&mut self, namespace: &str) {
        or_in(&mut self.metadata.namespace, namespace);
        if is_stored(&self.metadata.uid, &self.metadata.resource_version) {
            return;
        }
        self.spec.complete();
    }
}

impl<'a> CheckedObject<'a> for Node<'a> {}

impl<'a> CheckedObject<'a> for EndpointSlice<'a> {
    fn complete(&mut self, namespace: &str) {
        or_in(&mut self.metadata.namespace, namespace);
        if is_stored(&self.metadata.uid, &self.metadata.resource_version) {
            return;
        }
        for port in &mut self.ports {
            port.name.get_or_insert_default();
            or_tcp(port.protocol.get_or_insert_default());
        }
    }

    fn check(&self) -> Result<(), Error> {
        check_one_slice(self)
    }
}

/// Fills in what the manifest of a Service, and those of its pods, leave out. Objects that name no namespace are in that of
/// the Service. A Service that was stored is believed, and what is given with it, even if they lack what the API server
/// always fills in; and slices are compared as they are, with what was planned before.
pub(crate) fn complete_request(
    service: &mut Service<'_>,
    pods: &mut [Pod<'_>],
    slices: &mut [EndpointSlice<'_>],
) {
    if is_stored(&service.metadata.uid, &service.metadata.resource_version) {
        return;
    }
    service.complete(DEFAULT_NAMESPACE);
    let namespace = &service.metadata.namespace;
    for pod in pods {
        pod.complete(namespace);
    }
    for slice in slices {
        or_in(&mut slice.metadata.namespace, namespace);
    }
}

impl<'a> CheckedObject<'a> for Endpoints<'a> {
    fn complete(&mut self, namespace: &str) {
        or_in(&mut self.metadata.namespace, namespace);
        let ports = self.subsets.iter_mut().flat_map(|subset| &mut subset.ports);
        ports.for_each(|port| or_tcp(&mut port.protocol));
    }

    fn check(&self) -> Result<(), Error> {
        check_endpoints(self, "")
    }
}
