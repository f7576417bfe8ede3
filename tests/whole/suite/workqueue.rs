//! The work queue answers every sequence of calls like client-go's.

use std::fs;
use std::time::Duration;

use serde::Deserialize;

use crate::controller::RetryLimits;
use crate::controller::queue::Queue;

#[derive(Deserialize)]
struct Case {
    limits: Limits,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    first: u64,
    longest: u64,
    per_second: u32,
    burst: u32,
}

#[derive(Deserialize)]
struct Step {
    at: u64,
    call: String,
    #[serde(default)]
    item: String,
    #[serde(default)]
    after: i64,
    #[serde(flatten)]
    answer: Answer,
}

/// The answer to a call, and the visible state after it.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Answer {
    got: String,
    delay: u64,
    retries: u32,
    ready: usize,
}

fn answer(queue: &mut Queue<String>, step: &Step) -> Answer {
    let now = Duration::from_nanos(step.at);
    queue.advance(now);
    let mut answer = Answer::default();
    let item = || step.item.clone();
    match step.call.as_str() {
        "add" => queue.add(item()),
        "addAfter" => {
            let delay = u64::try_from(step.after).unwrap_or_default();
            queue.add_after(item(), Duration::from_nanos(delay), now);
        }
        "addRateLimited" => {
            answer.delay = queue.add_rate_limited(item(), now).as_nanos() as u64;
        }
        "forget" => queue.forget(&step.item),
        "get" => answer.got = queue.get().unwrap_or_default(),
        "done" => assert_eq!(queue.done(&step.item), !step.item.is_empty()),
        other => panic!("{other}"),
    }
    answer.retries = queue.retries(&step.item);
    answer.ready = queue.ready();
    answer
}

#[test]
fn sequences_of_calls_are_answered_as_client_go_does() {
    let file = crate::suite::from_root("pkg-tests/differential/workqueue.json");
    let cases: Vec<Case> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert!(cases.len() >= 50);
    for (number, case) in cases.iter().enumerate() {
        let mut queue = Queue::new({
            let mut made = RetryLimits::default();
            made.first = Duration::from_nanos(case.limits.first);
            made.longest = Duration::from_nanos(case.limits.longest);
            made.per_second = case.limits.per_second;
            made.burst = case.limits.burst;
            made
        });
        for (place, step) in case.steps.iter().enumerate() {
            let answer = answer(&mut queue, step);
            assert_eq!(
                answer, step.answer,
                "case {number}, call {place}: {}",
                step.call
            );
        }
    }
}
