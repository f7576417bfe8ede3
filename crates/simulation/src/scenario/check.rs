//! Checks of scenarios, with the positions of errors.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use core::time::Duration;

use slicewise::model::Text;
use slicewise::model::dns::is_subdomain;
use slicewise::model::text::shorten;
use slicewise::{Code, Error};

use super::names::names_of;
use super::parts::{
    ScenarioResult, check_families, check_ports, check_refusal, check_watch, is_label, limit,
    one_of, wrong,
};
use super::{Act, Action, EditSlices, NodeChoice, Scenario, Workload};
use crate::DAY;

/// The maximum number of nodes.
const MOST_NODES: u64 = 20_000;
/// The maximum number of pods at any time.
const MOST_PODS: u64 = 300_000;
const MOST_SERVICES: u64 = 10_000;
const MOST_RETRIES: u32 = 1_000_000;
const MOST_TIMES: u32 = 10_000;
const MOST_ACTIONS: usize = 1_000;
const MOST_WATCHERS: u64 = 100_000;
const MOST_SAMPLES: u32 = 100_000;
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

struct KnownNames<'s> {
    zones: BTreeSet<&'s str>,
    node_names: BTreeSet<&'s str>,
    services: BTreeSet<String>,
    /// Services ever created, including those that reuse a name.
    workloads: u64,
    pods: u64,
    nodes: u64,
}

impl Scenario<'_> {
    /// Checks what single values do not show.
    ///
    /// # Errors
    /// `InvalidValue`, `MissingField` or `TooLarge`, with the JSON pointer of the first error.
    pub fn check(&self) -> Result<(), Error> {
        let mut known = KnownNames {
            zones: BTreeSet::new(),
            node_names: BTreeSet::new(),
            services: BTreeSet::new(),
            workloads: 0,
            pods: 0,
            nodes: 0,
        };
        for (number, zone) in self.zones.iter().enumerate() {
            let path = format!("/zones/{number}");
            known.zone(&path, zone)?;
        }
        for (number, workload) in self.services.iter().enumerate() {
            known.workload(&format!("/services/{number}"), workload)?;
        }
        self.check_settings()?;
        limit(
            "/actions",
            "actions",
            self.actions.len() as u64,
            MOST_ACTIONS as u64,
        )?;
        // A Service may be created after an action that is listed before it.
        for (number, action) in self.actions.iter().enumerate() {
            if let Some(workload) = &action.create_service {
                known.workload(&format!("/actions/{number}/createService"), workload)?;
            }
        }
        self.check_names()?;
        for (number, action) in self.actions.iter().enumerate() {
            known.action(&format!("/actions/{number}"), action)?;
        }
        Ok(())
    }

    fn check_settings(&self) -> ScenarioResult {
        let path = "/controller/concurrentServiceEndpointSyncs";
        match self.controller.concurrent_service_endpoint_syncs {
            None | Some(1..=50) => {}
            Some(syncs) => {
                return wrong(path, format!("it must be between 1 and 50, got {syncs}"));
            }
        }
        let rates = [
            ("retriesPerSecond", self.controller.retries_per_second),
            ("retryBurst", self.controller.retry_burst),
        ];
        for (name, rate) in rates {
            if let Some(rate) = rate.filter(|rate| !(1..=MOST_RETRIES).contains(rate)) {
                return wrong(
                    &format!("/controller/{name}"),
                    format!("it must be between 1 and {MOST_RETRIES}, got {rate}"),
                );
            }
        }
        if let Some(retries) = self
            .controller
            .max_retries
            .filter(|retries| *retries > 1000)
        {
            return wrong(
                "/controller/maxRetries",
                format!("it must be at most 1000, got {retries}"),
            );
        }
        for (number, watch) in self.watches.iter().enumerate() {
            check_watch(&format!("/watches/{number}"), watch)?;
        }
        if self.until.is_some_and(|until| until.0 > LONGEST) {
            return wrong("/until", "a run is at most `8784h`, a year");
        }
        let watchers = self.watchers.unwrap_or_default();
        limit("/watchers", "watchers", watchers.into(), MOST_WATCHERS)?;
        let until = self.until.map_or(DAY, |until| until.0);
        match self.sample_every {
            Some(every) if every.0.saturating_mul(MOST_SAMPLES) < until => wrong(
                "/sampleEvery",
                format!(
                    "there may be at most {MOST_SAMPLES} samples; sample less often, or give an earlier `until`"
                ),
            ),
            _ => Ok(()),
        }
    }
}

