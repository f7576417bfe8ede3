//! Plans from `k8s_openapi` objects.

use alloc::format;
use alloc::vec::Vec;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;

use super::endpoints::CheckedExtraEndpoint;
use super::originals::Originals;
use super::{ExtraEndpoint, Plan, slice};
use crate::api::objects::CheckedObject;
use crate::api::{
    IgnoredKinds, Received, Snapshot, check_names, check_typed_options, complete_request,
};
use crate::model::service::DEFAULT_NAMESPACE;
use crate::model::{EndpointSlice, NamespacedName, Node, Pod, Service, Timestamp};
use crate::plan::request::Options;
use crate::plan::{State, belongs, is_selected, plan_own_service};
use crate::topology::nodes::NodeIndex;
use crate::{Code, Error};

/// Plans Services from `k8s_openapi` objects, with options that have been checked once.
#[derive(Debug, Clone)]
pub struct Planner<'o> {
    options: Options<'o>,
}

impl<'o> Planner<'o> {
    /// A planner with these options; with `managed_by` it plans for a controller other than Kubernetes' own.
    ///
    /// # Errors
    /// `InvalidValue` for an option out of range, `Unsupported` for what this version cannot do.
    pub fn new(options: Options<'o>) -> Result<Self, Error> {
        check_typed_options(&options, "/options")?;
        Ok(Self { options })
    }

    /// Plans one Service. Pods and slices may include unrelated ones: pods that the selector does not match, and slices
    /// of other Services or managers, are ignored. `nodes` are all nodes of the cluster.
    ///
    /// `trigger_time` comes from a [`crate::tracker::TriggerTimeTracker`], `state` from the Service's previous plan. To
    /// plan many Services, use [`Planner::plan_all`], or read the nodes once and each Service with [`Planner::read`].
    ///
    /// # Errors
    /// When an object holds a value that cannot be used, has no name, or is given twice. The path is that of a plan
    /// request: `/pods/3/status/podIPs/0/ip`.
    pub fn plan<'a>(
        &'a self,
        service: &'a core::Service,
        pods: impl IntoIterator<Item = &'a core::Pod>,
        nodes: impl IntoIterator<Item = &'a core::Node>,
        slices: impl IntoIterator<Item = &'a discovery::EndpointSlice>,
        trigger_time: Option<Timestamp>,
        state: State,
    ) -> Result<Plan, Error> {
        let view = self.read(service, pods, slices)?;
        let nodes = read_nodes(nodes)?;
        Ok(view.plan(&NodeIndex::new(&nodes), trigger_time, state))
    }

    /// Plans every Service that has a selector, by namespace and name, as if for the first time: without trigger times,
    /// and without the state of earlier plans. The typed counterpart of [`crate::api::plan_snapshot`].
    ///
    /// # Errors
    /// Same as [`Planner::plan`]; a Service is at `/services/…`.
    pub fn plan_all<'a>(
        &'a self,
        services: impl IntoIterator<Item = &'a core::Service>,
        pods: impl IntoIterator<Item = &'a core::Pod>,
        nodes: impl IntoIterator<Item = &'a core::Node>,
        slices: impl IntoIterator<Item = &'a discovery::EndpointSlice>,
    ) -> Result<Vec<Plan>, Error> {
        let originals: Vec<&'a discovery::EndpointSlice> = slices.into_iter().collect();
        let mut snapshot = Snapshot {
            services: services.into_iter().map(Service::from).collect(),
            pods: read_each("/pods", pods)?,
            nodes: read_nodes(nodes)?,
            slices: originals.iter().map(|slice| slice::read(slice)).collect(),
            ignored: IgnoredKinds::default(),
            received: Received::default(),
        };
        complete_all(&mut snapshot.services);
        complete_all(&mut snapshot.pods);
        complete_all(&mut snapshot.slices);
        check_names("/services", &snapshot.services)?;
        check_pods_and_slices(&snapshot.pods, &snapshot.slices)?;
        let nodes = NodeIndex::new(&snapshot.nodes);
        let originals = Originals::new(&originals);
        let plans = snapshot.plan(&nodes, &self.options).plans.into_iter();
        Ok(plans.map(|plan| Plan::own(plan, &originals)).collect())
    }

    /// Reads the objects of one Service and keeps those that concern it.
    ///
    /// # Errors
    /// Same as [`Planner::plan`].
    pub fn read<'a>(
        &'a self,
        service: &'a core::Service,
        pods: impl IntoIterator<Item = &'a core::Pod>,
        slices: impl IntoIterator<Item = &'a discovery::EndpointSlice>,
    ) -> Result<View<'a>, Error> {
        let mut view = View {
            options: &self.options,
            service: service.into(),
            pods: read_each("/pods", pods)?,
            slices: Vec::new(),
            originals: slices.into_iter().collect(),
            extras: None,
        };
        view.slices = view
            .originals
            .iter()
            .map(|slice| slice::read(slice))
            .collect();
        complete_request(&mut view.service, &mut view.pods, &mut view.slices);
        view.check()?;
        view.keep_own();
        Ok(view)
    }
}

