//! What `k8s-openapi` does not have: the values of enumerations, and the well-known labels and annotations.

use slicewise::model::keys;

/// Types whose fields are left out, because neither plans nor traffic depend on them; what refers to them keeps its name,
/// type and description.
pub(super) const OPAQUE: &[&str] = &[
    "Affinity",
    "DeviceTaint",
    "EphemeralContainer",
    "Lifecycle",
    "ManagedFieldsEntry",
    "NodeConfigStatus",
    "NodeSystemInfo",
    "PodSecurityContext",
    "SecurityContext",
    "Volume",
];

/// The only values of a field.
pub(super) const VALUES: &[(&str, &str, &[&str])] = &[
    (
        "Container",
        "imagePullPolicy",
        &["Always", "IfNotPresent", "Never"],
    ),
    ("ContainerPort", "protocol", &["TCP", "UDP", "SCTP"]),
    ("DeploymentStrategy", "type", &["RollingUpdate", "Recreate"]),
    ("EndpointPort", "protocol", &["TCP", "UDP", "SCTP"]),
    ("EndpointSlice", "addressType", &["IPv4", "IPv6", "FQDN"]),
    ("NodeCondition", "status", &["True", "False", "Unknown"]),
    ("PodCondition", "status", &["True", "False", "Unknown"]),
    (
        "PodSpec",
        "dnsPolicy",
        &["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
    ),
    (
        "PodSpec",
        "restartPolicy",
        &["Always", "OnFailure", "Never"],
    ),
    (
        "PodStatus",
        "phase",
        &["Pending", "Running", "Succeeded", "Failed", "Unknown"],
    ),
    ("ServicePort", "protocol", &["TCP", "UDP", "SCTP"]),
    (
        "ServiceSpec",
        "externalTrafficPolicy",
        &["Cluster", "Local"],
    ),
    (
        "ServiceSpec",
        "internalTrafficPolicy",
        &["Cluster", "Local"],
    ),
    ("ServiceSpec", "ipFamilies", &["IPv4", "IPv6"]),
    (
        "ServiceSpec",
        "ipFamilyPolicy",
        &["SingleStack", "PreferDualStack", "RequireDualStack"],
    ),
    ("ServiceSpec", "sessionAffinity", &["None", "ClientIP"]),
    (
        "ServiceSpec",
        "type",
        &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"],
    ),
    (
        "Taint",
        "effect",
        &["NoSchedule", "PreferNoSchedule", "NoExecute"],
    ),
    (
        "Toleration",
        "effect",
        &["NoSchedule", "PreferNoSchedule", "NoExecute"],
    ),
    ("Toleration", "operator", &["Exists", "Equal", "Lt", "Gt"]),
];

/// The only values of a field whose description omits some of them.
pub(super) const UNDESCRIBED: &[(&str, &str, &[&str])] = &[
    // KEP-3015.
    (
        "ServiceSpec",
        "trafficDistribution",
        &["PreferSameZone", "PreferSameNode", "PreferClose"],
    ),
];

/// Frequent values of a field that may have others.
pub(super) const EXAMPLES: &[(&str, &str, &[&str])] = &[
    (
        "NodeCondition",
        "type",
        &[
            "Ready",
            "MemoryPressure",
            "DiskPressure",
            "PIDPressure",
            "NetworkUnavailable",
        ],
    ),
    (
        "PodCondition",
        "type",
        &[
            "Ready",
            "ContainersReady",
            "PodScheduled",
            "Initialized",
            "PodReadyToStartContainers",
            "DisruptionTarget",
        ],
    ),
    (
        "NodeAddress",
        "type",
        &[
            "InternalIP",
            "ExternalIP",
            "Hostname",
            "InternalDNS",
            "ExternalDNS",
        ],
    ),
    ("ServiceSpec", "clusterIP", &[keys::CLUSTER_IP_NONE]),
];

/// A well-known label or annotation: the kinds that have it, its name, its frequent values, and what it says.
pub(super) type Known = (
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
    &'static str,
);

const WORKLOADS: &[&str] = &[
    "Service",
    "Pod",
    "EndpointSlice",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
];

pub(super) const LABELS: &[Known] = &[
    (
        &["Node"],
        keys::ZONE_LABEL,
        &[],
        "The zone of the node; topology hints depend on it.",
    ),
    (
        &["Node"],
        "topology.kubernetes.io/region",
        &[],
        "The region of the node.",
    ),
    (
        &["Node"],
        "kubernetes.io/hostname",
        &[],
        "The name of the node's host.",
    ),
    (
        &["Node"],
        "kubernetes.io/arch",
        &["amd64", "arm64"],
        "The architecture of the node.",
    ),
    (
        &["Node"],
        "kubernetes.io/os",
        &["linux", "windows"],
        "The operating system of the node.",
    ),
    (
        &["Node"],
        keys::CONTROL_PLANE_LABEL,
        &[""],
        "Marks a node of the control plane, which topology hints do not count.",
    ),
    (
        &["EndpointSlice"],
        keys::SERVICE_NAME_LABEL,
        &[],
        "The Service that the slice belongs to.",
    ),
    (
        &["EndpointSlice"],
        keys::MANAGED_BY_LABEL,
        &[keys::DEFAULT_MANAGED_BY, keys::MIRRORING_MANAGED_BY],
        "The controller that manages the slice.",
    ),
    (
        &["EndpointSlice", "Service"],
        keys::HEADLESS_LABEL,
        &[""],
        "Marks a headless Service and its slices.",
    ),
    (
        &["Service"],
        keys::SERVICE_PROXY_NAME_LABEL,
        &[],
        "The proxy that serves the Service instead of the cluster's own.",
    ),
    (
        &["Pod", "ReplicaSet"],
        "pod-template-hash",
        &[],
        "The revision of the Deployment's pod template.",
    ),
    (
        &["Namespace"],
        "kubernetes.io/metadata.name",
        &[],
        "The name of the namespace.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/name",
        &[],
        "The name of the application.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/instance",
        &[],
        "The name of this instance of the application.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/version",
        &[],
        "The version of the application.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/component",
        &[],
        "The component within the application.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/part-of",
        &[],
        "The larger application that this one is a part of.",
    ),
    (
        WORKLOADS,
        "app.kubernetes.io/managed-by",
        &["Helm"],
        "The tool that manages the application.",
    ),
];

pub(super) const ANNOTATIONS: &[Known] = &[
    (
        &["Service"],
        keys::TOPOLOGY_MODE_ANNOTATION,
        &["Auto", "Disabled"],
        "`Auto` asks for topology hints.",
    ),
    (
        &["Service"],
        keys::TOPOLOGY_AWARE_HINTS_ANNOTATION,
        &["Auto", "Disabled"],
        "The older name of the topology mode, which wins if both are set.",
    ),
    (
        &["EndpointSlice"],
        keys::TRIGGER_TIME_ANNOTATION,
        &[],
        "When the oldest change that the slice contains happened.",
    ),
];
