//! A session as bytes: events in, plans out.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use slicewise::api::input::{self, Limits};
use slicewise::api::names::check_names;
use slicewise::api::options::check_options;
use slicewise::api::slice_check::check_slices;
use slicewise::api::{Given, encode, encode_plan, place};
use slicewise::json::LayoutMemory;
use slicewise::model::NamespacedName;
use slicewise::model::order::gathered;
use slicewise::model::text::shorten;
use slicewise::plan::request::Options;
use slicewise::{Code, Error};

use super::applied::AppliedEvents;
use super::intake::take_events;
use super::list_pieces::ListPieces;
use crate::session;
use crate::session::dump::{self, Dump};
use crate::session::event::Kind;

/// A cluster as last seen; see [`session::Session`].
pub struct Session {
    session: session::Session,
    /// The layout of recent objects, which speeds up reading.
    memory: LayoutMemory,
}

impl Session {
    /// A session with an empty cluster; `options` is JSON, or empty for the defaults.
    ///
    /// # Errors
    /// When they cannot be read or hold a value that cannot be used.
    pub fn new<'o>(options: impl Into<Given<'o>>) -> Result<Self, Error> {
        let given = options.into();
        let options: Options<'_> = given.read_or_default(Limits::default())?;
        check_options(&options, "").map_err(|error| given.locate(error))?;
        Ok(Self::of(session::Session::new(options.into_owned())))
    }

    /// Restores a session that was written by [`Session::dump`].
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
            memory: LayoutMemory::default(),
        }
    }

    /// Takes one watch event, an array of them, a list (`PodList`, `List`, …) of everything of its kinds, or several of
    /// these, each on its own line. The answer is [`AppliedEvents`] as JSON. After an event `LISTING` of a kind, its list
    /// comes in pieces: pages, or the events up to the bookmark that ends the initial ones. Objects in none of the pieces
    /// are gone.
    ///
    /// # Errors
    /// When the event, array or list cannot be read, or is a list that cannot be complete; nothing of it is taken then.
    /// Of several lines, the first of which must be a complete value, the readable ones are taken, and the answer says
    /// what is wrong with the others.
    pub fn apply(&mut self, events: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
        self.applied(events, limits)?.to_json()
    }

    /// Like [`Session::apply`], for callers that want more than JSON.
    ///
    /// # Errors
    /// Same as [`Session::apply`].
    pub fn applied(&mut self, events: &[u8], limits: Limits) -> Result<AppliedEvents, Error> {
        let mut applied = AppliedEvents::default();
        take_events(
            events,
            limits,
            &mut self.memory,
            &mut self.session,
            &mut applied,
        )?;
        Ok(applied)
    }

    /// Takes the next bytes of a page of a list, and applies its objects as they come. Its kind must be being listed: an
    /// event `LISTING` comes first.
    ///
    /// # Errors
    /// When it cannot be read, as soon as that can be detected. Then the listing must start again.
    pub fn push_list(&mut self, list: &mut ListPieces, bytes: &[u8]) -> Result<(), Error> {
        list.push(bytes, &mut self.session)
    }

    /// Ends a page of a list: the same as if [`Session::apply`] had taken it whole.
    ///
    /// # Errors
    /// When it is cut off, or no list. Then the listing must start again.
    pub fn finish_list(&mut self, list: ListPieces) -> Result<AppliedEvents, Error> {
        list.finish(&mut self.session)
    }

    /// The plan of a Service, `namespace/name`: the same as for a new request over the same objects, with the state
    /// left by the last plan and the trigger time of the changes since. `null` if the Service does not exist.
    ///
    /// # Errors
    /// When `service` is not a namespace and name.
    pub fn sync(&mut self, service: &str) -> Result<Vec<u8>, Error> {
        let key = service_key(service)?;
        let plan = self.session.sync_with(&key, |mut plan| {
            plan.unchanged.write_at_once();
            encode_plan(&plan)
        });
        plan.unwrap_or_else(|| Ok(b"null".to_vec()))
    }

    /// All Services, as a sorted list of `namespace/name`.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
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
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn dump(&self) -> Result<Vec<u8>, Error> {
        encode(&self.session)
    }

    /// The session itself.
    pub const fn session(&self) -> &session::Session {
        &self.session
    }
}

fn service_key(service: &str) -> Result<NamespacedName, Error> {
    let key = service.split_once('/').filter(|(_, name)| {
        let has_more = name.contains('/');
        !name.is_empty() && !has_more
    });
    let Some((namespace, name)) = key else {
        let message = format!(
            "`{}` is not a Service; write it as `namespace/name`",
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

/// Each state belongs to an existing Service, which has only one.
fn check_states(dump: &Dump<'_>) -> Result<(), Error> {
    let services: BTreeSet<_> = gathered(dump.services.iter().map(NamespacedName::of));
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