/// Reads the nodes of a cluster, to be indexed once and shared by the plans of all Services.
///
/// # Errors
/// When a node's CPU is not a quantity, or a node has no name or is given twice.
pub fn read_nodes<'a>(
    nodes: impl IntoIterator<Item = &'a core::Node>,
) -> Result<Vec<Node<'a>>, Error> {
    let nodes: Vec<Node<'a>> = read_each("/nodes", nodes)?;
    check_names("/nodes", &nodes)?;
    Ok(nodes)
}

fn read_each<'a, K: 'a, M: TryFrom<&'a K, Error = Error>>(
    list: &str,
    objects: impl IntoIterator<Item = &'a K>,
) -> Result<Vec<M>, Error> {
    let placed = |index: usize, error: Error| {
        let path = format!("{list}/{index}{}", error.path().unwrap_or_default());
        error.at(path)
    };
    let objects = objects.into_iter().enumerate();
    objects
        .map(|(index, object)| M::try_from(object).map_err(|error| placed(index, error)))
        .collect()
}

fn complete_all<'a, T: CheckedObject<'a>>(objects: &mut [T]) {
    for object in objects {
        object.complete(DEFAULT_NAMESPACE);
    }
}

fn check_pods_and_slices(pods: &[Pod<'_>], slices: &[EndpointSlice<'_>]) -> Result<(), Error> {
    check_names("/pods", pods)?;
    check_names("/slices", slices)
}

/// One Service and the objects that concern it, read and checked; borrowed from the caller's objects.
///
/// Its parts are what trackers need before planning.
#[derive(Debug)]
pub struct View<'a> {
    options: &'a Options<'a>,
    service: Service<'a>,
    pods: Vec<Pod<'a>>,
    slices: Vec<EndpointSlice<'a>>,
    /// INVARIANT: the given slices, with the same indices as in `slices`.
    originals: Vec<&'a discovery::EndpointSlice>,
    extras: Option<Vec<CheckedExtraEndpoint<'a>>>,
}

impl<'a> View<'a> {
    /// Adds endpoints that are not pods; after this call, even with an empty list, a Service without a selector gets
    /// slices.
    ///
    /// # Errors
    /// `InvalidValue` if an endpoint has no address or an invalid one.
    pub fn with_endpoints(
        mut self,
        endpoints: impl IntoIterator<Item = ExtraEndpoint<'a>>,
    ) -> Result<Self, Error> {
        let extras = self.extras.get_or_insert_default();
        let first = extras.len();
        for (index, endpoint) in endpoints.into_iter().enumerate() {
            extras.push(CheckedExtraEndpoint::read(first + index, endpoint)?);
        }
        Ok(self)
    }

    /// Namespace and name of the Service: the key of the trackers.
    pub fn key(&self) -> NamespacedName {
        self.service.key()
    }

    /// The Service.
    pub const fn service(&self) -> &Service<'a> {
        &self.service
    }

    /// The pods its selector selects.
    pub fn pods(&self) -> &[Pod<'a>] {
        &self.pods
    }

    /// The slices of this Service and this manager that are not being deleted.
    pub fn slices(&self) -> &[EndpointSlice<'a>] {
        &self.slices
    }

    /// Plans the Service. This cannot fail: what could not be done is in [`Plan::errors`].
    pub fn plan(
        &self,
        nodes: &NodeIndex<'_>,
        trigger_time: Option<Timestamp>,
        state: State,
    ) -> Plan {
        let given = self.extras.as_deref();
        let extras: Vec<_> = given
            .into_iter()
            .flatten()
            .map(CheckedExtraEndpoint::as_static)
            .collect();
        let plan = if given.is_none() && !self.service.is_reconciled() {
            crate::plan::Plan::nothing(&self.service, state.hints)
        } else {
            plan_own_service(
                &self.service,
                self.pods.iter().collect(),
                self.slices.iter().collect(),
                &extras,
                nodes,
                self.options,
                state.hints,
                trigger_time,
            )
        };
        Plan::own(plan, &Originals::new(&self.originals))
    }

    fn check(&self) -> Result<(), Error> {
        check_pods_and_slices(&self.pods, &self.slices)?;
        if self.service.metadata.name.is_empty() {
            return Err(Error::new(Code::InvalidValue, "a Service needs a name")
                .at("/service/metadata/name"));
        }
        Ok(())
    }

    fn keep_own(&mut self) {
        let Self { service, .. } = self;
        self.pods.retain(|pod| is_selected(pod, service));
        let managed_by = self.options.settings().managed_by;
        let own = |slice: &EndpointSlice<'a>| belongs(slice, service, managed_by);
        let slices = ::core::mem::take(&mut self.slices)
            .into_iter()
            .zip(self.originals.iter().copied());
        (self.slices, self.originals) = slices.filter(|(slice, _)| own(slice)).unzip();
    }
}
