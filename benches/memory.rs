//! How much memory a session keeps for each pod with its endpoint, and for each Service.
//!
//! `memory REQUEST` prints one JSON line for each figure, in bytes; `npm run bench` makes the request. Memory is what the
//! allocator has handed out and not got back.

use std::alloc::System;
use std::error::Error;
use std::io::Write as _;

use cap::Cap;
use slicewise::model::{EndpointSlice, Service};
use slicewise::plan::request::{Options, PlanRequest};
use slicewise_live::session::Session;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> Result<(), Box<dyn Error>> {
    let Some(file) = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"))
    else {
        writeln!(
            std::io::stdout(),
            "nothing to measure: `npm run bench` names the file"
        )?;
        return Ok(());
    };
    let text = std::fs::read_to_string(file)?;
    let request: PlanRequest<'_> = serde_json::from_str(&text)?;

    let mut session = Session::new(Options::default());
    let before = ALLOCATOR.allocated();
    session.set_service(&request.service);
    for node in &request.nodes {
        session.set_node(node);
    }
    for pod in &request.pods {
        session.set_pod(pod, &pod.metadata.resource_version);
    }
    let pods = ALLOCATOR.allocated();
    for slice in &request.slices {
        session.set_slice(slice);
    }
    session.sync_with(&request.service.key(), |_| ());
    let settled = ALLOCATOR.allocated();
    let count = request.pods.len().max(1);
    report("bytes per pod", (settled - before) / count)?;
    report(
        "bytes per pod without its endpoint",
        (pods - before) / count,
    )?;

    report(
        "bytes per pod of a StatefulSet",
        with_own_labels(&request) / count,
    )?;

    let before = ALLOCATOR.allocated();
    for number in 0..SERVICES {
        let (service, slice) = small_service(&request, number);
        session.set_service(&service);
        session.set_slice(&slice);
        session.sync_with(&service.key(), |_| ());
    }
    let services = ALLOCATOR.allocated();
    report(
        "bytes per Service with one empty slice",
        (services - before) / SERVICES,
    )
}

/// Memory for the same pods, each with labels of its own.
fn with_own_labels(request: &PlanRequest<'_>) -> usize {
    let mut session = Session::new(Options::default());
    let before = ALLOCATOR.allocated();
    session.set_service(&request.service);
    for node in &request.nodes {
        session.set_node(node);
    }
    for (number, pod) in request.pods.iter().enumerate() {
        let mut pod = pod.clone();
        let name = pod.metadata.name.clone();
        let labels = &mut pod.metadata.labels;
        labels.insert("statefulset.kubernetes.io/pod-name".into(), name);
        labels.insert(
            "apps.kubernetes.io/pod-index".into(),
            number.to_string().into(),
        );
        session.set_pod(&pod, &pod.metadata.resource_version);
    }
    for slice in &request.slices {
        session.set_slice(slice);
    }
    session.sync_with(&request.service.key(), |_| ());
    ALLOCATOR.allocated() - before
}

const SERVICES: usize = 1000;

/// A Service that selects nothing, with its placeholder.
fn small_service<'a>(request: &PlanRequest<'a>, number: usize) -> (Service<'a>, EndpointSlice<'a>) {
    let name = format!("service-{number}");
    let mut service = request.service.clone();
    service.metadata.name = name.clone().into();
    service.spec.selector = Some([("app".into(), name.clone().into())].into_iter().collect());
    let mut slice = request.slices.first().cloned().unwrap_or_default();
    slice.metadata.name = format!("{name}-abcde").into();
    slice
        .metadata
        .labels
        .insert("kubernetes.io/service-name".into(), name.into());
    slice.endpoints.clear();
    slice.ports.clear();
    (service, slice)
}

fn report(what: &str, bytes: usize) -> Result<(), Box<dyn Error>> {
    writeln!(
        std::io::stdout(),
        r#"{{"what":"{what}","median":{bytes},"best":{bytes},"runs":1,"writes":""}}"#
    )?;
    Ok(())
}
