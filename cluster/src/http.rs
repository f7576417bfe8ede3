//! HTTP for a few: a bounded number of connections, each cut off when its end has fallen silent.

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

/// Who has not sent a request by then is cut off.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// What is read of a request, or made ready for a client that does not take it.
const BUFFER: usize = 64 * 1024;
/// After a failure to accept, such as for want of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Whether the other end of a connection takes what it is given. It does not matter for an immediate answer.
#[derive(Clone, Default)]
pub struct Pulse(Arc<Mutex<Option<Instant>>>);

impl Pulse {
    /// It has taken all there was; by then it has to take more.
    pub fn until(&self, limit: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit);
    }

    /// Resolves when it has not.
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

/// Serves until the process ends; others than the first `most` wait.
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
