//! `slicewise audit`: what the webhook's policies find in a cluster as it is, as reports.

pub(crate) mod args;
#[cfg(not(target_family = "wasm"))]
mod cluster;
mod judge;
#[cfg(not(target_family = "wasm"))]
mod metrics;
mod output;
#[cfg(not(target_family = "wasm"))]
mod store;
#[cfg(not(target_family = "wasm"))]
mod write;

use crate::failure::CommandFailure;
use args::{AuditArgs, AuditOutput};

pub(crate) fn run(arguments: &AuditArgs) -> Result<u8, CommandFailure> {
    #[cfg(not(target_family = "wasm"))]
    if arguments.cluster.is_given() && arguments.output.is_none() {
        return write::run(arguments);
    }
    let audit = judge::audit(arguments)?;
    let form = arguments.output.unwrap_or(AuditOutput::Text);
    output::print(&audit, form)?;
    Ok(0)
}
