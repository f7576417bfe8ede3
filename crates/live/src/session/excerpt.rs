//! The state of one Service in a session, as the objects of a snapshot.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;
use slicewise::model::NamespacedName;

use super::Session;
use super::event::Kind;

impl Session {
    /// The objects that a plan of a Service and its traffic depend on, except the Service itself: the pods that it
    /// selects, all nodes, and all its slices, whoever manages them. Each is JSON as an API server would return it,
    /// limited to what plans depend on; `give` receives them one by one, sorted by kind and name.
    ///
    /// # Errors
    /// The first error of `give`.
    pub fn excerpt<E>(
        &self,
        service: &NamespacedName,
        mut give: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut tell = |mut object: Value, kind: Kind| {
            let version = match kind {
                Kind::EndpointSlice => "discovery.k8s.io/v1",
                Kind::Service | Kind::Pod | Kind::Node => "v1",
            };
            if let Value::Object(fields) = &mut object {
                fields.insert("apiVersion".into(), version.into());
                fields.insert("kind".into(), kind.as_str().into());
            }
            give(&object.to_string())
        };
        for name in self.selected_names(service) {
            let key = NamespacedName {
                namespace: service.namespace.clone(),
                name,
            };
            self.dumped_pod(&key)
                .map_or(Ok(()), |pod| tell(pod, Kind::Pod))?;
        }
        for key in self.keys(Kind::Node) {
            let node = self.dumped_node(&key.name);
            node.map_or(Ok(()), |node| tell(node, Kind::Node))?;
        }
        for slice in self.slices_labelled(service) {
            let key = NamespacedName::of(slice.head);
            let slice = self.observed_slice(&key);
            let slice = slice.and_then(|slice| serde_json::to_value(slice).ok());
            slice.map_or(Ok(()), |slice| tell(slice, Kind::EndpointSlice))?;
        }
        Ok(())
    }

    fn selected_names(&self, service: &NamespacedName) -> Vec<String> {
        let selector = self
            .service(service)
            .and_then(|service| service.spec.selector.as_ref());
        let pods = selector.map(|selector| self.selected_pods(&service.namespace, selector));
        let pods = pods.into_iter().flatten();
        pods.map(|pod| pod.name().into()).collect()
    }
}
