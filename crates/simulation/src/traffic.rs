//! Where traffic goes, and where it should: pods that slices publish as ready, compared with pods that are.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::{Endpoint, EndpointSlice, NamespacedName};

/// One pod, from both points of view.
#[derive(Clone, Copy, Debug, Default)]
struct PodViews {
    is_wanted: bool,
    /// The number of slices that publish it as ready.
    published: u32,
}

impl PodViews {
    const fn is_misdirected(self) -> bool {
        self.published > 0 && !self.is_wanted
    }

    const fn is_unused(self) -> bool {
        self.published == 0 && self.is_wanted
    }
}

#[derive(Debug, Default)]
pub(super) struct TrafficMeter {
    pods: BTreeMap<u32, PodViews>,
    /// Ready pods by slice, sorted.
    slices: BTreeMap<NamespacedName, Vec<u32>>,
    pub(super) wanted: u64,
    pub(super) misdirected: u64,
    pub(super) unused: u64,
    /// Milliseconds since the last call of [`TrafficMeter::pass`], times pods.
    misdirected_time: u128,
    unused_time: u128,
    now: Duration,
}

impl TrafficMeter {
    /// Advances time.
    pub(super) fn pass(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.now).as_nanos();
        self.misdirected_time += passed * u128::from(self.misdirected);
        self.unused_time += passed * u128::from(self.unused);
        self.now = now;
    }

    /// Pod seconds since the last call: misdirected, and unused.
    pub(super) fn take(&mut self) -> (f64, f64) {
        let seconds = |time: &mut u128| core::mem::take(time) as f64 / 1e9;
        (
            seconds(&mut self.misdirected_time),
            seconds(&mut self.unused_time),
        )
    }

    pub(super) fn set_wanted(&mut self, pod: u32, is_wanted: bool) {
        self.change(pod, |seen| seen.is_wanted = is_wanted);
    }

    /// Updates a slice; `None` if it was deleted.
    pub(super) fn set_slice(&mut self, key: &NamespacedName, slice: Option<&EndpointSlice<'_>>) {
        let after = slice.map(ready_pods);
        let before = match &after {
            Some(after) => self.slices.insert(key.clone(), after.clone()),
            None => self.slices.remove(key),
        };
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        for pod in before
            .iter()
            .filter(|pod| after.binary_search(pod).is_err())
        {
            self.change(*pod, |seen| {
                seen.published = seen.published.saturating_sub(1)
            });
        }
        for pod in after
            .iter()
            .filter(|pod| before.binary_search(pod).is_err())
        {
            self.change(*pod, |seen| seen.published += 1);
        }
    }

    fn change(&mut self, pod: u32, change: impl FnOnce(&mut PodViews)) {
        let mut seen = self.pods.get(&pod).copied().unwrap_or_default();
        let count = |traffic: &mut Self, seen: PodViews, is_added: bool| {
            for (number, counts) in [
                (&mut traffic.wanted, seen.is_wanted),
                (&mut traffic.misdirected, seen.is_misdirected()),
                (&mut traffic.unused, seen.is_unused()),
            ] {
                *number = if is_added {
                    *number + u64::from(counts)
                } else {
                    number.saturating_sub(counts.into())
                };
            }
        };
        count(self, seen, false);
        change(&mut seen);
        count(self, seen, true);
        if seen.is_wanted || seen.published > 0 {
            self.pods.insert(pod, seen);
        } else {
            self.pods.remove(&pod);
        }
    }

    /// Should the pod get traffic?
    pub(super) fn is_wanted(&self, pod: u32) -> bool {
        self.pods.get(&pod).is_some_and(|seen| seen.is_wanted)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pods.is_empty() && self.slices.is_empty()
    }
}

/// The numbers of the pods that a slice publishes as ready; they are at the end of their uids.
fn ready_pods(slice: &EndpointSlice<'_>) -> Vec<u32> {
    let ready = slice
        .endpoints
        .iter()
        .filter(|endpoint| endpoint.conditions.ready != Some(false));
    let pods = ready.filter_map(pod_of);
    let mut pods: Vec<u32> = pods.collect();
    slicewise::model::order::sort(&mut pods);
    pods.dedup();
    pods
}

/// The number of an endpoint's pod.
pub(super) fn pod_of(endpoint: &Endpoint<'_>) -> Option<u32> {
    let uid = &endpoint.target_ref.as_ref()?.uid;
    u32::from_str_radix(uid.rsplit('-').next()?, 16).ok()
}
