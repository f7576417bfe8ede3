//! A cluster as last seen, over `k8s_openapi` objects.

use alloc::collections::BTreeSet;
use alloc::format;

use slicewise::api::check_typed_options;
use slicewise::k8s::{Applied, Plan};
use slicewise::model::{EndpointSlice, NamespacedName, keys};
use slicewise::plan::request::Options;
use slicewise::{Code, Error};

use super::WatchedKind;
use crate::session;
use crate::session::event::{Kind, ObjectRef, Reception, Unreadable, VersionedRef};
use crate::session::follow::{self, SessionFollower};

/// A cluster as last seen, kept up to date object by object: the cost of a plan depends on what has changed since the
/// one before.
///
/// Events of watches go in through [`set`](Session::set) and [`remove`](Session::remove), and lists between
/// [`begin_list`](Session::begin_list) and [`end_list`](Session::end_list). [`due`](Session::due) returns the Services
/// that must be planned, once all four kinds have been listed; [`plan`](Session::plan) plans one.
/// [`record`](Session::record) takes what was written, without waiting for the watch: older events are recognized by
/// their `resourceVersion` and change nothing.
///
/// Trigger times and the state of hints are carried over from plan to plan.
///
/// ```
/// use k8s_openapi::api::core::v1::{Node, Pod, Service};
/// use k8s_openapi::api::discovery::v1::EndpointSlice;
/// use slicewise::k8s::Options;
/// use slicewise_live::k8s::{Session, WatchedKind};
///
/// fn list<K: WatchedKind>(session: &mut Session, objects: &[K]) -> Result<(), slicewise::Error> {
///     session.begin_list::<K>();
///     for object in objects {
///         session.set(object)?;
///     }
///     session.end_list::<K>();
///     Ok(())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service: Service = serde_json::from_str(r#"{
///     "metadata": {"namespace": "shop", "name": "cart", "uid": "s-1", "resourceVersion": "7"},
///     "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": [{"port": 80}]}
/// }"#)?;
/// let mut session = Session::new(Options::default())?;
/// list(&mut session, &[service])?;
/// list::<Pod>(&mut session, &[])?;
/// list::<Node>(&mut session, &[])?;
/// assert!(session.due().is_none(), "slices may be there, and are not listed yet");
/// list::<EndpointSlice>(&mut session, &[])?;
///
/// let service = session.due().ok_or("the Service is new")?;
/// let plan = session.plan(&service).ok_or("it is known")?;
/// assert_eq!(plan.create.len(), 1);
/// assert!(session.due().is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    session: session::Session,
    /// Kinds that have not been listed yet.
    unlisted: BTreeSet<Kind>,
    /// Services affected by changes.
    due: BTreeSet<NamespacedName>,
}

impl Session {
    /// A session with an empty cluster. With `options.patches`, plans also have their updates as patches.
    ///
    /// # Errors
    /// Same as [`Planner::new`](slicewise::k8s::Planner::new).
    pub fn new(options: Options<'static>) -> Result<Self, Error> {
        check_typed_options(&options, "/options")?;
        Ok(Self {
            session: session::Session::new(options),
            unlisted: Kind::ALL.into(),
            due: BTreeSet::new(),
        })
    }

    /// Adds or updates an object.
    ///
    /// # Errors
    /// When it has no name or holds a value that cannot be used; the previous version stays then.
    pub fn set<K: WatchedKind>(&mut self, object: &K) -> Result<Reception, Error> {
        let key = object.key();
        if key.name.is_empty() {
            let message = format!("a {} needs a name", K::WHICH.as_str());
            return Err(Error::new(Code::InvalidValue, message).at("/metadata/name"));
        }
        match object.versioned() {
            Ok(read) => Ok(follow::set(self, read.as_seen())),
            Err(error) => {
                let version = object.metadata().resource_version.as_deref();
                let mut unreadable = Unreadable::named(K::WHICH, key, error.clone());
                unreadable.resource_version = version.unwrap_or_default().into();
                follow::leave_out(self, &unreadable);
                Err(error)
            }
        }
    }

    /// Removes an object.
    pub fn remove<K: WatchedKind>(&mut self, object: &K) -> Reception {
        let key = object.key();
        let version = object.metadata().resource_version.as_deref();
        let version = version.unwrap_or_default();
        follow::remove(self, K::WHICH, &key, version)
    }

