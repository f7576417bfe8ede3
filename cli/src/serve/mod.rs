//! `slicewise serve`: the page, with live data from a cluster.

mod feed;
mod guard;
mod page;

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, Stream};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use slicewise::model::NamespacedName;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, timeout};

use crate::failure::{CommandFailure, without_number};
use crate::watch::{ClusterFollower, FollowArgs};
use crate::{print, screen};
use feed::{Feed, FeedChannels, FeedClient};
use guard::{Guard, HttpRefusal};
use page::Page;
use slicewise_cluster::http::{self, Pulse};
use slicewise_cluster::runtime;
use slicewise_cluster::signals::shutdown_requested;

const EXIT_CODES: &str = "\
Exit codes:
  0  stopped by SIGINT or SIGTERM
  1  cannot listen on the port
  2  bad usage, no page, an invalid kubeconfig, or a cluster that cannot be read";

/// The path of the event stream.
const LIVE: &str = "/live";
/// The maximum number of connections; others wait.
const CONNECTIONS: usize = 64;
/// The maximum number of event streams; more are refused, so that the page can always be loaded.
const CLIENTS: usize = 16;
/// Each client receives something at least this often, and must read it within the same time.
const BEAT: Duration = Duration::from_secs(15);
const PATIENCE: Duration = Duration::from_secs(30);
/// The loop answers immediately unless it has ended.
const LIMIT: Duration = Duration::from_secs(10);
/// The number of queries that may wait for an answer.
const ASKS: usize = 64;
/// The number of random bytes in the token.
const TOKEN: usize = 32;

/// Serves the page on this machine, with a live cluster: choose a Service, and see its slices, hints and traffic change. It lists and watches
/// Services, Pods, Nodes and EndpointSlices, and writes nothing.
///
/// Open the printed address: it contains the token that gives access to the cluster's data.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    followed: FollowArgs,

    /// The port to listen on; 0 picks a free port
    #[arg(long, value_name = "PORT", default_value_t = 8180)]
    port: u16,

    /// The address to listen on; unless it is loopback, others can reach it and intercept the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// The folder of the built page [default: where it is installed]
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: &ServeArgs) -> Result<u8, CommandFailure> {
    runtime()?.block_on(serve(arguments))
}

async fn serve(arguments: &ServeArgs) -> Result<u8, CommandFailure> {
    let end = shutdown_requested().map_err(CommandFailure::io("cannot wait for signals"))?;
    tokio::pin!(end);
    let page = Page::read(arguments.page.as_deref())?;
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let failed =
        |error| CommandFailure::Io(format!("cannot listen on {address}"), with_remedy(error));
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let token = token()?;
    let follow = async {
        let follower = ClusterFollower::start(&arguments.followed, None).await?;
        Feed::start(follower.with_services()).await
    };
    let feed = tokio::select! {
        feed = follow => feed?,
        () = &mut end => return Ok(0),
    };
    say(address, &token, feed.message())?;
    let (asks, asked) = mpsc::channel(ASKS);
    let server = Arc::new(Server {
        guard: Guard::new(token, address.ip()),
        page,
        asks,
        clients: Arc::new(Semaphore::new(CLIENTS)),
    });
    let respond = move |request, pulse| Arc::clone(&server).respond(request, pulse);
    tokio::select! {
        () = &mut end => Ok(0),
        failure = feed.run(asked) => Err(failure),
        () = http::serve(listener, CONNECTIONS, respond) => Ok(0),
    }
}

/// The error, with a flag that helps.
fn with_remedy(error: io::Error) -> io::Error {
    let remedy = match error.kind() {
        io::ErrorKind::AddrInUse => "choose another port with --port; 0 picks a free one",
        io::ErrorKind::AddrNotAvailable => "--listen takes an address of this machine",
        io::ErrorKind::PermissionDenied => "choose a port above 1023 with --port",
        _ => return error,
    };
    io::Error::new(
        error.kind(),
        format!("{}; {remedy}", without_number(&error)),
    )
}

