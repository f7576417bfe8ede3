//! Scenarios as JSON in, reports out.

use super::input::{self, Limits};
use super::{check_options, place};
use crate::Error;
use crate::simulation::{Report, Scenario, run};

/// Reads a scenario, checks it, and runs it; with all that happened, if that is asked for.
///
/// # Errors
/// When the scenario cannot be read, or says what cannot be.
pub fn simulate(scenario: &[u8], with_timeline: bool, limits: Limits) -> Result<Report, Error> {
    let text = input::text(scenario, limits)?;
    let scenario: Scenario<'_> = input::decode(text)?;
    let located = |error| place::locate(error, text);
    check_options(&scenario.controller.options, "/controller/options").map_err(located)?;
    scenario.check().map_err(located)?;
    Ok(run(&scenario, with_timeline))
}
