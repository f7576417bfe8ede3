//! Open sessions; see [`slicewise_live::json::Session`].

use slicewise::Error;
use slicewise::api::Limits;
use slicewise::json::Raw;
use slicewise::model::Text;
use slicewise::model::object::slim_object;
use slicewise_live::json::Session;

use crate::Instance;
use crate::arguments::{EventsCall, HandleCall, at, limits, read, text};

/// A session, and the size limit of its inputs.
pub(crate) struct HeldSession {
    session: Session,
    limits: Limits,
}

slim_object! {
    /// Of `session.open`.
    #[derive(Default)]
    struct OpenSession<'a>("input of session.open") refuse {
        "options" options: Option<Raw<'a>>;
        "maxInputBytes" max_input_bytes: Option<u32>;
    }
}

slim_object! {
    /// Of `session.restore`.
    #[derive(Default)]
    struct RestoreSession<'a>("input of session.restore") refuse {
        "dump" dump: Option<Raw<'a>> = required;
        "maxInputBytes" max_input_bytes: Option<u32>;
    }
}

slim_object! {
    /// Of `session.sync`.
    #[derive(Default)]
    struct SyncCall<'a>("input of session.sync") refuse {
        "handle" handle: u32 = required;
        "service" service: Text<'a> = required;
    }
}

impl Instance {
    pub(crate) fn open_session(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: OpenSession<'_> = read(input)?;
        let session = Session::new(text(given.options)).map_err(at("/options"))?;
        let limits = limits(given.max_input_bytes);
        self.sessions.open(HeldSession { session, limits })
    }

    pub(crate) fn restore_session(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: RestoreSession<'_> = read(input)?;
        let limits = limits(given.max_input_bytes);
        let session = Session::restore(text(given.dump), limits).map_err(at("/dump"))?;
        self.sessions.open(HeldSession { session, limits })
    }

    pub(crate) fn apply_to_session(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: EventsCall<'_> = read(input)?;
        let HeldSession { session, limits } = self.sessions.get(given.handle)?;
        session
            .apply(text(given.events), *limits)
            .map_err(at("/events"))
    }

    pub(crate) fn sync(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let given: SyncCall<'_> = read(input)?;
        let held = self.sessions.get(given.handle)?;
        held.session.sync(&given.service).map_err(at("/service"))
    }

    pub(crate) fn services(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let HandleCall { handle } = read(input)?;
        self.sessions.get(handle)?.session.services()
    }

    pub(crate) fn dump(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let HandleCall { handle } = read(input)?;
        self.sessions.get(handle)?.session.dump()
    }

    pub(crate) fn close_session(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let HandleCall { handle } = read(input)?;
        self.sessions.close(handle)
    }
}
