//! What a plan for mirrored slices is made from, as JSON.

use alloc::vec::Vec;

use crate::model::object::slim_object;
use crate::model::{EndpointSlice, Endpoints, Service, Text};

slim_object! {
    /// One Endpoints object and everything its mirrored slices depend on.
    #[derive(Default, Debug)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct MirrorRequest<'a>("mirror request") refuse {
        /// The Endpoints; `null` when they are gone.
        #[cfg_attr(feature = "schema", schemars(default))]
        "endpoints" pub endpoints: Option<Endpoints<'a>>;
        /// The Service of the same name; `null` when there is none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "service" pub service: Option<Service<'a>>;
        /// Slices that exist; those of other Services or managers are ignored.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<EndpointSlice<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "slices" pub slices: Vec<EndpointSlice<'a>>;
        /// Namespace of both, needed only when both are gone.
        #[cfg_attr(feature = "schema", schemars(default))]
        "namespace" pub namespace: Option<Text<'a>>;
        /// Name of both, needed only when both are gone.
        #[cfg_attr(feature = "schema", schemars(default))]
        "name" pub name: Option<Text<'a>>;
        /// Options.
        #[cfg_attr(feature = "schema", schemars(with = "Option<MirrorOptions>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "options" pub options: MirrorOptions;
    }
}

slim_object! {
    /// How slices are mirrored.
    #[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct MirrorOptions("options") refuse {
        /// Addresses that are mirrored of each subset, 1 to 1000. Default 1000.
        #[cfg_attr(
            feature = "schema",
            schemars(default, range(min = 1, max = crate::plan::request::MAX_ENDPOINTS_LIMIT))
        )]
        "maxEndpointsPerSubset" pub max_endpoints_per_subset: Option<u32>;
    }
}
