//! The writes that a cluster depends on: who makes them, and what happens if they are refused.

use super::reach::User;

/// Where a write is made, relative to the webhook's own namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteLocation {
    /// In the namespace of the webhook's Service.
    Own,
    /// In this namespace.
    In(&'static str),
    /// In any namespace.
    Somewhere,
    /// Cluster-scoped.
    Cluster,
}

/// A write, with the rule about it.
#[derive(Debug)]
pub(super) struct Needed {
    pub(super) rule: &'static str,
    pub(super) group: &'static str,
    pub(super) resource: &'static str,
    pub(super) operation: &'static str,
    pub(super) user: User,
    pub(super) place: WriteLocation,
}

const REPLICAS: User = User::Named("system:serviceaccount:kube-system:replicaset-controller");
const DAEMONS: User = User::Named("system:serviceaccount:kube-system:daemon-set-controller");
const DEPLOYMENTS: User = User::Named("system:serviceaccount:kube-system:deployment-controller");
const SLICES: User = User::Named("system:serviceaccount:kube-system:endpointslice-controller");
const ENDPOINTS: User = User::Named("system:serviceaccount:kube-system:endpoint-controller");
const NODES: User = User::Named("system:serviceaccount:kube-system:node-controller");
const NAMESPACES: User = User::Named("system:serviceaccount:kube-system:namespace-controller");
const SCHEDULER: User = User::Named("system:kube-scheduler");

const DISCOVERY: &str = "discovery.k8s.io";
const COORDINATION: &str = "coordination.k8s.io";
const AUTHENTICATION: &str = "authentication.k8s.io";
const AUTHORIZATION: &str = "authorization.k8s.io";
const KUBE_SYSTEM: WriteLocation = WriteLocation::In("kube-system");

