//! A Service that requests hints in another way, and the change that achieves it.

use crate::edited::EditedService;
use slicewise::model::{Service, keys};
use slicewise::plan::HintsMode;

/// The Service, requesting hints in exactly one way.
pub(crate) fn asking<'s>(service: &Service<'s>, mode: HintsMode) -> EditedService<'s> {
    let edited = EditedService::new(service).without_topology_annotations();
    match mode {
        HintsMode::None => edited.traffic_distribution(None),
        HintsMode::Auto => edited
            .annotated(keys::TOPOLOGY_MODE_ANNOTATION, mode.as_str())
            .traffic_distribution(None),
        by_field => edited.traffic_distribution(Some(by_field.as_str())),
    }
}
