//! `workload-traffic`: changes of workloads and pods that would take ready endpoints away from a Service.
//!
//! Each Service that selects pods of the workload is planned twice: over the pods that exist, and over those that would
//! be: pods of the new template in place of the old ones, or none. What it would lose is told with the numbers. A
//! Service that has no ready endpoint loses nothing. Which pods are a workload's own follows from its selector.

mod ports;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::not_checked;
use ports::{TemplatePorts, named_ports_left, numbered_ports_left};
use crate::context::{ClusterUnknown, ClusterView};
use crate::reach::{MAX_PORTS, Reach};
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::unread::PolicyConcern;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use crate::workloads::WorkloadSpec;
use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::kind::Kind;
use slicewise::model::{Pod, Service, StringMap, Text};
use slicewise::words::counted;
use slicewise_live::session::imagined::PodToBe;
use slicewise_live::session::observer::ObservedPod;

policy_settings! {
    /// Settings of `workload-traffic`.
    Settings("settings of workload-traffic") {
        /// The maximum number of Services to plan for one change. Default 100.
        "maxServices" max_services: u32 = 100;
    }
    exempt CONTROLLERS, mode Warn;
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        [("maxServices", self.max_services, 1, u32::MAX)].into()
    }
}

/// The control plane's users that do what a change of a workload asks for, which was judged then, or free nodes.
const CONTROLLERS: &[&str] = &[
    "system:kube-controller-manager",
    "system:kube-scheduler",
    "system:serviceaccount:kube-system:daemon-set-controller",
    "system:serviceaccount:kube-system:deployment-controller",
    "system:serviceaccount:kube-system:generic-garbage-collector",
    "system:serviceaccount:kube-system:horizontal-pod-autoscaler",
    "system:serviceaccount:kube-system:namespace-controller",
    "system:serviceaccount:kube-system:node-controller",
    "system:serviceaccount:kube-system:pod-garbage-collector",
    "system:serviceaccount:kube-system:replicaset-controller",
    "system:serviceaccount:kube-system:statefulset-controller",
    "system:serviceaccount:kube-system:taint-eviction-controller",
];

/// A selector with more requirements would cost more than a review may: each pod may be compared with all of them.
const MAX_REQUIREMENTS: usize = 100;

/// Judges a change of a workload, or the end of a pod.
pub fn check(
    request: &Request<'_>,
    cluster: &ClusterView<'_>,
    settings: &Settings,
) -> PolicyVerdict {
    let Some(change) = PodsChange::of(request) else {
        return PolicyVerdict::allow();
    };
    let affected = match affected(&change, cluster) {
        Ok(affected) => affected,
        Err(why) => {
            let what = "what this change takes away from Services was not planned";
            let finding = not_checked(settings.when_stale, &why, what);
            return finding.into_iter().collect();
        }
    };
    let most = settings.max_services as usize;
    let services = affected.services.iter().take(most);
    let mut findings: Vec<Finding> = services
        .flat_map(|service| affected.judge(&change, service, cluster))
        .collect();
    let left_out = affected.services.len().saturating_sub(most);
    if left_out > 0 {
        let message = format!(
            "{} of these pods were not planned, because there are more than `maxServices`",
            counted(left_out, "Service")
        );
        findings.push(warn("not-checked", "metadata.name", message));
    }
    findings.into_iter().collect()
}

