//! Checks whether a run has converged: plans from scratch over the actual cluster.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::model::{EndpointSlice, NamespacedName, Node, Pod, Service, keys};
use slicewise::plan::{Plan, Reason, plan_service};
use slicewise::topology::nodes::NodeIndex;
use slicewise_live::controller::{Kind, PlanObject};

use super::report::End;
use super::workload::APP;
use super::world::World;

/// Objects by the namespace and name of what they belong to.
type ByService<'w, T> = BTreeMap<NamespacedName, Vec<&'w T>>;

impl World {
    pub(super) fn end(&self) -> End {
        let nodes: Vec<Node<'static>> = self.objects(Kind::Node, |object| match object {
            PlanObject::Node(node) => Some(node),
            _ => None,
        });
        let pods: Vec<Pod<'static>> = self.objects(Kind::Pod, |object| match object {
            PlanObject::Pod(pod) => Some(pod),
            _ => None,
        });
        let services: Vec<Service<'static>> = self.objects(Kind::Service, |object| match object {
            PlanObject::Service(service) => Some(service),
            _ => None,
        });
        let index = NodeIndex::new(&nodes);
        let pods = by_service(pods.iter(), |pod| {
            (
                &pod.metadata.namespace,
                pod.metadata.labels.get(APP).map(|app| &**app),
            )
        });
        let slices = by_service(self.server.slices(), |slice| {
            let name = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
            (&slice.metadata.namespace, name.map(|name| &**name))
        });
        let mut end = End {
            overlapping_syncs: self.under_way.overlapping,
            most_syncs_at_once: self.under_way.most,
            is_empty: self.is_empty(),
            ..End::default()
        };
        for service in &services {
            let plan = self.fresh(service, &pods, &slices, &index);
            count(&plan, &mut end);
        }
        end.is_converged = end.missing_writes == 0 && !self.has_strays(&services, &slices);
        end
    }

    fn objects<T>(&self, kind: Kind, one: impl Fn(PlanObject<'static>) -> Option<T>) -> Vec<T> {
        let listed = self.cluster.list(kind).into_iter();
        listed
            .filter_map(|versioned| one(versioned.object))
            .collect()
    }

    fn fresh<'w>(
        &'w self,
        service: &'w Service<'static>,
        pods: &ByService<'w, Pod<'static>>,
        slices: &ByService<'w, EndpointSlice<'static>>,
        nodes: &'w NodeIndex<'w>,
    ) -> Plan<'w> {
        let key = service.key();
        // The history of hints is not part of the cluster, but it affects future hints.
        let account = self.measured.accounts.get(&key);
        let hints = account
            .map(|account| account.state.clone())
            .unwrap_or_default();
        plan_service(
            service,
            pods.get(&key).cloned().unwrap_or_default(),
            slices.get(&key).cloned().unwrap_or_default(),
            &[],
            nodes,
            self.controller.session().options(),
            hints,
            None,
        )
    }

    /// Are there slices whose Service is gone?
    fn has_strays(
        &self,
        services: &[Service<'static>],
        slices: &ByService<'_, EndpointSlice<'static>>,
    ) -> bool {
        let there: Vec<NamespacedName> =
            slicewise::model::order::sorted_unique(services.iter().map(Service::key));
        slices.keys().any(|key| there.binary_search(key).is_err())
    }
}

fn by_service<'w, T: 'w>(
    objects: impl Iterator<Item = &'w T>,
    name: impl Fn(&T) -> (&str, Option<&str>),
) -> ByService<'w, T> {
    let mut found: ByService<'w, T> = BTreeMap::new();
    for object in objects {
        let (namespace, name) = name(object);
        let key = NamespacedName {
            namespace: String::from(namespace),
            name: String::from(name.unwrap_or_default()),
        };
        found.entry(key).or_default().push(object);
    }
    found
}

fn count(plan: &Plan<'_>, end: &mut End) {
    let is_for_hints = |slice: &&EndpointSlice<'_>| {
        let reasons = plan.reasons.get(&*slice.metadata.name);
        reasons.is_some_and(|reasons| reasons.iter().all(|reason| *reason == Reason::HintsChanged))
    };
    let hints = plan.update.iter().filter(is_for_hints).count();
    let all = plan.create.len() + plan.update.len() + plan.delete.len();
    end.slices_behind_in_hints += hints as u64;
    end.missing_writes += (all - hints) as u64;
}
