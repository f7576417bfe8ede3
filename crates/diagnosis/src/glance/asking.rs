//! A Service that requests hints in another way, and the change that achieves it.

use super::change::{SuggestedChange, below};
use slicewise::model::{Service, keys};
use slicewise::plan::HintsMode;

const ANNOTATIONS: &str = "/metadata/annotations";
const TRAFFIC_DISTRIBUTION: &str = "/spec/trafficDistribution";

/// The Service, requesting hints in exactly one way.
pub(super) fn asking<'s>(service: &Service<'s>, mode: HintsMode) -> (Service<'s>, SuggestedChange) {
    let metadata = &service.metadata;
    let mut change = SuggestedChange::patch("Service", &metadata.namespace, &metadata.name);
    for (key, _) in metadata.annotations.iter() {
        if keys::is_topology_annotation(key) {
            change.remove(below(ANNOTATIONS, key));
        }
    }
    let mut asking = service.clone();
    let annotations = &mut asking.metadata.annotations;
    annotations.retain(|key| !keys::is_topology_annotation(key));
    let by_field = !matches!(mode, HintsMode::None | HintsMode::Auto);
    let value = by_field.then_some(mode.as_str());
    if mode == HintsMode::Auto {
        let (key, value) = (keys::TOPOLOGY_MODE_ANNOTATION, mode.as_str());
        annotations.insert(key.into(), value.into());
        change.set_in_map(ANNOTATIONS, metadata.annotations.is_empty(), key, value);
    }
    match value {
        Some(value) => change.set(TRAFFIC_DISTRIBUTION, value),
        None if service.spec.traffic_distribution.is_some() => {
            change.remove(TRAFFIC_DISTRIBUTION.into());
        }
        None => {}
    }
    asking.spec.traffic_distribution = value.map(Into::into);
    (asking, change)
}
