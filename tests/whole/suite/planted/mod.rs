//! Clusters with one fault each, planted in a known link of the chain from the client to the process: the first finding
//! names it, its severity is that of its effect, and each change that is offered removes it.
//!
//! `SLICEWISE_CASES=10000 cargo test --test whole planted -- --nocapture` tries more cases, `SLICEWISE_SEED` others.

#![expect(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "failures are printed by kind; all names are ASCII"
)]

mod agree;
mod faults;
mod fixes;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::wanted::list;
use faults::{Fault, Link};
use world::{World, explained};

/// At least as many cases as kinds of fault; all kinds equally often.
fn cases(default: u64) -> u64 {
    given("SLICEWISE_CASES").unwrap_or(default)
}

fn given(name: &str) -> Option<u64> {
    std::env::var_os(name)?.to_str()?.parse().ok()
}

const LEVELS: [&str; 4] = ["broken", "degraded", "risk", "note"];

fn rank(severity: &Value) -> usize {
    LEVELS.iter().position(|level| severity == level).unwrap()
}

fn findings(answer: &Value) -> &[Value] {
    list(&answer["explanations"])
}

/// In a line.
fn shown(told: &Value) -> String {
    let text = |field: &str| told[field].as_str().unwrap_or_default().to_owned();
    format!(
        "{} {}: {} {}",
        text("severity"),
        text("code"),
        text("what"),
        text("because")
    )
}

/// Does it say of a single pod what another finding says of all?
fn is_detail(told: &Value) -> bool {
    told["subject"]["kind"] == "Pod"
}

/// A fault in one random cluster.
struct Case {
    fault: &'static Fault,
    before: World,
    after: World,
}

impl Case {
    fn new(number: u64) -> Self {
        let all = faults::all();
        let fault = all[number as usize % all.len()];
        let before = World::new(
            number + 1_000_003 * given("SLICEWISE_SEED").unwrap_or(1),
            &fault.needs,
        );
        let mut after = before.clone();
        (fault.plant)(&mut after);
        Self {
            fault,
            before,
            after,
        }
    }

    /// What is wrong with the answers; adds the codes of findings with a fix that was tried.
    fn problems(&self, tried: &mut BTreeSet<String>) -> Vec<String> {
        let control = self.before.explained();
        let mut problems = self.of_control(&control);
        let answer = self.after.explained();
        let mut new = findings(&answer)
            .iter()
            .filter(|told| !findings(&control).contains(told));
        match new.next() {
            Some(first) if self.is_named(first) => {}
            first => problems.push(format!(
                "the first finding is {}",
                first.map(shown).unwrap_or_default()
            )),
        }
        if answer["verdict"]["severity"] != self.fault.severity {
            problems.push(format!(
                "the verdict is {}: {}",
                answer["verdict"]["severity"], answer["verdict"]["text"]
            ));
        }
        let beside = findings(&answer)
            .iter()
            .filter(|told| rank(&told["severity"]) < 2 && !self.is_named(told) && !is_detail(told));
        problems.extend(beside.map(|told| format!("also {}", shown(told))));
        for told in findings(&answer)
            .iter()
            .filter(|told| rank(&told["severity"]) < 3)
        {
            for fix in list(&told["fixes"]) {
                if fix.get("changes").is_some() {
                    tried.insert(told["code"].to_string());
                }
                problems.extend(self.of_fix(&answer, told, fix));
            }
        }
        problems
    }

    fn is_named(&self, told: &Value) -> bool {
        self.fault.codes.iter().any(|code| told["code"] == *code)
    }

    /// Without the fault there is no such finding, and clients are served.
    fn of_control(&self, control: &Value) -> Vec<String> {
        let is_wrong = |told: &&Value| {
            let is_note = self.fault.severity == "note" || told["severity"] != "note";
            rank(&told["severity"]) < 2 || (self.is_named(told) && is_note)
        };
        let wrong = findings(control).iter().filter(is_wrong);
        wrong
            .map(|told| format!("without the fault {}", shown(told)))
            .collect()
    }

    /// A change is only offered if the finding is gone with it, and nothing is worse.
    fn of_fix(&self, answer: &Value, told: &Value, fix: &Value) -> Option<String> {
        let world = &self.after;
        let items = fixes::applied(&world.items, world.name, told, fix, &world.options)?;
        let change = &fix["change"];
        let after = explained(&items, world.name, &world.options);
        let is_same = |other: &&Value| {
            let fields = ["code", "subject", "addressType"];
            rank(&other["severity"]) < 3 && fields.iter().all(|field| other[*field] == told[*field])
        };
        if let Some(same) = findings(&after).iter().find(is_same) {
            return Some(format!("`{change}` leaves {}", shown(same)));
        }
        let (then, now) = (
            rank(&after["verdict"]["severity"]),
            rank(&answer["verdict"]["severity"]),
        );
        // Clients that are served again can be served better.
        let is_worse = then < now && then < 2;
        is_worse.then(|| {
            format!(
                "`{change}` leads to {}: {}",
                after["verdict"]["severity"], after["verdict"]["text"]
            )
        })
    }
}

/// The problems of all cases, by kind; panics if more than one in fifty cases has any.
#[test]
fn the_first_finding_names_the_planted_fault() {
    let number = cases(3 * faults::all().len() as u64);
    let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut failed, mut tried) = (0, BTreeSet::new());
    for number in 0..number {
        let case = Case::new(number);
        let problems = case.problems(&mut tried);
        failed += u64::from(!problems.is_empty());
        let of_kind = wrong.entry(case.fault.name).or_default();
        of_kind.extend(
            problems
                .iter()
                .map(|problem| format!("{number}: {problem}")),
        );
    }
    wrong.retain(|_, problems| !problems.is_empty());
    for (kind, problems) in &wrong {
        println!("{kind}: {}", problems.len());
        for problem in problems.iter().take(4) {
            println!("    {problem}");
        }
    }
    println!("{failed} of {number} cases; tried: {tried:?}");
    assert!(tried.len() >= 17, "{tried:?}");
    assert!(failed * 50 <= number, "{failed} of {number} cases");
}

#[test]
fn every_link_has_faults() {
    let all = faults::all();
    assert!(all.len() >= 40, "{}", all.len());
    for link in Link::ALL {
        assert!(all.iter().any(|fault| fault.link == link), "{link:?}");
    }
}

/// Prints a case: `SLICEWISE_CASE=17 cargo test --test whole planted::shows -- --nocapture`.
#[test]
fn shows_a_case() {
    let Some(number) = given("SLICEWISE_CASE") else {
        return;
    };
    let case = Case::new(number);
    println!("{}", case.after.list());
    let answer = case.after.explained();
    println!(
        "{:?}: {}\n{}",
        case.fault.link, case.fault.name, answer["verdict"]["text"]
    );
    for told in findings(&answer) {
        println!("  {}", shown(told));
        for fix in list(&told["fixes"]) {
            println!("      {}", fix["change"]);
        }
    }
}
