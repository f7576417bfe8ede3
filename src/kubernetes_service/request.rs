//! What an API server's writes are decided from, as JSON.

use alloc::vec::Vec;

use crate::model::endpoints::SubsetPort;
use crate::model::object::slim_object;
use crate::model::{EndpointSlice, Endpoints, Text, Timestamp};

slim_object! {
    /// One API server, and everything that its writes depend on.
    #[derive(Default, Debug)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct KubernetesServiceRequest<'a>("request of an API server") refuse {
        /// How it learns of the others: `lease`, the default, `master-count` or `none`.
        #[cfg_attr(feature = "schema", schemars(default, extend("enum" = ["lease", "master-count", "none", null])))]
        "reconciler" pub reconciler: Option<Text<'a>>;
        /// `reconcile`, the default: it is up. `remove`: it stops, or starts and removes what it left.
        #[cfg_attr(feature = "schema", schemars(default, extend("enum" = ["reconcile", "remove", null])))]
        "operation" pub operation: Option<Text<'a>>;
        /// It has been told to stop: it does not add its address again, and the last one may leave no endpoint. Default
        /// false.
        #[cfg_attr(feature = "schema", schemars(default))]
        "stopped" pub stopped: Option<bool>;
        /// Name of the Service. Default `kubernetes`.
        #[cfg_attr(feature = "schema", schemars(default))]
        "serviceName" pub service_name: Option<Text<'a>>;
        /// Its own address.
        "address" pub address: Text<'a> = required;
        /// The ports it serves. A `protocol` that is left out is TCP.
        "ports" pub ports: Vec<SubsetPort<'a>> = required;
        /// Set ports that differ. Default false; `remove` of the reconciler `lease` always does.
        #[cfg_attr(feature = "schema", schemars(default))]
        "reconcilePorts" pub reconcile_ports: Option<bool>;
        /// How many API servers there are, for `master-count`. Default 1.
        #[cfg_attr(feature = "schema", schemars(default, range(min = 1)))]
        "apiServerCount" pub api_server_count: Option<u32>;
        /// The leases of all API servers, live or not, for `lease`.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<RequestLease<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "leases" pub leases: Vec<RequestLease<'a>>;
        /// How long its own lease is to last. Default 15.
        #[cfg_attr(feature = "schema", schemars(default, range(min = 1)))]
        "leaseDurationSeconds" pub lease_duration_seconds: Option<u32>;
        /// The time, which `lease` needs.
        #[cfg_attr(feature = "schema", schemars(default))]
        "now" pub now: Option<Timestamp>;
        /// The Service's Endpoints; `null` when there are none.
        #[cfg_attr(feature = "schema", schemars(default))]
        "endpoints" pub endpoints: Option<Endpoints<'a>>;
        /// Slices that exist; only the one with the Service's name counts.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<EndpointSlice<'static>>>"))]
        #[cfg_attr(feature = "schema", schemars(default))]
        "slices" pub slices: Vec<EndpointSlice<'a>>;
    }
}

slim_object! {
    /// The lease of one API server.
    #[derive(Default, Debug)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "camelCase", deny_unknown_fields))]
    pub struct RequestLease<'a>("lease") refuse {
        /// Its address, as storage has it.
        "address" pub address: Text<'a> = required;
        /// When it ends. Left out: never.
        #[cfg_attr(feature = "schema", schemars(default))]
        "expires" pub expires: Option<Timestamp>;
    }
}
