//! The stream as method calls: callers that have part of a line, and the time, need not wrap it in a line. Positions in
//! errors are within that part.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::api::input::{self, Limits};
use slicewise::api::objects::InputPart;
use slicewise::api::{Given, place};
use slicewise::{Error, json};

use super::ControllerStream;
use super::answer::AnswerLines;
use super::record::ControllerConfig;
use super::step::ControllerStep;
use crate::json::events::read_some;
use crate::json::lists::read_list_part;
use crate::metrics::prometheus_text;

impl ControllerStream {
    /// A stream whose first line had this `config`. If `config` is empty, none is set, so that a line may bring it.
    ///
    /// # Errors
    /// When it cannot be read or holds a value that cannot be used.
    pub fn with_config<'c>(config: impl Into<Given<'c>>, limits: Limits) -> Result<Self, Error> {
        let given = config.into();
        if given.is_blank() {
            return Ok(Self::default());
        }
        let settings = given
            .read::<ControllerConfig<'_>>(limits)?
            .settings()
            .map_err(|error| given.locate(within_config(error)))?;
        let mut stream = Self::new(settings);
        stream.has_started = true;
        Ok(stream)
    }

    /// Takes a watch event, or an array of them: what a line holds as `event`.
    ///
    /// # Errors
    /// When they cannot be read, or time goes back; nothing is changed then.
    pub fn take_events(
        &mut self,
        at: Duration,
        events: &[u8],
        limits: Limits,
        output: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let text = input::text(events, limits)?;
        let step =
            read_some(InputPart::all(text), &mut self.memory).map(ControllerStep::Watched)?;
        self.take_step(at, step, output)
    }

    /// Takes a list: what a line holds as `list`.
    ///
    /// # Errors
    /// Same as [`ControllerStream::take_events`]; also when it cannot be a complete list, which is only known once time
    /// has advanced: nothing of the list is taken then.
    pub fn take_list(
        &mut self,
        at: Duration,
        list: &[u8],
        limits: Limits,
        output: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let text = input::text(list, limits)?;
        let step =
            read_list_part(InputPart::all(text), &mut self.memory).map(ControllerStep::Listed)?;
        let taken = self.take_step(at, step, output);
        taken.map_err(|error| place::locate(error, text))
    }

    /// When the next thing happens if nothing else comes in: a sync, a retry, or an event of the in-memory server.
    pub fn next_timer(&self) -> Option<Duration> {
        let arrival = self.arriving.front().map(|(at, _)| *at);
        let timers = [self.controller.next_timer(), arrival];
        timers.into_iter().flatten().min()
    }

    /// All metrics as JSON, as they are now: the answer to a line with `metrics`, without time passing.
    pub fn metrics(&self) -> Vec<u8> {
        json::write::to_vec(&self.controller.metrics().gather()).unwrap_or_default()
    }

    /// The same in the text format that a Prometheus server reads.
    pub fn metrics_text(&self) -> String {
        prometheus_text(&self.controller.metrics().gather())
    }

    fn take_step(
        &mut self,
        at: Duration,
        step: ControllerStep<'_>,
        output: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let at = self.check_time(at)?;
        let mut lines = AnswerLines::default();
        let result = self.step(at, step, &mut lines);
        output.extend(lines.0);
        result
    }
}

