//! Snapshot → plans: what `kubectl get services,pods,nodes,endpointslices -A -o json` prints, planned whole.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::incomplete::{CREATED_ANEW, Received, Warning, WarningCode, of_snapshot};
use super::input::{self, Limits};
use super::objects::numbers::{NODES, PODS, SERVICES, SLICES};
use super::objects::{
    Checked, Documents, Gather, Halt, Standing, Unique, Wanted, ignored_name, read_from,
};
use super::plan::{check_one_slice, check_plan_options};
use super::{encode, place};
use crate::Error;
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::order::{Grouped, sort_by};
use crate::model::own::Keep;
use crate::model::{EndpointSlice, Node, Pod, Service, SortedMap};
use crate::plan::request::Options;
use crate::plan::{Plan, plan_service};
use crate::topology::cache::ServiceHints;
use crate::topology::nodes::NodeIndex;
use serde::Serialize;

/// Objects of other kinds, by kind.
pub type IgnoredKinds = SortedMap<String, usize>;

/// The objects of a snapshot that plans depend on.
#[derive(Debug, Default)]
pub struct Snapshot<'a> {
    /// Services by namespace and name.
    pub services: Vec<Service<'a>>,
    /// Pods.
    pub pods: Vec<Pod<'a>>,
    /// Nodes.
    pub nodes: Vec<Node<'a>>,
    /// EndpointSlices.
    pub slices: Vec<EndpointSlice<'a>>,
    /// What else there was.
    pub ignored: IgnoredKinds,
    /// What its lists say of themselves.
    pub received: Received,
}

/// Plans of all Services that have a selector, by namespace and name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SnapshotPlans<'a> {
    /// The plans.
    pub plans: Vec<Plan<'a>>,
    /// What a person should know about the input.
    pub warnings: Vec<Warning>,
    /// Objects of kinds that plans do not depend on, counted.
    pub ignored: IgnoredKinds,
}

/// Plans every Service of a snapshot; `options` is JSON, or empty for the defaults.
///
/// # Errors
/// When either cannot be read or holds a value that cannot be used.
pub fn plan_snapshot(snapshot: &[u8], options: &[u8]) -> Result<Vec<u8>, Error> {
    let options_text = input::text(options, Limits::default())?;
    let options = if options_text.trim().is_empty() {
        Options::default()
    } else {
        input::decode::<Options<'_>>(options_text)?
    };
    check_plan_options(&options, "").map_err(|error| place::locate(error, options_text))?;
    with_snapshot_plans(snapshot, &options, Limits::default(), |plans, _| {
        encode(plans)
    })?
}

/// Plans every Service of a snapshot and hands the plans and all its slices to `then`, for callers that want more
/// than JSON.
///
/// # Errors
/// As [`plan_snapshot`].
pub fn with_snapshot_plans<T>(
    snapshot: &[u8],
    options: &Options<'_>,
    limits: Limits,
    then: impl FnOnce(&SnapshotPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    check_plan_options(options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let snapshot = Snapshot::read(text)?;
    let nodes = NodeIndex::new(&snapshot.nodes);
    #[cfg_attr(
        not(feature = "explain"),
        expect(unused_mut, reason = "explained in place")
    )]
    let mut plans = snapshot.plan(&nodes, options);
    #[cfg(feature = "explain")]
    super::explain::explain_plans_of(text, &snapshot, &nodes, options, &mut plans.plans)?;
    Ok(then(&plans, &snapshot.slices))
}

