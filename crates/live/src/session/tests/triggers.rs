//! The trigger time of a plan: the earliest change since the last sync that has a time.

use slicewise::model::keys;

use super::*;

/// A pod that became ready at that minute.
fn ready_since(name: &str, app: &str, minute: u8) -> String {
    let mut pod: Value = serde_json::from_str(&pod(name, app, true)).unwrap();
    pod["status"]["conditions"][0]["lastTransitionTime"] =
        format!("2026-01-01T00:{minute:02}:00Z").into();
    pod.to_string()
}

/// The minute of the next plan's trigger time.
#[track_caller]
fn trigger(session: &mut Session) -> Option<u8> {
    let plan = session.sync(&key("cart")).unwrap();
    let annotations = &plan.create[0].metadata.annotations;
    let time = annotations.get(keys::TRIGGER_TIME_ANNOTATION)?;
    Some(time.get(14..16)?.parse().unwrap())
}

#[test]
fn a_plan_has_the_earliest_time_of_what_has_changed_since_the_last() {
    let mut session = session();
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    let set = |session: &mut Session, name: &str, app: &str, minute: u8| {
        set_pod(
            session,
            &ready_since(name, app, minute),
            &minute.to_string(),
        );
    };
    set(&mut session, "p", "cart", 10);
    assert_eq!(
        trigger(&mut session),
        None,
        "nothing is known of the time before"
    );
    assert_eq!(trigger(&mut session), None);
    set(&mut session, "p", "cart", 11);
    set(&mut session, "q", "cart", 12);
    assert_eq!(trigger(&mut session), Some(11));
    assert_eq!(trigger(&mut session), None, "it has been told");
    // The last of several changes counts, and the time as of the last sync is what it has to differ from.
    set(&mut session, "p", "cart", 20);
    set(&mut session, "p", "cart", 30);
    assert_eq!(trigger(&mut session), Some(30));
    set(&mut session, "p", "cart", 30);
    set(&mut session, "p", "cart", 29);
    assert_eq!(trigger(&mut session), None, "that is no later");
    // Of pods that are not, or no longer, selected, none counts.
    set(&mut session, "r", "till", 40);
    set(&mut session, "q", "till", 41);
    assert_eq!(trigger(&mut session), None);
    set(&mut session, "r", "cart", 40);
    assert_eq!(trigger(&mut session), Some(40));
    set(&mut session, "r", "cart", 50);
    session.remove_pod(&key("r"));
    assert_eq!(trigger(&mut session), None);
    // One that comes and goes is as if it had never been.
    set(&mut session, "s", "cart", 51);
    session.remove_pod(&key("s"));
    set(&mut session, "s", "cart", 52);
    assert_eq!(trigger(&mut session), Some(52));
}

#[test]
fn a_service_that_selects_other_pods_counts_theirs() {
    let mut session = session();
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    set_pod(&mut session, &ready_since("p", "cart", 10), "1");
    set_pod(&mut session, &ready_since("q", "till", 5), "1");
    assert_eq!(trigger(&mut session), None);
    let text = service(&json!({"app": "till"}));
    session.set_service(&serde_json::from_str(&text).unwrap());
    assert_eq!(trigger(&mut session), Some(5), "it was not selected before");
    assert_eq!(trigger(&mut session), None);
}

#[test]
fn a_service_counts_once_by_its_creation() {
    let mut session = Session::new(Options::default());
    let mut cart: Value = serde_json::from_str(&service(&json!({"app": "cart"}))).unwrap();
    cart["metadata"]["creationTimestamp"] = "2026-01-01T00:07:00Z".into();
    session.set_service(&serde_json::from_str(&cart.to_string()).unwrap());
    assert_eq!(trigger(&mut session), Some(7));
    assert_eq!(trigger(&mut session), None);
    cart["metadata"]["creationTimestamp"] = "2026-01-01T00:09:00Z".into();
    session.set_service(&serde_json::from_str(&cart.to_string()).unwrap());
    set_pod(&mut session, &ready_since("p", "cart", 8), "1");
    assert_eq!(trigger(&mut session), Some(8));
}
