//! The same decisions over `k8s_openapi` types, under a custom manager name.
//!
//! `cargo run --example plan_typed` prints
//!
//! ```text
//! with three pods:
//!   create cart- ["10.1.0.1", "10.1.0.2"]
//!   create cart- ["10.1.0.3"]
//! without the first:
//!   update cart-0 ["10.1.0.2"]
//!     because [EndpointsChanged]
//!   unchanged: ["cart-1"]
//! InvalidValue at /nodes/1/status/allocatable/cpu: `lots` is not a quantity; write it like `4`, `500m` or `1.5`
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

use k8s_openapi::api::core::v1::{
    Node, NodeStatus, Pod, PodCondition, PodIP, PodSpec, PodStatus, Service, ServicePort,
    ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use slicewise::k8s::{EndpointsPerSlice, ManagedBy, Operation, Options, Planner, State};

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (service, nodes) = (service(), [node("node-a", "zone-1")]);
    let mut options = Options::default();
    options.managed_by = Some(ManagedBy::new("cart-endpoints.example.com")?);
    options.max_endpoints_per_slice = EndpointsPerSlice::new(2);
    let planner = Planner::new(options)?;

    let pods = [pod(1, true), pod(2, true), pod(3, false)];
    let plan = planner.plan(&service, &pods, &nodes, [], None, State::default())?;
    writeln!(out, "with three pods:")?;
    for operation in plan.operations() {
        describe(out, &operation)?;
    }

    // Pretend that the API server has stored them, and remove a pod.
    let mut slices = plan.create.clone();
    for (number, slice) in slices.iter_mut().enumerate() {
        slice.metadata.name = Some(format!("cart-{number}"));
        slice.metadata.uid = Some(format!("slice-{number}"));
        slice.metadata.resource_version = Some("1".to_owned());
    }
    let plan = planner.plan(&service, &pods[1..], &nodes, &slices, None, plan.state)?;
    writeln!(out, "without the first:")?;
    for operation in plan.operations() {
        describe(out, &operation)?;
        writeln!(out, "    because {:?}", plan.reasons_for(&operation))?;
    }
    writeln!(out, "  unchanged: {:?}", plan.unchanged)?;

    // An invalid object is an error, at the path it would have in a plan request.
    let mut odd = node("node-b", "zone-2");
    odd.status = Some(NodeStatus {
        allocatable: Some(BTreeMap::from([(
            "cpu".to_owned(),
            Quantity("lots".to_owned()),
        )])),
        ..NodeStatus::default()
    });
    let wrong = planner.plan(
        &service,
        &pods,
        [&nodes[0], &odd],
        [],
        None,
        State::default(),
    );
    if let Err(error) = wrong {
        let path = error.path().unwrap_or_default();
        writeln!(out, "{} at {path}: {error}", error.code().as_str())?;
    }
    Ok(())
}

fn describe(out: &mut impl Write, operation: &Operation<'_>) -> std::io::Result<()> {
    let endpoints = operation.slice().and_then(|slice| slice.endpoints.as_ref());
    let addresses: Vec<&str> = endpoints
        .into_iter()
        .flatten()
        .flat_map(|endpoint| &endpoint.addresses)
        .map(String::as_str)
        .collect();
    writeln!(
        out,
        "  {} {} {addresses:?}",
        operation.verb(),
        operation.name()
    )
}

fn labels(pairs: &[(&str, &str)]) -> Option<BTreeMap<String, String>> {
    Some(
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
    )
}

fn named(name: &str, labels: Option<BTreeMap<String, String>>) -> ObjectMeta {
    ObjectMeta {
        namespace: Some("shop".to_owned()),
        name: Some(name.to_owned()),
        uid: Some(format!("uid-of-{name}")),
        labels,
        ..ObjectMeta::default()
    }
}

fn service() -> Service {
    Service {
        metadata: named("cart", None),
        spec: Some(ServiceSpec {
            selector: labels(&[("app", "cart")]),
            ip_families: Some(vec!["IPv4".to_owned()]),
            cluster_ip: Some("10.96.0.7".to_owned()),
            ports: Some(vec![ServicePort {
                protocol: Some("TCP".to_owned()),
                port: 80,
                target_port: Some(IntOrString::Int(8080)),
                ..ServicePort::default()
            }]),
            ..ServiceSpec::default()
        }),
        ..Service::default()
    }
}

fn pod(number: u8, ready: bool) -> Pod {
    let ip = format!("10.1.0.{number}");
    Pod {
        metadata: named(&format!("cart-{number}"), labels(&[("app", "cart")])),
        spec: Some(PodSpec {
            node_name: Some("node-a".to_owned()),
            ..PodSpec::default()
        }),
        status: Some(PodStatus {
            pod_ip: Some(ip.clone()),
            pod_ips: Some(vec![PodIP { ip }]),
            conditions: Some(vec![PodCondition {
                type_: "Ready".to_owned(),
                status: if ready { "True" } else { "False" }.to_owned(),
                ..PodCondition::default()
            }]),
            ..PodStatus::default()
        }),
    }
}

fn node(name: &str, zone: &str) -> Node {
    Node {
        metadata: named(name, labels(&[("topology.kubernetes.io/zone", zone)])),
        ..Node::default()
    }
}
