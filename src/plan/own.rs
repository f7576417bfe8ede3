//! Converts plans to owned data, so that they can be kept until they are written.

use super::{HintsReport, Plan, PlanError, ServiceRef, SliceRef, ZoneReport};
use crate::model::EndpointSlice;

impl Plan<'_> {
    /// This plan without borrowing from its input.
    pub fn into_owned(self) -> Plan<'static> {
        Plan {
            service: self.service.into_owned(),
            create: self
                .create
                .into_iter()
                .map(EndpointSlice::into_owned)
                .collect(),
            update: self
                .update
                .into_iter()
                .map(EndpointSlice::into_owned)
                .collect(),
            delete: self.delete.into_iter().map(SliceRef::into_owned).collect(),
            unchanged: self.unchanged.into_owned(),
            events: self.events,
            errors: self.errors.into_iter().map(PlanError::into_owned).collect(),
            requeue: self.requeue,
            hints: self
                .hints
                .into_iter()
                .map(HintsReport::into_owned)
                .collect(),
            reasons: self.reasons,
            stats: self.stats,
            explanations: self.explanations,
            state: self.state,
            patches: self.patches,
            figures: self.figures,
        }
    }
}

impl PlanError<'_> {
    /// This error without borrowing from the plan.
    pub fn into_owned(self) -> PlanError<'static> {
        PlanError {
            code: self.code,
            pod: self.pod.into_owned(),
            message: self.message,
        }
    }
}

impl ServiceRef<'_> {
    /// This reference without borrowing from the plan.
    pub fn into_owned(self) -> ServiceRef<'static> {
        ServiceRef {
            namespace: self.namespace.into_owned(),
            name: self.name.into_owned(),
        }
    }
}

impl HintsReport<'_> {
    /// This report without borrowing from the plan.
    pub fn into_owned(self) -> HintsReport<'static> {
        HintsReport {
            address_type: self.address_type,
            mode: self.mode,
            applied: self.applied,
            reason: self.reason,
            zones: self.zones.into_iter().map(zone).collect(),
        }
    }
}

fn zone(report: ZoneReport<'_>) -> ZoneReport<'static> {
    ZoneReport {
        zone: report.zone.into_owned(),
        cpu_ratio: report.cpu_ratio,
        desired: report.desired,
        minimum: report.minimum,
        maximum: report.maximum,
        allocated: report.allocated,
    }
}
