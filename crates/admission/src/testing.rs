//! A small cluster for the tests of the policies, and helpers that build objects in one line.

use serde_json::{Value, json};

use super::objects::WholeService;
use super::{
    Age, ClusterView, Context, ObjectChange, Request, RequestText, ReviewSubject,
    ReviewedEndpoints, ReviewedPod, ReviewedScale, ReviewedService, ReviewedSlice,
    ReviewedWorkload,
};
use slicewise::model::{EndpointSlice, Node, Pod, Service};

/// A text that is leaked for the duration of the test.
pub(crate) fn text(value: &Value) -> &'static str {
    Box::leak(value.to_string().into_boxed_str())
}

pub(crate) fn service(value: &Value) -> Service<'static> {
    serde_json::from_str(text(value)).unwrap()
}

pub(crate) fn slice(value: &Value) -> ReviewedSlice<'static> {
    serde_json::from_str(text(value)).unwrap()
}

pub(crate) fn existing_slice(value: &Value) -> EndpointSlice<'static> {
    serde_json::from_str(text(value)).unwrap()
}

/// What a request in the namespace `shop` may see.
pub(crate) fn cluster(context: &Context) -> ClusterView<'_> {
    ClusterView::new(context, "shop", Age::default())
}

pub(crate) fn reviewed(value: &Value) -> ReviewedService<'static> {
    serde_json::from_str::<WholeService<'_>>(text(value))
        .unwrap()
        .into()
}

/// A pod on node `n` with the container port `http` 8080.
pub(crate) fn pod(namespace: &str, name: &str, app: &str, ip: &str, ready: bool) -> Value {
    json!({
        "metadata": {"namespace": namespace, "name": name, "labels": {"app": app, "tier": "web"}},
        "spec": {"nodeName": "n", "containers": [{"ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}]}]},
        "status": {"phase": "Running", "podIP": ip, "podIPs": [{"ip": ip}],
                   "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]}
    })
}

/// `Service shop/cart` with a selector and ports.
pub(crate) fn cart(selector: &Value, ports: &Value) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "u"},
        "spec": {"selector": selector, "ports": ports, "clusterIP": "10.0.0.10", "ipFamilies": ["IPv4"]}
    })
}

pub(crate) fn http() -> Value {
    json!([{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "http"}])
}

/// Four ready `cart` pods and one that is not ready, one `catalog` pod, `Service shop/cart` with one slice, and a
/// namespace that no message may reveal.
pub(crate) fn context() -> Context {
    let mut pods: Vec<Value> = (1..=5)
        .map(|number| {
            pod(
                "shop",
                &format!("cart-{number}"),
                "cart",
                &format!("10.1.0.{number}"),
                number < 5,
            )
        })
        .collect();
    pods.push(pod("shop", "catalog-1", "catalog", "10.1.1.1", true));
    pods.push(pod("secret", "vault-1", "crat", "10.9.9.9", true));
    let pods: Vec<Pod<'_>> = pods
        .iter()
        .map(|pod| serde_json::from_str(text(pod)).unwrap())
        .collect();
    let nodes: Vec<Node<'_>> =
        vec![serde_json::from_str(r#"{"metadata": {"name": "n"}}"#).unwrap()];
    let services = [service(&cart(&json!({"app": "cart"}), &http()))];
    let slices = [existing_slice(&cart_slice(
        "cart-abc",
        &json!([{"addresses": ["10.1.0.1"]}, {"addresses": ["10.1.0.2"]}]),
    ))];
    Context::new(&services, &pods, &nodes, &slices)
}

/// A slice of `Service shop/cart` with the port `http`.
pub(crate) fn cart_slice(name: &str, endpoints: &Value) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": name, "labels": {"kubernetes.io/service-name": "cart"}},
        "addressType": "IPv4",
        "endpoints": endpoints,
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}]
    })
}

pub(crate) fn request(subject: ReviewSubject<'static>) -> Request<'static> {
    let (group, kind) = match &subject {
        ReviewSubject::EndpointSlice(_) => ("discovery.k8s.io", "EndpointSlice"),
        ReviewSubject::Node(_) => ("", "Node"),
        ReviewSubject::Endpoints(_) => ("", "Endpoints"),
        ReviewSubject::Workload(kind, _) => ("apps", *kind),
        ReviewSubject::Scale(_) => ("autoscaling", "Scale"),
        ReviewSubject::Pod(_) => ("", "Pod"),
        ReviewSubject::Eviction(_) => ("policy", "Eviction"),
        _ => ("", "Service"),
    };
    let name = match &subject {
        ReviewSubject::EndpointSlice(change) => change.object().metadata.name.clone(),
        ReviewSubject::Service(change) => change.object().service.metadata.name.clone(),
        ReviewSubject::Node(change) => change.object().metadata.name.clone(),
        ReviewSubject::Endpoints(change) => change.object().metadata.name.clone(),
        ReviewSubject::Workload(_, change) => change.object().metadata.name.clone(),
        ReviewSubject::Scale(change) => change.object().metadata.name.clone(),
        ReviewSubject::Pod(change) | ReviewSubject::Eviction(change) => {
            change.object().metadata.name.clone()
        }
        ReviewSubject::Other => "x".into(),
    };
    Request {
        uid: "r-1".into(),
        group: group.into(),
        kind: kind.into(),
        namespace: "shop".into(),
        name,
        user: "jane".into(),
        groups: vec!["system:authenticated".into()],
        operation: "UPDATE".into(),
        dry_run: false,
        orphans: false,
        subject,
        written: RequestText::default(),
    }
}

pub(crate) fn service_update(old: &Value, new: &Value) -> Request<'static> {
    request(ReviewSubject::Service(ObjectChange::Update {
        old: reviewed(old),
        new: reviewed(new),
    }))
}

