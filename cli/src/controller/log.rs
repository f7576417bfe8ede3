//! The log of the controller, on standard error.

use std::io::{self, Write};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use super::args::{LogFormat, LogLevel};
use crate::screen::{self, Data, Screen};

/// The log target of kube's client, which logs failed requests. Our code gets the same errors and knows more about the requests.
const FAILED_REQUESTS: &str = "kube_client::client::builder";

/// The log filter.
fn levels(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // Libraries' internal messages are not for operators.
    Targets::new()
        .with_target("slicewise_controller", level)
        .with_target("slicewise_cluster", level)
        .with_target(FAILED_REQUESTS, LevelFilter::OFF)
        .with_default(level.min(LevelFilter::WARN))
}

/// Escapes what is written, one line at a time.
struct EscapedLines<W>(Screen<W>);

impl<W: Write> Write for EscapedLines<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        write!(self.0, "{}", String::from_utf8_lossy(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Starts logging to standard error.
pub(super) fn to_stderr(level: LogLevel, format: LogFormat) {
    let levels = levels(level);
    let log = fmt::layer().with_target(false).with_ansi(false);
    match format {
        LogFormat::Text => {
            let log = log.with_writer(|| EscapedLines(screen::stderr()));
            registry().with(log.with_filter(levels)).init();
        }
        LogFormat::Json => {
            let log = log
                .with_writer(|| Data::new(io::stderr()))
                .json()
                .flatten_event(true)
                .with_current_span(false);
            let log = log.with_span_list(false);
            registry().with(log.with_filter(levels)).init();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use k8s_openapi::api::core::v1::Node;
    use kube::api::ListParams;
    use kube::{Api, Client, Config};
    use tokio::net::TcpListener;

    use super::*;

    /// What has been logged.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            log.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Sends a request to a port where nothing listens, and returns the log.
    async fn log_of_a_failed_request(levels: Targets) -> String {
        let log = Log::default();
        let writer = log.clone();
        let layer = fmt::layer()
            .with_writer(move || writer.clone())
            .with_ansi(false);
        let _guard = registry().with(layer.with_filter(levels)).set_default();
        // A port that was just in use and has no listener any more.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let mut config = Config::new(format!("http://{address}").parse().unwrap());
        config.default_retry = false;
        let nodes: Api<Node> = Api::all(Client::try_from(config).unwrap());
        assert!(nodes.list(&ListParams::default()).await.is_err());
        let bytes = log.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_failed_request_is_for_whoever_made_it_to_log() {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        runtime.block_on(async {
            let told = log_of_a_failed_request(Targets::new().with_default(LevelFilter::WARN));
            let told = told.await;
            assert!(told.contains(FAILED_REQUESTS), "kube says it: {told}");
            assert_eq!(log_of_a_failed_request(levels(LogLevel::Debug)).await, "");
        });
    }
}
