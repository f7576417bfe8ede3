//! The input for an API server's writes, as JSON.

use alloc::vec::Vec;

use crate::model::endpoints::SubsetPort;
use crate::model::object::slim_object;
use crate::model::{EndpointSlice, Endpoints, Text, Timestamp};

slim_object! {
    /// One API server, and everything that its writes depend on.
    #[derive(Default, Debug)]
    pub(crate) struct KubernetesServiceRequest<'a>("request of an API server") refuse {
        /// How it learns of the others: `lease`, the default, `master-count` or `none`.
        "reconciler" pub reconciler: Option<Text<'a>> where ["lease", "master-count", "none"];
        /// `reconcile`, the default: it is up. `remove`: it stops, or starts and removes what it left.
        "operation" pub operation: Option<Text<'a>> where ["reconcile", "remove"];
        /// It has been asked to stop: it does not add its address again, and the last one may leave no endpoint. Default
        /// false.
        "stopped" pub stopped: Option<bool>;
        /// Name of the Service. Default `kubernetes`.
        "serviceName" pub service_name: Option<Text<'a>>;
        /// Its own address.
        "address" pub address: Text<'a> = required;
        /// The ports it serves. A `protocol` that is left out is TCP.
        "ports" pub ports: Vec<SubsetPort<'a>> as Vec<crate::model::describe::KubernetesObject> = required;
        /// Set ports that differ. Default false; `remove` of the reconciler `lease` always does.
        "reconcilePorts" pub reconcile_ports: Option<bool>;
        /// How many API servers there are, for `master-count`. Default 1.
        "apiServerCount" pub api_server_count: Option<u32> where 1..;
        /// The leases of all API servers, live or not, for `lease`.
        "leases" pub leases: Vec<RequestLease<'a>>;
        /// How long its own lease is to last. Default 15.
        "leaseDurationSeconds" pub lease_duration_seconds: Option<u32> where 1..;
        /// The time, which `lease` needs.
        "now" pub now: Option<Timestamp>;
        /// The Service's Endpoints; `null` when there are none.
        "endpoints" pub endpoints: Option<Endpoints<'a>> as crate::model::describe::KubernetesObject;
        /// Slices that exist; only the one with the Service's name counts.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<crate::model::describe::KubernetesObject>;
    }
}

slim_object! {
    /// The lease of one API server.
    #[derive(Default, Debug)]
    pub(crate) struct RequestLease<'a>("lease") refuse {
        /// Its address, as storage has it.
        "address" pub address: Text<'a> = required;
        /// When it ends. Left out: never.
        "expires" pub expires: Option<Timestamp>;
    }
}
