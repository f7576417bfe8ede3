//! What is asked of an API server.

use slicewise::controller::Kind;

/// A resource that commands list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// `Services`
    Services,
    /// `Pods`
    Pods,
    /// `Nodes`
    Nodes,
    /// `EndpointSlices`
    EndpointSlices,
    /// `Endpoints`
    Endpoints,
    /// `Namespaces`
    Namespaces,
    /// `Events`: the warnings among them, as no others are looked at
    Events,
    /// `Leases`: that of kube-controller-manager, by which it is known whether a controller works
    Leases,
    /// `ValidatingWebhookConfigurations`
    ValidatingWebhookConfigurations,
    /// `MutatingWebhookConfigurations`
    MutatingWebhookConfigurations,
}

/// What plans and explanations depend on. What is desired is listed after what stands: a pod that comes in between is
/// told as one to be added, not as an endpoint to be removed. Nodes come after the pods that run on them.
pub const OF_PLANS: &[Resource] = &[
    Resource::Services,
    Resource::EndpointSlices,
    Resource::Pods,
    Resource::Nodes,
];

/// What explanations look at besides, and can do without.
pub const BESIDE_PLANS: &[Resource] = &[Resource::Endpoints, Resource::Events, Resource::Leases];

/// What routes and traffic depend on.
pub const OF_TRAFFIC: &[Resource] = &[
    Resource::Services,
    Resource::EndpointSlices,
    Resource::Nodes,
];

/// What plans of mirrored slices depend on, in the order of [`OF_PLANS`].
pub const OF_MIRRORS: &[Resource] = &[
    Resource::EndpointSlices,
    Resource::Endpoints,
    Resource::Services,
];

impl Resource {
    /// That of a kind that is watched.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Service => Self::Services,
            Kind::Pod => Self::Pods,
            Kind::Node => Self::Nodes,
            Kind::EndpointSlice => Self::EndpointSlices,
        }
    }

    /// As `kubectl get` and rules of RBAC name it.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Services => "services",
            Self::Pods => "pods",
            Self::Nodes => "nodes",
            Self::EndpointSlices => "endpointslices",
            Self::Endpoints => "endpoints",
            Self::Namespaces => "namespaces",
            Self::Events => "events",
            Self::Leases => "leases",
            Self::ValidatingWebhookConfigurations => "validatingwebhookconfigurations",
            Self::MutatingWebhookConfigurations => "mutatingwebhookconfigurations",
        }
    }

    /// Its API group, as rules of RBAC name it.
    pub const fn group(self) -> &'static str {
        match self {
            Self::Services
            | Self::Pods
            | Self::Nodes
            | Self::Endpoints
            | Self::Namespaces
            | Self::Events => "",
            Self::EndpointSlices => "discovery.k8s.io",
            Self::Leases => "coordination.k8s.io",
            Self::ValidatingWebhookConfigurations | Self::MutatingWebhookConfigurations => {
                "admissionregistration.k8s.io"
            }
        }
    }

    /// Whether its objects live in namespaces.
    pub const fn is_namespaced(self) -> bool {
        matches!(
            self,
            Self::Services
                | Self::Pods
                | Self::EndpointSlices
                | Self::Endpoints
                | Self::Events
                | Self::Leases
        )
    }

    /// The only namespace that it is looked for in, whichever are read.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn namespace(self) -> Option<&'static str> {
        match self {
            Self::Leases => Some("kube-system"),
            _ => None,
        }
    }

    /// Which of its objects are asked for, if not all are.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn field_selector(self) -> Option<&'static str> {
        match self {
            Self::Events => Some("type=Warning"),
            Self::Leases => Some("metadata.name=kube-controller-manager"),
            _ => None,
        }
    }
}
