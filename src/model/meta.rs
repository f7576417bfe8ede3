//! Object metadata: the part of it that decisions read or write.

use alloc::vec::Vec;

use super::object::kube_object;
use super::text::{StringMap, Text};

kube_object! {
    /// Standard object metadata.
    pub struct ObjectMeta("ObjectMeta") {
        /// The name; empty for a slice that is not created yet.
        "name" name: Text<'a>,
        /// The prefix from which the API server generates a name.
        "generateName" generate_name: Text<'a>,
        /// The namespace.
        "namespace" namespace: Text<'a>,
        /// The unique identifier of the object for its lifetime.
        "uid" uid: Text<'a>,
        /// The version for optimistic locking.
        "resourceVersion" resource_version: Text<'a>,
        /// Incremented by every change except those of metadata.
        "generation" generation: Option<i64>,
        /// When the object was created (RFC 3339).
        "creationTimestamp" creation_timestamp: Option<Text<'a>>,
        /// When deletion was requested; set while the object waits for its finalizers.
        "deletionTimestamp" deletion_timestamp: Option<Text<'a>>,
        /// The labels.
        "labels" labels: StringMap<'a>,
        /// The annotations.
        "annotations" annotations: StringMap<'a>,
        /// The owners, for garbage collection.
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
        /// Whether the owner is the managing controller.
        "controller" controller: Option<bool>,
        /// Whether foreground deletion of the owner waits for this object.
        "blockOwnerDeletion" block_owner_deletion: Option<bool>,
    }
}

kube_object! {
    /// The object behind an endpoint, usually a Pod.
    pub struct ObjectReference("ObjectReference") {
        /// The kind of the target, such as `Pod`.
        "kind" kind: Text<'a>,
        /// The namespace of the target.
        "namespace" namespace: Text<'a>,
        /// The name of the target.
        "name" name: Text<'a>,
        /// The uid of the target.
        "uid" uid: Text<'a>,
        /// The API version of the target.
        "apiVersion" api_version: Text<'a>,
        /// The resource version of the target; ignored in comparisons, as in the reference.
        "resourceVersion" resource_version: Text<'a>,
        /// The part of the target that is referenced.
        "fieldPath" field_path: Text<'a>,
    }
}
