//! Creates and replaces the pods of workloads, step by step.

use super::Cluster;
use crate::agenda::Happening;
use crate::workload::WorkloadState;

impl Cluster {
    /// Records a pod in its workload's books, according to its current state.
    pub(crate) fn file(&mut self, number: u32) {
        self.unfile(number);
        let Some(pod) = self.pods.get(&number).filter(|pod| pod.deleted.is_none()) else {
            return;
        };
        let workload = pod
            .workload
            .and_then(|workload| self.workloads.get_mut(workload));
        if let Some(workload) = workload {
            let books = if pod.revision == workload.revision {
                &mut workload.new
            } else {
                &mut workload.old
            };
            let book = if pod.is_ready {
                &mut books.ready
            } else {
                &mut books.unready
            };
            book.insert(number);
        }
    }

    pub(crate) fn unfile(&mut self, number: u32) {
        let workload = self.pods.get(&number).and_then(|pod| pod.workload);
        if let Some(workload) = workload.and_then(|workload| self.workloads.get_mut(workload)) {
            workload.new.remove(number);
            workload.old.remove(number);
        }
    }

    /// Lets the workload of a pod take its next step, now or when its pace allows.
    pub(crate) fn step_soon(&mut self, pod: u32) {
        if let Some(workload) = self.pods.get(&pod).and_then(|pod| pod.workload) {
            self.request_step(workload);
        }
    }

    pub(crate) fn request_step(&mut self, number: usize) {
        let now = self.now;
        let Some(workload) = self
            .workloads
            .get_mut(number)
            .filter(|workload| !workload.step_is_due)
        else {
            return;
        };
        workload.step_is_due = true;
        let at = workload.next_step.max(now);
        self.later.push((at, Happening::Step(number)));
    }

    /// Creates and deletes pods as far as the limits currently allow.
    pub(crate) fn step(&mut self, number: usize) {
        let now = self.now;
        let Some(workload) = self.workloads.get_mut(number) else {
            return;
        };
        workload.step_is_due = false;
        workload.next_step = now.saturating_add(workload.pace);
        for _ in 0..workload.wanting() {
            self.make_pod(number);
        }
        let surplus = self.workloads.get(number).map(WorkloadState::surplus);
        for pod in surplus.unwrap_or_default() {
            self.delete_pod(pod);
        }
    }
}
