//! The loop around [`slicewise_live::controller::Controller`]: watch events go in, plans are written, and their results
//! go back. One task owns the state; all others send it requests.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, FuturesUnordered};
use kube::runtime::watcher;
use slicewise::model::{NamespacedName, keys};
use slicewise::plan::Plan;
use slicewise_live::controller::{
    ClusterEvent, Command, Controller, Kind, PlanObject, SyncOutcome, Versioned,
};
use slicewise_live::json::events::read_kind;
use slicewise_live::metrics::prometheus_text;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tracing::{debug, error, info, warn};

use super::counts::{ControllerCounts, count};
use super::elect::Leadership;
use super::publish::Publisher;
use super::serve::{PendingQuery, Query, QueryAnswer};
use super::settings::ShowPlan;
use super::shard::Shard;
use super::write::{SliceWriter, WriteOutcome};
use slicewise_cluster::raw::RawObject;
use slicewise_cluster::watches::WatchReport;

/// The maximum number of commands per turn, so that watches, queries and the Lease get theirs.
const TURN: usize = 64;

/// The controller and everything it works with.
pub(super) struct Driver {
    pub(super) controller: Controller,
    pub(super) shard: Shard,
    pub(super) resync_period: Duration,
    pub(super) writer: PlanWriter,
    pub(super) publisher: Option<Publisher>,
    pub(super) leadership: watch::Receiver<Leadership>,
    pub(super) counts: ControllerCounts,
    pub(super) started: Instant,
    pub(super) writes: FuturesUnordered<BoxFuture<'static, (NamespacedName, WriteOutcome)>>,
    /// The deadline for writes in flight once it is shutting down.
    pub(super) stop_by: Option<Instant>,
}

/// Where plans go.
pub(super) enum PlanWriter {
    /// They are written.
    Cluster(SliceWriter),
    /// They are shown, and nothing is written.
    Dry(ShowPlan),
}

/// Why the loop ended.
#[derive(Debug, PartialEq, Eq)]
pub enum LoopEnd {
    /// It received a signal or a request to stop.
    Stopped,
    /// Another instance holds the Lease, or may hold it.
    LeaseLost,
}