fn token() -> Result<String, CommandFailure> {
    let mut bytes = [0; TOKEN];
    let filled = getrandom::fill(&mut bytes).map_err(io::Error::other);
    filled.map_err(CommandFailure::io("cannot make a token"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn say(address: SocketAddr, token: &str, following: &str) -> Result<(), CommandFailure> {
    print::to_stdout("the address", |output| {
        writeln!(output, "{following}")?;
        // Browsers do not send what follows `#`: no server, log or other site sees it.
        writeln!(output, "http://{address}/#live={token}")
    })?;
    if !address.ip().is_loopback() {
        let _ = writeln!(
            screen::stderr(),
            "slicewise: anyone who can read the traffic to {address} can read the token and the data; prefer a tunnel, such as `ssh -L`"
        );
    }
    Ok(())
}

type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

struct Server {
    guard: Guard,
    page: Page,
    asks: mpsc::Sender<FeedClient>,
    clients: Arc<Semaphore>,
}

impl Server {
    async fn respond(self: Arc<Self>, request: Request<Incoming>, pulse: Pulse) -> HttpAnswer {
        let (request, _) = request.into_parts();
        let answer = match self.guard.check(&request, request.uri.path() == LIVE) {
            Ok(()) if request.uri.path() == LIVE => self.tell(&request, pulse).await,
            Ok(()) => self.file(&request),
            Err(refusal) => Err(refusal),
        };
        let mut answer = answer.unwrap_or_else(refuse);
        self.harden(answer.headers_mut());
        answer
    }

    /// A file of the page.
    fn file(&self, request: &Parts) -> Result<HttpAnswer, HttpRefusal> {
        let file = self.page.file(request.uri.path()).and_then(|file| {
            let content = file.content(request.headers.get(header::ACCEPT_ENCODING))?;
            Some((content, file.content_type))
        });
        let ((content, encoding), content_type) =
            file.ok_or((StatusCode::NOT_FOUND, "not found\n"))?;
        let length = content.len();
        let is_head = request.method == Method::HEAD;
        let content = if is_head {
            Bytes::new()
        } else {
            content.clone()
        };
        let mut answer = Response::new(Full::new(content).boxed());
        let headers = answer.headers_mut();
        let encoding = encoding.map(|encoding| (header::CONTENT_ENCODING, encoding));
        let fixed = [
            (header::CONTENT_TYPE, content_type),
            (header::CACHE_CONTROL, "no-cache"),
            (header::VARY, "accept-encoding"),
        ];
        for (name, value) in fixed.into_iter().chain(encoding) {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if is_head {
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        Ok(answer)
    }

    /// The event stream, until the client disconnects.
    async fn tell(&self, request: &Parts, pulse: Pulse) -> Result<HttpAnswer, HttpRefusal> {
        const FULL: HttpRefusal = (
            StatusCode::SERVICE_UNAVAILABLE,
            "too many pages are connected; close another one\n",
        );
        let service = asked_service(request.uri.query())?;
        let place = Arc::clone(&self.clients).try_acquire_owned();
        let place = place.map_err(|_| FULL)?;
        let (answer, answered) = oneshot::channel();
        let gone = (StatusCode::SERVICE_UNAVAILABLE, "ending\n");
        let ask = async {
            self.asks.send(FeedClient { service, answer }).await.ok()?;
            answered.await.ok()
        };
        let told = timeout(LIMIT, ask).await.ok().flatten().ok_or(gone)?;
        let told = told.ok_or(FULL)?;
        let events = StreamBody::new(events(told, pulse, place));
        let mut answer = Response::new(BodyExt::boxed(events));
        let headers = answer.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(answer)
    }

    fn harden(&self, headers: &mut HeaderMap) {
        let policy = HeaderValue::from_str(&self.page.policy);
        if let Ok(policy) = policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::REFERRER_POLICY, "no-referrer"),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin",
            ),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "same-origin",
            ),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

fn refuse((status, text): HttpRefusal) -> HttpAnswer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, plain);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET"));
    }
    answer
}

/// Parses `service=NAMESPACE/NAME`, or nothing. Valid names contain no characters to escape, but clients may escape the slash.
fn asked_service(query: Option<&str>) -> Result<Option<NamespacedName>, HttpRefusal> {
    const WRONG: HttpRefusal = (
        StatusCode::BAD_REQUEST,
        "use `?service=NAMESPACE/NAME`, or no query\n",
    );
    const LONGEST: usize = 63;
    let Some(query) = query else {
        return Ok(None);
    };
    let value = query.strip_prefix("service=").ok_or(WRONG)?;
    let value = value.replace("%2F", "/").replace("%2f", "/");
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name =
        |name: &str| !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_part);
    match value.split_once('/') {
        Some((namespace, name)) if is_name(namespace) && is_name(name) => {
            Ok(Some(NamespacedName {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            }))
        }
        _ => Err(WRONG),
    }
}

/// The newest states for a client, and regular keep-alives.
fn events<P: Send + Sync + 'static>(
    told: FeedChannels,
    pulse: Pulse,
    place: P,
) -> impl Stream<Item = Result<Frame<Bytes>, Infallible>> + Send + Sync + 'static {
    let FeedChannels {
        mut all,
        mut chosen,
    } = told;
    all.mark_changed();
    if let Some(chosen) = &mut chosen {
        chosen.mark_changed();
    }
    stream::unfold((all, chosen, place), move |(mut all, mut chosen, place)| {
        let pulse = pulse.clone();
        async move {
            // Polled again: the previous chunk is on its way.
            pulse.until(Instant::now() + BEAT + PATIENCE);
            let of_chosen = async {
                match &mut chosen {
                    Some(chosen) => chosen.changed().await,
                    None => std::future::pending().await,
                }
            };
            let bytes = tokio::select! {
                changed = all.changed() => {
                    changed.ok()?;
                    all.borrow_and_update().clone()
                }
                changed = of_chosen => {
                    changed.ok()?;
                    chosen.as_mut()?.borrow_and_update().clone()
                }
                () = tokio::time::sleep(BEAT) => Bytes::from_static(b":\n\n"),
            };
            pulse.until(Instant::now() + PATIENCE);
            Some((Ok(Frame::data(bytes)), (all, chosen, place)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: Option<&str>, expected: Option<&str>) {
        let asked = asked_service(query).ok().flatten();
        assert_eq!(asked.map(|key| key.to_string()).as_deref(), expected);
    }

    #[test]
    fn a_service_is_asked_for_by_its_name() {
        check(None, None);
        check(Some("service=shop/cart"), Some("shop/cart"));
        check(Some("service=shop%2Fcart-2"), Some("shop/cart-2"));
        for wrong in [
            "",
            "service=",
            "service=cart",
            "service=a/b/c",
            "service=../cart",
            "service=a/b&x=1",
            "name=a/b",
            "service=a/%00",
        ] {
            assert!(asked_service(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
