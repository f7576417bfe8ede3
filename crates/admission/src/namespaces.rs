//! The Namespaces of a cluster, which rules read as `namespaceObject`. They are kept only if a rule does.
//!
//! Plans do not depend on Namespaces, so they are no [`Kind`](slicewise::model::kind::Kind) of the session.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::context::{ClusterUnknown, ClusterView};
use slicewise::api::objects::{
    Halt, PendingObject, TakenMark, Taker, WantedObjects, is_version, numbers, read_objects,
};
use slicewise::api::{encode, input};
use slicewise::json::Raw;
use slicewise::model::Text;
use slicewise::model::object::slim_object;
use slicewise::model::order::gathered;
use slicewise::{Code, Error};
use slicewise_live::json::{AppliedEvents, ONE_PAGE};

/// The kind.
pub(crate) const NAMESPACE: &str = "Namespace";
const LIST: &str = "NamespaceList";

slim_object! {
    /// A Namespace: what an API server lets rules see of it.
    #[derive(Default)]
    struct ReadNamespace<'a>("Namespace") {
        "kind" kind: Text<'a>;
        "apiVersion" api_version: Text<'a>;
        "metadata" metadata: NamespaceMeta<'a>;
        "spec" spec: Option<Raw<'a>>;
        "status" status: Option<Raw<'a>>;
    }
}

slim_object! {
    /// Metadata of a Namespace.
    #[derive(Default)]
    struct NamespaceMeta<'a>("ObjectMeta") {
        "name" name: Text<'a>;
        "generateName" generate_name: Option<Raw<'a>>;
        "labels" labels: Option<Raw<'a>>;
        "annotations" annotations: Option<Raw<'a>>;
        "creationTimestamp" created: Option<Raw<'a>>;
        "deletionTimestamp" deleted: Option<Raw<'a>>;
        "finalizers" finalizers: Option<Raw<'a>>;
        "resourceVersion" resource_version: Text<'a>;
    }
}

slim_object! {
    /// An event, or a list.
    #[derive(Default)]
    struct EventOrList<'a>("watch event or list") {
        "kind" kind: Text<'a>;
        "metadata" metadata: ListMeta<'a>;
        "items" items: Vec<ReadNamespace<'a>>;
        "type" event_type: Text<'a>;
        "object" object: ReadNamespace<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct ListMeta<'a>("ListMeta") {
        "resourceVersion" resource_version: Text<'a>;
        "continue" continue_token: Text<'a>;
    }
}

slim_object! {
    /// The annotation of a bookmark.
    #[derive(Default)]
    struct EndMark<'a>("annotations") {
        "k8s.io/initial-events-end" ends: Text<'a>;
    }
}