impl Driver {
    /// Runs until it is stopped and the writes in flight have finished or `grace` is over, or until the Lease is lost.
    pub(super) async fn run(
        &mut self,
        mut watches: BoxStream<'static, Vec<WatchReport>>,
        mut asks: mpsc::Receiver<PendingQuery>,
        shutdown_requested: impl Future<Output = ()>,
        grace: Duration,
    ) -> LoopEnd {
        tokio::pin!(shutdown_requested);
        let is_elected = *self.leadership.borrow() != Leadership::Unasked;
        let mut resync = self.started + self.resync_period;
        loop {
            self.work();
            if self.stop_by.is_some() && self.writes.is_empty() {
                return LoopEnd::Stopped;
            }
            let wake = self.wake().unwrap_or(resync).min(resync);
            // In this order, so that a flood of events cannot starve the rest.
            tokio::select! {
                biased;
                () = &mut shutdown_requested, if self.stop_by.is_none() => self.stop(grace),
                changed = self.leadership.changed(), if is_elected => {
                    // However else the election ends, the process must exit too: otherwise no instance would ever lead.
                    if changed.is_err() || *self.leadership.borrow_and_update() == Leadership::Lost {
                        return LoopEnd::LeaseLost;
                    }
                }
                Some((service, outcome)) = self.writes.next() => self.complete(&service, outcome),
                Some(ask) = asks.recv() => self.answer(ask),
                Some(told) = watches.next() => self.take(told),
                () = sleep_until(wake) => {
                    if Instant::now() >= resync {
                        self.controller.handle(ClusterEvent::Resync, self.now());
                        resync = Instant::now() + self.resync_period;
                    }
                    if self.stop_by.is_some_and(|by| Instant::now() >= by) {
                        warn!(writes = self.writes.len(), "shutting down with writes in flight");
                        return LoopEnd::Stopped;
                    }
                }
            }
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn leads(&self) -> bool {
        self.leadership.borrow().leads(Instant::now())
    }

    /// The next time there is something to do, if nothing else happens.
    fn wake(&self) -> Option<Instant> {
        let timer = self.controller.next_timer().filter(|_| self.may_work());
        let timer = timer.and_then(|timer| self.started.checked_add(timer));
        timer.into_iter().chain(self.stop_by).min()
    }

    /// A standby keeps its state up to date but does no work.
    fn may_work(&self) -> bool {
        self.stop_by.is_none() && self.leads()
    }

    fn stop(&mut self, grace: Duration) {
        info!(writes = self.writes.len(), "shutting down");
        self.stop_by = Some(Instant::now() + grace);
    }

    /// Runs one turn of the work that is due.
    fn work(&mut self) {
        if !self.may_work() {
            return;
        }
        for _ in 0..TURN {
            let now = self.now();
            let Some(command) = self.controller.due(now) else {
                return;
            };
            match command {
                Command::Sync { service, plan } => {
                    let plan = plan.into_owned();
                    self.write(service, plan);
                }
                Command::Ended {
                    service,
                    result,
                    is_dropped,
                } => ended(&service, result, is_dropped),
                Command::Publish { service, event } => {
                    let known = self.controller.session().service(&service);
                    let uid = known.map(|known| known.metadata.uid.to_string());
                    if let (Some(publisher), Some(uid)) = (&self.publisher, uid)
                        && !publisher.publish(&service, &uid, &event)
                    {
                        self.counts.events_dropped += 1;
                    }
                }
                Command::Retry {
                    service,
                    after,
                    retries,
                } => debug!(%service, ?after, retries, "to be retried"),
            }
        }
    }

    fn write(&mut self, service: NamespacedName, plan: Plan<'static>) {
        match &self.writer {
            PlanWriter::Cluster(writer) if !plan.is_empty() => {
                let writer = writer.clone();
                self.writes
                    .push(Box::pin(async move { (service, writer.write(plan).await) }));
                return;
            }
            PlanWriter::Dry(show) if !plan.is_empty() => {
                if let Err(error) = show(&plan) {
                    error!(%service, %error, "the plan cannot be shown");
                }
            }
            _ => {}
        }
        let outcome = plan.writing().finish();
        self.complete(&service, outcome);
    }

    fn complete(&mut self, service: &NamespacedName, outcome: WriteOutcome) {
        let applied = match &outcome {
            Ok(applied) => applied,
            Err(error) => {
                for failure in &error.failures {
                    let (operation, reason) = (failure.operation, failure.error.reason.clone());
                    warn!(%service, operation, slice = failure.slice, reason, error = %failure.error, "refused");
                    count(&mut self.counts.refused, (operation, reason));
                }
                &error.applied
            }
        };
        let [created, updated, deleted] = [
            applied.created.len(),
            applied.updated.len(),
            applied.deleted.len(),
        ];
        if created + updated + deleted > 0 {
            info!(%service, created, updated, deleted, "written");
        }
        if applied.namespace_terminating {
            info!(%service, "not creating slices: the namespace is being deleted");
        }
        let now = self.now();
        self.controller.complete(service, outcome, now);
    }

    fn take(&mut self, told: Vec<WatchReport>) {
        for (kind, told) in told {
            match told {
                Ok(event) => self.feed(kind, event),
                Err(error) => {
                    count(&mut self.counts.watch_failures, kind);
                    warn!(kind = kind.as_str(), %error, "a watch failed and will be retried");
                }
            }
        }
    }

    fn feed(&mut self, kind: Kind, event: watcher::Event<RawObject>) {
        let now = self.now();
        match event {
            watcher::Event::Init => {
                self.controller.handle(ClusterEvent::Listing(kind), now);
            }
            watcher::Event::InitDone => {
                self.controller.handle(ClusterEvent::Synced(kind), now);
                info!(kind = kind.as_str(), "listed");
            }
            watcher::Event::InitApply(raw) | watcher::Event::Apply(raw) => self.set(kind, &raw),
            watcher::Event::Delete(raw) => {
                count(&mut self.counts.watched, kind);
                self.controller.handle(raw.removal(kind), now);
            }
        }
    }

    fn set(&mut self, kind: Kind, raw: &RawObject) {
        count(&mut self.counts.watched, kind);
        let now = self.now();
        let event = match read_kind(kind, raw.text(), || raw.key()) {
            Ok(object) if is_concern(self.shard, &object) => ClusterEvent::Set(Box::new(object)),
            // It may have belonged to the shard until now.
            Ok(_) => raw.removal(kind),
            Err(unreadable) => {
                count(&mut self.counts.unreadable, kind);
                error!(
                    kind = kind.as_str(),
                    object = raw.name(),
                    error = unreadable.error.message(),
                    "unreadable object skipped"
                );
                ClusterEvent::Unreadable(unreadable)
            }
        };
        self.controller.handle(event, now);
    }

    fn answer(&self, ask: PendingQuery) {
        let answer = match ask.question {
            Query::Alive => QueryAnswer::Yes,
            Query::Ready => self.readiness(),
            Query::Metrics => {
                let mut families = self.controller.metrics().gather();
                families.extend(self.counts.families(self.leads()));
                QueryAnswer::Text(prometheus_text(&families))
            }
        };
        // The caller may be gone.
        let _ = ask.answer.send(answer);
    }

    fn readiness(&self) -> QueryAnswer {
        let waits: Vec<_> = self.controller.unsynced().map(Kind::as_str).collect();
        if self.stop_by.is_some() {
            QueryAnswer::No("ending".to_owned())
        } else if waits.is_empty() {
            QueryAnswer::Yes
        } else {
            QueryAnswer::No(format!("not listed yet: {}", waits.join(", ")))
        }
    }
}

/// Whether the object matters to the shard. Pods and Nodes matter to all.
fn is_concern(shard: Shard, object: &Versioned<'_>) -> bool {
    match &object.object {
        PlanObject::Service(service) => {
            shard.owns(&service.metadata.namespace, &service.metadata.name)
        }
        PlanObject::EndpointSlice(slice) => {
            let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
            service.is_none_or(|service| shard.owns(&slice.metadata.namespace, service))
        }
        PlanObject::Pod(_) | PlanObject::Node(_) => true,
    }
}

fn ended(service: &NamespacedName, result: SyncOutcome, is_dropped: bool) {
    debug!(%service, result = result.as_str(), "synced");
    if is_dropped {
        error!(%service, "failed too often; leaving it until it changes");
    }
}

#[cfg(test)]
mod tests {
    use slicewise_live::controller::Config;
    use tokio::time::timeout;

    use super::*;

    /// A driver that writes nothing.
    fn driver() -> Driver {
        Driver {
            controller: Controller::new(Config::default()),
            shard: "0/1".parse().unwrap(),
            resync_period: Duration::from_secs(3600),
            writer: PlanWriter::Dry(|_| Ok(())),
            publisher: None,
            leadership: watch::channel(Leadership::Unasked).1,
            counts: ControllerCounts::default(),
            started: Instant::now(),
            writes: FuturesUnordered::new(),
            stop_by: None,
        }
    }

    fn node(name: &str, labels: &str) -> RawObject {
        let json = format!(r#"{{"metadata": {{"name": "{name}", "labels": {labels}}}}}"#);
        serde_json::from_str(&json).unwrap()
    }

    fn known(driver: &Driver) -> Vec<String> {
        let keys = driver.controller.session().keys(Kind::Node);
        keys.into_iter().map(|key| key.name).collect()
    }

    #[test]
    fn an_election_that_dies_ends_the_controller() {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        let end_of = |leadership| {
            let mut driver = Driver {
                leadership,
                ..driver()
            };
            let (_asks, asked) = mpsc::channel(1);
            let run = driver.run(
                futures_util::stream::pending().boxed(),
                asked,
                std::future::pending(),
                Duration::ZERO,
            );
            runtime.block_on(async { timeout(Duration::from_millis(200), run).await.ok() })
        };
        let after_the_end = |state| {
            let (election, leadership) = watch::channel(state);
            drop(election);
            end_of(leadership)
        };
        assert_eq!(
            after_the_end(Leadership::Standby),
            Some(LoopEnd::LeaseLost),
            "nobody would ever lead"
        );
        assert_eq!(
            after_the_end(Leadership::Unasked),
            None,
            "nobody is elected"
        );
        let (_election, leadership) = watch::channel(Leadership::Standby);
        assert_eq!(end_of(leadership), None, "the election goes on");
    }

    #[test]
    fn what_is_known_of_an_unreadable_object_outlasts_a_list() {
        let mut driver = driver();
        let list = |driver: &mut Driver, nodes: Vec<RawObject>| {
            driver.feed(Kind::Node, watcher::Event::Init);
            for node in nodes {
                driver.feed(Kind::Node, watcher::Event::InitApply(node));
            }
            driver.feed(Kind::Node, watcher::Event::InitDone);
        };
        list(
            &mut driver,
            vec![node("a", "{}"), node("b", "{}"), node("c", "{}")],
        );
        assert_eq!(known(&driver), ["a", "b", "c"]);

        // Listed again: one can no longer be read, one is gone, and one was never readable.
        list(
            &mut driver,
            vec![node("a", "7"), node("c", "{}"), node("d", "7")],
        );
        assert_eq!(known(&driver), ["a", "c"]);
        assert_eq!(driver.counts.unreadable.get(&Kind::Node), Some(&2));

        list(&mut driver, vec![node("c", "{}")]);
        assert_eq!(known(&driver), ["c"]);
    }
}
