//! The figures of every Service, and sums over all of them, kept up to date.
//!
//! The cost of a sync depends on the Service's port groups, not on the number of Services. Reference: `metrics.Cache`,
//! which keeps the port groups of each Service; it only ever uses their totals, so only those are kept here.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slicewise::model::{AddressType, NamespacedName};
use slicewise::plan::{FamilyFigures, HintsMode, HintsReport};
use slicewise::reconcile::EndpointsPerSlice;

use super::zones::{Load, LoadedZones, loads};

/// Endpoints and slices of some port groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) endpoints: usize,
    pub(super) slices: usize,
    /// The number of slices if all were full, with at least the placeholder for each family of a Service.
    pub(super) desired: usize,
}

#[derive(Debug, Clone)]
struct ServiceGauges {
    families: Vec<FamilyFigure>,
    traffic: Option<&'static str>,
}

#[derive(Debug, Clone)]
struct FamilyFigure {
    address_type: AddressType,
    totals: Totals,
    loads: Vec<Load>,
}

/// The figures of every Service, and their sums.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    max: EndpointsPerSlice,
    services: BTreeMap<NamespacedName, ServiceGauges>,
    sums: Option<Totals>,
    by_family: BTreeMap<&'static str, Totals>,
    by_traffic: BTreeMap<&'static str, usize>,
    zones: LoadedZones,
}

impl Totals {
    /// Totals of one family (reference: `ServicePortCache.totals`).
    pub(super) fn of(figures: &FamilyFigures, max: EndpointsPerSlice) -> Self {
        let mut totals = Self::default();
        for group in &figures.groups {
            totals.endpoints += group.endpoints;
            totals.slices += group.slices;
            totals.desired += group.endpoints.div_ceil(max.get());
        }
        totals.desired = totals.desired.max(1);
        totals
    }

    fn add(&mut self, other: Self) {
        self.endpoints += other.endpoints;
        self.slices += other.slices;
        self.desired += other.desired;
    }

    fn remove(&mut self, other: Self) {
        self.endpoints -= other.endpoints;
        self.slices -= other.slices;
        self.desired -= other.desired;
    }
}

impl ServiceGauges {
    /// The reference's figures for the Service: the family reconciled last replaces the one before.
    fn last(&self) -> Totals {
        let last = self.families.last();
        last.map(|family| family.totals).unwrap_or_default()
    }
}

impl Cache {
    /// An empty cache.
    pub(super) fn new(max: EndpointsPerSlice) -> Self {
        Self {
            max,
            services: BTreeMap::new(),
            sums: None,
            by_family: BTreeMap::new(),
            by_traffic: BTreeMap::new(),
            zones: LoadedZones::default(),
        }
    }

    /// Replaces the figures of a Service.
    pub(super) fn set(
        &mut self,
        key: NamespacedName,
        figures: &[FamilyFigures],
        hints: &[HintsReport<'_>],
    ) {
        self.remove(&key);
        let family = |figures: &FamilyFigures| {
            let report = hints
                .iter()
                .find(|report| report.address_type == figures.address_type);
            FamilyFigure {
                address_type: figures.address_type,
                totals: Totals::of(figures, self.max),
                loads: report.map(loads).unwrap_or_default(),
            }
        };
        let service = ServiceGauges {
            families: figures.iter().map(family).collect(),
            traffic: figures
                .last()
                .and_then(|figures| traffic_distribution(figures.mode)),
        };
        self.sums.get_or_insert_default().add(service.last());
        for family in &service.families {
            let sums = self.by_family.entry(family.address_type.as_str());
            sums.or_default().add(family.totals);
            family.loads.iter().for_each(|load| self.zones.add(load));
        }
        if let Some(value) = service.traffic {
            *self.by_traffic.entry(value).or_default() += 1;
        }
        self.services.insert(key, service);
    }

    /// Removes a Service.
    pub(super) fn remove(&mut self, key: &NamespacedName) {
        let Some(service) = self.services.remove(key) else {
            return;
        };
        if let Some(sums) = &mut self.sums {
            sums.remove(service.last());
        }
        for family in &service.families {
            if let Some(sums) = self.by_family.get_mut(family.address_type.as_str()) {
                sums.remove(family.totals);
            }
            family.loads.iter().for_each(|load| self.zones.remove(load));
        }
        let count = service
            .traffic
            .and_then(|value| self.by_traffic.get_mut(value));
        if let Some(count) = count {
            *count -= 1;
        }
    }

    /// The maximum number of endpoints in a slice.
    pub(super) const fn max(&self) -> EndpointsPerSlice {
        self.max
    }

    /// The number of known Services.
    pub(super) fn len(&self) -> usize {
        self.services.len()
    }

    /// The reference's sums; `None` until the first Service is added.
    pub(super) const fn sums(&self) -> Option<Totals> {
        self.sums
    }

    /// Sums by family, for all families ever seen.
    pub(super) fn by_family(&self) -> impl Iterator<Item = (&'static str, Totals)> {
        self.by_family
            .iter()
            .map(|(family, totals)| (*family, *totals))
    }

    /// Services by `trafficDistribution`, for all values ever seen.
    pub(super) fn by_traffic(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.by_traffic
            .iter()
            .map(|(value, count)| (*value, *count))
    }

    /// Zones of all Services with `Auto` hints.
    pub(super) const fn zones(&self) -> &LoadedZones {
        &self.zones
    }
}

/// The effective `trafficDistribution`; `None` if an annotation requests `Auto`.
pub(super) const fn traffic_distribution(mode: HintsMode) -> Option<&'static str> {
    match mode {
        HintsMode::PreferClose => Some("PreferClose"),
        HintsMode::PreferSameZone => Some("PreferSameZone"),
        HintsMode::PreferSameNode => Some("PreferSameNode"),
        _ => None,
    }
}
