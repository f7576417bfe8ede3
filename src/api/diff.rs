//! Compares slices before and after: slices in, differences out.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::incomplete::namespaces;
use super::input::{self, Limits};
use super::received::Received;
use super::snapshot::Snapshot;
use super::{Warning, WarningCode, encode};
use crate::diff::{EndpointChange, ServiceDiff, diff as compare};
use crate::model::EndpointSlice;
use crate::model::object::slim_object;
use crate::model::order::gathered;
use crate::model::text::shorten;
use crate::{Code, Error};

/// The differences between two sets of slices.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Diff<'a> {
    /// The Services whose slices differ, by namespace, name and family.
    pub services: Vec<ServiceDiff<'a>>,
    /// Warnings about the inputs.
    pub warnings: Vec<Warning>,
    /// Why some slices were not compared.
    #[serde(skip)]
    left_out: Option<String>,
}

impl Diff<'_> {
    /// Makes sure that everything was compared, for callers that rely on finding no difference.
    ///
    /// # Errors
    /// `IncompleteInput` if slices were left out because a list may be incomplete.
    pub fn check_complete(&self) -> Result<(), Error> {
        match &self.left_out {
            None => Ok(()),
            Some(why) => {
                let message = format!("{why}; whether anything differs is unknown");
                Err(Error::new(Code::IncompleteInput, message))
            }
        }
    }
}

/// Slices to compare, and whether the lists they came in are complete.
#[derive(Debug, Default)]
pub struct SliceList<'a> {
    /// The slices.
    pub items: Vec<EndpointSlice<'a>>,
    received: Received,
}

impl<'a> From<Snapshot<'a>> for SliceList<'a> {
    fn from(snapshot: Snapshot<'a>) -> Self {
        Self {
            items: snapshot.slices,
            received: snapshot.received,
        }
    }
}

impl<'a> SliceList<'a> {
    /// These slices, stored by `keep`.
    #[doc(hidden)]
    pub fn kept<'k>(
        self,
        keep: impl FnMut(EndpointSlice<'a>) -> EndpointSlice<'k>,
    ) -> SliceList<'k> {
        SliceList {
            items: self.items.into_iter().map(keep).collect(),
            received: self.received,
        }
    }
}

slim_object! {
    /// The slices before and after.
    #[derive(Debug, Default)]
    pub struct Sides<'a>("slices before and after") refuse {
        /// The slices before.
        "before" pub before: Vec<EndpointSlice<'a>> as Vec<crate::model::describe::KubernetesObject>;
        /// The slices after. Slices that are not created yet may lack a name.
        "after" pub after: Vec<EndpointSlice<'a>> as Vec<crate::model::describe::KubernetesObject>;
    }
}

/// Endpoints before and after, paired: `before` and `after` in, the place of its partner for each out; see
/// [`partners`](crate::diff::partners()).
///
/// # Errors
/// When they cannot be read.
pub fn partners(slices: &[u8]) -> Result<Vec<usize>, Error> {
    let sides: Sides<'_> = input::decode(input::text(slices, Limits::default())?)?;
    Ok(crate::diff::partners(&sides.before, &sides.after))
}

/// Compares the slices of two inputs, each an array of slices, or objects as `kubectl get endpointslices -A -o json`
/// prints them. Objects of other kinds are ignored. Slices that may be on a page of a list that is not in the input are
/// not reported as removed; arrays count as complete.
///
/// # Errors
/// When either cannot be read; the path then begins with `/before` or `/after`.
pub fn diff(before: &[u8], after: &[u8]) -> Result<Vec<u8>, Error> {
    let limits = Limits::default();
    let before = slices(before, limits).map_err(|error| error.below("/before"))?;
    let after = slices(after, limits).map_err(|error| error.below("/after"))?;
    encode(&differing(&before, &after, false))
}

/// The slices of an input, for [`differing`].
///
/// # Errors
/// When it cannot be read.
pub fn slices(input: &[u8], limits: Limits) -> Result<SliceList<'_>, Error> {
    Snapshot::read_slices(input::text(input, limits)?).map(Into::into)
}

