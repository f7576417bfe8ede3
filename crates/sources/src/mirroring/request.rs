//! The input of a plan for mirrored slices, as JSON.

use alloc::vec::Vec;

use slicewise::model::object::slim_object;
use slicewise::model::{EndpointSlice, Endpoints, Service, Text};

slim_object! {
    /// One Endpoints object and everything that its mirrored slices depend on.
    #[derive(Default, Debug)]
    pub struct MirrorRequest<'a>("mirror request") refuse {
        /// The Endpoints; `null` if they do not exist.
        "endpoints" pub endpoints: Option<Endpoints<'a>> as slicewise::model::describe::KubernetesObject;
        /// The Service of the same name; `null` if it does not exist.
        "service" pub service: Option<Service<'a>>;
        /// The existing slices; those of other Services or managers are ignored.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
        /// The namespace of both; needed only if neither exists.
        "namespace" pub namespace: Option<Text<'a>>;
        /// The name of both; needed only if neither exists.
        "name" pub name: Option<Text<'a>>;
        /// Options.
        "options" pub options: MirrorOptions;
    }
}

slim_object! {
    /// How slices are mirrored.
    #[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MirrorOptions("options") refuse {
        /// The number of addresses to mirror per subset, 1 to 1000. Default 1000.
        "maxEndpointsPerSubset" pub max_endpoints_per_subset: Option<u32> where 1..=super::EndpointsPerSubset::MAX;
    }
}
