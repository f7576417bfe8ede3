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
            Self::ValidatingWebhookConfigurations => "validatingwebhookconfigurations",
            Self::MutatingWebhookConfigurations => "mutatingwebhookconfigurations",
        }
    }

    /// Its API group, as rules of RBAC name it.
    pub const fn group(self) -> &'static str {
        match self {
            Self::Services | Self::Pods | Self::Nodes | Self::Endpoints | Self::Namespaces => "",
            Self::EndpointSlices => "discovery.k8s.io",
            Self::ValidatingWebhookConfigurations | Self::MutatingWebhookConfigurations => {
                "admissionregistration.k8s.io"
            }
        }
    }

    /// Whether its objects live in namespaces.
    pub const fn is_namespaced(self) -> bool {
        matches!(
            self,
            Self::Services | Self::Pods | Self::EndpointSlices | Self::Endpoints
        )
    }
}
