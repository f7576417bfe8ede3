//! JSON in, JSON out: the façade behind every interface, on bytes.

mod incomplete;
pub mod proxy;
mod route;
mod stream;
mod traffic;
mod traffic_check;

pub use proxy::ProxyStream;
pub use proxy::answer::Route;
pub use proxy::settings::ProxySettings;
pub use route::{
    AppliedRule, NamedService, RouteAnswer, RouteNode, RouteOptions, RouteRequest, Rule,
    ServiceRoute, TrafficObjects, route, with_route,
};
pub use stream::TrafficStream;
pub use traffic::{
    ClientWeight, TrafficAnswer, TrafficNode, TrafficOptions, TrafficRequest, traffic, with_traffic,
};
