//! Every label, annotation and reserved name the decisions depend on.

/// Label of a slice: the name of the Service it belongs to.
pub const SERVICE_NAME_LABEL: &str = "kubernetes.io/service-name";
/// Label of a slice: the controller that manages it (KEP-3685 lets other controllers use the reconciler under their own
/// name).
pub const MANAGED_BY_LABEL: &str = "endpointslice.kubernetes.io/managed-by";
/// Label of a slice whose Service is headless.
pub const HEADLESS_LABEL: &str = "service.kubernetes.io/headless";
/// Label of a Service: the name of the proxy that serves it instead of the cluster's own.
pub const SERVICE_PROXY_NAME_LABEL: &str = "service.kubernetes.io/service-proxy-name";
/// The `managed-by` value of the EndpointSlice controller in kube-controller-manager.
pub const DEFAULT_MANAGED_BY: &str = "endpointslice-controller.k8s.io";
/// The `managed-by` value of the EndpointSliceMirroring controller in kube-controller-manager.
pub const MIRRORING_MANAGED_BY: &str = "endpointslicemirroring-controller.k8s.io";
/// Label of Endpoints: with the value `true`, they are not mirrored.
pub const SKIP_MIRROR_LABEL: &str = "endpointslice.kubernetes.io/skip-mirror";
/// Annotation of Endpoints that serve as a leader election lock.
pub const LEADER_ANNOTATION: &str = "control-plane.alpha.kubernetes.io/leader";
/// Annotation of an object: the last input of `kubectl apply`.
pub const LAST_APPLIED_ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Annotation of a slice: when the oldest change it contains happened.
pub const TRIGGER_TIME_ANNOTATION: &str = "endpoints.kubernetes.io/last-change-trigger-time";
/// Annotation of a Service: `Auto` requests topology hints (KEP-2433).
pub const TOPOLOGY_MODE_ANNOTATION: &str = "service.kubernetes.io/topology-mode";
/// The older name of [`TOPOLOGY_MODE_ANNOTATION`]; it wins if both are set.
pub const TOPOLOGY_AWARE_HINTS_ANNOTATION: &str = "service.kubernetes.io/topology-aware-hints";
/// Annotation of a Service: Istio's alternative to the field `trafficDistribution`.
pub const ISTIO_TRAFFIC_DISTRIBUTION_ANNOTATION: &str = "networking.istio.io/traffic-distribution";
/// Label of a Node: its zone.
pub const ZONE_LABEL: &str = "topology.kubernetes.io/zone";
/// Label of control-plane Nodes, which do not count for topology hints.
pub const CONTROL_PLANE_LABEL: &str = "node-role.kubernetes.io/control-plane";
/// Label of control-plane Nodes in older clusters.
pub const MASTER_LABEL: &str = "node-role.kubernetes.io/master";
/// `spec.clusterIP` of a headless Service.
pub const CLUSTER_IP_NONE: &str = "None";

/// What stands for a cluster IP that the API server has yet to choose.
pub const TO_BE_ASSIGNED: &str = "(to be assigned)";

/// Annotations of a Service that plans depend on.
pub fn is_topology_annotation(key: &str) -> bool {
    matches!(
        key,
        TOPOLOGY_MODE_ANNOTATION | TOPOLOGY_AWARE_HINTS_ANNOTATION
    )
}

/// Labels of a slice that are not copied from the Service (reference: `isReservedLabelKey`).
pub fn is_reserved_label(key: &str) -> bool {
    matches!(key, SERVICE_NAME_LABEL | MANAGED_BY_LABEL | HEADLESS_LABEL)
}
