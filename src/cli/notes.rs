//! What a person should know beside the plans: outputs that are no data would hide it.

use std::io::{self, Write};

use slicewise::api::SnapshotPlans;
use slicewise::explain::text;
use slicewise::plan::Plan;

/// What is to be said of a whole input.
#[derive(Default)]
pub(super) struct Notes {
    lines: Vec<String>,
}

impl Notes {
    /// These lines.
    pub(super) fn new(lines: Vec<String>) -> Self {
        Self { lines }
    }

    /// The warnings of a snapshot, and what of it plans do not depend on.
    pub(super) fn of(plans: &SnapshotPlans<'_>) -> Self {
        let warning = |warning: &slicewise::api::Warning| format!("warning: {}", warning.message);
        let mut lines: Vec<String> = plans.warnings.iter().map(warning).collect();
        let kinds: Vec<String> = plans
            .ignored
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        if !kinds.is_empty() {
            lines.push(format!("ignored: {}", kinds.join(", ")));
        }
        if plans.ignored.iter().any(|(kind, _)| kind == "Status") {
            let message = "warning: a Status is among the objects: some of them could not be got";
            lines.push(message.to_owned());
        }
        Self { lines }
    }

    /// Line by line.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Tells them on standard error, with the events and errors of the plans: an output that programs read has no
    /// place for them.
    pub(super) fn tell(&self, plans: &[&Plan<'_>]) {
        let mut stderr = io::stderr().lock();
        let mut say = |line: &str| {
            // Nothing is left to do when standard error fails.
            let _ = writeln!(stderr, "slicewise: {line}");
        };
        for plan in plans {
            let service = format!("{}/{}", plan.service.namespace, plan.service.name);
            for event in &plan.events {
                let (kind, reason, message) = (event.event_type, event.reason, &event.message);
                say(&format!("{service}: event {kind:?} {reason}: {message}"));
            }
            for error in &plan.errors {
                say(&format!(
                    "{service}: error {}; to be retried",
                    error.message
                ));
            }
        }
        for line in &self.lines {
            say(line);
        }
    }

    /// Tells the explanations of the plans there, too.
    pub(super) fn explain(&self, plans: &[&Plan<'_>]) {
        let mut told = String::new();
        for explanations in plans.iter().filter_map(|plan| plan.explanations.as_ref()) {
            text::write(explanations, text::Style::default(), &mut told);
        }
        // Nothing is left to do when standard error fails.
        let _ = io::stderr().lock().write_all(told.as_bytes());
    }
}
