//! Shutdown signals for long-running commands.

use std::io;

/// Resolves on the first signal to terminate.
#[cfg(unix)]
pub fn shutdown_requested() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Resolves on the first signal to terminate.
#[cfg(not(unix))]
pub fn shutdown_requested() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
