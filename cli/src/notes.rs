//! Notes for people about the input and the plans, which other outputs have no place for.

use std::io::{self, Write};

use slicewise::api::{SnapshotPlans, Warning};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::plan::Plan;
use slicewise_diagnosis::explain::text;

use crate::screen;

/// Warnings as lines.
pub(crate) fn warnings(warnings: &[Warning]) -> Vec<String> {
    let warning = |warning: &Warning| format!("warning: {}", warning.message);
    warnings.iter().map(warning).collect()
}

/// Prints notes to standard error, one line each.
pub(crate) fn tell(notes: &[String]) {
    let mut stderr = screen::stderr();
    for note in notes {
        // Nothing more can be done if standard error fails.
        let _ = writeln!(stderr, "slicewise: {note}");
    }
}

/// The notes about an input.
#[derive(Default)]
pub(crate) struct Notes {
    /// What is missing from the input.
    warnings: Vec<String>,
    /// All other notes.
    lines: Vec<String>,
}

impl Notes {
    /// From warnings and lines.
    pub(crate) fn new(warned: &[Warning], lines: Vec<String>) -> Self {
        let warnings = warnings(warned);
        Self { warnings, lines }
    }

    /// The warnings of a snapshot, and its objects that do not affect plans.
    pub(crate) fn of(plans: &SnapshotPlans<'_>) -> Self {
        let mut lines = Vec::new();
        let kinds: Vec<String> = plans
            .ignored
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        if !kinds.is_empty() {
            lines.push(format!("ignored: {}", kinds.join(", ")));
        }
        Self::new(&plans.warnings, lines)
    }

    /// These, and the version of Kubernetes that decided, if it was asked for.
    pub(crate) fn decided_by(mut self, version: Option<KubernetesVersion>) -> Self {
        let line = |version: KubernetesVersion| format!("as Kubernetes {} decides", version.name());
        self.lines.extend(version.map(line));
        self
    }

    /// What is missing from the input, one line each: to be printed before anything else.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The other notes, one line each.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Prints them to standard error, with the events and errors of the plans, for outputs that programs read and that have
    /// no place for them.
    pub(crate) fn tell(&self, plans: &[&Plan<'_>]) {
        tell(&self.warnings);
        let say = |line: String| tell(&[line]);
        for plan in plans {
            let service = format!("{}/{}", plan.service.namespace, plan.service.name);
            for event in &plan.events {
                let (kind, reason, message) = (event.event_type, event.reason, &event.message);
                say(format!("{service}: event {kind:?} {reason}: {message}"));
            }
            for error in &plan.errors {
                say(format!("{service}: error {}; to be retried", error.message));
            }
        }
        tell(&self.lines);
    }

    /// Prints the explanations of the plans there as well.
    pub(crate) fn explain(&self, plans: &[&Plan<'_>]) {
        let mut told = String::new();
        for explanations in plans.iter().filter_map(|plan| plan.explanations.as_ref()) {
            text::write(explanations, text::TextStyle::default(), &mut told);
        }
        // Nothing more can be done if standard error fails.
        let _ = io::stderr().lock().write_all(told.as_bytes());
    }
}
