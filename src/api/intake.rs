//! Watch events and lists, taken into whatever keeps a cluster up to date.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::events::{Watched, read_some};
use super::input::{self, Limits};
use super::lists::read_list_part;
use super::objects::{Part, leading_kind};
use super::place;
use super::snapshot::IgnoredKinds;
use crate::Error;
use crate::admission::Context;
use crate::json::{Memory, Raw};
use crate::model::Text;
use crate::model::object::slim_object;
use crate::session::Session;
use crate::session::event::{Event, Kind, Reception};

/// What became of events.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Applied {
    /// Events that were taken. A list counts once for each kind it holds.
    pub taken: usize,
    /// Events that came late: a later version of the object was known.
    pub late: usize,
    /// Deletions of objects that were not known.
    pub unknown: usize,
    /// Bookmarks.
    pub bookmarks: usize,
    /// Objects of kinds that plans do not depend on, counted.
    pub ignored: IgnoredKinds,
    /// Lines that could not be read, where several lines were given; they changed nothing. The first 100 of them.
    pub errors: Vec<LineError>,
    /// How many more there were; left out when none.
    #[serde(rename = "moreErrors", skip_serializing_if = "Option::is_none")]
    pub more_errors: Option<usize>,
}

/// How many lines that cannot be read are told one by one.
const MOST_ERRORS: usize = 100;

/// A line that could not be read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it; positions are within the line.
    pub error: Error,
}

impl Applied {
    const fn count(&mut self, reception: Reception) {
        match reception {
            Reception::Taken => self.taken += 1,
            Reception::Late => self.late += 1,
            Reception::Unknown => self.unknown += 1,
        }
    }

    fn refuse(&mut self, line: usize, error: Error) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(LineError { line, error });
        } else {
            *self.more_errors.get_or_insert(0) += 1;
        }
    }

    fn ignore(&mut self, kind: String) {
        *self.ignored.or_default(kind) += 1;
    }
}

slim_object! {
    /// What tells a list from an event.
    #[derive(Default)]
    struct Head<'a>("watch event or list") {
        "kind" kind: Text<'a>;
        "type" event_type: Option<Raw<'a>>;
    }
}

/// What keeps a cluster up to date.
pub(super) trait Kept {
    fn take(&mut self, event: &Event<'_>) -> Reception;
    fn knows(&self, kind: Kind) -> bool;

    /// All there is of a kind has been told.
    fn note_told(&mut self, kind: Kind);
}

impl Kept for Session {
    fn take(&mut self, event: &Event<'_>) -> Reception {
        self.apply(event)
    }

    fn knows(&self, kind: Kind) -> bool {
        Self::knows(self, kind)
    }

    fn note_told(&mut self, _: Kind) {}
}

impl Kept for Context {
    fn take(&mut self, event: &Event<'_>) -> Reception {
        self.apply(event)
    }

    fn knows(&self, kind: Kind) -> bool {
        self.session().knows(kind)
    }

    fn note_told(&mut self, kind: Kind) {
        Self::note_told(self, kind);
    }
}

/// Takes one watch event, an array of them, a list, or several of these, each on its own line.
///
/// # Errors
/// As [`Session::apply`](super::Session::apply).
pub(super) fn take_events(
    events: &[u8],
    limits: Limits,
    memory: &mut Memory,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) -> Result<(), Error> {
    let text = input::text(events, limits)?;
    // Most inputs are the usual event, and nobody has to look for lines in it.
    if text.starts_with(EVENT)
        && let Ok(events) = read_some(Part::all(text), memory)
    {
        take_all(events, kept, applied);
        return Ok(());
    }
    let Some(lines) = lines(text) else {
        return take(text, memory, kept, applied);
    };
    for (number, line) in (1..).zip(lines) {
        if line.trim().is_empty() {
            continue;
        }
        if let Err(error) = take(line, memory, kept, applied) {
            applied.refuse(number, error);
        }
    }
    Ok(())
}

fn take(
    text: &str,
    memory: &mut Memory,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) -> Result<(), Error> {
    if !is_list(text)? {
        take_all(read_some(Part::all(text), memory)?, kept, applied);
        return Ok(());
    }
    let listed = read_list_part(Part::all(text), memory)?;
    let checked = listed.check(|kind| kept.knows(kind));
    checked.map_err(|error| place::locate(error, text))?;
    for event in &listed.events {
        applied.count(kept.take(event));
        if let Event::Listed { kind, objects, .. } = event
            && !(listed.is_mixed() && objects.is_empty())
        {
            kept.note_told(*kind);
        }
    }
    let ignored = listed.ignored.into_iter();
    ignored.for_each(|kind| applied.ignore(kind));
    Ok(())
}

fn take_all(events: Vec<Watched<'_>>, kept: &mut dyn Kept, applied: &mut Applied) {
    for watched in events {
        match watched {
            Watched::Event(event @ Event::Synced(kind)) => {
                kept.take(&event);
                kept.note_told(kind);
                applied.bookmarks += 1;
            }
            Watched::Bookmark => applied.bookmarks += 1,
            Watched::Event(event) => applied.count(kept.take(&event)),
            Watched::Ignored(kind) => applied.ignore(kind),
        }
    }
}

/// The lines of an input that is more than one value; `None` where it is one, or none. The first line must be whole, so
/// that a value on several lines that is cut off is one that cannot be read, not many.
fn lines(text: &str) -> Option<core::str::Lines<'_>> {
    let is_value = |text: &str| input::decode_raw(text).is_ok();
    // Nearly all input is one line.
    let is_several = || {
        let first = text.lines().find(|line| !line.trim().is_empty());
        let first = first.filter(|line| line.trim_start().starts_with(['{', '[']));
        first.is_some_and(is_value)
    };
    let is_several = text.trim().contains('\n') && !is_value(text) && is_several();
    is_several.then(|| text.lines())
}

/// What an API server sends begins so, and so do nearly all events.
const EVENT: &str = r#"{"type":"#;

fn is_list(text: &str) -> Result<bool, Error> {
    if text.starts_with(EVENT) || text.trim_start().starts_with('[') {
        return Ok(false);
    }
    if let Some(kind) = leading_kind(text)
        && kind.ends_with("List")
    {
        return Ok(true);
    }
    let head: Head<'_> = input::decode(text)?;
    Ok(head.event_type.is_none() && head.kind.ends_with("List"))
}
