//! A controller on `kube`: the events of its watchers go into a session, plans are written with server-side apply, and
//! Events are published.
//!
//! It maintains slices of its own for every Service, next to those of the cluster's controller. It uses the kubeconfig's
//! API server; the value of the managed-by label and the endpoints per slice are optional arguments:
//!
//! ```text
//! cargo run -p slicewise-controller --example kube_controller -- kube-example 100
//! ```

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Debug;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{BoxStream, select_all};
use k8s_openapi::api::core::v1::{Node, ObjectReference, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams, Preconditions};
use kube::runtime::WatchStreamExt;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::watcher::{self, Config, watcher};
use kube::{Api, Client, Resource};
use serde::de::DeserializeOwned;
use slicewise::k8s::{Answer, EndpointsPerSlice, ManagedBy, Operation, Options, Plan};
use slicewise::model::{NamespacedName, keys};
use slicewise::topology::events;
use slicewise_live::k8s::{Session, WatchedKind};

/// The delay before Services with refused writes are planned again.
const RETRY: Duration = Duration::from_secs(1);
/// Changes within this time are planned together.
const TOGETHER: usize = 256;

/// An event of a watcher, ready for the session.
type Change = Box<dyn FnOnce(&mut Session) + Send>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "kube-example".into());
    let mut options = Options::default();
    options.managed_by = Some(ManagedBy::new(name.clone())?);
    options.patches = vec!["apply".into()];
    if let Some(number) = arguments.next() {
        let number = EndpointsPerSlice::new(number.parse()?);
        options.max_endpoints_per_slice = Some(number.ok_or("slices have 1 to 1000 endpoints")?);
    }
    let client = Client::try_default().await?;
    let reporter = Reporter {
        controller: name.clone(),
        instance: None,
    };
    let mut controller = Controller {
        session: Session::new(options)?,
        recorder: Recorder::new(client.clone(), reporter),
        client: client.clone(),
        name,
    };

    let own = format!("{}={}", keys::MANAGED_BY_LABEL, controller.name);
    let watches = [
        watch::<Service>(&client, Config::default()),
        watch::<Pod>(&client, Config::default()),
        watch::<Node>(&client, Config::default()),
        watch::<EndpointSlice>(&client, Config::default().labels(&own)),
    ];
    let mut changes = select_all(watches).ready_chunks(TOGETHER);
    let mut failed = BTreeSet::new();
    loop {
        tokio::select! {
            Some(changes) = changes.next() => {
                for take in changes {
                    take(&mut controller.session);
                }
            }
            () = tokio::time::sleep(RETRY), if !failed.is_empty() => {
                for service in std::mem::take(&mut failed) {
                    controller.session.retry(service);
                }
            }
        }
        while let Some(service) = controller.session.due() {
            if let Err(error) = controller.sync(&service).await {
                eprintln!("{service}: {error}");
                failed.insert(service);
            }
        }
    }
}

fn watch<K>(client: &Client, config: Config) -> BoxStream<'static, Change>
where
    K: WatchedKind + Resource<DynamicType = ()> + Clone + DeserializeOwned + Debug + Send + 'static,
{
    let events = watcher(Api::<K>::all(client.clone()), config).default_backoff();
    let change = |event| -> Change { Box::new(move |session| take::<K>(session, event)) };
    events.map(change).boxed()
}

fn take<K: WatchedKind>(session: &mut Session, event: watcher::Result<watcher::Event<K>>) {
    match event {
        Ok(watcher::Event::Init) => session.begin_list::<K>(),
        Ok(watcher::Event::InitDone) => session.end_list::<K>(),
        Ok(watcher::Event::InitApply(object) | watcher::Event::Apply(object)) => {
            // An object that cannot be read stays as last seen; the others continue.
            if let Err(error) = session.set(&object) {
                eprintln!("{} {}: {error}", K::WHICH.as_str(), object.key());
            }
        }
        Ok(watcher::Event::Delete(object)) => drop(session.remove(&object)),
        Err(error) => eprintln!("the watch of {}s goes on: {error}", K::WHICH.as_str()),
    }
}

