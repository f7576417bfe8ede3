//! Metrics and health over HTTP. The loop that does the work answers every query: if it hangs, the process is not
//! alive, even if its sockets still accept.

use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE};
use hyper::{Method, Request, Response, StatusCode};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use slicewise_cluster::http;

/// The loop is considered hung if it has not answered within this time.
const LIMIT: Duration = Duration::from_secs(10);
/// The maximum number of connections; others wait.
const CONNECTIONS: usize = 64;

/// The queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Query {
    /// Whether the loop is running.
    Alive,
    /// Whether everything that plans need has been listed.
    Ready,
    /// All metrics.
    Metrics,
}

/// The answer to a query.
#[derive(Debug)]
pub(super) enum QueryAnswer {
    Yes,
    /// And the reason if not.
    No(String),
    Text(String),
}

/// A query and the channel for its answer.
#[derive(Debug)]
pub(super) struct PendingQuery {
    pub(super) question: Query,
    pub(super) answer: oneshot::Sender<QueryAnswer>,
}

/// Serves until the process ends.
pub(super) async fn serve(listener: TcpListener, asks: mpsc::Sender<PendingQuery>) {
    http::serve(listener, CONNECTIONS, move |request, _| {
        respond(request, asks.clone())
    })
    .await;
}

async fn respond(
    request: Request<Incoming>,
    asks: mpsc::Sender<PendingQuery>,
) -> Response<Full<Bytes>> {
    let question = match request.uri().path() {
        "/metrics" => Query::Metrics,
        "/healthz" | "/livez" => Query::Alive,
        "/readyz" => Query::Ready,
        _ => {
            return plain(
                StatusCode::NOT_FOUND,
                "not found; use /metrics, /healthz, /livez or /readyz\n",
            );
        }
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
        response
            .headers_mut()
            .insert(ALLOW, hyper::header::HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    match timeout(LIMIT, ask(question, &asks)).await {
        Ok(Some(QueryAnswer::Yes)) => plain(StatusCode::OK, "ok\n"),
        Ok(Some(QueryAnswer::Text(text))) => plain(StatusCode::OK, text),
        Ok(Some(QueryAnswer::No(reason))) => plain(StatusCode::SERVICE_UNAVAILABLE, reason + "\n"),
        Ok(None) => plain(StatusCode::SERVICE_UNAVAILABLE, "ending\n"),
        Err(_) => plain(StatusCode::SERVICE_UNAVAILABLE, "no answer in time\n"),
    }
}

/// `None` if the loop no longer answers.
async fn ask(question: Query, asks: &mpsc::Sender<PendingQuery>) -> Option<QueryAnswer> {
    let (answer, answered) = oneshot::channel();
    asks.send(PendingQuery { question, answer }).await.ok()?;
    answered.await.ok()
}

/// The type is that of the Prometheus text format, which other clients read as plain text.
fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    let value = hyper::header::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, value);
    response
}