/// Turns an error in a line's configuration into one in the configuration alone.
fn within_config(error: Error) -> Error {
    let path = error.path().and_then(|path| path.strip_prefix("/config"));
    match path.map(ToOwned::to_owned) {
        Some(path) => error.at(path),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const SERVICE: &str = r#"{"kind": "Service", "metadata": {"namespace": "shop", "name": "cart"}, "spec": {"selector": {"app": "cart"}, "ipFamilies": ["IPv4"]}}"#;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn calls_answer_as_lines_do() {
        let config = r#"{"endpointUpdatesBatchPeriod": "1s", "watchLag": "300ms"}"#;
        let event = format!(r#"{{"type": "ADDED", "object": {SERVICE}}}"#);
        let list = format!(r#"{{"kind": "ServiceList", "items": [{SERVICE}]}}"#);
        let limits = Limits::default();
        let mut calls = ControllerStream::with_config(config.as_bytes(), limits).unwrap();
        let mut lines = ControllerStream::default();
        let (mut called, mut fed) = (Vec::new(), Vec::new());
        calls
            .take_events(ms(5), event.as_bytes(), limits, &mut called)
            .unwrap();
        assert_eq!(calls.next_timer(), Some(ms(305)), "the write comes back");
        calls
            .take_list(ms(2000), list.as_bytes(), limits, &mut called)
            .unwrap();
        for line in [
            format!(r#"{{"config": {config}}}"#),
            format!(r#"{{"at": 5, "event": {event}}}"#),
            format!(r#"{{"at": 2000, "list": {list}}}"#),
        ] {
            lines.feed(line.as_bytes(), limits, &mut fed).unwrap();
        }
        assert!(!called.is_empty());
        assert_eq!(called, fed);
    }

    #[test]
    fn metrics_are_those_of_a_line() {
        let limits = Limits::default();
        let mut stream = ControllerStream::default();
        let mut output = Vec::new();
        let event = format!(r#"{{"at": 5, "event": {{"type": "ADDED", "object": {SERVICE}}}}}"#);
        stream.feed(event.as_bytes(), limits, &mut output).unwrap();
        let mut ask = |line: &str| -> serde_json::Value {
            let mut output = Vec::new();
            stream.feed(line.as_bytes(), limits, &mut output).unwrap();
            serde_json::from_slice(&output).unwrap()
        };
        let data = ask(r#"{"at": 5, "metrics": true}"#);
        let text = ask(r#"{"at": 6, "metrics": "text"}"#);
        let metrics: serde_json::Value = serde_json::from_slice(&stream.metrics()).unwrap();
        assert_eq!(data, serde_json::json!({"at": 5, "metrics": metrics}));
        let expected = serde_json::json!({"at": 6, "metricsText": stream.metrics_text()});
        assert_eq!(text, expected);
        let line = "endpoint_slice_controller_syncs{result=\"success\"} 1\n";
        assert!(stream.metrics_text().contains(line));

        let mut output = Vec::new();
        for (line, expected) in [
            (
                r#"{"at": 7, "metrics": "json"}"#,
                "InvalidValue /metrics 1:22",
            ),
            (
                r#"{"at": 7, "metrics": "text", "resync": true}"#,
                "InvalidValue  1:1",
            ),
        ] {
            check_error(
                stream.feed(line.as_bytes(), limits, &mut output).err(),
                expected,
            );
        }
        stream
            .feed(br#"{"at": 7, "metrics": false}"#, limits, &mut output)
            .unwrap();
        assert!(output.is_empty());
    }

    #[track_caller]
    fn check_error(error: Option<Error>, expected: &str) {
        let error = error.unwrap();
        let line = error.line().map_or(String::new(), |line| line.to_string());
        let column = error
            .column()
            .map_or(String::new(), |column| column.to_string());
        let path = error.path().unwrap_or("-");
        assert_eq!(
            format!("{} {path} {line}:{column}", error.code().as_str()),
            expected
        );
    }

    #[test]
    fn places_are_within_the_part() {
        let limits = Limits::default();
        let config =
            |text: &str| ControllerStream::with_config(text.as_bytes(), Limits::default()).err();
        assert!(config("").is_none());
        assert!(config("{}").is_none());
        check_error(
            config("{\"watchLag\": \"soon\"}"),
            "InvalidValue /watchLag 1:14",
        );
        check_error(config("{\n\"lag\": 1}"), "UnknownField /lag 2:5");
        check_error(
            config(r#"{"maxEndpointsPerSlice": 0}"#),
            "InvalidValue /maxEndpointsPerSlice 1:26",
        );

        let mut stream = ControllerStream::default();
        let mut output = Vec::new();
        let mut events = |at, text: &str| {
            stream
                .take_events(ms(at), text.as_bytes(), limits, &mut output)
                .err()
        };
        assert!(events(7, "[]").is_none());
        check_error(
            events(7, r#"[{"type": "ADDED"}]"#),
            "MissingField /0/object 1:18",
        );
        check_error(events(6, "[]"), "InvalidValue - :");
        // A part cannot smuggle in a second field.
        check_error(events(7, r#"[],"resync":true"#), "InvalidJson - 1:3");
        assert!(output.is_empty());
    }
}
