//! Plans free of the objects they were made from: to be kept until they are written.

use super::{HintsReport, Plan, PlanError, ServiceRef, SliceRef, ZoneReport};
use crate::model::{EndpointSlice, Text};

impl Plan<'_> {
    /// The same plan, free of what it was made from.
    pub fn into_owned(self) -> Plan<'static> {
        Plan {
            service: ServiceRef {
                namespace: self.service.namespace.into_owned(),
                name: self.service.name.into_owned(),
            },
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
            unchanged: self.unchanged.into_iter().map(Text::into_owned).collect(),
            events: self.events,
            errors: self.errors.into_iter().map(error).collect(),
            requeue: self.requeue,
            hints: self.hints.into_iter().map(hints).collect(),
            reasons: self.reasons,
            stats: self.stats,
            #[cfg(feature = "explain")]
            explanations: self.explanations,
            state: self.state,
            #[cfg(feature = "patches")]
            patches: self.patches,
            figures: self.figures,
        }
    }
}

fn error(error: PlanError<'_>) -> PlanError<'static> {
    PlanError {
        code: error.code,
        pod: error.pod.into_owned(),
        message: error.message,
    }
}

fn hints(report: HintsReport<'_>) -> HintsReport<'static> {
    HintsReport {
        address_type: report.address_type,
        mode: report.mode,
        applied: report.applied,
        reason: report.reason,
        zones: report.zones.into_iter().map(zone).collect(),
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
