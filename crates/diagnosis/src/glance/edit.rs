//! Manual edits of objects, as changes of the input: draining a node, making a pod ready, adding another one like it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scale::CopyAddresses;
use slicewise::model::pod::PodIp;
use slicewise::model::{StringMap, Text};
use slicewise::plan::change::{ChangeCondition, ChangeValue, SuggestedChange, below};
use slicewise::slim_object;

/// When a drained pod began to terminate. There is no clock here, and the same edit gives the same input.
const DRAINED: &str = "2026-01-01T00:00:00Z";
pub(super) const READY: &str = "Ready";
const HOSTNAME_LABEL: &str = "kubernetes.io/hostname";

/// Like the start of `kubectl drain`: the node becomes unschedulable, and the pods on it terminate, except static pods
/// and those of DaemonSets, which would be created again.
pub fn drain(name: &str, objects: &[Edited<'_>]) -> Vec<SuggestedChange> {
    let mut node = SuggestedChange::patch("Node", "", name);
    node.add("/spec/unschedulable", true);
    let stays = |pod: &Edited<'_>| {
        let mut owners = pod.metadata.owners.iter();
        owners.any(|owner| matches!(owner.kind.as_str(), "DaemonSet" | "Node"))
    };
    let leaves = |pod: &&Edited<'_>| {
        pod.kind == "Pod"
            && pod.spec.node_name == *name
            && pod.metadata.deletion_timestamp.is_none()
            && !stays(pod)
    };
    let pods = objects.iter().filter(leaves).map(|pod| {
        let mut change = pod.change();
        change.add("/metadata/deletionTimestamp", DRAINED);
        change
    });
    core::iter::once(node).chain(pods).collect()
}

/// Sets the condition that says whether a pod or a node is ready.
pub fn ready(object: &Edited<'_>, is_ready: bool) -> SuggestedChange {
    let status = if is_ready { "True" } else { "False" };
    let conditions = object.status.conditions.as_deref();
    let is_it = |condition: &EditedCondition<'_>| condition.condition_type == READY;
    let place = conditions.and_then(|all| all.iter().position(is_it));
    let condition = ChangeCondition {
        condition_type: READY,
        status,
    };
    let mut change = object.change();
    match (place, conditions) {
        (Some(place), _) => change.add(format!("/status/conditions/{place}/status"), status),
        (None, Some(_)) => change.add("/status/conditions/-", ChangeValue::Condition(condition)),
        (None, None) => change.add(
            "/status/conditions",
            ChangeValue::Conditions([condition].into()),
        ),
    }
    change
}

/// A copy of the last one, with its own name, identity and addresses, that is not terminating.
pub fn another(objects: &[Edited<'_>]) -> Option<SuggestedChange> {
    let like = objects.last()?;
    let name = next_name(objects, &like.metadata.name);
    let mut change = like.change();
    change.copy_of = Some(core::mem::replace(&mut change.name, name.clone()));
    if !like.metadata.uid.is_empty() {
        let uid = format!("{}-{name}", like.kind.to_ascii_lowercase());
        change.replace("/metadata/uid", ChangeValue::Text(uid));
    }
    if like.metadata.deletion_timestamp.is_some() {
        change.remove("/metadata/deletionTimestamp");
    }
    if like.spec.unschedulable.is_some() {
        change.remove("/spec/unschedulable");
    }
    if like.metadata.labels.contains_key(HOSTNAME_LABEL) {
        change.add(below("/metadata/labels", HOSTNAME_LABEL), name.as_str());
    }
    let all = objects.iter().map(|object| &object.status);
    let mut addresses = CopyAddresses::after(all.map(|one| (&one.pod_ip, &*one.pod_ips)));
    addresses.renew(&like.status.pod_ip, &like.status.pod_ips, &mut change);
    Some(change)
}

/// The name with the next free number as its suffix.
fn next_name(objects: &[Edited<'_>], name: &str) -> String {
    let stem = name.trim_end_matches(|char: char| char.is_ascii_digit());
    let digits = name.strip_prefix(stem).unwrap_or_default();
    // If there is no number, or no next one, a number is appended.
    let (stem, digits, last) = match digits.parse::<u32>() {
        Ok(last) => (stem, digits, last),
        Err(_) => (name, "", 1),
    };
    let dash = if digits.is_empty() { "-" } else { "" };
    let mut names = (1..).map(|more| {
        let number = u64::from(last) + more;
        format!("{stem}{dash}{number:0width$}", width = digits.len())
    });
    let is_free = |name: &String| !objects.iter().any(|other| other.metadata.name == **name);
    names.find(is_free).unwrap_or_default()
}

impl Edited<'_> {
    fn change(&self) -> SuggestedChange {
        let metadata = &self.metadata;
        SuggestedChange::patch(self.kind.to_string(), &metadata.namespace, &metadata.name)
    }
}

slim_object! {
    /// An object of any kind, limited to what edits depend on.
    #[derive(Clone, Debug, Default)]
    pub struct Edited<'a>("object") {
        /// Its kind.
        "kind" pub kind: Text<'a>;
        /// Name, labels, owners.
        "metadata" pub metadata: EditedMeta<'a>;
        /// The node of a pod; whether a node is schedulable.
        "spec" pub spec: EditedSpec<'a>;
        /// Addresses and conditions.
        "status" pub status: EditedStatus<'a>;
    }
}

slim_object! {
    /// Its metadata.
    #[derive(Clone, Debug, Default)]
    pub struct EditedMeta<'a>("ObjectMeta") {
        /// Name.
        "name" pub name: Text<'a>;
        /// Namespace.
        "namespace" pub namespace: Text<'a>;
        /// Its uid.
        "uid" pub uid: Text<'a>;
        /// Labels.
        "labels" pub labels: StringMap<'a>;
        /// Set while it is being deleted.
        "deletionTimestamp" pub deletion_timestamp: Option<Text<'a>>;
        /// Its owners.
        "ownerReferences" pub owners: Vec<ObjectOwner<'a>>;
    }
}

slim_object! {
    /// The owner of an object.
    #[derive(Clone, Debug, Default)]
    pub struct ObjectOwner<'a>("OwnerReference") {
        /// Its kind.
        "kind" pub kind: Text<'a>;
    }
}

slim_object! {
    /// Its specification.
    #[derive(Clone, Debug, Default)]
    pub struct EditedSpec<'a>("spec") {
        /// The node that a pod is on.
        "nodeName" pub node_name: Text<'a>;
        /// Is a node cordoned?
        "unschedulable" pub unschedulable: Option<bool>;
    }
}

slim_object! {
    /// Its status.
    #[derive(Clone, Debug, Default)]
    pub struct EditedStatus<'a>("status") {
        /// The first address of a pod.
        "podIP" pub pod_ip: Text<'a>;
        /// All its addresses.
        "podIPs" pub pod_ips: Vec<PodIp>;
        /// Conditions.
        "conditions" pub conditions: Option<Vec<EditedCondition<'a>>>;
    }
}

slim_object! {
    /// A condition.
    #[derive(Clone, Debug, Default)]
    pub struct EditedCondition<'a>("condition") {
        /// Its type.
        "type" pub condition_type: Text<'a>;
        /// `True`, `False` or `Unknown`.
        "status" pub status: Text<'a>;
    }
}
