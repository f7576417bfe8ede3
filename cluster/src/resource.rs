//! The resources to request from an API server.

use slicewise::model::kind::Kind;

/// The default number of objects per page of a list; the same as `kubectl`'s.
pub const CHUNK_SIZE: u32 = 500;

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
    /// `Events`: only the warnings, since no others are read
    Events,
    /// `Leases`: only kube-controller-manager's, which shows whether a controller is running
    Leases,
    /// `ValidatingWebhookConfigurations`
    ValidatingWebhookConfigurations,
    /// `MutatingWebhookConfigurations`
    MutatingWebhookConfigurations,
    /// `SliceExceptions`: exceptions from policies
    SliceExceptions,
}

/// What plans and explanations depend on. Slices are listed before what determines them: a pod created in between
/// appears as an endpoint to add, not as one to remove. Nodes come after the pods that run on them.
pub const OF_PLANS: &[Resource] = &[
    Resource::Services,
    Resource::EndpointSlices,
    Resource::Pods,
    Resource::Nodes,
];

/// What audits depend on: the same, and the Endpoints, which policies judge as well. None is optional: what cannot be read
/// has no findings, and its reports would go.
pub const OF_AUDITS: &[Resource] = &[
    Resource::Services,
    Resource::EndpointSlices,
    Resource::Pods,
    Resource::Nodes,
    Resource::Endpoints,
];

/// Optional input of verdicts.
pub const BESIDE_VERDICTS: &[Resource] = &[Resource::SliceExceptions];

/// The same, if rules read the namespaces of objects.
pub const BESIDE_VERDICTS_OF_NAMESPACES: &[Resource] =
    &[Resource::SliceExceptions, Resource::Namespaces];

/// What explanations depend on: the same as plans, but for the nodes, which many users may not read.
pub const OF_EXPLANATIONS: &[Resource] =
    &[Resource::Services, Resource::EndpointSlices, Resource::Pods];

/// Optional input of explanations.
pub const BESIDE_EXPLANATIONS: &[Resource] = &[
    Resource::Nodes,
    Resource::Endpoints,
    Resource::Events,
    Resource::Leases,
];

/// What routes and traffic depend on: not on the nodes, some of which slices name.
pub const OF_TRAFFIC: &[Resource] = &[Resource::Services, Resource::EndpointSlices];

/// Optional input of routes and traffic.
pub const BESIDE_TRAFFIC: &[Resource] = &[Resource::Nodes];

/// What plans of mirrored slices depend on, in the same order as [`OF_PLANS`].
pub const OF_MIRRORS: &[Resource] = &[
    Resource::EndpointSlices,
    Resource::Endpoints,
    Resource::Services,
];

impl Resource {
    /// The resource of a watched kind.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Service => Self::Services,
            Kind::Pod => Self::Pods,
            Kind::Node => Self::Nodes,
            Kind::EndpointSlice => Self::EndpointSlices,
        }
    }

    /// Its name in `kubectl get` and in RBAC rules.
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
            Self::SliceExceptions => "sliceexceptions",
        }
    }

    /// Its API group in RBAC rules.
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
            Self::SliceExceptions => "slicewise.dev",
        }
    }

    /// The version of its API.
    pub const fn version(self) -> &'static str {
        match self {
            Self::SliceExceptions => "v1alpha1",
            _ => "v1",
        }
    }

    /// Whether its objects are namespaced.
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

    /// The one namespace it is read from, regardless of the scope.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn namespace(self) -> Option<&'static str> {
        match self {
            Self::Leases => Some("kube-system"),
            _ => None,
        }
    }

    /// The field selector for its objects, if only some are read.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn field_selector(self) -> Option<&'static str> {
        match self {
            Self::Events => Some("type=Warning"),
            Self::Leases => Some("metadata.name=kube-controller-manager"),
            _ => None,
        }
    }
}
