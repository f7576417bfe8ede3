//! Times a session natively: events in, plans out.
//!
//! `session REQUEST EVENTS [MILLISECONDS]` prints one JSON line for each measurement. REQUEST is a plan request whose
//! slices are up to date; EVENTS are watch events of its pods, one per line, each of which changes a slice.
//! `npm run bench` makes both and compares.

use std::error::Error;
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use slicewise::api::Limits;
use slicewise::model::{EndpointSlice, NamespacedName, Pod};
use slicewise_live::json::Session;
use slicewise_live::session;
use slicewise_live::session::event::{ClusterEvent, PlanObject, Versioned};

const NO_LIMIT: Limits = Limits::new(usize::MAX);
const SERVICE: &str = "shop/cart";

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` itself passes `--bench`.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let (Some(request), Some(events)) = (arguments.next(), arguments.next()) else {
        writeln!(
            std::io::stdout(),
            "nothing to measure: `npm run bench` names the files"
        )?;
        return Ok(());
    };
    let milliseconds = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let budget = Duration::from_millis(milliseconds);
    let events = std::fs::read_to_string(events)?;
    let events: Vec<&str> = events.lines().collect();

    let lists = lists(&std::fs::read_to_string(request)?)?;
    let (mut session, start) = timed(|| started(&lists))?;
    report("start", &mut [start])?;
    drop(lists);
    typed_changes(session.session().clone(), &events, budget)?;
    changes(&mut session, &events, budget)?;
    quiet(&mut session, &events, budget)
}

/// The request's objects as lists, in the order in which a client would pass them. Text is borrowed: a tree of values
/// would fragment the heap, and all changes would pay for it.
fn lists(request: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let request: Objects<'_> = serde_json::from_str(request)?;
    let list = |kind: &str, version: &str, items: &str| {
        format!(r#"{{"kind":"{kind}","apiVersion":"{version}","items":{items}}}"#)
    };
    Ok(vec![
        list("NodeList", "v1", request.nodes.get()),
        list("ServiceList", "v1", &format!("[{}]", request.service)),
        list("PodList", "v1", request.pods.get()),
        list(
            "EndpointSliceList",
            "discovery.k8s.io/v1",
            request.slices.get(),
        ),
    ])
}

/// The objects of a request.
#[derive(Deserialize)]
struct Objects<'request> {
    #[serde(borrow)]
    service: &'request RawValue,
    #[serde(borrow)]
    pods: &'request RawValue,
    #[serde(borrow)]
    nodes: &'request RawValue,
    #[serde(borrow)]
    slices: &'request RawValue,
}

/// A session that has received the lists and synced the Service.
fn started(lists: &[String]) -> Result<Session, Box<dyn Error>> {
    let mut session = Session::new(b"")?;
    for list in lists {
        session.apply(list.as_bytes(), NO_LIMIT)?;
    }
    let plan = session.sync(SERVICE)?;
    let plan: Updates<'_> = serde_json::from_slice(&plan)?;
    if plan.update.is_empty() {
        Ok(session)
    } else {
        Err("the slices are not as they should be".into())
    }
}

/// The part of a plan that is read. Text is borrowed: a tree of values would fragment the heap, and the next change
/// would pay for it.
#[derive(Deserialize)]
struct Updates<'plan> {
    #[serde(borrow)]
    update: Vec<&'plan RawValue>,
}

/// One changed pod: its event in, the plan out. The event that returns the written slice is not timed.
fn changes(session: &mut Session, events: &[&str], budget: Duration) -> Result<(), Box<dyn Error>> {
    let (mut times, mut echoes) = (Vec::new(), Vec::new());
    for (version, event) in (9_000_000_u64..).zip(events.iter().cycle().take(MOST)) {
        let event = with_version(event, version);
        let (plan, time) = timed(|| {
            session.apply(event.as_bytes(), NO_LIMIT)?;
            Ok(session.sync(SERVICE)?)
        })?;
        times.push(time);
        let plan: Updates<'_> = serde_json::from_slice(&plan)?;
        let slice = plan.update.first();
        let slice = slice.ok_or("the event has changed no slice")?;
        // As an API server sends it.
        let rest = slice.get().strip_prefix('{').unwrap_or_default();
        let echo = format!(
            r#"{{"type":"MODIFIED","object":{{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1",{}}}"#,
            without_head(rest)
        );
        let (_, time) =
            timed(|| Ok(session.apply(with_version(&echo, version).as_bytes(), NO_LIMIT)?))?;
        echoes.push(time);
        if times.iter().sum::<Duration>() > budget {
            break;
        }
    }
    report("change", &mut times)?;
    report("slice event", &mut echoes)
}

/// Like [`changes`], with objects in and a plan out: what a Rust program calls and what the reference's figure measures.
fn typed_changes(
    mut session: session::Session,
    events: &[&str],
    budget: Duration,
) -> Result<(), Box<dyn Error>> {
    let (namespace, name) = SERVICE.split_once('/').unwrap_or_default();
    let service = NamespacedName {
        namespace: namespace.into(),
        name: name.into(),
    };
    let mut times = Vec::new();
    for (version, event) in (5_000_000_u64..).zip(events.iter().cycle().take(MOST)) {
        let event = with_version(event, version);
        let Watched { object } = serde_json::from_str(&event)?;
        let event = {
            let version = object.metadata.resource_version.clone();
            ClusterEvent::Set(Box::new(Versioned::new(PlanObject::Pod(object), version)))
        };
        let mut update = None;
        let (aside, time) = timed(|| {
            session.apply(&event);
            let plan = session.sync_with(&service, |plan| {
                let (slice, time) =
                    timed(|| Ok(plan.update.first().cloned().map(EndpointSlice::into_owned)))?;
                update = slice;
                Ok(time)
            });
            plan.ok_or("there is no such Service")?
        })?;
        times.push(time - aside);
        let mut slice = update.ok_or("the event has changed no slice")?;
        slice.metadata.resource_version = version.to_string().into();
        session.apply(&ClusterEvent::Set(Box::new(Versioned::slice(slice))));
        if times.iter().sum::<Duration>() > budget {
            break;
        }
    }
    report("typed change", &mut times)
}

/// A pod's watch event.
#[derive(Deserialize)]
struct Watched<'event> {
    #[serde(borrow)]
    object: Pod<'event>,
}

/// Events that change nothing plans depend on.
fn quiet(session: &mut Session, events: &[&str], budget: Duration) -> Result<(), Box<dyn Error>> {
    // After each pod's last event, all are ready.
    let ready = events.get(events.len() / 2..).unwrap_or_default();
    let mut times = Vec::new();
    for (version, event) in (99_000_000_u64..).zip(ready.iter().cycle().take(MOST)) {
        let event = with_version(event, version);
        let (_, time) = timed(|| Ok(session.apply(event.as_bytes(), NO_LIMIT)?))?;
        times.push(time);
        if times.iter().sum::<Duration>() > budget {
            break;
        }
    }
    report("quiet event", &mut times)
}

const MOST: usize = 20_000;

/// The event with a different resourceVersion.
fn with_version(event: &str, version: u64) -> String {
    const KEY: &str = r#""resourceVersion":""#;
    let Some((head, rest)) = event.split_once(KEY) else {
        return event.to_owned();
    };
    let rest = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{head}{KEY}{version}{rest}")
}

/// An object's fields without `apiVersion` and `kind`.
fn without_head(fields: &str) -> String {
    let fields = fields.replacen(r#""apiVersion":"discovery.k8s.io/v1","#, "", 1);
    fields.replacen(r#""kind":"EndpointSlice","#, "", 1)
}

#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
fn timed<T>(
    call: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, Duration), Box<dyn Error>> {
    let start = Instant::now();
    let answer = std::hint::black_box(call()?);
    Ok((answer, start.elapsed()))
}

fn report(what: &str, times: &mut [Duration]) -> Result<(), Box<dyn Error>> {
    times.sort_unstable();
    let milliseconds =
        |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64() * 1000.0;
    let (median, best, runs) = (milliseconds(times.len() / 2), milliseconds(0), times.len());
    writeln!(
        std::io::stdout(),
        r#"{{"what":"{what}","median":{median},"best":{best},"runs":{runs},"writes":""}}"#
    )?;
    Ok(())
}
