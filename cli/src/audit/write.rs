//! Keeps the reports of a cluster: once, or again at an interval.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use slicewise_cluster::place::NamespaceScope;
use slicewise_cluster::runtime;
use slicewise_cluster::signals::shutdown_requested;
use tokio::runtime::Runtime;

use super::args::AuditArgs;
use super::cluster::AuditedCluster;
use super::metrics::AuditMetrics;
use super::output::summary;
use super::store::{ReportStore, WrittenReports};
use crate::failure::CommandFailure;
use crate::reviewer::configured;
use crate::{notes, print, report};

/// Audits and writes, until it is stopped if an interval is given.
pub(super) fn run(arguments: &AuditArgs) -> Result<u8, CommandFailure> {
    // What is wrong with the configuration now is told at once.
    configured(arguments.config()?.as_ref())?;
    let runtime = runtime()?;
    let Some(every) = arguments.every else {
        once(arguments, &runtime, None, &mut BTreeSet::new())?;
        return Ok(0);
    };
    let metrics = AuditMetrics::new();
    let mut told = BTreeSet::new();
    if let Some(address) = arguments.metrics {
        metrics.serve(address)?;
    }
    let stopped = runtime.block_on(async { shutdown_requested() });
    let stopped = stopped.map_err(CommandFailure::io("cannot wait for signals"))?;
    let mut stopped = std::pin::pin!(stopped);
    loop {
        // A cluster that does not answer may answer the next time.
        if let Err(failure) = once(arguments, &runtime, Some(&metrics), &mut told) {
            report::report(&failure, false);
        }
        let is_stopped = runtime.block_on(async {
            tokio::select! {
                () = &mut stopped => true,
                () = tokio::time::sleep(every) => false,
            }
        });
        if is_stopped {
            return Ok(0);
        }
    }
}

fn once(
    arguments: &AuditArgs,
    runtime: &Runtime,
    metrics: Option<&AuditMetrics>,
    told: &mut BTreeSet<String>,
) -> Result<(), CommandFailure> {
    let config = arguments.config()?;
    let mut cluster = AuditedCluster::read(config.as_ref(), arguments)?;
    let new = cluster.notes.iter();
    let new: Vec<String> = new.filter(|note| !told.contains(*note)).cloned().collect();
    notes::tell(&new);
    *told = cluster.notes.iter().cloned().collect();
    let scope = match &cluster.namespace {
        Some(namespace) => NamespaceScope::Namespace(namespace.clone()),
        None => NamespaceScope::All,
    };
    let limit: Option<Duration> = arguments.cluster.request_timeout();
    let choice = arguments.cluster.wanted(Some(&scope));
    let store = runtime.block_on(ReportStore::open(choice, limit))?;
    let audit = cluster.audit(store.preferred(), arguments)?;
    drop(cluster);
    if let Some(metrics) = metrics {
        metrics.add(&audit);
    }
    let summary = summary(&audit);
    let written = runtime.block_on(store.keep(audit.reports))?;
    let WrittenReports {
        created,
        updated,
        unchanged,
        deleted,
    } = written;
    print::to_stdout("the counts", |output| {
        writeln!(
            output,
            "{summary}; reports: {created} created, {updated} updated, {unchanged} unchanged, {deleted} deleted"
        )
    })
}
