//! An object that cannot be read leaves everything else as it would be without that object, and leaves a mark.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use slicewise::api::Limits;
use slicewise_admission::Reviewer;
use slicewise_live::json::Session;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Operations on a few pods, one for each byte: each can become unreadable at any time, in a list or outside.
///
/// # Panics
/// If the invariant does not hold.
pub(crate) fn left_out(data: &[u8]) {
    let (mut sessions, mut reviewers) = (Followers::new(session), Followers::new(reviewer));
    let mut unread = BTreeSet::new();
    let mut listed: Option<BTreeSet<&str>> = None;
    for byte in data.iter().take(64) {
        let name = NAMES[usize::from(byte >> 3) % NAMES.len()];
        let pod = |is_readable: bool| pod(name, is_readable, byte >> 5);
        let (given, plain) = match byte % 8 {
            0 | 1 => (event("MODIFIED", &pod(true)), None),
            2 | 3 => (
                event("MODIFIED", &pod(false)),
                Some(event("DELETED", &pod(true))),
            ),
            4 => (event("DELETED", &pod(byte & 0x80 == 0)), None),
            5 => (event("LISTING", &json!({"kind": "Pod"})), None),
            6 => (list(&[pod(true)], "more"), None),
            // While a kind is being listed, what an event brought earlier would stay in its list.
            _ => (
                list(&[pod(false)], ""),
                Some(event("DELETED", &pod(true)) + "\n" + &list(&[], "")),
            ),
        };
        match byte % 8 {
            0 | 1 | 4 => drop(unread.remove(name)),
            2 | 3 => drop(unread.insert(name)),
            5 => listed = Some(BTreeSet::new()),
            // A page that continues is refused unless the kind is being listed.
            6 if listed.is_some() => drop(unread.remove(name)),
            7 => {
                let given = listed.take().unwrap_or_default();
                unread.retain(|name| given.contains(name));
                unread.insert(name);
            }
            _ => {}
        }
        if let Some(listed) = &mut listed
            && byte % 8 != 5
        {
            listed.insert(name);
        }
        let plain = plain.unwrap_or_else(|| given.clone());
        sessions.take(given.as_bytes(), plain.as_bytes());
        reviewers.take(given.as_bytes(), plain.as_bytes());
        assert_eq!(
            sessions.with.dump().ok(),
            sessions.without.dump().ok(),
            "{given}"
        );
        let (with, without) = (pods(&reviewers.with), pods(&reviewers.without));
        assert_eq!(with["objects"], without["objects"], "{given}");
        assert_eq!(with["known"], without["known"], "{given}");
        assert_eq!(
            (&with["leftOut"], &without["leftOut"]),
            (&json!(unread.len()), &json!(0)),
            "{given}"
        );
    }
}

/// One that is given objects that cannot be read, and one that is told that they have gone.
struct Followers<T> {
    with: T,
    without: T,
}

impl<T: Follows> Followers<T> {
    fn new(make: impl Fn() -> T) -> Self {
        Self {
            with: make(),
            without: make(),
        }
    }

    fn take(&mut self, given: &[u8], plain: &[u8]) {
        let taken = [self.with.follow(given), self.without.follow(plain)];
        assert_eq!(taken[0], taken[1], "{}", String::from_utf8_lossy(given));
    }
}

trait Follows {
    /// Was it taken?
    fn follow(&mut self, events: &[u8]) -> bool;
}

impl Follows for Session {
    fn follow(&mut self, events: &[u8]) -> bool {
        self.apply(events, Limits::default()).is_ok()
    }
}

impl Follows for Reviewer {
    fn follow(&mut self, events: &[u8]) -> bool {
        self.apply(events, Limits::default()).is_ok()
    }
}

#[expect(clippy::unwrap_used, reason = "the defaults are valid")]
fn session() -> Session {
    Session::new(b"").unwrap()
}

#[expect(clippy::unwrap_used, reason = "the defaults are valid")]
fn reviewer() -> Reviewer {
    Reviewer::new(b"").unwrap()
}

fn pods(reviewer: &Reviewer) -> Value {
    let status = reviewer.status().unwrap_or_default();
    let status: Value = serde_json::from_slice(&status).unwrap_or_default();
    status["kinds"]["Pod"].clone()
}

fn event(of: &str, object: &Value) -> String {
    json!({"type": of, "object": object}).to_string()
}

fn list(items: &[Value], token: &str) -> String {
    json!({"kind": "PodList", "metadata": {"continue": token}, "items": items}).to_string()
}

/// One of several things that cannot be read is wrong with it, unless it is readable.
fn pod(name: &str, is_readable: bool, wrong: u8) -> Value {
    let mut pod = json!({
        "kind": "Pod", "metadata": {"namespace": "shop", "name": name, "labels": {"app": "a"}},
        "spec": {"nodeName": "n"}, "status": {"podIPs": [{"ip": "10.0.0.1"}]}
    });
    if !is_readable {
        match wrong % 4 {
            0 => pod["metadata"]["labels"] = json!({"app": 1}),
            1 => pod["status"]["podIPs"] = json!([{"ip": "ten"}]),
            2 => pod["spec"] = json!([]),
            _ => pod["status"]["conditions"] = json!(7),
        }
    }
    pod
}
