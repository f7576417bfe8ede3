//! A Service and its pods, which are created and replaced as by a Deployment.
//!
//! Reference for the arithmetic: `NewRSNewReplicas`, `reconcileOldReplicaSets` and `ResolveFenceposts` in
//! `pkg/controller/deployment`.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::{NamespacedName, Service, ServicePort, StringMap, TargetPort, Text, keys};

use super::clock::timestamp;
use super::pods::uid;
use super::scenario::value::{Amount, Span};
use super::scenario::{Port, Workload};

/// How long each stage takes for the pods of a workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    pub(super) address: Duration,
    pub(super) ready: Duration,
    pub(super) gone: Duration,
    pub(super) jitter: Duration,
}

/// Pods of a workload that are not being deleted.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    pub(super) ready: BTreeSet<u32>,
    pub(super) unready: BTreeSet<u32>,
}

impl Books {
    fn len(&self) -> u32 {
        u32::try_from(self.ready.len() + self.unready.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn remove(&mut self, pod: u32) {
        self.ready.remove(&pod);
        self.unready.remove(&pod);
    }
}

/// A Service and the pods behind it.
#[derive(Clone, Debug)]
pub(super) struct WorkloadState {
    pub(super) key: NamespacedName,
    pub(super) service: Service<'static>,
    /// The name of its Deployment.
    pub(super) deployment: String,
    pub(super) exists: bool,
    pub(super) version: u64,
    pub(super) spans: Spans,
    pub(super) replicas: u32,
    pub(super) revision: u32,
    pub(super) pod_labels: StringMap<'static>,
    pub(super) max_surge: Amount,
    pub(super) max_unavailable: Amount,
    pub(super) pace: Duration,
    pub(super) next_step: Duration,
    pub(super) step_is_due: bool,
    pub(super) new: Books,
    pub(super) old: Books,
}

/// The label by which Services select their pods.
pub(super) const APP: &str = "app";

impl WorkloadState {
    pub(super) fn new(
        workload: &Workload<'_>,
        key: NamespacedName,
        number: u64,
        now: Duration,
    ) -> Self {
        let or = |span: Option<Span>, default: Duration| span.map_or(default, |span| span.0);
        let app: StringMap<'static> = [(APP.into(), key.name.clone().into())]
            .into_iter()
            .collect();
        Self {
            service: service(workload, &key, app.clone(), number, now),
            deployment: workload.deployment.as_deref().unwrap_or(&key.name).into(),
            exists: true,
            version: 0,
            spans: Spans {
                address: or(workload.address_after, Duration::from_secs(1)),
                ready: or(workload.ready_after, Duration::from_secs(3)),
                gone: or(workload.gone_after, Duration::from_secs(5)),
                jitter: or(workload.jitter, Duration::ZERO),
            },
            replicas: workload.replicas,
            revision: 1,
            pod_labels: app,
            max_surge: Amount::Percent(25),
            max_unavailable: Amount::Percent(25),
            pace: Duration::ZERO,
            next_step: Duration::ZERO,
            step_is_due: false,
            new: Books::default(),
            old: Books::default(),
            key,
        }
    }

    /// Makes all current pods old.
    pub(super) fn begin_update(&mut self) {
        self.revision += 1;
        let Books { ready, unready } = core::mem::take(&mut self.new);
        self.old.ready.extend(ready);
        self.old.unready.extend(unready);
    }

    /// Its pods that are not being deleted, old ones first.
    pub(super) fn live(&self) -> Vec<u32> {
        let all = [
            &self.old.ready,
            &self.old.unready,
            &self.new.ready,
            &self.new.unready,
        ];
        all.into_iter().flatten().copied().collect()
    }

    /// The number of pods to create within the limits of the update.
    pub(super) fn wanting(&self) -> u32 {
        let surge = if self.old.len() == 0 {
            0
        } else {
            self.max_surge.of(self.replicas, true)
        };
        let most = self.replicas.saturating_add(surge);
        let total = self.new.len().saturating_add(self.old.len());
        let new = self.replicas.saturating_sub(self.new.len());
        new.min(most.saturating_sub(total))
    }

    /// Pods to delete: new ones beyond the replicas, and old ones as far as enough others are ready.
    pub(super) fn surplus(&self) -> Vec<u32> {
        let above = self.new.len().saturating_sub(self.replicas) as usize;
        let unready = self.new.unready.iter().rev();
        let mut surplus: Vec<u32> = unready
            .chain(self.new.ready.iter().rev())
            .take(above)
            .copied()
            .collect();
        let (surge, unavailable) = (
            self.max_surge.of(self.replicas, true),
            self.max_unavailable.of(self.replicas, false),
        );
        // If neither is allowed, the update would never progress.
        let unavailable = if surge == 0 && unavailable == 0 {
            1
        } else {
            unavailable
        };
        let least = self.replicas.saturating_sub(unavailable) as usize;
        let total = (self.new.len() + self.old.len()) as usize - surplus.len();
        let most = total.saturating_sub(least + self.new.unready.len());
        let spare = (self.new.ready.len() + self.old.ready.len()).saturating_sub(least);
        let broken = self.old.unready.iter().take(most);
        let broken: Vec<u32> = broken.copied().collect();
        let sound = spare.min(most - broken.len());
        surplus.extend(broken);
        surplus.extend(self.old.ready.iter().take(sound));
        surplus
    }
}

fn service(
    workload: &Workload<'_>,
    key: &NamespacedName,
    selector: StringMap<'static>,
    number: u64,
    now: Duration,
) -> Service<'static> {
    let own = |text: &Text<'_>| text.clone().into_owned();
    let mut annotations = StringMap::default();
    if let Some(mode) = &workload.topology_mode {
        annotations.insert(keys::TOPOLOGY_MODE_ANNOTATION.into(), own(mode));
    }
    let families = families(&workload.families);
    let is_v6 = families.first().is_some_and(|family| *family == "IPv6");
    let cluster_ip = match (workload.headless, is_v6) {
        (true, _) => keys::CLUSTER_IP_NONE.to_string(),
        (false, false) => String::from("10.96.0.1"),
        (false, true) => String::from("fd96::1"),
    };
    let labels = workload
        .labels
        .iter()
        .map(|(key, value)| (own(key), own(value)));
    let mut service = Service::default();
    service.metadata.name = key.name.clone().into();
    service.metadata.namespace = key.namespace.clone().into();
    service.metadata.uid = uid(2, number).into();
    service.metadata.labels = labels.collect();
    service.metadata.annotations = annotations;
    service.metadata.creation_timestamp = timestamp(now);
    service.spec.selector = Some(selector);
    service.spec.ports = ports(workload.ports.as_deref());
    service.spec.cluster_ip = cluster_ip.into();
    service.spec.ip_families = families;
    service.spec.service_type = "ClusterIP".into();
    service.spec.publish_not_ready_addresses = workload.publish_not_ready_addresses;
    service.spec.traffic_distribution = workload.traffic_distribution.as_ref().map(own);
    service
}

/// The families of a Service.
pub(super) fn families(given: &[Text<'_>]) -> Vec<Text<'static>> {
    if given.is_empty() {
        return Vec::from(["IPv4".into()]);
    }
    let own = |text: &Text<'_>| text.clone().into_owned();
    given.iter().map(own).collect()
}

/// The ports of a Service.
pub(super) fn ports(given: Option<&[Port<'_>]>) -> Vec<ServicePort<'static>> {
    let port = |name: Text<'static>, protocol: Text<'static>, number: i32| {
        let mut port = ServicePort::default();
        port.name = name;
        port.protocol = protocol;
        port.target_port = TargetPort::Number(number);
        port
    };
    let Some(ports) = given else {
        return Vec::from([port("http".into(), "TCP".into(), 8080)]);
    };
    let ports = ports.iter().map(|given| {
        let number = match given.target_port {
            TargetPort::Number(number) => number,
            TargetPort::Name(_) => 0,
        };
        let protocol = given
            .protocol
            .as_ref()
            .map_or_else(|| "TCP".into(), |protocol| protocol.clone().into_owned());
        port(given.name.clone().into_owned(), protocol, number)
    });
    ports.collect()
}