pub(crate) fn service_create(value: &Value) -> Request<'static> {
    request(ReviewSubject::Service(ObjectChange::Create(reviewed(
        value,
    ))))
}

pub(crate) fn slice_create(value: &Value) -> Request<'static> {
    request(ReviewSubject::EndpointSlice(ObjectChange::Create(slice(
        value,
    ))))
}

pub(crate) fn slice_update(old: &Value, new: &Value) -> Request<'static> {
    request(ReviewSubject::EndpointSlice(ObjectChange::Update {
        old: slice(old),
        new: slice(new),
    }))
}

pub(crate) fn node(name: &str, zone: Option<&str>) -> Value {
    let labels = zone.map_or_else(
        || json!({}),
        |zone| json!({"topology.kubernetes.io/zone": zone}),
    );
    json!({
        "metadata": {"name": name, "labels": labels},
        "status": {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]}
    })
}

pub(crate) fn node_change(old: Option<&Value>, new: Option<&Value>) -> Request<'static> {
    let read = |node: &Value| serde_json::from_str::<Node<'static>>(text(node)).unwrap();
    request(ReviewSubject::Node(match (old, new) {
        (None, Some(new)) => ObjectChange::Create(read(new)),
        (Some(old), None) => ObjectChange::Delete(read(old)),
        (Some(old), Some(new)) => ObjectChange::Update {
            old: read(old),
            new: read(new),
        },
        (None, None) => unreachable!("a change has an object"),
    }))
}

/// A Deployment of the pods `cart`, with the container port `http` 8080.
pub(crate) fn deployment() -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": "cart"},
        "spec": {
            "replicas": 5,
            "selector": {"matchLabels": {"app": "cart"}},
            "template": {
                "metadata": {"labels": {"app": "cart", "tier": "web"}},
                "spec": {"containers": [{"ports": [{"name": "http", "containerPort": 8080}]}]}
            }
        }
    })
}

/// The object with this value at a place.
pub(crate) fn with(object: &Value, path: &str, value: Value) -> Value {
    let mut object = object.clone();
    *object.pointer_mut(path).unwrap() = value;
    object
}

pub(crate) fn workload_update(old: &Value, new: &Value) -> Request<'static> {
    let read = |workload| serde_json::from_str::<ReviewedWorkload<'_>>(text(workload)).unwrap();
    let (old, new) = (read(old), read(new));
    let change = ObjectChange::Update { old, new };
    request(ReviewSubject::Workload("Deployment", change))
}

pub(crate) fn workload_delete(workload: &Value) -> Request<'static> {
    let old = serde_json::from_str::<ReviewedWorkload<'_>>(text(workload)).unwrap();
    request(ReviewSubject::Workload(
        "Deployment",
        ObjectChange::Delete(old),
    ))
}

/// A change of the scale of `cart`, whose pods this selector selects.
pub(crate) fn scale(selector: &str, old: i32, new: i32) -> Request<'static> {
    let read = |replicas: i32| {
        let scale = json!({
            "metadata": {"namespace": "shop", "name": "cart"},
            "spec": {"replicas": replicas}, "status": {"selector": selector},
        });
        serde_json::from_str::<ReviewedScale<'_>>(text(&scale)).unwrap()
    };
    let (old, new) = (read(old), read(new));
    request(ReviewSubject::Scale(ObjectChange::Update { old, new }))
}

fn reviewed_pod(name: &str) -> ReviewedPod<'static> {
    let pod = json!({"metadata": {"namespace": "shop", "name": name}});
    serde_json::from_str(text(&pod)).unwrap()
}

pub(crate) fn eviction(pod: &str) -> Request<'static> {
    request(ReviewSubject::Eviction(ObjectChange::Create(reviewed_pod(
        pod,
    ))))
}

pub(crate) fn pod_delete(pod: &str) -> Request<'static> {
    request(ReviewSubject::Pod(ObjectChange::Delete(reviewed_pod(pod))))
}

pub(crate) fn endpoints_create(value: &Value) -> Request<'static> {
    let endpoints: ReviewedEndpoints<'static> = serde_json::from_str(text(value)).unwrap();
    request(ReviewSubject::Endpoints(ObjectChange::Create(endpoints)))
}

/// A cluster with zones: nodes `a1`, `a2`, `b1` in zones `a` and `b`, and `Service shop/cart`, with two ready pods on
/// each node and no slices; the Service takes its annotations and `trafficDistribution` from `more`.
pub(crate) fn zoned(more: &Value) -> Context {
    let nodes = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")];
    let mut pods = Vec::new();
    for (place, (name, _)) in nodes.iter().enumerate() {
        for number in 1..=2 {
            let ip = format!("10.1.{place}.{number}");
            let mut pod = pod("shop", &format!("cart-{name}-{number}"), "cart", &ip, true);
            pod["spec"]["nodeName"] = (*name).into();
            pods.push(serde_json::from_str::<Pod<'_>>(text(&pod)).unwrap());
        }
    }
    let nodes =
        nodes.map(|(name, zone)| serde_json::from_str(text(&node(name, Some(zone)))).unwrap());
    let mut cart = cart(&json!({"app": "cart"}), &http());
    cart["metadata"]["annotations"] = more["annotations"].clone();
    cart["spec"]["trafficDistribution"] = more["trafficDistribution"].clone();
    Context::new(&[service(&cart)], &pods, &nodes, &[])
}

/// Findings as text: `deny rule field: message`.
pub(crate) fn lines(verdict: &super::PolicyVerdict) -> Vec<String> {
    let line = |finding: &super::Finding| {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        format!(
            "{severity} {} {}: {}",
            finding.rule, finding.field, finding.message
        )
    };
    verdict.findings().iter().map(line).collect()
}
