//! Actions: what someone does to the simulated world.

mod nodes;

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::{EndpointSlice, NamespacedName, StringMap, Text, keys};
use slicewise_live::api_server::StoredChange;
use slicewise_live::controller::ClusterEvent;

use crate::agenda::Happening;
use crate::report::{ActionEntry, EditEntry, TimelineEntryKind};
use crate::scenario::value::{Amount, Cpu, Span};
use crate::scenario::{
    Act, Edit, EditSlices, PodChoice, Relabel, RollingUpdate, ServiceChange, Workload,
};
use crate::workload::{WorkloadState, families, ports};
use crate::world::World;
use crate::writer::Trouble;

fn key(name: &str) -> NamespacedName {
    let (namespace, name) = name.split_once('/').unwrap_or(("", name));
    NamespacedName {
        namespace: namespace.into(),
        name: name.into(),
    }
}

fn or(span: Option<Span>, default: u64) -> Duration {
    span.map_or_else(|| Duration::from_secs(default), |span| span.0)
}

impl World {
    /// Performs an action, and schedules its repetition if there is one.
    pub(crate) fn act(&mut self, number: usize) {
        let scenario = Arc::clone(&self.scenario);
        let Some(action) = scenario.actions.get(number) else {
            return;
        };
        let Some(done) = self.done.get_mut(number) else {
            return;
        };
        *done += 1;
        let is_first = *done == 1;
        if *done < action.times.unwrap_or(1) {
            let at = self.now.saturating_add(or(action.every, 1));
            self.agenda.enter(at, Happening::Act(number));
        }
        if let Some(phase) = action.phase.as_deref().filter(|_| is_first) {
            let watchers = self.watchers();
            self.measured.begin_phase(phase, self.now, watchers);
        }
        for (name, act) in action.acts() {
            self.measured.note_cause(self.now);
            let entry = || TimelineEntryKind::Action(ActionEntry::new(number, name, act));
            self.measured.timeline.note(self.now, entry);
            self.perform(act);
        }
    }

    fn perform(&mut self, act: Act<'_, '_>) {
        match act {
            Act::Scale(scale) => self.change_workload(&scale.service, |workload| {
                workload.replicas = scale.replicas;
            }),
            Act::RollingUpdate(update) => self.update(update),
            Act::UnreadyPods(choice) => {
                let lasting = or(choice.lasting, 10);
                for pod in self.draw(choice) {
                    if let Some(pod) = self.cluster.pods.get_mut(&pod) {
                        pod.failing = true;
                    }
                    self.cluster.pod_unready(pod);
                    self.cluster.follow(lasting, Happening::Recovered(pod));
                }
            }
            Act::DeletePods(choice) => {
                for pod in self.draw(choice) {
                    self.cluster.delete_pod(pod);
                }
            }
            Act::RelabelPods(relabel) => self.relabel(relabel),
            Act::ChangeService(change) => self.change_service(change),
            Act::CreateService(workload) => self.create_service(workload),
            Act::DeleteService(choice) => self.delete_service(&key(&choice.service)),
            Act::DrainNodes(choice) => self.drain(choice),
            Act::FailNodes(choice) => self.fail(choice),
            Act::RecoverNodes(choice) => self.recover(choice),
            Act::ChangeNodes(choice) => self.change_cpu(choice),
            Act::AddNodes(add) => {
                let zones = &self.scenario.zones;
                let zone = zones.iter().find(|zone| zone.name == add.zone);
                let Cpu(cpu) = zone.and_then(|zone| zone.cpu).unwrap_or_default();
                self.cluster
                    .add_nodes(&add.zone, &[], cpu, add.count.unwrap_or(1));
            }
            Act::RemoveNodes(choice) => {
                for node in self.nodes(choice, |_, _| true) {
                    self.cluster.remove_node(node);
                }
            }
            Act::EditSlices(edit) => self.edit_slices(edit),
            Act::RefuseWrites(refuse) => self.trouble = Trouble::new(refuse, self.now),
            Act::SetWatch(watch) => self.watches.set(watch),
            Act::RestartController => self.restart_controller(),
            Act::Resync => {
                self.controller.handle(ClusterEvent::Resync, self.now);
            }
            Act::DeleteEverything => self.delete_everything(),
        }
    }