impl<'a> Snapshot<'a> {
    /// Reads a List, a list of one kind, an array, or objects one after another.
    ///
    /// # Errors
    /// When an object cannot be read, has no name, or is given twice.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        Self::read_as(text, Documents::default())
    }

    /// As [`Snapshot::read`], or an array of slices that do not say what they are.
    ///
    /// # Errors
    /// As [`Snapshot::read`].
    pub fn read_slices(text: &'a str) -> Result<Self, Error> {
        Self::read_as(text, Documents::of(KIND, API_VERSION))
    }

    fn read_as(text: &'a str, documents: Documents) -> Result<Self, Error> {
        let mut reading = Reading::default();
        read_from(documents, text, &mut reading)?;
        Ok(reading.finish())
    }

    /// Plans every Service that has a selector.
    pub fn plan<'s>(
        &'s self,
        nodes: &'s NodeIndex<'s>,
        options: &'s Options<'s>,
    ) -> SnapshotPlans<'s> {
        let pods = self.pods.iter().map(|pod| (&*pod.metadata.namespace, pod));
        let pods = Grouped::new(pods);
        let slices = self
            .slices
            .iter()
            .map(|slice| (&*slice.metadata.namespace, slice));
        let slices = Grouped::new(slices);
        let mut services: Vec<_> = self
            .services
            .iter()
            .filter(|service| service.is_reconciled())
            .collect();
        sort_by(&mut services, |a, b| a.key().cmp(&b.key()));
        let plans = services.into_iter().map(|service| {
            let namespace = service.metadata.namespace.as_str();
            plan_service(
                service,
                pods.of(namespace).iter().map(|(_, pod)| *pod).collect(),
                slices
                    .of(namespace)
                    .iter()
                    .map(|(_, slice)| *slice)
                    .collect(),
                &[],
                nodes,
                options,
                ServiceHints::default(),
                None,
            )
        });
        SnapshotPlans {
            plans: plans.collect(),
            warnings: self.warnings(),
            ignored: self.ignored.clone(),
        }
    }

    fn warnings(&self) -> Vec<Warning> {
        of_snapshot(self, CREATED_ANEW)
    }

    /// Workloads make pods in a cluster; here they make none.
    pub(super) fn only_workloads(&self) -> Option<Warning> {
        const WORKLOADS: [&str; 7] = [
            "CronJob",
            "DaemonSet",
            "Deployment",
            "Job",
            "ReplicaSet",
            "ReplicationController",
            "StatefulSet",
        ];
        let mut kinds = self.ignored.iter().map(|(kind, _)| kind.as_str());
        let kind = kinds.find(|kind| WORKLOADS.contains(kind))?;
        let message = format!(
            "the input has a {kind} but no Pods: plans are made from pods, which the cluster creates; fetch them with `kubectl get services,pods,nodes,endpointslices -A -o json`"
        );
        Some(Warning::new(WarningCode::OnlyWorkloads, message))
    }
}

/// Takes the objects of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Reading<'k> {
    services: Unique<Service<'k>>,
    pods: Unique<Pod<'k>>,
    nodes: Unique<Node<'k>>,
    slices: Unique<EndpointSlice<'k>>,
    ignored: Vec<(String, usize)>,
    received: Received,
}

impl<'k> Reading<'k> {
    pub(super) fn finish(self) -> Snapshot<'k> {
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

impl Wanted for Reading<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        match kind {
            "Service" | "Pod" | "Node" => matches!(version, "" | "v1"),
            "EndpointSlice" => matches!(version, "" | API_VERSION),
            _ => false,
        }
    }

    fn ignore(&mut self, kind: &str, version: &str) {
        self.received.other(kind);
        self.ignored.push((ignored_name(kind, version), 1));
    }

    fn received(&mut self) -> Option<&mut Received> {
        Some(&mut self.received)
    }

    fn mark(&self) -> [usize; 5] {
        [
            self.services.len(),
            self.pods.len(),
            self.nodes.len(),
            self.slices.len(),
            self.ignored.len(),
        ]
    }

    fn forget(&mut self, [services, pods, nodes, slices, ignored]: [usize; 5]) {
        self.services.truncate(services);
        self.pods.truncate(pods);
        self.nodes.truncate(nodes);
        self.slices.truncate(slices);
        self.ignored.truncate(ignored);
    }
}

impl<'a, 'k, K> Gather<'a, K> for Reading<'k>
where
    K: Keep<Service<'a>, Kept = Service<'k>>
        + Keep<Pod<'a>, Kept = Pod<'k>>
        + Keep<Node<'a>, Kept = Node<'k>>
        + Keep<EndpointSlice<'a>, Kept = EndpointSlice<'k>>,
{
    fn gather(
        &mut self,
        object: &mut Standing<'_, '_, 'a>,
        kind: &str,
        keep: &K,
    ) -> Result<(), Halt> {
        match kind {
            "Service" => self.services.read::<Service<'a>, _>(object, SERVICES, keep),
            "Pod" => self.pods.read::<Pod<'a>, _>(object, PODS, keep),
            "Node" => self.nodes.read::<Node<'a>, _>(object, NODES, keep),
            _ => self
                .slices
                .read::<EndpointSlice<'a>, _>(object, SLICES, keep),
        }
    }
}

impl<'a> Checked<'a> for Service<'a> {}
impl<'a> Checked<'a> for Pod<'a> {}
impl<'a> Checked<'a> for Node<'a> {}

impl<'a> Checked<'a> for EndpointSlice<'a> {
    fn check(&self) -> Result<(), Error> {
        check_one_slice(self)
    }
}
