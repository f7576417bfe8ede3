//! Changes of objects: of a Service in both its forms, the object that is planned with it and the patch of the input, and
//! others as patches.

use alloc::format;
use alloc::string::ToString;

use slicewise::model::{Node, Service, ServicePort, StringMap, keys};
use slicewise::plan::change::{ChangeValue, SuggestedChange, below};

const ANNOTATIONS: &str = "/metadata/annotations";
const SELECTOR: &str = "/spec/selector";
const TRAFFIC_DISTRIBUTION: &str = "/spec/trafficDistribution";

/// A changed Service, and the change.
pub(crate) struct EditedService<'s> {
    pub(crate) service: Service<'s>,
    pub(crate) change: SuggestedChange,
    /// Had it no annotation before?
    is_bare: bool,
}

impl<'s> EditedService<'s> {
    /// The Service without a change.
    pub(crate) fn new(service: &Service<'s>) -> Self {
        Self {
            service: service.clone(),
            change: change_of(service),
            is_bare: service.metadata.annotations.is_empty(),
        }
    }

    /// With an annotation.
    pub(crate) fn annotated(mut self, key: &'static str, value: &'static str) -> Self {
        self.change
            .set_in_map(ANNOTATIONS, self.is_bare, key, value);
        let annotations = &mut self.service.metadata.annotations;
        annotations.insert(key.into(), value.into());
        self
    }

    /// Without an annotation that it has.
    pub(crate) fn without_annotation(mut self, key: &str) -> Self {
        self.service.metadata.annotations.remove(key);
        self.change.remove(below(ANNOTATIONS, key));
        self
    }

    /// Without an annotation that requests hints.
    pub(crate) fn without_topology_annotations(self) -> Self {
        let annotations = self.service.metadata.annotations.clone();
        let keys = annotations.iter().map(|(key, _)| key);
        keys.filter(|key| keys::is_topology_annotation(key))
            .fold(self, |edited, key| edited.without_annotation(key))
    }

    /// With a value of `trafficDistribution`, or without one.
    pub(crate) fn traffic_distribution(mut self, value: Option<&'static str>) -> Self {
        let field = &mut self.service.spec.traffic_distribution;
        match value {
            Some(value) => self.change.add(TRAFFIC_DISTRIBUTION, value),
            None if field.is_some() => self.change.remove(TRAFFIC_DISTRIBUTION),
            None => {}
        }
        *field = value.map(Into::into);
        self
    }

    /// With a selector.
    pub(crate) fn selecting(mut self, selector: StringMap<'s>) -> Self {
        let pairs = selector.iter();
        let pairs = pairs.map(|(key, value)| (key.to_string(), value.to_string()));
        self.change.add(SELECTOR, ChangeValue::Map(pairs.collect()));
        self.service.spec.selector = Some(selector);
        self
    }
}

/// A change of a Service that is to be filled in.
pub(crate) fn change_of(service: &Service<'_>) -> SuggestedChange {
    let metadata = &service.metadata;
    SuggestedChange::patch("Service", &metadata.namespace, &metadata.name)
}

/// A change of a field of some ports of a Service.
pub(crate) fn with_ports(
    service: &Service<'_>,
    is_changed: impl Fn(&ServicePort<'_>) -> bool,
    field: &str,
    value: impl Into<ChangeValue>,
) -> SuggestedChange {
    let (mut change, value) = (change_of(service), value.into());
    for (place, port) in service.spec.ports.iter().enumerate() {
        if is_changed(port) {
            change.add(format!("/spec/ports/{place}/{field}"), value.clone());
        }
    }
    change
}

/// A change of fields of a Service's `spec` that plans do not read.
pub(crate) fn with_fields(
    service: &Service<'_>,
    fields: &[(&str, impl Into<ChangeValue> + Copy)],
) -> SuggestedChange {
    let mut change = change_of(service);
    for (field, value) in fields {
        change.add(format!("/spec/{field}"), *value);
    }
    change
}

/// A label of a node.
pub(crate) fn labelled_node(node: &Node<'_>, key: &str, value: &str) -> SuggestedChange {
    let mut change = SuggestedChange::patch("Node", "", &node.metadata.name);
    let is_bare = node.metadata.labels.is_empty();
    change.set_in_map("/metadata/labels", is_bare, key, value);
    change
}
