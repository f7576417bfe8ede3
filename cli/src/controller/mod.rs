//! `slicewise controller`: the arguments and the log of [`slicewise_controller`].

pub(crate) mod args;
mod log;

use std::io::{self, Write as _};

use slicewise::plan::Plan;
use slicewise_cluster::connect::connect;
use slicewise_cluster::runtime;
use slicewise_cluster::signals::shutdown_requested;
use slicewise_controller::LoopEnd;

use crate::failure::{CommandFailure, IO_FAILED};
use crate::plan::Output;
use crate::{print, screen, summary};
use args::ControllerArgs;

/// Runs until it is stopped.
pub(crate) fn run(arguments: &ControllerArgs) -> Result<u8, CommandFailure> {
    log::to_stderr(arguments.log_level, arguments.log_format);
    runtime()?.block_on(control(arguments))
}

/// Prints a plan of a dry run: a summary for people at a terminal, a line of JSON otherwise.
fn print_plan(plan: &Plan<'_>) -> io::Result<()> {
    let mut output = screen::stdout();
    match Output::or_default(None) {
        Output::Summary => summary::write_plan(plan, &mut output)?,
        _ => print::json(plan, &mut output)?,
    }
    output.flush()
}

async fn control(arguments: &ControllerArgs) -> Result<u8, CommandFailure> {
    let end = shutdown_requested().map_err(CommandFailure::io("cannot wait for signals"))?;
    // Every failure has its own retry; a create that may have succeeded must not be sent twice.
    let (client, _) = connect(arguments.kubeconfig.as_deref(), None, None).await?;
    match slicewise_controller::run(client, arguments.settings(), end).await? {
        LoopEnd::Stopped => Ok(0),
        LoopEnd::LeaseLost => Ok(IO_FAILED),
    }
}
