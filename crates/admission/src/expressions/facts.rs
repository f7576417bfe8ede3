//! `plan` and `context`: what the core knows and forecasts, as values of expressions.
//!
//! All of it concerns the request's namespace and the nodes.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::names::{ContextField, PlanField};
use crate::cel::{Fail, Map, MapKey, Meter, Str, Value};
use crate::context::{ClusterUnknown, ClusterView};
use crate::forecast::{HintForecast, RequestedRouting};
use crate::reach::{MAX_PORTS, Reach};
use crate::request::{Request, ReviewSubject};
use crate::unread::PolicyConcern;
use slicewise::model::kind::Kind;
use slicewise::model::order::sorted_unique;
use slicewise::model::{Service, Text, keys};

/// What the core knows about one change.
pub(super) struct ChangeFacts<'a> {
    request: &'a Request<'a>,
    cluster: &'a ClusterView<'a>,
    reaches: OnceCell<[Option<Reach>; 2]>,
}

fn text<'v>(text: &Text<'_>) -> Value<'v> {
    Value::owned(text.to_string())
}

impl<'a> ChangeFacts<'a> {
    pub(super) const fn new(request: &'a Request<'a>, cluster: &'a ClusterView<'a>) -> Self {
        Self {
            request,
            cluster,
            reaches: OnceCell::new(),
        }
    }

    /// The name of the Service that the change concerns.
    fn service_name(&self) -> Option<&'a str> {
        match &self.request.subject {
            ReviewSubject::EndpointSlice(change) => change.object().service_name(),
            ReviewSubject::Service(_) | ReviewSubject::Endpoints(_) => Some(&self.request.name),
            _ => None,
        }
    }

    fn known_service(&self) -> Option<&'a Service<'a>> {
        self.cluster.service(self.service_name()?)
    }

    /// The Service before and after. A change of its slices leaves it unchanged.
    fn services(&self) -> [Option<&'a Service<'a>>; 2] {
        match &self.request.subject {
            ReviewSubject::Service(change) => {
                [change.before(), change.after()].map(|side| Some(&side?.service))
            }
            _ => [self.known_service(), self.known_service()],
        }
    }

    /// The fields of `plan`.
    pub(super) fn plan<'v>(&self, field: PlanField) -> Result<Value<'v>, Fail> {
        let name = || Value::owned(self.service_name().unwrap_or_default().into());
        let services = self.services();
        let most = services
            .iter()
            .flatten()
            .map(|service| service.spec.ports.len())
            .max();
        if most.is_some_and(|most| most > MAX_PORTS) {
            return Err(Fail::Error(format!(
                "a Service with more than {MAX_PORTS} ports is not planned"
            )));
        }
        let reaches = || {
            self.reaches
                .get_or_init(|| services.map(|service| Some(Reach::of(service?, self.cluster))))
        };
        Ok(match field {
            PlanField::Service => name(),
            PlanField::Before => reach(reaches().first()),
            PlanField::After => reach(reaches().last()),
            PlanField::Lost => match reaches() {
                [Some(before), Some(after)] => Value::count(before.lost_in(after)),
                [Some(before), None] => Value::count(before.endpoints.len()),
                [None, _] => Value::Int(0),
            },
            PlanField::Hints => {
                let [before, after] = services;
                let service = after.or(before).filter(|service| service.is_reconciled());
                let forecast = service.map(|service| {
                    self.cluster
                        .with_nodes(|nodes| HintForecast::of(service, self.cluster, nodes))
                });
                Value::list(forecast.into_iter().flatten().map(hints))
            }
        })
    }

    /// The fields of `context`.
    pub(super) fn context<'v>(
        &self,
        field: ContextField,
        meter: &mut Meter,
    ) -> Result<Value<'v>, Fail> {
        Ok(match field {
            ContextField::Known => Value::Bool(self.knows(false).is_ok()),
            ContextField::Stale => Value::Bool(self.cluster.is_stale()),
            ContextField::Service => self.known_service().map_or(Value::Null, service),
            ContextField::Slices => {
                let slices = self.service_name().map(|name| self.cluster.slices(name));
                let slices = slices.unwrap_or_default();
                meter.pay(slices.len() * 6)?;
                Value::list(slices.iter().map(|slice| {
                    let head = slice.head;
                    let manager = head.metadata.labels.get(keys::MANAGED_BY_LABEL);
                    Value::object([
                        ("name", text(&head.metadata.name)),
                        ("addressType", Value::owned(head.address_type.to_string())),
                        ("managedBy", manager.map_or(Value::text(""), text)),
                        ("endpoints", Value::count(slice.len())),
                        ("hinted", Value::count(slice.hinted())),
                    ])
                }))
            }
            ContextField::Nodes => {
                let nodes = self.cluster.nodes_by_name();
                meter.pay(nodes.len() * 3)?;
                let nodes = nodes.into_iter().map(|(name, zone)| {
                    let zone = Value::owned(zone.unwrap_or_default().into());
                    (key(name), Value::object([("zone", zone)]))
                });
                Value::Map(Rc::new(Map::new(nodes.collect()).unwrap_or_default()))
            }
            ContextField::Zones => {
                let nodes = self.cluster.nodes_by_name();
                meter.pay(nodes.len())?;
                let zones = sorted_unique(nodes.into_iter().filter_map(|(_, zone)| zone));
                Value::list(zones.into_iter().map(|zone| Value::owned(zone.into())))
            }
        })
    }

    /// What the plan or the context needs to know about the cluster.
    ///
    /// # Errors
    /// What is unknown.
    pub(super) fn knows(&self, is_planned: bool) -> Result<(), ClusterUnknown> {
        let of_service = matches!(self.request.subject, ReviewSubject::Service(_));
        self.cluster.knows(match (is_planned, of_service) {
            (true, true) => &[Kind::Pod, Kind::Node],
            (true, false) => &[Kind::Service, Kind::Pod, Kind::Node],
            (false, _) => &[Kind::Service, Kind::EndpointSlice, Kind::Node],
        })?;
        self.has_read(is_planned)
    }

    /// Could everything be read that the plan or the context of the Service depends on?
    fn has_read(&self, is_planned: bool) -> Result<(), ClusterUnknown> {
        let Some(of) = self.service_name() else {
            return self.cluster.has_read(PolicyConcern::Nodes {
                but: &self.request.name,
            });
        };
        self.cluster.has_read(PolicyConcern::Service(of))?;
        if is_planned {
            let services = self.services();
            return self
                .cluster
                .has_read_endpoints(services.into_iter().flatten());
        }
        self.cluster.has_read(PolicyConcern::Nodes { but: "" })?;
        self.cluster.has_read(PolicyConcern::Slices {
            of,
            but: &self.request.name,
        })
    }
}

