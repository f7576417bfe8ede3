//! The template of a workload's pods (`PodTemplateSpec`): what its pods will be, before any of them exists.

use super::Pod;
use super::object::slim_object;
use super::pod::PodSpec;
use super::text::{StringMap, Text};

slim_object! {
    /// The pods of a workload.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PodTemplate<'a>("PodTemplateSpec") own {
        /// Their labels.
        "metadata" pub metadata: PodTemplateMeta<'a>;
        /// Their containers.
        "spec" pub spec: PodSpec<'a>;
    }
}

slim_object! {
    /// Metadata of the pods of a workload.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct PodTemplateMeta<'a>("ObjectMeta") own {
        /// Their labels.
        "labels" pub labels: StringMap<'a>;
    }
}

impl<'a> PodTemplate<'a> {
    /// A pod of the template: its labels and containers, with the API server's defaults, and nothing else.
    #[doc(hidden)]
    pub fn pod(&self, namespace: &Text<'a>, name: &Text<'a>) -> Pod<'a> {
        let mut pod = Pod::default();
        pod.metadata.namespace = namespace.clone();
        pod.metadata.name = name.clone();
        pod.metadata.labels = self.metadata.labels.clone();
        pod.spec = self.spec.clone();
        pod.spec.complete();
        pod
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reconcile::ports::container_ports;

    #[test]
    fn a_pod_of_a_template_has_its_labels_and_its_ports_by_tcp() {
        let template = json!({
            "metadata": {"labels": {"app": "cart"}},
            "spec": {
                "containers": [{"ports": [{"name": "http", "containerPort": 8080}, {"name": "dns", "containerPort": 53, "protocol": "UDP"}]}],
                "initContainers": [{"restartPolicy": "Always", "ports": [{"name": "proxy", "containerPort": 15001}]}],
            },
        })
        .to_string();
        let template: PodTemplate<'_> = serde_json::from_str(&template).unwrap();
        let pod = template.pod(&"shop".into(), &"cart".into());
        let (namespace, labels) = (&pod.metadata.namespace, &pod.metadata.labels);
        assert_eq!(
            (namespace.as_str(), labels.get("app")),
            ("shop", Some(&"cart".into()))
        );
        let ports = container_ports(&pod).map(|port| (port.name.as_str(), port.protocol.as_str()));
        assert!(ports.eq([("http", "TCP"), ("dns", "UDP"), ("proxy", "TCP")]));
    }
}
