//! The envelope of a review, and its objects, read in place.

use alloc::vec::Vec;

use crate::objects::{ReviewedEndpoint, WholeService};
use crate::workloads::WORKLOADS;
use crate::{ReviewedEndpoints, ReviewedPod, ReviewedScale, ReviewedSlice, ReviewedWorkload};
use slicewise::api::objects::ObjectHeader;
use slicewise::model::object::slim_object;
use slicewise::model::read::tree::Tree;
use slicewise::model::read::{Grow, Object, Others, Repeatable, Shape, Slot};
use slicewise::model::{Named, Node, Text};
use slicewise_json::Raw;

slim_object! {
    /// The review as written. Unknown fields are accepted, because the API grows.
    #[derive(Default)]
    pub(crate) struct ReviewEnvelope<'a>("AdmissionReview") {
        "apiVersion" pub(super) api_version: Text<'a> = required;
        "kind" pub(super) kind: Text<'a> = required;
        "request" pub(super) request: SentRequest<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    pub(crate) struct EnvelopeRequest<'a>("AdmissionRequest") {
        "uid" pub(super) uid: Text<'a> = required;
        "kind" pub(super) kind: GroupVersionKind<'a> = required;
        "subResource" pub(super) sub_resource: Option<Text<'a>>;
        "name" pub(super) name: Option<Text<'a>>;
        "namespace" pub(super) namespace: Option<Text<'a>>;
        "operation" pub(super) operation: Text<'a> = required;
        "userInfo" pub(super) user_info: Option<UserInfo<'a>>;
        "object" pub(super) object: Option<Raw<'a>>;
        "oldObject" pub(super) old_object: Option<Raw<'a>>;
        "options" pub(super) options: Option<Raw<'a>>;
        "dryRun" pub(super) dry_run: bool;
    }
}

slim_object! {
    /// Those of a deletion.
    #[derive(Default)]
    pub(super) struct RequestOptions<'a>("options of the request") {
        "propagationPolicy" propagation_policy: Text<'a>;
        "orphanDependents" orphan_dependents: bool;
    }
}

impl RequestOptions<'_> {
    /// Do the objects stay that a deleted object owns?
    pub(super) fn orphan(&self) -> bool {
        self.propagation_policy == "Orphan" || self.orphan_dependents
    }
}

slim_object! {
    #[derive(Default)]
    pub(super) struct GroupVersionKind<'a>("GroupVersionKind") {
        "group" pub(super) group: Text<'a> = required;
        "version" pub(super) version: Text<'a> = required;
        "kind" pub(super) kind: Text<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    pub(super) struct UserInfo<'a>("UserInfo") {
        "username" pub(super) username: Option<Text<'a>>;
        "groups" pub(super) groups: Vec<Text<'a>>;
    }
}

impl<'a> EnvelopeRequest<'a> {
    /// The kind of its objects, if policies look at it, and at this part of it.
    ///
    /// The status of a Service says where nodes take its traffic; that of a Node is written every few seconds, and what
    /// matters in it affects no hint until its zone does.
    pub(super) fn judged_kind(&self) -> Option<JudgedKind> {
        let kind = (self.kind.group.as_str(), self.kind.kind.as_str());
        let part = self.sub_resource.as_deref().unwrap_or_default();
        Some(match (kind, part) {
            (("discovery.k8s.io", "EndpointSlice"), "") => JudgedKind::EndpointSlice,
            (("", "Service"), "" | "status") => JudgedKind::Service,
            (("", "Node"), "") => JudgedKind::Node,
            (("", "Endpoints"), "") => JudgedKind::Endpoints,
            (("apps", kind), "") if WORKLOADS.contains(&kind) => JudgedKind::Workload,
            (("autoscaling", "Scale"), "scale") => JudgedKind::Scale,
            (("", "Pod"), "") => JudgedKind::Pod,
            (("policy", "Eviction"), "eviction") => JudgedKind::Eviction,
            _ => return None,
        })
    }
}