/// What a change would do to pods.
enum PodsChange<'r> {
    /// Pods of the new template replace those of the old one.
    Template {
        of: &'r WorkloadSpec<'r>,
        /// A pod of each.
        pods: Box<[Pod<'r>; 2]>,
    },
    /// All pods of a workload go, because of this field.
    AllGo {
        selector: Option<LabelSelector>,
        field: &'static str,
    },
    /// One pod goes.
    Goes(&'r str),
}

impl<'r> PodsChange<'r> {
    /// `None` if no pod changes.
    fn of(request: &'r Request<'r>) -> Option<Self> {
        match &request.subject {
            ReviewSubject::Workload(_, ObjectChange::Update { old, new }) => {
                if new.spec.is_zero() {
                    return (!old.spec.is_zero()).then(|| Self::all_go(&old.spec, "spec.replicas"));
                }
                let pod = |spec: &'r WorkloadSpec<'r>| {
                    spec.template.pod(&request.namespace, &request.name)
                };
                (old.spec.template != new.spec.template).then(|| Self::Template {
                    of: &old.spec,
                    pods: Box::new([pod(&old.spec), pod(&new.spec)]),
                })
            }
            ReviewSubject::Workload(_, ObjectChange::Delete(old)) => {
                (!request.orphans).then(|| Self::all_go(&old.spec, "metadata.name"))
            }
            ReviewSubject::Scale(ObjectChange::Update { old, new }) => {
                (old.spec.replicas > 0 && new.spec.replicas == 0).then(|| Self::AllGo {
                    selector: LabelSelector::parse(&old.status.selector).ok(),
                    field: "spec.replicas",
                })
            }
            ReviewSubject::Pod(ObjectChange::Delete(_))
            | ReviewSubject::Eviction(ObjectChange::Create(_)) => Some(Self::Goes(&request.name)),
            _ => None,
        }
    }

    fn all_go(spec: &WorkloadSpec<'_>, field: &'static str) -> Self {
        let selector = spec.selector.parsed();
        Self::AllGo { selector, field }
    }

    /// Which of the known pods change.
    ///
    /// # Errors
    /// What is unknown.
    fn pods<'c>(&self, cluster: &ClusterView<'c>) -> Result<Vec<ObservedPod<'c>>, ClusterUnknown> {
        let selector = match self {
            Self::Template { of, .. } => of.selector.parsed(),
            Self::AllGo { selector, .. } => selector.clone(),
            Self::Goes(name) => {
                cluster.has_read(PolicyConcern::Pod(name))?;
                return Ok(cluster.pod(name).into_iter().collect());
            }
        };
        // The API server refuses a workload that selects every pod.
        let Some(selector) = selector.filter(|selector| !selector.is_empty()) else {
            return Err(cluster.unknown("the selector of its pods is missing or invalid".into()));
        };
        match selector.len() {
            ..=MAX_REQUIREMENTS => Ok(cluster.pods_matching(&selector)),
            count => Err(cluster.unknown(format!(
                "the selector of its pods has {count} requirements, more than the limit of {MAX_REQUIREMENTS}"
            ))),
        }
    }
}

/// What a change concerns.
struct Affected<'c> {
    /// The names of the pods that change, sorted.
    pods: Vec<&'c str>,
    /// The Services that select any of them, by name.
    services: Vec<&'c Service<'static>>,
}

/// # Errors
/// What is unknown.
fn affected<'c>(
    change: &PodsChange<'_>,
    cluster: &ClusterView<'c>,
) -> Result<Affected<'c>, ClusterUnknown> {
    cluster.knows(&[Kind::Service, Kind::Pod, Kind::Node])?;
    let pods = change.pods(cluster)?;
    let services = cluster.services_of_pods(&pods);
    cluster.has_read_endpoints(services.iter().copied())?;
    let pods = pods.iter().map(ObservedPod::name).collect();
    Ok(Affected { pods, services })
}

