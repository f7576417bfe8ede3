//! `slicewise audit`: what the webhook's policies find in a cluster as it is, as reports.

pub(crate) mod args;
mod judge;
#[cfg(not(target_family = "wasm"))]
mod metrics;
mod output;
#[cfg(not(target_family = "wasm"))]
mod store;
#[cfg(not(target_family = "wasm"))]
mod write;

use slicewise_admission::reports::ReportApi;

use crate::failure::CommandFailure;
use args::{AuditArgs, AuditOutput};
use judge::Audit;

pub(crate) fn run(arguments: &AuditArgs) -> Result<u8, CommandFailure> {
    judge::check_config(arguments)?;
    #[cfg(not(target_family = "wasm"))]
    if arguments.cluster.is_given() && arguments.output.is_none() {
        return write::run(arguments);
    }
    let input = judge::read(arguments)?;
    let audit = Audit::of(&input, ReportApi::OpenReports, arguments)?;
    let form = arguments.output.unwrap_or(AuditOutput::Text);
    output::print(&audit, form)?;
    Ok(0)
}