impl<'s> KnownNames<'s> {
    fn zone(&mut self, path: &str, zone: &'s super::Zone<'_>) -> ScenarioResult {
        let name = zone.name.as_str();
        if !name.is_empty() && !is_label(name) {
            let message = format!(
                "`{}` is not a valid zone name; write it like `eu-west-1a`",
                shorten(name)
            );
            return wrong(&format!("{path}/name"), message);
        }
        if !self.zones.insert(name) {
            let message = format!("there are two zones `{name}`");
            return Err(Error::new(Code::DuplicateName, message).at(format!("{path}/name")));
        }
        self.nodes += u64::from(zone.nodes);
        limit(&format!("{path}/nodes"), "nodes", self.nodes, MOST_NODES)?;
        if zone.node_names.len() > zone.nodes as usize {
            let message = format!(
                "{} names are more than the zone's {} nodes; set `nodes` to the number of names or more",
                zone.node_names.len(),
                zone.nodes
            );
            return wrong(&format!("{path}/nodeNames"), message);
        }
        for (number, name) in zone.node_names.iter().enumerate() {
            let path = format!("{path}/nodeNames/{number}");
            if !is_subdomain(name) {
                let message = format!(
                    "`{}` is not a valid node name; write it like `node-1.example.com`",
                    shorten(name)
                );
                return wrong(&path, message);
            }
            if !self.node_names.insert(name.as_str()) {
                let message = format!("there are two nodes `{name}`");
                return Err(Error::new(Code::DuplicateName, message).at(path));
            }
        }
        Ok(())
    }

    fn workload(&mut self, path: &str, workload: &Workload<'_>) -> ScenarioResult {
        let name = workload.service.as_str();
        match name.split_once('/') {
            Some((namespace, name)) if is_label(namespace) && is_label(name) => {}
            _ => {
                return wrong(
                    &format!("{path}/service"),
                    "name the Service as `namespace/name`",
                );
            }
        }
        limit(
            &format!("{path}/copies"),
            "Services",
            workload.copies.unwrap_or(1).into(),
            MOST_SERVICES,
        )?;
        if let Some(name) = workload
            .deployment
            .as_deref()
            .filter(|name| !is_label(name))
        {
            let message = format!(
                "`{}` is not a valid name for a Deployment here; use at most 50 lower-case letters, digits and `-`",
                shorten(name)
            );
            return wrong(&format!("{path}/deployment"), message);
        }
        self.services.extend(names_of(workload));
        self.workloads += u64::from(workload.copies.unwrap_or(1));
        limit(path, "Services", self.workloads, MOST_SERVICES)?;
        self.pods += u64::from(workload.replicas) * u64::from(workload.copies.unwrap_or(1));
        limit(&format!("{path}/replicas"), "pods", self.pods, MOST_PODS)?;
        check_families(path, &workload.families)?;
        check_ports(path, workload.ports.as_deref().unwrap_or_default())
    }

