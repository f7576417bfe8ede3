//! Why a verdict is what it is, in words: which policy looked at what, what it found, and how old that information is.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::context::Context;
use super::request::{Request, Subject};
use super::response::Response;
use super::settings::Mode;
use super::step::{Found, Standing, Step};
use crate::model::text::printable;
use crate::session::event::Kind;

/// A verdict, and how it came about.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Explanation<'r> {
    /// The whole explanation in words, one fact per line.
    pub text: String,
    /// The change and its verdict, in a sentence.
    pub headline: String,
    /// What is known of the cluster, in a sentence.
    pub known: String,
    /// What the policies did, in the order in which they ran.
    pub steps: Vec<Step>,
    /// Seconds since the last update of the cluster; `None` if it does not age.
    pub context_age_seconds: Option<u32>,
    /// The verdict itself.
    pub response: Response<'r>,
}

impl<'r> Explanation<'r> {
    pub(super) fn new(
        request: &Request<'r>,
        context: &Context,
        age: Option<u32>,
        mut steps: Vec<Step>,
        response: Response<'r>,
    ) -> Self {
        let headline = printable(format!("{}: {}.", change(request), verdict(&response)));
        let known = printable(known(context, age));
        let mut lines = Vec::from([headline.clone(), known.clone()]);
        for step in &mut steps {
            step.said = printable(said(step, &request.kind));
            lines.push(line(step));
            lines.extend(step.findings.iter().map(Found::line).map(printable));
        }
        Self {
            text: lines.join("\n"),
            headline,
            known,
            steps,
            context_age_seconds: age,
            response,
        }
    }
}

/// `Update of Service shop/cart by jane`.
fn change(request: &Request<'_>) -> String {
    let what = match request.subject.operation() {
        Some(operation) => format!("{operation} of {}", request.title()),
        None => request.title(),
    };
    if request.user.is_empty() {
        what
    } else {
        format!("{what} by {}", request.user)
    }
}

fn verdict(response: &Response<'_>) -> &'static str {
    match response.record().verdict {
        "deny" => "denied",
        "warn" => "allowed, with warnings",
        _ => "allowed",
    }
}

/// What is known about the cluster.
fn known(context: &Context, age: Option<u32>) -> String {
    let (known, missing): (Vec<Kind>, Vec<Kind>) =
        Kind::ALL.into_iter().partition(|kind| context.knows(*kind));
    if known.is_empty() {
        return "Nothing is known about the cluster.".to_owned();
    }
    let counts = known.iter().map(|kind| {
        let count = context.session().count(*kind);
        format!(
            "{count} {}{}",
            kind.as_str(),
            if count == 1 { "" } else { "s" }
        )
    });
    let mut text = format!(
        "Known objects of the cluster: {}",
        enumerate(&counts.collect::<Vec<_>>())
    );
    if !missing.is_empty() {
        let names = missing.iter().map(|kind| format!("{}s", kind.as_str()));
        text.push_str(&format!(
            "; not known: {}",
            enumerate(&names.collect::<Vec<_>>())
        ));
    }
    if let Some(age) = age {
        text.push_str(&format!("; the last update is {age} s old"));
    }
    text.push('.');
    text
}

/// Whether a policy found something, or why it was not asked.
fn said(step: &Step, kind: &str) -> String {
    let why_not = match step.standing {
        Standing::Asked => return found(step),
        Standing::OtherKind => {
            let kinds = step.kinds.iter().map(ToString::to_string);
            format!(
                "it checks {}, not {kind}",
                enumerate(&kinds.collect::<Vec<_>>())
            )
        }
        Standing::NotChosen => "only another policy was requested".to_owned(),
        Standing::Off => "its mode here is `off`".to_owned(),
        Standing::Exempt => "the user is in its `exemptUsers`".to_owned(),
        Standing::NobodyWrites => {
            "it checks who writes an object, and this one already exists".to_owned()
        }
    };
    format!("not asked, because {why_not}.")
}

fn found(step: &Step) -> String {
    let found = match step.findings.len() {
        0 => "found nothing wrong",
        1 => "found one thing",
        _ => "found several things",
    };
    let looked = if step.looked_at.is_empty() {
        "it only needed the object".to_owned()
    } else {
        let kinds = step.looked_at.iter().map(|kind| format!("{kind}s"));
        format!(
            "it looked at the {} of the cluster",
            enumerate(&kinds.collect::<Vec<_>>())
        )
    };
    format!("{found}; {looked}.")
}

/// That, with the name of the policy before it; what was found follows in lines of its own.
fn line(step: &Step) -> String {
    let mode = match (step.standing, step.mode) {
        (Standing::Asked, Mode::Warn) => " (mode `warn`)",
        (Standing::Asked, Mode::Audit) => " (mode `audit`)",
        _ => "",
    };
    let said = match step.findings.as_slice() {
        [] => step.said.clone(),
        _ => format!("{}:", step.said.trim_end_matches('.')),
    };
    format!("{}{mode}: {said}", step.policy)
}

/// `one, two and three`.
fn enumerate(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

impl Subject<'_> {
    /// The kind that policies look at; `None` if no policy looks at it.
    pub(super) const fn kind(&self) -> Option<&'static str> {
        Some(match self {
            Self::EndpointSlice(_) => "EndpointSlice",
            Self::Service(_) => "Service",
            Self::Node(_) => "Node",
            Self::Endpoints(_) => "Endpoints",
            Self::Other => return None,
        })
    }

    fn operation(&self) -> Option<&'static str> {
        match self {
            Self::EndpointSlice(change) => Some(change.operation()),
            Self::Service(change) => Some(change.operation()),
            Self::Node(change) => Some(change.operation()),
            Self::Endpoints(change) => Some(change.operation()),
            Self::Other => None,
        }
    }
}
