//! Snapshot → plans of mirrored slices: what `kubectl get endpoints,services,endpointslices -A -o json` prints.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::Error;
use slicewise::api::IgnoredKinds;
use slicewise::api::incomplete::{Need, each_once, namespaces};
use slicewise::api::input::{self, Limits};
use slicewise::api::objects::{Unique, gathered, read_objects};
use slicewise::api::{Received, Warning, WarningCode, encode};
use slicewise::model::order::{Grouped, sorted_unique};
use slicewise::model::{EndpointSlice, Endpoints, Named, Service, StringMap};

use super::most;
use crate::mirroring::request::MirrorOptions;
use crate::mirroring::{EndpointsPerSubset, MirrorInput, MirrorPlan, mirror, mirrored_of};

/// Plans for all Endpoints, and for slices whose Endpoints no longer exist, by namespace and name.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct MirrorPlans<'a> {
    /// The plans, including those for Endpoints that are not mirrored.
    pub plans: Vec<MirrorPlan<'a>>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
    /// The number of objects of kinds that plans do not depend on, by kind.
    pub ignored: IgnoredKinds,
}

/// Plans the mirrored slices of a whole cluster: a List, a list of one kind, or an array in, plans out.
///
/// # Errors
/// When the snapshot cannot be read, or an object in it has no name or is given twice.
pub fn mirror_snapshot(snapshot: &[u8]) -> Result<Vec<u8>, Error> {
    let options = MirrorOptions::default();
    with_mirror_plans(snapshot, options, Limits::default(), |plans, _| {
        encode(plans)
    })?
}

