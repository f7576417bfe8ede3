//! What repeated audits count, in Prometheus' text format and by the names of the webhook's metrics, for this machine only.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};
use slicewise_admission::policies;
use slicewise_cluster::{http, runtime};
use tokio::net::TcpListener;

use super::judge::{Audit, VERDICTS};
use crate::failure::CommandFailure;

/// The maximum number of connections; others wait.
const CONNECTIONS: usize = 16;
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// The counts of all audits so far.
#[derive(Clone)]
pub(super) struct AuditMetrics(Arc<Mutex<Counts>>);

struct Counts {
    verdicts: [usize; 4],
    /// By policy and verdict.
    findings: BTreeMap<(&'static str, String), usize>,
}

impl AuditMetrics {
    /// Every counter starts at 0, so that rates see the first event.
    pub(super) fn new() -> Self {
        const FOUND: [&str; 4] = ["deny", "warn", "would deny", "would warn"];
        let each = |policy: &&'static str| FOUND.map(|found| ((*policy, found.to_owned()), 0));
        let findings = policies::NAMES.iter().flat_map(each).collect();
        let verdicts = [0; 4];
        Self(Arc::new(Mutex::new(Counts { verdicts, findings })))
    }

    /// Adds an audit.
    pub(super) fn add(&self, audit: &Audit) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (count, more) in counts.verdicts.iter_mut().zip(audit.verdicts) {
            *count += more;
        }
        for (of, more) in &audit.findings {
            *counts.findings.entry(of.clone()).or_default() += more;
        }
    }

    fn text(&self) -> String {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from(
            "# HELP slicewise_webhook_audited_objects_total Objects of audits by verdict.\n# TYPE slicewise_webhook_audited_objects_total counter\n",
        );
        for (verdict, count) in VERDICTS.iter().zip(counts.verdicts) {
            let name = "slicewise_webhook_audited_objects_total";
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name}{{verdict=\"{verdict}\"}} {count}");
        }
        text.push_str("# HELP slicewise_webhook_policy_findings_total Objects with findings, by policy and its verdict.\n# TYPE slicewise_webhook_policy_findings_total counter\n");
        for ((policy, verdict), count) in &counts.findings {
            let name = "slicewise_webhook_policy_findings_total";
            let labels = format!("policy=\"{policy}\",verdict=\"{verdict}\"");
            let _ = writeln!(text, "{name}{{{labels}}} {count}");
        }
        text
    }

    /// Serves them from a thread of its own, so that an audit does not delay the answer.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub(super) fn serve(&self, address: SocketAddr) -> Result<(), CommandFailure> {
        let cannot = || CommandFailure::io(format!("cannot listen on {address}"));
        let listener = std::net::TcpListener::bind(address).map_err(cannot())?;
        listener.set_nonblocking(true).map_err(cannot())?;
        let runtime = runtime()?;
        let metrics = self.clone();
        std::thread::spawn(move || {
            runtime.block_on(async move {
                if let Ok(listener) = TcpListener::from_std(listener) {
                    let respond = move |request, _| respond(request, metrics.clone());
                    http::serve(listener, CONNECTIONS, respond).await;
                }
            });
        });
        Ok(())
    }
}

async fn respond(request: Request<Incoming>, metrics: AuditMetrics) -> Response<Full<Bytes>> {
    let (status, text) = match request.uri().path() {
        "/metrics" => (StatusCode::OK, metrics.text()),
        _ => (
            StatusCode::NOT_FOUND,
            "not found; use /metrics\n".to_owned(),
        ),
    };
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, TEXT);
    response
}
