//! The controller as a stream: one JSON line in, the resulting lines out, in virtual time.
//!
//! The first line may hold a configuration. Each other line has a time in milliseconds, `at`, which never goes back,
//! and what happens then. What is due between one line and the next happens first, at its own time. With `apply: auto`,
//! plans are written to an in-memory API server, whose events arrive after `watchLag`; with `manual`, lines with a
//! `result` report how the writes ended. A line that cannot be read is answered with its error and changes nothing.

mod answer;
mod calls;
pub(super) mod describe;
mod manual;
#[doc(hidden)]
pub mod record;
mod step;
mod world;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use crate::api_server::{ApiServer, StoreOutcome, StoredChange};
use slicewise::api::input::{self, Limits};
use slicewise::api::place;
use slicewise::json::LayoutMemory;
use slicewise::model::NamespacedName;
use slicewise::plan::Plan;
use slicewise::{Code, Error, json};

use super::events::ReadEvent;
use super::lists::Listed;
use crate::controller::{ClusterEvent, Command, Controller, Kind, Reception};
use crate::session::event::Unreadable;
use answer::{AnswerLines, Ignored, IgnoredCounts, IgnoredReason, SyncEnd};
use record::{Record, StreamSettings};
use step::{ControllerStep, read_step, time_of};

/// A controller and its environment.
pub struct ControllerStream {
    controller: Controller,
    /// `None` with `apply: manual`.
    server: Option<ApiServer>,
    watch_lag: Duration,
    /// The server's changes that have not arrived yet, with their times of arrival.
    arriving: VecDeque<(Duration, StoredChange)>,
    /// Plans whose results have not been reported yet, with `apply: manual`.
    pending: BTreeMap<NamespacedName, Plan<'static>>,
    ignored: IgnoredCounts,
    now: Duration,
    has_started: bool,
    /// The layout of recent lines, which speeds up reading.
    memory: LayoutMemory,
    /// The configuration was refused, so the following lines were not meant for the default.
    lacks_config: bool,
}

impl Default for ControllerStream {
    fn default() -> Self {
        Self::new(StreamSettings::default())
    }
}

/// What is kept of a plan.
enum KeptPlan {
    /// The caller writes it.
    Pending(Box<Plan<'static>>),
    /// It has been written, up to the first refusal.
    Written(StoreOutcome),
}

impl ControllerStream {
    fn new(settings: StreamSettings) -> Self {
        let kubernetes = settings.controller.options.settings().kubernetes;
        let server = || {
            let mut server = ApiServer::default();
            server.set_kubernetes(kubernetes);
            server
        };
        Self {
            controller: Controller::new(settings.controller),
            server: settings.applies.then(server),
            watch_lag: settings.watch_lag,
            arriving: VecDeque::new(),
            pending: BTreeMap::new(),
            ignored: IgnoredCounts::default(),
            now: Duration::ZERO,
            has_started: false,
            memory: LayoutMemory::default(),
            lacks_config: false,
        }
    }

    /// The controller.
    pub const fn controller(&self) -> &Controller {
        &self.controller
    }

    /// The in-memory API server; `None` with `apply: manual`.
    pub const fn server(&self) -> Option<&ApiServer> {
        self.server.as_ref()
    }

    /// Takes a line and appends the resulting lines, each with its line end, to `output`.
    ///
    /// # Errors
    /// When the line cannot be read or is inconsistent; its answer is [`Error::to_json`], after what was appended to
    /// `output`. A line that cannot be read changes nothing; any other error leaves the time advanced. After a
    /// configuration is refused, every line is, until an acceptable one comes.
    pub fn feed(&mut self, line: &[u8], limits: Limits, output: &mut Vec<u8>) -> Result<(), Error> {
        let mut lines = AnswerLines::default();
        let result = self.take(line, limits, &mut lines);
        if let Err(error) = &result
            && !self.has_started
        {
            self.lacks_config |= is_config(line, error);
        }
        output.extend(lines.0);
        result
    }

