//! Metrics and health over HTTP. Whatever is asked is answered by the loop that does the work: one that hangs is not
//! alive, whatever its sockets say.

use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE};
use hyper::{Method, Request, Response, StatusCode};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use slicewise_cluster::http;

/// The loop is not alive when it has not answered by then.
const LIMIT: Duration = Duration::from_secs(10);
/// Connections at one time; others wait.
const CONNECTIONS: usize = 64;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Does the loop turn?
    Alive,
    /// Is everything known that plans need?
    Ready,
    /// All metrics.
    Metrics,
}

/// What is answered.
#[derive(Debug)]
pub(super) enum Answer {
    Yes,
    /// And why not.
    No(String),
    Text(String),
}

/// A question, and where the answer goes.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) question: Question,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// Serves until the process ends.
pub(super) async fn serve(listener: TcpListener, asks: mpsc::Sender<Ask>) {
    http::serve(listener, CONNECTIONS, move |request, _| {
        respond(request, asks.clone())
    })
    .await;
}

async fn respond(request: Request<Incoming>, asks: mpsc::Sender<Ask>) -> Response<Full<Bytes>> {
    let question = match request.uri().path() {
        "/metrics" => Question::Metrics,
        "/healthz" | "/livez" => Question::Alive,
        "/readyz" => Question::Ready,
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
        Ok(Some(Answer::Yes)) => plain(StatusCode::OK, "ok\n"),
        Ok(Some(Answer::Text(text))) => plain(StatusCode::OK, text),
        Ok(Some(Answer::No(reason))) => plain(StatusCode::SERVICE_UNAVAILABLE, reason + "\n"),
        Ok(None) => plain(StatusCode::SERVICE_UNAVAILABLE, "ending\n"),
        Err(_) => plain(StatusCode::SERVICE_UNAVAILABLE, "no answer in time\n"),
    }
}

/// `None` when the loop no longer answers.
async fn ask(question: Question, asks: &mpsc::Sender<Ask>) -> Option<Answer> {
    let (answer, answered) = oneshot::channel();
    asks.send(Ask { question, answer }).await.ok()?;
    answered.await.ok()
}

/// The type is that of the Prometheus text format, which is plain text to everybody else.
fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    let value = hyper::header::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, value);
    response
}