struct Controller {
    session: Session,
    recorder: Recorder,
    client: Client,
    name: String,
}

impl Controller {
    /// Plans a Service and writes the plan.
    async fn sync(&mut self, service: &NamespacedName) -> Result<(), Box<dyn Error>> {
        let Some(plan) = self.session.plan(service) else {
            return Ok(());
        };
        let api: Api<EndpointSlice> = Api::namespaced(self.client.clone(), &service.namespace);
        let mut writing = plan.writing();
        while let Some(operation) = writing.operation() {
            writing.record(self.write(&api, &plan, &operation).await);
        }
        let result = writing.finish();
        let applied = result.as_ref().unwrap_or_else(|error| &error.applied);
        self.session.record(&plan, applied)?;
        self.publish(service, &plan).await?;
        result?;
        Ok(())
    }

    async fn write(
        &self,
        api: &Api<EndpointSlice>,
        plan: &Plan,
        operation: &Operation<'_>,
    ) -> Answer<kube::Error> {
        match operation {
            // Server-side apply needs a name, and it has none yet.
            Operation::Create(slice) => {
                let params = PostParams {
                    field_manager: Some(self.name.clone()),
                    ..PostParams::default()
                };
                match api.create(&params, slice).await {
                    Err(error) if is_terminating(&error) => Answer::NamespaceTerminating,
                    result => result.into(),
                }
            }
            Operation::Update(_) => self.apply(api, plan, operation).await.into(),
            Operation::Delete { slice, .. } => {
                let params = DeleteParams::default().preconditions(Preconditions {
                    uid: Some(slice.uid.as_str().into()),
                    resource_version: None,
                });
                match api.delete(&slice.name, &params).await {
                    // Already deleted.
                    Err(kube::Error::Api(status)) if status.code == 404 => Answer::Done(None),
                    result => result.map(drop).into(),
                }
            }
        }
    }

    /// Applies all our fields of a slice, and removes others' fields that the plan removes.
    async fn apply(
        &self,
        api: &Api<EndpointSlice>,
        plan: &Plan,
        operation: &Operation<'_>,
    ) -> Result<EndpointSlice, kube::Error> {
        let name = operation.name();
        let patches = plan.patches_for(operation);
        let Some(apply) = patches.and_then(|patches| patches.apply.as_ref()) else {
            return api.get(name).await;
        };
        let params = PatchParams::apply(&apply.field_manager).force();
        let stored = api.patch(name, &params, &Patch::Apply(&apply.body)).await?;
        match &apply.remove {
            Some(remove) => {
                let params = PatchParams::default();
                api.patch(name, &params, &Patch::Merge(remove)).await
            }
            None => Ok(stored),
        }
    }

    async fn publish(&self, service: &NamespacedName, plan: &Plan) -> Result<(), kube::Error> {
        let known = self.session.as_session().service(service);
        let reference = ObjectReference {
            api_version: Some("v1".into()),
            kind: Some("Service".into()),
            namespace: Some(service.namespace.clone()),
            name: Some(service.name.clone()),
            uid: known.map(|known| known.metadata.uid.as_str().into()),
            ..ObjectReference::default()
        };
        for event in &plan.events {
            let event = Event {
                type_: match event.event_type {
                    events::EventType::Warning => EventType::Warning,
                    events::EventType::Normal => EventType::Normal,
                },
                reason: event.reason.into(),
                note: Some(event.message.clone()),
                action: "Sync".into(),
                secondary: None,
            };
            self.recorder.publish(&event, &reference).await?;
        }
        Ok(())
    }
}

/// Whether the write failed because the namespace is being deleted.
fn is_terminating(error: &kube::Error) -> bool {
    let kube::Error::Api(status) = error else {
        return false;
    };
    let causes = status.details.iter().flat_map(|details| &details.causes);
    { causes }.any(|cause| cause.reason == "NamespaceTerminating")
}