impl ReadNamespace<'_> {
    /// The name, and the fields that rules see.
    fn seen(&self) -> Result<(String, String), Error> {
        let metadata = &self.metadata;
        let name = metadata.name.as_str();
        if name.is_empty() {
            let error = Error::new(Code::MissingField, "a Namespace has a name");
            return Err(error.at("/metadata/name"));
        }
        let fields = |named: &[(&str, &Option<Raw<'_>>)]| {
            let given = named.iter().filter_map(|(field, raw)| {
                let raw = raw.as_ref()?.get();
                (raw != "null").then(|| format!(r#","{field}":{raw}"#))
            });
            given.collect::<String>()
        };
        let quoted = encode(&name)?;
        let quoted = String::from_utf8_lossy(&quoted);
        let of_metadata = fields(&[
            ("generateName", &metadata.generate_name),
            ("labels", &metadata.labels),
            ("annotations", &metadata.annotations),
            ("creationTimestamp", &metadata.created),
            ("deletionTimestamp", &metadata.deleted),
            ("finalizers", &metadata.finalizers),
        ]);
        let rest = fields(&[("spec", &self.spec), ("status", &self.status)]);
        let json = format!(r#"{{"metadata":{{"name":{quoted}{of_metadata}}}{rest}}}"#);
        Ok((name.to_string(), json))
    }

    /// Is it the bookmark that ends the initial events of a watch?
    fn is_end(&self) -> bool {
        let annotations = self.metadata.annotations.as_ref();
        let annotations = annotations.and_then(|raw| input::decode::<EndMark<'_>>(raw.get()).ok());
        annotations.is_some_and(|annotations| annotations.ends == "true")
    }

    fn is_namespace(&self) -> bool {
        self.kind == NAMESPACE && is_version(NAMESPACE, &self.api_version)
    }
}

/// What is known about the Namespaces of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Namespaces {
    /// By name, as JSON.
    objects: BTreeMap<String, String>,
    /// Have all been received?
    is_known: bool,
    /// The names that a list in progress has had.
    listing: Option<BTreeSet<String>>,
}

impl Namespaces {
    /// Those in a snapshot, which has all of them if it has any.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn of_snapshot(text: &str) -> Result<Self, Error> {
        let mut read = SnapshotNamespaces::default();
        read_objects(text, &mut read)?;
        let objects: BTreeMap<_, _> = gathered(read.0);
        Ok(Self {
            is_known: !objects.is_empty(),
            objects,
            listing: None,
        })
    }

    /// One of them, as JSON.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.objects.get(name).map(String::as_str)
    }

    /// Have all been received?
    pub(crate) const fn is_known(&self) -> bool {
        self.is_known
    }

    pub(crate) fn count(&self) -> usize {
        self.objects.len()
    }

    /// Takes one, as an API server sends it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn set(&mut self, json: &str) -> Result<(), Error> {
        self.take(&input::decode(json)?)
    }

    fn take(&mut self, namespace: &ReadNamespace<'_>) -> Result<(), Error> {
        let (name, json) = namespace.seen()?;
        if let Some(listing) = &mut self.listing {
            listing.insert(name.clone());
        }
        self.objects.insert(name, json);
        Ok(())
    }

    /// Takes the Namespaces among events and lists, in the form of [`Reviewer::apply`](crate::Reviewer::apply). Returns
    /// the input without them, with the same lines, if it has any.
    ///
    /// # Errors
    /// When the input is a single value that cannot be read.
    pub(crate) fn apply(
        &mut self,
        text: &str,
        applied: &mut AppliedEvents,
    ) -> Result<Option<String>, Error> {
        if !text.contains(NAMESPACE) {
            return Ok(None);
        }
        if input::decode_raw(text).is_ok() {
            let is_taken = self.apply_value(text, applied)?;
            return Ok(is_taken.then(String::new));
        }
        let mut rest = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            match self.apply_value(line, applied) {
                Ok(true) => {}
                Ok(false) => rest.push_str(line),
                Err(error) => applied.refuse(number, error),
            }
            rest.push('\n');
        }
        Ok(Some(rest))
    }

    /// Is it of Namespaces?
    fn apply_value(&mut self, text: &str, applied: &mut AppliedEvents) -> Result<bool, Error> {
        // What else cannot be read is for others to say.
        if !text.contains(NAMESPACE) || !text.trim_start().starts_with('{') {
            return Ok(false);
        }
        let Ok(given) = input::decode::<EventOrList<'_>>(text) else {
            return Ok(false);
        };
        if given.event_type.is_empty() {
            if given.kind == LIST {
                self.apply_list(&given, applied)?;
                return Ok(true);
            }
            for namespace in given.items.iter().filter(|item| item.is_namespace()) {
                self.take(namespace)?;
                self.is_known = true;
            }
            return Ok(false);
        }
        if !given.object.is_namespace() {
            return Ok(false);
        }
        let version = given.object.metadata.resource_version.as_str();
        match &*given.event_type {
            "ADDED" | "MODIFIED" => {
                self.take(&given.object)?;
                applied.taken += 1;
            }
            "DELETED" => match self.objects.remove(given.object.metadata.name.as_str()) {
                Some(_) => applied.taken += 1,
                None => applied.unknown += 1,
            },
            "LISTING" => {
                self.listing = Some(BTreeSet::new());
                applied.taken += 1;
                return Ok(true);
            }
            "BOOKMARK" => {
                applied.bookmarks += 1;
                if given.object.is_end() {
                    self.note_listed(applied);
                }
            }
            // Errors have no Namespace as their object, and other types are refused by the session.
            _ => return Ok(false),
        }
        if self.listing.is_none() {
            note_version(version, applied);
        }
        Ok(true)
    }

    fn apply_list(
        &mut self,
        list: &EventOrList<'_>,
        applied: &mut AppliedEvents,
    ) -> Result<(), Error> {
        let next = list.metadata.continue_token.as_str();
        if self.listing.is_none() {
            if !next.is_empty() {
                let error = Error::new(Code::InvalidValue, ONE_PAGE);
                return Err(error.at("/metadata/continue"));
            }
            self.listing = Some(BTreeSet::new());
        }
        for (number, namespace) in list.items.iter().enumerate() {
            self.take(namespace)
                .map_err(|error| error.below(&format!("/items/{number}")))?;
        }
        applied.taken += list.items.len();
        applied.continue_token = next.into();
        if next.is_empty() {
            self.note_listed(applied);
            note_version(&list.metadata.resource_version, applied);
        }
        Ok(())
    }

    /// All have been received; those that have not are gone.
    fn note_listed(&mut self, applied: &mut AppliedEvents) {
        if let Some(listing) = self.listing.take() {
            self.objects.retain(|name, _| listing.contains(name));
        }
        self.is_known = true;
        applied.listed.push(NAMESPACE);
    }
}

