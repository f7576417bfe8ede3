//! The syncs of the controller: plans that are written, and their results.

use alloc::boxed::Box;

use slicewise::model::NamespacedName;
use slicewise::plan::Plan;
use slicewise_live::api_server::StoredChange;
use slicewise_live::controller::Kind;

use super::agenda::{Happening, News};
use super::report::{SyncEntry, Writes};
use super::world::World;
use super::writer::Front;

impl World {
    pub(super) fn take_on(&mut self, service: NamespacedName, plan: Box<Plan<'static>>) {
        self.measured.planned(&service, &plan);
        let is_alone = self.under_way.services.insert(service.clone());
        self.under_way.overlapping += u64::from(!is_alone);
        self.under_way.most = self
            .under_way
            .most
            .max(self.under_way.services.len() as u64);
        let latency = self.scenario.api_server.latency.unwrap_or_default().0;
        let writes = plan.create.len() + plan.update.len() + plan.delete.len();
        let writes = u32::try_from(writes).unwrap_or(u32::MAX);
        let takes = latency.saturating_mul(writes);
        if takes.is_zero() {
            self.write(&service, &plan);
        } else {
            self.agenda.enter(
                self.now.saturating_add(takes),
                Happening::Write(service, plan),
            );
        }
    }

    pub(super) fn write(&mut self, service: &NamespacedName, plan: &Plan<'static>) {
        let mut front = Front {
            server: &mut self.server,
            trouble: &mut self.trouble,
            random: &mut self.cluster.random,
            writes: Writes::default(),
            now: self.now,
        };
        let outcome = plan.apply(&mut front);
        let writes = front.writes;
        let timeline = &self.measured.timeline;
        let is_told = timeline.is_wanted() && writes.made() + writes.refused > 0;
        let written = is_told.then(|| SyncEntry::of(service, &outcome));
        self.under_way.services.remove(service);
        // A controller that has restarted in the meantime ignores it.
        self.controller.complete(service, outcome, self.now);
        let workload = self.cluster.find(service);
        let workload = workload.and_then(|number| self.cluster.workloads.get(number));
        let is_gone = workload.is_none_or(|workload| !workload.exists);
        if is_gone {
            self.server.collect_garbage(service);
        }
        let bytes = self.tell_slices();
        let watchers = self.watchers();
        self.measured
            .written(service, &writes, bytes, watchers, self.now);
        if is_gone {
            self.measured.objects.forget(service);
        }
        if let Some(written) = written {
            let written = SyncEntry {
                writes,
                bytes,
                ..written
            };
            self.measured.timeline.written(self.now, service, written);
        }
    }

    /// Delivers all changes of slices. Returns their size in bytes.
    pub(super) fn tell_slices(&mut self) -> u64 {
        let mut bytes = 0;
        while let Some(change) = self.server.next_change() {
            bytes += self.tell_slice(change);
        }
        bytes
    }

    pub(super) fn tell_slice(&mut self, change: StoredChange) -> u64 {
        let watchers = self.watchers();
        let bytes = self.measured.slice_changed(&change, watchers);
        self.send_news(Kind::EndpointSlice, News::Slice(change));
        bytes
    }
}