    fn change_workload(&mut self, service: &str, change: impl FnOnce(&mut WorkloadState)) {
        let Some(number) = self.cluster.find(&key(service)) else {
            return;
        };
        if let Some(workload) = self
            .cluster
            .workloads
            .get_mut(number)
            .filter(|workload| workload.exists)
        {
            change(workload);
            self.cluster.request_step(number);
        }
    }

    fn update(&mut self, update: &RollingUpdate<'_>) {
        self.change_workload(&update.service, |workload| {
            let quarter = Amount::Percent(25);
            workload.max_surge = update.max_surge.unwrap_or(quarter);
            workload.max_unavailable = update.max_unavailable.unwrap_or(quarter);
            workload.pace = or(update.pace, 0);
            workload.begin_update();
        });
    }

    /// Random pods of a Service.
    fn draw(&mut self, choice: &PodChoice<'_>) -> Vec<u32> {
        self.draw_pods(&choice.service, choice.count.unwrap_or(1))
    }

    fn draw_pods(&mut self, service: &str, count: u32) -> Vec<u32> {
        let number = self.cluster.find(&key(service));
        let workload = number.and_then(|number| self.cluster.workloads.get(number));
        let mut live = workload.map(WorkloadState::live).unwrap_or_default();
        let mut drawn = Vec::new();
        while drawn.len() < count as usize && !live.is_empty() {
            let place = self.cluster.random.below(live.len() as u64);
            drawn.push(live.swap_remove(place as usize));
        }
        drawn
    }

    pub(crate) fn recover_pod(&mut self, number: u32) {
        if let Some(pod) = self.cluster.pods.get_mut(&number) {
            pod.failing = false;
        }
        self.cluster.pod_ready(number);
    }

    fn relabel(&mut self, relabel: &Relabel<'_>) {
        for pod in self.draw_pods(&relabel.service, relabel.count.unwrap_or(1)) {
            let Some(state) = self.cluster.pods.get(&pod) else {
                continue;
            };
            let workload = state.workload;
            let mut labels = state.labels.clone();
            set_all(&mut labels, &relabel.labels);
            let selected = workload.and_then(|workload| self.cluster.workloads.get(workload));
            let is_left = selected.is_some_and(|workload| {
                let mut wanted = workload.pod_labels.iter();
                wanted.any(|(key, value)| labels.get(key) != Some(value))
            });
            if is_left {
                self.cluster.step_soon(pod);
                self.cluster.unfile(pod);
            }
            self.cluster.change_pod(pod, |pod| {
                pod.labels = labels;
                pod.workload = pod.workload.filter(|_| !is_left);
            });
        }
    }

    fn change_service(&mut self, change: &ServiceChange<'_>) {
        let Some(number) = self.cluster.find(&key(&change.service)) else {
            return;
        };
        let Some(workload) = self
            .cluster
            .workloads
            .get_mut(number)
            .filter(|workload| workload.exists)
        else {
            return;
        };
        let service = &mut workload.service;
        set_all(&mut service.metadata.labels, &change.labels);
        if let Some(distribution) = &change.traffic_distribution {
            let distribution = distribution.clone().into_owned();
            service.spec.traffic_distribution = Some(distribution).filter(|text| !text.is_empty());
        }
        if let Some(mode) = &change.topology_mode {
            let annotations = &mut service.metadata.annotations;
            annotations.remove(keys::TOPOLOGY_MODE_ANNOTATION);
            if !mode.is_empty() {
                annotations.insert(
                    keys::TOPOLOGY_MODE_ANNOTATION.into(),
                    mode.clone().into_owned(),
                );
            }
        }
        if let Some(publish) = change.publish_not_ready_addresses {
            service.spec.publish_not_ready_addresses = publish;
        }
        if !change.families.is_empty() {
            service.spec.ip_families = families(&change.families);
        }
        if let Some(given) = &change.ports {
            service.spec.ports = ports(Some(given));
        }
        let live = workload.live();
        self.cluster.tell_service(number);
        self.cluster.touched.extend(live);
    }

