//! A plan is data: inspect it, change it, refuse parts of it, then write it with any client.
//!
//! `cargo run --example veto_and_label` prints
//!
//! ```text
//! planned:
//!   update cart-aaaaa: [EndpointsChanged, EndpointsAdded, LabelsChanged]
//!   delete cart-bbbbb: [NoLongerWanted]
//! vetoed: 1
//! PUT cart-aaaaa
//!   endpoint 10.1.0.1
//!   endpoint 10.1.0.4
//!   cost-centre: 4711
//!   endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
//!   kubernetes.io/service-name: cart
//!   shop.example.com/reviewed-by: veto_and_label
//! written: 1
//! ```

use std::error::Error;
use std::io::Write;

use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use slicewise::k8s::{Operation, Options, Planner, State, Writer};
use slicewise::plan::SliceRef;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut service: Service = object(json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "s1"},
        "spec": {
            "selector": {"app": "cart"},
            "ipFamilies": ["IPv4"],
            "clusterIP": "10.96.0.7",
            "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 8080}]
        }
    }))?;
    // Labels of slices follow their Service's. To label slices permanently, label the Service that is passed in: the
    // object in the cluster need not change.
    service
        .metadata
        .labels
        .get_or_insert_default()
        .insert("cost-centre".into(), "4711".into());

    let pods: Vec<Pod> = [pod("cart-1", "10.1.0.1")?, pod("cart-4", "10.1.0.4")?].into();
    let nodes: [Node; 1] = [object(json!({"metadata": {"name": "node-a"}}))?];
    let slices = [
        slice(
            "cart-aaaaa",
            "http",
            &[
                ("cart-1", "10.1.0.1"),
                ("cart-2", "10.1.0.2"),
                ("cart-3", "10.1.0.3"),
            ],
        )?,
        slice("cart-bbbbb", "old", &[("cart-1", "10.1.0.1")])?,
    ];

    let planner = Planner::new(Options::default())?;
    let mut plan = planner.plan(&service, &pods, &nodes, &slices, None, State::default())?;
    writeln!(out, "planned:")?;
    for operation in plan.operations() {
        let (verb, name) = (operation.verb(), operation.name());
        writeln!(out, "  {verb} {name}: {:?}", plan.reasons_for(&operation))?;
    }

    // The planner keeps annotations that it does not know.
    for slice in plan.slices_mut() {
        let annotations = slice.metadata.annotations.get_or_insert_default();
        annotations.insert(
            "shop.example.com/reviewed-by".into(),
            "veto_and_label".into(),
        );
    }
    // Refuses to delete slices.
    let vetoed = plan.retain(|operation| !matches!(operation, Operation::Delete { .. }));
    writeln!(out, "vetoed: {vetoed}")?;

    let applied = plan.apply(&mut Printer { out })?;
    writeln!(out, "written: {}", applied.updated.len())?;
    Ok(())
}

/// "Writes" to standard output.
struct Printer<'o, W> {
    out: &'o mut W,
}

impl<W: Write> Printer<'_, W> {
    fn show(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, std::io::Error> {
        let metadata = &slice.metadata;
        writeln!(
            self.out,
            "PUT {}",
            metadata.name.as_deref().unwrap_or_default()
        )?;
        for endpoint in slice.endpoints.iter().flatten() {
            writeln!(self.out, "  endpoint {}", endpoint.addresses.join(", "))?;
        }
        for (key, value) in metadata
            .labels
            .iter()
            .chain(&metadata.annotations)
            .flatten()
        {
            writeln!(self.out, "  {key}: {value}")?;
        }
        Ok(slice.clone())
    }
}

impl<W: Write> Writer for Printer<'_, W> {
    type Error = std::io::Error;

    fn create(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Self::Error> {
        self.show(slice)
    }

    fn update(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Self::Error> {
        self.show(slice)
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), Self::Error> {
        writeln!(self.out, "DELETE {namespace}/{}", slice.name)
    }

    fn is_namespace_terminating(&self, _: &Self::Error) -> bool {
        false
    }
}

fn object<T: DeserializeOwned>(json: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(json)
}

fn pod(name: &str, ip: &str) -> Result<Pod, serde_json::Error> {
    object(json!({
        "metadata": {"namespace": "shop", "name": name, "uid": name, "labels": {"app": "cart"}},
        "spec": {"nodeName": "node-a", "containers": []},
        "status": {"podIP": ip, "podIPs": [{"ip": ip}], "conditions": [{"type": "Ready", "status": "True"}]}
    }))
}

fn slice(
    name: &str,
    port: &str,
    pods: &[(&str, &str)],
) -> Result<EndpointSlice, serde_json::Error> {
    let endpoint = |(pod, ip): &(&str, &str)| {
        json!({
            "addresses": [ip],
            "conditions": {"ready": true, "serving": true, "terminating": false},
            "nodeName": "node-a",
            "targetRef": {"kind": "Pod", "namespace": "shop", "name": pod, "uid": pod}
        })
    };
    let endpoints: Vec<Value> = pods.iter().map(endpoint).collect();
    object(json!({
        "metadata": {
            "namespace": "shop",
            "name": name,
            "uid": name,
            "resourceVersion": "7",
            "labels": {
                "kubernetes.io/service-name": "cart",
                "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"
            },
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s1"}]
        },
        "addressType": "IPv4",
        "endpoints": endpoints,
        "ports": [{"name": port, "port": 8080, "protocol": "TCP"}]
    }))
}
