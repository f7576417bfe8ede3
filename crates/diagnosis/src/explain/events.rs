//! Events in the input: those about the Service and its slices are explained here, those about pods with the pods.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::extras::RecordedEvent;
use super::not_ready::quoted;
use super::scene::Scene;
use super::words::sentence;
use super::{say, when};
use slicewise::model::order::sort_by;
use slicewise::model::time::Timestamp;
use slicewise::model::{Named as _, Pod};
use slicewise::plan::explanation::{Explanation, ExplanationCode as Code, Severity};
use slicewise::words::counted;

/// Only this many, the latest, are reported per object.
const MOST: usize = 3;
const CUT: &str =
    " The end of the message is cut off; the log of kube-controller-manager has all of it.";
/// For how many seconds API servers keep Events by default: what is longer ago did not lead to a change.
const STAY: u32 = 3600;

/// Explains the Events about the Service and its slices.
pub(super) fn explain(scene: &Scene<'_>, answers: &mut Vec<Explanation>) {
    let service = &scene.case.service.metadata;
    let (namespace, name) = (&*service.namespace, &*service.name);
    let of = |kind, name| scene.case.details.events(kind, namespace, name);
    let mut events: Vec<&RecordedEvent<'_>> = of("Service", name).iter().collect();
    events.extend(of("Endpoints", name));
    for slice in scene.case.slices {
        events.extend(of("EndpointSlice", slice.name()));
    }
    let warnings = events
        .into_iter()
        .filter(|event| event.event_type == "Warning");
    let mut warnings: Vec<&RecordedEvent<'_>> = warnings.rev().collect();
    sort_by(&mut warnings, |one, other| other.time().cmp(one.time()));
    warnings.truncate(MOST);
    // Hints have their own explanations.
    let is_failure = |event: &RecordedEvent<'_>| event.reason.starts_with("FailedTo");
    let has_failed = warnings.iter().any(|event| is_failure(event));
    let later = has_failed.then(|| later(scene)).flatten();
    let latest = warnings
        .first()
        .and_then(|event| Timestamp::parse(event.time()));
    for event in warnings {
        let expired = Timestamp::parse(event.time()).and_then(|time| time.after(STAY));
        let is_old = expired
            .zip(latest)
            .is_some_and(|(expired, latest)| expired < latest);
        let later = later.as_ref().filter(|(later, _)| {
            let time = Timestamp::parse(event.time());
            is_failure(event) && time.is_some_and(|time| *later > time)
        });
        let old = is_old.then_some(" That was long before the latest Event.");
        let later = later.map(|(_, words)| words.as_str()).or(old);
        let is_present = is_failure(event) && later.is_none();
        let severity = match is_present {
            true => Severity::Degraded,
            false => Severity::Note,
        };
        let what = format!("An Event says {}.", event.reason);
        let cut = if is_cut(event) { CUT } else { "" };
        let because = sentence(&said(event));
        let because = format!("{because}.{cut}{}", later.unwrap_or_default());
        let explanation = say::service(Code::EventReported, scene.case.service, what)
            .because(because)
            .severity(severity)
            .figure("reason", &*event.reason)
            .figure("count", i64::from(event.count.max(1)));
        answers.push(if is_present {
            explanation
                .details("The controller tried to write slices and was refused. It retries with growing delays, and gives up after a while; until then the slices stay unchanged.")
                .fix(remedy(event.words()), "the next retry succeeds; a change to the Service triggers it at once")
        } else {
            explanation
        });
    }
}

/// What shows that Events from before are not about the present state: an Event stays for an hour, or for as long as an
/// input is kept.
fn later(scene: &Scene<'_>) -> Option<(Timestamp, String)> {
    // What was due by the time of an Event may be what was refused.
    if let Some(due) = when::first_due(scene) {
        let words =
            format!(" That was before what is missing now could have been written, at {due}.");
        return Some((due, words));
    }
    let slices = scene.case.slices.iter();
    let writes = slices.filter_map(|slice| when::last_write(slice));
    let last = writes.map(|write| write.time).max()?;
    let words = format!(" That is over: slices have been written since, at {last}.");
    Some((last, words))
}

/// What to do about a refused write, by the API server's words.
fn remedy(message: &str) -> &'static str {
    let remedies = [
        (
            "the object has been modified",
            "nothing, if it was once: another write came first, and the controller tries again; if often, find who else writes the slices",
        ),
        (
            "exceeded quota",
            "raise the quota that the message names, or delete what fills it",
        ),
        (
            "failed calling webhook",
            "mend the webhook that the message names, which does not answer, or set its failurePolicy: Ignore",
        ),
        (
            "admission webhook",
            "change the webhook that the message names, or let it admit the controller's writes",
        ),
        (
            "denied the request",
            "change the policy that the message names, or let it admit the controller's writes",
        ),
        (
            "is being terminated",
            "nothing: the namespace is being deleted, and takes no new objects",
        ),
        (
            "too many requests",
            "nothing: the controller tries again, and succeeds once the API server is less busy",
        ),
        (
            "TooManyRequests",
            "nothing: the controller tries again, and succeeds once the API server is less busy",
        ),
        (
            "is forbidden",
            "give the controller's account the permission that the message names",
        ),
        (
            "is invalid",
            "mend the field that the message names; no retry helps",
        ),
        (
            "Invalid value",
            "mend the field that the message names; no retry helps",
        ),
    ];
    let found = remedies.iter().find(|(words, _)| message.contains(words));
    found.map_or("fix what the message names", |(_, remedy)| remedy)
}

/// The latest warning about a pod.
pub(super) fn of_pod(scene: &Scene<'_>, pod: &Pod<'_>) -> Option<String> {
    let metadata = &pod.metadata;
    let details = scene.case.details;
    let events = details.events("Pod", &metadata.namespace, &metadata.name);
    let mut warnings = events.iter().rev();
    let latest = warnings.find(|event| event.event_type == "Warning")?;
    let ready = details
        .pod(pod.full_name())
        .and_then(|pod| pod.condition("Ready"));
    let changed = ready.and_then(|ready| Timestamp::parse(&ready.last_transition_time));
    let time = Timestamp::parse(latest.time());
    let is_past = |(time, changed): (Timestamp, Timestamp)| {
        time.after(STAY).is_some_and(|expired| expired < changed)
    };
    (!time.zip(changed).is_some_and(is_past)).then(|| in_words(latest))
}

/// The message, how often it came, and when last.
fn said(event: &RecordedEvent<'_>) -> String {
    let times = match event.count {
        count if count > 1 => format!(", {count} times"),
        _ => String::new(),
    };
    let last = match event.time() {
        "" => String::new(),
        time => format!(", last {time}"),
    };
    format!("{}{times}{last}", quoted(event.words()))
}

fn in_words(event: &RecordedEvent<'_>) -> String {
    format!("{}: {}", event.reason, said(event))
}

/// Does the message lack its end, where API servers give the reason? Writers of Events shorten it to 1024 characters.
fn is_cut(event: &RecordedEvent<'_>) -> bool {
    let words = event.words().trim_end();
    words.ends_with("...") || words.ends_with('…')
}

/// A count of restarts in words.
pub(super) fn times(number: i32) -> String {
    match number {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        more => counted(i64::from(more), "time"),
    }
}
