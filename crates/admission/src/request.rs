//! The request of an `admission.k8s.io/v1` AdmissionReview, as it is judged.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::objects::{ReviewedEndpoints, ReviewedService, ReviewedSlice};
use super::workloads::{ReviewedPod, ReviewedScale, ReviewedWorkload};
use slicewise::model::{Node, Text};
use slicewise_json::Raw;

/// The operation on the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdmissionOperation {
    /// A new object.
    Create,
    /// A change of an object.
    Update,
    /// The deletion of an object.
    Delete,
    /// A connection to an object, such as `proxy`.
    Connect,
}

impl AdmissionOperation {
    /// Parses the API's name of an operation.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "CREATE" => Self::Create,
            "UPDATE" => Self::Update,
            "DELETE" => Self::Delete,
            "CONNECT" => Self::Connect,
            _ => return None,
        })
    }
}

/// An object before and after.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ObjectChange<T> {
    /// It did not exist.
    Create(T),
    /// It existed.
    Update {
        /// Before.
        old: T,
        /// After.
        new: T,
    },
    /// It will no longer exist.
    Delete(T),
}

impl<T> ObjectChange<T> {
    /// The same change, with each object viewed as something else.
    pub fn map<'c, U>(&'c self, look: impl Fn(&'c T) -> U) -> ObjectChange<U> {
        match self {
            Self::Create(object) => ObjectChange::Create(look(object)),
            Self::Update { old, new } => ObjectChange::Update {
                old: look(old),
                new: look(new),
            },
            Self::Delete(object) => ObjectChange::Delete(look(object)),
        }
    }

    /// The operation, as headings write it.
    pub const fn operation(&self) -> &'static str {
        match self {
            Self::Create(_) => "Creation",
            Self::Update { .. } => "Update",
            Self::Delete(_) => "Deletion",
        }
    }

    /// The same change, with each object converted to something else.
    pub fn turned<U>(self, turn: impl Fn(T) -> U) -> ObjectChange<U> {
        match self {
            Self::Create(object) => ObjectChange::Create(turn(object)),
            Self::Update { old, new } => ObjectChange::Update {
                old: turn(old),
                new: turn(new),
            },
            Self::Delete(object) => ObjectChange::Delete(turn(object)),
        }
    }

    /// The object as it will be; `None` if it is deleted.
    pub const fn after(&self) -> Option<&T> {
        match self {
            Self::Create(object) | Self::Update { new: object, .. } => Some(object),
            Self::Delete(_) => None,
        }
    }

    /// The object as it was; `None` if it is created.
    pub const fn before(&self) -> Option<&T> {
        match self {
            Self::Update { old: object, .. } | Self::Delete(object) => Some(object),
            Self::Create(_) => None,
        }
    }

    /// The object as it will be, or as it was if it is deleted.
    pub const fn object(&self) -> &T {
        match self {
            Self::Create(object) | Self::Update { new: object, .. } | Self::Delete(object) => {
                object
            }
        }
    }
}

