//! Every label, annotation and reserved name the decisions depend on.

/// Label of a slice: the name of the Service it belongs to.
pub const SERVICE_NAME_LABEL: &str = "kubernetes.io/service-name";
/// Label of a slice: who writes it (KEP-3685 lets other controllers use the reconciler under their own name).
pub const MANAGED_BY_LABEL: &str = "endpointslice.kubernetes.io/managed-by";
/// Label of a slice whose Service is headless.
pub const HEADLESS_LABEL: &str = "service.kubernetes.io/headless";
/// Label of a Service: another proxy than the cluster's own serves it, which is named.
pub const SERVICE_PROXY_NAME_LABEL: &str = "service.kubernetes.io/service-proxy-name";
/// The `managed-by` value of the EndpointSlice controller in kube-controller-manager.
pub const DEFAULT_MANAGED_BY: &str = "endpointslice-controller.k8s.io";
/// The `managed-by` value of the EndpointSliceMirroring controller in kube-controller-manager.
pub const MIRRORING_MANAGED_BY: &str = "endpointslicemirroring-controller.k8s.io";
/// Label of Endpoints: `true` keeps them from being mirrored.
pub const SKIP_MIRROR_LABEL: &str = "endpointslice.kubernetes.io/skip-mirror";
/// Annotation of Endpoints that are a lock of a leader election.
pub const LEADER_ANNOTATION: &str = "control-plane.alpha.kubernetes.io/leader";
/// Annotation of an object: what `kubectl apply` was given last.
pub const LAST_APPLIED_ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Annotation of a slice: when the oldest change it carries happened.
pub const TRIGGER_TIME_ANNOTATION: &str = "endpoints.kubernetes.io/last-change-trigger-time";
/// Annotation of a Service: `Auto` asks for topology hints (KEP-2433).
pub const TOPOLOGY_MODE_ANNOTATION: &str = "service.kubernetes.io/topology-mode";
/// The older name of [`TOPOLOGY_MODE_ANNOTATION`]; it wins where both are set.
pub const TOPOLOGY_AWARE_HINTS_ANNOTATION: &str = "service.kubernetes.io/topology-aware-hints";
/// Annotation of a Service: what `trafficDistribution` says, for Istio, where the field does not.
pub const ISTIO_TRAFFIC_DISTRIBUTION_ANNOTATION: &str = "networking.istio.io/traffic-distribution";
/// Label of a Node: its zone.
pub const ZONE_LABEL: &str = "topology.kubernetes.io/zone";
/// Label of control-plane Nodes, which take no part in topology hints.
pub const CONTROL_PLANE_LABEL: &str = "node-role.kubernetes.io/control-plane";
/// Label of control-plane Nodes in older clusters.
pub const MASTER_LABEL: &str = "node-role.kubernetes.io/master";
/// `spec.clusterIP` of a headless Service.
pub const CLUSTER_IP_NONE: &str = "None";

/// Annotations of a Service that plans depend on.
pub fn is_topology_annotation(key: &str) -> bool {
    matches!(
        key,
        TOPOLOGY_MODE_ANNOTATION | TOPOLOGY_AWARE_HINTS_ANNOTATION
    )
}

/// Labels of a slice that never follow the Service's labels (reference: `isReservedLabelKey`).
pub fn is_reserved_label(key: &str) -> bool {
    matches!(key, SERVICE_NAME_LABEL | MANAGED_BY_LABEL | HEADLESS_LABEL)
}