/// Like [`mirror_snapshot`], but passes the plans and all slices to `then`.
///
/// # Errors
/// Same as [`mirror_snapshot`].
pub fn with_mirror_plans<T>(
    snapshot: &[u8],
    options: MirrorOptions,
    limits: Limits,
    then: impl FnOnce(&MirrorPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let max = most(MirrorOptions::default(), options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let mut objects = MirrorObjects::default();
    read_objects(text, &mut objects)?;
    Ok(then(&objects.plan(max), &objects.slices.items))
}

/// The objects of a snapshot that plans of mirrored slices depend on.
#[derive(Default)]
pub struct MirrorObjects<'k> {
    endpoints: Unique<Endpoints<'k>>,
    services: Unique<Service<'k>>,
    slices: Unique<EndpointSlice<'k>>,
    ignored: Vec<(String, usize)>,
    received: Received,
}

gathered!(MirrorObjects {
    "Endpoints" => endpoints: Endpoints, ENDPOINTS;
    "Service" => services: Service, SERVICES;
    "EndpointSlice" => slices: EndpointSlice, SLICES;
});

type EndpointsKey<'s> = (&'s str, &'s str);

impl<'a> MirrorObjects<'a> {
    /// Makes the plans, like [`with_mirror_plans`].
    ///
    /// # Errors
    /// When an option cannot be used.
    pub fn with_plans<T>(
        &self,
        options: MirrorOptions,
        then: impl FnOnce(&MirrorPlans<'_>, &[EndpointSlice<'_>]) -> T,
    ) -> Result<T, Error> {
        let max = most(MirrorOptions::default(), options, "/options")?;
        Ok(then(&self.plan(max), &self.slices.items))
    }

    /// Keeps only the Services that are selected by their names and labels, and the objects of one namespace, if only
    /// that was selected.
    pub fn retain(
        &mut self,
        mut is_selected: impl FnMut((&str, &str), &StringMap<'_>) -> bool,
        is_in: impl Fn(&str) -> bool,
    ) {
        let services = &mut self.services.items;
        services.retain(|service| is_selected(service.full_name(), &service.metadata.labels));
        let endpoints = &mut self.endpoints.items;
        endpoints.retain(|endpoints| is_in(&endpoints.metadata.namespace));
        let slices = &mut self.slices.items;
        slices.retain(|slice| is_in(&slice.metadata.namespace));
    }

    /// Drops what belongs to Services that are missing, because a selector has left them out.
    pub fn retain_of_services(&mut self) {
        let services = sorted_unique(self.services.items.iter().map(Named::full_name));
        let is_there = |name: (&str, &str)| services.binary_search(&name).is_ok();
        let endpoints = &mut self.endpoints.items;
        endpoints.retain(|endpoints| is_there(endpoints.full_name()));
        self.slices.items.retain(|slice| {
            mirrored_of(slice).is_none_or(|name| is_there((&*slice.metadata.namespace, name)))
        });
    }

    fn plan(&self, max: EndpointsPerSubset) -> MirrorPlans<'_> {
        let endpoints = self.endpoints.items.iter().map(|endpoints| {
            let metadata = &endpoints.metadata;
            ((&*metadata.namespace, &*metadata.name), endpoints)
        });
        let endpoints: Grouped<EndpointsKey<'_>, _> = Grouped::new(endpoints);
        let services = self.services.items.iter().map(|service| {
            let metadata = &service.metadata;
            ((&*metadata.namespace, &*metadata.name), service)
        });
        let services: Grouped<EndpointsKey<'_>, _> = Grouped::new(services);
        let slices = self.slices.items.iter().filter_map(|slice| {
            let name = mirrored_of(slice)?;
            Some(((&*slice.metadata.namespace, name), slice))
        });
        let slices: Grouped<EndpointsKey<'_>, _> = Grouped::new(slices);
        let keys = sorted_unique(endpoints.keys().chain(slices.keys()).copied());
        let plans = keys.into_iter().map(|key| {
            mirror(&MirrorInput {
                namespace: key.0.into(),
                name: key.1.into(),
                endpoints: endpoints.of(&key).first().map(|(_, endpoints)| *endpoints),
                service: services.of(&key).first().map(|(_, service)| *service),
                slices: slices.of(&key).iter().map(|(_, slice)| *slice).collect(),
                max_endpoints_per_subset: max,
            })
        });
        MirrorPlans {
            plans: plans.collect(),
            warnings: self.warnings(),
            ignored: IgnoredKinds::merged(self.ignored.iter().cloned(), |sum, more| *sum += *more),
        }
    }

    /// What the input lacks. Where Endpoints or their Service are missing, the mirrored slices would be deleted.
    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let kinds = [
            ("EndpointSlice", true),
            ("Endpoints", true),
            ("Service", true),
        ];
        self.received.warn_of_cuts(&kinds, &mut warnings);
        let mirrored = || {
            let slices = self.slices.items.iter();
            let slices = slices.filter(|slice| mirrored_of(slice).is_some());
            each_once(slices.map(|slice| &*slice.metadata.namespace))
        };
        let endpoints = self.endpoints.items.iter();
        let endpoints = endpoints.map(|endpoints| endpoints.full_name());
        let services = self.services.items.iter();
        let hand_made = services.clone().filter(|service| !service.is_reconciled());
        let to_mirror = sorted_unique(hand_made.map(Named::full_name));
        let is_mirrored = |name: &(&str, &str)| to_mirror.binary_search(name).is_ok();
        let gone = "all mirrored slices are deleted";
        let needs = [
            Need {
                kind: "Endpoints",
                resource: "endpoints",
                code: WarningCode::NoEndpoints,
                consequence: gone,
                blocks_writes: true,
                needed: mirrored(),
                present: each_once(endpoints.clone().map(|(namespace, _)| namespace)),
            },
            Need {
                kind: "Service",
                resource: "services",
                code: WarningCode::NoServices,
                consequence: gone,
                blocks_writes: true,
                needed: mirrored(),
                present: each_once(services.map(|service| &*service.metadata.namespace)),
            },
            Need {
                kind: "EndpointSlice",
                resource: "endpointslices",
                code: WarningCode::NoSlices,
                consequence: "every slice is created again",
                blocks_writes: true,
                needed: each_once(
                    endpoints
                        .filter(is_mirrored)
                        .map(|(namespace, _)| namespace),
                ),
                present: namespaces(&self.slices.items),
            },
        ];
        for need in needs {
            need.warn(&self.received, &mut warnings);
        }
        self.received.warn_of_several(&mut warnings);
        warnings
    }
}
