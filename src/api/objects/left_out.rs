//! Leaves out an object that cannot be read, so that one object never costs its list.
//!
//! Only those who follow a cluster do so: they cannot ask for a better list, and whatever depends on the object is known
//! to be incomplete. In a dump, an object that cannot be read is an error.

use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::Halt;
use super::list::ListReader;
use super::walk::ObjectWalk;
use crate::api::input::decode;
use crate::json::Raw;
use crate::model::few::Few;
use crate::model::kind::{Kind, Unreadable};
use crate::model::object::slim_object;
use crate::model::own::{Alone, Own as _};
use crate::model::pod::PodIp;
use crate::model::{NamespacedName, StringMap, Text, ip};
use crate::{Code, Error};

slim_object! {
    /// An object of which nothing is certain, part by part.
    #[derive(Default)]
    struct Parts<'a>("Kubernetes object") {
        "kind" kind: Text<'a>;
        "apiVersion" version: Text<'a>;
        "metadata" metadata: Option<Raw<'a>>;
        "status" status: Option<Raw<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    struct Naming<'a>("ObjectMeta") {
        "namespace" namespace: Text<'a>;
        "name" name: Text<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct Versioning<'a>("ObjectMeta") {
        "resourceVersion" resource_version: Text<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct Labelling<'a>("ObjectMeta") {
        "labels" labels: StringMap<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct Addressing<'a>("PodStatus") {
        "podIP" pod_ip: Text<'a>;
        "podIPs" pod_ips: Few<PodIp>;
    }
}

impl Parts<'_> {
    /// What can be told about the object, with what is wrong with it; `None` if its name cannot.
    fn tell(&self, kind: Kind, error: Error) -> Option<Unreadable> {
        let metadata = self.metadata?.get();
        let Naming { namespace, name } = decode(metadata).ok()?;
        if name.is_empty() {
            return None;
        }
        let namespace = match kind {
            Kind::Node => String::new(),
            _ => namespace.as_str().into(),
        };
        let name = name.as_str().into();
        let key = NamespacedName { namespace, name };
        let versioning = decode::<Versioning<'_>>(metadata).unwrap_or_default();
        let labelling = decode::<Labelling<'_>>(metadata).ok();
        Some(Unreadable {
            resource_version: versioning.resource_version.as_str().into(),
            labels: labelling.map(|labelling| labelling.labels.own(&Alone)),
            addresses: self.addresses(),
            ..Unreadable::named(kind, key, error)
        })
    }

    fn addresses(&self) -> Option<Vec<IpAddr>> {
        let Some(status) = self.status else {
            return Some(Vec::new());
        };
        let Addressing { pod_ip, pod_ips } = decode(status.get()).ok()?;
        let mut addresses: Vec<_> = pod_ips.iter().map(|pod_ip| pod_ip.ip).collect();
        if addresses.is_empty() && !pod_ip.is_empty() {
            addresses.push(ip::parse(&pod_ip)?);
        }
        Some(addresses)
    }
}

/// The kind of that name.
pub fn kind_named(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
}

impl<'a> ObjectWalk<'_, 'a> {
    /// Leaves out objects that cannot be read from now on, if they can be named.
    pub fn leave_out_unreadable(&mut self) {
        self.leaves_out = true;
    }

    /// Where an object begins.
    pub fn before_object(&self) -> BeforeObject {
        BeforeObject {
            at: self.reader.at(),
            depth: self.reader.depth(),
            steps: self.path.len(),
        }
    }

    /// Passes an object that could not be read, and says what can be told about it.
    ///
    /// # Errors
    /// Why it could not be read, if not even its name can be told.
    #[cold]
    pub fn unread(
        &mut self,
        list: Option<&mut ListReader>,
        before: BeforeObject,
        halt: Halt,
    ) -> Result<Unreadable, Halt> {
        let BeforeObject { at, depth, steps } = before;
        let error = self.unplaced(halt);
        self.path.truncate(steps);
        self.anchor = at;
        self.reader.rewind(at, depth);
        let mut parts = Parts::default();
        if let Err(stop) = self.reader.object(&mut parts, None) {
            // More of it may follow.
            return match self.reader.has_stopped_at_end() {
                true => Err(stop.into()),
                false => Err(error.into()),
            };
        }
        let end = self.reader.at();
        let mut kind = parts.kind.as_str().into();
        if let Some(list) = list.filter(|_| parts.kind.is_empty()) {
            self.reader.rewind(at, depth);
            (kind, _) = list.of(self)?;
        }
        self.reader.rewind(end, depth);
        // An object that is there twice can be read.
        let told = kind_named(&kind).filter(|_| error.code() != Code::DuplicateName);
        let told = told.and_then(|kind| parts.tell(kind, self.placed(error.clone())));
        told.ok_or_else(|| error.into())
    }
}

/// The place where an object begins.
#[derive(Clone, Copy)]
pub struct BeforeObject {
    at: usize,
    depth: usize,
    steps: usize,
}

/// An object of this kind in a text, and why it cannot be read. The key names it if the text does not.
pub fn unreadable(
    kind: Kind,
    text: &str,
    error: Error,
    key: impl FnOnce() -> NamespacedName,
) -> Unreadable {
    let told = decode::<Parts<'_>>(text).ok();
    let told = told.and_then(|parts| parts.tell(kind, error.clone()));
    told.unwrap_or_else(|| Unreadable::named(kind, key(), error))
}
