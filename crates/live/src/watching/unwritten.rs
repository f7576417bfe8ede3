//! Slices that keep differing from the plan without being written.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::{AddressType, NamespacedName};
use slicewise::plan::{Plan, Reason};

use super::change::{TrafficChange, TrafficChangeKind};
use super::{Followed, Watching, change, words};

/// A plan that waits to be written.
#[derive(Debug)]
pub(super) struct UnwrittenPlan {
    /// When the difference was found, or when a slice of the Service was last written.
    since: Duration,
    is_told: bool,
    writes: PendingWrites,
}

/// The pending writes.
#[derive(Debug, Default)]
struct PendingWrites {
    create: usize,
    update: usize,
    delete: usize,
    reasons: Vec<Reason>,
}

impl PendingWrites {
    /// `None` if there is nothing to write.
    fn of(plan: &Plan<'_>) -> Option<Self> {
        if plan.is_empty() {
            return None;
        }
        let mut reasons: Vec<Reason> = Vec::new();
        for reason in plan.reasons.iter().flat_map(|(_, reasons)| reasons) {
            if !reasons.contains(reason) {
                reasons.push(*reason);
            }
        }
        Some(Self {
            create: plan.create.len(),
            update: plan.update.len(),
            delete: plan.delete.len(),
            reasons,
        })
    }
}

/// Says why zone hints have gone, if the plan of the Service knows.
fn explain_hints(
    service: &NamespacedName,
    why: &[(AddressType, Option<String>)],
    changes: &mut [TrafficChange],
) {
    let name = (service.namespace.as_str(), service.name.as_str());
    let of_service = changes.iter_mut().filter(|change| {
        let service = &change.service;
        (service.namespace.as_str(), service.name.as_str()) == name
    });
    for change in of_service {
        let TrafficChangeKind::HintsOff {
            address_type,
            reason,
            ..
        } = &mut change.what
        else {
            continue;
        };
        let mut why = why.iter();
        let known = why.find(|(family, _)| family == address_type);
        *reason = known.and_then(|(_, reason)| reason.clone());
        change.message = words::of(&change.what);
    }
}

impl Watching {
    /// Plans a Service, and checks whether its slices match.
    pub(super) fn check_plan(
        &mut self,
        service: &NamespacedName,
        followed: &mut Followed,
        changes: &mut Vec<TrafficChange>,
    ) {
        let planned = self.session.sync_with(service, |plan| {
            let hints = plan.hints.iter();
            let why = hints.map(|report| (report.address_type, report.reason.clone()));
            let why: Vec<_> = why.collect();
            (PendingWrites::of(&plan), plan.requeue, why)
        });
        let (writes, waits, why) = planned.unwrap_or_default();
        explain_hints(service, &why, changes);
        if waits {
            self.waiting.insert(service.clone());
        } else {
            self.waiting.remove(service);
        }
        let is_written = self.written.contains(service);
        let Some(writes) = writes else {
            let unwritten = followed.unwritten.take();
            self.forget_due(service, unwritten.as_ref());
            if let Some(unwritten) = unwritten.filter(|unwritten| unwritten.is_told) {
                let seconds = self.now.saturating_sub(unwritten.since).as_secs();
                changes.push(change(service, TrafficChangeKind::Written { seconds }));
            }
            return;
        };
        let known = followed.unwritten.take();
        let unwritten = match known {
            // Nothing was written since, or the difference was reported already.
            Some(known) if !is_written || known.is_told => UnwrittenPlan { writes, ..known },
            known => {
                self.forget_due(service, known.as_ref());
                UnwrittenPlan {
                    since: self.now,
                    is_told: false,
                    writes,
                }
            }
        };
        if !unwritten.is_told {
            let at = unwritten.since.saturating_add(self.unwritten_after);
            self.due.insert((at, service.clone()));
        }
        followed.unwritten = Some(unwritten);
    }

    pub(super) fn forget_due(
        &mut self,
        service: &NamespacedName,
        unwritten: Option<&UnwrittenPlan>,
    ) {
        if let Some(unwritten) = unwritten {
            let at = unwritten.since.saturating_add(self.unwritten_after);
            self.due.remove(&(at, service.clone()));
        }
    }

    /// Reports everything that is overdue.
    pub(super) fn tell_overdue(&mut self, changes: &mut Vec<TrafficChange>) {
        while self.due.first().is_some_and(|(at, _)| *at <= self.now) {
            let Some((_, service)) = self.due.pop_first() else {
                return;
            };
            let followed = self.followed.get_mut(&service);
            let Some(unwritten) = followed.and_then(|followed| followed.unwritten.as_mut()) else {
                continue;
            };
            unwritten.is_told = true;
            let PendingWrites {
                create,
                update,
                delete,
                ref reasons,
            } = unwritten.writes;
            let what = TrafficChangeKind::Unwritten {
                seconds: self.now.saturating_sub(unwritten.since).as_secs(),
                create,
                update,
                delete,
                reasons: reasons.clone(),
            };
            changes.push(change(&service, what));
        }
    }
}
