//! Objects of the API in an input, each read where it stands, in one pass.
//!
//! An input holds a `List`, a list of one kind, an array, or objects one after another, as `kubectl` and API servers
//! print them. Of each object only the first keys are looked at before it is known what it is; what it says of itself
//! further on, if anything, is looked for only where that is needed. Whoever wants the objects is a [`Taker`].

mod base;
mod gather;
mod list;
mod object;
mod part;
mod standing;
mod walk;

pub(super) use base::Base;
pub(super) use gather::{Checked, Gather, Unique};
pub(super) use list::{Documents, List};
pub(super) use part::{Part, leading_kind, read_named};
pub(super) use standing::Standing;
pub(super) use walk::Walk;

/// Tables share what is remembered of their objects if they have one number.
pub(super) mod numbers {
    pub(in crate::api) const SERVICES: u8 = 1;
    pub(in crate::api) const PODS: u8 = 2;
    pub(in crate::api) const NODES: u8 = 3;
    pub(in crate::api) const SLICES: u8 = 4;
    pub(in crate::api) const ENDPOINTS: u8 = 5;
    pub(in crate::api) const HEADS: u8 = 6;
    pub(in crate::api) const OTHERS: u8 = 7;
    pub(in crate::api) const STATUSES: u8 = 10;
    #[cfg(feature = "explain")]
    pub(in crate::api) const POD_DETAILS: u8 = 8;
    #[cfg(feature = "explain")]
    pub(in crate::api) const PROXIED_SERVICES: u8 = 9;
    #[cfg(feature = "explain")]
    pub(in crate::api) const SERVICE_DETAILS: u8 = 11;
    #[cfg(feature = "explain")]
    pub(in crate::api) const NODE_DETAILS: u8 = 12;
    #[cfg(feature = "explain")]
    pub(in crate::api) const EVENTS: u8 = 13;
    #[cfg(feature = "explain")]
    pub(in crate::api) const LEASES: u8 = 14;
}

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use crate::Error;
use crate::api::received::Received;
use crate::json::{Reader, Stop};
use crate::model::Text;
use crate::model::endpoint_slice::API_VERSION;
use crate::model::object::slim_object;
use crate::model::text::shorten;

/// Why reading ended.
#[derive(Debug)]
pub(super) enum Halt {
    /// The reader has stopped, and knows why.
    Stop,
    /// An object that can be read cannot be used.
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

/// How much was taken so far: the lengths of lists, and of those of another taker that takes the same objects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) lists: [usize; 5],
    pub(super) beside: [usize; 5],
}

/// Implements [`Wanted::mark`] and [`Wanted::forget`] for what is gathered in these lists.
macro_rules! marked {
    ($($($list:ident).+),+) => {
        fn mark(&self) -> $crate::api::objects::Mark {
            let mut mark = $crate::api::objects::Mark::default();
            let lengths = [$(self.$($list).+.len()),+];
            for (marked, length) in mark.lists.iter_mut().zip(lengths) {
                *marked = length;
            }
            mark
        }

        fn forget(&mut self, since: $crate::api::objects::Mark) {
            let mut lengths = since.lists.into_iter();
            $(self.$($list).+.truncate(lengths.next().unwrap_or_default());)+
        }
    };
}

pub(super) use marked;

/// Says which objects of an input are wanted, and is told of the others.
pub(super) trait Wanted {
    /// Is this one of its kinds?
    fn wants(&self, kind: &str, version: &str) -> bool;

    /// Learns of an object of another kind.
    fn ignore(&mut self, kind: &str, version: &str);

    /// How much was taken so far.
    fn mark(&self) -> Mark {
        Mark::default()
    }

    /// Gives back what was taken since: it was in something that is not a list, or it will be read again.
    fn forget(&mut self, _since: Mark) {}

    /// What is kept of what lists say of themselves, if anything is.
    fn received(&mut self) -> Option<&mut Received> {
        None
    }

    /// What to do about an object that does not say what it is.
    fn no_kind(&self) -> &'static str {
        "this object has no `kind`; use objects as `kubectl get … -o json` prints them"
    }
}

/// Takes the objects of an input.
pub(super) trait Taker<'a>: Wanted {
    /// Takes an object of a kind it wants; what is wrong with it leaves nothing behind.
    fn take(&mut self, object: &mut Standing<'_, '_, 'a>, kind: &str) -> Result<(), Halt>;

    /// Reads a field of a list that is neither its items nor its type; says whether it did.
    fn list_field(&mut self, _: &mut Reader<'a>, _: &str) -> Result<bool, Stop> {
        Ok(false)
    }
}

slim_object! {
    /// What an object says of itself, and its items if it is a list.
    #[derive(Debug, Default)]
    pub(super) struct Said<'a>("Kubernetes object") {
        "kind" pub(super) kind: Text<'a>;
        "apiVersion" pub(super) api_version: Text<'a>;
        "items" pub(super) items: Option<crate::json::Raw<'a>>;
    }
}

/// Reads all objects of a text.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn read_objects<'a>(text: &'a str, taker: &mut dyn Taker<'a>) -> Result<(), Error> {
    read_from(&mut Documents::default(), text, taker)
}

/// The same; the items of an array are of this kind and version if they do not say otherwise.
pub(super) fn read_from<'a>(
    documents: &mut Documents,
    text: &'a str,
    taker: &mut dyn Taker<'a>,
) -> Result<(), Error> {
    let mut reader = Reader::new(text);
    let mut walk = Walk::new(&mut reader, Base::default());
    loop {
        match documents.step(&mut walk, taker) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(halt) => return Err(walk.error(halt)),
        }
    }
}

/// Is this an EndpointSlice in a version that is not read?
pub(super) fn other_slices(kind: &str, version: &str) -> Option<String> {
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

/// A kind that others have as well is named with its API group, as `kubectl` does.
pub(super) fn ignored_name(kind: &str, api_version: &str) -> String {
    match (kind, api_version.split_once('/')) {
        ("EndpointSlice" | "Node" | "Pod" | "Service", Some((group, _))) => {
            format!("{kind}.{group}")
        }
        _ => kind.into(),
    }
}
