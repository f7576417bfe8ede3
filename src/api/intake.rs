//! Feeds watch events and lists into whatever maintains the state of a cluster.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::events::{Status, Watched, read_first, read_some};
use super::input::{self, Limits};
use super::lists::read_list_part;
use super::objects::{Part, leading_kind};
use super::place;
use super::snapshot::IgnoredKinds;
use crate::admission::Context;
use crate::json::{Memory, Raw};
use crate::model::object::slim_object;
use crate::model::{SortedMap, Text};
use crate::session::Session;
use crate::session::event::{Event, Kind, Reception};
use crate::{Code, Error};

/// The result of taking in events.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Applied {
    /// Events that were applied. A complete list counts once for each kind it contains; a page of a list counts its
    /// objects.
    pub taken: usize,
    /// Events that were ignored because a later version of the object was known.
    pub late: usize,
    /// Deletions of objects that were not known.
    pub unknown: usize,
    /// Bookmarks.
    pub bookmarks: usize,
    /// The number of objects of kinds that plans do not depend on, by kind.
    pub ignored: IgnoredKinds,
    /// Kinds that are completely listed as of this input; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<&'static str>,
    /// The `resourceVersion` from which a watch can be resumed, by kind: the last one in this input. Left out if there
    /// is none, as in an incomplete list.
    #[serde(
        default,
        rename = "resourceVersions",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub resource_versions: SortedMap<&'static str, String>,
    /// The token that requests the next page of the list; left out on the last page.
    #[serde(default, rename = "continue", skip_serializing_if = "String::is_empty")]
    pub continue_token: String,
    /// The error that ended the watch; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<WatchError>,
    /// Lines that could not be read, if the input has several lines; they changed nothing. Only the first 100 are
    /// reported.
    pub errors: Vec<LineError>,
    /// The number of further unreadable lines; left out if there are none.
    #[serde(rename = "moreErrors", skip_serializing_if = "Option::is_none")]
    pub more_errors: Option<usize>,
}

/// Why an API server ended a watch. After `410`, list again.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WatchError {
    /// The HTTP status code; left out if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// The reason in one word, such as `Expired`.
    pub reason: String,
    /// The message for humans.
    pub message: String,
}

impl From<Status<'_>> for WatchError {
    fn from(status: Status<'_>) -> Self {
        Self {
            code: status.code,
            reason: status.reason.to_string(),
            message: status.message.to_string(),
        }
    }
}

/// How many unreadable lines are reported individually.
const MOST_ERRORS: usize = 100;

/// A line that could not be read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LineError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong with the line; positions are within the line.
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

    fn note_version(&mut self, kind: Kind, version: &str) {
        if !version.is_empty() {
            let known = self.resource_versions.or_default(kind.as_str());
            known.clear();
            known.push_str(version);
        }
    }

    fn note_listed(&mut self, kind: Kind) {
        if !self.listed.contains(&kind.as_str()) {
            self.listed.push(kind.as_str());
        }
    }
}

slim_object! {
    /// The fields that distinguish a list from an event.
    #[derive(Default)]
    struct ListOrEvent<'a>("watch event or list") {
        "kind" kind: Text<'a>;
        "type" event_type: Option<Raw<'a>>;
    }
}

/// What maintains the state of a cluster.
pub(super) trait Kept {
    fn take(&mut self, event: &Event<'_>) -> Reception;
    fn knows(&self, kind: Kind) -> bool;

    /// Is the kind being listed in pieces?
    fn is_listing(&self, kind: Kind) -> bool;

    /// All objects of the kind have been received.
    fn note_synced(&mut self, kind: Kind);
}

impl Kept for Session {
    fn take(&mut self, event: &Event<'_>) -> Reception {
        self.apply(event)
    }

    fn knows(&self, kind: Kind) -> bool {
        Self::knows(self, kind)
    }

    fn is_listing(&self, kind: Kind) -> bool {
        Self::is_listing(self, kind)
    }

    fn note_synced(&mut self, _: Kind) {}
}

impl Kept for Context {
    fn take(&mut self, event: &Event<'_>) -> Reception {
        self.apply(event)
    }

    fn knows(&self, kind: Kind) -> bool {
        self.session().knows(kind)
    }

    fn is_listing(&self, kind: Kind) -> bool {
        self.session().is_listing(kind)
    }

    fn note_synced(&mut self, kind: Kind) {
        Self::note_synced(self, kind);
    }
}

/// Takes one watch event, an array of them, a list, or several of these, each on its own line.
///
/// # Errors
/// Same as [`Session::apply`](super::Session::apply).
pub(super) fn take_events(
    events: &[u8],
    limits: Limits,
    memory: &mut Memory,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) -> Result<(), Error> {
    let text = input::text(events, limits)?;
    // Most inputs are one ordinary event, or several of them, each on its own line.
    if text.starts_with(EVENT)
        && let Ok((event, end)) = read_first(text, memory)
        && let Some(rest) = lines_behind(text, end)
    {
        check_end(&event, kept, applied)?;
        take_watched(event, kept, applied);
        take_lines(2, rest.lines(), memory, kept, applied);
        return Ok(());
    }
    match lines(text) {
        Some(lines) => take_lines(1, lines, memory, kept, applied),
        None => take(text, memory, kept, applied)?,
    }
    Ok(())
}

fn take_lines<'a>(
    first: usize,
    lines: impl Iterator<Item = &'a str>,
    memory: &mut Memory,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) {
    for (number, line) in (first..).zip(lines) {
        if line.trim().is_empty() {
            continue;
        }
        if let Err(error) = take(line, memory, kept, applied) {
            applied.refuse(number, error);
        }
    }
}