const fn needed(
    rule: &'static str,
    (group, resource, operation): (&'static str, &'static str, &'static str),
    user: User,
    place: WriteLocation,
) -> Needed {
    Needed {
        rule,
        group,
        resource,
        operation,
        user,
        place,
    }
}

/// A write of the API servers to their own Service, `default/kubernetes`.
const fn of_api_server(write: (&'static str, &'static str, &'static str)) -> Needed {
    let user = User::Named("system:apiserver");
    needed(
        "kubernetes-service",
        write,
        user,
        WriteLocation::In("default"),
    )
}

/// All of them, grouped by rule.
pub(super) const NEEDED: [Needed; 60] = [
    needed(
        "own-pods",
        ("", "pods", "CREATE"),
        REPLICAS,
        WriteLocation::Own,
    ),
    needed(
        "own-pods",
        ("", "pods/binding", "CREATE"),
        SCHEDULER,
        WriteLocation::Own,
    ),
    needed(
        "own-pods",
        ("", "serviceaccounts/token", "CREATE"),
        User::Kubelet,
        WriteLocation::Own,
    ),
    needed(
        "own-pods",
        ("", "pods/status", "UPDATE"),
        User::Kubelet,
        WriteLocation::Own,
    ),
    needed(
        "own-endpoints",
        (DISCOVERY, "endpointslices", "CREATE"),
        SLICES,
        WriteLocation::Own,
    ),
    needed(
        "own-endpoints",
        (DISCOVERY, "endpointslices", "UPDATE"),
        SLICES,
        WriteLocation::Own,
    ),
    needed(
        "own-endpoints",
        ("", "endpoints", "CREATE"),
        ENDPOINTS,
        WriteLocation::Own,
    ),
    needed(
        "own-endpoints",
        ("", "endpoints", "UPDATE"),
        ENDPOINTS,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("apps", "deployments", "UPDATE"),
        User::Anybody,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("apps", "replicasets", "CREATE"),
        DEPLOYMENTS,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("", "services", "UPDATE"),
        User::Anybody,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("", "secrets", "UPDATE"),
        User::Anybody,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("", "configmaps", "UPDATE"),
        User::Anybody,
        WriteLocation::Own,
    ),
    needed(
        "own-repair",
        ("", "pods", "DELETE"),
        User::Anybody,
        WriteLocation::Own,
    ),
    needed("kube-system", ("", "pods", "CREATE"), DAEMONS, KUBE_SYSTEM),
    needed(
        "kube-system",
        ("", "pods/binding", "CREATE"),
        SCHEDULER,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "pods/status", "UPDATE"),
        User::Kubelet,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        (DISCOVERY, "endpointslices", "UPDATE"),
        SLICES,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "endpoints", "UPDATE"),
        ENDPOINTS,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("apps", "daemonsets", "UPDATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("apps", "deployments", "UPDATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("apps", "replicasets", "CREATE"),
        DEPLOYMENTS,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "services", "CREATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "services", "UPDATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "configmaps", "UPDATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "secrets", "CREATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    needed(
        "kube-system",
        ("", "serviceaccounts", "CREATE"),
        User::Anybody,
        KUBE_SYSTEM,
    ),
    of_api_server((DISCOVERY, "endpointslices", "CREATE")),
    of_api_server((DISCOVERY, "endpointslices", "UPDATE")),
    of_api_server(("", "endpoints", "CREATE")),
    of_api_server(("", "endpoints", "UPDATE")),
    of_api_server(("", "services", "CREATE")),
    of_api_server(("", "services", "UPDATE")),
    needed(
        "leases",
        (COORDINATION, "leases", "UPDATE"),
        User::Kubelet,
        WriteLocation::In("kube-node-lease"),
    ),
    needed(
        "leases",
        (COORDINATION, "leases", "CREATE"),
        User::Kubelet,
        WriteLocation::In("kube-node-lease"),
    ),
    needed(
        "leases",
        (COORDINATION, "leases", "UPDATE"),
        SCHEDULER,
        KUBE_SYSTEM,
    ),
    needed(
        "node-status",
        ("", "nodes/status", "UPDATE"),
        User::Kubelet,
        WriteLocation::Cluster,
    ),
    needed(
        "nodes",
        ("", "nodes", "CREATE"),
        User::Kubelet,
        WriteLocation::Cluster,
    ),
    needed(
        "nodes",
        ("", "nodes", "UPDATE"),
        NODES,
        WriteLocation::Cluster,
    ),
    needed(
        "namespaces",
        ("", "namespaces", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "namespaces",
        ("", "namespaces", "DELETE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "namespaces",
        ("", "namespaces/finalize", "UPDATE"),
        NAMESPACES,
        WriteLocation::Cluster,
    ),
    needed(
        "outage-path",
        ("", "pods/status", "UPDATE"),
        NODES,
        WriteLocation::Somewhere,
    ),
    needed(
        "outage-path",
        ("", "pods/status", "UPDATE"),
        User::Kubelet,
        WriteLocation::Somewhere,
    ),
    needed(
        "outage-path",
        (DISCOVERY, "endpointslices", "UPDATE"),
        SLICES,
        WriteLocation::Somewhere,
    ),
    needed(
        "outage-path",
        ("", "endpoints", "UPDATE"),
        ENDPOINTS,
        WriteLocation::Somewhere,
    ),
    needed(
        "authentication",
        (AUTHENTICATION, "tokenreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "authentication",
        (AUTHENTICATION, "selfsubjectreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "authentication",
        (AUTHORIZATION, "subjectaccessreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "authentication",
        (AUTHORIZATION, "selfsubjectaccessreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "authentication",
        (AUTHORIZATION, "selfsubjectrulesreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
    needed(
        "authentication",
        (AUTHORIZATION, "localsubjectaccessreviews", "CREATE"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "events",
        ("", "events", "CREATE"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "events",
        ("events.k8s.io", "events", "CREATE"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "pods/exec", "CONNECT"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "pods/attach", "CONNECT"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "pods/portforward", "CONNECT"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "pods/proxy", "CONNECT"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "services/proxy", "CONNECT"),
        User::Anybody,
        WriteLocation::Somewhere,
    ),
    needed(
        "connect",
        ("", "nodes/proxy", "CONNECT"),
        User::Anybody,
        WriteLocation::Cluster,
    ),
];
