//! A fake API server: the parts of the real one that a controller of EndpointSlices deals with.

use std::collections::BTreeMap;
use std::fmt;

use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Status, StatusCause, StatusDetails};
use serde_json::{Value, json};
use slicewise::k8s::{Writer, is_namespace_terminating};
use slicewise::plan::SliceRef;

/// What informers hold: a past state, never the current one.
pub(crate) struct Lister {
    pub(crate) pods: Vec<Pod>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) slices: Vec<EndpointSlice>,
}

/// A refused write, with what the API server says about it.
#[derive(Debug)]
pub(crate) struct Refusal(Status);

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.message.as_deref().unwrap_or_default())
    }
}

#[derive(Default)]
pub(crate) struct ApiServer {
    pods: BTreeMap<String, Value>,
    slices: BTreeMap<String, EndpointSlice>,
    version: u64,
    pub(crate) namespace_terminating: bool,
}

impl ApiServer {
    pub(crate) fn list(&self) -> Result<Lister, serde_json::Error> {
        let pods = self.pods.values().cloned().map(serde_json::from_value);
        Ok(Lister {
            pods: pods.collect::<Result<_, _>>()?,
            nodes: vec![serde_json::from_value(
                json!({"metadata": {"name": "node-a"}}),
            )?],
            slices: self.slices.values().cloned().collect(),
        })
    }

    pub(crate) fn put_pod(
        &mut self,
        name: &str,
        ip: &str,
        ready: &str,
        since: &str,
    ) -> Result<(), serde_json::Error> {
        let condition = json!({"type": "Ready", "status": ready, "lastTransitionTime": since});
        let pod = json!({
            "metadata": {"namespace": "shop", "name": name, "uid": name, "labels": {"app": "cart"}},
            "spec": {"nodeName": "node-a", "containers": []},
            "status": {"podIP": ip, "podIPs": [{"ip": ip}], "conditions": [condition]}
        });
        self.pods.insert(name.to_owned(), pod);
        Ok(())
    }

    /// someone else's write.
    pub(crate) fn annotate_slices(&mut self, key: &str, value: &str) {
        for slice in self.slices.values_mut() {
            self.version += 1;
            slice.metadata.resource_version = Some(self.version.to_string());
            slice
                .metadata
                .annotations
                .get_or_insert_default()
                .insert(key.to_owned(), value.to_owned());
        }
    }

    fn store(&mut self, mut slice: EndpointSlice, name: &str, generation: i64) -> EndpointSlice {
        self.version += 1;
        slice.metadata.name = Some(name.to_owned());
        slice.metadata.generation = Some(generation);
        slice.metadata.resource_version = Some(self.version.to_string());
        self.slices.insert(name.to_owned(), slice.clone());
        slice
    }
}

impl Writer for ApiServer {
    type Error = Refusal;

    fn create(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Refusal> {
        if self.namespace_terminating {
            return Err(terminating());
        }
        let mut slice = slice.clone();
        let prefix = slice.metadata.generate_name.clone().unwrap_or_default();
        let name = format!("{prefix}{:05}", self.version);
        slice.metadata.uid = Some(format!("uid-{}", self.version));
        Ok(self.store(slice, &name, 1))
    }

    fn update(&mut self, slice: &EndpointSlice) -> Result<EndpointSlice, Refusal> {
        let name = slice.metadata.name.as_deref().unwrap_or_default();
        let stored = self
            .slices
            .get(name)
            .ok_or_else(|| refusal(404, "NotFound", "there is no such slice"))?;
        if stored.metadata.resource_version != slice.metadata.resource_version {
            return Err(refusal(409, "Conflict", "the object has been modified"));
        }
        let generation = stored.metadata.generation.unwrap_or_default() + 1;
        Ok(self.store(slice.clone(), name, generation))
    }

    fn delete(&mut self, _: &str, slice: &SliceRef<'_>) -> Result<(), Refusal> {
        let gone = self.slices.remove(slice.name.as_str());
        gone.map(drop)
            .ok_or_else(|| refusal(404, "NotFound", "there is no such slice"))
    }

    fn is_namespace_terminating(&self, error: &Refusal) -> bool {
        is_namespace_terminating(&error.0)
    }
}

fn refusal(code: i32, reason: &str, message: &str) -> Refusal {
    Refusal(Status {
        code: Some(code),
        reason: Some(reason.to_owned()),
        message: Some(message.to_owned()),
        ..Status::default()
    })
}

fn terminating() -> Refusal {
    let Refusal(status) = refusal(403, "Forbidden", "the namespace is being terminated");
    let cause = StatusCause {
        reason: Some("NamespaceTerminating".to_owned()),
        ..StatusCause::default()
    };
    Refusal(Status {
        details: Some(StatusDetails {
            causes: Some(vec![cause]),
            ..StatusDetails::default()
        }),
        ..status
    })
}

pub(crate) fn service() -> Result<Service, serde_json::Error> {
    serde_json::from_value(json!({
        "metadata": {
            "namespace": "shop",
            "name": "cart",
            "uid": "s1",
            "creationTimestamp": "2026-01-02T09:00:00Z"
        },
        "spec": {
            "selector": {"app": "cart"},
            "ipFamilies": ["IPv4"],
            "clusterIP": "10.96.0.7",
            "ports": [{"protocol": "TCP", "port": 80, "targetPort": 8080}]
        }
    }))
}
