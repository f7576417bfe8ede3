//! Sessions over typed objects make the same plans as those over JSON, and say when to plan.

use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::routes::known_plan;
use crate::api;
use crate::k8s::{EndpointsPerSlice, Kind, Options, Plan, Reception, Session, WatchedKind};
use crate::model::NamespacedName;

/// A cluster whose slices have more endpoints than its options allow.
struct Cluster {
    list: Value,
}

impl Cluster {
    fn at_rest() -> Self {
        let file = crate::suite::from_root("samples/cluster-at-rest.json");
        let mut list: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        for (number, item) in list["items"].as_array_mut().unwrap().iter_mut().enumerate() {
            item["metadata"]["resourceVersion"] = (number + 1).to_string().into();
        }
        Self { list }
    }

    fn of<K: WatchedKind + DeserializeOwned>(&self) -> Vec<K> {
        let items = self.list["items"].as_array().unwrap().iter();
        let items = items.filter(|item| item["kind"] == K::WHICH.as_str());
        items
            .map(|item| serde_json::from_value(item.clone()).unwrap())
            .collect()
    }

    fn session(&self, options: Options<'static>) -> Session {
        let mut session = Session::new(options).unwrap();
        list(&mut session, &self.of::<Service>());
        list(&mut session, &self.of::<Pod>());
        list(&mut session, &self.of::<Node>());
        assert!(session.due().is_none(), "slices are not listed yet");
        list(&mut session, &self.of::<EndpointSlice>());
        session
    }
}

fn list<K: WatchedKind>(session: &mut Session, objects: &[K]) {
    session.begin_list::<K>();
    for object in objects {
        assert_eq!(session.set(object), Ok(Reception::Taken));
    }
    session.end_list::<K>();
}

fn due(session: &mut Session) -> Vec<NamespacedName> {
    std::iter::from_fn(|| session.due()).collect()
}

fn value(plan: &Plan) -> Value {
    serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap()
}

fn options() -> Options<'static> {
    {
        let mut made = Options::default();
        made.max_endpoints_per_slice = EndpointsPerSlice::new(2);
        made
    }
}