fn key<'v>(name: &str) -> MapKey<'v> {
    MapKey::String(Str::Owned(name.into()))
}

fn reach<'v>(reach: Option<&Option<Reach>>) -> Value<'v> {
    let reach = reach.and_then(Option::as_ref);
    reach.map_or(Value::Null, |reach| {
        Value::object([
            ("selected", Value::count(reach.selected)),
            ("ready", Value::count(reach.ready)),
            ("reachable", Value::count(reach.endpoints.len())),
        ])
    })
}

fn hints<'v>(forecast: HintForecast) -> Value<'v> {
    let asked = match forecast.asked {
        RequestedRouting::Nothing => "nothing",
        RequestedRouting::Auto => "auto",
        RequestedRouting::Traffic => "trafficDistribution",
    };
    Value::object([
        ("addressType", Value::text(forecast.address_type.as_str())),
        ("asked", Value::text(asked)),
        ("given", Value::Bool(forecast.is_given)),
        ("reason", Value::owned(forecast.why_not.unwrap_or_default())),
        ("slices", Value::count(forecast.slices)),
        ("ready", Value::count(forecast.ready)),
        ("withoutZone", Value::count(forecast.without_zone)),
    ])
}

fn service<'v>(service: &Service<'_>) -> Value<'v> {
    let selector = service
        .spec
        .selector
        .iter()
        .flat_map(|selector| selector.iter());
    let selector: Vec<_> = selector
        .map(|(name, value)| (key(name), text(value)))
        .collect();
    let ports = service.spec.ports.iter().map(|port| {
        Value::object([
            ("name", text(&port.name)),
            (
                "protocol",
                Value::owned(crate::reach::protocol(&port.protocol).into()),
            ),
        ])
    });
    let traffic = service.spec.traffic_distribution.as_ref();
    Value::object([
        ("name", text(&service.metadata.name)),
        ("type", text(&service.spec.service_type)),
        (
            "selector",
            Value::Map(Rc::new(Map::new(selector).unwrap_or_default())),
        ),
        ("ports", Value::list(ports)),
        ("trafficDistribution", traffic.map_or(Value::text(""), text)),
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::cart_slice;
    use crate::testing::{cart, cluster, context, http, service_create, slice_create};

    #[test]
    fn what_is_known_costs_as_much_as_there_is_of_it() {
        let context = context();
        let cluster = cluster(&context);
        let request = slice_create(&cart_slice("by-hand", &json!([])));
        let facts = ChangeFacts::new(&request, &cluster);
        for (field, cost) in [
            (ContextField::Known, 0),
            (ContextField::Slices, 6),
            (ContextField::Nodes, 3),
            (ContextField::Zones, 1),
        ] {
            let mut meter = Meter::new(100);
            facts.context(field, &mut meter).unwrap();
            assert_eq!(meter.spent(), cost);
            let short = &mut Meter::new(cost.saturating_sub(1));
            assert_eq!(facts.context(field, short).is_err(), cost > 0);
        }
    }

    #[test]
    fn a_service_is_planned_up_to_a_number_of_ports() {
        let context = context();
        let cluster = cluster(&context);
        for (count, is_planned) in [(MAX_PORTS, true), (MAX_PORTS + 1, false)] {
            let ports = vec![http()[0].clone(); count];
            let request = service_create(&cart(&json!({"app": "cart"}), &json!(ports)));
            let facts = ChangeFacts::new(&request, &cluster);
            assert_eq!(facts.plan(PlanField::Lost).is_ok(), is_planned, "{count}");
        }
    }
}