    /// Starts a list of all objects of a kind; known ones that are not given before [`end_list`](Session::end_list) are
    /// gone.
    pub fn begin_list<K: WatchedKind>(&mut self) {
        self.session.begin_list(K::WHICH);
    }

    /// Ends the list of a kind.
    pub fn end_list<K: WatchedKind>(&mut self) {
        follow::end_list(self, K::WHICH);
    }

    /// A Service to plan because something has changed for it; each is returned once. `None` until all four kinds have
    /// been listed, so that no endpoints are removed because their pods are not known yet.
    pub fn due(&mut self) -> Option<NamespacedName> {
        if !self.unlisted.is_empty() || Kind::ALL.iter().any(|kind| self.session.is_listing(*kind))
        {
            return None;
        }
        self.due.pop_first()
    }

    /// Makes the Service due again, because its plan could not be written.
    pub fn retry(&mut self, service: NamespacedName) {
        self.due.insert(service);
    }

    /// Plans a Service: what [`Planner::plan`](slicewise::k8s::Planner::plan) would return for the cluster as last seen.
    /// `None` if the Service does not exist.
    pub fn plan(&mut self, service: &NamespacedName) -> Option<Plan> {
        self.session.sync_with(service, Plan::of_model)
    }

    /// Records what was written, also after a partial failure: the other writes were made.
    ///
    /// # Errors
    /// When the API server returned a slice without a name.
    pub fn record(&mut self, plan: &Plan, applied: &Applied) -> Result<(), Error> {
        let service = NamespacedName {
            namespace: plan.service.namespace.as_str().into(),
            name: plan.service.name.as_str().into(),
        };
        let was_due = self.due.contains(&service);
        for stored in applied.created.iter().chain(&applied.updated) {
            self.set(stored)?;
        }
        for deleted in &applied.deleted {
            self.session.remove_slice(&NamespacedName {
                namespace: service.namespace.clone(),
                name: deleted.name.as_str().into(),
            });
        }
        if !was_due {
            self.due.remove(&service);
        }
        Ok(())
    }

    /// The underlying session, with its state by key.
    pub const fn as_session(&self) -> &session::Session {
        &self.session
    }

    fn plan_all(&mut self) {
        self.due.extend(self.session.keys(Kind::Service));
    }
}

impl SessionFollower for Session {
    fn session(&mut self) -> &mut session::Session {
        &mut self.session
    }

    fn set(&mut self, seen: VersionedRef<'_>) {
        match seen.object {
            ObjectRef::Service(service) => {
                self.session.set_service(service);
                self.due.insert(seen.object.key());
            }
            ObjectRef::Pod(pod) => {
                let services = self.session.set_pod(pod, seen.resource_version);
                self.due.extend(services);
            }
            ObjectRef::Node(node) => {
                if self.session.set_node(node) {
                    self.plan_all();
                }
            }
            ObjectRef::EndpointSlice(slice) => {
                let before = self.session.set_slice(slice);
                self.due
                    .extend(before.and_then(|slice| slice.service_key()));
                self.due.extend(service_of(slice));
            }
        }
    }

    /// As a controller does, it keeps the last version: see [`set`](Self::set).
    fn set_aside(&mut self, _: Kind, _: &NamespacedName) {}

    fn remove(&mut self, kind: Kind, key: &NamespacedName) -> bool {
        if !self.session.has(kind, key) {
            return false;
        }
        match kind {
            Kind::Service => {
                self.session.remove_service(key);
                self.due.remove(key);
            }
            Kind::Pod => self.due.extend(self.session.remove_pod(key)),
            Kind::Node => {
                if self.session.remove_node(&key.name) {
                    self.plan_all();
                }
            }
            Kind::EndpointSlice => {
                let slice = self.session.remove_slice(key);
                self.due.extend(slice.and_then(|slice| slice.service_key()));
            }
        }
        true
    }

    fn list_ends(&mut self, kind: Kind) {
        self.unlisted.remove(&kind);
    }
}

fn service_of(slice: &EndpointSlice<'_>) -> Option<NamespacedName> {
    let name = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
    Some(NamespacedName {
        namespace: slice.metadata.namespace.as_str().into(),
        name: name.as_str().into(),
    })
}