    fn take(&mut self, line: &[u8], limits: Limits, lines: &mut AnswerLines) -> Result<(), Error> {
        let text = input::text(line, limits)?;
        let record: Record<'_> = input::decode_line(text, &mut self.memory)?;
        let located = |error: Error| place::locate(error, text);
        if let Some(config) = record.config {
            let settings = config.settings().map_err(located)?;
            if self.has_started {
                let error = Error::new(
                    Code::InvalidValue,
                    "`config` is only allowed in the first line",
                );
                return Err(located(error.at("/config")));
            }
            *self = Self::new(settings);
            self.has_started = true;
            return Ok(());
        }
        if self.lacks_config {
            let message = "the configuration was rejected; give a valid one before anything else";
            return Err(Error::new(Code::InvalidValue, message));
        }
        let at = time_of(&record)
            .and_then(|at| self.check_time(at).map_err(|error| error.at("/at")))
            .map_err(located)?;
        let step = read_step(text, record, &mut self.memory)?;
        if let ControllerStep::Other(record) = &step {
            record.check().map_err(located)?;
        }
        self.step(at, step, lines).map_err(located)
    }

    /// Advances time, takes a step, and does everything that results from it.
    fn step(
        &mut self,
        at: Duration,
        step: ControllerStep<'_>,
        lines: &mut AnswerLines,
    ) -> Result<(), Error> {
        let metrics = match &step {
            ControllerStep::Other(record) => record.metrics()?,
            ControllerStep::Listed(listed) => {
                listed.check_page(|kind| self.controller.is_listing(kind))?;
                None
            }
            ControllerStep::Watched(_) => None,
        };
        self.has_started = true;
        self.advance(at, lines);
        match step {
            ControllerStep::Watched(watched) => self.watch(watched, lines),
            ControllerStep::Listed(listed) => self.list(listed, lines)?,
            ControllerStep::Other(record) => self.happen(*record)?,
        }
        self.work(lines);
        self.advance(at, lines);
        if let Some(form) = metrics {
            lines.metrics(at, self.controller.metrics().gather(), form);
        }
        Ok(())
    }

    fn check_time(&self, at: Duration) -> Result<Duration, Error> {
        if at < self.now {
            let message = format!(
                "time goes back from {} to {} ms",
                self.now.as_millis(),
                at.as_millis()
            );
            return Err(Error::new(Code::InvalidValue, message));
        }
        Ok(at)
    }

    /// Advances time, and does everything that is due until then.
    fn advance(&mut self, until: Duration, lines: &mut AnswerLines) {
        loop {
            self.work(lines);
            let Some(next) = self.next_timer().filter(|next| *next <= until) else {
                break;
            };
            self.now = self.now.max(next);
            let now = self.now;
            let is_due = |(at, _): &(Duration, _)| *at <= now;
            while self.arriving.front().is_some_and(is_due)
                && let Some((_, change)) = self.arriving.pop_front()
            {
                self.deliver(&change, lines);
            }
        }
        self.now = self.now.max(until);
    }

    fn handle(&mut self, event: ClusterEvent<'_>, lines: &mut AnswerLines) {
        let what = match &event {
            ClusterEvent::Set(object) => Some((object.kind(), object.key())),
            ClusterEvent::Removed { kind, key, .. } => Some((*kind, key.clone())),
            ClusterEvent::Listed { .. }
            | ClusterEvent::Listing(_)
            | ClusterEvent::Synced(_)
            | ClusterEvent::Resync => None,
            ClusterEvent::Unreadable(object) => {
                self.leave_out(object, lines);
                None
            }
        };
        let reception = self.controller.handle(event, self.now);
        if let Some((kind, key)) = what {
            self.ignore_object(reception, kind, key, lines);
        }
    }

    fn ignore_object(
        &mut self,
        reception: Reception,
        kind: Kind,
        key: NamespacedName,
        lines: &mut AnswerLines,
    ) {
        let reason = match reception {
            Reception::Taken => return,
            Reception::Late => IgnoredReason::Late,
            Reception::Unknown => IgnoredReason::Unknown,
        };
        self.ignore(kind.as_str(), Some(shown(kind, key)), reason, lines);
    }

    /// Names an object that cannot be read.
    fn leave_out(&mut self, object: &Unreadable, lines: &mut AnswerLines) {
        let reason = IgnoredReason::Unreadable;
        let count = self.ignored.of(reason);
        *count += 1;
        let ignored = Ignored {
            kind: object.kind.as_str(),
            object: Some(shown(object.kind, object.key.clone())),
            reason,
            message: Some(object.error.message().into()),
            count: *count,
        };
        lines.ignored(self.now, ignored);
    }