impl Affected<'_> {
    fn has(&self, pod: &str) -> bool {
        self.pods.binary_search(&pod).is_ok()
    }

    /// The effect on one Service.
    fn judge(
        &self,
        change: &PodsChange<'_>,
        service: &Service<'_>,
        cluster: &ClusterView<'_>,
    ) -> Vec<Finding> {
        let name = &service.metadata.name;
        let ports = service.spec.ports.len();
        if ports > MAX_PORTS {
            let message = format!(
                "Service {name} has {ports} ports, and with more than {MAX_PORTS} it is not planned here: what it would lose is not checked"
            );
            return [warn("too-many-ports", "metadata.name", message)].into();
        }
        let before = Reach::of(service, cluster);
        if before.endpoints.is_empty() {
            return Vec::new();
        }
        let all_gone = || {
            let after = self.after(PodToBe::Gone, service, cluster);
            Loss::of(&before, &after).filter(Loss::is_all)
        };
        let finding = match change {
            PodsChange::Template { pods, .. } => {
                return self.replaced(pods, service, &before, cluster);
            }
            PodsChange::AllGo { field, .. } => all_gone().map(|loss| {
                let message = format!(
                    "Service {name} would lose {loss} with the pods of this workload; scale or delete it once nobody uses the Service"
                );
                loss.finding("scaled-to-zero", *field, message)
            }),
            // Whoever publishes pods that are not ready has their replacement published at once.
            PodsChange::Goes(_) if service.spec.publish_not_ready_addresses => None,
            PodsChange::Goes(pod) => all_gone().map(|loss| {
                let message = format!(
                    "pod {pod} is the last ready endpoint of Service {name}; wait until another pod is ready, or add one first"
                );
                loss.finding("last-endpoint", "metadata.name", message)
            }),
        };
        finding.into_iter().collect()
    }

    /// What the Service reaches after this has become of the pods.
    fn after(
        &self,
        fate: PodToBe<'_>,
        service: &Service<'_>,
        cluster: &ClusterView<'_>,
    ) -> Reach {
        let to_be = |pod: &ObservedPod<'_>| match self.has(pod.name()) {
            true => fate,
            false => PodToBe::Same,
        };
        Reach::over(service, cluster, &to_be)
    }

    /// The effect of another template.
    fn replaced(
        &self,
        pods: &[Pod<'_>; 2],
        service: &Service<'_>,
        before: &Reach,
        cluster: &ClusterView<'_>,
    ) -> Vec<Finding> {
        let [old, new] = pods.each_ref().map(|pod| &pod.metadata.labels);
        let lacking = lacking(service, old, new);
        if let Some(first) = lacking.first() {
            let after = self.after(PodToBe::Gone, service, cluster);
            let loss = Loss::of(before, &after);
            let finding = loss.map(|loss| label_left(service, first.0, &lacking, loss));
            return finding.into_iter().collect();
        }
        let [old, new] = pods.each_ref().map(TemplatePorts::of);
        let [had, has] = [&old, &new].map(|ports| ports.resolve(service));
        let after = self.after(PodToBe::WithPorts(&has), service, cluster);
        let own = before.endpoints.iter().filter(|(_, pod)| self.has(pod));
        let loss = Loss {
            lost: own.count(),
            had: before.endpoints.len(),
        };
        let mut findings = named_ports_left(service, &new, [&had, &has], [before, &after]);
        findings.extend(numbered_ports_left(service, [&old, &new], loss));
        findings
    }
}

/// How many of the ready endpoints would go.
#[derive(Clone, Copy)]
struct Loss {
    lost: usize,
    had: usize,
}

impl Loss {
    /// `None` if none.
    fn of(before: &Reach, after: &Reach) -> Option<Self> {
        let (lost, had) = (before.lost_in(after), before.endpoints.len());
        (lost > 0).then_some(Self { lost, had })
    }

    const fn is_all(&self) -> bool {
        self.lost == self.had
    }

    /// A reason to refuse the change if none would be left, otherwise a warning.
    fn finding(self, rule: &'static str, field: impl Into<String>, message: String) -> Finding {
        let finding = match self.is_all() {
            true => Finding::deny,
            false => Finding::warn,
        };
        finding(rule, CauseType::FieldValueForbidden, field.into(), message)
    }
}

impl core::fmt::Display for Loss {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { lost, had } = self;
        match (self.is_all(), lost) {
            (true, 1) => formatter.write_str("its only ready endpoint"),
            (true, _) => write!(formatter, "all {had} ready endpoints"),
            (false, _) => write!(formatter, "{lost} of {had} ready endpoints"),
        }
    }
}

/// The labels that the Service asks for, the old template has, and the new one does not. Labels of neither come from a
/// controller, as with StatefulSets, and stay.
fn lacking<'s>(
    service: &'s Service<'_>,
    old: &StringMap<'_>,
    new: &StringMap<'_>,
) -> Vec<(&'s Text<'s>, &'s Text<'s>)> {
    let selector = service.spec.selector.iter().flat_map(StringMap::iter);
    let is_lacking = |(key, value): &(&Text<'_>, &Text<'_>)| {
        old.get(key.as_str()) == Some(*value) && new.get(key.as_str()) != Some(*value)
    };
    selector.filter(is_lacking).collect()
}

fn label_left(
    service: &Service<'_>,
    key: &Text<'_>,
    lacking: &[(&Text<'_>, &Text<'_>)],
    loss: Loss,
) -> Finding {
    let pairs = lacking.iter().map(|(key, value)| format!("{key}={value}"));
    let message = format!(
        "the new pods would lack {}, by which Service {} selects: it would lose {loss}; keep the label, or change the selector first",
        pairs.collect::<Vec<_>>().join(","),
        service.metadata.name
    );
    let field = format!("spec.template.metadata.labels[{key}]");
    loss.finding("label-left", field, message)
}

fn warn(rule: &'static str, field: &str, message: String) -> Finding {
    Finding::warn(rule, CauseType::FieldValueForbidden, field, message)
}

#[cfg(test)]
mod tests;
