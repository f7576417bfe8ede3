//! Mirrored slices as whole objects: what comes from the Endpoints, and what is kept of an existing slice.

use alloc::vec;

use slicewise::model::endpoint_slice::{API_VERSION, KIND};
use slicewise::model::endpoints;
use slicewise::model::{
    AddressType, EndpointSlice, Endpoints, ObjectMeta, OwnerReference, StringMap, keys,
};
use slicewise::reconcile::slice::generate_name;

use super::desired::DesiredGroup;

/// A slice of a group with at most `max` endpoints, based on `base` if there is one.
///
/// A group only has more if two subsets have the same ports, with application protocols or with none at all; then the
/// first ones by address are used. All metadata of `base` except labels, annotations and owners is kept.
pub(super) fn slice<'a>(
    endpoints: &Endpoints<'a>,
    family: AddressType,
    group: &DesiredGroup<'_, 'a>,
    max: usize,
    base: Option<&EndpointSlice<'a>>,
) -> EndpointSlice<'a> {
    let wanted = group.endpoints.iter().take(max);
    let mut slice = EndpointSlice::default();
    slice.api_version = API_VERSION.into();
    slice.kind = KIND.into();
    slice.metadata = metadata(endpoints, base);
    slice.address_type = family.as_str().into();
    slice.endpoints = wanted.map(|wanted| wanted.endpoint()).collect();
    slice.ports = group.ports.clone();
    slice.unknown = base.map(|base| base.unknown.clone()).unwrap_or_default();
    slice
}

fn metadata<'a>(endpoints: &Endpoints<'a>, base: Option<&EndpointSlice<'a>>) -> ObjectMeta<'a> {
    let new = || {
        let mut metadata = ObjectMeta::default();
        metadata.generate_name = generate_name(&endpoints.metadata.name).into();
        metadata.namespace = endpoints.metadata.namespace.clone();
        metadata
    };
    let base = base.map(|base| base.metadata.clone());
    let mut metadata = base.unwrap_or_else(new);
    metadata.labels = labels(endpoints);
    metadata.annotations = annotations(endpoints);
    metadata.owner_references = vec![owner(endpoints)];
    metadata
}

/// All labels of the Endpoints, and those that identify the slice's Service and manager.
fn labels<'a>(endpoints: &Endpoints<'a>) -> StringMap<'a> {
    let mut labels = endpoints.metadata.labels.clone();
    let name = endpoints.metadata.name.clone();
    labels.insert(keys::SERVICE_NAME_LABEL.into(), name);
    labels.insert(
        keys::MANAGED_BY_LABEL.into(),
        keys::MIRRORING_MANAGED_BY.into(),
    );
    labels
}

/// All annotations of the Endpoints except those about the Endpoints themselves.
fn annotations<'a>(endpoints: &Endpoints<'a>) -> StringMap<'a> {
    let mut annotations = endpoints.metadata.annotations.clone();
    annotations.remove(keys::TRIGGER_TIME_ANNOTATION);
    annotations.remove(keys::LAST_APPLIED_ANNOTATION);
    annotations
}

fn owner<'a>(endpoints: &Endpoints<'a>) -> OwnerReference<'a> {
    let mut owner = OwnerReference::default();
    owner.api_version = endpoints::API_VERSION.into();
    owner.kind = endpoints::KIND.into();
    owner.name = endpoints.metadata.name.clone();
    owner.uid = endpoints.metadata.uid.clone();
    owner.controller = Some(true);
    owner.block_owner_deletion = Some(true);
    owner
}

/// Does the slice lack a label of the Endpoints, or have another value?
///
/// Labels that identify the Service and manager are ignored on the slice, but not on the Endpoints: if those have one,
/// the slice is written again at every sync, as by the reference.
pub(super) fn labels_differ(slice: &EndpointSlice<'_>, endpoints: &Endpoints<'_>) -> bool {
    let is_ours = |key: &str| matches!(key, keys::SERVICE_NAME_LABEL | keys::MANAGED_BY_LABEL);
    let others = slice.metadata.labels.iter();
    let others = others.filter(|(key, _)| !is_ours(key));
    !others.eq(endpoints.metadata.labels.iter())
}

/// Do the slice's annotations differ from the desired ones?
pub(super) fn annotations_differ(slice: &EndpointSlice<'_>, endpoints: &Endpoints<'_>) -> bool {
    slice.metadata.annotations != annotations(endpoints)
}

/// Does the slice belong to older Endpoints of the same name?
pub(super) fn has_older_owner(slice: &EndpointSlice<'_>, endpoints: &Endpoints<'_>) -> bool {
    let (name, uid) = (&endpoints.metadata.name, &endpoints.metadata.uid);
    let is_older = |owner: &OwnerReference<'_>| {
        owner.kind == endpoints::KIND && owner.name == *name && owner.uid != *uid
    };
    slice.metadata.owner_references.iter().any(is_older)
}
