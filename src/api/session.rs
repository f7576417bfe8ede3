//! A session on bytes: events in, plans out.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::events::{Watched, read_some};
use super::input::{self, Limits};
use super::lists::read_list_part;
use super::objects::{Part, leading_kind};
use super::plan::{check_names, check_options, check_slices};
use super::snapshot::IgnoredKinds;
use super::{encode, place};
use crate::json::{Memory, Raw};
use crate::model::NamespacedName;
use crate::model::Text;
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::plan::request::Options;
use crate::session::dump::{self, Dump};
use crate::session::event::{Event, Kind, Reception};
use crate::{Code, Error, session};
use serde::Serialize;

/// A cluster as last seen; see [`session::Session`].
pub struct Session {
    session: session::Session,
    /// What objects looked like in the last events.
    memory: Memory,
}

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

slim_object! {
    /// What tells a list from an event.
    #[derive(Default)]
    struct Head<'a>("watch event or list") {
        "kind" kind: Text<'a>;
        "type" event_type: Option<Raw<'a>>;
    }
}

impl Session {
    /// An empty cluster; `options` is JSON, or empty for the defaults.
    ///
    /// # Errors
    /// When they cannot be read or hold a value that cannot be used.
    pub fn new(options: &[u8]) -> Result<Self, Error> {
        let text = input::text(options, Limits::default())?;
        let options = if text.trim().is_empty() {
            Options::default()
        } else {
            input::decode::<Options<'_>>(text)?
        };
        check_options(&options, "").map_err(|error| place::locate(error, text))?;
        Ok(Self::of(session::Session::new(options.into_owned())))
    }

    /// The session that [`Session::dump`] has written.
    ///
    /// # Errors
    /// When the dump cannot be read or holds a value that cannot be used.
    pub fn restore(dump: &[u8], limits: Limits) -> Result<Self, Error> {
        let text = input::text(dump, limits)?;
        let dump: Dump<'_> = input::decode(text)?;
        check_dump(&dump).map_err(|error| place::locate(error, text))?;
        Ok(Self::of(session::Session::restored(dump)))
    }

    fn of(session: session::Session) -> Self {
        Self {
            session,
            memory: Memory::default(),
        }
    }

    /// Takes one watch event, an array of them, a list (`PodList`, `List`, …) of all there is of its kinds, or several
    /// of these, each on its own line. The answer is [`Applied`].
    ///
    /// # Errors
    /// When the event, array or list cannot be read, or is a list that cannot be one of all there is; then nothing of it
    /// is taken. Of several lines, the first of which must be whole, those that can be read are taken, and the answer
    /// says what is wrong with the others.
    pub fn apply(&mut self, events: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
        let text = input::text(events, limits)?;
        let mut applied = Applied::default();
        // Most inputs are the usual event, and nobody has to look for lines in it.
        if text.starts_with(EVENT)
            && let Ok(events) = read_some(Part::all(text), &mut self.memory)
        {
            self.take_events(events, &mut applied);
            return encode(&applied);
        }
        match lines(text) {
            None => self.take(text, &mut applied)?,
            Some(lines) => {
                for (number, line) in (1..).zip(lines) {
                    if line.trim().is_empty() {
                        continue;
                    }
                    if let Err(error) = self.take(line, &mut applied) {
                        applied.refuse(number, error);
                    }
                }
            }
        }
        encode(&applied)
    }

    /// The plan of a Service, `namespace/name`: that of a fresh request over the same objects, with the state that the
    /// last plan left and the trigger time of what has changed since. `null` where there is no such Service.
    ///
    /// # Errors
    /// When `service` is no namespace and name.
    pub fn sync(&mut self, service: &str) -> Result<Vec<u8>, Error> {
        let key = service_key(service)?;
        let plan = self.session.sync_with(&key, |plan| encode(&plan));
        plan.unwrap_or_else(|| Ok(b"null".to_vec()))
    }

    /// The Services there are, as a list of `namespace/name`, in order.
    ///
    /// # Errors
    /// Never; the type is that of all answers.
    pub fn services(&self) -> Result<Vec<u8>, Error> {
        let keys = self.session.keys(Kind::Service);
        encode(
            &keys
                .iter()
                .map(NamespacedName::to_string)
                .collect::<Vec<_>>(),
        )
    }

    /// The whole session, for [`Session::restore`].
    ///
    /// # Errors
    /// Never; the type is that of all answers.
    pub fn dump(&self) -> Result<Vec<u8>, Error> {
        encode(&self.session)
    }

    /// The session itself.
    pub const fn session(&self) -> &session::Session {
        &self.session
    }

    fn take(&mut self, text: &str, applied: &mut Applied) -> Result<(), Error> {
        if is_list(text)? {
            let listed = read_list_part(Part::all(text), &mut self.memory)?;
            let is_known = |kind| self.session.knows(kind);
            let checked = listed.check(is_known);
            checked.map_err(|error| place::locate(error, text))?;
            for event in &listed.events {
                applied.count(self.session.apply(event));
            }
            listed
                .ignored
                .into_iter()
                .for_each(|kind| applied.ignore(kind));
            return Ok(());
        }
        let events = read_some(Part::all(text), &mut self.memory)?;
        self.take_events(events, applied);
        Ok(())
    }

    fn take_events(&mut self, events: Vec<Watched<'_>>, applied: &mut Applied) {
        for watched in events {
            match watched {
                Watched::Event(Event::Synced(_)) | Watched::Bookmark => applied.bookmarks += 1,
                Watched::Event(event) => applied.count(self.session.apply(&event)),
                Watched::Ignored(kind) => applied.ignore(kind),
            }
        }
    }
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

fn service_key(service: &str) -> Result<NamespacedName, Error> {
    let key = service.split_once('/').filter(|(_, name)| {
        let has_more = name.contains('/');
        !name.is_empty() && !has_more
    });
    let Some((namespace, name)) = key else {
        let message = format!(
            "`{}` is no Service; write it `namespace/name`",
            shorten(service)
        );
        return Err(Error::new(Code::InvalidValue, message));
    };
    Ok(NamespacedName {
        namespace: namespace.into(),
        name: name.into(),
    })
}

fn check_dump(dump: &Dump<'_>) -> Result<(), Error> {
    if dump.version != dump::VERSION {
        let message = format!(
            "a dump of version {} cannot be read; it must be {}",
            dump.version,
            dump::VERSION
        );
        return Err(Error::new(Code::Unsupported, message).at("/version"));
    }
    check_options(&dump.options, "/options")?;
    check_names("/services", &dump.services)?;
    check_names("/pods", &dump.pods)?;
    check_names("/nodes", &dump.nodes)?;
    check_names("/slices", &dump.slices)?;
    check_slices("/slices", &dump.slices)?;
    check_states(dump)
}

/// Each state is of a Service there is, and the only one of it.
fn check_states(dump: &Dump<'_>) -> Result<(), Error> {
    let services: BTreeSet<_> = dump.services.iter().map(NamespacedName::of).collect();
    let mut seen = BTreeSet::new();
    for (index, state) in dump.states.iter().enumerate() {
        let wrong = |code, message| Err(Error::new(code, message).at(format!("/states/{index}")));
        let key = NamespacedName {
            namespace: state.namespace.to_string(),
            name: state.name.to_string(),
        };
        if !services.contains(&key) {
            let message = format!("the dump has a state of Service `{key}`, but not the Service");
            return wrong(Code::InvalidValue, message);
        }
        if seen.contains(&key) {
            let message = format!("the dump has two states of Service `{key}`");
            return wrong(Code::DuplicateName, message);
        }
        seen.insert(key);
    }
    Ok(())
}
