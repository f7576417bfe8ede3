//! The input for an API server's writes, as JSON.

use alloc::vec::Vec;

use slicewise::model::endpoints::SubsetPort;
use slicewise::model::object::slim_object;
use slicewise::model::{EndpointSlice, Endpoints, Text, Timestamp};

slim_object! {
    /// One API server, and everything that its writes depend on.
    #[derive(Default, Debug)]
    pub struct KubernetesServiceRequest<'a>("request of an API server") refuse {
        /// How it finds the other API servers: `lease`, `master-count` or `none`. Default `lease`.
        "reconciler" pub reconciler: Option<Text<'a>> where ["lease", "master-count", "none"];
        /// `reconcile` while it is running; `remove` when it stops, or starts and removes what it left behind. Default
        /// `reconcile`.
        "operation" pub operation: Option<Text<'a>> where ["reconcile", "remove"];
        /// Whether it has been asked to stop. It then does not add its address again, and the last API server may leave
        /// no endpoint. Default false.
        "stopped" pub stopped: Option<bool>;
        /// Name of the Service. Default `kubernetes`.
        "serviceName" pub service_name: Option<Text<'a>>;
        /// Its own IP address.
        "address" pub address: Text<'a> = required;
        /// The ports it serves. The default of `protocol` is `TCP`.
        "ports" pub ports: Vec<SubsetPort<'a>> as Vec<slicewise::model::describe::KubernetesPart> = required;
        /// Whether ports that differ are corrected. Default false; `remove` with the reconciler `lease` always corrects
        /// them.
        "reconcilePorts" pub reconcile_ports: Option<bool>;
        /// The number of API servers, for `master-count`. Default 1.
        "apiServerCount" pub api_server_count: Option<u32> where 1..;
        /// The leases of all API servers, live or expired, for `lease`.
        "leases" pub leases: Vec<RequestLease<'a>>;
        /// The duration of its own lease in seconds. Default 15.
        "leaseDurationSeconds" pub lease_duration_seconds: Option<u32> where 1..;
        /// The current time; required for `lease`.
        "now" pub now: Option<Timestamp>;
        /// The Endpoints of the Service; `null` if there are none.
        "endpoints" pub endpoints: Option<Endpoints<'a>> as slicewise::model::describe::KubernetesObject;
        /// The existing slices; only the one with the Service's name is used.
        "slices" pub slices: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
    }
}

slim_object! {
    /// The lease of one API server.
    #[derive(Default, Debug)]
        pub struct RequestLease<'a>("lease") refuse {
        /// The IP address of the API server, as in storage.
        "address" pub address: Text<'a> = required;
        /// When the lease expires; left out if it never does.
        "expires" pub expires: Option<Timestamp>;
    }
}