#[test]
fn plans_are_those_of_a_session_on_json() {
    let cluster = Cluster::at_rest();
    let mut typed = cluster.session(options());
    let mut plain = api::Session::new(br#"{"maxEndpointsPerSlice": 2}"#).unwrap();
    let limits = api::Limits::default();
    plain
        .apply(cluster.list.to_string().as_bytes(), limits)
        .unwrap();
    let mut same = |typed: &mut Session, event: Option<Value>| -> usize {
        if let Some(event) = event {
            plain.apply(event.to_string().as_bytes(), limits).unwrap();
        }
        let services = due(typed);
        let mut writes = 0;
        for service in &services {
            let plan = value(&typed.plan(service).unwrap());
            let by_json = plain.sync(&service.to_string()).unwrap();
            let by_json = known_plan(&serde_json::from_slice(&by_json).unwrap());
            assert_eq!(plan, by_json, "{service}");
            let of = |list: &str| plan[list].as_array().unwrap().len();
            writes += of("create") + of("update") + of("delete");
        }
        assert!(!services.is_empty(), "something is due");
        writes
    };
    same(&mut typed, None);

    let mut pod = cluster
        .of::<Pod>()
        .into_iter()
        .find(|pod| pod.metadata.name.as_deref() == Some("cart-1"));
    let pod = pod.get_or_insert_with(|| cluster.of::<Pod>().remove(0));
    pod.metadata.resource_version = Some("100000".into());
    let gone = json!({"type": "DELETED", "object": pod});
    assert_eq!(typed.remove(pod), Reception::Taken);
    assert!(same(&mut typed, Some(gone)) > 0, "its endpoint goes");
    assert_eq!(typed.remove(pod), Reception::Unknown);
    pod.metadata.resource_version = Some("99999".into());
    assert_eq!(typed.set(pod), Ok(Reception::Late));
    assert!(due(&mut typed).is_empty());
}

#[test]
fn what_is_written_is_seen_at_once() {
    let cluster = Cluster::at_rest();
    let mut session = cluster.session(options());
    let mut version = 100_000;
    for service in due(&mut session) {
        let plan = session.plan(&service).unwrap();
        let applied = plan.writing::<String>();
        let mut writing = applied;
        while let Some(operation) = writing.operation() {
            version += 1;
            let stored = operation.slice().cloned().map(|mut slice| {
                slice.metadata.resource_version = Some(version.to_string());
                slice
                    .metadata
                    .name
                    .get_or_insert_with(|| format!("new-{version}"));
                slice
                    .metadata
                    .uid
                    .get_or_insert_with(|| format!("uid-{version}"));
                Box::new(slice)
            });
            writing.record(crate::k8s::Answer::Done(stored));
        }
        session.record(&plan, &writing.finish().unwrap()).unwrap();
        assert!(session.plan(&service).unwrap().is_empty(), "{service}");
    }
    assert!(due(&mut session).is_empty(), "our own writes are no news");
}

#[test]
fn a_refused_service_and_a_node_are_due_again() {
    let cluster = Cluster::at_rest();
    let mut session = cluster.session(Options::default());
    let all = due(&mut session);
    assert!(all.len() > 3 && due(&mut session).is_empty());
    session.retry(all[0].clone());
    assert_eq!(due(&mut session), all[..1]);
    let node = cluster.of::<Node>().remove(0);
    assert_eq!(session.remove(&node), Reception::Taken);
    assert_eq!(due(&mut session), all, "any may have pods on it");
    session.begin_list::<Pod>();
    session.retry(all[0].clone());
    assert!(session.due().is_none(), "pods are being listed anew");
    session.end_list::<Pod>();
    assert!(due(&mut session).len() > 1, "all pods are gone");
    assert!(!session.as_session().knows(Kind::Pod));
}

#[test]
fn what_cannot_be_read_stays_as_it_was() {
    let cluster = Cluster::at_rest();
    let mut session = cluster.session(Options::default());
    due(&mut session);
    let pods = cluster.of::<Pod>();
    let mut wrong = pods[0].clone();
    let status = wrong.status.get_or_insert_default();
    status.pod_ips.get_or_insert_default()[0].ip = "10.0.0.one".into();
    wrong.metadata.resource_version = Some("100000".into());
    session.begin_list::<Pod>();
    let error = session.set(&wrong).unwrap_err();
    assert_eq!(error.path(), Some("/status/podIPs/0/ip"));
    for pod in &pods[1..] {
        session.set(pod).unwrap();
    }
    session.end_list::<Pod>();
    assert!(session.as_session().has(Kind::Pod, &wrong.key()));
    assert!(due(&mut session).is_empty(), "nothing has changed");
    let error = session.set(&Pod::default()).unwrap_err();
    assert_eq!(
        (error.path(), error.message()),
        (Some("/metadata/name"), "a Pod needs a name")
    );
}

#[test]
fn updates_come_as_patches_too() {
    let cluster = Cluster::at_rest();
    let mut session = cluster.session({
        let mut made = options();
        made.patches = vec!["json".into(), "apply".into()];
        made
    });
    let pod = cluster.of::<Pod>().remove(0);
    session.remove(&pod);
    let slices = cluster.of::<EndpointSlice>();
    let mut updates = 0;
    for service in due(&mut session) {
        let plan = session.plan(&service).unwrap();
        for operation in plan.operations() {
            let patches = plan.patches_for(&operation);
            let crate::k8s::Operation::Update(after) = operation else {
                assert!(patches.is_none());
                continue;
            };
            updates += 1;
            let patches = patches.unwrap();
            let before = slices
                .iter()
                .find(|slice| slice.key() == after.key())
                .unwrap();
            let mut patched = serde_json::to_value(before).unwrap();
            let patch = serde_json::to_string(&patches.json).unwrap();
            let patch: json_patch::Patch = serde_json::from_str(&patch).unwrap();
            json_patch::patch(&mut patched, &patch).unwrap();
            let patched: EndpointSlice = serde_json::from_value(patched).unwrap();
            assert_eq!(&patched, after);
            assert_eq!(
                patches.apply.as_ref().unwrap().field_manager,
                "endpointslice-controller.k8s.io"
            );
        }
        let mut vetoed = plan.clone();
        vetoed.retain(|_| false);
        assert!(vetoed.patches.is_empty());
    }
    assert!(updates > 0);
    let wrong = Session::new({
        let mut made = Options::default();
        made.patches = vec!["best".into()];
        made
    });
    assert_eq!(wrong.unwrap_err().path(), Some("/options/patches/0"));
}

#[test]
fn explanations_are_those_of_the_same_objects_as_json() {
    use crate::api::Question;
    use crate::k8s::Objects;

    let cluster = Cluster::at_rest();
    let objects = Objects::new().with(&cluster.of::<Service>()).unwrap();
    let objects = objects.with(&cluster.of::<Pod>()).unwrap();
    let objects = objects.with(&cluster.of::<Node>()).unwrap();
    let objects = objects.with(&cluster.of::<EndpointSlice>()).unwrap();
    let told = objects.explain(&Question::default()).unwrap();
    let text = cluster.list.to_string();
    let by_json = api::explained(
        text.as_bytes(),
        &Question::default(),
        api::Limits::default(),
    );
    assert_eq!(
        told.to_text(false, true),
        by_json.unwrap().to_text(false, true)
    );

    let pod: Pod = serde_json::from_value(
        json!({"metadata": {"name": "p"}, "status": {"podIPs": [{"ip": "x"}]}}),
    )
    .unwrap();
    let wrong = Objects::new()
        .with(&cluster.of::<Node>()[..2])
        .unwrap()
        .with([&pod])
        .unwrap();
    let error = wrong.explain(&Question::default()).unwrap_err();
    assert_eq!(
        (error.path(), error.line()),
        (Some("/2/status/podIPs/0/ip"), None)
    );
    let refused = Session::new({
        let mut made = Options::default();
        made.explain = Some(true);
        made
    });
    assert_eq!(refused.unwrap_err().path(), Some("/options/explain"));
}
