//! API objects in an input, each read in place, in one pass.
//!
//! An input holds a `List`, a list of one kind, the lists of a cache, an array, objects one after the other, or watch events, as printed by
//! `kubectl` and API servers. Only the first keys of an object are read to find out its kind; keys further on are
//! looked at only where necessary. A [`Taker`] receives the objects.

mod base;
mod documents;
mod event;
mod gather;
mod left_out;
mod list;
mod object;
mod part;
mod standing;
mod walk;

pub use base::Base;
pub use documents::Documents;
pub use event::{ErrorStatus, PartialMeta, PartialObject, WatchEventKind, read_event_as};
pub use gather::CheckedObject;
pub use gather::{Gather, Unique};
pub use left_out::{BeforeObject, kind_named, unreadable};
pub use list::ListReader;
pub use part::{InputPart, leading_kind, read_named};
pub use standing::PendingObject;
pub use walk::ObjectWalk;

/// Tables with the same number share a memory of their objects' layout.
pub mod numbers {
    pub const SERVICES: u8 = 1;
    pub const PODS: u8 = 2;
    pub const NODES: u8 = 3;
    pub const SLICES: u8 = 4;
    pub const ENDPOINTS: u8 = 5;
    pub const HEADS: u8 = 6;
    pub const OTHERS: u8 = 7;
    pub const STATUSES: u8 = 10;
    pub const POD_DETAILS: u8 = 8;
    pub const PROXIED_SERVICES: u8 = 9;
    pub const SERVICE_DETAILS: u8 = 11;
    pub const NODE_DETAILS: u8 = 12;
    pub const EVENTS: u8 = 13;
    pub const LEASES: u8 = 14;
    pub const BESIDE: u8 = 15;
    pub const NAMESPACES: u8 = 16;
}

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use crate::Error;
use crate::api::received::Received;
use crate::json::Stop;
use crate::model::Text;
use crate::model::endpoint_slice::API_VERSION;
use crate::model::kind::Unreadable;
use crate::model::object::slim_object;
use crate::model::read::ObjectReader;
use crate::model::text::shorten;

/// Why reading ended.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a reader stops or refuses")]
pub enum Halt {
    /// The reader stopped, and knows why.
    Stop,
    /// An object can be read but not used.
    Wrong(Box<Error>),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Wrong(Box::new(error))
    }
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Self {
        Self::Stop
    }
}

/// How much was taken so far: the lengths of lists.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "counts")]
pub struct TakenMark {
    /// In the order in which [`marked`] names them.
    pub lists: [usize; 5],
}

/// Implements [`WantedObjects::mark`] and [`WantedObjects::forget`] for what is gathered in these lists.
#[macro_export]
#[doc(hidden)]
macro_rules! marked {
    ($($($list:ident).+),+) => {
        fn mark(&self) -> $crate::api::objects::TakenMark {
            let mut mark = $crate::api::objects::TakenMark::default();
            let lengths = [$(self.$($list).+.len()),+];
            for (marked, length) in mark.lists.iter_mut().zip(lengths) {
                *marked = length;
            }
            mark
        }

        fn forget(&mut self, since: $crate::api::objects::TakenMark) {
            let mut lengths = since.lists.into_iter();
            $(self.$($list).+.truncate(lengths.next().unwrap_or_default());)+
        }
    };
}

#[doc(hidden)]
pub use marked;

/// Implements [`WantedObjects::remove`] and [`WantedObjects::settle`] for objects of these kinds, each gathered in a list,
/// beside what was `received`.
#[macro_export]
#[doc(hidden)]
macro_rules! removed {
    ($($kind:literal: $list:ident),+) => {
        fn remove(&mut self, kind: &str, name: (&str, &str)) {
            match kind {
                $($kind => self.$list.remove(name),)+
                _ => {}
            }
        }

        fn settle(&mut self) {
            $(let several = self.$list.settle(); self.received.several(several);)+
        }
    };
}

#[doc(hidden)]
pub use removed;

/// Implements [`WantedObjects`] and [`Gather`] for objects of these kinds, each gathered in a list and read by the table of that
/// number. Others are counted.
#[macro_export]
#[doc(hidden)]
macro_rules! gathered {
    ($Name:ident { $($kind:literal => $list:ident: $Object:ident, $number:ident;)+ }) => {
        impl $crate::api::objects::WantedObjects for $Name<'_> {
            fn wants(&self, kind: &str, version: &str) -> bool {
                matches!(kind, $($kind)|+) && $crate::api::objects::is_version(kind, version)
            }

            fn ignore(&mut self, kind: &str, version: &str) {
                self.received.other(kind);
                self.ignored.push(($crate::api::objects::ignored_name(kind, version), 1));
            }

            fn received(&mut self) -> Option<&mut $crate::api::received::Received> {
                Some(&mut self.received)
            }

            $crate::api::objects::marked!($($list,)+ ignored);
            $crate::api::objects::removed!($($kind: $list),+);
        }

        impl<'a, 'k, K> $crate::api::objects::Gather<'a, K> for $Name<'k>
        where
            K: $($crate::model::own::Keep<$Object<'a>, Kept = $Object<'k>> +)+
        {
            fn gather(
                &mut self,
                object: &mut $crate::api::objects::PendingObject<'_, '_, 'a>,
                kind: &str,
                keep: &K,
            ) -> Result<(), $crate::api::objects::Halt> {
                match kind {
                    $($kind => self.$list.read::<$Object<'a>, _>(
                        object,
                        $crate::api::objects::numbers::$number,
                        keep,
                    ),)+
                    _ => Ok(()),
                }
            }
        }
    };
}