fn take(
    text: &str,
    memory: &mut Memory,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) -> Result<(), Error> {
    if !is_list(text)? {
        return take_all(read_some(Part::all(text), memory)?, kept, applied);
    }
    let mut listed = read_list_part(Part::all(text), memory)?;
    listed
        .check_page(|kind| kept.is_listing(kind))
        .and_then(|()| listed.check(|kind| kept.knows(kind)))
        .map_err(|error| place::locate(error, text))?;
    if let Some(kind) = listed.kind().filter(|_| listed.continue_token.is_empty()) {
        check_complete(kind, kept, applied)?;
    }
    let ignored = core::mem::take(&mut listed.ignored);
    applied.continue_token.clone_from(&listed.continue_token);
    let is_mixed = listed.is_mixed();
    let version = listed.resource_version().to_string();
    let events = listed.into_events(|kind| kept.is_listing(kind));
    for event in &events {
        applied.count(kept.take(event));
        if let Event::Listed { kind, .. } | Event::Synced(kind) = event
            && !(is_mixed && is_empty(event))
        {
            kept.note_synced(*kind);
            applied.note_listed(*kind);
            applied.note_version(*kind, &version);
        }
    }
    ignored.into_iter().for_each(|kind| applied.ignore(kind));
    Ok(())
}

/// Does a list have no object of its kind?
const fn is_empty(event: &Event<'_>) -> bool {
    matches!(event, Event::Listed { objects, .. } if objects.is_empty())
}

/// An unreadable line may have been a piece of the listing that ends here.
fn check_complete(kind: Kind, kept: &dyn Kept, applied: &Applied) -> Result<(), Error> {
    if applied.errors.is_empty() || !kept.is_listing(kind) {
        return Ok(());
    }
    let message = format!(
        "an earlier line could not be read, so the listing of {}s is incomplete; start it again",
        kind.as_str()
    );
    Err(Error::new(Code::InvalidValue, message))
}

/// The objects of a listing do not come in the order of their versions.
fn note_version(applied: &mut Applied, kept: &dyn Kept, kind: Kind, version: &str) {
    if !kept.is_listing(kind) {
        applied.note_version(kind, version);
    }
}

fn take_all(
    events: Vec<Watched<'_>>,
    kept: &mut dyn Kept,
    applied: &mut Applied,
) -> Result<(), Error> {
    for watched in &events {
        check_end(watched, kept, applied)?;
    }
    for watched in events {
        take_watched(watched, kept, applied);
    }
    Ok(())
}

/// If it ends a listing, that listing must be whole.
fn check_end(watched: &Watched<'_>, kept: &dyn Kept, applied: &Applied) -> Result<(), Error> {
    match watched {
        Watched::Bookmark {
            kind, is_end: true, ..
        } => check_complete(*kind, kept, applied),
        _ => Ok(()),
    }
}

fn take_watched(watched: Watched<'_>, kept: &mut dyn Kept, applied: &mut Applied) {
    match watched {
        Watched::Bookmark {
            kind,
            resource_version,
            is_end,
        } => {
            applied.bookmarks += 1;
            if is_end {
                kept.take(&Event::Synced(kind));
                kept.note_synced(kind);
                applied.note_listed(kind);
            }
            note_version(applied, kept, kind, &resource_version);
        }
        Watched::Event(event) => {
            applied.count(kept.take(&event));
            if let Event::Set(object) = &event {
                note_version(applied, kept, object.kind(), &object.resource_version);
            }
            if let Event::Removed {
                kind,
                resource_version,
                ..
            } = &event
            {
                note_version(applied, kept, *kind, resource_version);
            }
        }
        Watched::Ended(status) => applied.ended = Some(status.into()),
        Watched::Ignored(kind) => applied.ignore(kind),
    }
}

/// The lines behind a value that ends there, if it is all there is or a line of its own.
fn lines_behind(text: &str, end: usize) -> Option<&str> {
    let (value, behind) = text.split_at_checked(end)?;
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    if behind.as_bytes().iter().all(is_blank) {
        return Some("");
    }
    let behind = behind.trim_start_matches([' ', '\r', '\t']);
    behind.strip_prefix('\n').filter(|_| !value.contains('\n'))
}

/// The lines of an input that holds more than one value; `None` if it holds one, or none. The first line must be a
/// complete value, so that a truncated value that spans several lines is one error, not many.
fn lines(text: &str) -> Option<core::str::Lines<'_>> {
    let is_value = |text: &str| input::decode_raw(text).is_ok();
    // Nearly all inputs are one line.
    let is_several = || {
        let first = text.lines().find(|line| !line.trim().is_empty());
        let first = first.filter(|line| line.trim_start().starts_with(['{', '[']));
        first.is_some_and(is_value)
    };
    let is_several = text.trim().contains('\n') && !is_value(text) && is_several();
    is_several.then(|| text.lines())
}

/// How an API server, and nearly every other source, begins an event.
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
    let head: ListOrEvent<'_> = input::decode(text)?;
    Ok(head.event_type.is_none() && head.kind.ends_with("List"))
}