    pub(crate) fn create_service(&mut self, workload: &Workload<'_>) {
        for copy in 1..=workload.copies.unwrap_or(1) {
            let mut key = key(&workload.service);
            if workload.copies.is_some() {
                key.name = format!("{}-{copy}", key.name);
            }
            let number = self.cluster.next_version();
            let state = WorkloadState::new(workload, key, number, self.now);
            let number = self.cluster.enter(state);
            self.cluster.tell_service(number);
            self.cluster.request_step(number);
        }
    }

    fn delete_service(&mut self, service: &NamespacedName) {
        let Some(number) = self.cluster.find(service) else {
            return;
        };
        if self.cluster.remove_service(number).is_none() {
            return;
        }
        let live = self.cluster.workloads.get_mut(number).map(|workload| {
            workload.replicas = 0;
            workload.live()
        });
        for pod in live.unwrap_or_default() {
            self.cluster.delete_pod(pod);
        }
        self.server.collect_garbage(service);
        self.tell_slices();
        self.measured.objects.forget(service);
    }

    fn delete_everything(&mut self) {
        let services = self
            .cluster
            .workloads
            .iter()
            .map(|workload| workload.key.clone());
        for service in services.collect::<Vec<_>>() {
            self.delete_service(&service);
        }
        for pod in self.cluster.pods.keys().copied().collect::<Vec<_>>() {
            self.cluster.pod_gone(pod);
        }
        for node in 0..self.cluster.nodes.len() {
            self.cluster.remove_node(node);
        }
    }

    fn edit_slices(&mut self, edit: &EditSlices<'_>) {
        let (Some(kind), service) = (edit.kind(), key(&edit.service)) else {
            return;
        };
        let count = edit.count.unwrap_or(u32::MAX) as usize;
        let slices = self.server.slices_of(&service).take(count).cloned();
        let slices: Vec<_> = slices.collect();
        for slice in slices {
            let edited = || EditEntry {
                service: edit.service.to_string(),
                slice: slice.name().into(),
                edit: edit.edit.to_string(),
            };
            self.measured
                .timeline
                .note(self.now, || TimelineEntryKind::Edit(edited()));
            self.edit_slice(slice, kind);
        }
    }

    fn edit_slice(&mut self, mut slice: EndpointSlice<'static>, edit: Edit) {
        // The server continues from the stored generation.
        slice.metadata.generation = None;
        let version = self.cluster.next_version().to_string();
        match edit {
            Edit::Empty => slice.endpoints.clear(),
            Edit::Label => drop(
                slice
                    .metadata
                    .labels
                    .insert("edited".into(), version.into()),
            ),
            Edit::Annotate => drop(
                slice
                    .metadata
                    .annotations
                    .insert("edited".into(), version.into()),
            ),
            Edit::Delete => {
                if let Some(slice) = self.server.take(&NamespacedName::of(&slice)) {
                    let is_deletion = true;
                    self.tell_slice(StoredChange {
                        is_deletion,
                        slice: slice.into(),
                    });
                }
                return;
            }
        }
        let slice = self.server.put(&slice).clone();
        let is_deletion = false;
        self.tell_slice(StoredChange {
            is_deletion,
            slice: slice.into(),
        });
    }
}

fn set_all(labels: &mut StringMap<'static>, new: &StringMap<'_>) {
    let own = |text: &Text<'_>| text.clone().into_owned();
    for (key, value) in new.iter() {
        labels.insert(own(key), own(value));
    }
}