#[doc(hidden)]
pub use gathered;

/// Says which objects of an input are wanted, and is notified of the others.
pub trait WantedObjects {
    /// Is this a wanted kind?
    fn wants(&self, kind: &str, version: &str) -> bool;

    /// An object of another kind was skipped.
    fn ignore(&mut self, kind: &str, version: &str);

    /// The number of objects taken so far.
    fn mark(&self) -> TakenMark {
        TakenMark::default()
    }

    /// Drops what was taken since: the objects were not in a list after all, or will be read again.
    fn forget(&mut self, _since: TakenMark) {}

    /// An object of a wanted kind was deleted.
    fn remove(&mut self, _kind: &str, _name: (&str, &str)) {}

    /// An object was left out because it cannot be read.
    fn leave_out(&mut self, object: Unreadable) {
        if let Some(received) = self.received() {
            received.unreadable.push(object);
        }
    }

    /// All objects have been read.
    fn settle(&mut self) {}

    /// Where to record the metadata of lists, if anywhere.
    fn received(&mut self) -> Option<&mut Received> {
        None
    }

    /// How to fix an object that does not state its kind.
    fn no_kind(&self) -> &'static str {
        "this object has no `kind`; use objects as `kubectl get … -o json` prints them"
    }
}

/// How to fix an object that does not state its kind, in events.
pub const NO_KIND: &str = "this object has no `kind`; use objects as the API server sends them";

/// Receives the objects of an input.
pub trait Taker<'a>: WantedObjects {
    /// Takes an object of a wanted kind; on error, it keeps nothing of the object.
    fn take(&mut self, object: &mut PendingObject<'_, '_, 'a>, kind: &str) -> Result<(), Halt>;
}

slim_object! {
    /// The type of an object, and its items if it is a list.
    #[derive(Debug, Default)]
    pub struct ObjectHeader<'a>("Kubernetes object") {
        "kind" pub(super) kind: Text<'a>;
        "apiVersion" pub(super) api_version: Text<'a>;
        "items" pub(super) items: Option<crate::json::Raw<'a>>;
    }
}

/// Reads all objects of a text.
///
/// # Errors
/// The first error in it.
pub fn read_objects<'a>(text: &'a str, taker: &mut dyn Taker<'a>) -> Result<(), Error> {
    read_from(&mut Documents::default(), text, taker)
}

/// The same; the items of an array are of this kind and version if they do not state them.
pub fn read_from<'a>(
    documents: &mut Documents,
    text: &'a str,
    taker: &mut dyn Taker<'a>,
) -> Result<(), Error> {
    let mut reader = ObjectReader::new(text);
    read_documents(documents, ObjectWalk::new(&mut reader, Base::START), taker)
}

/// Reads all objects of an input, and leaves out those that cannot be read.
pub fn read_readable<'a>(text: &'a str, taker: &mut dyn Taker<'a>) -> Result<(), Error> {
    let mut reader = ObjectReader::new(text);
    let mut walk = ObjectWalk::new(&mut reader, Base::START);
    walk.leave_out_unreadable();
    read_documents(&mut Documents::default(), walk, taker)
}

fn read_documents<'a>(
    documents: &mut Documents,
    mut walk: ObjectWalk<'_, 'a>,
    taker: &mut dyn Taker<'a>,
) -> Result<(), Error> {
    loop {
        match documents.step(&mut walk, taker) {
            Ok(true) => {}
            Ok(false) => {
                taker.settle();
                return Ok(());
            }
            Err(halt) => return Err(walk.error(halt)),
        }
    }
}

/// Is this the version of one of our kinds that is read? An omitted version counts as that one.
pub fn is_version(kind: &str, version: &str) -> bool {
    let read = match kind {
        "EndpointSlice" => API_VERSION,
        _ => "v1",
    };
    version.is_empty() || version == read
}

/// Is this an EndpointSlice in an unsupported version?
pub fn other_slices(kind: &str, version: &str) -> Option<String> {
    let is_other = kind == "EndpointSlice"
        && version != API_VERSION
        && version.starts_with("discovery.k8s.io/");
    is_other.then(|| {
        format!(
            "EndpointSlices of `{}` are not supported; fetch them as {API_VERSION}",
            shorten(version)
        )
    })
}

/// A kind that also exists in other API groups is named with its group, as `kubectl` does.
pub fn ignored_name(kind: &str, api_version: &str) -> String {
    match (kind, api_version.split_once('/')) {
        ("EndpointSlice" | "Node" | "Pod" | "Service", Some((group, _))) => {
            format!("{kind}.{group}")
        }
        _ => kind.into(),
    }
}
