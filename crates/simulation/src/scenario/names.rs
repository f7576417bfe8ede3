//! Names of Services: a name is taken until the Service is deleted, and can be reused afterwards.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::{Code, Error};

use super::parts::ScenarioResult;
use super::{Act, Action, Scenario, Workload};

/// When something happens, in the order of a run: first what exists at the start, then by time, single actions before
/// repeated ones, then by index.
type Moment = Option<(Duration, bool, usize)>;

/// An action that deletes a Service, and when.
struct Deletion {
    number: usize,
    at: Duration,
    every: Duration,
    times: u32,
}

impl Deletion {
    fn of(number: usize, action: &Action<'_>) -> Self {
        Self {
            number,
            at: action.at.unwrap_or_default().0,
            every: action.every.map_or(Duration::from_secs(1), |every| every.0),
            times: action.times.unwrap_or(1),
        }
    }

    fn is_between(&self, earlier: Moment, later: Moment) -> bool {
        let is_it = |time: u32| {
            let after = self.every.saturating_mul(time);
            let moment = Some((self.at.saturating_add(after), time > 0, self.number));
            time < self.times && earlier < moment && moment < later
        };
        // Of the repetitions, the first one that can match is at or just after the earlier moment.
        let passed = earlier.map_or(Duration::ZERO, |(at, ..)| at.saturating_sub(self.at));
        let times = passed.as_nanos().checked_div(self.every.as_nanos());
        let times = u32::try_from(times.unwrap_or_default()).unwrap_or(u32::MAX);
        [0, 1, times, times.saturating_add(1)]
            .into_iter()
            .any(is_it)
    }
}

/// The names of a Service and its copies.
pub(super) fn names_of(workload: &Workload<'_>) -> impl Iterator<Item = String> {
    let copies = workload.copies;
    let name = workload.service.to_string();
    (1..=copies.unwrap_or(1)).map(move |number| match copies {
        Some(_) => format!("{name}-{number}"),
        None => name.clone(),
    })
}

impl Scenario<'_> {
    /// The names of all Services that ever exist, without duplicates, as written in the scenario.
    pub(crate) fn all_services(&self) -> Vec<String> {
        let created = self.actions.iter();
        let created = created.filter_map(|action| action.create_service.as_ref());
        let mut known = BTreeSet::new();
        let names = self.services.iter().chain(created).flat_map(names_of);
        names.filter(|name| known.insert(name.clone())).collect()
    }

    /// Checks that no two Services have the same name at the same time.
    pub(super) fn check_names(&self) -> ScenarioResult {
        let mut everything = Vec::new();
        let mut deletions: BTreeMap<&str, Vec<Deletion>> = BTreeMap::new();
        let mut creations: Vec<(Moment, String, &Workload<'_>)> = Vec::new();
        for (number, workload) in self.services.iter().enumerate() {
            creations.push((None, format!("/services/{number}"), workload));
        }
        for (number, action) in self.actions.iter().enumerate() {
            let deletion = || Deletion::of(number, action);
            for (name, act) in action.acts() {
                match act {
                    Act::CreateService(workload) => {
                        let at = action.at.unwrap_or_default().0;
                        let path = format!("/actions/{number}/{name}");
                        creations.push((Some((at, false, number)), path, workload));
                    }
                    Act::DeleteService(choice) => {
                        let deletions = deletions.entry(choice.service.as_str()).or_default();
                        deletions.push(deletion());
                    }
                    Act::DeleteEverything => everything.push(deletion()),
                    _ => {}
                }
            }
        }
        // A stable sort: what exists at the start keeps its order.
        creations.sort_by_key(|(moment, ..)| *moment);
        let mut made: BTreeMap<String, Moment> = BTreeMap::new();
        for (moment, path, workload) in creations {
            for name in names_of(workload) {
                let own = deletions.get(name.as_str()).into_iter().flatten();
                let is_free = match made.get(&name) {
                    Some(before) => own
                        .chain(&everything)
                        .any(|deletion| deletion.is_between(*before, moment)),
                    None => true,
                };
                if !is_free {
                    let message = format!(
                        "there are two Services `{name}` at the same time; delete the first one first"
                    );
                    let error = Error::new(Code::DuplicateName, message);
                    return Err(error.at(format!("{path}/service")));
                }
                made.insert(name, moment);
            }
        }
        Ok(())
    }
}
