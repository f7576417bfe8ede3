//! Snapshot → plans of mirrored slices: what `kubectl get endpoints,services,endpointslices -A -o json` prints.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{check_endpoints, most};
use crate::api::input::{self, Limits};
use crate::api::plan::{check_names, check_slices};
use crate::api::snapshot::{IgnoredKinds, ignored_name};
use crate::api::{encode, place};
use crate::json::Raw;
use crate::mirroring::request::MirrorOptions;
use crate::mirroring::{Input, MirrorPlan, mirror, mirrored_of};
use crate::model::endpoint_slice::API_VERSION;
use crate::model::object::slim_object;
use crate::model::order::{Grouped, sorted_unique};
use crate::model::{EndpointSlice, Endpoints, Service, Text};
use crate::{Code, Error};
use serde::Serialize;

/// Plans for all Endpoints, and for slices whose Endpoints are gone, by namespace and name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MirrorPlans<'a> {
    /// The plans, of what is not mirrored as well.
    pub plans: Vec<MirrorPlan<'a>>,
    /// Objects of kinds that plans do not depend on, counted.
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

/// As [`mirror_snapshot`], and hands the plans and all slices to `then`.
///
/// # Errors
/// As [`mirror_snapshot`].
pub fn with_mirror_plans<T>(
    snapshot: &[u8],
    options: MirrorOptions,
    limits: Limits,
    then: impl FnOnce(&MirrorPlans<'_>, &[EndpointSlice<'_>]) -> T,
) -> Result<T, Error> {
    let max = most(MirrorOptions::default(), options, "/options")?;
    let text = input::text(snapshot, limits)?;
    let mut reader = Reader {
        text,
        objects: Objects::default(),
    };
    let root = input::decode_raw(text)?;
    if root.get().starts_with('[') {
        reader.read_items(root, "", ("", ""))?;
    } else {
        reader.read_object(root, "", ("", ""))?;
    }
    let objects = reader.finish()?;
    Ok(then(&objects.plan(max), &objects.slices))
}

#[derive(Default)]
struct Objects<'a> {
    endpoints: Vec<Endpoints<'a>>,
    services: Vec<Service<'a>>,
    slices: Vec<EndpointSlice<'a>>,
    ignored: Vec<(String, usize)>,
    endpoints_paths: Vec<String>,
    services_paths: Vec<String>,
    slices_paths: Vec<String>,
}

slim_object! {
    /// What an object is, and its items if it is a list.
    #[derive(Default)]
    struct Head<'a>("Kubernetes object") {
        "kind" kind: Text<'a>;
        "apiVersion" api_version: Text<'a>;
        "items" items: Option<Raw<'a>>;
    }
}

struct Reader<'a> {
    text: &'a str,
    objects: Objects<'a>,
}

impl<'a> Reader<'a> {
    fn read_items(&mut self, items: Raw<'a>, path: &str, of: (&str, &str)) -> Result<(), Error> {
        let placed = |error| place::within(&error, path, self.text, items.get());
        let items = input::decode_items(items.get()).map_err(placed)?;
        for (index, item) in items.into_iter().enumerate() {
            self.read_object(item, &format!("{path}/{index}"), of)?;
        }
        Ok(())
    }

    /// Reads one object, which is of the list's kind and version if it does not say otherwise itself.
    fn read_object(&mut self, object: Raw<'a>, path: &str, of: (&str, &str)) -> Result<(), Error> {
        let text = self.text;
        let placed = |error| place::within(&error, path, text, object.get());
        let head: Head<'a> = input::decode(object.get()).map_err(placed)?;
        let or = |own: &'_ Text<'a>, of: &str| {
            let own = own.as_str();
            if own.is_empty() { of } else { own }.to_string()
        };
        let (kind, api_version) = (or(&head.kind, of.0), or(&head.api_version, of.1));
        let objects = &mut self.objects;
        match (kind.as_str(), api_version.as_str()) {
            ("Endpoints", "v1" | "") => {
                let endpoints = input::decode(object.get()).map_err(placed)?;
                objects.endpoints.push(endpoints);
                objects.endpoints_paths.push(path.to_string());
            }
            ("Service", "v1" | "") => {
                let service = input::decode(object.get()).map_err(placed)?;
                objects.services.push(service);
                objects.services_paths.push(path.to_string());
            }
            ("EndpointSlice", API_VERSION | "") => {
                let slice = input::decode(object.get()).map_err(placed)?;
                objects.slices.push(slice);
                objects.slices_paths.push(path.to_string());
            }
            ("", _) if head.items.is_none() => {
                let message = "this object has no `kind`; take objects as `kubectl get … -o json` prints them";
                let error = Error::new(Code::MissingField, message).at(format!("{path}/kind"));
                return Err(place::locate(error, text));
            }
            (list, version) => match (head.items, list.strip_suffix("List")) {
                (Some(items), Some("")) => {
                    self.read_items(items, &format!("{path}/items"), ("", ""))?;
                }
                (Some(items), Some(kind)) => {
                    self.read_items(items, &format!("{path}/items"), (kind, version))?;
                }
                (Some(items), None) if list.is_empty() => {
                    self.read_items(items, &format!("{path}/items"), ("", ""))?;
                }
                _ => objects.ignored.push((ignored_name(list, version), 1)),
            },
        }
        Ok(())
    }

    fn finish(self) -> Result<Objects<'a>, Error> {
        let Self { text, objects } = self;
        let placed =
            |error: Error, paths: &[String]| place::locate(place::relocate(error, paths), text);
        for (index, endpoints) in objects.endpoints.iter().enumerate() {
            check_endpoints(endpoints, &format!("/{index}"))
                .map_err(|error| placed(error, &objects.endpoints_paths))?;
        }
        check_names("", &objects.endpoints)
            .map_err(|error| placed(error, &objects.endpoints_paths))?;
        check_names("", &objects.services)
            .map_err(|error| placed(error, &objects.services_paths))?;
        check_names("", &objects.slices)
            .and_then(|()| check_slices("", &objects.slices))
            .map_err(|error| placed(error, &objects.slices_paths))?;
        Ok(objects)
    }
}

type Key<'s> = (&'s str, &'s str);

impl<'a> Objects<'a> {
    fn plan(&'a self, max: usize) -> MirrorPlans<'a> {
        let endpoints = self.endpoints.iter().map(|endpoints| {
            let metadata = &endpoints.metadata;
            ((&*metadata.namespace, &*metadata.name), endpoints)
        });
        let endpoints: Grouped<Key<'_>, _> = Grouped::new(endpoints);
        let services = self.services.iter().map(|service| {
            let metadata = &service.metadata;
            ((&*metadata.namespace, &*metadata.name), service)
        });
        let services: Grouped<Key<'_>, _> = Grouped::new(services);
        let slices = self.slices.iter().filter_map(|slice| {
            let name = mirrored_of(slice)?;
            Some(((&*slice.metadata.namespace, name), slice))
        });
        let slices: Grouped<Key<'_>, _> = Grouped::new(slices);
        let keys = sorted_unique(endpoints.keys().chain(slices.keys()).copied());
        let plans = keys.into_iter().map(|key| {
            mirror(&Input {
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
            ignored: IgnoredKinds::merged(self.ignored.iter().cloned(), |sum, more| *sum += *more),
        }
    }
}
