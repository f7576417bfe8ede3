//! Feeds watch events and lists into whatever maintains the state of a cluster.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use slicewise::api::input::{self, Limits};
use slicewise::api::objects::{InputPart, leading_kind};
use slicewise::api::place;
use slicewise::json::{LayoutMemory, Raw};
use slicewise::model::Text;
use slicewise::model::object::slim_object;
use slicewise::{Code, Error};

use super::applied::AppliedEvents;
use super::events::{ReadEvent, read_first, read_some};
use super::lists::{Listed, read_list_part};
use crate::session::Session;
use crate::session::event::{ClusterEvent, Kind, Reception};

slim_object! {
    /// The fields that distinguish a list from an event.
    #[derive(Default)]
    struct ListOrEvent<'a>("watch event or list") {
        "kind" kind: Text<'a>;
        "type" event_type: Option<Raw<'a>>;
    }
}

/// What maintains the state of a cluster.
pub trait ClusterState {
    fn take(&mut self, event: &ClusterEvent<'_>) -> Reception;
    fn knows(&self, kind: Kind) -> bool;

    /// Is the kind being listed in pieces?
    fn is_listing(&self, kind: Kind) -> bool;

    /// All objects of the kind have been received.
    fn note_synced(&mut self, kind: Kind);
}

impl ClusterState for Session {
    fn take(&mut self, event: &ClusterEvent<'_>) -> Reception {
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

/// Takes one watch event, an array of them, a list, or several of these, each on its own line.
///
/// # Errors
/// Same as [`Session::apply`](super::Session::apply).
pub fn take_events(
    events: &[u8],
    limits: Limits,
    memory: &mut LayoutMemory,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
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
    memory: &mut LayoutMemory,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
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
    memory: &mut LayoutMemory,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
) -> Result<(), Error> {
    if !is_list(text)? {
        return take_all(read_some(InputPart::all(text), memory)?, kept, applied);
    }
    let listed = read_list_part(InputPart::all(text), memory)?;
    take_listed(listed, kept, applied).map_err(|error| place::locate(error, text))
}

/// Takes a list, or a page of one.
pub(super) fn take_listed(
    mut listed: Listed<'_>,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
) -> Result<(), Error> {
    listed.check_page(|kind| kept.is_listing(kind))?;
    listed.check(|kind| kept.knows(kind))?;
    if let Some(kind) = listed.kind().filter(|_| listed.continue_token.is_empty()) {
        check_complete(kind, kept, applied)?;
    }
    let ignored = core::mem::take(&mut listed.ignored);
    applied.continue_token.clone_from(&listed.continue_token);
    let version = listed.resource_version().to_string();
    let is_without = |kind: Kind| listed.is_mixed() && !listed.holds(kind);
    let without: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| is_without(*kind))
        .collect();
    for event in listed.into_events(|kind| kept.is_listing(kind)) {
        take_event(&event, kept, applied);
        if let ClusterEvent::Listed { kind, .. } | ClusterEvent::Synced(kind) = &event
            && !without.contains(kind)
        {
            note_listed(*kind, &version, kept, applied);
        }
    }
    ignored.into_iter().for_each(|kind| applied.ignore(kind));
    Ok(())
}

pub(super) fn take_event(
    event: &ClusterEvent<'_>,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
) {
    match (kept.take(event), event) {
        (Reception::Taken, ClusterEvent::Unreadable(object)) => applied.leave_out(object),
        (reception, _) => applied.count(reception),
    }
}

/// All objects of a kind have been received, in a list of that version.
fn note_listed(
    kind: Kind,
    version: &str,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
) {
    kept.note_synced(kind);
    applied.note_listed(kind);
    applied.note_version(kind, version);
}

/// An unreadable line may have been a piece of the listing that ends here.
fn check_complete(
    kind: Kind,
    kept: &dyn ClusterState,
    applied: &AppliedEvents,
) -> Result<(), Error> {
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
fn note_version(applied: &mut AppliedEvents, kept: &dyn ClusterState, kind: Kind, version: &str) {
    if !kept.is_listing(kind) {
        applied.note_version(kind, version);
    }
}

fn take_all(
    events: Vec<ReadEvent<'_>>,
    kept: &mut dyn ClusterState,
    applied: &mut AppliedEvents,
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
fn check_end(
    watched: &ReadEvent<'_>,
    kept: &dyn ClusterState,
    applied: &AppliedEvents,
) -> Result<(), Error> {
    match watched {
        ReadEvent::Bookmark {
            kind, is_end: true, ..
        } => check_complete(*kind, kept, applied),
        _ => Ok(()),
    }
}

fn take_watched(watched: ReadEvent<'_>, kept: &mut dyn ClusterState, applied: &mut AppliedEvents) {
    match watched {
        ReadEvent::Bookmark {
            kind,
            resource_version,
            is_end,
        } => {
            applied.bookmarks += 1;
            if is_end {
                kept.take(&ClusterEvent::Synced(kind));
                kept.note_synced(kind);
                applied.note_listed(kind);
            }
            note_version(applied, kept, kind, &resource_version);
        }
        ReadEvent::Event(event) => {
            take_event(&event, kept, applied);
            let (kind, version) = match &event {
                ClusterEvent::Set(object) => (object.kind(), &*object.resource_version),
                ClusterEvent::Unreadable(object) => (object.kind, &*object.resource_version),
                ClusterEvent::Removed {
                    kind,
                    resource_version,
                    ..
                } => (*kind, &**resource_version),
                _ => return,
            };
            note_version(applied, kept, kind, version);
        }
        ReadEvent::Ended(status) => applied.ended = Some(status.into()),
        ReadEvent::Ignored(kind) => applied.ignore(kind),
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
