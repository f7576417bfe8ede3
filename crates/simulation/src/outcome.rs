//! The report of a finished run.

use alloc::string::ToString;

use slicewise::model::NamespacedName;

use super::clock::millis;
use super::measure::Account;
use super::report::{Report, ServiceFigures};
use super::world::World;

impl World {
    /// The result of the run. Consumes the measurements.
    pub(super) fn report(&mut self) -> Report {
        let end = self.end();
        let watchers = self.watchers();
        let (phases, total, samples, timeline) = self.measured.finish(self.now, watchers);
        let accounts = core::mem::take(&mut self.measured.accounts).into_iter();
        Report {
            description: self.scenario.description.as_ref().map(ToString::to_string),
            ended_at: millis(self.now),
            was_cut_off: self.was_cut_off,
            phases,
            total,
            samples,
            services: accounts.map(|account| self.figures(account)).collect(),
            watches: self.watches.figures.clone(),
            end,
            timeline,
        }
    }

    fn figures(&self, (key, account): (NamespacedName, Account)) -> ServiceFigures {
        let number = self.cluster.find(&key);
        let workload = number.and_then(|number| self.cluster.workloads.get(number));
        ServiceFigures {
            exists: workload.is_some_and(|workload| workload.exists),
            ..account.figures
        }
    }
}