/// What the change affects.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one value per review, never stored"
)]
#[non_exhaustive]
pub enum ReviewSubject<'r> {
    /// An EndpointSlice (`discovery.k8s.io/v1`).
    EndpointSlice(ObjectChange<ReviewedSlice<'r>>),
    /// A Service (`v1`).
    Service(ObjectChange<ReviewedService<'r>>),
    /// A Node (`v1`).
    Node(ObjectChange<Node<'r>>),
    /// The Endpoints of a Service (`v1`).
    Endpoints(ObjectChange<ReviewedEndpoints<'r>>),
    /// A workload of one of these kinds (`apps/v1`).
    Workload(&'static str, ObjectChange<ReviewedWorkload<'r>>),
    /// The subresource `scale` of a workload (`autoscaling/v1`).
    Scale(ObjectChange<ReviewedScale<'r>>),
    /// A Pod (`v1`).
    Pod(ObjectChange<ReviewedPod<'r>>),
    /// The eviction of a Pod (`policy/v1`), which is created as its subresource.
    Eviction(ObjectChange<ReviewedPod<'r>>),
    /// Nothing that any policy looks at: another kind, a subresource, a connection.
    Other,
}

/// One change, read and ready to be judged.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request<'r> {
    /// Identifies the review; repeated in the response.
    pub uid: Text<'r>,
    /// API group of the object; empty for the core group.
    pub group: Text<'r>,
    /// Kind of the object.
    pub kind: Text<'r>,
    /// Namespace, the only one a policy sees; empty for a Node.
    pub namespace: Text<'r>,
    /// Name of the object; may be empty if the API server has yet to generate it.
    pub name: Text<'r>,
    /// The user who makes the request.
    pub user: Text<'r>,
    /// The groups that the user is in.
    pub groups: Vec<Text<'r>>,
    /// What is done, in the API's words; empty for an object that exists.
    pub operation: Text<'r>,
    /// Is nothing to be stored, whatever the verdict?
    pub dry_run: bool,
    /// Does a deletion leave the objects behind that the object owns, as `kubectl delete --cascade=orphan` does?
    pub orphans: bool,
    /// The change.
    pub subject: ReviewSubject<'r>,
    /// The request and its objects as written.
    pub written: RequestText<'r>,
}

/// A request as written: expressions may look at all of it. Empty if it came from elsewhere.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RequestText<'r> {
    /// The whole review.
    pub review: Option<&'r str>,
    /// The object as it will be.
    pub object: Option<Raw<'r>>,
    /// The object as it was.
    pub old_object: Option<Raw<'r>>,
}

impl Request<'_> {
    /// Is it that Service, `namespace/name`, or one of its slices or Endpoints?
    pub fn is_of_service(&self, service: &str) -> bool {
        let Some((namespace, name)) = service.split_once('/') else {
            return false;
        };
        let is_its = match &self.subject {
            ReviewSubject::EndpointSlice(change) => {
                let mut slices = [change.before(), change.after()].into_iter().flatten();
                slices.all(|slice| slice.service_name() == Some(name))
            }
            ReviewSubject::Service(_) | ReviewSubject::Endpoints(_) => self.name == *name,
            _ => false,
        };
        is_its && self.namespace == *namespace
    }

    /// Does an update leave everything that policies look at as it was? Annotations, finalizers and `managedFields` may
    /// differ, and the storage-version migrator writes objects back as they are.
    pub fn changes_nothing(&self) -> bool {
        match &self.subject {
            ReviewSubject::EndpointSlice(ObjectChange::Update { old, new }) => old.is_as(new),
            ReviewSubject::Service(ObjectChange::Update { old, new }) => old.is_as(new),
            ReviewSubject::Endpoints(ObjectChange::Update { old, new }) => old.is_as(new),
            ReviewSubject::Workload(_, ObjectChange::Update { old, new }) => old.spec == new.spec,
            ReviewSubject::Scale(ObjectChange::Update { old, new }) => old.spec == new.spec,
            _ => false,
        }
    }

    /// Is it the API servers' own Service, one of its slices, or its Endpoints, before or after the change?
    pub fn is_of_api_servers(&self) -> bool {
        const NAME: &str = "kubernetes";
        if self.namespace != *"default" {
            return false;
        }
        match &self.subject {
            ReviewSubject::EndpointSlice(change) => {
                let mut slices = [change.before(), change.after()].into_iter().flatten();
                slices.any(|slice| slice.service_name() == Some(NAME))
            }
            ReviewSubject::Service(_) | ReviewSubject::Endpoints(_) => self.name == *NAME,
            _ => false,
        }
    }

    /// The object as messages name it: `Service shop/cart`.
    pub fn title(&self) -> String {
        let name = if self.name.is_empty() {
            "(unnamed)"
        } else {
            self.name.as_str()
        };
        if self.namespace.is_empty() {
            format!("{} {name}", self.kind)
        } else {
            format!("{} {}/{name}", self.kind, self.namespace)
        }
    }
}