impl<'c> ClusterView<'c> {
    /// The visible namespace as an object, in JSON; `None` outside of all.
    ///
    /// # Errors
    /// What is unknown.
    pub(crate) fn namespace_object(&self) -> Result<Option<&'c str>, ClusterUnknown> {
        let name = self.namespace();
        if name.is_empty() {
            return Ok(None);
        }
        self.namespace_asked.set([true; 2]);
        let current = self.is_current();
        let namespaces = self.namespaces();
        let Some(found) = namespaces.get(name) else {
            let why = match namespaces.is_known() {
                true => format!("Namespace {name} is unknown"),
                false => "the cluster's Namespaces are unknown".to_string(),
            };
            return Err(self.unknown(why));
        };
        current.map(|()| Some(found))
    }

    /// Has a rule asked for the namespace, and it is unknown?
    pub(crate) fn lacks_namespace(&self) -> bool {
        let [is_asked, _] = self.namespace_asked.get();
        is_asked && self.namespaces().get(self.namespace()).is_none()
    }
}

fn note_version(version: &str, applied: &mut AppliedEvents) {
    if !version.is_empty() {
        *applied.resource_versions.or_default(NAMESPACE) = version.into();
    }
}

/// The Namespaces of a snapshot, by name.
#[derive(Default)]
struct SnapshotNamespaces(Vec<(String, String)>);

impl WantedObjects for SnapshotNamespaces {
    fn wants(&self, kind: &str, version: &str) -> bool {
        kind == NAMESPACE && is_version(kind, version)
    }

    fn ignore(&mut self, _: &str, _: &str) {}

    fn mark(&self) -> TakenMark {
        let mut mark = TakenMark::default();
        mark.lists[0] = self.0.len();
        mark
    }

    fn forget(&mut self, since: TakenMark) {
        self.0.truncate(since.lists[0]);
    }

    fn remove(&mut self, _: &str, (_, gone): (&str, &str)) {
        self.0.retain(|(name, _)| name != gone);
    }
}

impl<'a> Taker<'a> for SnapshotNamespaces {
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, _: &str) -> Result<(), Halt> {
        let namespace: ReadNamespace<'_> = object.read(numbers::NAMESPACES)?;
        let seen = namespace.seen();
        let seen = seen.map_err(|error| {
            object.wrong(
                error.code(),
                error.path().unwrap_or_default(),
                error.message(),
            )
        })?;
        self.0.push(seen);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
