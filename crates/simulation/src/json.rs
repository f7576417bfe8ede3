//! Scenarios as JSON in, reports out, at once or step by step.

use alloc::vec::Vec;

use slicewise::Error;
use slicewise::api::{Given, Limits, check_options, encode, input, place};
use slicewise::model::Text;
use slicewise::model::object::slim_object;

use crate::{Play, Report, Scenario, TimelineStep, run};

/// Reads, checks and runs a scenario; `with_timeline` includes everything that happened in the report.
///
/// # Errors
/// When the scenario cannot be read or is impossible.
pub fn simulate(scenario: &[u8], with_timeline: bool, limits: Limits) -> Result<Report, Error> {
    Ok(run(&read(scenario, limits)?, with_timeline))
}

fn read(scenario: &[u8], limits: Limits) -> Result<Scenario<'_>, Error> {
    let text = input::text(scenario, limits)?;
    let scenario: Scenario<'_> = input::decode(text)?;
    let located = |error| place::locate(error, text);
    check_options(&scenario.controller.options, "/controller/options").map_err(located)?;
    scenario.check().map_err(located)?;
    Ok(scenario)
}

slim_object! {
    /// Settings for playing a scenario step by step.
    #[derive(Clone, Debug, Default)]
    pub struct TimelineSettings<'a>("settings") refuse {
        /// The Service whose slices are reported, as `namespace/name`. Default: the first of the scenario.
        "service" pub service: Option<Text<'a>>;
    }
}

/// A scenario that is run step by step, at the caller's pace.
///
/// ```
/// use slicewise::api::Limits;
/// use slicewise_simulation::Timeline;
///
/// let scenario = br#"{"zones": [{"name": "a", "nodes": 1}], "services": [{"service": "shop/cart", "replicas": 1}]}"#;
/// let mut timeline = Timeline::new(scenario, b"", Limits::default())?;
/// assert_eq!(timeline.steps(1)?.first(), Some(&b'['));
/// assert!(timeline.report()?.starts_with(br#"{"description":null,"endedAt":3000,"#));
/// assert_eq!(timeline.steps(1)?, b"[]");
/// # Ok::<(), slicewise::Error>(())
/// ```
pub struct Timeline {
    play: Play,
}

impl Timeline {
    /// Starts a scenario; `settings` is JSON, or empty.
    ///
    /// # Errors
    /// When either cannot be read or is impossible.
    pub fn new<'s>(
        scenario: &[u8],
        settings: impl Into<Given<'s>>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let scenario = read(scenario, limits)?;
        let given = settings.into();
        let settings: TimelineSettings<'_> = given.read_or_default(limits)?;
        let play = Play::new(&scenario, settings.service.as_deref());
        let play = play.map_err(|error| given.locate(error))?;
        Ok(Self { play })
    }

    /// The summary of the scenario, as JSON.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn summary(&self) -> Result<Vec<u8>, Error> {
        encode(self.play.summary())
    }

    /// The next `most` steps at most, as a JSON array, which is empty once the run has ended.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn steps(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let steps = core::iter::from_fn(|| self.play.step());
        encode(&steps.take(most).collect::<Vec<TimelineStep>>())
    }

    /// The report of the run, as JSON: that of [`simulate`] without a timeline. A run that has not ended is run to its
    /// end; its remaining steps are not reported then.
    ///
    /// # Errors
    /// When the answer refuses to be serialized, which none of its types does.
    pub fn report(&mut self) -> Result<Vec<u8>, Error> {
        encode(self.play.report())
    }
}
