//! A small HTTP server: a bounded number of connections, each closed when its client stops responding.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until};
use tracing::{debug, warn};

/// Connections that have not sent a request within this time are closed.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// The maximum size of a request's buffer, and of data waiting for a slow client.
const BUFFER: usize = 64 * 1024;
/// The delay after a failure to accept, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Tracks whether a client keeps reading a streamed response. Immediate responses do not need it.
#[derive(Clone, Default)]
pub struct Pulse(Arc<Mutex<Option<Instant>>>);

impl Pulse {
    /// The client has read everything so far; it must have read more by `limit`.
    pub fn until(&self, limit: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit);
    }

    /// Resolves when the limit has passed.
    async fn lost(&self) {
        const INTERVAL: Duration = Duration::from_secs(1);
        loop {
            let limit = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match limit {
                Some(limit) if limit <= Instant::now() => return,
                Some(limit) => sleep_until(limit).await,
                None => sleep(INTERVAL).await,
            }
        }
    }
}

/// Serves until the process ends; connections beyond the first `most` wait.
pub async fn serve<F, R, B>(listener: TcpListener, most: usize, respond: F)
where
    F: Fn(Request<Incoming>, Pulse) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Response<B>> + Send + 'static,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(most));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!(%error, "cannot accept a connection");
                sleep(PAUSE).await;
                continue;
            }
        };
        let respond = respond.clone();
        tokio::spawn(async move {
            let pulse = Pulse::default();
            let beats = pulse.clone();
            let service = service_fn(move |request| {
                let answer = respond(request, beats.clone());
                async move { Ok::<_, Infallible>(answer.await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_LIMIT)
                .max_buf_size(BUFFER)
                .serve_connection(TokioIo::new(stream), service);
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        debug!(%error, "a connection failed");
                    }
                }
                () = pulse.lost() => debug!("a connection no longer accepts data"),
            }
            drop(place);
        });
    }
}