/// Like [`diff`], for slices that were already read; with `assume_complete`, both sides count as complete.
pub fn differing<'a>(
    before: &SliceList<'a>,
    after: &SliceList<'a>,
    assume_complete: bool,
) -> Diff<'a> {
    let sides = [
        Side::new("before", before, after),
        Side::new("after", after, before),
    ];
    let mut warnings = Vec::new();
    for side in &sides {
        side.warn(&mut warnings);
    }
    if assume_complete {
        return Diff {
            services: compare(&before.items, &after.items),
            warnings,
            left_out: None,
        };
    }
    let [lacking_before, lacking_after] = &sides;
    let known_before: Vec<EndpointSlice<'_>> = lacking_after.comparable().cloned().collect();
    let known_after: Vec<EndpointSlice<'_>> = lacking_before.comparable().cloned().collect();
    let mut services = compare(&known_before, &known_after);
    // A later page may have another slice with the endpoint.
    let is_certain = |change: EndpointChange| match change {
        EndpointChange::Added => !lacking_before.is_cut,
        EndpointChange::Removed => !lacking_after.is_cut,
        EndpointChange::Changed | EndpointChange::Moved => true,
    };
    for service in &mut services {
        service
            .changes
            .retain(|endpoint| is_certain(endpoint.change));
    }
    let leaves_out = sides.iter().any(Side::leaves_out);
    let left_out = warnings.first().filter(|_| leaves_out);
    Diff {
        left_out: left_out.map(|warning| warning.message.clone()),
        services,
        warnings,
    }
}

/// One input as seen from the other: what it may lack.
struct Side<'s, 'a> {
    name: &'static str,
    own: &'s SliceList<'a>,
    other: &'s SliceList<'a>,
    /// Does one of its lists continue elsewhere?
    is_cut: bool,
    /// The namespaces that may not have been requested: those that only the other side has, if this one has at most
    /// one.
    missing: Vec<&'s str>,
}

impl<'s, 'a> Side<'s, 'a> {
    fn new(name: &'static str, own: &'s SliceList<'a>, other: &'s SliceList<'a>) -> Self {
        let (here, there) = (namespaces(&own.items), namespaces(&other.items));
        let is_new = |name: &&str| here.binary_search(name).is_err();
        let missing = there.iter().copied().filter(is_new);
        let may_lack = own.received.has_lists() && here.len() <= 1;
        Self {
            name,
            own,
            other,
            is_cut: own.received.is_cut("EndpointSlice"),
            missing: missing.filter(|_| may_lack).collect(),
        }
    }

    /// Are some of the other side's slices left out, or may both sides have more?
    const fn leaves_out(&self) -> bool {
        self.is_cut || !self.missing.is_empty()
    }

    /// The other side's slices that this side has as well, or is known not to have.
    fn comparable(&self) -> impl Iterator<Item = &'s EndpointSlice<'a>> {
        let here: BTreeSet<_> = gathered(self.own.items.iter().map(key));
        let is_known = move |slice: &&EndpointSlice<'_>| {
            let namespace = slice.metadata.namespace.as_str();
            here.contains(&key(slice)) || !(self.is_cut || self.missing.contains(&namespace))
        };
        self.other.items.iter().filter(is_known)
    }

    fn warn(&self, warnings: &mut Vec<Warning>) {
        let Self { name, .. } = self;
        let from = warnings.len();
        let received = &self.own.received;
        received.warn_of_cuts(&[("EndpointSlice", false)], warnings);
        for warning in warnings.iter_mut().skip(from) {
            warning.blocks_writes = false;
            warning.message = format!(
                "{name}: {}; slices that are not on these pages are ignored",
                warning.message
            );
        }
        if self.own.items.is_empty() {
            let rest = if self.missing.is_empty() {
                ""
            } else {
                "; those of the other input are ignored"
            };
            let message = format!("there are no EndpointSlices {name}{rest}");
            warnings.push(Warning::new(WarningCode::NoSlices, message));
        } else if let (Some(first), Some(own)) = (self.missing.first(), self.own.items.first()) {
            let others = match self.missing.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            let mut warning = Warning::new(
                WarningCode::NoSlices,
                format!(
                    "{name}: there are only slices of namespace {}, and those of {}{others} are ignored; fetch both inputs with `-A`, or both from one namespace",
                    shorten(&own.metadata.namespace),
                    shorten(first)
                ),
            );
            warning.namespaces = self.missing.iter().map(|name| (*name).into()).collect();
            warnings.push(warning);
        }
    }
}

fn key<'s>(slice: &'s EndpointSlice<'_>) -> (&'s str, &'s str) {
    (&slice.metadata.namespace, slice.name())
}
