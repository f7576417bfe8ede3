//! Object metadata: the part of it that decisions read or write.

use alloc::vec::Vec;

use super::object::kube_object;
use super::text::{StringMap, Text};

kube_object! {
    /// Metadata of an EndpointSlice.
    pub struct ObjectMeta("ObjectMeta") {
        /// Name; empty on a slice that is still to be created.
        "name" name: Text<'a>,
        /// Prefix the API server completes to a name.
        "generateName" generate_name: Text<'a>,
        /// Namespace.
        "namespace" namespace: Text<'a>,
        /// Identity over the object's life.
        "uid" uid: Text<'a>,
        /// Version for optimistic locking.
        "resourceVersion" resource_version: Text<'a>,
        /// Counts changes of everything but metadata.
        "generation" generation: Option<i64>,
        /// When the API server took it, RFC 3339.
        "creationTimestamp" creation_timestamp: Option<Text<'a>>,
        /// Set while the object waits for its finalizers.
        "deletionTimestamp" deletion_timestamp: Option<Text<'a>>,
        /// Labels.
        "labels" labels: StringMap<'a>,
        /// Annotations.
        "annotations" annotations: StringMap<'a>,
        /// Owners, for the garbage collector.
        "ownerReferences" owner_references: Vec<OwnerReference<'a>>,
    }
}

kube_object! {
    /// An owner of an object.
    pub struct OwnerReference("OwnerReference") {
        /// `v1` for a Service.
        "apiVersion" api_version: Text<'a> = always,
        /// `Service`.
        "kind" kind: Text<'a> = always,
        /// The owner's name.
        "name" name: Text<'a> = always,
        /// The owner's uid.
        "uid" uid: Text<'a> = always,
        /// Is it the managing controller's object?
        "controller" controller: Option<bool>,
        /// Does the owner's foreground deletion wait for this object?
        "blockOwnerDeletion" block_owner_deletion: Option<bool>,
    }
}

kube_object! {
    /// What an endpoint stands for, usually a Pod.
    pub struct ObjectReference("ObjectReference") {
        /// `Pod`.
        "kind" kind: Text<'a>,
        /// Namespace of the target.
        "namespace" namespace: Text<'a>,
        /// Name of the target.
        "name" name: Text<'a>,
        /// Uid of the target.
        "uid" uid: Text<'a>,
        /// Version of the target's API.
        "apiVersion" api_version: Text<'a>,
        /// Ignored in comparisons, as the reference does.
        "resourceVersion" resource_version: Text<'a>,
        /// Part of the target that is meant.
        "fieldPath" field_path: Text<'a>,
    }
}