/// What is read of a review, whose objects are of the kinds that policies look at.
pub fn fields_of_review() -> Tree {
    let object = Tree::of::<ReviewedSlice<'_>>()
        .and(Tree::of::<WholeService<'_>>())
        .and(Tree::of::<Node<'_>>())
        .and(Tree::of::<ReviewedEndpoints<'_>>())
        .and(Tree::of::<ReviewedWorkload<'_>>())
        .and(Tree::of::<ReviewedScale<'_>>())
        .and(Tree::of::<ReviewedPod<'_>>())
        .and(Tree::of::<ObjectHeader<'_>>());
    let request = Tree::of::<EnvelopeRequest<'_>>()
        .with("object", object.clone())
        .with("oldObject", object)
        .with("options", Tree::of::<RequestOptions<'_>>());
    Tree::of::<ReviewEnvelope<'_>>().with("request", request)
}

/// A kind of objects that policies look at. The numbers select the memory of their layout.
#[derive(Clone, Copy, Debug)]
pub(super) enum JudgedKind {
    EndpointSlice = 1,
    Service,
    Node,
    Endpoints,
    Workload,
    Scale,
    Pod,
    Eviction,
}

/// The memory number of envelopes.
pub(super) const ENVELOPE: u8 = 0;

/// A request, and its objects if they were read along with it.
#[derive(Default)]
pub(crate) struct SentRequest<'a> {
    pub(super) request: EnvelopeRequest<'a>,
    /// Should they be, once their kind is known? The API server sends it before them.
    pub(super) is_at_once: bool,
    pub(super) object: Reviewed<'a>,
    pub(super) old_object: Reviewed<'a>,
}

impl<'a> Object<'a> for SentRequest<'a> {
    fn shape(&self) -> &'static Shape {
        self.request.shape()
    }

    fn slot(&mut self, field: usize) -> Slot<'_, 'a> {
        let is_v1 = self.request.kind.version == "v1";
        let kind = self.request.judged_kind();
        let kind = kind.filter(|_| self.is_at_once && is_v1);
        let place = match self.shape().keys.get(field) {
            Some(&"object") => &mut self.object,
            Some(&"oldObject") => {
                // No other operation has both.
                if self.request.operation == "UPDATE" {
                    self.old_object.slice.expect(&self.object.slice);
                }
                &mut self.old_object
            }
            _ => return self.request.slot(field),
        };
        match kind {
            Some(kind) => Slot::OfKind(place.of_kind(kind), kind as u8),
            None => self.request.slot(field),
        }
    }

    fn others(&mut self) -> Others<'_, 'a> {
        self.request.others()
    }
}

/// An object that policies look at: exactly one of these once it has been read.
#[derive(Default)]
pub(super) struct Reviewed<'a> {
    pub(super) slice: ReadSlice<'a>,
    pub(super) service: Option<WholeService<'a>>,
    pub(super) node: Option<Node<'a>>,
    pub(super) endpoints: Option<ReviewedEndpoints<'a>>,
    pub(super) workload: Option<ReviewedWorkload<'a>>,
    pub(super) scale: Option<ReviewedScale<'a>>,
    pub(super) pod: Option<ReviewedPod<'a>>,
}

impl<'a> Reviewed<'a> {
    fn of_kind(&mut self, kind: JudgedKind) -> &mut dyn Grow<'a> {
        match kind {
            JudgedKind::EndpointSlice => &mut self.slice,
            JudgedKind::Service => &mut self.service,
            JudgedKind::Node => &mut self.node,
            JudgedKind::Endpoints => &mut self.endpoints,
            JudgedKind::Workload => &mut self.workload,
            JudgedKind::Scale => &mut self.scale,
            JudgedKind::Pod | JudgedKind::Eviction => &mut self.pod,
        }
    }
}

/// A slice, which may share its endpoints with another one.
#[derive(Default)]
pub(super) struct ReadSlice<'a> {
    pub(super) read: Option<ReviewedSlice<'a>>,
    expected: Repeatable<'a, ReviewedEndpoint<'a>>,
}

impl<'a> ReadSlice<'a> {
    fn expect(&mut self, other: &Self) {
        if let Some(other) = &other.read {
            self.expected = other.endpoints.to_repeat();
        }
    }
}

impl<'a> Grow<'a> for ReadSlice<'a> {
    fn begin(&mut self) {}

    fn grow(&mut self) -> &mut dyn Object<'a> {
        let slice = self.read.insert(ReviewedSlice::default());
        slice.endpoints = core::mem::take(&mut self.expected);
        slice
    }
}

/// What an object states about itself, which must match the request.
pub(super) trait Claims<'a>: Object<'a> {
    /// Its kind; empty if it states none, or if reading has already checked it.
    fn kind(&self) -> &str {
        ""
    }

    /// Its namespace, empty if it has none, and its name.
    fn full_name(&self) -> (&str, &str);
}

/// Objects that have a kind and metadata.
macro_rules! claims {
    ($($Object:ident),*) => {$(
        impl<'a> Claims<'a> for $Object<'a> {
            fn kind(&self) -> &str {
                &self.kind
            }

            fn full_name(&self) -> (&str, &str) {
                self.metadata.full_name()
            }
        }
    )*};
}

claims!(
    ReviewedSlice,
    ReviewedEndpoints,
    ReviewedWorkload,
    ReviewedScale,
    ReviewedPod
);

impl<'a> Claims<'a> for WholeService<'a> {
    fn full_name(&self) -> (&str, &str) {
        (&self.metadata.namespace, &self.metadata.name)
    }
}

impl<'a> Claims<'a> for Node<'a> {
    fn full_name(&self) -> (&str, &str) {
        Named::full_name(self)
    }
}
