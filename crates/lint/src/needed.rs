//! The writes that a cluster depends on: who makes them, and what happens if they are refused.

use super::reach::User;
use super::reach::User::{Anybody, Kubelet};
use WriteLocation::{Cluster, In, Own, Somewhere};

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
const API_SERVER: User = User::Named("system:apiserver");
const SCHEDULER: User = User::Named("system:kube-scheduler");

const DISCOVERY: &str = "discovery.k8s.io";
const COORDINATION: &str = "coordination.k8s.io";
const AUTHENTICATION: &str = "authentication.k8s.io";
const AUTHORIZATION: &str = "authorization.k8s.io";
const KUBE_SYSTEM: WriteLocation = In("kube-system");

macro_rules! needed {
    ($($rule:literal { $($group:expr, $resource:literal, $operation:literal, $user:expr, $place:expr;)* })*) => {
        &[$($(Needed {
            rule: $rule,
            group: $group,
            resource: $resource,
            operation: $operation,
            user: $user,
            place: $place,
        },)*)*]
    };
}

/// All of them, by rule: what is written and how, by whom and where.
pub(super) const NEEDED: &[Needed] = needed! {
    "own-pods" {
        "", "pods", "CREATE", REPLICAS, Own;
        "", "pods/binding", "CREATE", SCHEDULER, Own;
        "", "serviceaccounts/token", "CREATE", Kubelet, Own;
        "", "pods/status", "UPDATE", Kubelet, Own;
    }
    "own-endpoints" {
        DISCOVERY, "endpointslices", "CREATE", SLICES, Own;
        DISCOVERY, "endpointslices", "UPDATE", SLICES, Own;
        "", "endpoints", "CREATE", ENDPOINTS, Own;
        "", "endpoints", "UPDATE", ENDPOINTS, Own;
    }
    "own-repair" {
        "apps", "deployments", "UPDATE", Anybody, Own;
        "apps", "replicasets", "CREATE", DEPLOYMENTS, Own;
        "", "services", "UPDATE", Anybody, Own;
        "", "secrets", "UPDATE", Anybody, Own;
        "", "configmaps", "UPDATE", Anybody, Own;
        "", "pods", "DELETE", Anybody, Own;
    }
    "kube-system" {
        "", "pods", "CREATE", DAEMONS, KUBE_SYSTEM;
        "", "pods/binding", "CREATE", SCHEDULER, KUBE_SYSTEM;
        "", "pods/status", "UPDATE", Kubelet, KUBE_SYSTEM;
        DISCOVERY, "endpointslices", "UPDATE", SLICES, KUBE_SYSTEM;
        "", "endpoints", "UPDATE", ENDPOINTS, KUBE_SYSTEM;
        "apps", "daemonsets", "UPDATE", Anybody, KUBE_SYSTEM;
        "apps", "deployments", "UPDATE", Anybody, KUBE_SYSTEM;
        "apps", "replicasets", "CREATE", DEPLOYMENTS, KUBE_SYSTEM;
        "", "services", "CREATE", Anybody, KUBE_SYSTEM;
        "", "services", "UPDATE", Anybody, KUBE_SYSTEM;
        "", "configmaps", "UPDATE", Anybody, KUBE_SYSTEM;
        "", "secrets", "CREATE", Anybody, KUBE_SYSTEM;
        "", "serviceaccounts", "CREATE", Anybody, KUBE_SYSTEM;
    }
    "kubernetes-service" {
        DISCOVERY, "endpointslices", "CREATE", API_SERVER, In("default");
        DISCOVERY, "endpointslices", "UPDATE", API_SERVER, In("default");
        "", "endpoints", "CREATE", API_SERVER, In("default");
        "", "endpoints", "UPDATE", API_SERVER, In("default");
        "", "services", "CREATE", API_SERVER, In("default");
        "", "services", "UPDATE", API_SERVER, In("default");
    }
    "leases" {
        COORDINATION, "leases", "UPDATE", Kubelet, In("kube-node-lease");
        COORDINATION, "leases", "CREATE", Kubelet, In("kube-node-lease");
        COORDINATION, "leases", "UPDATE", SCHEDULER, KUBE_SYSTEM;
    }
    "node-status" {
        "", "nodes/status", "UPDATE", Kubelet, Cluster;
    }
    "nodes" {
        "", "nodes", "CREATE", Kubelet, Cluster;
        "", "nodes", "UPDATE", NODES, Cluster;
    }
    "namespaces" {
        "", "namespaces", "CREATE", Anybody, Cluster;
        "", "namespaces", "DELETE", Anybody, Cluster;
        "", "namespaces/finalize", "UPDATE", NAMESPACES, Cluster;
    }
    "outage-path" {
        "", "pods/status", "UPDATE", NODES, Somewhere;
        "", "pods/status", "UPDATE", Kubelet, Somewhere;
        DISCOVERY, "endpointslices", "UPDATE", SLICES, Somewhere;
        "", "endpoints", "UPDATE", ENDPOINTS, Somewhere;
    }
    "authentication" {
        AUTHENTICATION, "tokenreviews", "CREATE", Anybody, Cluster;
        AUTHENTICATION, "selfsubjectreviews", "CREATE", Anybody, Cluster;
        AUTHORIZATION, "subjectaccessreviews", "CREATE", Anybody, Cluster;
        AUTHORIZATION, "selfsubjectaccessreviews", "CREATE", Anybody, Cluster;
        AUTHORIZATION, "selfsubjectrulesreviews", "CREATE", Anybody, Cluster;
        AUTHORIZATION, "localsubjectaccessreviews", "CREATE", Anybody, Somewhere;
    }
    "events" {
        "", "events", "CREATE", Anybody, Somewhere;
        "events.k8s.io", "events", "CREATE", Anybody, Somewhere;
    }
    "connect" {
        "", "pods/exec", "CONNECT", Anybody, Somewhere;
        "", "pods/attach", "CONNECT", Anybody, Somewhere;
        "", "pods/portforward", "CONNECT", Anybody, Somewhere;
        "", "pods/proxy", "CONNECT", Anybody, Somewhere;
        "", "services/proxy", "CONNECT", Anybody, Somewhere;
        "", "nodes/proxy", "CONNECT", Anybody, Cluster;
    }
};
