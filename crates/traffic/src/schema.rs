//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use alloc::vec;
use alloc::vec::Vec;

use schemars::Schema;
use slicewise::schema::{read, written};

use crate::json::proxy::describe::{ProxyAnswer, ProxyLine};
use crate::{ProxySettings, RouteAnswer, RouteRequest, TrafficAnswer, TrafficRequest};

/// The schemas by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("route-request", read::<RouteRequest<'static>>()),
        ("route", written::<RouteAnswer>()),
        ("traffic-request", read::<TrafficRequest<'static>>()),
        ("traffic", written::<TrafficAnswer>()),
        ("proxy-settings", read::<ProxySettings<'static>>()),
        ("proxy-line", read::<ProxyLine>()),
        ("proxy-answer", written::<ProxyAnswer>()),
    ]
}