    fn action(&mut self, path: &str, action: &Action<'_>) -> ScenarioResult {
        let acts = action.acts();
        let act = match acts.as_slice() {
            [act] => Some(act),
            [] if action.phase.is_some() => None,
            [] => {
                let message = "this action does nothing; give it one of `scale`, `rollingUpdate`, `drainNodes` and so on, or at least a `phase`";
                return wrong(path, message);
            }
            _ => {
                let message = "an action does only one thing; write the others as separate actions at the same time";
                return wrong(path, message);
            }
        };
        if action
            .times
            .is_some_and(|times| !(1..=MOST_TIMES).contains(&times))
        {
            return wrong(
                &format!("{path}/times"),
                format!("an action happens 1 to {MOST_TIMES} times"),
            );
        }
        if action.at.is_some_and(|at| at.0 > LONGEST) {
            return wrong(&format!("{path}/at"), "a run is at most `8784h`, a year");
        }
        match act {
            Some((name, act)) => self.act(&format!("{path}/{name}"), action, *act),
            None => Ok(()),
        }
    }

    fn act(&mut self, path: &str, action: &Action<'_>, act: Act<'_, '_>) -> ScenarioResult {
        match act {
            Act::Scale(scale) => {
                self.pods += u64::from(scale.replicas);
                limit(&format!("{path}/replicas"), "pods", self.pods, MOST_PODS)?;
                self.service(path, &scale.service)
            }
            Act::RollingUpdate(update) => self.service(path, &update.service),
            Act::UnreadyPods(choice) | Act::DeletePods(choice) => {
                self.service(path, &choice.service)
            }
            Act::RelabelPods(relabel) => self.service(path, &relabel.service),
            Act::ChangeService(change) => {
                self.service(path, &change.service)?;
                check_families(path, &change.families)?;
                check_ports(path, change.ports.as_deref().unwrap_or_default())
            }
            Act::DeleteService(choice) => self.service(path, &choice.service),
            Act::EditSlices(edit) => {
                self.service(path, &edit.service)?;
                one_of(&format!("{path}/edit"), &edit.edit, &EditSlices::EDITS)
            }
            Act::DrainNodes(choice)
            | Act::FailNodes(choice)
            | Act::RecoverNodes(choice)
            | Act::RemoveNodes(choice) => self.nodes(path, choice),
            Act::ChangeNodes(choice) => {
                self.nodes(path, choice)?;
                match choice.cpu {
                    Some(_) => Ok(()),
                    None => wrong(
                        &format!("{path}/cpu"),
                        "give the nodes' new CPU; write it like `4` or `500m`",
                    ),
                }
            }
            Act::AddNodes(add) => {
                let times = action.times.unwrap_or(1);
                self.nodes += u64::from(add.count.unwrap_or(1)) * u64::from(times);
                limit(&format!("{path}/count"), "nodes", self.nodes, MOST_NODES)?;
                self.zone_is_known(path, &add.zone)
            }
            Act::RefuseWrites(refuse) => check_refusal(path, refuse),
            Act::SetWatch(watch) => check_watch(path, watch),
            Act::CreateService(_) if action.times.unwrap_or(1) > 1 => wrong(
                path,
                "an action creates one Service; use `copies` for several",
            ),
            Act::CreateService(_)
            | Act::RestartController
            | Act::Resync
            | Act::DeleteEverything => Ok(()),
        }
    }

    fn service(&self, path: &str, name: &Text<'_>) -> ScenarioResult {
        if self.services.contains(name.as_str()) {
            return Ok(());
        }
        let message = format!(
            "there is no Service `{}` in the scenario; write it as `namespace/name`",
            shorten(name)
        );
        wrong(&format!("{path}/service"), message)
    }

    fn zone_is_known(&self, path: &str, zone: &Text<'_>) -> ScenarioResult {
        if self.zones.contains(zone.as_str()) {
            return Ok(());
        }
        wrong(
            &format!("{path}/zone"),
            format!("there is no zone `{}` in the scenario", shorten(zone)),
        )
    }

    fn nodes(&self, path: &str, choice: &NodeChoice<'_>) -> ScenarioResult {
        match (&choice.node, &choice.zone) {
            (Some(_), None) => Ok(()),
            (None, Some(zone)) => self.zone_is_known(path, zone),
            _ => wrong(path, "name either a `node` or a `zone`"),
        }
    }
}