    fn ignore(
        &mut self,
        kind: &str,
        object: Option<String>,
        reason: IgnoredReason,
        lines: &mut AnswerLines,
    ) {
        let count = self.ignored.of(reason);
        *count += 1;
        let ignored = Ignored {
            kind,
            object,
            reason,
            message: None,
            count: *count,
        };
        lines.ignored(self.now, ignored);
    }

    fn watch(&mut self, watched: Vec<ReadEvent<'_>>, lines: &mut AnswerLines) {
        for watched in watched {
            match watched {
                ReadEvent::Event(event) => {
                    let event = self.admitted(event);
                    self.handle(event, lines);
                }
                ReadEvent::Bookmark {
                    kind, is_end: true, ..
                } => self.handle(ClusterEvent::Synced(kind), lines),
                ReadEvent::Bookmark { .. } => {}
                ReadEvent::Ended(_) => self.ignore("Status", None, IgnoredReason::Kind, lines),
                ReadEvent::Ignored(kind) => self.ignore(&kind, None, IgnoredReason::Kind, lines),
            }
        }
    }

    fn list(&mut self, mut listed: Listed<'_>, lines: &mut AnswerLines) -> Result<(), Error> {
        let is_listing = |kind| self.controller.is_listing(kind);
        listed.check(|kind| self.controller.knows(kind))?;
        let ignored = core::mem::take(&mut listed.ignored);
        for event in listed.into_events(is_listing) {
            let event = self.admitted(event);
            self.handle(event, lines);
        }
        for kind in ignored {
            self.ignore(&kind, None, IgnoredReason::Kind, lines);
        }
        Ok(())
    }

    fn happen(&mut self, record: Record<'_>) -> Result<(), Error> {
        if record.resync {
            self.controller.handle(ClusterEvent::Resync, self.now);
        }
        if let Some(refuse) = &record.refuse {
            let Some(server) = &mut self.server else {
                let message = "with `apply: manual` nothing is written here; give a `result`";
                return Err(Error::new(Code::InvalidValue, message).at("/refuse"));
            };
            for _ in 0..refuse.times() {
                server.refuse(refuse.refusal()?);
            }
        }
        match record.result {
            Some(result) => self.take_result(result),
            None => Ok(()),
        }
    }

    /// Does and reports everything that is due now.
    fn work(&mut self, lines: &mut AnswerLines) {
        let mut planned: Option<String> = None;
        loop {
            let (now, server) = (self.now, &mut self.server);
            let keep = |plan: Plan<'_>| {
                let json = json::write::to_string(&plan).ok();
                let Some(server) = server else {
                    return (json, KeptPlan::Pending(Box::new(plan.into_owned())));
                };
                server.set_time(now);
                (json, KeptPlan::Written(plan.apply(server)))
            };
            let Some(command) = self.controller.due_with(now, keep) else {
                break;
            };
            match command {
                Command::Sync {
                    service,
                    plan: (json, KeptPlan::Pending(plan)),
                } => {
                    lines.sync(self.now, &service, None, json.as_deref());
                    self.pending.insert(service, *plan);
                }
                Command::Sync {
                    service,
                    plan: (json, KeptPlan::Written(outcome)),
                } => {
                    self.controller.complete(&service, outcome, self.now);
                    planned = json;
                    self.send_changes(lines);
                }
                Command::Ended {
                    service,
                    result,
                    is_dropped,
                } => {
                    let end = SyncEnd::of(result, is_dropped);
                    lines.sync(self.now, &service, Some(end), planned.take().as_deref());
                }
                Command::Publish { service, event } => lines.event(self.now, &service, &event),
                Command::Retry {
                    service,
                    after,
                    retries,
                } => lines.retry(self.now, &service, after, retries),
            }
        }
        self.send_changes(lines);
    }
}

/// The name of an object in lines.
fn shown(kind: Kind, key: NamespacedName) -> String {
    match kind {
        Kind::Node => key.name,
        _ => key.to_string(),
    }
}

/// Was this refused line meant to bring the configuration? It may not even be JSON.
fn is_config(line: &[u8], error: &Error) -> bool {
    let object = line.trim_ascii_start().strip_prefix(b"{");
    let begins = object.is_some_and(|object| object.trim_ascii_start().starts_with(br#""config""#));
    begins || error.path().is_some_and(|path| path.starts_with("/config"))
}
